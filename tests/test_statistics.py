"""Estimators against slow references, against scipy and statsmodels, and against simulated truth."""

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import (
    REPETITIONS,
    assert_at_most,
    assert_nominal,
    block_sums,
    contains,
    generator,
    tournament_wins,
    tournaments,
)

from simcore.statistics import (
    MIN_BLOCKS,
    asymptotic_sequence,
    beta_binomial_sequence,
    block_interval,
    bounded_mean_sequence,
    decimals,
    effective_blocks,
    empirical_bernstein_sequence,
    equivalence,
    histogram_moments,
    holm,
    intervals,
    paired_difference,
    paired_sums,
    rate_equivalence,
    rate_interval,
    rate_test,
    ratio,
    ratio_difference,
    simultaneous_level,
    wilson,
    z_test,
)

HUGE = 10**12

LEVELS = st.sampled_from([0.5, 0.9, 0.95, 0.999, 1 - 1e-9])
COUNTS = st.one_of(st.integers(1, 30), st.integers(1, HUGE))


# Ratio


def slow_ratio(n_b, x_b):
    """Mean and squared standard error as fractions, block by block."""
    blocks, n = len(n_b), sum(n_b)
    mean = Fraction(sum(x_b), n)
    squares = sum((x - mean * m) ** 2 for m, x in zip(n_b, x_b, strict=True))
    return mean, Fraction(blocks, blocks - 1) * squares / n**2


def test_the_ratio_and_its_error_equal_a_block_by_block_computation_in_fractions():
    random = generator(101)
    for _ in range(200):
        blocks = int(random.integers(2, 12))
        n_b = [int(v) for v in random.integers(0, 9, blocks)]
        n_b[0] += 1
        x_b = [int(v) * m for v, m in zip(random.integers(-50, 50, blocks), n_b, strict=True)]
        mean, error = ratio(*block_sums(n_b, x_b))
        slow_mean, slow_square = slow_ratio(n_b, x_b)
        assert mean == pytest.approx(float(slow_mean), rel=1e-14)
        assert error == pytest.approx(math.sqrt(slow_square), rel=1e-14)


def test_the_error_equals_the_cluster_robust_error_of_a_regression_on_a_constant():
    from statsmodels.regression.linear_model import OLS

    random = generator(102)
    n_b = random.integers(1, 7, 25)
    cluster = np.repeat(np.arange(25), n_b)
    values = random.integers(-9, 10, 25)[cluster] + random.integers(-9, 10, len(cluster))
    fitted = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": cluster})
    mean, error = ratio(*block_sums(n_b, np.bincount(cluster, values).astype(int)))
    assert mean == pytest.approx(fitted.params[0], rel=1e-12)
    assert error == pytest.approx(fitted.bse[0], rel=1e-12)


def test_with_one_observation_per_block_the_error_is_the_classic_one():
    random = generator(103)
    values = random.integers(-20, 21, 50)
    mean, error = ratio(*block_sums(np.ones(50, int), values))
    assert mean == pytest.approx(values.mean(), rel=1e-14)
    assert error == pytest.approx(values.std(ddof=1) / math.sqrt(50), rel=1e-14)


def test_the_ratio_broadcasts_and_keeps_the_shape():
    mean, error = ratio(3, [[3], [0]], [4, 4, 4], 6, 4, [[3], [0]])
    assert mean.shape == error.shape == (2, 3)
    assert np.isnan(mean[1]).all() and np.isnan(error[1]).all()
    assert mean[0] == pytest.approx(4 / 3)


def test_what_is_undefined_is_nan():
    assert all(np.isnan(ratio(5, 0, 0, 0, 0, 0)))
    assert all(np.isnan(ratio(0, 0, 0, 0, 0, 0)))
    mean, error = ratio(1, 4, 6, 36, 24, 16)
    assert mean == 1.5 and np.isnan(error)


def test_a_tiny_spread_on_huge_sums_is_not_lost_to_rounding():
    # Half the blocks score 10^9, the other half 10^9 + 1: in float64 the squares would swallow the difference.
    score, half = 10**9, HUGE // 2
    x, xx = half * (2 * score + 1), half * (score**2 + (score + 1) ** 2)
    mean, error = ratio(HUGE, HUGE, x, xx, x, HUGE)
    assert mean == pytest.approx(score + 0.5, rel=1e-15)
    assert error == pytest.approx(0.5 / math.sqrt(HUGE), rel=1e-9)


def test_sums_that_contradict_each_other_are_refused():
    with pytest.raises(ValueError, match="contradict"):
        ratio(10, 10, 30, 2, 30, 10)
    with pytest.raises(ValueError, match="contradict"):
        ratio(2, 10, 5, 13, 25, 20)


def test_sums_that_are_no_integers_are_refused():
    with pytest.raises(TypeError):
        ratio(10, 10, 3.0, 3, 3, 10)


def test_effective_blocks_count_equal_blocks_and_ignore_empty_ones():
    assert effective_blocks(12, 4 * 9) == 4
    assert effective_blocks(0, 0) == 0
    assert effective_blocks(np.array([6, 6]), np.array([36, 6])).tolist() == [1, 6]


# Wilson and block intervals


def test_wilson_equals_scipy_and_statsmodels():
    from scipy.stats import binomtest
    from statsmodels.stats.proportion import proportion_confint

    for n in (1, 2, 7, 50, 10_000):
        for successes in {0, 1, n // 3, n - 1, n}:
            for level in (0.8, 0.95, 0.999):
                low, high = wilson(successes, n, level)
                theirs = binomtest(successes, n).proportion_ci(level, "wilson")
                assert (low, high) == pytest.approx((theirs.low, theirs.high), rel=1e-9, abs=1e-12)
                assert (low, high) == pytest.approx(proportion_confint(successes, n, 1 - level, "wilson"), rel=1e-9, abs=1e-12)


@given(COUNTS, st.data(), LEVELS)
def test_wilson_holds_the_rate_and_stays_in_range(n, data, level):
    successes = data.draw(st.one_of(st.sampled_from([0, 1, n - 1, n]), st.integers(0, n)))
    low, high = wilson(successes, n, level)
    assert 0 <= low <= successes / n <= high <= 1
    assert low < high
    assert (low == 0) == (successes == 0)
    mirrored_low, mirrored_high = wilson(n - successes, n, level)
    assert (1 - mirrored_high, 1 - mirrored_low) == pytest.approx((low, high), abs=1e-15)


def test_no_observations_allow_every_rate():
    assert wilson(0, 0) == (0, 1)
    assert rate_interval(7, 0, 0, 0, 0, 0) == (0, 1)
    assert beta_binomial_sequence(0, 0) == (0, 1)
    assert bounded_mean_sequence(0, 0, -3, 8) == (-3, 8)


def test_wilson_covers_random_rates_as_often_as_it_says():
    random = generator(201)
    for n in (5, 40, 1_000):
        rates = random.random(REPETITIONS)
        assert_nominal(contains(wilson(random.binomial(n, rates), n), rates))


def test_a_block_interval_of_single_observations_is_the_t_interval_of_scipy():
    from scipy.stats import ttest_1samp

    random = generator(202)
    values = random.integers(0, 100, 12)
    mean, error = ratio(*block_sums(np.ones(12, int), values))
    theirs = ttest_1samp(values, 0).confidence_interval(0.9)
    assert block_interval(mean, error, 12, 0.9) == pytest.approx((theirs.low, theirs.high), rel=1e-12)


def test_a_block_interval_is_clipped_and_is_the_whole_range_where_nothing_is_known():
    assert block_interval(0.1, 0.2, 10, 0.95, 0, 1)[0] == 0
    assert block_interval(0.9, 0.2, 10, 0.95, 0, 1)[1] == 1
    assert block_interval(0.5, np.nan, 1, 0.95, 0, 1) == (0, 1)
    assert block_interval(np.nan, np.nan, 5) == (-np.inf, np.inf)
    low, high = block_interval([1.0, np.nan], [0.1, np.nan], 30)
    assert low[0] < 1 < high[0] and (low[1], high[1]) == (-np.inf, np.inf)


def test_block_intervals_of_tournaments_cover_the_mean_per_deal_and_deals_taken_as_independent_do_not():
    random = generator(203)
    n_b, x_b, truth = tournaments(random, (REPETITIONS, 50))
    sums = block_sums(n_b, x_b)
    mean, error = ratio(*sums)
    assert_nominal(contains(block_interval(mean, error, 50), truth))
    spread_within = math.sqrt(4 + 10 + np.var(np.arange(4, 30)))
    assert contains(block_interval(mean, spread_within / np.sqrt(sums[1]), sums[1]), truth).mean() < 0.8


@given(COUNTS, st.data(), LEVELS)
def test_a_rate_interval_of_single_observations_is_wilson(n, data, level):
    x = data.draw(st.one_of(st.sampled_from([0, 1, n - 1, n]), st.integers(0, n)))
    empty_blocks = data.draw(st.integers(0, 10))
    assert rate_interval(n + empty_blocks, n, x, x, x, n, level) == pytest.approx(wilson(x, n, level), rel=1e-12, abs=1e-15)


def slow_rate_interval(n_b, x_b, level):
    """The rate interval from its definition: all candidates whose score is below the quantile, on a grid."""
    from scipy.stats import norm, t

    n, kish = sum(n_b), sum(n_b) ** 2 / sum(m * m for m in n_b)
    mean, square = slow_ratio(n_b, x_b)
    rate = float(mean)
    if sum(x_b) in (0, n):
        effective = kish
    else:
        effective = min(n, 1 + rate * (1 - rate) / square) if square else n
    quantile = norm.ppf((1 + level) / 2) if max(n_b) == 1 else t.ppf((1 + level) / 2, kish - 1)
    grid = np.linspace(0, 1, 200_001)[1:-1]
    inside = grid[np.abs(rate - grid) <= quantile * np.sqrt(grid * (1 - grid) / effective)]
    return inside[0], inside[-1]


def test_a_rate_interval_holds_the_rates_whose_score_on_the_effective_size_is_small():
    random = generator(204)
    for kind in range(60):
        n_b = [int(v) for v in random.integers(1, 2 + kind % 5, 8)]
        x_b = [[0, int(random.integers(0, m + 1)), m][kind % 3] for m in n_b]
        assert rate_interval(*block_sums(n_b, x_b)) == pytest.approx(slow_rate_interval(n_b, x_b, 0.95), abs=2e-5)


def student_level(freedom):
    """The level whose normal quantile is Student's quantile at 95 %."""
    from scipy.stats import norm, t

    return 2 * norm.cdf(t.ppf(0.975, freedom)) - 1


def test_blocks_that_are_all_or_nothing_count_as_one_observation_each():
    n_b, x_b = np.full(40, 6), np.repeat([6, 0], [10, 30])
    level = student_level(39)
    assert rate_interval(*block_sums(n_b, x_b)) == pytest.approx(wilson(10, 40, level), rel=1e-9)
    assert rate_interval(*block_sums(n_b, 0 * n_b)) == pytest.approx(wilson(0, 40, level), rel=1e-9, abs=1e-15)
    assert rate_interval(*block_sums(n_b, n_b)) == pytest.approx(wilson(40, 40, level), rel=1e-9)


def test_a_rate_interval_never_claims_more_observations_than_there_are():
    # One winner of four in every deal: the rate has no spread at all between blocks.
    assert rate_interval(100, 400, 100, 100, 400, 1600) == pytest.approx(wilson(100, 400, student_level(99)), rel=1e-9)


def test_one_block_with_several_observations_says_nothing_about_a_rate():
    assert rate_interval(1, 9, 3, 9, 27, 81) == (0, 1)


def test_rates_above_one_are_refused():
    with pytest.raises(ValueError, match="0 <= x <= n"):
        rate_interval(5, 5, 6, 10, 6, 5)
    with pytest.raises(ValueError, match="between 0 and n"):
        wilson(6, 5)


@pytest.mark.parametrize(("blocks", "rate"), [(30, 0.25), (200, 0.25), (200, 0.05)])
def test_rate_intervals_of_tournaments_cover_as_often_as_they_say(blocks, rate):
    random = generator(205)
    assert_nominal(contains(rate_interval(*block_sums(*tournament_wins(random, (REPETITIONS, blocks), rate))), rate))


@pytest.mark.parametrize("blocks", [10, 30])
def test_rare_wins_in_few_tournaments_cost_a_rate_interval_at_most_two_points_of_coverage(blocks):
    random = generator(207)
    hits = contains(rate_interval(*block_sums(*tournament_wins(random, (REPETITIONS, blocks), 0.05))), 0.05)
    assert_at_most(~hits, 0.07)


def test_at_a_border_correlated_blocks_are_not_taken_for_independent_observations():
    random = generator(206)
    n_b = np.full((REPETITIONS, 20), 12)
    x_b = np.where(random.random((REPETITIONS, 20)) < 0.05, 12, 0)
    sums = block_sums(n_b, x_b)
    assert contains(rate_interval(*sums), 0.05).mean() > 0.92
    assert contains(wilson(sums[2], sums[1]), 0.05).mean() < 0.7


def wins_of_the_strongest(random, n_cards, games_on_them):
    """Whether the strongest of three wins, bool (games, cards): the luck of the cards is that of the seats, and the seats are permuted."""
    strengths, luck = np.array([0.5, 0.0, -0.5]), random.normal(0, 2, (n_cards, 3))
    won = []
    for seating in list(permutations(range(3)))[:games_on_them]:
        marks = luck + strengths[list(seating)] + random.gumbel(size=luck.shape)
        won.append(marks.argmax(axis=1) == seating.index(0))
    return np.array(won)


def test_six_seatings_on_the_same_cards_tell_more_than_six_games_and_still_cover():
    random = generator(208)
    truth = wins_of_the_strongest(random, 1_000_000, 6).mean()
    blocks = wins_of_the_strongest(random, 200 * REPETITIONS, 6).sum(axis=0).reshape(REPETITIONS, 200)
    games = np.concatenate([wins_of_the_strongest(random, 200 * REPETITIONS, 1)[0].reshape(REPETITIONS, 200) for _ in range(6)], axis=1)
    sums = block_sums(np.full_like(blocks, 6), blocks)
    duplicate = block_interval(*ratio(*sums), 200, low=0, high=1)
    independent = rate_interval(*block_sums(np.ones(games.shape, int), games.astype(int)))
    assert_nominal(contains(duplicate, truth))
    assert_nominal(contains(independent, truth))
    assert np.median(duplicate[1] - duplicate[0]) < 0.8 * np.median(independent[1] - independent[0])
    # An interval of a rate claims no more observations than there are, and so gives the gain away.
    assert_at_most(~contains(rate_interval(*sums), truth))


# Sequences


def slow_beta_binomial(successes, n, level, a, b):
    """The interval by root finding on the mixture martingale as the textbook writes it."""
    from scipy.optimize import brentq
    from scipy.special import betaln, xlog1py, xlogy

    def excess(p):
        mixture = betaln(a + successes, b + n - successes) - betaln(a, b)
        return mixture - xlogy(successes, p) - xlog1py(n - successes, -p) + math.log(1 - level)

    rate = successes / n
    low = 0.0 if successes == 0 else brentq(excess, 1e-300, rate, xtol=1e-15)
    high = 1.0 if successes == n else brentq(excess, rate, 1 - 1e-16, xtol=1e-15)
    return low, high


def test_the_beta_binomial_sequence_equals_root_finding_on_the_martingale():
    random = generator(301)
    for _ in range(150):
        n = int(random.integers(1, 2_000))
        successes = float(random.choice([0, n, int(random.integers(0, n + 1)), n * random.random()]))
        a, b = random.choice([0.1, 0.5, 1.0, 7.5, 300.0], 2)
        level = float(random.choice([0.5, 0.95, 0.9999]))
        ours = beta_binomial_sequence(successes, n, level, a, b)
        assert ours == pytest.approx(slow_beta_binomial(successes, n, level, a, b), rel=1e-7, abs=1e-10)


def test_the_mixture_is_computed_without_loss_for_huge_counts():
    # With a uniform prior the mixture over the likelihood at the rate tends to sqrt(2 pi r (1 - r) / n).
    for n, tolerance in ((10**6, 1e-5), (HUGE, 1e-11)):
        mixture = intervals._log_mixture_at_rate(np.array(0.25 * n), np.array(0.75 * n), np.array(1.0), np.array(1.0))
        assert mixture == pytest.approx(0.5 * math.log(2 * math.pi * 0.1875 / n), abs=tolerance)


@settings(deadline=None)
@given(COUNTS, st.data(), LEVELS, st.sampled_from([0.01, 0.5, 1, 40]), st.sampled_from([0.01, 0.5, 1, 40]))
def test_the_beta_binomial_sequence_holds_the_rate_and_stays_in_range(n, data, level, a, b):
    successes = data.draw(st.one_of(st.sampled_from([0, 1, n - 1, n]), st.integers(0, n), st.floats(0, n)))
    low, high = beta_binomial_sequence(successes, n, level, a, b)
    assert 0 <= low <= successes / n <= high <= 1
    assert low < high


def exact_chance_of_a_miss(rate, n_max, interval):
    """Probability that `interval` leaves out the true rate at some n from 1 to n_max, by dynamic programming over the counts."""
    alive = np.array([1.0])
    missed = 0.0
    for n in range(1, n_max + 1):
        alive = np.append(alive * (1 - rate), 0.0) + np.append(0.0, alive * rate)
        out = ~contains(interval(np.arange(n + 1), n), rate)
        missed += alive[out].sum()
        alive[out] = 0.0
    return missed


@pytest.mark.parametrize("rate", [0.02, 0.25, 0.5])
def test_the_exact_chance_that_the_beta_binomial_sequence_ever_misses_is_within_the_level(rate):
    assert 0.005 < exact_chance_of_a_miss(rate, 200, beta_binomial_sequence) <= 0.05
    assert exact_chance_of_a_miss(rate, 200, lambda s, n: beta_binomial_sequence(s, n, 0.8, 2, 6)) <= 0.2


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.02, 0.25, 0.5])
def test_the_exact_chance_of_a_miss_stays_within_the_level_up_to_1500_looks(rate):
    assert 0.01 < exact_chance_of_a_miss(rate, 1_500, beta_binomial_sequence) <= 0.05


def test_wilson_looked_at_again_and_again_misses_far_more_often_than_it_says():
    assert exact_chance_of_a_miss(0.25, 250, wilson) > 0.2


def ever_missed(values, truth, looks, interval):
    """Whether interval(n, sum) leaves out `truth` at one of the looks; one row of `values` is one run."""
    totals = np.cumsum(values, axis=1)[:, looks - 1]
    missed = np.zeros(len(values), bool)
    for n, column in zip(looks, totals.T, strict=True):
        distinct, where = np.unique(column, return_inverse=True)
        missed |= ~contains(interval(n, distinct), truth)[where]
    return missed


FEW_LOOKS = np.unique(np.geomspace(10, 5_000, 100).astype(int))
ALL_LOOKS = np.arange(10, 5_001)


def check_that_beta_binomial_sequences_rarely_ever_miss(looks):
    random = generator(302)
    for rate in (0.03, 0.25, 0.5):
        values = random.random((REPETITIONS, looks[-1])) < rate
        assert_at_most(ever_missed(values, rate, looks, lambda n, s: beta_binomial_sequence(s, n)))


def check_that_bounded_mean_sequences_rarely_ever_miss(looks):
    random = generator(303)
    for low, high, values in (
        (-2, 3, random.integers(-2, 4, (REPETITIONS, looks[-1]))),
        (-1, 1, 2 * random.integers(0, 2, (REPETITIONS, looks[-1])) - 1),
        (0, 120, random.choice([0, 30, 120], p=[0.9, 0.08, 0.02], size=(REPETITIONS, looks[-1]))),
    ):
        truth = {-2: 0.5, -1: 0.0, 0: 4.8}[low]
        assert_at_most(ever_missed(values, truth, looks, lambda n, s, low=low, high=high: bounded_mean_sequence(n, s, low, high)))


def test_the_beta_binomial_sequence_rarely_ever_misses_while_watched():
    check_that_beta_binomial_sequences_rarely_ever_miss(FEW_LOOKS)


def test_the_bounded_mean_sequence_rarely_ever_misses_while_watched():
    check_that_bounded_mean_sequences_rarely_ever_miss(FEW_LOOKS)


@pytest.mark.slow
def test_the_beta_binomial_sequence_rarely_ever_misses_watched_at_every_number():
    check_that_beta_binomial_sequences_rarely_ever_miss(ALL_LOOKS)


@pytest.mark.slow
def test_the_bounded_mean_sequence_rarely_ever_misses_watched_at_every_number():
    check_that_bounded_mean_sequences_rarely_ever_miss(ALL_LOOKS)


@pytest.mark.parametrize("seed, low, high", [(1, 0, 1), (2, -156, 156), (3, 0, 20)])
def test_the_empirical_bernstein_sequence_rarely_ever_misses_while_watched(seed, low, high):
    random = generator(seed)
    # A lump in a corner of the range, and now and then a value at one of its ends.
    lump = random.integers(int(low + 0.6 * (high - low)), int(low + 0.7 * (high - low)) + 1, (300, 2_000))
    values = np.where(random.random(lump.shape) < 0.02, low, lump).astype(float)
    truth = 0.02 * low + 0.98 * np.mean(np.arange(int(low + 0.6 * (high - low)), int(low + 0.7 * (high - low)) + 1))
    missed = np.zeros(len(values), bool)
    for n in (10, 30, 100, 300, 1_000, 2_000):
        left, right = empirical_bernstein_sequence(values[:, :n].T, low, high)
        missed |= (truth < left) | (truth > right)
    assert missed.mean() <= 0.05


def test_the_empirical_bernstein_sequence_narrows_with_the_variance():
    values = generator(4).integers(-10, 11, 5_000)
    narrow, wide = empirical_bernstein_sequence(values, -156, 156), bounded_mean_sequence(5_000, values.sum(), -156, 156)
    assert narrow[1] - narrow[0] < (wide[1] - wide[0]) / 5
    assert empirical_bernstein_sequence(np.zeros((0, 2)), -3, 8)[1].tolist() == [8, 8]
    with pytest.raises(ValueError, match="leave the given range"):
        empirical_bernstein_sequence([200.0], -156, 156)


def test_the_bounded_mean_sequence_is_the_rescaled_beta_binomial_one():
    low, high = bounded_mean_sequence(40, 13, -2, 3)
    left, right = beta_binomial_sequence((13 + 80) / 5, 40)
    assert (low, high) == pytest.approx((-2 + 5 * left, -2 + 5 * right), rel=1e-14)
    assert bounded_mean_sequence(40, -80, -2, 3)[0] == -2
    assert bounded_mean_sequence(40, 120, -2, 3)[1] == 3


def test_a_sum_that_the_range_cannot_yield_is_refused():
    with pytest.raises(ValueError, match="cannot come from"):
        bounded_mean_sequence(10, 31, -2, 3)
    with pytest.raises(ValueError, match="low < high"):
        bounded_mean_sequence(10, 1, 3, 3)


@settings(deadline=None)
@given(COUNTS, st.data(), LEVELS, st.sampled_from([(0, 1), (-120, 240), (1e6, 1e6 + 1), (0, 0.1)]))
def test_the_bounded_mean_sequence_holds_the_mean_and_stays_in_range(n, data, level, limits):
    low, high = limits
    share = data.draw(st.floats(0, 1))
    total = n * low + share * n * (high - low)
    left, right = bounded_mean_sequence(n, total, low, high, level)
    assert low <= left < right <= high
    tolerance = 1e-9 * (high - low)
    assert left - tolerance <= low + share * (high - low) <= right + tolerance


def test_the_asymptotic_sequence_is_tightest_where_it_was_asked_to_be():
    for at in (200, 10_000, 10**7):
        for level in (0.8, 0.95, 0.9999):
            blocks = at
            there = asymptotic_sequence(blocks, 0.0, 1.0, level, at)[1]
            assert there < asymptotic_sequence(blocks, 0.0, 1.0, level, at * 1.02)[1]
            assert there < asymptotic_sequence(blocks, 0.0, 1.0, level, at / 1.02)[1]


def test_the_asymptotic_sequence_equals_the_normal_mixture_boundary_and_the_mixture_integral():
    from scipy.integrate import quad
    from scipy.stats import norm

    blocks, level, at = 2_500, 0.95, 1_000
    half = asymptotic_sequence(blocks, 0.0, 1 / math.sqrt(blocks), level, at)[1]
    best = -2 * math.log(0.05)
    for _ in range(100):
        best = math.log(1 + best) - 2 * math.log(0.05)
    variance = best / at
    # Sum of the values at the boundary: the mixture of likelihood ratios exp(m s - m^2 t / 2) over m has reached 1 / alpha there.
    total = half * blocks
    mixture, _ = quad(lambda m: math.exp(m * total - m * m * blocks / 2) * norm.pdf(m, scale=math.sqrt(variance)), -0.2, 0.4, limit=200)
    assert mixture == pytest.approx(20, rel=1e-6)


def test_the_asymptotic_sequence_is_infinitely_wide_where_it_cannot_be_trusted():
    everything = (-np.inf, np.inf)
    assert asymptotic_sequence(MIN_BLOCKS - 1, 3.0, 0.1) == everything
    assert asymptotic_sequence(HUGE, 3.0, 0.0) == everything
    assert asymptotic_sequence(HUGE, np.nan, np.nan) == everything
    assert asymptotic_sequence(0, np.nan, np.nan) == everything
    low, high = asymptotic_sequence([MIN_BLOCKS - 1, MIN_BLOCKS], 3.0, 0.1)
    assert np.isfinite(high).tolist() == np.isfinite(low).tolist() == [False, True]


def ever_missed_by_the_asymptotic_sequence(n_b, x_b, truth, looks, tightest_at):
    n_b, x_b = n_b.astype(float), x_b.astype(float)
    n, x, xx, xn, nn = (np.cumsum(v, axis=1)[:, looks - 1] for v in (n_b, x_b, x_b * x_b, x_b * n_b, n_b * n_b))
    mean = x / n
    error = np.sqrt(looks / (looks - 1) * np.maximum(xx - 2 * mean * xn + mean * mean * nn, 0)) / n
    return ~contains(asymptotic_sequence(looks, mean, error, 0.95, tightest_at), truth).all(axis=1)


def check_that_asymptotic_sequences_rarely_ever_miss(looks):
    random = generator(304)
    shape = (REPETITIONS, looks[-1])
    single = np.ones(shape, np.int8)
    n_b, x_b = tournament_wins(random, shape, 0.25)
    runs = (
        (single, random.normal(size=shape), 0.0),
        (single, random.exponential(size=shape), 1.0),
        (single, random.random(shape) < 0.25, 0.25),
        (n_b, x_b, 0.25),
    )
    for n_b, x_b, truth in runs:
        for tightest_at in (1_000, 10_000):
            assert_at_most(ever_missed_by_the_asymptotic_sequence(n_b, x_b, truth, looks, tightest_at))


def test_the_asymptotic_sequence_rarely_ever_misses_from_its_first_blocks_on():
    check_that_asymptotic_sequences_rarely_ever_miss(np.unique(np.geomspace(MIN_BLOCKS, 1_000, 200).astype(int)))


@pytest.mark.slow
def test_the_asymptotic_sequence_rarely_ever_misses_up_to_5000_blocks():
    check_that_asymptotic_sequences_rarely_ever_miss(np.unique(np.geomspace(MIN_BLOCKS, 5_000, 1_000).astype(int)))


@pytest.mark.slow
def test_tournaments_with_informative_lengths_rarely_ever_leave_the_asymptotic_sequence():
    random = generator(305)
    looks = np.unique(np.geomspace(MIN_BLOCKS, 1_000, 300).astype(int))
    n_b, x_b, truth = tournaments(random, (REPETITIONS, looks[-1]))
    assert_at_most(ever_missed_by_the_asymptotic_sequence(n_b, x_b, truth, looks, 1_000))


# Paired differences and tests


def test_a_paired_difference_equals_scipys_paired_t_test():
    from scipy.stats import ttest_rel

    random = generator(401)
    cards = random.integers(0, 120, 60)
    a, b = cards + random.integers(0, 9, 60), cards + random.integers(0, 7, 60)
    blocks, total, squares = paired_sums(a, b)
    mean, error = paired_difference(blocks, total, squares)
    theirs = ttest_rel(a, b)
    assert mean == pytest.approx((a - b).mean(), rel=1e-14)
    assert z_test(mean, error, blocks) == pytest.approx(theirs.pvalue, rel=1e-10)
    interval = theirs.confidence_interval(0.95)
    assert block_interval(mean, error, blocks) == pytest.approx((interval.low, interval.high), rel=1e-10)
    assert error < math.hypot(a.std(ddof=1), b.std(ddof=1)) / math.sqrt(60) / 4


def test_paired_sums_do_not_wrap_small_or_unsigned_integers():
    blocks, total, squares = paired_sums(np.array([0, 0], np.uint8), np.array([255, 255], np.uint8))
    assert (blocks, total, squares) == (2, -510, 2 * 255**2)
    blocks, total, squares = paired_sums(np.array([2**62, 2**62]), np.array([-(2**62), -(2**62)]))
    assert (blocks, total, squares) == (2, 2**64, 2**127)


def test_paired_sums_of_several_measures_go_through_at_once():
    a, b = np.arange(12).reshape(4, 3), np.ones((4, 3), int)
    mean, error = paired_difference(*paired_sums(a, b))
    assert mean == pytest.approx((a - b).mean(axis=0))
    assert error == pytest.approx((a - b).std(axis=0, ddof=1) / 2)


def test_the_z_test_equals_scipys_t_test():
    from scipy.stats import ttest_1samp

    random = generator(402)
    values = random.integers(0, 50, 15)
    mean, error = ratio(*block_sums(np.ones(15, int), values))
    for target in (0, 20, 25.5):
        assert z_test(mean, error, 15, target) == pytest.approx(ttest_1samp(values, target).pvalue, rel=1e-10)


def test_equivalence_equals_the_two_one_sided_tests_of_statsmodels():
    from statsmodels.stats.weightstats import DescrStatsW

    random = generator(403)
    values = random.integers(0, 50, 40)
    mean, error = ratio(*block_sums(np.ones(40, int), values))
    for target, margin in ((25, 5), (20, 3), (27, 12), (60, 4)):
        theirs = DescrStatsW(values).ttost_mean(target - margin, target + margin)[0]
        assert equivalence(mean, error, 40, target, margin) == pytest.approx(theirs, rel=1e-9)


def test_tests_without_a_spread_are_undefined():
    assert np.isnan(z_test(1.0, 0.0, 10, 0.0))
    assert np.isnan(z_test(1.0, np.nan, 1, 0.0))
    assert np.isnan(equivalence(1.0, 0.0, 10, 1.0, 0.5))
    assert np.isnan(equivalence(np.nan, np.nan, 0, 1.0, 0.5))


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_a_rate_test_rejects_just_what_the_rate_interval_leaves_out(level):
    random = generator(404)
    for size in (2, 6):
        n_b = random.integers(1, size, (100, 15))
        sums = block_sums(n_b, random.binomial(n_b, random.beta(1, 2, (100, 15))))
        for end in rate_interval(*sums, level):
            inner = (end > 0) & (end < 1)
            assert rate_test(*sums, end)[inner] == pytest.approx(1 - level, rel=1e-6)


def test_a_rate_test_has_an_answer_at_the_borders():
    assert rate_test(100, 100, 0, 0, 0, 100, 0.25) < 1e-6
    assert rate_test(5, 5, 0, 0, 0, 5, 0.25) == pytest.approx(0.197, abs=1e-3)
    assert rate_test(5, 0, 0, 0, 0, 0, 0.25) == 1
    assert rate_test(5, 5, 0, 0, 0, 5, 0.0) == 1
    assert rate_test(5, 5, 1, 1, 1, 5, 0.0) == 0
    assert rate_test(5, 5, 5, 5, 5, 5, 1.0) == 1


def test_a_rate_test_of_single_observations_equals_the_score_test_of_statsmodels():
    from statsmodels.stats.proportion import proportions_ztest

    for x, n, target in ((3, 20, 0.25), (40, 100, 0.5), (17, 30, 0.6)):
        theirs = proportions_ztest(x, n, target, prop_var=target)[1]
        assert rate_test(n, n, x, x, x, n, target) == pytest.approx(theirs, rel=1e-9)


def test_a_rate_is_equivalent_when_its_interval_lies_inside_the_margin():
    random = generator(405)
    n_b = random.integers(1, 5, (300, 60))
    sums = block_sums(n_b, random.binomial(n_b, 0.25))
    low, high = rate_interval(*sums, 0.9)
    p = rate_equivalence(*sums, 0.25, 0.08)
    assert ((p < 0.05) == ((low > 0.17) & (high < 0.33))).all()
    assert 20 < (p < 0.05).sum() < 280


def test_an_end_of_the_margin_outside_the_rates_is_not_tested():
    from scipy.stats import norm

    score = (0.1 - 0.02) / math.sqrt(0.1 * 0.9 / 100)
    assert rate_equivalence(100, 100, 2, 2, 2, 100, 0.04, 0.06) == pytest.approx(norm.sf(score), rel=1e-9)
    assert rate_equivalence(100, 100, 98, 98, 98, 100, 0.96, 0.06) == pytest.approx(norm.sf(score), rel=1e-9)
    assert rate_equivalence(5, 0, 0, 0, 0, 0, 0.25, 0.05) == 1


def test_false_rejections_of_tests_on_tournaments_are_as_rare_as_they_say():
    random = generator(406)
    n_b, x_b, truth = tournaments(random, (REPETITIONS, 60))
    mean, error = ratio(*block_sums(n_b, x_b))
    assert_nominal(z_test(mean, error, 60, truth) >= 0.05)
    assert_at_most(equivalence(mean, error, 60, truth - 2, 2) < 0.05)
    wins = block_sums(*tournament_wins(random, (REPETITIONS, 60), 0.25))
    assert_nominal(rate_test(*wins, 0.25) >= 0.05)
    assert_at_most(rate_equivalence(*wins, 0.2, 0.05) < 0.05)


# Many at once


def test_the_simultaneous_level_makes_independent_intervals_hold_together():
    assert simultaneous_level(0.95, 1) == 0.95
    assert simultaneous_level(0.95, np.array([1, 36])) ** [1, 36] == pytest.approx([0.95, 0.95], rel=1e-14)
    assert 0.95 < simultaneous_level(0.95, HUGE) < 1
    with pytest.raises(ValueError, match="at least 1"):
        simultaneous_level(0.95, 0)


@pytest.mark.parametrize("correlation", [-1 / 40, 0.0, 0.6])
def test_simultaneous_intervals_of_equally_correlated_characters_hold_together(correlation):
    random = generator(501)
    k = 36
    covariance = np.full((k, k), correlation) + (1 - correlation) * np.eye(k)
    estimates = random.standard_normal((REPETITIONS, k)) @ np.linalg.cholesky(covariance).T
    together = contains(block_interval(estimates, 1.0, HUGE, simultaneous_level(0.95, k)), 0.0).all(axis=1)
    assert_at_most(~together)


def slow_holm(p_values):
    k, running, adjusted = len(p_values), 0.0, {}
    for rank, i in enumerate(sorted(range(k), key=lambda i: p_values[i])):
        running = max(running, min(1.0, (k - rank) * p_values[i]))
        adjusted[i] = running
    return [adjusted[i] for i in range(k)]


@settings(deadline=None, max_examples=25)
@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_equals_the_step_down_rule(p_values):
    assert holm(p_values) == pytest.approx(slow_holm(p_values), rel=1e-12)


def test_holm_leaves_out_tests_that_could_not_be_done():
    adjusted = holm([0.01, np.nan, 0.04, 0.03])
    assert np.isnan(adjusted[1])
    assert adjusted[[0, 2, 3]] == pytest.approx([0.03, 0.06, 0.06])
    assert np.isnan(holm([np.nan])).all()
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, 1.5])


# Printing and histograms


@given(st.floats(1e-14, 1e3))
def test_the_last_printed_digit_is_about_as_large_as_the_error(error):
    digits = decimals(error)
    unit = 10.0**-digits
    assert unit <= error / 3.5 * (1 + 1e-9)
    assert digits == 0 or unit >= error / 35 * (1 - 1e-9)


def test_decimals_of_familiar_errors():
    expected = {0.012: 3, 0.034: 3, 0.036: 2, 0.05: 2, 0.1: 2, 0.5: 1, 1.4: 1, 4.0: 0, 20.0: 0, 1e6: 0, 1e-300: 15}
    assert {error: decimals(error) for error in expected} == expected
    assert decimals(0.0) == decimals(np.nan) == decimals(np.inf) == 3
    assert decimals(np.nan, otherwise=1) == 1


def test_the_moments_of_a_histogram_are_those_of_the_written_out_observations():
    random = generator(601)
    values, counts = random.integers(-50, 50, 20), random.integers(0, 9, 20)
    written_out = np.repeat(values, counts)
    n, mean, sd = histogram_moments(values, counts)
    assert (n, mean, sd) == pytest.approx((len(written_out), written_out.mean(), written_out.std(ddof=1)), rel=1e-12)


def test_the_moments_of_few_and_of_very_many_observations():
    n, mean, sd = histogram_moments([3, 4], [0, 0])
    assert n == 0 and math.isnan(mean) and math.isnan(sd)
    n, mean, sd = histogram_moments([3, 4], [0, 1])
    assert (n, mean) == (1, 4) and math.isnan(sd)
    n, mean, sd = histogram_moments([3, 4], [10**18, 10**18])
    assert (n, mean, sd) == pytest.approx((2 * 10**18, 3.5, 0.5))
    with pytest.raises(ValueError, match="negative"):
        histogram_moments([3, 4], [1, -1])


# Everything on extreme counts


@settings(deadline=None)
@given(COUNTS, COUNTS, st.data(), LEVELS)
def test_nothing_overflows_or_warns_on_extreme_blocks(blocks, size, data, level):
    # All blocks hold `size` observations; `winners` of the blocks are all yes, one may be split.
    winners = data.draw(st.one_of(st.sampled_from([0, blocks]), st.integers(0, blocks)))
    part = data.draw(st.integers(0, size)) if winners < blocks else 0
    n, x = blocks * size, winners * size + part
    sums = blocks, n, x, winners * size**2 + part**2, x * size, blocks * size**2
    mean, error = ratio(*sums)
    assert 0 <= mean <= 1 and (blocks == 1 or error >= 0)
    low, high = rate_interval(*sums, level)
    assert 0 <= low <= high <= 1 and low - 1e-15 <= mean <= high + 1e-15
    assert high > low
    low, high = block_interval(mean, error, blocks, level, 0, 1)
    assert 0 <= low <= mean <= high <= 1
    assert 0 <= rate_test(*sums, 0.25) <= 1
    assert 0 <= rate_equivalence(*sums, 0.25, 0.01) <= 1
    assert not z_test(mean, error, blocks, 0.25) > 1
    assert not equivalence(mean, error, blocks, 0.25, 0.01) > 1
    low, high = asymptotic_sequence(blocks, mean, error, level)
    assert low <= mean <= high


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, np.nan])
def test_a_level_that_is_no_probability_is_refused(level):
    for call in (
        lambda: wilson(1, 2, level),
        lambda: block_interval(1, 2, 3, level),
        lambda: rate_interval(2, 2, 1, 1, 1, 2, level),
        lambda: beta_binomial_sequence(1, 2, level),
        lambda: bounded_mean_sequence(2, 1, 0, 1, level),
        lambda: asymptotic_sequence(200, 1, 1, level),
        lambda: simultaneous_level(level, 3),
    ):
        with pytest.raises(ValueError, match="level"):
            call()


def test_the_paired_difference_of_ratios_is_that_of_its_residuals():
    random = generator(7)
    n, m = random.integers(1, 6, 400), random.integers(1, 6, 400)
    x, y = random.integers(0, 20, 400) + 3 * n, random.integers(0, 20, 400) + 2 * m
    sums = [
        [int((a * b).sum()) for a, b in pairs]
        for pairs in (
            ((n, 1), (x, 1), (x, x), (x, n), (n, n)),
            ((m, 1), (y, 1), (y, y), (y, m), (m, m)),
            ((x, y), (x, m), (n, y), (n, m)),
        )
    ]
    difference, error = ratio_difference(400, *sums)
    assert difference == pytest.approx(x.sum() / n.sum() - y.sum() / m.sum())
    residuals = (x - n * x.sum() / n.sum()) / n.mean() - (y - m * y.sum() / m.sum()) / m.mean()
    assert error == pytest.approx(residuals.std(ddof=1) / 20)


def test_the_paired_difference_of_ratios_is_the_paired_difference_where_all_blocks_have_one_observation():
    random = generator(8)
    x, y, one = random.integers(0, 9, 50), random.integers(0, 9, 50), np.ones(50, int)
    mine, theirs = ([50, int(v.sum()), int((v * v).sum()), int(v.sum()), 50] for v in (x, y))
    cross = [int((a * b).sum()) for a, b in ((x, y), (x, one), (one, y), (one, one))]
    assert ratio_difference(50, mine, theirs, cross) == pytest.approx(paired_difference(*paired_sums(x, y)))
    assert all(map(math.isnan, ratio_difference(50, mine, [0] * 5, [0] * 4)))
    same = ratio_difference(50, mine, mine, [mine[2], mine[3], mine[3], mine[4]])
    assert same == (0.0, 0.0)
