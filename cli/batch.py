"""cosmic batch: many runs from one file."""

import contextlib
import itertools
import json
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.options import cores, json_option, part_option, quiet_option, scheduler_option, threads_option
from cli.plan import Plan, Planned, read_plan
from cli.running import command_line, progress, stop_on_signal, workers_of
from cli.simulate import DEFAULT_FOLDER
from cli.text import aligned, figure, words

if TYPE_CHECKING:
    from simcore.results import Run, Workers

PLAN, TABLE = "plan.toml", "batch.parquet"
_PILOT, _PILOTS = 0.2, 20.0  # seconds for one run, and for all
_MAX_AT_ONCE = 16


@dataclass
class Job:
    """A run of the plan in its folder."""

    planned: Planned
    folder: Path
    run: "Run | None" = None  # as it was found, then as it is played
    changes: list[str] = field(default_factory=list)  # of the plan since the run that was found
    error: str = ""
    n_done: int = 0  # chunks

    @property
    def state(self) -> str:
        """``done``, ``interrupted``, ``failed`` or ``not begun``."""
        if self.error:
            return "failed"
        if self.run is None or self.changes:
            return "not begun"
        return "done" if self.run.info["state"] == "done" else "interrupted"

    @property
    def n_chunks(self) -> int:
        """Chunks of the whole run; 1 where that is not known."""
        units, chunk = (self.planned.configuration[key] for key in ("units", "chunk"))
        return 1 if units is None else -(-units // chunk)


@click.command("batch", epilog="Example: cosmic batch plan.toml --dry-run; see the README for a plan")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder for all runs [default: cosmic-runs/ and the name of the plan].")
@click.option("--dry-run", is_flag=True, help="Only list the runs, with an estimate of their time from a short pilot of each.")
@part_option
@click.option("--stop-on-failure", is_flag=True, help="Begin nothing more once a run has failed.")
@threads_option
@scheduler_option
@json_option
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    plan: Path,
    out: Path | None,
    dry_run: bool,
    part: tuple[int, int] | None,
    stop_on_failure: bool,
    threads: int | None,
    scheduler: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play all runs of PLAN, a TOML file.

    A table [run.NAME] holds what `cosmic simulate` takes (game, deals, policy, ...) and rules; a list of values makes a grid. [defaults]
    are for all runs: with one seed there, they play the same cards. Called again, it goes on where it was, and plays anew only what has
    changed in the plan. The statistics of all runs come together in batch.parquet.
    """
    from simcore.results import locked, write_whole

    what = read_plan(plan)
    folder = out or DEFAULT_FOLDER / plan.stem
    if part:
        folder = folder.with_name(f"{folder.name}-part-{part[0]}-of-{part[1]}")
    check_folder(folder)
    jobs = [_found(planned, folder) for planned in _shares(what.runs, part)]
    if dry_run:
        click.echo(_dry_json(folder, jobs, threads) if as_json else "\n".join(_dry_lines(folder, jobs, threads)))
        return
    with workers_of(threads, scheduler) as workers:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            write_whole(folder / PLAN, what.source)
            was_stopped = _play(jobs, workers, stop_on_failure, quiet)
            write_table(folder, what, jobs)
    report(folder, jobs, as_json, quiet)
    again = f"go on with: {command_line()}"
    if was_stopped:
        click.echo(f"interrupted; {again}", err=True)
    ctx.exit(130 if was_stopped else int(any(job.error for job in jobs)))


def check_folder(folder: Path) -> None:
    """ValueError when *folder* holds something else than a batch."""
    if (folder / "run.json").exists():
        raise ValueError(f"{folder} holds a run, no batch; give another folder by --out")
    if folder.exists() and not (folder / PLAN).exists():
        if others := sorted({path.name for path in folder.iterdir()} - {".lock", PLAN + ".tmp"}):
            raise ValueError(f"{folder} holds no batch, and is not empty (it holds {others[0]}); give a new folder by --out")


def _shares(runs: list[Planned], part: tuple[int, int] | None) -> list[Planned]:
    """What one part plays of each of the *runs*; nothing of some, if there are more parts than chunks."""
    from simcore.results import share

    if part is None:
        return runs
    number, n_parts = part
    shares = []
    for k, planned in enumerate(runs):
        units, chunk = (planned.configuration[key] for key in ("units", "chunk"))
        if planned.configuration["until"] or units is None:
            raise ValueError(f"run {planned.name} ends by its own figures or by the clock and has no parts; leave --part out")
        # Not all short runs to the same part.
        first, units = share(units, chunk, (number - 1 + k) % n_parts + 1, n_parts)
        if units:
            shares.append(replace(planned, configuration=planned.configuration | {"first": first, "units": units}))
    return shares


def _found(planned: Planned, folder: Path) -> Job:
    """The run of the plan as it stands in *folder*. ValueError if other sources have played it."""
    from simcore.results import differences, open_run

    job = Job(planned, folder / planned.name)
    if (job.folder / "run.json").exists():
        try:
            job.run = open_run(job.folder)
        except ValueError as error:
            job.error = str(error)
            return job
        job.run.check_sources()
        job.changes = [f"{name} was {old}, is {new}" for name, old, new in differences(job.run.info, planned.configuration)]
        if not job.changes:
            job.n_done = min(job.run.n_chunk_files, job.n_chunks)
    return job


def _play(jobs: list[Job], workers: "Workers", stop_on_failure: bool, quiet: bool) -> bool:
    """Play what is missing, some runs at once by the same workers; whether somebody has stopped it."""
    failed = threading.Event()
    total = sum(job.n_chunks for job in jobs)
    with (
        stop_on_signal() as stopped,
        progress(f"chunks of {len(jobs)} runs", total, quiet) as on_progress,
        ThreadPoolExecutor(min(workers.n_at_once(), _MAX_AT_ONCE)) as drivers,
    ):

        def is_stopped() -> bool:
            return stopped.is_set() or (stop_on_failure and failed.is_set())

        def drive(job: Job) -> None:
            if not is_stopped() and not job.error:
                _play_one(job, workers, is_stopped, lambda: on_progress(sum(job.n_done for job in jobs)), quiet)
            if job.error:
                failed.set()

        futures = [drivers.submit(drive, job) for job in jobs]
        # A short wait: on Windows a signal is not seen before it ends.
        while wait(futures, 0.1).not_done:
            pass
        for future in futures:
            future.result()
        return stopped.is_set()


def _play_one(job: Job, workers: "Workers", is_stopped: Callable[[], bool], on_progress: Callable[[], None], quiet: bool) -> None:
    from simcore.results import carry_on

    def on_units(units: int) -> None:
        job.n_done = min(-(-units // job.planned.configuration["chunk"]), job.n_chunks)
        on_progress()

    try:
        run = _begun(job, quiet) if job.run is None or job.changes else job.run
        carry_on(run, workers, is_stopped, on_units)
    except OSError as error:
        job.error = f"{error.strerror or error} ({error.filename or job.folder})"
    except ValueError as error:
        job.error = str(error)
    except Exception as error:  # Whatever it is, the other runs go on.
        job.error = f"internal error, {type(error).__name__}: {error}"
    if not sys.stderr.isatty():  # a terminal has the bar
        _say(f"{job.planned.name}: {job.error or job.state}", quiet)


def _begun(job: Job, quiet: bool) -> "Run":
    """The run of the plan, begun; one of another plan is put aside, and what is the same is taken over."""
    from simcore.results import Run, begin, differences, take_over

    configuration, old = job.planned.configuration, None
    if job.run:
        aside = _free(job.folder)
        job.folder.rename(aside)
        old = Run(aside, job.run.info)
    job.run = run = begin(configuration, job.folder, command_line())
    if old:
        is_longer = not differences(old.info, configuration, but=("units",))
        kept = " but for the chunks that are the same" if is_longer else ""
        _say(f"{job.planned.name}: {'; '.join(job.changes)}: played anew{kept}; the old run is in {old.folder}", quiet)
        if is_longer:
            take_over(old, run)
    job.changes = []
    return run


def _free(folder: Path) -> Path:
    """A name beside *folder* that no run of a plan can have."""
    return next(path for k in itertools.count(1) if not (path := folder.with_name(f"{folder.name}.old-{k}")).exists())


def _say(text: str, quiet: bool) -> None:
    if not quiet:
        click.echo(text, err=True)


def write_table(folder: Path, plan: Plan, jobs: list[Job]) -> None:
    """Write the statistics of all runs that are done to one file."""
    from simcore.results import combined_table, write_whole

    runs = [(job.planned.name, job.run) for job in jobs if job.state == "done" and job.run]
    if runs:
        write_whole(folder / TABLE, combined_table(runs, plan.rules).to_parquet())
    else:
        with contextlib.suppress(FileNotFoundError):
            (folder / TABLE).unlink()


def report(folder: Path, jobs: list[Job], as_json: bool, quiet: bool) -> None:
    """Print what has become of every run."""
    states = [job.state for job in jobs]
    counts = {state: states.count(state) for state in ("done", "interrupted", "not begun", "failed") if state in states}
    table = folder / TABLE if "done" in counts else None
    if as_json:
        runs = [{"run": job.planned.name, "folder": str(job.folder), "state": job.state, "error": job.error or None} for job in jobs]
        click.echo(json.dumps({"folder": str(folder), "table": str(table) if table else None, "runs": runs}, indent=2))
    elif quiet:
        click.echo(folder)
    else:
        rows = [["run", "state", *_header(jobs)]] + [[job.planned.name, job.state, *_figures(job)] for job in jobs]
        width = max(map(len, rows))
        click.echo("\n".join(aligned([row + [""] * (width - len(row)) for row in rows])))
        click.echo(f"\n{len(jobs)} runs: {', '.join(f'{n} {state}' for state, n in counts.items())}")
        click.echo(f"table: {table}" if table else "no table: no run is done")
    for job in jobs:
        if job.error:
            click.echo(f"run {job.planned.name} failed: {job.error}", err=True)


def _header(jobs: list[Job]) -> list[str]:
    return ["figure", *(f"seat {seat}" for seat in range(max((job.planned.experiment.n_seats for job in jobs), default=0)))]


def _figures(job: Job) -> list[str]:
    """The headline of a finished run, by seat."""
    import pandas as pd

    from simcore.results import headline

    if job.state != "done" or job.run is None:
        return []
    level, measure = headline(job.planned.experiment)
    table = pd.read_parquet(job.run.statistics_file)
    rows = table.query("level == @level and measure == @measure and kind == 'all' and grouping == 'seat'")
    is_rate = job.planned.experiment.is_match or job.planned.experiment.game.SEAT_MEASURES[0].is_rate
    return [words(measure), *(figure(row, is_rate) for row in rows.itertuples())]


def _estimates(jobs: list[Job], threads: int | None) -> Iterator[float | None]:
    """Seconds that each run still takes, from a short pilot; None where nobody knows."""
    from cli.bench import units_per_second

    pilot = min(_PILOT, _PILOTS / max(len(jobs), 1))
    for job in jobs:
        configuration = job.planned.configuration
        if job.state == "done":
            yield 0.0
        elif configuration["until"] or configuration["units"] is None:
            yield configuration["seconds"]
        else:
            units = configuration["units"] * (1 - job.n_done / job.n_chunks)
            yield units / units_per_second(job.planned.experiment, pilot) / (threads or cores())


def _dry(jobs: list[Job], threads: int | None) -> list[dict[str, Any]]:
    rows = []
    for job, seconds in zip(jobs, _estimates(jobs, threads), strict=True):
        about = {key: job.planned.configuration[key] for key in ("unit", "first", "units", "chunk", "until", "seconds")}
        row = {"run": job.planned.name, "state": "changed" if job.changes else job.state, "chunks_done": job.n_done}
        rows.append(row | {"changes": job.changes, "error": job.error or None, "estimated_seconds": seconds} | about)
    return rows


def _dry_json(folder: Path, jobs: list[Job], threads: int | None) -> str:
    return json.dumps({"folder": str(folder), "runs": _dry(jobs, threads)}, indent=2)


def _dry_lines(folder: Path, jobs: list[Job], threads: int | None) -> list[str]:
    rows, table = _dry(jobs, threads), [["run", "", "units", "state", "chunks", "time left"]]
    for row, job in zip(rows, jobs, strict=True):
        n_chunks = "" if row["units"] is None else f"{row['chunks_done']:,} of {job.n_chunks:,}"
        units = "" if row["units"] is None else f"{row['units']:,}"
        table.append([row["run"], f"{row['unit']}s", units, row["state"], n_chunks, _time(row["estimated_seconds"])])
    known = [row["estimated_seconds"] for row in rows if row["estimated_seconds"] is not None]
    lines = [*aligned(table), "", f"{len(jobs)} runs in {folder}, about {_time(sum(known))} on {threads or cores()} threads"]
    if len(known) < len(rows):
        lines.append(f"and {len(rows) - len(known)} that stop by their own interval, for which nobody knows the time")
    lines += [f"{job.planned.name}: {'; '.join(job.changes)}: will be played anew" for job in jobs if job.changes]
    return lines + [f"{job.planned.name} cannot be played: {job.error}" for job in jobs if job.error]


def _time(seconds: float | None) -> str:
    return "?" if seconds is None else str(timedelta(seconds=round(seconds)))
