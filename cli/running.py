"""Playing a run while a person watches."""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import click

from cli.options import cores

if TYPE_CHECKING:
    from cli.against import AgainstRules
    from simcore.results import Run, Workers


def workers_of(threads: int | None, scheduler: str | None) -> "AbstractContextManager[Workers]":
    """Who plays the chunks: a number of threads, all cores where none is given, or a cluster."""
    from simcore.results import on_cluster, on_threads

    if scheduler and threads:
        raise click.UsageError("give --threads or --scheduler, not both")
    return on_cluster(scheduler) if scheduler else on_threads(threads or cores())


def play(run: "Run", workers: "int | Workers | None", quiet: bool) -> None:
    """Play what is missing of *run*, with a progress bar, until it is done or somebody stops it; on all cores without *workers*."""
    from simcore.results import carry_on

    with stop_on_signal() as stopped, progress(f"{run.info['unit']}s", run.info["units"], quiet) as on_progress:
        try:
            carry_on(run, workers or cores(), stopped.is_set, on_progress)
        except OSError as error:
            raise click.ClickException(f"{error.strerror or error} ({error.filename or run.folder}); {resume_text(run)}") from error


def finish(run: "Run", workers: "int | Workers | None", as_json: bool, quiet: bool, other: "AgainstRules | None" = None) -> int:
    """Play *run*, print what it has found, and how it differs from *other* rules; the exit code."""
    import json

    import pandas as pd

    from cli.summary import run_json, run_lines

    play(run, workers, quiet)
    table = pd.read_parquet(run.statistics_file)
    if run.keeps_units:
        from cli.balance import DEFAULT_MARGIN, show

        return show([run], [run.info["policies"][0]], DEFAULT_MARGIN, with_pairs=False, as_json=as_json, quiet=quiet)
    is_done = run.info["state"] == "done"
    differences = other.table(run) if other and is_done else None
    if as_json:
        found = json.loads(run_json(run, table))
        if differences is not None:
            found["against"] = json.loads(differences.to_json(orient="records", double_precision=15))
        click.echo(json.dumps(found, indent=2))
    elif quiet:
        click.echo(run.folder)
    else:
        click.echo("\n".join(run_lines(run, table)))
        if other and differences is not None:
            click.echo("\n".join(["", *other.lines(differences)]))
    if is_done:
        return 0
    click.echo(f"interrupted; {resume_text(run)}", err=as_json or quiet)
    return 130


def command_line() -> str:
    """How this program was called."""
    import shlex

    return shlex.join(["cosmic", *sys.argv[1:]])


def resume_text(run: "Run") -> str:
    """How to go on with a run."""
    import shlex

    return f"go on with: cosmic resume {shlex.quote(str(run.folder))}"


@contextlib.contextmanager
def stop_on_signal() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C or SIGTERM sets; the second one ends the process as usual."""
    stopped = threading.Event()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def stop(number: int, frame: object) -> None:
        stopped.set()
        restore()

    for number in before:
        signal.signal(number, stop)
    try:
        yield stopped
    finally:
        restore()


@contextlib.contextmanager
def progress(name: str, total: int | None, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar with rate and time left on stderr, or nothing where nobody sees it; it is told how many of *total* are done."""
    if quiet or not sys.stderr.isatty():
        yield lambda n_done: None
        return
    from rich import progress as bars
    from rich.console import Console
    from rich.text import Text

    class Rate(bars.ProgressColumn):
        def render(self, task: bars.Task) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "" if task.completed else "compiling")

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        Rate(),
        bars.TimeElapsedColumn(),
        bars.TextColumn("left"),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=total)
        yield lambda n_done: bar.update(task, completed=n_done)
