"""cosmic show: the transcript of a deal."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.options import characters_option, complete_game, make_experiment, players_option, seating_options, seed_option, set_option

if TYPE_CHECKING:
    from simcore.engine import Experiment


@click.command(
    "show", epilog="Example: cosmic show eidex --seed 7 --deal 12 --policies search:8,basic,random; cosmic show my-run --deal 12"
)
@click.argument("target", metavar="GAME|RUN", shell_complete=complete_game)
@click.option("--deal", type=click.IntRange(0, 10**12), help="Number of the deal, from 0; of the deal in its match with --game.")
@click.option("--game", "match", type=click.IntRange(0, 10**12), metavar="G", help="Number of the match, from 0.")
@players_option
@seating_options
@characters_option
@set_option
@seed_option
def command(target: str, deal: int | None, match: int | None, **options: Any) -> None:
    """Tell one deal of GAME or of a RUN, move by move.

    A run of matches, or --game, counts matches by --game and the deals in a match by --deal [default: 0].
    """
    from simcore.scenario import transcript

    if (Path(target) / "run.json").is_file():
        experiment = _experiment_of_run(Path(target), match if match is not None else deal, options)
    elif options["seed"] is None:
        raise click.UsageError(f"{target} is no run folder, and a deal of a game needs --seed")
    else:
        experiment = make_experiment(target, is_match=match is not None, **options)
    if experiment.is_match and match is None:
        raise click.UsageError(f"this is a run of {experiment.game.MATCH}s: choose one by --game G, and its deal by --deal K")
    if not experiment.is_match and (match is not None or deal is None):
        raise click.UsageError("choose a single deal by --deal I")
    unit, number = (match, deal or 0) if match is not None else (deal, 0)
    click.echo("\n".join(transcript(experiment, unit or 0, number)))


def _experiment_of_run(folder: Path, unit: int | None, options: dict[str, Any]) -> "Experiment":
    from simcore.jit import package_hash
    from simcore.results import open_run

    if given := [f"--{name.replace('settings', 'set')}" for name, value in options.items() if value not in (None, ())]:
        raise click.UsageError(f"the deals of a run are fixed: {folder} goes without {', '.join(given)}")
    run = open_run(folder)
    first, n_units = run.info["first"], run.info["units"]
    if unit is not None and n_units is not None and not first <= unit < first + n_units:
        raise click.UsageError(f"{folder} has the {run.info['unit']}s {first} to {first + n_units - 1}, no {unit}")
    if run.info["source_hash"] != package_hash():
        print(f"cosmic: {folder} was played by other sources; the deal may differ", file=sys.stderr)
    return run.experiment
