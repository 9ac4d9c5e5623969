"""cosmic replay: a deal that a person has written down."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from cli.options import json_option, rules_option

MAX_BYTES = 10_000_000


@click.command("replay", epilog="Example: cosmic replay jiu-jitsu.json --json")
@click.argument("scenario", type=click.Path(path_type=Path))
@rules_option
@json_option
def command(scenario: Path, as_json: bool) -> None:
    """Play a given deal and moves by the rules.

    SCENARIO is a JSON file. Prints the transcript, then the seat to act and its legal moves, or the result.
    """
    from simcore.scenario import replay

    data = read_json(scenario)
    try:
        played = asdict(replay(data))
    except ValueError as error:
        raise click.UsageError(f"{scenario}: {error}") from error
    lines = played.pop("lines")
    if as_json:
        click.echo(json.dumps({key: played[key] for key in ("over", "seat", "legal", "events", "result")}, indent=2))
    else:
        click.echo("\n".join(lines))


def read_json(file: Path) -> Any:
    """Content of a JSON file. ValueError says where it breaks."""
    data = file.read_bytes()[: MAX_BYTES + 1]
    if len(data) > MAX_BYTES:
        raise ValueError(f"{file} is larger than {MAX_BYTES:,} bytes: no scenario")
    try:
        return json.loads(data, object_pairs_hook=_without_repeats)
    except RecursionError:
        raise ValueError(f"{file} is nested too deep") from None
    except ValueError as error:
        raise ValueError(f"{file} is no JSON: {error}") from None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(data := dict(pairs)) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} is there twice")
    return data
