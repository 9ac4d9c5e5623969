"""cosmic compare: what a change of the rules or the policies does, on the same cards."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from cli.options import Count, cores, json_option, quiet_option, threads_option
from cli.text import aligned, figure, words

if TYPE_CHECKING:
    import pandas as pd

    from simcore.engine import Experiment
    from simcore.results import Run

_SURE = 0.05


@click.command("compare", epilog="Example: cosmic compare rules100 rules90")
@click.argument("first", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("second", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--kinds", is_flag=True, help="Compare each kind of deal, too.")
@click.option("--first", "units", type=Count(), metavar="N", help="Compare the first N deals or games only [default: all].")
@click.option("--top", type=click.IntRange(1), metavar="N", help="Print the N largest changes [default: all].")
@threads_option
@json_option
@quiet_option
def command(
    first: Path, second: Path, kinds: bool, units: int | None, top: int | None, threads: int | None, as_json: bool, quiet: bool
) -> None:
    """What the second RUN has more than the first, on the same cards.

    Both runs are of the same game, seed and seating, with other rules or policies. Plays both once more, since the differences are
    taken block by block, and prints each figure of both, the difference with its interval, its size in standard deviations of a single
    observation (largest first), and p adjusted for all the figures.
    """
    from cli.running import progress
    from simcore.results import changes, common_units, compare, open_run

    runs = open_run(first), open_run(second)
    changed = changes(*runs)
    units = common_units(*runs, units)
    with progress(f"{runs[0].info['unit']}s", units, quiet) as on_progress:
        table = compare(*runs, threads or cores(), units=units, by_kind=kinds, on_progress=on_progress)
    shown = table.head(top) if top else table
    if as_json:
        rows = json.loads(shown.to_json(orient="records", double_precision=15))
        about = {"first": str(first), "second": str(second), "units": units, "changes": changed}
        click.echo(json.dumps(about | {"figures": rows}, indent=2))
    else:
        click.echo("\n".join(_lines(runs, changed, units, table, shown, kinds)))


def _lines(
    runs: "tuple[Run, Run]", changed: dict[str, tuple[Any, Any]], units: int, table: "pd.DataFrame", shown: "pd.DataFrame", kinds: bool
) -> list[str]:
    from simcore.tally import layouts_of

    experiment = runs[0].experiment
    unit = f"{experiment.game.MATCH}s" if experiment.is_match else "deals"
    rates = {m.name for layout in layouts_of(experiment) for m in layout.measures if m.is_rate}
    header = ["", *(["kind"] if kinds else []), "first", "second", "difference", "in sd", "p", ""]
    rows = [header, *(_cells(row, experiment, row.measure in rates, kinds) for row in shown.itertuples())]
    n_changed = int((table["p_holm"] < _SURE).sum())
    left_out = f", of which the {len(shown)} largest changes follow" if len(shown) < len(table) else ""
    methods = " or ".join(table["method"].unique())
    return [
        f"{experiment.game.TITLE}: {units:,} {unit} on the same cards, seed {experiment.seed}",
        *(f"{words(name)}: {_value(before)} -> {_value(after)}" for name, (before, after) in changed.items()),
        f"[low, high]: {table['confidence'].iloc[0]:.0%} interval of the difference, {methods}, each for itself",
        f"p: adjusted for all {len(table)} figures (Holm); {n_changed} have changed (p < {_SURE}){left_out}",
        "",
        *aligned(rows),
    ]


def _cells(row: Any, experiment: "Experiment", is_rate: bool, kinds: bool) -> list[str]:
    precision = {"standard_error": row.standard_error, "low": row.low, "high": row.high}
    first, second, difference = (SimpleNamespace(mean=mean, **precision) for mean in (row.first, row.second, row.difference))
    cells = [_name(row, experiment), *([row.kind] if kinds else []), figure(first, is_rate), figure(second, is_rate)]
    cells += [figure(difference, is_rate, with_interval=True, signed=True), _signed(row.effect), _p(row.p_holm)]
    return [*cells, "changed" if row.p_holm < _SURE else ""]


def _name(row: Any, experiment: "Experiment") -> str:
    """A figure as people name it."""
    whose = {"all": "", "seat": f"seat {row.key} "}.get(row.grouping, f"{row.key} ")
    of = f" ({experiment.game.MATCH})" if row.level.startswith("match") else ""
    return f"{whose}{words(row.measure)}{of}"


def _signed(number: float) -> str:
    return f"{number:+.3f}" if number == number else "-"


def _p(number: float) -> str:
    return "-" if number != number else "<0.001" if number < 0.001 else f"{number:.3f}"


def _value(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
