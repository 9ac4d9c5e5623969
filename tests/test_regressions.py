"""Wrong cases that were found once, each with its kind."""

import json

import pytest

from cli import __main__ as cli

POSITION = {
    "dealer": 0,
    "upcard": "H7",
    "hands": ["EJ EQ", "E7 S9", "R10 RK"],
    "pressed": ["H9", "HA", "R7"],
    "piles": ["E6 E9 H8", "HQ R6 R9", "H10 HK H6 S10 SA S6 RQ SK RJ HJ H7 EA R8 E8 EK SJ S7 S8 RA E10 SQ"],
    "turn": 0,
}


@pytest.fixture
def cosmic(capsys, tmp_path, monkeypatch):
    """Call a command in an empty folder: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        code = cli._run(arguments)
        return code, *capsys.readouterr()

    return call


def test_a_ladder_of_so_few_deals_that_no_error_is_known_is_printed(cosmic):
    code, out, _ = cosmic("ladder", "eidex", "--policies", "basic,random", "--deals", "3", "--seed", "1", "-q")
    assert code == 0
    assert "basic" in out


@pytest.mark.parametrize("number", ["1e6k", "1__0", "1_", "１０", "nan", "1e", "k"])
def test_a_number_in_no_accepted_form_is_refused(cosmic, number):
    code, out, err = cosmic("simulate", "eidex", "--deals", number)
    assert (code, out) == (2, "")
    assert number in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("option", [("--set", "points_limit=９０"), ("--policy", "search:８"), ("--seconds", "nan")])
def test_digits_that_are_not_ascii_and_numbers_that_are_none_are_refused(cosmic, option):
    code, out, err = cosmic("simulate", "eidex", *option)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


@pytest.mark.parametrize("key", ["trick", "lacks", "hands", "pressed", "piles"])
@pytest.mark.parametrize("value", [True, 0, 1.5, {}, "EA", [1, 2, 3], [{}, {}, {}]])
def test_a_value_of_the_wrong_type_in_a_position_is_told_in_one_line(cosmic, tmp_path, key, value):
    (tmp_path / "p.json").write_text(json.dumps({"game": "eidex", "position": POSITION | {key: value}}))
    code, out, err = cosmic("replay", "p.json")
    assert (code, out) == (2, "")
    assert "internal" not in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("change", [{"chunks": 0}, {"chunks": "x"}, {"chunks": 5}, {"versions": None}])
def test_a_run_json_that_was_changed_is_refused_and_nothing_lost(cosmic, tmp_path, change):
    assert cosmic("simulate", "eidex", "--deals", "50", "--policy", "random", "--seed", "1", "--out", "run", "-q")[0] == 0
    file, statistics = tmp_path / "run" / "run.json", tmp_path / "run" / "statistics.parquet"
    before = statistics.read_bytes()
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    code, out, err = cosmic("resume", "run")
    assert (code, out) == (2, "")
    assert "run.json was changed" in err
    assert statistics.read_bytes() == before


def test_a_ladder_does_not_write_into_a_run(cosmic, tmp_path):
    assert cosmic("simulate", "eidex", "--deals", "50", "--policy", "random", "--seed", "1", "--out", "run", "-q")[0] == 0
    code, _, err = cosmic("ladder", "eidex", "--policies", "basic,random", "--deals", "3", "--seed", "1", "--out", "run", "-q")
    assert code == 2
    assert "already holds a run" in err
    assert not (tmp_path / "run" / "basic-against-random").exists()


def test_a_damaged_cache_of_kernels_is_named(cosmic, monkeypatch):
    from cli import replay

    def read(file):
        raise EOFError

    monkeypatch.setattr(replay, "read_json", read)
    code, out, err = cosmic("replay", "p.json")
    assert (code, out) == (1, "")
    assert "cache of compiled kernels is damaged" in err
