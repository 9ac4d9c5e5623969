"""Plans: a TOML file of many runs."""

import itertools
import math
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.options import MAX_SEED, Count, Percentage, Seconds, make_experiment, read_amount

if TYPE_CHECKING:
    from simcore.engine import Experiment

MAX_BYTES = 1_000_000
MAX_RUNS = 10_000
_MAX_NAME = 200
# What a run may say besides the rules of its game: the options of `cosmic simulate` of the same names.
OPTIONS = ("game", "deals", "games", "until", "seconds", "players", "policy", "policies", "seed", "chunk", "rows")
# Of these a run says one: its own replaces the other among the defaults.
_EITHER = (("deals", "games"), ("policy", "policies"))
# How an option is read; the others are texts.
_TYPES: dict[str, click.ParamType] = {
    "deals": Count(),
    "games": Count(),
    "until": Percentage(),
    "seconds": Seconds(0, min_open=True, max=1e9),
    "players": click.IntRange(1, 64),
    "seed": click.IntRange(0, MAX_SEED),
    "chunk": Count(),
}


@dataclass(frozen=True)
class Planned:
    """One run of a plan."""

    name: str  # also of its folder
    experiment: "Experiment"
    configuration: dict[str, Any]  # see `simcore.results.configure`


@dataclass(frozen=True)
class Plan:
    """The runs of a plan, its grids expanded, in the order of the file."""

    runs: list[Planned]
    rules: tuple[str, ...]  # that are set anywhere in it
    source: bytes


def read_plan(file: Path) -> Plan:
    """The plan in *file*. ValueError says in one line what is wrong and where."""
    with file.open("rb") as stream:
        source = stream.read(MAX_BYTES + 1)
    if len(source) > MAX_BYTES:
        raise ValueError(f"{file} is larger than {MAX_BYTES:,} bytes: no plan")
    try:
        plan = tomllib.loads(source.decode())
    except RecursionError:
        raise ValueError(f"{file} is nested too deep") from None
    except UnicodeDecodeError:
        raise ValueError(f"{file} is no text in UTF-8") from None
    except ValueError as error:
        raise ValueError(f"{file} is no TOML: {error}") from None
    try:
        grids = _grids(plan)
        rules = dict.fromkeys(key for grid in grids.values() for key in grid if key not in OPTIONS)
        return Plan(list(_runs(grids)), tuple(rules), source)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def _grids(plan: dict[str, Any]) -> dict[str, dict[str, list]]:
    """For each table of runs the values of every key, those of the defaults among them."""
    from simcore.reading import check_keys

    check_keys(plan, ("defaults", "run"), "a plan")
    defaults = _grid(plan.get("defaults", {}), "defaults")
    tables = plan.get("run", {})
    if not isinstance(tables, dict) or not tables:
        raise ValueError("a plan has runs: write a table [run.NAME] for each, with what `cosmic simulate` takes")
    grids = {}
    for name, table in tables.items():
        if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
            raise ValueError(f"[run.{name}]: a name is made of letters, digits, - and _, because a folder is called so")
        own = _grid(table, f"run.{name}")
        hidden = {other for pair in _EITHER for other in pair if not own.keys().isdisjoint(pair)}
        grids[name] = {key: values for key, values in defaults.items() if key not in hidden} | own
    if (n_runs := sum(math.prod(map(len, grid.values())) for grid in grids.values())) > MAX_RUNS:
        raise ValueError(f"these are {n_runs:,} runs, more than {MAX_RUNS:,}; take some values out of the grids")
    return grids


def _grid(table: Any, where: str) -> dict[str, list]:
    if not isinstance(table, dict):
        raise ValueError(f"[{where}] is a table of options and rules, not {table!r}")
    grid = {key: value if isinstance(value, list) else [value] for key, value in table.items()}
    for key, values in grid.items():
        if not values or not all(isinstance(value, str | int | float) for value in values):
            raise ValueError(f"[{where}] {key}: write a text, a number, true or false, or a list of them for a grid")
    return grid


def _runs(grids: dict[str, dict[str, list]]) -> Iterator[Planned]:
    seen = set()
    for name, grid in grids.items():
        for values in itertools.product(*grid.values()):
            choices = dict(zip(grid, values, strict=True))
            folder = ",".join([name, *(f"{key}={_slug(value)}" for key, value in choices.items() if len(grid[key]) > 1)])
            try:
                yield _run(folder, choices)
            except click.UsageError as error:
                raise ValueError(f"run {folder}: {error.format_message()}") from None
            except ValueError as error:
                raise ValueError(f"run {folder}: {error}") from None
            # Some file systems take names that differ in their case for the same.
            if folder.lower() in seen:
                raise ValueError(f"two runs would be called {folder}")
            if len(folder) > _MAX_NAME:
                raise ValueError(f"run {folder}: its name is longer than {_MAX_NAME} characters; make the grid of fewer keys")
            seen.add(folder.lower())


def _slug(value: Any) -> str:
    """*value* as a part of a file name."""
    return re.sub(r"[^A-Za-z0-9_.%-]", "-", str(value))


def _run(name: str, choices: dict[str, Any]) -> Planned:
    from simcore.deck import nearest
    from simcore.results import configure, default_chunk
    from simcore.scenario import find_game

    for key in ("game", "seed"):
        if key not in choices:
            raise ValueError(f"it has no {key}; give one here or in [defaults]")
    game = find_game(choices["game"])
    rules = [switch.name for switch in game.SWITCHES]
    for key in choices:
        if key not in OPTIONS and key not in rules:
            raise ValueError(f"no option or rule {key!r}{nearest(key, (*OPTIONS, *rules))}; rules of {game.NAME} are {', '.join(rules)}")
    given = {key: _option(key, value) for key, value in choices.items() if key in OPTIONS}
    until, seconds, rows = given.get("until"), given.get("seconds"), given.get("rows", False)
    is_match, units = read_amount(given.get("deals"), given.get("games"), until, seconds)
    experiment = make_experiment(
        game.NAME,
        players=given.get("players"),
        policy=given.get("policy"),
        policies=given.get("policies"),
        settings=tuple(f"{key}={value}" for key, value in choices.items() if key in rules),
        seed=given["seed"],
        is_match=is_match,
    )
    chunk = given.get("chunk") or default_chunk(experiment, rows)
    return Planned(name, experiment, configure(experiment, chunk, units, until=until, seconds=seconds, rows=rows))


def _option(key: str, value: Any) -> Any:
    """Value of an option, read as on the command line."""
    if key in _TYPES:
        try:
            return _TYPES[key].convert(str(value), None, None)
        except click.UsageError as error:
            raise ValueError(f"{key}: {error.message}") from None
    expected: type = bool if key == "rows" else str
    if not isinstance(value, expected):
        raise ValueError(f"{key} is {'true or false' if key == 'rows' else 'a text'}, not {value!r}")
    return value
