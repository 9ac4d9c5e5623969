"""cosmic games: what can be played."""

from types import ModuleType

import click

from cli.options import complete_game
from cli.text import aligned


@click.command("games", epilog="Example: cosmic games eidex")
@click.argument("game", required=False, shell_complete=complete_game)
def command(game: str | None) -> None:
    """Games, their rules and figures, and the policies."""
    from simcore.games import GAMES
    from simcore.policies import policy_texts
    from simcore.scenario import find_game

    for module in [find_game(game)] if game else GAMES:
        click.echo("\n".join(_lines(module)) + "\n")
    texts = policy_texts(find_game(game) if game else None)
    width = max(map(len, texts))
    click.echo("\n".join(["policies", *(f"  {name:<{width}}  {text}" for name, text in texts.items())]))


def _lines(game: ModuleType) -> list[str]:
    usual, fewest, most = game.PLAYERS[0], min(game.PLAYERS), max(game.PLAYERS)
    players = f"{usual}" if fewest == most else f"{fewest} to {most} ({usual} unless told)"
    lines = [f"{game.NAME}: {game.TITLE}, {players} players, rules version {game.RULES_VERSION}"]
    lines += [f"  kinds of deal: {', '.join(game.KINDS)}", "  rules, to be changed by --set rule=value"]
    rules = [[switch.name, str(switch.default), switch.allowed, switch.text] for switch in game.SWITCHES]
    names = aligned([["rule", "default", "allowed"], *(row[:3] for row in rules)])
    width = max(map(len, names))
    lines += [f"    {name:<{width}}  {text}".rstrip() for name, text in zip(names, ["", *(row[3] for row in rules)], strict=True)]
    figures = {"a deal": game.DEAL_MEASURES, "a seat in it": game.SEAT_MEASURES, f"a seat in a {game.MATCH}": (game.STANDING,)}
    for what, measures in figures.items():
        width = max(len(m.name) for m in measures)
        lines += [f"  figures of {what}", *(f"    {m.name:<{width}}  {m.text} ({m.low} to {m.high})" for m in measures)]
    return lines
