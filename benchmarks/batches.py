"""What chunks cost: throughput by their size, the memory of the process that collects them, and a Dask cluster against threads.

    python benchmarks/batches.py [--quick] [--plot batches.svg]

1. Throughput: the same deals as one run in chunks of different sizes, on one thread, against playing and counting alone (no files); timed
   by processor time in turns, median of the ratios. What is lost is the price of writing a chunk.
2. Memory: the largest resident size of ``cosmic simulate`` in a process of its own, by the number of chunks of one size (Linux only).
3. Cluster: the same run on two threads, and on two worker processes of a local Dask scheduler over TCP, in turns: by the clock, for which
   both cores should be idle, and by the processor time of all processes together, which others at work hardly change.
"""

import argparse
import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from simcore.engine import Experiment, play_units
from simcore.protocol import effective_rules
from simcore.results import Workers, carry_on, cpu, create, on_cluster, on_threads, versions
from simcore.scenario import find_game
from simcore.tally import tally

SEED = 1
SIZES = (200, 1_000, 5_000, 20_000, 100_000, 500_000)
N_CHUNKS = (10, 100, 1_000, 4_000)
SECONDS_OF_CHUNK = 1.0
# Not ru_maxrss, which begins at the size of the process that starts this one.
MEASURE = """
import sys
from cli.__main__ import main
try:
    main(sys.argv[1:])
finally:
    print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def experiment_of(policy: str) -> Experiment:
    game = find_game("eidex")
    return Experiment(game, effective_rules(game.SWITCHES, {}), (policy,) * 3, ((0, 1, 2),), SEED, False)


def throughput(policy: str, deals: int, repetitions: int) -> pd.DataFrame:
    """Speed of a run by the size of its chunks, as a share of playing and counting alone."""
    experiment, ratios = experiment_of(policy), {size: [] for size in SIZES if size <= deals}
    tally(experiment, *play_units(experiment, 0, 1000))
    for _ in range(repetitions):
        for size in ratios:
            # Few chunks tell as much as many: the small ones need not add up to all the deals.
            n = min(deals, 200 * size)
            bare = _processor_time(lambda n=n: _bare(experiment, n))
            with tempfile.TemporaryDirectory() as folder:
                run = create(experiment, Path(folder) / "run", size, n)
                ratios[size].append(bare / _processor_time(lambda run=run: carry_on(run, 1)))
    rows = [(policy, size, statistics.median(values)) for size, values in ratios.items()]
    return pd.DataFrame(rows, columns=["policy", "chunk", "share_of_bare_speed"])


def _bare(experiment: Experiment, n: int) -> None:
    for first in range(0, n, 1 << 16):
        tally(experiment, *play_units(experiment, first, min(1 << 16, n - first)))


def _processor_time(work) -> float:
    before = resource.getrusage(resource.RUSAGE_SELF)
    work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def memory(numbers: tuple[int, ...]) -> pd.DataFrame:
    """Largest resident size of a run, in MiB, and its size on disk by the number of its chunks, of 200 random deals each."""
    rows = []
    for number in numbers:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "run"
            call = ["simulate", "eidex", "--deals", str(200 * number), "--chunk", "200", "--policy", "random", "--seed", str(SEED)]
            done = subprocess.run([sys.executable, "-c", MEASURE, *call, "-q", "--out", out], stdout=subprocess.PIPE, text=True, check=True)
            on_disk = sum(file.stat().st_size for file in (out / "chunks").iterdir())
        rows.append((number, int(done.stdout.split()[-1]) / 1024, on_disk / number / 1024))
    return pd.DataFrame(rows, columns=["chunks", "resident_mib", "kib_on_disk_per_chunk"])


@contextlib.contextmanager
def local_cluster() -> Iterator[tuple[Workers, list[int]]]:
    """Two worker processes with one thread each, and the numbers of all processes."""
    processes = []
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        file = Path(folder) / "scheduler.json"

        def start(name: str, *arguments: object) -> None:
            call = [sys.executable, "-m", f"distributed.cli.dask_{name}", "--host", "127.0.0.1", "--no-dashboard", *map(str, arguments)]
            process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
            processes.append(process.pid)
            stack.callback(process.wait)
            stack.callback(process.kill)

        start("scheduler", "--port", 0, "--scheduler-file", file)
        while not file.exists() or not file.read_text().endswith("}"):
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        for _ in range(2):
            start("worker", address, "--no-nanny", "--nthreads", 1)
        with on_cluster(address) as workers:
            deadline = time.monotonic() + 60
            while workers.n_at_once() < 2 and time.monotonic() < deadline:
                time.sleep(1)
            yield workers, processes


def cluster(repetitions: int, n_chunks: int) -> pd.DataFrame:
    """Time of the same run on a cluster against threads, in chunks of about a second and of a tenth of it."""
    import psutil

    experiment, rows = experiment_of("basic"), []
    _bare(experiment, 1000)
    rate = 20_000 / _processor_time(lambda: _bare(experiment, 20_000))
    with on_threads(2) as threads, local_cluster() as (dask, others):

        def processor_time() -> float:
            times = [psutil.Process(process).cpu_times() for process in (os.getpid(), *others)]
            return sum(time.user + time.system for time in times)

        for seconds in (SECONDS_OF_CHUNK, SECONDS_OF_CHUNK / 10):
            size = round(rate * seconds)

            def timed(workers: Workers, size: int = size) -> tuple[float, float]:
                with tempfile.TemporaryDirectory() as folder:
                    run = create(experiment, Path(folder) / "run", size, size * n_chunks)
                    start, worked = time.perf_counter(), processor_time()
                    carry_on(run, workers)
                    return time.perf_counter() - start, processor_time() - worked

            timed(dask)  # the workers load their kernels
            pairs = [(timed(threads), timed(dask)) for _ in range(repetitions)]
            by_clock, by_processor = ([theirs[k] / ours[k] for ours, theirs in pairs] for k in range(2))
            extremes = (min(by_processor), max(by_processor))
            rows.append((seconds, size, n_chunks, statistics.median(by_clock), statistics.median(by_processor), *extremes))
    return pd.DataFrame(rows, columns="seconds_of_chunk chunk chunks by_clock by_processor_time lowest highest".split())


def plot(speeds: pd.DataFrame, memories: pd.DataFrame, file: Path) -> None:
    """Both curves beside each other (needs the extra ``notebooks``)."""
    import altair as alt

    x = alt.X("chunk", scale=alt.Scale(type="log"), title="deals in a chunk")
    y = alt.Y("share_of_bare_speed", title="speed, against playing alone", scale=alt.Scale(domain=[0, 1.05]))
    left = alt.Chart(speeds).mark_line(point=True).encode(x, y, alt.Color("policy"))
    x = alt.X("chunks", scale=alt.Scale(type="log"), title="chunks of the run")
    y = alt.Y("resident_mib", title="largest resident size, MiB", scale=alt.Scale(zero=True))
    right = alt.Chart(memories).mark_line(point=True).encode(x, y)
    (left.properties(width=320) | right.properties(width=320)).save(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=["throughput", "memory", "cluster"])
    parser.add_argument("--plot", type=Path, help="write the curves to this file (.svg, .png, .html)")
    arguments = parser.parse_args()
    quick = arguments.quick
    print(cpu(), f"load {os.getloadavg()[0]:.1f}", *(" ".join(pair) for pair in versions().items()), sep=", ")
    speeds = memories = None
    if arguments.only in (None, "throughput"):
        speeds = pd.concat([throughput(policy, 500_000, 1 if quick else 3) for policy in ("random", "basic")], ignore_index=True)
        print("\n", speeds.to_string(index=False, float_format="{:.3f}".format), sep="")
    if arguments.only in (None, "memory"):
        memories = memory(N_CHUNKS[: 3 if quick else None])
        print("\n", memories.to_string(index=False, float_format="{:.1f}".format), sep="")
    if arguments.only in (None, "cluster"):
        print("\n", cluster(2 if quick else 5, 10 if quick else 20).to_string(index=False, float_format="{:.3f}".format), sep="")
    if arguments.plot and speeds is not None and memories is not None:
        plot(speeds, memories, arguments.plot)


if __name__ == "__main__":
    main()
