"""cosmic tune: the value of a rule at which a character is fair."""

import json
import re
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from cli.options import (
    DEFAULT_POLICY,
    Count,
    cores,
    drawn_seed,
    json_option,
    quiet_option,
    read_characters,
    read_policy,
    read_rules,
    seed_option,
    threads_option,
)
from cli.running import progress
from cli.text import aligned, figure, words

if TYPE_CHECKING:
    import numpy as np

    from simcore.balance import Curve, Tuned

GAME = "cosmic-eidex"
DEFAULT_GAMES = 100_000
# How the blocks are shared among the rounds: the last ones look where it matters.
_SHARES = (1, 2, 4)
_POINTS = 5
_BAR = 41


class Share(click.ParamType):
    """A score like ``1/3``, ``0.35`` or ``35%``."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"([0-9]*\.?[0-9]+)(?:/([1-9][0-9]*)|(%))?", value.strip())
        number = float(match[1]) / (float(match[2]) if match[2] else 100 if match[3] else 1) if match else 0.0
        if not 0 < number < 2:
            self.fail(f"{value!r} is no score above 0; write it like 1/3, 0.35 or 35%", param, ctx)
        return number


@click.command("tune", epilog="Example: cosmic tune radarkontrolle --set radar_low=80..100 --target 1/3")
@click.argument("character", metavar="CHARACTER")
@click.option("--set", "settings", multiple=True, required=True, metavar="RULE=LOW..HIGH", help="The rule to tune; others as RULE=VALUE.")
@click.option("--target", type=Share(), metavar="SHARE", help="Win rate that is fair [default: 1/3; of victory points per deal, 2/3].")
@click.option("--games", type=Count(), help=f"Tournaments in all, over all values [default: {DEFAULT_GAMES:_}].")
@click.option("--deals", type=Count(), help="Single deals in all, instead: victory points of a hand.")
@click.option("--policy", default=DEFAULT_POLICY, metavar="P", help=f"Who plays [default: {DEFAULT_POLICY}].")
@seed_option
@threads_option
@json_option
@quiet_option
def command(
    character: str,
    settings: tuple[str, ...],
    target: float | None,
    games: int | None,
    deals: int | None,
    policy: str,
    seed: int | None,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """The value of a rule at which CHARACTER is fair.

    Plays CHARACTER against all others at some values of the rule, on the same cards, then closer around the value that is sought, on
    fresh ones, in three rounds. Prints the value with an interval that holds whatever the search did, and the curve with its band.
    LOW..HIGH:STEP looks at every STEP-th value only.
    """
    import numpy as np

    from simcore.balance import tune
    from simcore.results import most_score, play_curve

    if games is not None and deals is not None:
        raise click.UsageError("give --deals or --games, not both")
    module, chosen = read_characters(GAME, f"{character},random,random")
    if "random" in chosen[0] or "none" in chosen[0]:
        raise click.UsageError(f"{character}: name one character, see `cosmic characters`")
    name, grid, fixed = read_range(module, settings)
    seed, is_match = drawn_seed() if seed is None else seed, deals is None
    experiments = {
        value: _experiment(module, (*fixed, f"{name}={value}", *chosen), read_policy(policy, module), seed, is_match)
        for value in map(int, grid)
    }
    size = len(next(iter(experiments.values())).seatings)
    target = target or (1 / 3 if is_match else 2 / 3)
    if target >= (most := most_score(next(iter(experiments.values())))):
        raise click.UsageError(f"--target {target:g} is out of reach: the score is below {most:g}")
    blocks = read_blocks(deals or games or DEFAULT_GAMES, size, min(_POINTS, len(grid)))
    total = sum(blocks) * size * min(_POINTS, len(grid))
    done = 0
    with progress("tournaments" if is_match else "deals", total, quiet) as on_progress:

        def play(values: "np.ndarray", first: int, n: int) -> "np.ndarray":
            nonlocal done
            before = done

            def report(units: int) -> None:
                nonlocal done
                done = before + units
                on_progress(done)

            return play_curve([experiments[int(value)] for value in values], 0, first, n, threads or cores(), report)

        found = tune(play, size, np.array(grid), target, blocks, _POINTS)
    about = {"character": chosen[0].partition("=")[2], "rule": name, "target": target, "seed": seed, "policy": read_policy(policy, module)}
    click.echo(json.dumps(_json(about, found, size), indent=2) if as_json else "\n".join(_lines(about, found, size, grid, is_match)))


def _experiment(module: ModuleType, settings: tuple[str, ...], policy: str, seed: int, is_match: bool) -> Any:
    import itertools

    from simcore.engine import Experiment

    return Experiment(module, read_rules(module, settings), (policy,) * 3, tuple(itertools.permutations(range(3))), seed, is_match)


def read_range(module: ModuleType, settings: tuple[str, ...]) -> tuple[str, list[int], tuple[str, ...]]:
    """The rule to tune, its values, and the other settings."""
    ranges = [(setting, match) for setting in settings if (match := re.fullmatch(r"(\w+)=(-?\d+)\.\.(-?\d+)(?::(\d+))?", setting.strip()))]
    if len(ranges) != 1:
        raise click.UsageError("give one --set with a range, like --set radar_low=80..100")
    setting, match = ranges[0]
    name, low, high, step = match[1], int(match[2]), int(match[3]), int(match[4] or 1)
    read_rules(module, (f"{name}={low}",))
    read_rules(module, (f"{name}={high}",))
    values = list(range(low, high + 1, step)) if step else []
    if len(values) < 2:
        raise click.UsageError(f"--set {setting}: the range has fewer than two values")
    return name, values, tuple(other for other in settings if other != setting)


def read_blocks(units: int, size: int, n_points: int) -> list[int]:
    """Blocks of each round, so that all of them together play about *units*."""
    share = units / (size * n_points * sum(_SHARES))
    if share < 2:
        raise click.UsageError(f"{units} are too few: at least {2 * size * n_points * sum(_SHARES)} are needed")
    return [round(share * part) for part in _SHARES]


def _lines(about: dict[str, Any], found: "Tuned", size: int, grid: list[int], is_match: bool) -> list[str]:
    rule, n = words(about["rule"]), sum(len(curve.values) * curve.blocks * size for curve in found.curves)
    unit, goal = ("tournaments", f"{100 * about['target']:.1f}%") if is_match else ("deals", f"{about['target']:.3f}")
    lines = [
        f"{about['character']}: {n:,} {unit} in all seatings, against characters drawn at random, {about['policy']}, seed {about['seed']}",
        f"[low, high]: all values of a round together, all rounds together 95%; |: the target {goal}",
        "",
    ]
    rows = [["round", rule, unit, "win rate" if is_match else "points of a hand", ""]]
    low = min(about["target"], *(float(curve.low.min()) for curve in found.curves))
    high = max(about["target"], *(float(curve.high.max()) for curve in found.curves))
    for number, curve in enumerate(found.curves, 1):
        for k, value in enumerate(curve.values):
            row = SimpleNamespace(mean=curve.mean[k], standard_error=curve.error[k], low=curve.low[k], high=curve.high[k])
            cells = [str(number), str(value), f"{curve.blocks * size:,}", figure(row, is_match, with_interval=True)]
            rows.append([*cells, _bar(curve, k, about["target"], low, high)])
    return [*lines, *aligned(rows), "", _answer(rule, goal, found, grid)]


def _bar(curve: "Curve", k: int, target: float, low: float, high: float) -> str:
    """A point of the curve with its band, drawn in characters; the target as an upright line."""
    if not abs(low) + abs(high) < float("inf"):
        return " " * _BAR

    def at(value: float) -> int:
        return round((_BAR - 1) * (value - low) / (high - low)) if high > low else 0

    cells = ["-" if at(curve.low[k]) <= i <= at(curve.high[k]) else " " for i in range(_BAR)]
    cells[at(target)] = "|"
    cells[at(curve.mean[k])] = "o"
    return "".join(cells)


def _answer(rule: str, goal: str, found: "Tuned", grid: list[int]) -> str:
    if found.low != found.low:
        return f"no value of {rule} from {grid[0]} to {grid[-1]} gives {goal}: the bands of the curve leave it out"
    ends = [end for end, is_end in (("below", found.low <= grid[0]), ("above", found.high >= grid[-1])) if is_end]
    beyond = f"; it may lie {' or '.join(ends)} that range" if ends else ""
    interval = f"[{found.low:.1f}, {found.high:.1f}]"
    if found.value != found.value:
        return f"{goal} is reached at {rule} {interval}, if at all: the curve does not cross it{beyond}"
    nearest = min(grid, key=lambda value: abs(value - found.value))
    return f"{goal} is reached at {rule} {found.value:.1f} {interval}, 95% whatever the search did; nearest value: {nearest}{beyond}"


def _json(about: dict[str, Any], found: "Tuned", size: int) -> dict[str, Any]:
    curves = [
        {"values": curve.values.tolist(), "blocks": curve.blocks, "units": curve.blocks * size}
        | {name: [_finite(x) for x in getattr(curve, name)] for name in ("mean", "error", "low", "high")}
        for curve in found.curves
    ]
    return about | {"value": _finite(found.value), "low": _finite(found.low), "high": _finite(found.high), "rounds": curves}


def _finite(value: float) -> float | None:
    """JSON knows no nan."""
    return float(value) if abs(value) < float("inf") else None
