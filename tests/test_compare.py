"""Two runs on the same cards: the differences are those of the deals themselves."""

import json

import numpy as np
import pandas as pd
import pytest

from cli import __main__ as cli
from simcore.engine import UNIT, Experiment, play_units
from simcore.games import GAMES
from simcore.protocol import effective_rules
from simcore.results import carry_on, changes, common_units, compare, create
from simcore.tally import block_totals, tally

POLICIES = ("basic", "basic", "random")
SEATED, DUPLICATE = ((0, 1, 2),), ((0, 1, 2), (2, 0, 1), (1, 2, 0))


def experiment(seatings=SEATED, is_match=False, seed=11, policies=POLICIES, **rules):
    return Experiment(GAMES[0], effective_rules(GAMES[0].SWITCHES, rules), policies, seatings, seed, is_match)


def played(folder, an_experiment, units=3_000, chunk=999, **options):
    run = create(an_experiment, folder, chunk, units, **options)
    carry_on(run, 1)
    return run


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The same deals with a limit of 100 and of 90 points, the second run a little longer."""
    folder = tmp_path_factory.mktemp("runs")
    return played(folder / "a", experiment()), played(folder / "b", experiment(points_limit=90), 3_500)


def row(table, level, grouping, key, measure, kind="all"):
    found = table.query("level == @level and grouping == @grouping and key == @key and measure == @measure and kind == @kind")
    assert len(found) == 1
    return found.iloc[0]


@pytest.mark.parametrize(("seatings", "is_match"), [(SEATED, False), (DUPLICATE, False), (SEATED, True), (DUPLICATE, True)])
def test_the_totals_of_the_blocks_add_up_to_the_counts(seatings, is_match):
    one = experiment(seatings, is_match)
    deals, matches = play_units(one, 0, 60)
    counts, totals = tally(one, deals, matches), block_totals(one, deals, matches)
    assert len(totals) == len(counts.sums)
    for sums, (n, x) in zip(counts.sums, totals, strict=True):
        n = np.broadcast_to(n[:, None, :], x.shape)
        assert x.shape[-1] == counts.blocks == 60 // len(seatings)
        assert (np.stack([n, x, x * x, x * n, n * n], axis=-1).sum(axis=2) == sums).all()


def test_the_difference_of_deals_is_that_of_scipys_paired_t_test(runs):
    from scipy.stats import ttest_rel

    table = compare(*runs, 2)
    first, second = (play_units(run.experiment, 0, 3_000)[0] for run in runs)
    names = runs[0].experiment.deal_columns()
    for measure, seat in [("victory_points", 2), ("card_points", 0), ("over_limit", 1)]:
        before, after = (deals[:, names.index(f"{measure}_{seat}")] for deals in (first, second))
        theirs = ttest_rel(after, before)
        found = row(table, "deal seat", "seat", str(seat), measure)
        assert (found["first"], found["second"]) == pytest.approx((before.mean(), after.mean()))
        interval = theirs.confidence_interval(0.95)
        assert (found["low"], found["high"]) == pytest.approx((interval.low, interval.high), rel=1e-9)
        assert found["p"] == pytest.approx(theirs.pvalue, rel=1e-6)
        assert found["effect"] == pytest.approx((after.mean() - before.mean()) / before.std(ddof=1), rel=1e-9)
        assert found["n_first"] == found["n_second"] == found["blocks"] == 3_000


def test_the_difference_of_tournaments_in_turned_seats_is_taken_block_by_block(tmp_path):
    one, other = experiment(DUPLICATE, True), experiment(DUPLICATE, True, policies=("basic", "random", "random"))
    table = compare(played(tmp_path / "a", one, 90, 30), played(tmp_path / "b", other, 90, 30), 1)
    residuals, means = [], []
    for side in (one, other):
        deals, _ = play_units(side, 0, 90)
        block, points = deals[:, UNIT] // 3, deals[:, side.deal_columns().index("victory_points_1")]
        n_b, x_b = np.bincount(block), np.bincount(block, points)
        means.append(points.mean())
        residuals.append((x_b - points.mean() * n_b) / len(points))
    found = row(table, "deal seat", "seat", "1", "victory_points")
    assert found["difference"] == pytest.approx(means[1] - means[0])
    assert found["standard_error"] == pytest.approx(np.sqrt(30 / 29 * ((residuals[1] - residuals[0]) ** 2).sum()))
    assert set(table["level"]) == {"deal", "deal seat", "match", "match seat"}


def test_both_sides_have_the_means_of_their_own_runs(runs):
    table = compare(*runs, 1, by_kind=True)
    own = pd.read_parquet(runs[0].statistics_file)
    keys = ["level", "grouping", "key", "kind", "measure"]
    both = table.astype(dict.fromkeys(keys, "str")).merge(own.astype(dict.fromkeys(keys, "str")), on=keys)
    assert len(both) == len(table)
    assert both["first"].to_numpy() == pytest.approx(both["mean"].to_numpy(), nan_ok=True)


def test_threads_change_nothing_and_progress_reaches_the_common_units(runs):
    told = []
    one, four = compare(*runs, 1, on_progress=told.append), compare(*runs, 4)
    pd.testing.assert_frame_equal(one, four)
    assert told[-1] == common_units(*runs) == 3_000


def test_the_first_units_alone_are_compared_when_asked(runs, tmp_path):
    table = compare(*runs, 1, units=500)
    assert set(table["blocks"]) == {500}
    short = played(tmp_path / "short", runs[0].experiment, 500), played(tmp_path / "other", runs[1].experiment, 500)
    keys = ["grouping", "key", "measure"]
    both = table.merge(compare(*short, 1), on=keys)
    assert both["difference_x"].to_numpy() == pytest.approx(both["difference_y"].to_numpy(), nan_ok=True)
    assert common_units(*runs, 10**6) == 3_000


def test_the_largest_change_comes_first_and_holm_counts_all_rows(runs):
    table, by_kind = compare(*runs, 1), compare(*runs, 1, by_kind=True)
    effects = table["effect"].abs().dropna().to_numpy()
    assert (np.diff(effects) <= 0).all() and table.iloc[0]["measure"] == "over_limit"
    assert table["effect"].notna().to_numpy()[: len(effects)].all()
    assert set(table["kind"]) == {"all"} and set(by_kind["kind"]) == {"all", *GAMES[0].KINDS}
    key = ("deal seat", "seat", "2", "victory_points")
    assert row(table, *key)["p"] == row(by_kind, *key)["p"]
    assert row(table, *key)["p"] < row(table, *key)["p_holm"] < row(by_kind, *key)["p_holm"]


def test_a_policy_that_is_a_single_seat_is_not_counted_twice(runs):
    table = compare(*runs, 1)
    assert set(table.loc[table["grouping"] == "policy", "key"]) == {"basic"}


def test_a_figure_that_never_differed_may_differ_rarely(runs):
    found = row(compare(*runs, 1), "deal seat", "seat", "2", "match")
    assert found["difference"] == 0 and found["p"] == 1
    assert 0 < found["high"] == -found["low"] < 4 / 2_000
    assert "none of which differed" in found["method"]


def test_what_differs_is_told(runs, tmp_path):
    assert changes(*runs) == {"points_limit": (100, 90)}
    other = played(tmp_path / "c", experiment(policies=("basic", "random", "random")), 300, 300)
    assert changes(runs[0], other) == {"policies": (list(POLICIES), ["basic", "random", "random"])}


def test_runs_that_cannot_be_compared_are_refused_in_one_line(runs, tmp_path):
    def refused(run, *words):
        with pytest.raises(ValueError) as error:
            changes(runs[0], run)
        assert all(word in str(error.value) for word in words) and "\n" not in str(error.value)

    refused(runs[0], "play the same")
    refused(played(tmp_path / "seed", experiment(seed=12), 300, 300), "seed 11", "12")
    refused(played(tmp_path / "unit", experiment(is_match=True), 30, 30), "unit deal", "game")
    refused(played(tmp_path / "seats", experiment(DUPLICATE), 300, 300), "seating")
    unfinished = create(experiment(points_limit=80), tmp_path / "open", 300, 300)
    refused(unfinished, "not done", "cosmic resume")
    runs_of_another_time = played(tmp_path / "old", experiment(points_limit=80), 300, 300)
    runs_of_another_time.info["source_hash"] = "0" * 16
    refused(runs_of_another_time, "sources")


@pytest.fixture
def cosmic(capsys):
    def call(*arguments):
        with pytest.raises(SystemExit) as exit_:
            cli.main(list(map(str, arguments)))
        return exit_.value.code, *capsys.readouterr()

    return call


def test_the_command_prints_the_change_and_its_figures(runs, cosmic):
    code, out, _ = cosmic("compare", runs[0].folder, runs[1].folder, "--top", 4)
    lines = out.splitlines()
    assert code == 0
    assert lines[:2] == ["Cosmic Eidex: 3,000 deals on the same cards, seed 11", "points limit: 100 -> 90"]
    assert lines[6].startswith("over limit") and lines[6].endswith("<0.001  changed")
    assert len(lines) == 10 and "of which the 4 largest changes follow" in lines[3]
    assert cosmic("compare", runs[0].folder, runs[0].folder)[:2] == (2, "")


def test_the_command_prints_json(runs, cosmic):
    code, out, _ = cosmic("compare", runs[0].folder, runs[1].folder, "--json", "--kinds")
    found = json.loads(out)
    assert code == 0 and found["changes"] == {"points_limit": [100, 90]} and found["units"] == 3_000
    assert {"difference", "low", "high", "p_holm", "effect"} <= set(found["figures"][0])
    assert any(figure["kind"] == "Obenabe" for figure in found["figures"])
    assert json.loads(cosmic("compare", runs[0].folder, runs[1].folder, "--json", "--first", "1k")[1])["units"] == 1_000
