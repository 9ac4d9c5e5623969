"""Playing a run: chunks on threads, in order, until it is time to stop."""

import itertools
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, wait
from contextlib import closing, suppress
from typing import TypeVar

from simcore.engine import play_units
from simcore.results.balancing import with_lift
from simcore.results.chunks import Chunks
from simcore.results.folder import Run, locked, write_whole
from simcore.results.table import statistics_table, widest_headline, widest_label
from simcore.results.workers import Workers, on_threads
from simcore.tally import Counts, tally

T = TypeVar("T")


def carry_on(
    run: Run,
    workers: int | Workers,
    is_stopped: Callable[[], bool] = lambda: False,
    on_progress: Callable[[int], None] = lambda units: None,
) -> None:
    """Play what is missing of *run* and write its statistics.

    Chunks that are there and sound are not played again. Afterwards ``run.info["state"]`` is ``done``, or ``interrupted``.

    Parameters
    ----------
    workers : int or Workers
        Who plays the chunks, or a number of threads; they change nothing but the time.
    is_stopped : callable
        Asked often; once it says yes no further chunk is begun, and the statistics are those of the chunks up to then.
    on_progress : callable
        Told the number of units that are done, after each chunk.

    Raises
    ------
    ValueError
        If other sources have begun the run, or another process is playing it.
    OSError
        If something cannot be written, or a cluster has gone. The run may be resumed.
    """
    if isinstance(workers, int):
        with on_threads(workers) as threads:
            return carry_on(run, threads, is_stopped, on_progress)
    run.check_sources()
    with locked(run.folder):
        run.update(state="running")
        try:
            _play(run, workers, is_stopped, on_progress)
        except OSError:
            with suppress(OSError):
                run.update(state="interrupted")
            raise


def _play(run: Run, workers: Workers, is_stopped: Callable[[], bool], on_progress: Callable[[int], None]) -> None:
    info = run.info
    chunks = Chunks(run, workers.player and workers.player(run, is_stopped))
    # How many chunks belong to a run that is done has been decided, and looking again could decide otherwise.
    n_chunks, is_open = run.n_chunks, info["chunks"] is None
    if not workers.player:
        _warm_up(run)
    deadline = time.monotonic() + info["seconds"] if is_open and info["seconds"] else float("inf")
    widest = widest_label if run.keeps_units else widest_headline
    counts, done, units = Counts(chunks.layouts), 0, 0
    numbers = range(n_chunks) if n_chunks is not None else itertools.count()
    was_stopped = False

    def is_over() -> bool:
        nonlocal was_stopped
        was_stopped = was_stopped or is_stopped()
        return was_stopped or (time.monotonic() >= deadline and done > 0)

    with closing(in_order(chunks.counts, numbers, workers, is_over)) as parts:
        for part in parts:
            counts.add(part)
            units += chunks.units(done)
            done += 1
            on_progress(units)
            # In the order of the chunks, so that the run ends at the same one whatever the threads.
            if is_open and info["until"] and widest(run.experiment, counts) <= info["until"]:
                n_chunks = done
                break
    is_done = done == n_chunks or not was_stopped
    if is_done:
        chunks.remove_from(done)
    table = statistics_table(run.experiment, counts, info["until"] is not None)
    write_whole(run.statistics_file, with_lift(run, table).to_parquet())
    run.update(state="done" if is_done else "interrupted", chunks=done if is_done else None)


def _warm_up(run: Run) -> None:
    """Compile, and compute what the game keeps in the cache, before the clock runs and many threads ask for it at once."""
    # A single row counts as contiguous, for which numba would compile the tally once more.
    tally(run.experiment, *play_units(run.experiment, 0, 2 * len(run.experiment.seatings)))


def in_order(
    function: Callable[[int], T], numbers: Iterable[int], workers: Workers, is_over: Callable[[], bool]
) -> Generator[T, None, None]:
    """Yield ``function(number)`` for the numbers in turn, computed by the threads of *workers*.

    Few are in flight, so memory does not grow with the numbers. Once *is_over* says so no further one begins; those that run are
    finished and yielded, which leaves no gap, since they begin in order.
    """
    numbers = iter(numbers)
    pending: deque[Future[T]] = deque()
    try:
        while True:
            while not is_over() and len(pending) < 2 * workers.n_at_once() and (number := next(numbers, None)) is not None:
                pending.append(workers.pool.submit(function, number))
            while is_over() and pending and pending[-1].cancel():
                pending.pop()
            if not pending:
                return
            # A short wait: on Windows a signal is not seen before it ends.
            if wait([pending[0]], 0.1).done:
                yield pending.popleft().result()
    finally:
        # Nothing of the run goes on behind its back.
        wait([future for future in pending if not future.cancel()])
