"""cosmic resume: go on with a run."""

from pathlib import Path

import click

from cli.options import json_option, quiet_option, scheduler_option, threads_option


@click.command("resume", epilog="Example: cosmic resume cosmic-runs/eidex-7 --threads 4")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@threads_option
@scheduler_option
@json_option
@quiet_option
@click.pass_context
def command(ctx: click.Context, folder: Path, threads: int | None, scheduler: str | None, as_json: bool, quiet: bool) -> None:
    """Go on with RUN where it stopped.

    Plays the chunks that are missing or damaged, and prints the summary. The statistics are, to the byte, those of a run that was never
    interrupted.
    """
    from cli.running import finish, workers_of
    from simcore.results import open_run

    run = open_run(folder)
    with workers_of(threads, scheduler) as workers:
        ctx.exit(finish(run, workers, as_json, quiet))
