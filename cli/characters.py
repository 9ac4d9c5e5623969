"""cosmic characters: the 36 of Cosmic Eidex."""

import json

import click

from cli.options import json_option


@click.command("characters", epilog="Example: cosmic characters --json")
@json_option
def command(as_json: bool) -> None:
    """The characters of Cosmic Eidex in listing order: number, name, card, when they act, what they do."""
    from simcore.games.eidex.characters import CHARACTERS

    if as_json:
        keys = ("name", "title", "card", "when", "text", "uses")
        listed = [{"number": number} | {key: getattr(c, key) for key in keys} for number, c in enumerate(CHARACTERS, 1)]
        click.echo(json.dumps(listed, indent=2, ensure_ascii=False))
        return
    rows = [(str(number), c.name, c.card, c.when, c.text) for number, c in enumerate(CHARACTERS, 1)]
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    for row in rows:
        click.echo("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]))
