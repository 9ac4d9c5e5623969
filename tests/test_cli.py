"""The commands as a person calls them."""

import io
import json
import os
import subprocess
import sys
import time

import pandas as pd
import pytest

from cli import __main__ as cli
from cli.options import Count, Percentage
from cli.text import aligned

RUN = ["simulate", "eidex", "--deals", "300", "--policies", "random,basic,random", "--seed", "7"]


@pytest.fixture
def cosmic(capsys, tmp_path, monkeypatch):
    """Call a command in an empty folder: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            cli.main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return exit_.value.code, out, err

    return call


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_help_with_an_example_and_every_option_a_text(command, cosmic):
    code, out, _ = cosmic(command, "--help")
    assert code == 0
    assert f"Example: cosmic {command} " in out
    parameters = cli.cosmic.get_command(None, command).params
    assert all(parameter.help for parameter in parameters if parameter.param_type_name == "option")


def test_help_comes_without_a_command_and_the_version_by_its_option(cosmic):
    assert cosmic()[:2] == cosmic("--help")[:2]
    assert cosmic("--version")[1].startswith("cosmic, version ")


def test_help_imports_nothing_heavy():
    heavy = {"numpy", "numba", "pandas", "rich", "scipy"}
    code = f"import sys; from cli.__main__ import _run; _run(['--help']); print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_the_shell_completes_commands_options_and_games():
    def complete(words, at):
        environment = os.environ | {"_COSMIC_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)}
        return subprocess.run([sys.executable, "-m", "cli"], env=environment, capture_output=True, text=True).stdout.split()

    assert complete("cosmic simu", 1) == ["plain,simulate"]
    assert "plain,--policies" in complete("cosmic simulate --pol", 2)
    assert complete("cosmic simulate ei", 2) == ["plain,eidex"]


def test_games_lists_rules_and_policies(cosmic):
    code, out, _ = cosmic("games", "eidex")
    assert code == 0
    assert "points_limit" in out and "80..120" in out and "search:N" in out
    code, all_games, _ = cosmic("games")
    assert code == 0
    assert out.splitlines()[0] in all_games.splitlines()
    assert len(all_games) >= len(out)


def test_simulate_prints_what_was_played_and_writes_a_run_that_pandas_reads(cosmic, tmp_path):
    code, out, err = cosmic(*RUN, "--set", "points_limit=90", "--rows", "--chunk", "100")
    assert (code, err) == (0, "")
    assert out.startswith("Cosmic Eidex: 300 deals, seed 7, rules points_limit=90\nrandom: uniform over the legal moves\n")
    folder = tmp_path / "cosmic-runs" / "eidex-7"
    assert f"run folder: {folder.relative_to(tmp_path)}\n" in out
    info = json.loads((folder / "run.json").read_text())
    assert (info["state"], info["units"], info["rules"]["points_limit"], info["chunks"]) == ("done", 300, 90, 3)
    for file in folder.rglob("*.parquet"):
        assert len(pd.read_parquet(file))
    assert set(pd.read_parquet(folder / "statistics.parquet")["policies"]) == {"random,basic,random"}
    assert cosmic(*RUN)[0] == 0
    assert (tmp_path / "cosmic-runs" / "eidex-7-2").is_dir()


def test_simulate_prints_the_seed_that_it_has_drawn(cosmic):
    _, out, _ = cosmic("simulate", "eidex", "--deals", "10", "--policy", "random", "--json")
    info = json.loads(out)
    _, again, _ = cosmic("simulate", "eidex", "--deals", "10", "--policy", "random", "--json", "--seed", info["seed"])
    assert json.loads(again)["statistics"] == info["statistics"]


def test_simulate_of_tournaments_tells_wins_lengths_and_what_was_given_up(cosmic):
    code, out, _ = cosmic("simulate", "eidex", "--games", "50", "--policy", "random", "--set", "max_hands=8", "--seed", "1")
    assert code == 0
    assert out.startswith("Cosmic Eidex: 50 tournaments, seed 1, rules max_hands=8\n")
    assert "won" in out and "capped" in out


def test_until_gives_intervals_as_narrow_as_asked_for(cosmic):
    _, out, _ = cosmic("simulate", "eidex", "--until", "3%", "--policy", "random", "--chunk", "200", "--seed", "1", "--json")
    info = json.loads(out)
    rows = [row for row in info["statistics"] if (row["grouping"], row["measure"], row["kind"]) == ("seat", "victory_points", "all")]
    assert len(rows) == 3
    assert all((row["high"] - row["low"]) / 2 <= 0.03 * 2 for row in rows)
    assert {row["method"] for row in rows} == {"beta-binomial confidence sequence"}


def test_seconds_stop_a_run_that_would_go_on(cosmic):
    start = time.monotonic()
    code, out, _ = cosmic("simulate", "eidex", "--seconds", "0.2", "--policy", "random", "--chunk", "1000", "--json")
    assert code == 0
    assert json.loads(out)["state"] == "done"
    assert time.monotonic() - start < 60


def test_quiet_prints_the_folder_only_and_resume_the_whole_summary(cosmic, tmp_path):
    assert cosmic(*RUN, "--out", "run", "-q") == (0, "run\n", "")
    before = (tmp_path / "run" / "statistics.parquet").read_bytes()
    (tmp_path / "run" / "chunks" / "000000.parquet").unlink()
    code, out, _ = cosmic("resume", "run", "--threads", "2")
    assert code == 0 and out.startswith("Cosmic Eidex: 300 deals, seed 7")
    assert (tmp_path / "run" / "statistics.parquet").read_bytes() == before


def test_show_tells_the_same_deal_by_seed_and_from_a_run(cosmic):
    cosmic(*RUN, "--out", "run", "-q")
    code, out, err = cosmic("show", "run", "--deal", "12")
    assert (code, err) == (0, "")
    assert "deal 0" not in out.splitlines()[1] and len(out.splitlines()) > 10
    assert cosmic("show", "eidex", "--seed", "7", "--deal", "12", "--policies", "random,basic,random") == (code, out, err)
    rows = json.loads(cosmic(*RUN, "--out", "rows", "--rows", "--json")[1])
    deal = pd.read_parquet(os.path.join(rows["folder"], "deals", "000000.parquet")).iloc[12]
    assert f"card points: {deal.card_points_0} {deal.card_points_1} {deal.card_points_2}\n" in out


def test_show_tells_a_deal_of_a_tournament(cosmic):
    cosmic("simulate", "eidex", "--games", "3", "--policy", "random", "--seed", "7", "--out", "run", "-q")
    code, out, _ = cosmic("show", "run", "--game", "2", "--deal", "4")
    assert code == 0
    assert cosmic("show", "eidex", "--seed", "7", "--policy", "random", "--game", "2", "--deal", "4")[1] == out


def test_ladder_compares_with_the_fair_share_on_the_same_cards(cosmic, tmp_path):
    code, out, _ = cosmic("ladder", "eidex", "--policies", "random,basic", "--deals", "601", "--seed", "3", "--out", "ladder", "--json")
    assert code == 0
    one, other = json.loads(out)
    assert (one["policy"], one["against"], one["n"], one["blocks"]) == ("random", "basic", 603, 201)
    assert one["fair_share"] == pytest.approx(2 / 3)
    # In this game the seats share two points in nearly every deal, so the error of the difference is that of the mean.
    assert one["difference"]["mean"] == pytest.approx(one["mean"] - one["fair_share"])
    assert one["difference"]["standard_error"] == pytest.approx(one["standard_error"], rel=0.05)
    assert one["difference"]["high"] < 0 < other["difference"]["low"]
    assert (tmp_path / "ladder" / "random-against-basic" / "statistics.parquet").is_file()
    code, out, _ = cosmic("ladder", "eidex", "--policies", "random,basic", "--games", "30", "--seed", "3")
    assert code == 0 and "won" in out


def scenario(tmp_path, **changes):
    data = {
        "game": "eidex",
        "dealer": 0,
        "hands": ["H6 H7 H8 H9 H10 HJ HQ HK HA E6 E7 E8", "E9 E10 EJ EQ EK EA R6 R7 R8 R9 R10 RJ", "RQ RK RA S6 S7 S8 S9 S10 SJ SQ SK SA"],
        "bottom": ["E8", "E7"],
        "moves": ["R6", "S6", "E6", "E9"],
    }
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps(data | changes))
    return file


def test_replay_prints_the_transcript_or_json(cosmic, tmp_path):
    file = scenario(tmp_path)
    code, out, _ = cosmic("replay", file)
    assert code == 0 and "E is trump" in out and "seat 2 is to play a card" in out
    played = json.loads(cosmic("replay", file, "--json")[1])
    assert list(played) == ["over", "seat", "legal", "events", "result"]
    assert (played["over"], played["seat"], len(played["legal"])) == (False, 2, 11)


def test_perft_counts_from_a_deal_and_from_a_scenario(cosmic, tmp_path):
    code, out, _ = cosmic("perft", "eidex", "--seed", "7", "--deal", "3", "--depth", "3")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()[1:]] == [["0", "1"], ["1", "12"], ["2", "144"], ["3", "1728"]]
    assert cosmic("perft", "eidex", "--position", scenario(tmp_path, moves=[]), "--depth", "3") == (code, out, "")


def test_bench_measures_hands_and_decisions(cosmic):
    code, out, _ = cosmic("bench", "eidex", "--policies", "random,basic", "--seconds", "0.02", "--json")
    assert code == 0
    for figures in json.loads(out)["one_core"]:
        assert figures["decisions_per_second"] == pytest.approx(36 * figures["hands_per_second"])


BAD_CALLS = {
    "unknown command": ("simulat eidex", "did you mean simulate?"),
    "unknown option": ("simulate eidex --deal 5", "--deals"),
    "unknown game": ("simulate eidx", "did you mean eidex?"),
    "no game": ("simulate", "GAME"),
    "unknown policy": ("simulate eidex --policy bsic", "did you mean basic?"),
    "search without a number": ("simulate eidex --policy search", "search:32"),
    "search with no worlds": ("simulate eidex --policy search:0", "from 1 to"),
    "too few policies": ("simulate eidex --policies basic,basic", "2 players for 3 seats"),
    "policies in two ways": ("simulate eidex --policy basic --policies basic,basic,basic", "not both"),
    "unknown rule": ("simulate eidex --set point_limit=90", "did you mean points_limit?"),
    "rule out of range": ("simulate eidex --set points_limit=10", "80..120"),
    "rule without a value": ("simulate eidex --set points_limit", "rule=value"),
    "rule that is no number": ("simulate eidex --set points_limit=many", "80..120"),
    "unknown choice of a rule": ("simulate eidex --set three_at_six_tie=no", "third | replay"),
    "rule twice": ("simulate eidex --set to_win=5 --set to_win=6", "twice"),
    "no such number": ("simulate eidex --deals many", "100_000"),
    "no deals": ("simulate eidex --deals 0", "from 1 to"),
    "part of a deal": ("simulate eidex --deals 0.5", "from 1 to"),
    "deals and games": ("simulate eidex --deals 5 --games 5", "not both"),
    "half-width without percent": ("simulate eidex --until 0.5", "0.5%"),
    "half-width of nothing": ("simulate eidex --until 0%", "0.5%"),
    "no time": ("simulate eidex --seconds 0", "--seconds"),
    "no threads": ("simulate eidex --threads 0", "--threads"),
    "negative seed": ("simulate eidex --seed -1", "--seed"),
    "seed too large": ("simulate eidex --seed 18446744073709551616", "--seed"),
    "too many players": ("simulate eidex --players 4", "for 3 players"),
    "folder of another run": ("simulate eidex --out run", "cosmic resume run"),
    "folder that is not empty": ("simulate eidex --out full", "not empty"),
    "folder that is a file": ("simulate eidex --out full/file", "file"),
    "no run": ("resume full", "no run.json"),
    "run cut short": ("resume cut", "cut short"),
    "run of another format": ("resume later", "format 99"),
    "run that was edited": ("resume edited", "changed after the run began"),
    "show without a seed": ("show eidex --deal 3", "--seed"),
    "show without a deal": ("show run", "--deal"),
    "show past the end": ("show run --deal 300", "0 to 299"),
    "show a run by another seed": ("show run --deal 3 --seed 4", "--seed"),
    "show a game of a run of deals": ("show run --game 3", "--deal"),
    "show past the end of a match": ("show eidex --seed 1 --policy random --game 0 --deal 199", "tournament 0 ended"),
    "one policy": ("ladder eidex --policies basic", "two or more"),
    "the same policy twice": ("ladder eidex --policies basic,basic", "each once"),
    "no such file": ("replay nowhere.json", "nowhere.json"),
    "file that is no JSON": ("replay full/file", "no JSON"),
    "deep JSON": ("replay deep.json", "deep.json"),
    "key twice": ("replay twice.json", "twice"),
    "unknown card": ("replay card.json", "X6"),
    "illegal move": ("replay move.json", "move 5"),
    "scenario with options": ("perft eidex --position move.json --seed 3 --depth 1", "--seed"),
    "no depth": ("perft eidex", "--depth"),
    "bench of nothing": ("bench eidex --policies nothing", "no policy"),
}


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    """A folder with a run, and with all kinds of broken things."""
    place = tmp_path_factory.mktemp("bad")
    with pytest.raises(SystemExit):
        cli.main([*RUN, "--out", str(place / "run"), "-q"])
    (place / "full").mkdir()
    (place / "full" / "file").write_text("not json")
    info = json.loads((place / "run" / "run.json").read_text())
    for name, text in [
        ("cut", json.dumps(info)[:200]),
        ("later", json.dumps(info | {"format": 99})),
        ("edited", json.dumps(info | {"seed": 8})),
    ]:
        (place / name).mkdir()
        (place / name / "run.json").write_text(text)
    (place / "deep.json").write_text("[" * 100_000)
    (place / "twice.json").write_text('{"game": "eidex", "game": "eidex"}')
    scenario(place, moves=["X6"]).rename(place / "card.json")
    scenario(place, moves=["R6", "S6", "E6", "R7", "SA"]).rename(place / "move.json")
    return place


@pytest.mark.parametrize("name", BAD_CALLS)
def test_a_bad_call_gives_one_line_that_helps_and_writes_nothing(name, cosmic, workplace, monkeypatch):
    monkeypatch.chdir(workplace)
    before = sorted(workplace.rglob("*"))
    text, expected = BAD_CALLS[name]
    code, out, err = cosmic(*text.split())
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and err.startswith("cosmic: ") and "Traceback" not in err
    assert expected in err
    assert sorted(workplace.rglob("*")) == before


def test_a_run_that_fails_says_how_to_go_on_and_exits_with_1(cosmic, monkeypatch):
    def full(handle):
        raise OSError(28, "No space left on device")

    cosmic(*RUN, "--out", "run", "-q")
    os.remove("run/chunks/000000.parquet")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        code, out, err = cosmic("resume", "run")
    assert (code, out) == (1, "")
    assert err == "cosmic: No space left on device (run); go on with: cosmic resume run\n"
    assert cosmic("resume", "run")[0] == 0


def test_an_error_of_the_program_itself_is_one_line_too(cosmic, monkeypatch):
    def broken(*arguments, **options):
        raise KeyError("oops")

    monkeypatch.setattr(cli.cosmic, "main", broken)
    assert cosmic("games") == (1, "", "cosmic: internal error, KeyError: 'oops'\n")
    monkeypatch.setenv("COSMIC_DEBUG", "1")
    with pytest.raises(KeyError, match="oops"):
        cli.main(["games"])


def test_a_progress_bar_needs_a_terminal_and_no_quiet(cosmic, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

        def reconfigure(self, **options):
            pass

    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    assert cosmic(*RUN)[0] == 0
    assert seen.getvalue()
    seen.truncate(0)
    cosmic(*RUN, "-q")
    assert not seen.getvalue()


@pytest.mark.parametrize(
    ("text", "number"), [("250", 250), ("100_000", 100_000), ("10k", 10_000), ("5M", 5_000_000), ("1e6", 10**6), ("2.5k", 2500)]
)
def test_amounts_are_read_as_people_write_them(text, number):
    assert Count().convert(text, None, None) == number


def test_a_percentage_is_a_share():
    assert Percentage().convert("0.5%", None, None) == 0.005


def test_columns_of_a_table_line_up():
    assert aligned([["a", "bb"], ["ccc", "d"]]) == ["a    bb", "ccc   d"]
