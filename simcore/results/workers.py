"""Who plays the chunks: threads of this process, or the workers of a Dask cluster.

A chunk is a pure function of the run's configuration and its number, so it may be played anywhere, and again if a worker dies. What comes
back is written here, as the same files.
"""

import json
import logging
import platform
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from simcore.jit import package_hash
from simcore.results.chunks import Chunks, Played
from simcore.results.folder import Run

Player = Callable[[int], Played]

# Threads of this process that each wait for a chunk of the cluster.
_MAX_WAITING = 4096
_SECONDS_TO_CONNECT, _SECONDS_FOR_WORKERS, _SECONDS_BETWEEN_COUNTS = 10, 30, 5.0


@dataclass(frozen=True)
class Workers:
    """Whoever plays the chunks of one run or of several at once."""

    pool: Executor  # its threads play the chunks, or wait for them
    n_at_once: Callable[[], int]  # chunks that can be played at once
    # For a run, and whether it is to stop: what plays its chunks elsewhere.
    player: Callable[[Run, Callable[[], bool]], Player] | None = None


@contextmanager
def on_threads(n_threads: int) -> Iterator[Workers]:
    """Threads of this process."""
    with ThreadPoolExecutor(n_threads) as pool:
        yield Workers(pool, lambda: n_threads)


@contextmanager
def on_cluster(address: str) -> Iterator[Workers]:
    """The workers of the Dask scheduler at *address*, like ``tcp://host:8786``.

    Raises
    ------
    ValueError
        If Dask is not installed, nobody answers, or a worker has another version or other sources of this package.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("--scheduler needs Dask; install it by: pip install 'cosmic-sim[dask]'") from None
    if not re.fullmatch(r"[a-z]+://.+:[0-9]+", address):
        raise ValueError(f"{address!r} is no address of a Dask scheduler; write it like tcp://host:8786")
    # What its loggers would tell comes as an exception, too.
    for handler in logging.getLogger("distributed").handlers:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        client = Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ValueError(f"no Dask scheduler answers at {address} ({type(error).__name__}); start one by: dask scheduler") from None
    with client, ThreadPoolExecutor(_MAX_WAITING) as pool:
        _check_workers(client, address)
        yield Workers(pool, _counter(client), lambda run, is_stopped: _player(client, address, run, is_stopped))


def _identity() -> tuple[str, str, str]:
    """Host, version and sources of whoever calls it."""
    return platform.node(), metadata.version("cosmic-sim"), package_hash()


def _check_workers(client: Any, address: str) -> None:
    """ValueError naming each worker that would not play as this process does."""
    try:
        client.wait_for_workers(1, _SECONDS_FOR_WORKERS)
    except TimeoutError:
        raise ValueError(f"the scheduler at {address} has no workers; start some by: dask worker {address}") from None
    _, version, sources = _identity()
    wrong = []
    for worker, answer in client.run(_identity, on_error="return").items():
        if isinstance(answer, BaseException):
            wrong.append(f"{worker} cannot import cosmic ({answer})")
        elif answer[1:] != (version, sources):
            wrong.append(f"{worker} on {answer[0]} has {answer[1]} with sources {answer[2]}")
    if wrong:
        raise ValueError(f"the workers must have cosmic {version} with sources {sources}, as here; {'; '.join(wrong)}")


def _counter(client: Any) -> Callable[[], int]:
    """Threads of all workers, asked for now and then: workers come and go."""
    counted, count = float("-inf"), 1

    def n_threads() -> int:
        nonlocal counted, count
        if time.monotonic() - counted > _SECONDS_BETWEEN_COUNTS:
            # Whoever waits for a chunk will tell when the cluster has gone.
            with suppress(OSError, CancelledError, RuntimeError):
                count = max(sum(client.nthreads().values()), 1)
            counted = time.monotonic()
        return count

    return n_threads


def _player(client: Any, address: str, run: Run, is_stopped: Callable[[], bool]) -> Player:
    from distributed import KilledWorker

    configuration = json.dumps(run.configuration | {"fingerprint": run.info["fingerprint"]}, sort_keys=True)

    def play(number: int) -> Played:
        try:
            future, done = client.submit(play_chunk, configuration, number), threading.Event()
            future.add_done_callback(lambda _: done.set())
            while not done.wait(1):
                # Workers may come back, but nobody who wants to stop waits for that.
                if client.status != "running" or (is_stopped() and not client.nthreads()):
                    raise ConnectionError(f"the cluster at {address} has gone")
            return future.result()
        except KilledWorker:
            raise ConnectionError(f"chunk {number} was lost with every worker that played it") from None
        except (CancelledError, RuntimeError) as error:
            raise ConnectionError(f"the cluster at {address} has gone ({type(error).__name__})") from None

    return play


def play_chunk(configuration: str, number: int) -> Played:
    """Chunk *number* of the run with this configuration (JSON), played by a worker.

    Raises ValueError when the worker has other sources than the process that sent it: it may have joined after that asked.
    """
    return _chunks(configuration).play(number)


@lru_cache(maxsize=16)
def _chunks(configuration: str) -> Chunks:
    info = json.loads(configuration)
    if info["source_hash"] != package_hash():
        host, version, sources = _identity()
        raise ValueError(f"a worker on {host} has cosmic {version} with sources {sources}, not {info['source_hash']}, which began the run")
    return Chunks(Run(Path(), info))
