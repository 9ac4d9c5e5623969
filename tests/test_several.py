"""Many figures at once: bands, ranks, shrinkage, paired ratios; against slow references, libraries and simulated truth."""

import gc
import math
from fractions import Fraction

import numpy as np
import pytest
from simulated import REPETITIONS, assert_at_most, assert_nominal, block_sums, contains, generator, tournaments

from simcore.statistics import (
    block_interval,
    cross_sums,
    crossing,
    holm,
    max_t_quantile,
    paired_difference,
    paired_sums,
    product_sums,
    rank_intervals,
    ratio,
    ratio_covariance,
    ratio_difference,
    shrink,
    simultaneous_band,
    simultaneous_level,
    union_level,
    z_test,
)

FEW_DRAWS = 2_000


def equally_correlated(k, correlation):
    return np.full((k, k), correlation) + (1 - correlation) * np.eye(k)


# Paired differences


def two_sides(random, shape):
    """Tournaments that two sides play with the same luck, each with its own length; the first is better by 1 a deal.

    Returns n_b and x_b of both sides; the difference of their means per deal is 1.
    """
    luck = random.integers(-5, 6, shape)
    sides = []
    for gain in (1, 0):
        n_b = random.integers(4, 30, shape)
        sides += [n_b, n_b * (luck + gain) + random.integers(-9, 10, shape)]
    return sides


def difference_sums(sides, axis=-1):
    """Block sums of both sides and their cross sums, blocks along `axis`."""
    n_a, x_a, n_b, x_b = (np.moveaxis(side, axis, 0) for side in sides)
    return n_a.shape[0], block_sums(n_a, x_a, 0)[1:], block_sums(n_b, x_b, 0)[1:], cross_sums(n_a, x_a, n_b, x_b)


def slow_ratio_difference(n_a, x_a, n_b, x_b):
    """Difference and squared error as fractions, block by block."""
    blocks, sides = len(n_a), []
    for n, x in ((n_a, x_a), (n_b, x_b)):
        mean = Fraction(sum(x), sum(n))
        sides.append((mean, [(value - mean * m) / sum(n) for value, m in zip(x, n, strict=True)]))
    squares = sum((a - b) ** 2 for a, b in zip(sides[0][1], sides[1][1], strict=True))
    return sides[0][0] - sides[1][0], Fraction(blocks, blocks - 1) * squares


def test_the_difference_of_ratios_equals_a_block_by_block_computation_in_fractions():
    random = generator(1101)
    for _ in range(100):
        sides = [[int(v) for v in side] for side in two_sides(random, int(random.integers(2, 9)))]
        difference, error = ratio_difference(*difference_sums([np.array(side) for side in sides]))
        slow_difference, slow_square = slow_ratio_difference(*sides)
        assert difference == pytest.approx(float(slow_difference), rel=1e-12)
        assert error == pytest.approx(math.sqrt(slow_square), rel=1e-12)


def test_with_one_deal_in_each_block_the_difference_of_ratios_is_the_paired_difference():
    random = generator(1102)
    ones, a, b = np.ones(40, int), random.integers(0, 99, 40), random.integers(0, 99, 40)
    assert ratio_difference(*difference_sums([ones, a, ones, b])) == pytest.approx(paired_difference(*paired_sums(a, b)), rel=1e-12)


def test_sides_that_never_differ_have_an_error_of_exactly_zero():
    n_b, x_b, _ = tournaments(generator(1103), (50,))
    assert ratio_difference(*difference_sums([n_b, x_b, n_b, x_b])) == (0, 0)


def test_a_difference_with_a_side_without_observations_is_undefined():
    nothing, ones = np.zeros(3, int), np.ones(3, int)
    assert all(np.isnan(ratio_difference(*difference_sums([nothing, nothing, ones, ones]))))
    difference, error = ratio_difference(*difference_sums([ones[:1], ones[:1], ones[:1], 0 * ones[:1]]))
    assert difference == 1 and np.isnan(error)


def test_cross_sums_add_up_over_batches():
    sides = two_sides(generator(1104), (10, 3))
    whole, parts = cross_sums(*sides), [cross_sums(*(side[part] for side in sides)) for part in (slice(4), slice(4, 10))]
    assert (whole == parts[0] + parts[1]).all()


def test_paired_differences_cover_as_often_as_they_say():
    random = generator(1105)
    cards = random.integers(0, 120, (50, REPETITIONS))
    a, b = cards + random.poisson(5, cards.shape), cards + random.poisson(3, cards.shape)
    mean, error = paired_difference(*paired_sums(a, b))
    assert_nominal(contains(block_interval(mean, error, 50), 2))


def test_differences_of_ratios_cover_as_often_as_they_say_and_are_narrower_than_those_of_separate_runs():
    sides = two_sides(generator(1106), (REPETITIONS, 60))
    blocks, a, b, cross = difference_sums(sides)
    difference, error = ratio_difference(blocks, a, b, cross)
    assert_nominal(contains(block_interval(difference, error, blocks), 1))
    unpaired = np.hypot(ratio(blocks, *a)[1], ratio(blocks, *b)[1])
    assert np.median(error / unpaired) < 0.5


# Levels, Holm


def test_the_union_level_is_a_little_higher_than_that_of_independent_intervals():
    assert union_level(0.95, 1) == pytest.approx(0.95)
    assert union_level(0.95, 36) == pytest.approx(1 - 0.05 / 36)
    assert simultaneous_level(0.95, 36) < union_level(0.95, 36)
    with pytest.raises(ValueError, match="at least 1"):
        union_level(0.95, 0)


@pytest.mark.parametrize("correlation", [0.0, 0.7])
def test_holm_rarely_rejects_any_true_hypothesis_and_finds_the_false_ones(correlation, monkeypatch):
    # statsmodels collects garbage in every call, which takes a hundred times as long as the rest.
    monkeypatch.setattr(gc, "collect", lambda: 0)
    random = generator(1201)
    k, false = 12, 4
    estimates = random.standard_normal((REPETITIONS, k)) @ np.linalg.cholesky(equally_correlated(k, correlation)).T
    estimates[:, :false] += 5
    adjusted = np.array([holm(z_test(row, 1.0, 10**9)) for row in estimates])
    assert_at_most((adjusted[:, false:] < 0.05).any(axis=1))
    assert (adjusted[:, :false] < 0.05).mean() > 0.9


# Covariance and bands


def test_the_covariance_of_ratios_has_the_squared_errors_and_the_differences_that_the_pairs_have():
    n_a, x_a, n_b, x_b = two_sides(generator(1301), 30)
    mean, covariance = ratio_covariance(30, *product_sums(np.stack([n_a, n_b], 1), np.stack([x_a, x_b], 1)))
    for i, (n, x) in enumerate(((n_a, x_a), (n_b, x_b))):
        assert (mean[i], math.sqrt(covariance[i, i])) == pytest.approx(ratio(*block_sums(n, x)), rel=1e-12)
    difference, error = ratio_difference(*difference_sums([n_a, x_a, n_b, x_b]))
    assert mean[0] - mean[1] == pytest.approx(difference, rel=1e-10)
    assert covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1] == pytest.approx(error**2, rel=1e-10)


def test_the_covariance_of_single_observations_is_that_of_numpy():
    values = generator(1302).integers(0, 50, (20, 4))
    mean, covariance = ratio_covariance(20, *product_sums(np.ones((20, 4), int), values))
    assert mean == pytest.approx(values.mean(axis=0))
    assert covariance == pytest.approx(np.cov(values, rowvar=False) / 20, rel=1e-12)


def test_products_are_exact_in_either_arithmetic():
    values = generator(1306).integers(-(10**6), 10**6, (300, 2))
    for scale in (1, 10**2):
        exact = (scale * values.astype(object)).T @ (scale * values.astype(object))
        assert (product_sums(values, scale * values)[2] == exact).all()


def test_a_group_that_never_occurred_has_no_covariance():
    n_b, x_b = np.array([[1, 0], [1, 0], [1, 0]]), np.array([[1, 0], [2, 0], [4, 0]])
    mean, covariance = ratio_covariance(3, *product_sums(n_b, x_b))
    assert np.isnan(mean).tolist() == [False, True]
    assert np.isnan(covariance).tolist() == [[False, True], [True, True]]
    assert np.isnan(ratio_covariance(1, *product_sums(n_b[:1], x_b[:1]))[1]).all()


def test_the_quantile_of_one_estimate_is_students():
    from scipy.stats import norm, t

    assert max_t_quantile([[4.0]]) == pytest.approx(norm.ppf(0.975), abs=0.02)
    assert max_t_quantile([[4.0]], 8) == pytest.approx(t.ppf(0.975, 8), abs=0.03)


def test_the_quantile_of_independent_estimates_is_sidaks_and_of_equal_ones_that_of_one():
    from scipy.stats import norm

    sidak = norm.ppf(0.5 + simultaneous_level(0.95, 36) / 2)
    assert max_t_quantile(np.eye(36)) == pytest.approx(sidak, abs=0.02)
    assert max_t_quantile(np.ones((36, 36))) == pytest.approx(norm.ppf(0.975), abs=0.02)


def test_the_quantile_of_correlated_estimates_is_that_of_scipys_multivariate_t():
    from scipy.stats import multivariate_t

    covariance = equally_correlated(3, 0.6) * np.outer([1, 5, 0.1], [1, 5, 0.1])
    quantile = max_t_quantile(covariance, 20)
    corner = np.full(3, quantile)
    inside = multivariate_t(shape=equally_correlated(3, 0.6), df=20, seed=1).cdf(corner, lower_limit=-corner)
    assert inside == pytest.approx(0.95, abs=0.003)


def test_estimates_without_an_error_are_left_out_of_a_band():
    covariance = np.array([[1.0, np.nan, 0.0], [np.nan, np.nan, np.nan], [0.0, np.nan, 0.0]])
    low, high = simultaneous_band([5.0, np.nan, 2.0], covariance)
    assert (low[0], high[0]) == pytest.approx((5 - 1.96, 5 + 1.96), abs=0.02)
    assert (low[1], high[1]) == (-np.inf, np.inf)
    assert (low[2], high[2]) == (2, 2)
    assert math.isnan(max_t_quantile([[np.nan]]))


def characters_in_blocks(random, blocks, k):
    """Blocks in which three of k characters meet and share the luck of the cards; the true mean of character i is i / 10."""
    n_b, x_b = np.zeros((blocks, k), int), np.zeros((blocks, k), int)
    three = random.random((blocks, k)).argsort(axis=1)[:, :3]
    luck = random.integers(-20, 21, blocks)
    for i in three.T:
        n_b[np.arange(blocks), i] = 2
        x_b[np.arange(blocks), i] = 2 * (luck + i) + random.integers(-9, 10, blocks)
    return n_b, x_b


def band_holds(random, blocks, k, draws):
    mean, covariance = ratio_covariance(blocks, *product_sums(*characters_in_blocks(random, blocks, k)))
    return contains(simultaneous_band(mean, covariance, blocks * 3 / k - 1, 0.95, draws), np.arange(k)).all()


def test_a_band_from_blocks_holds_all_characters_as_often_as_it_says():
    random = generator(1303)
    assert_nominal(np.array([band_holds(random, 300, 6, FEW_DRAWS) for _ in range(REPETITIONS // 4)]))


@pytest.mark.slow
def test_a_band_from_blocks_holds_all_of_twelve_characters_as_often_as_it_says():
    random = generator(1304)
    assert_nominal(np.array([band_holds(random, 1_000, 12, FEW_DRAWS) for _ in range(REPETITIONS)]))


@pytest.mark.parametrize("correlation", [-1 / 12, 0.0, 0.8])
def test_a_band_holds_correlated_estimates_as_often_as_it_says(correlation):
    random = generator(1305)
    covariance = equally_correlated(12, correlation)
    estimates = random.standard_normal((REPETITIONS, 12)) @ np.linalg.cholesky(covariance).T
    low, high = simultaneous_band(np.zeros(12), covariance)
    assert_nominal(((low < estimates) & (estimates < high)).all(axis=1))


def test_a_band_is_narrower_than_sidaks_where_estimates_go_together():
    from scipy.stats import norm

    assert max_t_quantile(equally_correlated(36, 0.9)) < 0.85 * norm.ppf(0.5 + simultaneous_level(0.95, 36) / 2)


# Ranks


def test_ranks_are_certain_where_the_errors_are_small_and_open_where_they_are_large():
    mean = np.array([3.0, 1.0, 2.0])
    best, worst = rank_intervals(mean, 1e-6 * np.eye(3))
    assert best.tolist() == worst.tolist() == [1, 3, 2]
    best, worst = rank_intervals(mean, 100 * np.eye(3))
    assert best.tolist() == [1, 1, 1] and worst.tolist() == [3, 3, 3]


def test_ranks_tell_apart_what_only_pairs_tell_apart():
    # A common luck of all makes every single figure unsure and their differences certain.
    covariance = 100 + 1e-4 * np.eye(3)
    best, worst = rank_intervals([3.0, 1.0, 2.0], covariance)
    assert best.tolist() == worst.tolist() == [1, 3, 2]


def test_rank_intervals_of_unequal_and_nearly_equal_figures_hold_together():
    random = generator(1401)
    truth = np.array([5.0, 2.0, 1.9, 1.8, -1.0, -4.0])
    covariance = equally_correlated(6, 0.5)
    root, ranks = np.linalg.cholesky(covariance), 1 + (truth[None, :] > truth[:, None]).sum(axis=1)
    hits, sure = [], 0
    for _ in range(REPETITIONS):
        best, worst = rank_intervals(truth + root @ random.standard_normal(6), covariance, draws=FEW_DRAWS)
        hits.append(((best <= ranks) & (ranks <= worst)).all())
        sure += best[5] == 6
    assert_at_most(~np.array(hits))
    assert sure > 100


# Where a curve reaches a value


def test_a_straight_curve_is_crossed_where_lines_meet():
    x = np.array([80.0, 90.0, 100.0])
    mean = (x - 86) / 10
    root, left, right = crossing(x, mean, mean - 0.3, mean + 0.5, 0.0)
    assert (root, left, right) == pytest.approx((86, 81, 89))


def test_a_curve_that_may_cross_beyond_its_range_is_open_to_its_end():
    root, left, right = crossing([0, 1, 2], [1.0, 2.0, 3.0], [-1.0, 1.5, 2.5], [3.0, 2.5, 3.5], 0.0)
    assert math.isnan(root) and left == 0 and right == pytest.approx(0.4)
    assert all(map(math.isnan, crossing([0, 1], [3, 4], [2, 3], [4, 5], 0.0)))
    with pytest.raises(ValueError, match="increase"):
        crossing([0, 0], [1, 2], [1, 2], [1, 2], 0.0)


def test_a_falling_and_a_touching_curve_are_crossed_too():
    assert crossing([0, 1], [1, -1], [0.5, -1.5], [1.5, -0.5], 0.0) == pytest.approx((0.5, 0.25, 0.75))
    assert crossing([0, 1, 2], [1, 0, 1], [1, 0, 1], [1, 0, 1], 0.0) == pytest.approx((1, 1, 1))


def test_the_crossing_of_a_curve_on_common_random_numbers_covers_its_root_as_often_as_the_band():
    random = generator(1501)
    x, blocks, hits = np.arange(80, 101, 4.0), 80, []
    truth = (x - 90) / 20
    for _ in range(REPETITIONS):
        luck = random.normal(0, 1, (blocks, 1)) + random.normal(0, 0.05, (blocks, 1)) * (x - 90)
        values = np.rint(1000 * (truth + luck + random.normal(0, 0.3, (blocks, len(x))))).astype(int)
        mean, covariance = ratio_covariance(blocks, *product_sums(np.ones_like(values), values))
        low, high = simultaneous_band(mean, covariance, blocks - 1, draws=FEW_DRAWS)
        _, left, right = crossing(x, mean, low, high, 0.0)
        hits.append(left <= 90 <= right)
    assert_at_most(~np.array(hits))


# Shrinkage


def test_shrinkage_follows_morris_where_all_errors_are_equal():
    y = generator(1601).normal(0.3, 2.0, 12)
    result = shrink(y, np.ones(12))
    between = y.var(ddof=1) - 1
    pull = 9 / 11 / (1 + between)
    assert result.spread == pytest.approx(math.sqrt(between), rel=1e-5)
    assert result.center == pytest.approx(y.mean())
    assert result.mean == pytest.approx(y.mean() + (1 - pull) * (y - y.mean()), rel=1e-5)
    squares = 1 - 11 / 12 * pull + 2 / 9 * pull**2 * (y - y.mean()) ** 2
    assert result.standard_error == pytest.approx(np.sqrt(squares), rel=1e-5)


def test_the_spread_of_the_truths_solves_the_equation_of_paule_and_mandel():
    random = generator(1602)
    error = random.uniform(0.01, 0.05, 20)
    y = random.normal(0.33, 0.04, 20) + error * random.standard_normal(20)
    result = shrink(y, error)
    weight = 1 / (error**2 + result.spread**2)
    center = weight @ y / weight.sum()
    assert result.center == pytest.approx(center)
    assert weight @ (y - center) ** 2 == pytest.approx(19, abs=1e-4)


def test_shrinkage_pulls_the_unsure_more_and_keeps_the_scale():
    y, error = np.array([1.0, 1.0, -1.0, -1.0, 0.0, 0.2]), np.array([0.1, 0.9, 0.1, 0.9, 0.1, 0.1])
    result = shrink(y, error)
    assert abs(result.mean[1] - result.center) < abs(result.mean[0] - result.center)
    scaled = shrink(1e-6 * y, 1e-6 * error)
    assert scaled.mean == pytest.approx(1e-6 * result.mean, rel=1e-6)


def test_figures_of_unknown_error_are_left_as_they_are():
    y, error = np.array([1.0, 2.0, np.nan, 4.0, 3.0, 7.0]), np.array([1.0, 1.0, np.nan, 1.0, 1.0, np.nan])
    result = shrink(y, error)
    assert result.mean[5] == 7 and np.isnan(result.mean[2])
    assert (result.low[5], result.high[5]) == (-np.inf, np.inf)
    assert result.mean[[0, 1, 3, 4]] == pytest.approx(shrink(y[[0, 1, 3, 4]], error[[0, 1, 3, 4]]).mean)
    with pytest.raises(ValueError, match="at least 4"):
        shrink(y[:3], error[:3])


@pytest.mark.parametrize("spread", [0.5, 1.0, 3.0])
def test_shrunken_figures_are_nearer_to_the_truth_and_cover_it_on_average(spread):
    random = generator(1603)
    k, repetitions = 36, REPETITIONS
    error = random.uniform(0.7, 1.3, k)
    hits, raw, shrunken = [], 0.0, 0.0
    for _ in range(repetitions):
        truth = random.normal(0, spread, k)
        y = truth + error * random.standard_normal(k)
        result = shrink(y, error)
        # One figure of each repetition, in turn: they depend on each other inside one.
        one = len(hits) % k
        hits.append(result.low[one] <= truth[one] <= result.high[one])
        raw += ((y - truth) ** 2).sum()
        shrunken += ((result.mean - truth) ** 2).sum()
    assert_nominal(np.array(hits))
    assert shrunken < raw * (1 - 0.5 / (1 + spread**2))


def test_shrinkage_of_equal_truths_covers_at_least_as_often_as_it_says():
    random = generator(1604)
    hits = []
    for _ in range(REPETITIONS):
        result = shrink(random.standard_normal(12), np.ones(12))
        hits.append(result.low[0] <= 0 <= result.high[0])
    assert_at_most(~np.array(hits))
