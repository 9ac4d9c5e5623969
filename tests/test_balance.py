"""Who is too strong: the statistics on simulated truth, and the commands end to end."""

import contextlib
import itertools
import json
import threading

import numpy as np
import pandas as pd
import pytest
from simulated import assert_nominal, contains, generator

from cli import __main__ as cli
from simcore.balance import STRONG, UNKNOWN, WEAK, WITHIN, Blocks, change, judge, label_estimates, lift, pairs, seats_of, tune
from simcore.statistics import product_sums, ratio, ratio_covariance

SEATINGS = np.array(list(itertools.permutations(range(3))))
NAMES = tuple(f"c{number}" for number in range(12))


def simulated(random, n_blocks, strength, *, muted=(0,), luck=0.5, seats=(0.0, 0.0, 0.0), drawn=None):
    """Tournaments won with chances in proportion to exp(strength + luck of the cards in the seat); a muted player has strength 0."""
    k = len(strength)
    labels = np.argsort(random.random((n_blocks, k)), axis=1)[:, :3] if drawn is None else np.tile(drawn, (n_blocks, 1))
    cards = random.normal(0, luck, (n_blocks, 1, 3)) + np.array(seats)
    shape = (n_blocks, 6, 3)

    def play(worths):
        logits = np.take_along_axis(np.broadcast_to(worths[:, None], shape), np.broadcast_to(SEATINGS, shape), 2) + cards
        seat = (logits + random.gumbel(size=shape)).argmax(axis=2)
        return (np.arange(3) == SEATINGS[np.arange(6), seat][..., None]).astype(int)

    worths = np.asarray(strength, float)[labels]
    without = [play(np.where(np.arange(3) == player, 0.0, worths))[:, :, player] for player in muted]
    hands = random.integers(5, 14, shape[:2])
    points, uses = random.integers(2, 8, shape), random.integers(0, 5, shape)
    won, sweeps = play(worths), random.binomial(hands, 0.02)
    silenced = np.stack(without, axis=2) if muted else None
    return Blocks(NAMES[:k], labels, SEATINGS, won, points, uses, hands, sweeps, muted, silenced)


def true_rates(strength, rng, **options):
    """Win rates of a very long run."""
    return judge_scores(simulated(rng, 60_000, strength, muted=(), **options)).mean


def test_the_figures_of_the_labels_are_the_ratios_of_a_table_with_a_column_for_each():
    random = generator(1)
    labels = np.argsort(random.random((40, 6)), axis=1)[:, :3] - 1  # -1 counts for nothing
    counts, values = random.integers(1, 9, (40, 3)), random.integers(-4, 9, (40, 3))
    n_b, x_b = np.zeros((40, 5), int), np.zeros((40, 5), int)
    for block, player in np.argwhere(labels >= 0):
        n_b[block, labels[block, player]] += counts[block, player]
        x_b[block, labels[block, player]] += values[block, player]
    mean, covariance = ratio_covariance(40, *product_sums(n_b, x_b))
    found = label_estimates(labels, 5, counts, values, (-4, 8))
    assert found.mean == pytest.approx(mean, rel=1e-12)
    assert found.covariance == pytest.approx(covariance, rel=1e-12)
    assert (found.n == n_b.sum(axis=0)).all()
    assert found.error[2] == pytest.approx(ratio(40, *(int(part) for part in sums_of(n_b[:, 2], x_b[:, 2])))[1])


def sums_of(n, x):
    return n.sum(), x.sum(), (x * x).sum(), (x * n).sum(), (n * n).sum()


def test_the_intervals_of_all_labels_together_hold_as_often_as_they_promise():
    strength = np.linspace(-0.5, 0.5, 8)
    truth = true_rates(strength, generator(2))
    random = generator(3)
    hits = []
    for _ in range(300):
        found = judge_scores(simulated(random, 400, strength, muted=()))
        hits.append(contains((found.low, found.high), truth).all())
    assert_nominal(np.array(hits))


def judge_scores(blocks):
    counts = np.full(blocks.labels.shape, 6)
    return label_estimates(blocks.labels, len(blocks.names), counts, blocks.score.sum(axis=1), (0, 1))


def test_a_planted_strength_is_found_with_its_size_and_a_label_like_the_others_is_within_the_margin():
    strength = np.zeros(12)
    strength[3], strength[7] = 0.5, -0.5
    truth = true_rates(strength, generator(4))
    found = judge(simulated(generator(5), 20_000, strength), 0.03, fair=1 / 3)
    assert (found.names[found.order[0]], found.names[found.order[-1]]) == ("c3", "c7")
    assert (found.verdict[3], found.verdict[7]) == (STRONG, WEAK)
    assert {found.verdict[k] for k in range(12) if k not in (3, 7)} == {WITHIN}
    assert contains((found.score.low, found.score.high), truth).all()
    assert found.p[3] < 1e-6 > found.p[7]
    assert (found.best_rank[3], found.worst_rank[3], found.best_rank[7]) == (1, 1, 12)
    assert found.rating[3] - found.rating[7] == pytest.approx(1.0, abs=0.15)  # the luck of the cards flattens it a little
    # The lift is measured against the same label with strength 0.
    assert found.lift.low[3] > 0 > found.lift.high[7]
    assert contains((found.lift.low[0], found.lift.high[0]), 0.0)


def test_little_play_leaves_the_verdict_open():
    found = judge(simulated(generator(6), 300, np.zeros(12)), 0.02, fair=1 / 3)
    assert set(found.verdict) == {UNKNOWN}
    assert np.ptp(found.shrunken) < np.ptp(found.score.mean) / 2


def test_few_blocks_leave_all_open_however_alike_they_are():
    found = judge(simulated(generator(16), 60, np.zeros(12)), 0.02, fair=1 / 3)
    few = found.score.blocks < 20
    assert few.any() and (found.score.low[few] == 0).all() and (found.score.high[few] == 1).all()
    assert (found.best_rank == 1).all() and (found.worst_rank == 12).all()


def test_blocks_that_are_all_alike_tell_how_rare_others_are():
    blocks = simulated(generator(17), 900, np.zeros(3))
    found = judge(Blocks(**vars(blocks) | {"score": np.broadcast_to(SEATINGS == 0, blocks.score.shape).astype(int)}), 0.02, fair=1 / 3)
    assert (found.score.error == 0).all() and set(found.verdict) == {WITHIN}
    assert (found.score.low < 1 / 3).all() and (found.score.high > 1 / 3).all() and (found.score.high - found.score.low < 0.02).all()


def test_the_seats_are_told_apart_from_those_who_sit_in_them():
    blocks = simulated(generator(7), 6_000, np.zeros(5), seats=(0.4, 0.0, -0.4))
    found = judge(blocks, 0.02)
    assert found.seats.low[0] > 1 / 3 > found.seats.high[2]
    assert set(found.verdict) == {WITHIN}
    own = seats_of(blocks, "c1")
    assert own.mean.mean() == pytest.approx(found.score.mean[1])
    assert own.low[0] > own.high[2]


def test_the_same_label_in_all_seats_of_the_same_cards_is_known_better_than_in_as_many_independent_tournaments():
    """Strong luck of the cards, one table: the six seatings even it out, and the interval still holds."""
    strength, options = np.array([0.3, 0.0, 0.0]), {"drawn": [0, 1, 2], "luck": 3.0, "muted": ()}
    truth = judge_scores(simulated(generator(8), 100_000, strength, **options)).mean[0]
    random, hits, ratios = generator(9), [], []
    for _ in range(400):
        found = judge_scores(simulated(random, 200, strength, **options))
        rate = found.mean[0]
        hits.append(contains((rate - 1.96 * found.error[0], rate + 1.96 * found.error[0]), truth))
        ratios.append(found.error[0] / np.sqrt(rate * (1 - rate) / 1200))
    assert_nominal(np.array(hits))
    assert np.mean(ratios) < 0.7


def test_a_pair_is_compared_at_the_tables_where_both_sit():
    blocks = simulated(generator(10), 500, np.array([0.6, 0.0, 0.0, -0.6, 0.0]))
    found = pairs(blocks)
    both = ((blocks.labels == 0).any(axis=1)) & ((blocks.labels == 3).any(axis=1))
    won = blocks.score.sum(axis=1)
    gained = ((blocks.labels == 0) * won).sum(axis=1)[both] - ((blocks.labels == 3) * won).sum(axis=1)[both]
    assert found.blocks[0, 3] == both.sum() == len(gained)
    assert found.difference[0, 3] == pytest.approx(gained.mean() / 6) == -found.difference[3, 0]
    assert found.error[0, 3] == pytest.approx(gained.std(ddof=1) / 6 / np.sqrt(len(gained)))
    assert found.low[0, 3] > 0 > found.high[3, 0]
    assert pairs(blocks, only="c0").low[0, 3] > found.low[0, 3]
    assert np.isnan(found.difference.diagonal()).all()


def test_a_change_is_that_of_the_same_blocks_and_nothing_changes_where_nothing_did():
    one = simulated(generator(11), 3_000, np.zeros(6))
    stronger = simulated(generator(11), 3_000, np.array([0.6, 0, 0, 0, 0, 0]))
    found = change(one, stronger)
    assert found.is_sure[0] and found.score.low[0] > 0 and found.p[0] < 0.001
    same = change(one, one.head(2_000))
    assert (same.score.mean == 0).all() and (same.p == 1).all() and not same.is_sure.any()
    assert (same.score.low == -same.score.high).all() and (0 < same.score.high).all() and (same.score.high < 0.02).all()
    assert same.hands == same.matches == (0.0, 0.0)
    with pytest.raises(ValueError, match="same characters"):
        change(one, simulated(generator(12), 3_000, np.zeros(6)))


def test_the_lift_of_a_power_that_is_never_used_is_none_and_rare_at_most():
    blocks = simulated(generator(13), 900, np.zeros(4), muted=())
    assert lift(blocks) is None
    unused = Blocks(**vars(blocks) | {"muted_players": (0,), "muted_score": blocks.score[:, :, :1]})
    found = lift(unused)
    assert (found.mean == 0).all() and (found.high < 0.05).all() and (found.low == -found.high).all()


GRID = np.arange(80, 101)


def toy_play(random, root, slope=0.004, target=1 / 3):
    """Blocks of six whose win chance is a straight line through the target at *root*; the same luck for all values."""

    def play(values, first, n):
        luck = random.random((n, 6, 1))
        return (luck < target + slope * (values - root)).sum(axis=1)

    return play


def test_tuning_finds_a_known_root_within_its_own_interval_as_often_as_it_promises():
    random = generator(14)
    roots = random.uniform(82, 98, 120)
    found = [tune(toy_play(random, root), 6, GRID, 1 / 3, (100, 200, 400)) for root in roots]
    hits = np.array([contains((result.low, result.high), root) for result, root in zip(found, roots, strict=True)])
    assert hits.mean() >= 0.95
    long = tune(toy_play(random, 91.3), 6, GRID, 1 / 3, (1_000, 3_000, 9_000))
    assert contains((long.low, long.high), 91.3) and long.high - long.low < 4
    assert long.value == pytest.approx(91.3, abs=2)
    assert np.ptp(long.curves[-1].values) < np.ptp(long.curves[0].values)  # it looks closer


def test_tuning_says_that_a_target_is_out_of_reach():
    found = tune(toy_play(generator(15), 200.0, target=0.9), 6, GRID, 0.9, (400, 400, 400))
    assert np.isnan([found.value, found.low, found.high]).all()
    assert len(found.curves) == 1


# The commands


@pytest.fixture
def cosmic(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            cli.main(list(map(str, arguments)))
        return exit_.value.code, *capsys.readouterr()

    return call


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--games", 6, "--deals", 6], "--deals or --games"),
        (["--focus", "sfinx"], "did you mean sphinx"),
        (["--focus", "random"], "name one character"),
        (["--triple", "sphinx,laser"], "name three characters"),
        (["--triple", "sphinx,laser,sphinx"], "there twice"),
        (["--focus", "laser", "--triple", "sphinx,laser,dealer"], "not both"),
        (["--policy", "basic", "--policy", "basic"], "there twice"),
        (["--policy", "best"], "best"),
        (["--against", "default"], "--set or --against"),
        (["--set", "radar_low=80", "--against", "default"], "same rules"),
        (["--set", "muted=1"], "--no-lift"),
        (["--margin", "2"], "0.5%"),
    ],
)
def test_a_wrong_call_of_balance_is_told_in_one_line(cosmic, arguments, words):
    code, out, err = cosmic("balance", *arguments)
    assert (code, out) == (2, "")
    assert words in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["radarkontrolle", "--set", "radar_low=90"], "a range"),
        (["radarkontrolle", "--set", "radar_low=100..80"], "fewer than two"),
        (["radarkontrolle", "--set", "radar_low=80..1000"], "0..157"),
        (["radarkontrolle", "--set", "radar_lo=80..90"], "radar_low"),
        (["radar", "--set", "radar_low=80..90"], "no character"),
        (["random", "--set", "radar_low=80..90"], "one character"),
        (["radarkontrolle", "--set", "radar_low=80..90", "--games", 60], "too few"),
        (["radarkontrolle", "--set", "radar_low=80..90", "--target", "much"], "1/3"),
        (["radarkontrolle", "--set", "radar_low=80..90", "--target", "1.5"], "out of reach"),
    ],
)
def test_a_wrong_call_of_tune_is_told_in_one_line(cosmic, arguments, words):
    code, out, err = cosmic("tune", *arguments)
    assert (code, out) == (2, "")
    assert words in err and err.count("\n") == 1


def test_balance_plays_judges_and_keeps_a_run_that_can_be_resumed(cosmic, tmp_path):
    code, out, err = cosmic("balance", "--games", 120, "--chunk", 60, "--policy", "random", "--seed", 3, "--out", "b", "--pairs")
    assert (code, err) == (0, "")
    assert out.startswith("Cosmic Eidex with characters: 120 tournaments, seed 3, default rules\n")
    assert "20 blocks" in out and "sphinx" in out and "run folder: b" in out
    units = pd.read_parquet(tmp_path / "b" / "units")
    assert len(units) == 120
    assert (units[["score_0", "score_1", "score_2"]].sum(axis=1) == 1).all()
    # In a block the players keep their characters, whatever the seats.
    assert (units.groupby(units["unit"] // 6)[["label_0", "label_1", "label_2"]].nunique() == 1).to_numpy().all()
    statistics = pd.read_parquet(tmp_path / "b" / "statistics.parquet")
    wins = statistics.query("level == 'match seat' and grouping == 'character' and measure == 'won' and n > 0").set_index("key")
    labels = units[["label_0", "label_1", "label_2"]].to_numpy().ravel()
    scores = units[["score_0", "score_1", "score_2"]].to_numpy().ravel()
    from simcore.games.eidex.characters import NAMES as characters

    for number in np.unique(labels):
        assert wins.loc[characters[number - 1], "mean"] == pytest.approx(scores[labels == number].mean())
    lifts = statistics.query("measure == 'lift'").set_index("key")
    first = units["label_0"].to_numpy()
    gained = (units["score_0"] - units["muted_score_0"]).to_numpy()
    assert lifts.loc[characters[first[0] - 1], "mean"] == pytest.approx(gained[first == first[0]].mean())
    before = (tmp_path / "b" / "statistics.parquet").read_bytes()
    (tmp_path / "b" / "units" / "000001.parquet").unlink()
    code, again, _ = cosmic("resume", "b")
    assert code == 0 and again.splitlines()[:8] == out.splitlines()[:8]
    assert (tmp_path / "b" / "statistics.parquet").read_bytes() == before
    assert cosmic("balance", "--games", 6, "--out", "b")[0] == 2


def test_balance_as_json_has_all_of_the_table_for_each_policy_and_what_differs(cosmic):
    arguments = ["--games", 60, "--policy", "random", "--policy", "basic", "--seed", 3, "--out", "two", "--no-lift"]
    found = json.loads(cosmic("balance", *arguments, "--json")[1])
    assert [side["name"] for side in found["sides"]] == ["random", "basic"]
    row = found["sides"][0]["characters"][0]
    assert {"character", "mean", "low", "high", "difference", "p_holm", "verdict", "points", "uses", "rating", "shrunken"} <= set(row)
    (changed,) = found["changes"]
    assert (changed["first"], changed["second"]) == ("random", "basic")
    assert len(changed["characters"]) == 36


@contextlib.contextmanager
def stopped_at_once():
    event = threading.Event()
    event.set()
    yield event


def test_the_same_command_goes_on_with_sides_that_were_stopped(cosmic, tmp_path, monkeypatch):
    arguments = ["balance", "--games", 60, "--policy", "random", "--policy", "basic", "--no-lift", "--seed", 3]
    _, whole, _ = cosmic(*arguments, "--out", "whole")
    with monkeypatch.context() as patch:
        patch.setattr("cli.running.stop_on_signal", stopped_at_once)
        code, _, err = cosmic(*arguments, "--out", "sides")
    assert (code, err) == (130, "interrupted; go on with the same command and --seed 3 --out sides\n")
    assert cosmic("resume", "sides/random")[0] == 0
    code, out, _ = cosmic(*arguments, "--out", "sides")
    assert (code, out) == (0, whole.replace("folder: whole", "folder: sides"))
    for side in ("random", "basic"):
        first, second = (tmp_path / folder / side / "statistics.parquet" for folder in ("whole", "sides"))
        assert first.read_bytes() == second.read_bytes()
    code, _, err = cosmic(*arguments[:-1], 4, "--out", "sides")
    assert code == 2 and "seed was 3, not 4" in err


def test_balance_of_rules_is_the_difference_on_the_same_cards(cosmic):
    arguments = ["--set", "radar_low=119", "--against", "default", "--focus", "radarkontrolle", "--policy", "random", "--seed", 5]
    code, out, _ = cosmic("balance", "--deals", 120, *arguments, "--out", "rules", "--no-lift")
    assert code == 0
    assert "set less against, on the same 20 blocks" in out and "at the tables of both" in out


def test_a_table_of_three_is_looked_at_in_depth(cosmic):
    code, out, _ = cosmic("balance", "--games", 60, "--triple", "sphinx,laser,dealer", "--policy", "random", "--seed", 5, "--out", "t")
    assert code == 0
    assert "by seat" in out and "3 sphinx" in out


def test_tune_prints_the_curve_and_the_value(cosmic):
    arguments = ["radarkontrolle", "--set", "radar_low=80..100", "--games", 1200, "--policy", "random", "--seed", 2]
    code, out, _ = cosmic("tune", *arguments)
    assert code == 0
    assert out.splitlines()[-1].startswith(("33.3% is reached at radar low", "no value of radar low"))
    found = json.loads(cosmic("tune", *arguments, "--json")[1])
    assert found["rule"] == "radar_low" and found["rounds"][0]["values"] == [80, 85, 90, 95, 100]
    assert found["low"] is None or found["low"] <= found["high"]
