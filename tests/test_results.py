"""Run folders: nothing but the configuration shows in the statistics."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from simcore.engine import Experiment, play_units
from simcore.games import GAMES
from simcore.protocol import effective_rules
from simcore.results import carry_on, create, default_chunk, headline, new_folder, open_run
from simcore.tally import tally

SEATED = ((0, 1, 2),)
DUPLICATE = ((0, 1, 1), (1, 0, 1), (1, 1, 0))


def experiment(policies=("random", "basic", "random"), seatings=SEATED, is_match=False, seed=7):
    game = GAMES[0]
    return Experiment(game, effective_rules(game.SWITCHES, {}), policies, seatings, seed, is_match)


def played(folder, an_experiment, chunk, units, threads=1, **options):
    run = create(an_experiment, folder, chunk, units, **options)
    carry_on(run, threads)
    assert run.info["state"] == "done"
    return run


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run of three chunks with rows, the last one short, to be copied and damaged."""
    return played(tmp_path_factory.mktemp("runs") / "run", experiment(), 1000, 2500, rows=True)


@pytest.fixture
def copy(finished, tmp_path):
    shutil.copytree(finished.folder, tmp_path / "copy")
    return open_run(tmp_path / "copy")


def test_the_statistics_are_those_of_the_figures_themselves(finished):
    deals, _ = play_units(finished.experiment, 0, 2500)
    names = finished.experiment.deal_columns()
    table = pd.read_parquet(finished.statistics_file)
    for seat in range(3):
        for measure in finished.experiment.game.SEAT_MEASURES:
            values = deals[:, names.index(f"{measure.name}_{seat}")]
            for kind, chosen in [("all", values), ("S", values[deals[:, 2] == 3])]:
                is_row = (
                    (table["grouping"] == "seat")
                    & (table["key"] == str(seat))
                    & (table["measure"] == measure.name)
                    & (table["kind"] == kind)
                )
                (row,) = table[is_row].itertuples()
                assert (row.blocks, row.n) == (2500, len(chosen))
                assert row.mean == pytest.approx(chosen.mean())
                assert row.sd == pytest.approx(chosen.std(ddof=1))
                if kind == "all":
                    assert row.standard_error == pytest.approx(row.sd / np.sqrt(row.n))
                assert measure.low <= row.low <= row.mean <= row.high <= measure.high


@pytest.mark.parametrize(
    ("an_experiment", "units", "chunks"),
    [
        (experiment(), 3000, (700, 3000)),
        (experiment(("search:1", "random"), DUPLICATE), 600, (60, 249)),
        (experiment(is_match=True), 60, (7, 25)),
        (experiment(("basic", "random"), DUPLICATE, is_match=True), 60, (12, 33)),
    ],
    ids=["deals", "duplicate deals", "matches", "duplicate matches"],
)
def test_threads_and_chunk_size_leave_no_trace_in_the_statistics(an_experiment, units, chunks, tmp_path):
    cases = [(threads, chunk) for chunk in chunks for threads in (1, 2, 3)]
    files = {played(tmp_path / f"{t}-{c}", an_experiment, c, units, t).statistics_file.read_bytes() for t, c in cases}
    assert len(files) == 1


def test_rows_hold_every_deal_in_small_integers(finished):
    rows = pd.read_parquet(finished.folder / "deals")
    deals, _ = play_units(finished.experiment, 0, 2500)
    assert rows["unit"].tolist() == list(range(2500))
    assert set(rows["seating"]) == {"random,basic,random"}
    assert rows["kind"].cat.categories.tolist() == list(finished.experiment.game.KINDS)
    assert rows["kind"].cat.codes.tolist() == deals[:, 2].tolist()
    figures = rows.drop(columns=["unit", "seating", "kind"])
    assert (figures.to_numpy() == deals[:, 3:]).all()
    assert {str(dtype) for dtype in figures.dtypes} == {"uint8"}


def test_rows_of_matches_number_the_deals_of_each(tmp_path):
    run = played(tmp_path / "run", experiment(is_match=True), 20, 50, rows=True)
    rows = pd.read_parquet(run.folder / "deals")
    assert rows["unit"].unique().tolist() == list(range(50))
    assert all(part.tolist() == list(range(len(part))) for _, part in rows.groupby("unit")["number"])
    table = pd.read_parquet(run.statistics_file)
    assert len(rows) == table[(table["level"] == "deal") & (table["kind"] == "all")]["n"].iloc[0]


def test_the_chunks_of_a_run_add_up_with_pandas_alone(finished):
    counts = pd.read_parquet(finished.folder / "chunks")
    chosen = counts[(counts["measure"] == "card_points") & (counts["key"] == "1") & (counts["kind"] == "all")]
    histogram = chosen[chosen["statistic"] == "histogram"].groupby("value")["count"].sum()
    total = chosen[chosen["statistic"] == "x"]["count"].sum()
    assert histogram.sum() == 2500
    assert (histogram.index * histogram).sum() == total


def restored(run, before, threads=2):
    carry_on(run, threads)
    assert run.info["state"] == "done"
    assert run.statistics_file.read_bytes() == before.statistics_file.read_bytes()
    for name in ("chunks", "deals"):
        files = sorted((before.folder / name).iterdir())
        assert [file.name for file in sorted((run.folder / name).iterdir())] == [file.name for file in files]
        assert all(file.read_bytes() == (run.folder / name / file.name).read_bytes() for file in files)


@pytest.mark.parametrize("part", ["chunks", "deals"])
def test_a_chunk_that_is_missing_or_cut_short_is_played_again(part, copy, finished):
    (copy.folder / part / "000000.parquet").unlink()
    file = copy.folder / part / "000001.parquet"
    file.write_bytes(file.read_bytes()[:-100])
    (copy.folder / part / "000002.parquet").write_bytes(b"")
    restored(copy, finished)


@pytest.mark.parametrize("part", ["chunks", "deals"])
def test_a_flipped_bit_never_reaches_the_statistics(part, copy, finished):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    file = copy.folder / part / "000001.parquet"
    sound = file.read_bytes()
    for _ in range(8):
        damaged = bytearray(sound)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged)
        carry_on(copy, 1)
        assert copy.statistics_file.read_bytes() == finished.statistics_file.read_bytes()


def test_a_chunk_of_another_run_or_another_place_is_played_again(copy, finished, tmp_path):
    other = played(tmp_path / "other", experiment(seed=8), 1000, 2500, rows=True)
    for part in ("chunks", "deals"):
        shutil.copy(other.folder / part / "000000.parquet", copy.folder / part / "000000.parquet")
        shutil.copy(finished.folder / part / "000000.parquet", copy.folder / part / "000001.parquet")
    restored(copy, finished)


def test_what_a_crash_may_leave_behind_is_cleared_away(copy, finished):
    (copy.folder / "chunks" / "000001.parquet").rename(copy.folder / "chunks" / "000001.parquet.tmp")
    (copy.folder / "run.json.tmp").write_text("{")
    copy.statistics_file.unlink()
    copy.update(state="running", chunks=None)
    restored(copy, finished)


def test_a_stopped_run_has_the_statistics_of_its_chunks_and_goes_on_from_there(copy, finished, tmp_path):
    run, seen = create(experiment(), tmp_path / "stopped", 1000, 2500, rows=True), []
    carry_on(run, 1, is_stopped=lambda: bool(seen), on_progress=seen.append)
    assert run.info["state"] == "interrupted"
    n_blocks = pd.read_parquet(run.statistics_file)["blocks"].iloc[0]
    assert n_blocks == seen[-1] < 2500
    restored(run, finished)


def test_a_run_that_is_stopped_before_its_first_chunk_can_be_read_and_resumed(tmp_path, finished):
    run = create(experiment(), tmp_path / "stopped", 1000, 2500, rows=True)
    carry_on(run, 1, is_stopped=lambda: True)
    assert run.info["state"] == "interrupted"
    assert pd.read_parquet(run.statistics_file)["n"].sum() == 0
    restored(run, finished)


@pytest.mark.parametrize("is_match", [False, True])
def test_until_stops_at_the_same_chunk_whatever_the_threads(is_match, tmp_path):
    runs = [played(tmp_path / str(threads), experiment(is_match=is_match), 100, None, threads, until=0.04) for threads in (1, 2, 3)]
    assert len({run.statistics_file.read_bytes() for run in runs}) == 1
    table = pd.read_parquet(runs[0].statistics_file)
    level, measure = headline(runs[0].experiment)
    rows = table[(table["level"] == level) & (table["measure"] == measure) & (table["kind"] == "all")]
    span = 1 if is_match else 2
    assert len(rows) == 5
    assert ((rows["high"] - rows["low"]) / 2 <= 0.04 * span).all()
    assert set(rows["method"]) == {"beta-binomial confidence sequence"}
    for run in runs:
        assert len(list((run.folder / "chunks").iterdir())) == run.info["chunks"]


def test_a_finished_run_keeps_its_number_of_chunks_when_it_is_resumed(tmp_path):
    run = played(tmp_path / "run", experiment(), 100, None, seconds=0.01)
    before = run.statistics_file.read_bytes()
    run.chunk_file(0).unlink()
    carry_on(open_run(run.folder), 2)
    assert run.statistics_file.read_bytes() == before


def test_a_run_under_other_sources_or_rules_is_refused(copy):
    for change, text in [
        ({"source_hash": "0" * 16}, "sources with the hash 0000000000000000"),
        ({"rules_version": 999}, "rules version 999"),
    ]:
        info = copy.info | change
        with pytest.raises(ValueError, match=text):
            type(copy)(copy.folder, info).check_sources()


def test_a_changed_configuration_is_refused(copy):
    for key, value in [
        ("seed", 8),
        ("game", "jass"),
        ("players", 4),
        ("rules", {}),
        ("policies", ["basic"] * 3),
        ("chunk", 10),
        ("units", 10),
    ]:
        (copy.folder / "run.json").write_text(json.dumps(copy.info | {key: value}))
        with pytest.raises(ValueError, match="was changed after the run began"):
            open_run(copy.folder)


def test_a_second_process_is_kept_out(copy):
    code = f"""
from pathlib import Path
from simcore.results.folder import locked
with locked(Path({str(copy.folder)!r})):
    print("locked", flush=True)
    input()
"""
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(ValueError, match="in use by another process"):
            carry_on(copy, 1)
        other.kill()
    carry_on(copy, 1)


def test_a_full_disk_fails_the_run_and_leaves_nothing_half_written(copy, finished, monkeypatch):
    for file in (copy.folder / "chunks").iterdir():
        file.unlink()
    copy.update(chunks=None)

    def full(handle):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            carry_on(copy, 2)
    assert not list(copy.folder.rglob("*.tmp"))
    restored(open_run(copy.folder), finished)


def test_a_default_folder_is_always_a_new_one(tmp_path):
    assert [new_folder(tmp_path / "eidex-7").name for _ in range(3)] == ["eidex-7", "eidex-7-2", "eidex-7-3"]


def test_the_default_chunk_follows_from_the_policies_and_holds_whole_blocks():
    assert default_chunk(experiment(("random",) * 3), False) == 500_000
    assert default_chunk(experiment(("random",) * 3), True) == 100_000
    assert default_chunk(experiment(("search:8",) * 3), False) == 200
    assert default_chunk(experiment(("search:1000", "random"), DUPLICATE, is_match=True), False) == 3


def test_blocks_of_duplicate_deals_are_counted_by_the_cards(tmp_path):
    an_experiment = experiment(("basic", "random"), DUPLICATE)
    run = played(tmp_path / "run", an_experiment, 30, 300)
    table = pd.read_parquet(run.statistics_file)
    counts = tally(an_experiment, *play_units(an_experiment, 0, 300))
    assert set(table["blocks"]) == {counts.blocks} == {100}
    rows = table[(table["grouping"] == "policy") & (table["measure"] == "victory_points") & (table["kind"] == "all")]
    assert dict(zip(rows["key"], rows["n"], strict=True)) == {"basic": 300, "random": 600}


def killed_and_resumed(folder: Path, rng: random.Random) -> bytes:
    """Statistics of a run whose process is killed twice at random moments."""
    call = [sys.executable, "-m", "cli"]
    begin = [
        "simulate",
        "eidex",
        "--deals",
        "40k",
        "--chunk",
        "500",
        "--seed",
        "7",
        "--policies",
        "random,basic,random",
        "--out",
        str(folder),
    ]
    for arguments in (begin, ["resume", str(folder)]):
        with subprocess.Popen([*call, *arguments, "--threads", "2", "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            before = len(list(folder.glob("chunks/*.parquet")))
            while process.poll() is None and len(list(folder.glob("chunks/*.parquet"))) <= before:
                time.sleep(0.005)
            time.sleep(rng.uniform(0, 0.3))
            process.kill()
    run = open_run(folder)
    carry_on(run, 2)
    return run.statistics_file.read_bytes()


@pytest.mark.parametrize("n_runs", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_a_killed_run_ends_with_the_same_bytes(n_runs, tmp_path):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    expected = played(tmp_path / "whole", experiment(), 40_000, 40_000).statistics_file.read_bytes()
    for number in range(n_runs):
        assert killed_and_resumed(tmp_path / str(number), rng) == expected


@pytest.mark.skipif(os.name != "posix", reason="a signal to another process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_with_a_summary_and_how_to_go_on(number, tmp_path):
    folder = tmp_path / "run"
    arguments = ["simulate", "eidex", "--deals", "200k", "--chunk", "500", "--seed", "7", "--out", str(folder)]
    process = subprocess.Popen([sys.executable, "-m", "cli", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not list(folder.glob("chunks/*.parquet")):
        time.sleep(0.01)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert out.startswith("Cosmic Eidex:")
    assert out.endswith(f"go on with: cosmic resume {folder}\n")
    run = open_run(folder)
    assert run.info["state"] == "interrupted"
    assert 0 < pd.read_parquet(run.statistics_file)["blocks"].iloc[0] < 200_000


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts resident memory")
def test_memory_does_not_grow_with_the_deals(tmp_path):
    code = """
import sys
from cli.__main__ import main
try:
    main(sys.argv[1:])
finally:  # not ru_maxrss, which begins at the size of the process that starts this one
    print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
    peaks = []
    for deals in ("100k", "10M"):
        arguments = ["simulate", "eidex", "--deals", deals, "--policy", "random", "-q", "--out", str(tmp_path / deals)]
        done = subprocess.run([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True, check=True)
        peaks.append(int(done.stdout.split()[-1]) / 1024)
    print(peaks)
    assert max(peaks) < 400
    assert peaks[1] < 1.2 * peaks[0]
