"""Chunks on a Dask cluster: separate processes over TCP, which may die, lag, or be others than they should."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli import __main__ as cli
from simcore.engine import Experiment
from simcore.games import GAMES
from simcore.protocol import effective_rules
from simcore.results import carry_on, configure, create, on_cluster, open_run
from simcore.results.folder import _fingerprint
from simcore.results.workers import play_chunk

pytest.importorskip("distributed")

EXPERIMENT = Experiment(GAMES[0], effective_rules(GAMES[0].SWITCHES, {}), ("random", "basic", "random"), ((0, 1, 2),), 7, False)
RUN = ["simulate", "eidex", "--deals", "30k", "--chunk", "500", "--policies", "random,basic,random", "--seed", "7", "-q"]
SLOW = """
import time
from simcore.results.chunks import Chunks
def slowly(self, number):
    start = time.perf_counter()
    played = self.quickly(number)
    time.sleep(min({factor} * (time.perf_counter() - start), 0.5))  # the first chunk loads the kernels
    return played
if not hasattr(Chunks, "quickly"):  # Dask loads this twice
    Chunks.quickly, Chunks.play = Chunks.play, slowly
"""


class Cluster:
    """A scheduler and workers, each a process of its own on 127.0.0.1."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", file)
        wait_for(lambda: file.exists() and file.read_text().endswith("}"))
        self.address = json.loads(file.read_text())["address"]

    def _start(self, name, *arguments, **environment):
        call = [sys.executable, "-m", f"distributed.cli.dask_{name}", "--host", "127.0.0.1", "--no-dashboard", *map(str, arguments)]
        with (self.folder / f"{name}-{len(self.processes)}.log").open("w") as log:
            process = subprocess.Popen(call, stdout=log, stderr=log, env=os.environ | environment, cwd=self.folder)
        self.processes.append(process)
        return process

    def worker(self, *arguments, **environment):
        return self._start("worker", self.address, "--no-nanny", "--nthreads", 1, *arguments, **environment)

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("cluster")


@contextlib.contextmanager
def new_cluster(folder):
    folder.mkdir()
    cluster = Cluster(folder)
    try:
        yield cluster
    finally:
        cluster.close()


@pytest.fixture(scope="module")
def cluster(place):
    """A cluster of two workers for the tests that leave it whole."""
    with new_cluster(place / "two") as cluster:
        cluster.worker()
        cluster.worker()
        yield cluster


@pytest.fixture(scope="module")
def expected(place):
    """Statistics of the run on threads."""
    return played(place / "threads", 2)


def played(folder, workers):
    run = create(EXPERIMENT, folder, 500, 30_000)
    carry_on(run, workers)
    assert run.info["state"] == "done"
    return run.statistics_file.read_bytes()


def begun(folder, cluster):
    """The same run in a process of its own, some chunks after its beginning."""
    call = [sys.executable, "-m", "cli", *RUN, "--out", str(folder), "--scheduler", cluster.address]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: process.poll() is not None or len(list(folder.glob("chunks/*.parquet"))) > 5)
    return process


def test_threads_and_a_cluster_give_the_same_bytes(cluster, expected, place):
    assert played(place / "one", 1) == expected
    with on_cluster(cluster.address) as workers:
        assert played(place / "cluster", workers) == expected
    for file in (place / "threads" / "chunks").iterdir():
        assert file.read_bytes() == (place / "cluster" / "chunks" / file.name).read_bytes()


def test_a_batch_on_a_cluster_gives_the_same_bytes(cluster, place):
    plan = place / "plan.toml"
    plan.write_text('[run.a]\ngame = "eidex"\nseed = 7\ndeals = 500\nchunk = 100\nrows = true\npolicy = ["random", "basic"]\n')
    for name, options in [("by-threads", []), ("by-cluster", ["--scheduler", cluster.address])]:
        assert cli._run(["batch", str(plan), "--out", str(place / name), "-q", *options]) == 0
    files = list((place / "by-threads").rglob("*.parquet"))
    assert len(files) == 2 * (5 + 5 + 1) + 1
    for file in files:
        assert file.read_bytes() == (place / "by-cluster" / file.relative_to(place / "by-threads")).read_bytes()


def test_a_worker_killed_in_mid_run_costs_nothing_but_time(expected, tmp_path):
    with new_cluster(tmp_path / "cluster") as cluster:
        victim, _ = cluster.worker(), cluster.worker(preload(tmp_path, 3))
        process = begun(tmp_path / "run", cluster)
        victim.kill()
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (0, f"{tmp_path / 'run'}\n", "")
    assert open_run(tmp_path / "run").statistics_file.read_bytes() == expected


@pytest.mark.slow
def test_a_scheduler_killed_in_mid_run_leaves_a_run_that_goes_on_elsewhere(expected, tmp_path):
    with new_cluster(tmp_path / "cluster") as cluster:
        cluster.worker(preload(tmp_path, 3))
        process = begun(tmp_path / "run", cluster)
        cluster.scheduler.kill()
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (1, "")
    assert err.startswith(f"cosmic: the cluster at {cluster.address} has gone")
    assert err.endswith(f"go on with: cosmic resume {tmp_path / 'run'}\n") and err.count("\n") == 1
    run = open_run(tmp_path / "run")
    assert run.info["state"] == "interrupted"
    carry_on(run, 2)
    assert run.statistics_file.read_bytes() == expected


def preload(folder, factor):
    """Option of a worker that takes so many times longer for each chunk."""
    (folder / "slow.py").write_text(SLOW.format(factor=factor))
    return f"--preload={folder / 'slow.py'}"


@pytest.mark.slow
def test_a_worker_ten_times_slower_changes_no_byte(expected, tmp_path):
    with new_cluster(tmp_path / "cluster") as cluster:
        cluster.worker()
        cluster.worker(preload(tmp_path, 9))
        with on_cluster(cluster.address) as workers:
            assert played(tmp_path / "run", workers) == expected


def test_a_worker_of_other_sources_is_named_before_the_first_chunk(tmp_path, capsys):
    sources = Path(cli.__file__).parents[1]
    for package in ("simcore", "cli"):
        shutil.copytree(sources / package, tmp_path / "other" / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "other" / "simcore" / "rng.py").open("a") as file:
        file.write("# edited\n")
    with new_cluster(tmp_path / "cluster") as cluster:
        cluster.worker("--name", "right")
        cluster.worker("--name", "wrong", PYTHONPATH=str(tmp_path / "other"))
        log = cluster.folder / "scheduler-0.log"
        wait_for(lambda: log.read_text().count("Starting worker compute stream") == 2)
        assert cli._run([*RUN, "--scheduler", cluster.address, "--out", str(tmp_path / "run")]) == 2
    err = capsys.readouterr().err
    assert err.startswith("cosmic: the workers must have cosmic 0.1.0 with sources ") and err.count("\n") == 1
    assert err.count("tcp://127.0.0.1:") == 1
    assert not (tmp_path / "run").exists()


def test_a_worker_of_other_sources_that_joins_later_plays_nothing():
    info = configure(EXPERIMENT, 100, 1000) | {"source_hash": "0" * 16}
    with pytest.raises(ValueError, match="a worker on .* has cosmic .* not 0000000000000000, which began the run"):
        play_chunk(json.dumps(info | {"fingerprint": _fingerprint(info)}), 0)


def test_a_chunk_is_a_pure_function_of_the_configuration_and_its_number():
    info = configure(EXPERIMENT, 100, 1000, rows=True)
    texts = [json.dumps(info | {"fingerprint": _fingerprint(info)}, sort_keys=order) for order in (False, True)]
    one, other = (play_chunk(text, 3) for text in texts)
    assert (one.file, one.deals) == (other.file, other.deals)
    assert play_chunk(texts[0], 4).file != one.file


BAD_ADDRESSES = {
    "no address": ("nowhere", "tcp://host:8786"),
    "no port": ("tcp://127.0.0.1", "tcp://host:8786"),
    "nobody there": ("tcp://127.0.0.1:9", "no Dask scheduler answers"),
    "threads as well": ("tcp://127.0.0.1:9 --threads 2", "not both"),
}


@pytest.mark.parametrize("name", BAD_ADDRESSES)
def test_a_scheduler_that_is_none_is_told_in_one_line_and_nothing_written(name, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("simcore.results.workers._SECONDS_TO_CONNECT", 1)
    text, expected = BAD_ADDRESSES[name]
    assert cli._run([*RUN, "--out", str(tmp_path / "run"), "--scheduler", *text.split()]) == 2
    err = capsys.readouterr().err
    assert expected in err and err.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_cluster_without_workers_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("simcore.results.workers._SECONDS_FOR_WORKERS", 0.5)
    with (
        new_cluster(tmp_path / "cluster") as cluster,
        pytest.raises(ValueError, match="has no workers; start some by: dask worker tcp://"),
        on_cluster(cluster.address),
    ):
        pass


def test_without_dask_the_option_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match="pip install 'cosmic-sim\\[dask\\]'"), on_cluster("tcp://127.0.0.1:8786"):
        pass
