"""cosmic simulate: many deals, their statistics in a run folder."""

from pathlib import Path
from typing import Any

import click

from cli.options import (
    amount_options,
    characters_option,
    cores,
    game_argument,
    make_experiment,
    part_option,
    players_option,
    read_amount,
    run_options,
    scheduler_option,
    seating_options,
    seed_option,
    set_option,
)

DEFAULT_FOLDER = Path("cosmic-runs")


@click.command("simulate", epilog="Example: cosmic simulate eidex --deals 5M --policies search:8,basic,random --out my-run")
@game_argument
@amount_options
@players_option
@seating_options
@characters_option
@set_option
@seed_option
@click.option("--against", multiple=True, metavar="RULE=VALUE", help="Print the difference to the same run with this rule; repeatable.")
@part_option
@scheduler_option
@run_options
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    part: tuple[int, int] | None,
    scheduler: str | None,
    out: Path | None,
    threads: int | None,
    as_json: bool,
    quiet: bool,
    against: tuple[str, ...],
    **options: Any,
) -> None:
    """Play many deals of GAME.

    Writes a run folder and prints what came out. With --until, --deals or --games is the most that is played. Without --out the run
    goes to cosmic-runs/GAME-SEED.

    With --against everything is played once more on the same cards by the other rules, and the difference of every figure is printed
    and written to against.parquet in the run folder.
    """
    from cli.against import AgainstRules
    from cli.running import command_line, finish, workers_of
    from simcore.results import create, default_chunk, new_folder, share

    chunk, rows, until, seconds = (options.pop(name) for name in ("chunk", "rows", "until", "seconds"))
    is_match, units = read_amount(options.pop("deals"), options.pop("games"), until, seconds)
    if against and (until or part):
        raise click.UsageError("--against takes a number of --deals or --games, or --seconds, neither --until nor --part")
    experiment = make_experiment(game, is_match=is_match, **options)
    other = AgainstRules(experiment, against, threads or cores()) if against else None
    name, first = f"{game}-{experiment.seed}", 0
    chunk = chunk or default_chunk(experiment, rows)
    if part:
        if units is None or until or seconds:
            raise click.UsageError("--part is of a number of deals or games: give --deals or --games, neither --until nor --seconds")
        first, units = share(units, chunk, *part)
        name += f"-part-{part[0]}-of-{part[1]}"
        if not units:
            raise click.UsageError(f"--part {part[0]}/{part[1]} is empty: there are fewer chunks than parts; lower --chunk, or the parts")
    # A cluster that is not there is told before a folder is made.
    with workers_of(threads, scheduler) as workers:
        run = create(
            experiment,
            out or new_folder(DEFAULT_FOLDER / name),
            chunk,
            units,
            first=first,
            until=until,
            seconds=seconds,
            rows=rows,
            command=command_line(),
        )
        ctx.exit(finish(run, workers, as_json, quiet, other))
