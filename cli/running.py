"""Playing a run while a person watches."""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from cli.options import cores

if TYPE_CHECKING:
    from simcore.results import Run


def play(run: "Run", threads: int | None, quiet: bool) -> None:
    """Play what is missing of *run*, with a progress bar, until it is done or somebody stops it."""
    from simcore.results import carry_on

    with _stop_on_signal() as stopped, progress(f"{run.info['unit']}s", run.info["units"], quiet) as on_progress:
        try:
            carry_on(run, threads or cores(), stopped.is_set, on_progress)
        except OSError as error:
            raise click.ClickException(f"{error.strerror or error} ({error.filename or run.folder}); {resume_text(run)}") from error


def finish(run: "Run", threads: int | None, as_json: bool, quiet: bool) -> int:
    """Play *run*, print what it has found; the exit code."""
    import pandas as pd

    from cli.summary import run_json, run_lines

    play(run, threads, quiet)
    table = pd.read_parquet(run.statistics_file)
    if run.keeps_units:
        from cli.balance import DEFAULT_MARGIN, show

        return show([run], [run.info["policies"][0]], DEFAULT_MARGIN, with_pairs=False, as_json=as_json, quiet=quiet)
    is_done = run.info["state"] == "done"
    if as_json:
        click.echo(run_json(run, table))
    elif quiet:
        click.echo(run.folder)
    else:
        click.echo("\n".join(run_lines(run, table)))
    if is_done:
        return 0
    click.echo(f"interrupted; {resume_text(run)}", err=as_json or quiet)
    return 130


def resume_text(run: "Run") -> str:
    """How to go on with a run."""
    import shlex

    return f"go on with: cosmic resume {shlex.quote(str(run.folder))}"


@contextlib.contextmanager
def _stop_on_signal() -> Iterator[threading.Event]:
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
    """A bar with rate and time left on stderr, or nothing where nobody sees it."""
    if quiet or not sys.stderr.isatty():
        yield lambda units: None
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
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(name, total=total)
        yield lambda units: shown.update(task, completed=units)
