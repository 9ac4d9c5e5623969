"""cosmic rules: the secret rules of Eleusis, and which of them a dealer should choose."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from cli.options import (
    Count,
    cores,
    drawn_seed,
    json_option,
    number_of_seats,
    players_option,
    read_policies,
    read_rules,
    seating_options,
    seed_option,
    set_option,
    threads_option,
)
from cli.text import aligned, figure

if TYPE_CHECKING:
    import numpy as np

_LEVEL = 0.95
# Deals of the second stage for each of the first.
_AGAIN = 10
_MEASURES = ("dealer_points", "solved", "cards_laid")

EPILOG = """\b
Example: cosmic rules --like suit
         cosmic rules --rank --deals 400 --policy scientist --players 5 --top 12
         cosmic rules --rank --rules mine.toml --like "my "
\b
A file of rules is TOML, one table for each:
  [[rule]]
  name = "my waves"
  when = "last is red"              # optional; then otherwise belongs to it
  then = "higher or same suit"      # requirements joined by and, or by or
  otherwise = "lower"
All requirements and conditions: `cosmic rules --language`.
`cosmic simulate eleusis --rules mine.toml --rule "my waves"` plays it."""


@click.command("rules", epilog=EPILOG)
@click.option("--like", default="", metavar="TEXT", help="Only rules with this in their name or text [default: all].")
@click.option("--rulebook", is_flag=True, help="Only the rulebook's nine rules.")
@click.option("--language", is_flag=True, help="What a rule of your own may be made of.")
@click.option("--rank", is_flag=True, help="Play every rule and rank them by the dealer's points.")
@click.option("--deals", type=Count(), default="200", show_default=True, help="Rounds for each rule in the first stage of --rank.")
@click.option("--top", type=click.IntRange(2, 100), default=10, show_default=True, help="Rules that go on to the second stage.")
@players_option
@seating_options
@set_option
@seed_option
@threads_option
@json_option
def command(
    like: str,
    rulebook: bool,
    language: bool,
    rank: bool,
    deals: int,
    top: int,
    players: int | None,
    policy: str | None,
    policies: str | None,
    settings: tuple[str, ...],
    seed: int | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """The secret rules of Eleusis, and which of them a dealer should choose.

    Strictness is the share of cards that are right, dead ends the share of places in a row where none is; a row that is stuck counts again
    for each card that might have followed. With --rank every rule is played on the same cards, and the best of them again on ten times
    as many new cards: only those figures are printed, for the best of many is too good the first time.
    """
    from simcore.games import eleusis
    from simcore.games.eleusis.library import RULEBOOK, library

    if language:
        click.echo("\n".join(_language_lines()))
        return
    known = library()
    allowed = RULEBOOK if rulebook else known.rules
    names: dict[int, list[str]] = {}
    for name, number in known.aliases.items():
        names.setdefault(number, []).append(name)

    def is_like(number: int, rule: Any) -> bool:
        return like.lower() in " ".join([rule.name, rule.text, *names.get(number, ())]).lower()

    chosen = [number for number, rule in enumerate(known.rules) if rule and rule in allowed and is_like(number, rule)]
    if not chosen:
        raise click.UsageError(f"no secret rule has {like!r} in its name or text")
    about = [_about(known, number) | {"also_called": names.get(number, [])} for number in chosen]
    if not rank:
        _print(as_json, about, _list_lines(about))
        return
    n_seats = number_of_seats(eleusis, players)
    by_seat = read_policies(policy, policies, n_seats, eleusis)
    seed = drawn_seed() if seed is None else seed
    rules = read_rules(eleusis, settings)

    def play(stage: int, n: int) -> Callable[[int], "np.ndarray"]:
        return lambda number: _play_rule(rules, by_seat, number, seed + stage, n)

    with ThreadPoolExecutor(threads or cores()) as pool:
        first = list(pool.map(play(0, deals), chosen))
        best = sorted(range(len(chosen)), key=lambda k: -first[k][:, 0].mean())[:top]
        second = list(pool.map(play(1, _AGAIN * deals), [chosen[k] for k in best]))
    found = sorted(_ranked([about[k] for k in best], second), key=lambda entry: -entry["dealer_points"]["mean"])
    title = [
        f"Eleusis Express: {len(chosen)} secret rules, {deals:,} rounds each, then the best {len(best)} on {_AGAIN * deals:,} new ones; "
        f"{n_seats} seats, {', '.join(dict.fromkeys(by_seat))}; seed {seed}",
        f"[low, high]: {_LEVEL:.0%} intervals, all of a column at once; to the best: on the same cards",
        "",
    ]
    _print(as_json, found, title + _rank_lines(found))


def _print(as_json: bool, data: Any, lines: list[str]) -> None:
    click.echo(json.dumps(data, indent=2) if as_json else "\n".join(lines))


def _about(known: Any, number: int) -> dict[str, Any]:
    rule = known.rules[number]
    figures = {"strictness": float(known.strictness[number]), "dead_ends": float(known.dead_ends[number])}
    return {"number": number, "name": rule.name, "size": rule.size, **figures, "text": rule.text}


def _list_lines(about: list[dict[str, Any]]) -> list[str]:
    rows = [["", "number", "size", "strictness", "dead ends"]]
    rows += [[x["name"], str(x["number"]), str(x["size"]), f"{x['strictness']:.1%}", f"{x['dead_ends']:.1%}"] for x in about]
    table = aligned(rows)
    width = max(map(len, table))
    texts = [x["text"] + (f" (also called {', '.join(x['also_called'])})" if x["also_called"] else "") for x in about]
    return [f"{line:<{width}}  {text}".rstrip() for line, text in zip(table, ["", *texts], strict=True)]


def _language_lines() -> list[str]:
    """What a rule may require and may hang on."""
    from simcore.games.eleusis.grammar import FEATURES, LAST, REQUIREMENTS

    return [
        "then, otherwise: one of these requirements on the next card, or several joined by 'and', or by 'or'",
        *(f"  {text}" for text in REQUIREMENTS),
        "values run from 1 (ace) to 13 (king): low is 1 to 7, face 11 to 13; up and down go round from the king to the ace, apart does not",
        "",
        "when: one of these conditions on the row as it lies; what tells of more cards than there are does not hold",
        *(f"  {text}" for text in (*LAST, *FEATURES[1:])),
        "after every third card: the row has 3, 6, 9 ... cards, with the start card; rose, fell: by value; one before: the last but one",
        "the opposite of a condition is had by exchanging then and otherwise",
    ]


def _play_rule(rules: Any, by_seat: tuple[str, ...], number: int, seed: int, n: int) -> "np.ndarray":
    """Dealer's points, whether the rule was solved, and cards laid, of *n* rounds with secret rule *number*; int64 (n, 3)."""
    from simcore.engine import Experiment, play_units
    from simcore.games import eleusis

    one = rules.copy()
    one["rule"] = number
    experiment = Experiment(eleusis, one, by_seat, (tuple(range(len(by_seat))),), seed, False)
    rows, _ = play_units(experiment, 0, n)
    columns = experiment.deal_columns()
    return rows[:, [columns.index(name) for name in _MEASURES]].astype("int64")


def _ranked(about: list[dict[str, Any]], played: "list[np.ndarray]") -> list[dict[str, Any]]:
    """Figures of the rules with simultaneous intervals, and the differences to the best on the same cards."""
    from simcore.statistics import simultaneous_level

    level = simultaneous_level(_LEVEL, len(about))
    best = max(range(len(about)), key=lambda k: played[k][:, 0].mean())
    found = []
    for k, rule in enumerate(about):
        figures = {name: _mean(played[k][:, m], level) for m, name in enumerate(_MEASURES)}
        found.append(rule | figures | {"difference": _mean(played[k][:, 0] - played[best][:, 0], level), "is_best": k == best})
    return found


def _mean(values: "np.ndarray", level: float) -> dict[str, float]:
    from simcore.statistics import block_interval

    mean, error = float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5) if len(values) > 1 else float("nan")
    low, high = block_interval(mean, error, len(values), level)
    return {"n": len(values), "mean": mean, "standard_error": error, "low": float(low), "high": float(high)}


def _rank_lines(found: list[dict[str, Any]]) -> list[str]:
    rows = [["", "dealer points", "to the best", "", "solved", "cards laid", "strictness", "dead ends"]]
    for entry in found:
        points, difference, solved, laid = (
            SimpleNamespace(**entry[name]) for name in ("dealer_points", "difference", "solved", "cards_laid")
        )
        mark = "best" if entry["is_best"] else "as good?" if difference.high >= 0 else ""
        to_best = "" if entry["is_best"] else figure(difference, False, with_interval=True, signed=True)
        cells = [figure(points, False, with_interval=True), to_best, mark, figure(solved, True), figure(laid, False)]
        rows.append([entry["name"], *cells, f"{entry['strictness']:.1%}", f"{entry['dead_ends']:.1%}"])
    return aligned(rows)
