"""Faults injected into runs and batches: no deal is counted twice or lost, or the refusal is clear.

What is damaged on disk or of another configuration is in ``test_results.py``, what may go wrong on a cluster in ``test_cluster.py``.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from cli import __main__ as cli
from simcore.results import carry_on, open_run

RUN = ["simulate", "eidex", "--deals", "20k", "--chunk", "500", "--policies", "random,basic,random", "--seed", "7", "-q"]
# Two games, three policies, four settings.
PLAN = """
[defaults]
deals = {deals}
seed = 7
chunk = {chunk}
policy = ["random", "basic", "search:1"]

[run.limits]
game = "eidex"
points_limit = [85, 90, 100, 110]

[run.space]
game = "cosmos"
end_tricks = [0, 10, 20, 30]
"""
posix = pytest.mark.skipif(os.name != "posix", reason="needs signals and files of POSIX")


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Statistics of the undisturbed run."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    assert cli._run([*RUN, "--out", str(folder)]) == 0
    return (folder / "statistics.parquet").read_bytes()


def process(*arguments, **environment):
    call = [sys.executable, "-m", "cli", *map(str, arguments)]
    return subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | environment)


def wait_for_chunks(running, folder, n):
    """Wait until *n* chunks are there, or the process has ended."""
    end = time.monotonic() + 120
    while running.poll() is None and len(list(folder.rglob("chunks/*.parquet"))) < n:
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.005)


def finished(folder):
    """Statistics of a run after it was resumed."""
    run = open_run(folder)
    carry_on(run, 2)
    return run.statistics_file.read_bytes()


def tables(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.parquet")}


@pytest.mark.parametrize(
    ("deals", "chunk", "n_kills"),
    [(60, 20, 1), pytest.param(400, 50, 5, marks=pytest.mark.slow)],
    ids=["killed once", "killed five times"],
)
def test_a_batch_killed_at_random_and_started_again_ends_with_the_same_bytes(deals, chunk, n_kills, seed, tmp_path):
    rng = random.Random(seed)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format(deals=deals, chunk=chunk))
    call = ["batch", str(plan), "--threads", "2", "-q"]
    assert cli._run([*call, "--out", str(tmp_path / "whole")]) == 0
    expected = tables(tmp_path / "whole")
    n_chunks = 24 * deals // chunk
    assert len(expected) == n_chunks + 24 + 1
    n_killed = 0
    for at in sorted(rng.sample(range(n_chunks), n_kills)):
        running = process(*call, "--out", tmp_path / "batch")
        wait_for_chunks(running, tmp_path / "batch", at)
        time.sleep(rng.uniform(0, 0.1))
        running.kill()
        running.communicate()
        n_killed += running.returncode == -signal.SIGKILL
    assert n_killed
    assert cli._run([*call, "--out", str(tmp_path / "batch")]) == 0
    assert tables(tmp_path / "batch") == expected


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_batch_that_is_stopped_by_a_signal_says_how_to_go_on(number, tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format(deals=20_000, chunk=200))
    running = process("batch", plan, "--out", tmp_path / "batch", "--json")
    wait_for_chunks(running, tmp_path / "batch", 3)
    running.send_signal(number)
    out, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert err.endswith(f"interrupted; go on with: cosmic batch {plan} --out {tmp_path / 'batch'} --json\n")
    states = [row["state"] for row in json.loads(out)["runs"]]
    assert set(states) <= {"done", "interrupted", "not begun"} and "interrupted" in states


@pytest.mark.parametrize("command", ["run", "batch"])
def test_a_second_process_is_refused_and_disturbs_nothing(command, expected, tmp_path):
    if command == "run":
        first, second = [*RUN, "--out", tmp_path / "run"], ["resume", tmp_path / "run"]
    else:
        (tmp_path / "plan.toml").write_text(PLAN.format(deals=2000, chunk=100))
        first = second = ["batch", tmp_path / "plan.toml", "--out", tmp_path / "run"]
    running = process(*first)
    wait_for_chunks(running, tmp_path, 1)
    if command == "run":
        running.send_signal(getattr(signal, "SIGSTOP", signal.SIGTERM))  # else it might be done too soon
    refused = process(*second)
    out, err = refused.communicate(timeout=120)
    assert (refused.returncode, out, err) == (2, "", f"cosmic: {tmp_path / 'run'} is in use by another process\n")
    running.kill()
    running.communicate()
    if command == "run":
        assert finished(tmp_path / "run") == expected


@posix
def test_a_disk_that_is_full_fails_the_run_which_goes_on_when_there_is_room(expected, tmp_path, capsys):
    folder = tmp_path / "run"
    (folder / "chunks").mkdir(parents=True)
    # The real error of the system, at the file that a chunk is written to first.
    (folder / "chunks" / "000007.parquet.tmp").symlink_to("/dev/full")
    assert cli._run([*RUN, "--out", str(folder)]) == 1
    assert capsys.readouterr() == ("", f"cosmic: No space left on device ({folder}); go on with: cosmic resume {folder}\n")
    assert open_run(folder).info["state"] == "interrupted"
    assert not list(folder.rglob("*.tmp")) and not (folder / "chunks" / "000007.parquet").exists()
    assert finished(folder) == expected


@posix
def test_a_file_system_that_is_full_fails_a_batch_which_goes_on_when_there_is_room(tmp_path, capsys):
    """A tmpfs of 400 KiB; only who may mount one can try."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)], capture_output=True).returncode:
        pytest.skip("may not mount a file system")
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format(deals=100, chunk=50))
    try:
        assert cli._run(["batch", str(plan), "--out", str(disk / "batch")]) == 1
        out, err = capsys.readouterr()
        assert "No space left on device" in err and "Traceback" not in err
        assert not list(disk.rglob("*.tmp"))
        shutil.copytree(disk / "batch", tmp_path / "batch")
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    for name in ("batch", "whole"):
        assert cli._run(["batch", str(plan), "--out", str(tmp_path / name), "-q"]) == 0
    assert tables(tmp_path / "batch") == tables(tmp_path / "whole")


@posix
def test_a_folder_that_may_not_be_written_is_refused_and_kept(expected, tmp_path, capsys):
    # Nobody may write there; root, who may everywhere, becomes nobody for a moment.
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    is_root = os.geteuid() == 0
    folder = place / "run"
    assert cli._run([*RUN, "--out", str(folder)]) == 0
    (folder / "chunks" / "000003.parquet").unlink()
    before = {file: file.read_bytes() for file in folder.rglob("*.*") if file.is_file()}
    for path in (folder / "chunks", folder):
        path.chmod(0o555)
    capsys.readouterr()
    try:
        if is_root:
            os.seteuid(65534)
        codes = [cli._run(["resume", str(folder)]), cli._run([*RUN, "--out", str(folder / "new")])]
    finally:
        if is_root:
            os.seteuid(0)
        for path in (folder, folder / "chunks"):
            path.chmod(0o755)
    out, err = capsys.readouterr()
    assert (codes, out) == ([1, 2], "")  # a run that fails, and a call that is wrong
    assert err.count("Permission denied") == err.count("\n") == 2
    assert {file: file.read_bytes() for file in folder.rglob("*.*") if file.is_file()} == before
    assert finished(folder) == expected
    shutil.rmtree(place)


CLOCK = """
#include <sys/time.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static long back(long seconds) { return seconds - 100000000; }
int clock_gettime(clockid_t id, struct timespec *t) {
    int code = syscall(SYS_clock_gettime, id, t);
    if (id == CLOCK_REALTIME) t->tv_sec = back(t->tv_sec);
    return code;
}
int gettimeofday(struct timeval *t, void *zone) {
    struct timespec now; clock_gettime(CLOCK_REALTIME, &now);
    t->tv_sec = now.tv_sec; t->tv_usec = now.tv_nsec / 1000; return 0;
}
time_t time(time_t *t) {
    struct timespec now; clock_gettime(CLOCK_REALTIME, &now);
    if (t) *t = now.tv_sec;
    return now.tv_sec;
}
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="preloads a C library")
def test_a_clock_set_back_by_three_years_changes_nothing(expected, tmp_path):
    (tmp_path / "clock.c").write_text(CLOCK)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "clock.so", tmp_path / "clock.c"], check=True)
    preload = {"LD_PRELOAD": str(tmp_path / "clock.so")}
    seen = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time())"], env=os.environ | preload, capture_output=True, text=True, check=True
    )
    assert float(seen.stdout) < time.time() - 9e7
    folder = tmp_path / "run"
    running = process(*RUN, "--out", folder)
    wait_for_chunks(running, folder, 5)
    running.kill()
    running.communicate()
    resumed = process("resume", folder, "-q", **preload)
    assert resumed.communicate(timeout=120) == (f"{folder}\n", "")
    assert (folder / "statistics.parquet").read_bytes() == expected
    # A time limit counts the time that passes, not what the clock says.
    other = tmp_path / "timed"
    timed = process("simulate", "eidex", "--seconds", "0.3", "--policies", "random,basic,random", "-q", "--out", other, **preload)
    assert timed.communicate(timeout=120) == (f"{other}\n", "")


def test_a_run_of_an_older_version_is_refused_and_kept(tmp_path, capsys):
    folder = tmp_path / "run"
    assert cli._run([*RUN[:2], "--deals", "100", "--policy", "random", "--seed", "7", "-q", "--out", str(folder)]) == 0
    info = json.loads((folder / "run.json").read_text())
    del info["first"]
    (folder / "run.json").write_text(json.dumps(info | {"format": 1}))
    capsys.readouterr()
    before = tables(folder)
    for arguments in (["resume", folder], ["merge", folder, "--out", tmp_path / "merged"], ["show", folder, "--deal", 1]):
        assert cli._run([str(argument) for argument in arguments]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.count("\n") == 1
        assert "has format 1, of another version of cosmic; this one reads format 2" in err
    assert tables(folder) == before
