"""Batches: many runs from one plan, which leave the same bytes however they were played."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from cli import __main__ as cli
from cli.plan import OPTIONS, read_plan
from simcore.games import GAMES
from simcore.results import open_run
from simcore.results.chunks import Chunks
from simcore.results.folder import _fingerprint

PLAN = """
[defaults]
deals = 300
seed = 7
chunk = 100
policy = ["random", "basic"]

[run.limits]
game = "eidex"
points_limit = [90, 110]

[run.space]
game = "cosmos"
players = 3
void = "off"
policy = "random"
"""
NAMES = [f"limits,policy={policy},points_limit={limit}" for policy in ("random", "basic") for limit in (90, 110)] + ["space"]


@pytest.fixture
def cosmic(capsys, tmp_path, monkeypatch):
    """Call a command in a folder with the plan: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN)

    def call(*arguments):
        capsys.readouterr()
        return cli._run([str(argument) for argument in arguments]), *capsys.readouterr()

    return call


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The batch of the plan, played undisturbed; to be copied."""
    place = tmp_path_factory.mktemp("whole")
    (place / "plan.toml").write_text(PLAN)
    assert cli._run(["batch", str(place / "plan.toml"), "--out", str(place / "batch"), "-q"]) == 0
    return place / "batch"


@pytest.fixture
def copy(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "batch")
    return tmp_path / "batch"


def statistics(folder):
    """Bytes of every table in a batch, by its path."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in [folder / "batch.parquet", *folder.glob("*/statistics.parquet")]}


def refingerprinted(info):
    """run.json of a run that was begun with these entries."""
    return info | {"fingerprint": _fingerprint(info)}


def test_a_grid_becomes_the_cross_product_in_the_order_of_the_file(cosmic):
    plan = read_plan(Path("plan.toml"))
    assert [run.name for run in plan.runs] == NAMES
    assert plan.rules == ("points_limit", "void")
    assert [run.configuration["rules"].get("points_limit") for run in plan.runs] == [90, 110, 90, 110, None]
    assert {run.experiment.seed for run in plan.runs} == {7}


def test_a_run_of_a_batch_is_the_run_that_simulate_would_play(cosmic, whole):
    options = ["--deals", "300", "--seed", "7", "--policy", "basic", "--set", "points_limit=110"]
    assert cosmic("simulate", "eidex", *options, "--out", "alone", "-q")[0] == 0
    alone, of_batch = Path("alone/statistics.parquet"), whole / NAMES[3] / "statistics.parquet"
    assert of_batch.read_bytes() == alone.read_bytes()


def test_the_combined_table_has_the_columns_of_the_plan_and_all_statistics(whole):
    table = pd.read_parquet(whole / "batch.parquet")
    assert table["run"].unique().tolist() == NAMES
    assert list(table.columns[:8]) == ["run", "game", "players", "policies", "seed", "unit", "points_limit", "void"]
    for name, part in table.groupby("run", observed=True):
        alone = pd.read_parquet(whole / str(name) / "statistics.parquet")
        both = [*alone.columns]
        pd.testing.assert_frame_equal(part[both].reset_index(drop=True), alone, check_dtype=False, check_categorical=False)
    assert set(table[table["points_limit"] == 90]["run"]) == {NAMES[0], NAMES[2]}
    assert set(table[table["game"] == "cosmos"]["void"]) == {"off"}
    assert table[table["game"] == "cosmos"]["points_limit"].isna().all()


def test_no_rule_is_called_like_an_option_or_a_column_of_the_statistics(whole):
    columns = pd.read_parquet(whole / NAMES[0] / "statistics.parquet").columns
    taken = {*OPTIONS, *columns, "run", "unit"}
    assert not taken & {switch.name for game in GAMES for switch in game.SWITCHES}


def test_a_dry_run_lists_everything_with_its_time_and_writes_nothing(cosmic):
    code, out, err = cosmic("batch", "plan.toml", "--dry-run", "--json")
    assert (code, err) == (0, "")
    rows = json.loads(out)["runs"]
    assert [(row["run"], row["units"], row["chunks_done"], row["state"]) for row in rows] == [(name, 300, 0, "not begun") for name in NAMES]
    assert all(0 < row["estimated_seconds"] < 60 for row in rows)
    code, out, err = cosmic("batch", "plan.toml", "--dry-run")
    assert code == 0 and "5 runs in cosmic-runs/plan, about 0:00:" in out
    assert [path.name for path in Path().iterdir()] == ["plan.toml"]


def test_a_batch_goes_on_chunk_by_chunk_and_ends_with_the_same_bytes(cosmic, copy, whole):
    shutil.rmtree(copy / NAMES[0])
    for file in ("statistics.parquet", "chunks/000001.parquet"):
        (copy / NAMES[1] / file).unlink()
    run = open_run(copy / NAMES[1])
    run.update(state="running", chunks=None)
    kept = copy / NAMES[1] / "chunks" / "000000.parquet"
    before = kept.stat().st_mtime_ns
    (copy / "batch.parquet").unlink()
    _, out, _ = cosmic("batch", "plan.toml", "--out", "batch", "--dry-run", "--json")
    assert [row["chunks_done"] for row in json.loads(out)["runs"]] == [0, 2, 3, 3, 3]
    code, out, _ = cosmic("batch", "plan.toml", "--out", "batch")
    assert code == 0 and "5 runs: 5 done\ntable: batch/batch.parquet\n" in out
    assert statistics(copy) == statistics(whole)
    assert kept.stat().st_mtime_ns == before


def test_a_changed_plan_plays_anew_what_has_changed_and_says_so(cosmic, copy):
    before = {name: (copy / name / "chunks" / "000000.parquet").stat().st_mtime_ns for name in NAMES}
    Path("plan.toml").write_text(PLAN.replace("[90, 110]", "[90, 100]").replace('void = "off"', 'void = "on"'))
    _, out, _ = cosmic("batch", "plan.toml", "--out", "batch", "--dry-run")
    assert "space: void was off, is on: will be played anew" in out
    code, out, err = cosmic("batch", "plan.toml", "--out", "batch")
    assert code == 0
    assert "space: void was off, is on: played anew; the old run is in batch/space.old-1\n" in err
    assert open_run(copy / "space.old-1").info["rules"]["void"] == "off"
    assert open_run(copy / "space").info["rules"]["void"] == "on"
    table = pd.read_parquet(copy / "batch.parquet")
    assert table["run"].unique().tolist() == [name.replace("110", "100") for name in NAMES]
    for name in (NAMES[0], NAMES[2]):
        assert (copy / name / "chunks" / "000000.parquet").stat().st_mtime_ns == before[name]


def test_a_longer_run_keeps_the_chunks_that_are_the_same(cosmic, copy, monkeypatch):
    played, play = [], Chunks.play
    monkeypatch.setattr(Chunks, "play", lambda self, number: played.append(number) or play(self, number))
    for deals, expected in ((250, [2]), (420, [2, 3, 4])):
        Path("plan.toml").write_text(PLAN.replace("300", str(deals)))
        played.clear()
        code, _, err = cosmic("batch", "plan.toml", "--out", "batch")
        assert code == 0
        assert "space: units was " in err and "played anew but for the chunks that are the same; the old run is in batch/space.old-" in err
        assert sorted(played) == sorted(expected * 5)
    assert cosmic("batch", "plan.toml", "--out", "fresh", "-q")[0] == 0
    assert statistics(Path("fresh")) == {name: data for name, data in statistics(copy).items() if ".old-" not in name}


@pytest.mark.parametrize("stop", [False, True])
def test_a_failure_is_told_at_the_end_and_stops_the_others_only_on_demand(stop, cosmic):
    Path("batch").mkdir()
    Path("batch/plan.toml").write_text(PLAN)
    Path("batch", NAMES[0]).write_text("in the way")
    code, out, err = cosmic("batch", "plan.toml", "--out", "batch", "--threads", "1", *["--stop-on-failure"] * stop)
    assert code == 1
    assert f"run {NAMES[0]} failed: " in err.splitlines()[-1]
    assert ("5 runs: 4 not begun, 1 failed" if stop else "5 runs: 4 done, 1 failed") in out
    assert Path("batch/batch.parquet").exists() is not stop
    Path("batch", NAMES[0]).unlink()
    assert cosmic("batch", "plan.toml", "--out", "batch")[0] == 0


def test_a_damaged_run_fails_alone(cosmic, copy):
    (copy / NAMES[1] / "run.json").write_text("{")
    code, out, err = cosmic("batch", "plan.toml", "--out", "batch")
    assert code == 1
    assert "run.json is cut short or no JSON" in err
    assert pd.read_parquet(copy / "batch.parquet")["run"].nunique() == 4


def test_a_batch_of_other_sources_is_refused(cosmic, copy):
    file = copy / NAMES[0] / "run.json"
    file.write_text(json.dumps(refingerprinted(json.loads(file.read_text()) | {"source_hash": "0" * 16})))
    code, out, err = cosmic("batch", "plan.toml", "--out", "batch")
    assert (code, out) == (2, "")
    assert "was begun by sources with the hash 0000000000000000" in err


BAD_PLANS = {
    "no TOML": ("[defaults", "no TOML"),
    "no text": (b"\xff\xfe", "UTF-8"),
    "nested too deep": ("a = " + "[" * 50_000, "nested too deep"),
    "no runs": ("[defaults]\nseed = 1", "[run.NAME]"),
    "unknown table": ("[defalts]\nseed = 1", "did you mean defaults?"),
    "run that is no table": ("run = 5", "[run.NAME]"),
    "named run that is no table": ("run.a = 5", "[run.a] is a table"),
    "a name with a slash": (PLAN + '[run."a/b"]', "letters, digits"),
    "no game": (PLAN + "[run.a]", "has no game"),
    "no seed": (PLAN.replace("seed = 7", ""), "has no seed"),
    "unknown game": (PLAN.replace('"eidex"', '"eidx"'), "did you mean eidex?"),
    "unknown option": (PLAN.replace("points_limit", "polices"), "did you mean policies?"),
    "unknown rule": (PLAN.replace("points_limit", "point_limit"), "did you mean points_limit?"),
    "a rule out of range": (PLAN.replace("110", "210"), "80..120"),
    "a rule of another game": (PLAN.replace("players = 3", "points_limit = 90"), "no option or rule 'points_limit'"),
    "unknown policy": (PLAN.replace('"basic"', '"bsic"'), "did you mean basic?"),
    "a policy that is a number": (PLAN.replace('"basic"', "5"), "policy is a text"),
    "too many players": (PLAN.replace("players = 3", "players = 9"), "3, 4, 5 or 6 players"),
    "no deals": (PLAN.replace("300", "0"), "from 1 to"),
    "deals and games": (PLAN + 'games = 5\ndeals = "5"', "not both"),
    "a seed below 0": (PLAN.replace("seed = 7", "seed = -7"), "seed: "),
    "a share for a half-width": (PLAN + "until = 0.5", "0.5%"),
    "rows that are a number": (PLAN + "rows = 1", "true or false"),
    "an empty list": (PLAN.replace("[90, 110]", "[]"), "a list of them"),
    "a list in a list": (PLAN.replace("[90, 110]", "[[90]]"), "a list of them"),
    "a date": (PLAN + "deals = 2000-01-01", "write a text"),
    "a value twice": (PLAN.replace("[90, 110]", "[90, 90]"), "two runs"),
    "too many runs": (PLAN + f"seed = {list(range(200))}\nchunk = {list(range(1, 100))}", "19,804 runs, more than 10,000"),
    "a long name": (PLAN.replace("run.limits", f"run.{'long' * 50}"), "longer than 200"),
}


@pytest.mark.parametrize("name", BAD_PLANS)
def test_a_bad_plan_gives_one_line_that_helps_and_writes_nothing(name, cosmic):
    text, expected = BAD_PLANS[name]
    Path("plan.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    code, out, err = cosmic("batch", "plan.toml")
    assert (code, out) == (2, "")
    assert err.startswith("cosmic: plan.toml") and err.count("\n") == 1
    assert expected in err
    assert [path.name for path in Path().iterdir()] == ["plan.toml"]


def test_a_folder_that_holds_something_else_is_refused(cosmic):
    Path("full").mkdir()
    Path("full/file").touch()
    code, _, err = cosmic("batch", "plan.toml", "--out", "full")
    assert code == 2 and "holds no batch" in err
    assert cosmic("simulate", "eidex", "--deals", "50", "--policy", "random", "--seed", "1", "--out", "run", "-q")[0] == 0
    code, _, err = cosmic("batch", "plan.toml", "--out", "run")
    assert code == 2 and "holds a run, no batch" in err


def parts_of(cosmic, n_parts):
    for part in range(1, n_parts + 1):
        assert cosmic("batch", "plan.toml", "--part", f"{part}/{n_parts}", "--out", "b", "-q")[0] == 0
    return [f"b-part-{part}-of-{n_parts}" for part in range(1, n_parts + 1)]


@pytest.mark.parametrize("n_parts", [2, 5])
def test_the_parts_of_a_batch_merge_to_the_bytes_of_the_whole(n_parts, cosmic, whole):
    parts = parts_of(cosmic, n_parts)
    played = [len(list(Path(part).glob("*/chunks/*.parquet"))) for part in parts]
    assert sum(played) == 15
    assert max(played) - min(played) <= 3
    code, out, err = cosmic("merge", *reversed(parts), "--out", "merged")
    assert (code, err) == (0, "") and "5 runs: 5 done\ntable: merged/batch.parquet\n" in out
    assert statistics(Path("merged")) == statistics(whole)
    for file in whole.glob("*/chunks/*.parquet"):
        assert file.read_bytes() == (Path("merged") / file.relative_to(whole)).read_bytes()
    # The merged batch is one that the plan can go on with.
    _, out, _ = cosmic("batch", "plan.toml", "--out", "merged", "--dry-run", "--json")
    assert {row["state"] for row in json.loads(out)["runs"]} == {"done"}


def test_a_batch_with_a_part_missing_is_not_merged(cosmic):
    one, two, three = parts_of(cosmic, 3)
    code, _, err = cosmic("merge", one, three, "--out", "merged")
    assert code == 2 and err.count("\n") == 1 and "limits,policy=random,points_limit=90" in err
    Path(two, "plan.toml").write_text(PLAN.replace("seed = 7", "seed = 8"))
    code, _, err = cosmic("merge", one, two, three, "--out", "merged")
    assert code == 2 and "their plans differ" in err
    assert not Path("merged").exists()


RUN = ["simulate", "eidex", "--deals", "950", "--chunk", "100", "--policy", "random", "--seed", "7"]


@pytest.fixture
def parts(cosmic):
    """The three parts of a run with rows, and its whole."""
    for part in ("1/3", "2/3", "3/3"):
        assert cosmic(*RUN, "--rows", "--part", part, "--out", part.replace("/", "-"), "-q")[0] == 0
    assert cosmic(*RUN, "--rows", "--out", "whole", "-q")[0] == 0
    return ["1-3", "2-3", "3-3"]


def test_the_parts_of_a_run_merge_to_the_bytes_of_the_whole(cosmic, parts):
    assert [open_run(Path(part)).info["units"] for part in parts] == [300, 300, 350]
    code, out, _ = cosmic("merge", "3-3", "1-3", "2-3", "--out", "merged")
    assert code == 0 and out.startswith("Cosmic Eidex: 950 deals, seed 7")
    for file in Path("whole").rglob("*.parquet"):
        assert file.read_bytes() == (Path("merged") / file.relative_to("whole")).read_bytes()
    mine, theirs = (open_run(Path(name)).info for name in ("merged", "whole"))
    assert mine["fingerprint"] == theirs["fingerprint"]
    # Two neighbours alone make a longer part.
    assert cosmic("merge", "2-3", "3-3", "--out", "later", "-q")[0] == 0
    assert cosmic("merge", "later", "1-3", "--out", "again", "-q")[0] == 0
    assert Path("again/statistics.parquet").read_bytes() == Path("whole/statistics.parquet").read_bytes()


def test_a_deal_of_a_part_has_the_number_that_it_has_in_the_whole(cosmic, parts):
    assert cosmic("show", "2-3", "--deal", "412") == cosmic("show", "whole", "--deal", "412")
    code, _, err = cosmic("show", "2-3", "--deal", "12")
    assert code == 2 and "has the deals 300 to 599, no 12" in err


def test_a_merge_that_was_killed_can_be_called_again(cosmic, parts):
    assert cosmic("merge", *parts, "--out", "merged", "-q")[0] == 0
    run = open_run(Path("merged"))
    run.update(state="running", chunks=None)
    run.statistics_file.unlink()
    run.chunk_file(4).unlink()
    assert cosmic("merge", *parts, "--out", "merged", "-q")[0] == 0
    assert run.statistics_file.read_bytes() == Path("whole/statistics.parquet").read_bytes()


BAD_MERGES = {
    "overlapping deals": ("1-3 whole", "overlap: both have the deals 0 to 299"),
    "the same part twice": ("1-3 1-3", "overlap: both have the deals 0 to 299"),
    "missing deals": ("1-3 3-3", "the deals 300 to 599, between 1-3 and 3-3, are missing"),
    "another seed": ("1-3 seed", "seed 7 against 8"),
    "another rule": ("1-3 rule", "points_limit 100 against 90"),
    "another chunk": ("1-3 chunk", "chunk 100 against 50"),
    "other sources": ("1-3 sources", "against 0000000000000000"),
    "a run that is not finished": ("1-3 open", "open is not finished; go on with: cosmic resume open"),
    "a damaged chunk": ("1-3 damaged", "000001.parquet is missing or damaged; play it again by: cosmic resume damaged"),
    "a run that ended by the clock": ("clock", "by the clock"),
    "no run": ("1-3 nothing", "no run.json"),
}


@pytest.mark.parametrize("name", BAD_MERGES)
def test_what_cannot_be_merged_is_refused_with_the_difference(name, cosmic, parts):
    prepare = {
        "seed": ["--seed", "8", "--rows", "--part", "2/3"],
        "rule": ["--set", "points_limit=90", "--rows", "--part", "2/3"],
        "chunk": ["--chunk", "50", "--rows", "--part", "2/3"],
        "clock": ["--rows", "--seconds", "0.01"],
    }
    text, expected = BAD_MERGES[name]
    other = text.split()[-1]
    if other in prepare:
        assert cosmic(*RUN, *prepare[other], "--out", other, "-q")[0] == 0
    elif other in ("open", "damaged", "sources"):
        shutil.copytree("2-3", other)
        if other == "open":
            open_run(Path(other)).update(state="interrupted", chunks=None)
        if other == "damaged":
            Path(other, "chunks", "000001.parquet").write_bytes(b"PAR1")
        if other == "sources":
            info = json.loads(Path(other, "run.json").read_text())
            Path(other, "run.json").write_text(json.dumps(refingerprinted(info | {"source_hash": "0" * 16})))
    code, out, err = cosmic("merge", *text.split(), "--out", "merged")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and expected in err
    assert not Path("merged", "statistics.parquet").exists()


BAD_PARTS = {
    "no part": ("--part 3", "3/16"),
    "part 0": ("--part 0/3", "3/16"),
    "part past the end": ("--part 4/3", "3/16"),
    "an empty part": ("--part 1/99", "fewer chunks than parts"),
    "part of a run of unknown length": ("--part 1/3 --until 1%", "neither --until"),
}


@pytest.mark.parametrize("name", BAD_PARTS)
def test_a_part_that_is_none_is_refused(name, cosmic):
    text, expected = BAD_PARTS[name]
    code, out, err = cosmic(*RUN, *text.split())
    assert (code, out) == (2, "")
    assert expected in err and not Path("cosmic-runs").exists()
