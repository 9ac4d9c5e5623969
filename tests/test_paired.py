"""Runs on the same cards by other rules, and games won in a ladder."""

import json

import pandas as pd
import pytest
from click.testing import CliRunner

from cli.__main__ import cosmic
from cli.against import AgainstRules
from cli.options import read_rules
from simcore.engine import Experiment, play_units
from simcore.games import cosmos as game
from simcore.games.eidex import cosmic as cosmic_eidex
from simcore.protocol import effective_rules
from simcore.results.comparing import differences


def test_a_run_against_other_rules_prints_and_keeps_the_paired_differences(tmp_path):
    call = [
        "simulate",
        "cosmos",
        "--deals",
        "400",
        "--policy",
        "basic",
        "--seed",
        "3",
        "--out",
        str(tmp_path / "run"),
        "--against",
        "void=off",
    ]
    result = CliRunner().invoke(cosmic, call)
    assert result.exit_code == 0
    assert "against void=off, on the same cards" in result.output
    table = pd.read_parquet(tmp_path / "run" / "against.parquet").set_index(["level", "key", "measure"])
    rows = [single_rounds(void=void)[0] for void in ("on", "off")]
    columns = single_rounds()[1]
    for seat in range(4):
        scored = [part[:, columns.index(f"tricks_{seat}")].astype(float) for part in rows]
        found = table.loc["deal seat", str(seat), "tricks"]
        assert found["difference"] == pytest.approx((scored[0] - scored[1]).mean())
        assert found["standard_error"] == pytest.approx((scored[0] - scored[1]).std(ddof=1) / 20)
        assert found["low"] <= found["difference"] <= found["high"]
    # Without Void nobody is relieved of his tricks, and rounds of single deals are played alike.
    assert table.loc["deal", "", "void_tricks"]["mean_other"] == 0
    assert table.loc["deal", "", "collisions"]["difference"] == table.loc["deal", "", "collisions"]["standard_error"] == 0


def single_rounds(**rules):
    """Figures of 400 rounds of `basic` players, and the names of the columns."""
    experiment = Experiment(game, effective_rules(game.SWITCHES, rules), ("basic",) * 4, (tuple(range(4)),), 3, False)
    return play_units(experiment, 0, 400)[0], experiment.deal_columns()


def test_games_are_paired_whatever_their_length_and_the_number_of_threads():
    rules = [effective_rules(game.SWITCHES, {"end_tricks": end}) for end in (0, 8)]
    one, other = (Experiment(game, r, ("basic", "random"), ((0, 1, 1), (1, 0, 1), (1, 1, 0)), 4, True) for r in rules)
    tables = [differences(other, one, 60, threads, batch=batch) for batch, threads in ((60, 1), (9, 2))]
    pd.testing.assert_frame_equal(*tables)
    table = tables[0][tables[0]["kind"] == "all"].set_index(["level", "key", "measure"])
    lengths = [play_units(experiment, 0, 60)[1][:, 0] for experiment in (one, other)]
    assert table.loc["match", "", "deals"]["difference"] == pytest.approx(lengths[0].mean() - lengths[1].mean())
    assert table.loc["match", "", "deals"]["blocks"] == 20
    assert table.loc["match seat", "basic", "won"]["second"] > table.loc["match seat", "random", "won"]["second"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--against", "void=on"], "has these rules already"),
        (["--against", "void=of"], "off | on"),
        (["--against", "void=off", "--until", "1%"], "neither --until nor --part"),
        (["--against", "void=off", "--deals", "1k", "--part", "1/2"], "neither --until nor --part"),
    ],
)
def test_a_comparison_that_cannot_be_made_is_refused_in_one_line(tmp_path, options, problem):
    result = CliRunner().invoke(cosmic, ["simulate", "cosmos", "--out", str(tmp_path / "run"), *options], standalone_mode=False)
    assert problem in str(result.exception)
    assert not (tmp_path / "run").exists()


def test_other_rules_keep_what_else_was_set():
    settings = ("character_0=zombie", "character_1=none", "character_2=none", "computer_step=7")
    experiment = Experiment(cosmic_eidex, read_rules(cosmic_eidex, settings), ("random",) * 3, ((0, 1, 2),), 1, False)
    other = AgainstRules(experiment, ("computer_step=9",), 1).other
    assert [name for name in experiment.rules.dtype.names if experiment.rules[0][name] != other.rules[0][name]] == ["computer_step"]


def test_deals_with_characters_are_compared_without_the_numbers_of_the_characters():
    rules = [read_rules(cosmic_eidex, (f"points_limit={limit}",)) for limit in (100, 80)]
    one, other = (Experiment(cosmic_eidex, r, ("random",) * 3, ((0, 1, 2),), 1, False) for r in rules)
    table = differences(one, other, 400, 1)
    over = table[(table["measure"] == "over_limit") & (table["level"] == "deal") & (table["kind"] == "all")]
    assert (over["difference"] > 0.1).all() and len(over) == 1
    assert "character" not in set(table["measure"])


def test_a_ladder_of_games_counts_the_games_won():
    call = ["ladder", "cosmos", "--policies", "basic,random", "--games", "40", "--seed", "2", "--json", "-q"]
    found = json.loads(CliRunner().invoke(cosmic, call).output)
    assert [pairing["measure"] for pairing in found] == ["won", "won"]
    assert found[0]["policy"] == "basic" and found[0]["difference"]["low"] > 0
