"""Means, intervals and tests from block sums, one figure at a time."""

import math
import operator

import numpy as np

MIN_BLOCKS = 100
"""Number of blocks from which on `asymptotic_sequence` has a finite width."""

_BISECTIONS = 64
_ALMOST_ONE = math.nextafter(1.0, 0.0)
_TINY = 1e-250
_MAX_DECIMALS = 15


# Block sums


def ratio(blocks, n, x, xx, xn, nn):
    """Mean per observation and its standard error, from block sums.

    The mean is the ratio r = x / n. Numerator and denominator both vary from block to block, so the error is that of the
    linearised ratio (Cochran 1977, chapter 6): the residuals x_b - r n_b are treated as a sample of B independent values,

        se^2 = B / (B - 1) * sum (x_b - r n_b)^2 / n^2.

    With one observation in every block this is s / sqrt(n). The sums are combined in exact integer arithmetic, hence neither
    overflow nor cancellation, however large they are.

    Parameters
    ----------
    blocks, n, x, xx, xn, nn : int or array of int
        The block sums, see the module's docstring. They broadcast.

    Returns
    -------
    mean : float64
        x / n in the measure's unit; nan if n = 0.
    standard_error : float64
        In the measure's unit; nan if n = 0 or blocks < 2.

    Raises
    ------
    TypeError
        If a sum is no integer.
    ValueError
        If the sums contradict each other (an overflow upstream does that).
    """
    return _each(_ratio, 2, blocks, n, x, xx, xn, nn)


def effective_blocks(n, nn):
    """Number of equally large blocks that carry as much as the blocks at hand (Kish 1965): n^2 / nn.

    At most the number of blocks with an observation. Worth passing as `blocks` to `block_interval`, `z_test` and `equivalence` if
    the group is absent from most blocks, where B - 1 degrees of freedom promise too much.

    Parameters
    ----------
    n, nn : int or array of int
        Sum of n_b and sum of n_b squared.

    Returns
    -------
    float64
        0 if n = 0.
    """
    return _each(_effective_blocks, 1, n, nn)[0]


def paired_sums(a, b):
    """Block sums of a paired comparison: blocks, sum and sum of squares of the differences a - b.

    Parameters
    ----------
    a, b : array of int, shape (blocks, ...)
        What each side got in every block, on the same cards in the same order.

    Returns
    -------
    blocks : int
    total, squares : int or object array of int, shape (...)
        Exact; for `paired_difference`.
    """
    difference = _exact(a) - _exact(b)
    return len(difference), difference.sum(axis=0), (difference * difference).sum(axis=0)


def paired_difference(blocks, total, squares):
    """Mean difference per block and its standard error, both sides having played the same cards.

    What the cards do to both sides alike cancels inside the block, so only the spread of the differences counts: s / sqrt(blocks).
    If both sides have the same n_b observations per block and the difference per observation is wanted, use `ratio` with
    x_b = a_b - b_b.

    Parameters
    ----------
    blocks : int or array of int
        Number of pairs.
    total, squares : int or array of int
        Sum of the differences of the pairs, and of their squares; see `paired_sums`.

    Returns
    -------
    mean : float64
        nan if blocks = 0.
    standard_error : float64
        nan if blocks < 2.
    """
    return ratio(blocks, blocks, total, squares, total, blocks)


def cross_sums(n_a, x_a, n_b, x_b):
    """Sums over the blocks of the products of two sides, what `ratio_difference` needs besides the block sums of each side.

    Parameters
    ----------
    n_a, x_a, n_b, x_b : array of int, shape (blocks, ...)
        Number of observations of each side in every block, and their sum.

    Returns
    -------
    array of int64, shape (4, ...)
        Sums of x_a x_b, x_a n_b, n_a x_b and n_a n_b. They add up over batches of blocks.
    """
    n_a, x_a, n_b, x_b = (np.asarray(part, np.int64) for part in (n_a, x_a, n_b, x_b))
    return np.stack([(one * other).sum(axis=0) for one, other in ((x_a, x_b), (x_a, n_b), (n_a, x_b), (n_a, n_b))])


def ratio_difference(blocks, a, b, cross):
    """Difference a - b of two means per observation, both sides having played the same blocks, and its standard error.

    Where the sides differ in their number of observations in a block (tournaments of another length, deals of another kind) there
    are no pairs of observations, but there are still pairs of blocks: the error is that of the difference of the two linearised
    ratios, block by block (Cochran 1977, chapter 6; Särndal, Swensson and Wretman 1992, section 5.6). With one observation of each
    side in every block it is that of `paired_difference`. Exact integer arithmetic up to the last step, so sides that never differ
    have an error of exactly 0.

    Parameters
    ----------
    blocks : int or array of int
    a, b : sequence of five ints or arrays of int
        n, x, xx, xn and nn of each side, see the package's docstring.
    cross : sequence of four ints or arrays of int
        From `cross_sums`.

    Returns
    -------
    difference : float64
        nan if one side has no observation.
    standard_error : float64
        nan if moreover blocks < 2.
    """
    return _each(_ratio_difference, 2, blocks, *a, *b, *cross)


# Intervals for a number of blocks fixed beforehand


def wilson(successes, n, level=0.95):
    """Interval of a rate from n independent yes-no observations (Wilson 1927).

    All rates p whose score statistic |successes / n - p| / sqrt(p (1 - p) / n) is at most the normal quantile. Never empty, never
    outside [0, 1], and of positive width at 0 and n, where it reaches 0 and 1 exactly.

    Parameters
    ----------
    successes, n : int or float or array
        0 <= successes <= n.
    level : float or array

    Returns
    -------
    low, high : float64
        (0, 1) if n = 0.
    """
    successes, n = _successes(successes, n)
    return _wilson(successes, n - successes, _quantile(np.inf, level))


def block_interval(mean, standard_error, blocks, level=0.95, low=-np.inf, high=np.inf):
    """Interval of a mean from its block standard error: mean -+ t * standard_error (Student 1908).

    t has blocks - 1 degrees of freedom. If all blocks are equal the width is zero; a rate, where that is misleading, goes to
    `rate_interval`.

    Parameters
    ----------
    mean, standard_error : float or array
        From `ratio` or `paired_difference`.
    blocks : int or float or array
        Number of blocks; see also `effective_blocks`.
    level : float or array
    low, high : float or array
        Range of the measure; the interval is clipped to it.

    Returns
    -------
    low, high : float64
        The whole range where mean or error are undefined or blocks < 2.
    """
    mean, standard_error, blocks = _floats(mean, standard_error, blocks)
    known = np.isfinite(mean) & np.isfinite(standard_error) & (blocks > 1)
    quantile = _quantile(np.where(known, blocks - 1.0, 1.0), level)
    half = np.where(known, standard_error, 0.0) * quantile
    return _around(mean, half, known, low, high)


def rate_interval(blocks, n, x, xx, xn, nn, level=0.95):
    """Interval of a rate whose observations depend on each other inside the blocks.

    The Wilson interval on the effective sample size, as for complex surveys (Korn and Graubard 1998; Franco et al. 2019): the
    number of independent observations whose rate would have the block standard error, n_e = 1 + r (1 - r) / se^2. It is n if the
    blocks hold one observation each, and the number of blocks if equally large blocks are all yes or all no.

    Borders, each on the careful side:

    - Blocks that balance each other out (every block has the same number of winners) could push n_e beyond n, up to a zero width;
      n_e is at most n. A design in which they do so on purpose (all seatings of the same cards) gains nothing here; with dozens of
      blocks take `block_interval` or `simultaneous_band`, which are narrower and cover.
    - At x = 0 and x = n the blocks show no spread from which dependence could be seen, so the strongest is assumed: n_e is the
      number of effective blocks, n^2 / nn (with one observation in each block, n).
    - If some block has more than one observation, n_e is an estimate, and the quantile is Student's with n^2 / nn - 1 degrees of
      freedom instead of the normal one. A single block with several observations gives (0, 1).

    With at most one observation in each block it equals ``wilson(x, n, level)``.

    Parameters
    ----------
    blocks, n, x, xx, xn, nn : int or array of int
        The block sums of a yes-no measure, 0 <= x_b <= n_b.
    level : float or array

    Returns
    -------
    low, high : float64
        (0, 1) if n = 0.
    """
    successes, failures, freedom = _each(_effective_counts, 3, blocks, n, x, xx, xn, nn)
    return _wilson(successes, failures, _quantile(freedom, level))


# Intervals that stay valid however often one looks


def beta_binomial_sequence(successes, n, level=0.95, a=0.5, b=0.5):
    """Interval of a rate that holds at every n at once, so that a run may be watched and stopped by it.

    For each candidate p the likelihood ratio of a beta(a, b) mixture of rates against p is a nonnegative martingale that starts
    at 1 if p is the truth; by Ville's inequality it ever reaches 1 / (1 - level) with probability at most 1 - level (Robbins 1970;
    Howard et al. 2021). The interval is the set of p that have not got there. Not asymptotic: exact for independent yes-no
    observations, and valid as well for values anywhere in [0, 1] with the same mean, given the past (the factor is convex in the
    value, so it is then a supermartingale).

    The independent unit is the block: where observations depend on each other inside a block, `n` counts blocks and `successes`
    adds up one value in [0, 1] per block (for instance, the block's own rate).

    Parameters
    ----------
    successes, n : int or float or array
        Running sum and number of the values, 0 <= successes <= n.
    level : float or array
    a, b : float or array
        The mixture, both positive. One half each is never far from the best at any n. A prior around the expected rate, with
        a + b about as large as the n that matters, is a little narrower there.

    Returns
    -------
    low, high : float64
        Found by bisection and rounded outward; (0, 1) if n = 0.
    """
    successes, n = _successes(successes, n)
    level, a, b = _level(level), np.asarray(a, float), np.asarray(b, float)
    if not (np.all(a > 0) and np.all(b > 0)):
        raise ValueError("a and b must be positive")
    successes, n, level, a, b = np.broadcast_arrays(successes, n, level, a, b)
    failures = n - successes
    # The log martingale at p is n KL(rate, p) plus a term without p: what remains of the threshold is the room for the first.
    room = -np.log1p(-level) - _log_mixture_at_rate(successes, failures, a, b)
    trials = np.where(n > 0, n, 1.0)
    rate = np.where(n > 0, successes / trials, 0.5)
    other = np.where(n > 0, failures / trials, 0.5)
    low = rate - _reach(successes, failures, rate, other, room)
    high = rate + _reach(failures, successes, other, rate, room)
    return np.maximum(low, 0.0)[()], np.minimum(high, 1.0)[()]


def bounded_mean_sequence(n, total, low, high, level=0.95, a=0.5, b=0.5):
    """Interval of the mean of values in [low, high] that holds at every n at once; not asymptotic, needs only n and the sum.

    The values are rescaled to [0, 1] and handed to `beta_binomial_sequence`, whose supermartingale is sub-Bernoulli: it covers any
    distribution on the range (Howard et al. 2021). The price is a width as if every value stood at one of the two ends; where
    the values crowd in the middle, `asymptotic_sequence` is narrower.

    Parameters
    ----------
    n : int or array of int
        Number of independent values: blocks, if there is more than one observation in a block.
    total : int or float or array
        Their sum, one value per block.
    low, high : float or array
        Range that no value can leave, finite, low < high.
    level : float or array
    a, b : float or array
        As in `beta_binomial_sequence`, for the rescaled mean.

    Returns
    -------
    low, high : float64
        The whole range if n = 0.
    """
    n, total, low, high = _floats(n, total, low, high)
    width = high - low
    if not (np.all(np.isfinite(width)) and np.all(width > 0)):
        raise ValueError("the range of the measure must be finite, low < high")
    scaled = (total - n * low) / width
    slack = 1e-9 * (1.0 + n * (1.0 + np.maximum(np.abs(low), np.abs(high)) / width))
    if not np.all((scaled >= -slack) & (scaled <= n + slack)):
        raise ValueError("the sum cannot come from n values in the given range")
    left, right = beta_binomial_sequence(np.clip(scaled, 0.0, n), n, level, a, b)
    # A range far from 0 has coarser floating-point numbers than [0, 1]: round outward again.
    left, right = np.nextafter(low + width * left, -np.inf), np.nextafter(low + width * right, np.inf)
    return np.maximum(left, low)[()], np.minimum(right, high)[()]


def empirical_bernstein_sequence(values, low, high, level=0.95):
    """Interval of the mean of values in [low, high] that holds at every n at once and narrows with their variance; not asymptotic.

    The predictable plug-in empirical Bernstein sequence (Waudby-Smith & Ramdas 2024): every value is weighted by a bet that depends
    on the spread of the values before it. Where the values keep to a small part of their range it is far narrower than
    `bounded_mean_sequence`, but it needs the values themselves, in their order.

    Parameters
    ----------
    values : array of shape (n, ...)
        Independent values, the first axis in the order in which they came.
    low, high : float
        Range that no value can leave, finite, low < high.
    level : float

    Returns
    -------
    low, high : float64 of shape (...)
        The whole range if n = 0.
    """
    values = np.asarray(values, float)
    alpha, width = 1.0 - float(_level(level)), high - low
    if not (math.isfinite(width) and width > 0):
        raise ValueError("the range of the measure must be finite, low < high")
    x = (values - low) / width
    if not np.all((x >= -1e-9) & (x <= 1 + 1e-9)):
        raise ValueError("the values leave the given range")
    n = len(x)
    if n == 0:
        return np.full(x.shape[1:], float(low))[()], np.full(x.shape[1:], float(high))[()]
    t = np.arange(1, n + 1).reshape(-1, *[1] * (x.ndim - 1))
    means = (0.5 + np.cumsum(x, axis=0)) / (t + 1)
    variances = (0.25 + np.cumsum((x - means) ** 2, axis=0)) / (t + 1)
    # What is known before each value: the guesses 1/2 and 1/4 before the first.
    mean_before = np.concatenate([np.full_like(x[:1], 0.5), means[:-1]])
    variance_before = np.concatenate([np.full_like(x[:1], 0.25), variances[:-1]])
    bets = np.minimum(np.sqrt(2 * math.log(2 / alpha) / (variance_before * t * np.log1p(t))), 0.75)
    costs = 4 * (x - mean_before) ** 2 * (-np.log1p(-bets) - bets) / 4
    total = bets.sum(axis=0)
    centre = (bets * x).sum(axis=0) / total
    half = (math.log(2 / alpha) + costs.sum(axis=0)) / total
    return (low + width * np.clip(centre - half, 0.0, 1.0))[()], (low + width * np.clip(centre + half, 0.0, 1.0))[()]


def asymptotic_sequence(blocks, mean, standard_error, level=0.95, tightest_at=10_000):
    """Interval of a block mean that holds at every number of blocks from `MIN_BLOCKS` on, by a central limit argument.

    The confidence sequence of a normal mixture with the running variance put in (Robbins 1970; Waudby-Smith et al. 2021+). Works
    for any ratio of block sums and any measure with a finite variance, and needs no range. It is asymptotic: the error
    probability, over all looks together, tends to at most 1 - level as the first look moves out, and is not guaranteed at any
    given number. Hence no finite interval before `MIN_BLOCKS`, and none while the standard error is 0 (blocks that have all been
    equal say nothing about their spread).

    How far to trust it, from simulation of 2,000 runs watched from 100 to 5,000 blocks at 95 %, `tightest_at` 1,000: normal blocks
    leave the interval at some time in 3.5 % of the runs, exponential ones in 4.5 %, but a rate of 3 % does in 11 %. For rare events
    and heavy tails take `beta_binomial_sequence` or `bounded_mean_sequence`, which do not rest on a limit.

    Parameters
    ----------
    blocks : int or array of int
        Number of independent blocks so far.
    mean, standard_error : float or array
        Of these blocks, from `ratio` or `paired_difference`.
    level : float or array
    tightest_at : float or array
        Number of blocks at which the interval is as narrow as it can be made: there 1.55 times as wide as `block_interval`, ten
        times earlier 1.95 times, ten times later 1.66 times (at 95 %). It has to be chosen before looking.

    Returns
    -------
    low, high : float64
        (-inf, inf) where undefined.
    """
    from scipy.special import lambertw

    blocks, mean, standard_error, tightest_at = _floats(blocks, mean, standard_error, tightest_at)
    if not np.all(tightest_at > 0):
        raise ValueError("tightest_at must be positive")
    alpha = 1.0 - _level(level)
    # Minimising the width over the mixture's variance gives u = log(1 + u) - 2 log(alpha), with u = variance * blocks.
    best = -lambertw(-alpha * alpha / math.e, -1).real - 1.0
    known = np.isfinite(mean) & (standard_error > 0) & np.isfinite(standard_error) & (blocks >= MIN_BLOCKS)
    u = best * np.where(known, blocks, 1.0) / tightest_at
    half = np.where(known, standard_error, 0.0) * np.sqrt((1.0 + 1.0 / u) * (np.log1p(u) - 2.0 * np.log(alpha)))
    return _around(mean, half, known, -np.inf, np.inf)


# Tests


def z_test(mean, standard_error, blocks, target=0.0):
    """Two-sided p-value of "the mean is `target`", from the block standard error.

    (mean - target) / standard_error against Student's distribution with blocks - 1 degrees of freedom, which is the normal one for
    many blocks: p < 1 - level just when `block_interval` at that level (unclipped) leaves out the target.

    Parameters
    ----------
    mean, standard_error, blocks, target : float or array

    Returns
    -------
    float64
        nan where mean or error are undefined, blocks < 2, or the error is 0 (for rates `rate_test` has an answer there).
    """
    mean, standard_error, blocks, target = _floats(mean, standard_error, blocks, target)
    known, scale = _usable(mean, standard_error, blocks)
    p = 2.0 * _upper_tail(np.abs(mean - target) / scale, blocks - 1.0)
    return np.where(known, p, np.nan)[()]


def rate_test(blocks, n, x, xx, xn, nn, target):
    """Two-sided p-value of "the rate is `target`", observations depending on each other inside the blocks.

    The score test that `rate_interval` inverts, with its effective sample size: p < 1 - level just when the interval at that level
    leaves out the target. Sensible at 0 and n successes.

    Parameters
    ----------
    blocks, n, x, xx, xn, nn : int or array of int
        The block sums of a yes-no measure.
    target : float or array
        In [0, 1].

    Returns
    -------
    float64
        1 if n = 0.
    """
    target = np.asarray(target, float)
    if not np.all((target >= 0) & (target <= 1)):
        raise ValueError("a rate to test against must be between 0 and 1")
    score, freedom = _score(blocks, n, x, xx, xn, nn, target)
    return np.minimum(2.0 * _upper_tail(np.abs(score), freedom), 1.0)[()]


def equivalence(mean, standard_error, blocks, target, margin):
    """p-value of two one-sided tests: small if the mean is shown to lie within `margin` of `target` (Schuirmann 1987).

    The null hypothesis is "off by at least the margin", so a small p says *balanced*; a large one does not say *unbalanced*. Below
    alpha just when the 1 - 2 alpha `block_interval` (unclipped) lies inside target -+ margin.

    Parameters
    ----------
    mean, standard_error, blocks, target : float or array
    margin : float or array
        Positive, in the measure's unit; set by the person who asks, before looking.

    Returns
    -------
    float64
        nan where mean or error are undefined, blocks < 2, or the error is 0 (for rates see `rate_equivalence`).
    """
    mean, standard_error, blocks, target = _floats(mean, standard_error, blocks, target)
    margin = _margin(margin)
    known, scale = _usable(mean, standard_error, blocks)
    nearer = (margin - np.abs(mean - target)) / scale
    return np.where(known, _upper_tail(nearer, blocks - 1.0), np.nan)[()]


def rate_equivalence(blocks, n, x, xx, xn, nn, target, margin):
    """p-value of two one-sided score tests: small if the rate is shown to lie within `margin` of `target`.

    As `equivalence`, with the effective sample size of `rate_interval`. An end of the range target -+ margin that lies outside
    [0, 1] cannot be crossed and is not tested.

    Parameters
    ----------
    blocks, n, x, xx, xn, nn : int or array of int
        The block sums of a yes-no measure.
    target : float or array
    margin : float or array
        Positive.

    Returns
    -------
    float64
        1 if n = 0.
    """
    target, margin = np.asarray(target, float), _margin(margin)
    bottom, top = target - margin, target + margin
    above, freedom = _score(blocks, n, x, xx, xn, nn, np.clip(bottom, 0.0, 1.0))
    below, _ = _score(blocks, n, x, xx, xn, nn, np.clip(top, 0.0, 1.0))
    p_bottom = np.where(bottom < 0, 0.0, _upper_tail(above, freedom))
    p_top = np.where(top > 1, 0.0, _upper_tail(-below, freedom))
    empty = np.asarray(n) == 0
    return np.where(empty, 1.0, np.maximum(p_bottom, p_top))[()]


# Printing and histograms


def decimals(standard_error, otherwise=3):
    """Number of decimals to print beside a standard error, so that the last digit is about as large as the error.

    Two significant digits of the error if they are at most 35, else one: 0.012 -> 3, 0.034 -> 3, 0.05 -> 2, 1.4 -> 1, 20 -> 0.

    Parameters
    ----------
    standard_error : float
    otherwise : int
        Result for an error that is 0 or undefined.

    Returns
    -------
    int
        0 to 15.
    """
    standard_error = float(standard_error)
    if not math.isfinite(standard_error) or standard_error <= 0:
        return otherwise
    return min(max(math.floor(-math.log10(standard_error / 3.5)) + 1, 0), _MAX_DECIMALS)


def histogram_moments(values, counts):
    """Number, mean and sample standard deviation of the observations in a histogram.

    Parameters
    ----------
    values : array, shape (k,)
        Finite values in the measure's unit.
    counts : array of int, shape (k,)
        How often each occurred.

    Returns
    -------
    n : int
    mean : float
        nan if n = 0.
    sd : float
        With divisor n - 1; nan if n < 2. Divided by sqrt(n) it is a standard error only if the observations are independent.
    """
    counts = _exact(counts)
    values = np.asarray(values, float)
    if values.shape != counts.shape:
        raise ValueError("values and counts must have the same shape")
    if np.any(counts < 0):
        raise ValueError("counts must not be negative")
    n = int(counts.sum())
    if n == 0:
        return 0, math.nan, math.nan
    weights = counts.astype(float)
    mean = float(np.sum(weights * values) / n)
    sd = math.sqrt(float(np.sum(weights * (values - mean) ** 2)) / (n - 1)) if n > 1 else math.nan
    return n, mean, sd


# Exact arithmetic on block sums, one group at a time


def _exact(integers):
    """The same integers as Python ints (object array), which cannot overflow; TypeError if some are no integers."""
    return np.asarray(np.frompyfunc(operator.index, 1, 1)(np.asarray(integers, dtype=object)), dtype=object)


def _each(function, n_results, *sums):
    """`function` of Python ints, broadcast over the arrays of block sums, with float64 results."""
    results = np.frompyfunc(function, len(sums), n_results)(*(_exact(s) for s in sums))
    return tuple(np.asarray(r, float)[()] for r in (results if n_results > 1 else (results,)))


def _residual_squares(blocks, n, x, xx, xn, nn):
    """n^2 times the sum of (x_b - r n_b)^2 over the blocks, exactly."""
    squares = n * n * xx - 2 * n * x * xn + x * x * nn
    if n < 0 or blocks < 0 or nn < n or n * n > blocks * nn or squares < 0:
        raise ValueError(f"block sums contradict each other: {blocks=}, {n=}, {x=}, {xx=}, {xn=}, {nn=}")
    return squares


def _ratio(blocks, n, x, xx, xn, nn):
    squares = _residual_squares(blocks, n, x, xx, xn, nn)
    if n == 0:
        return math.nan, math.nan
    if blocks < 2:
        return x / n, math.nan
    return x / n, math.sqrt(blocks * squares / ((blocks - 1) * n**4))


def _ratio_difference(blocks, n, x, xx, xn, nn, m, y, yy, ym, mm, xy, x_m, n_y, n_m):
    a, b = _residual_squares(blocks, n, x, xx, xn, nn), _residual_squares(blocks, m, y, yy, ym, mm)
    if n == 0 or m == 0:
        return math.nan, math.nan
    both = n * m * xy - n * y * x_m - x * m * n_y + x * y * n_m
    squares = a * m**4 + b * n**4 - 2 * both * n * n * m * m
    if squares < 0:
        raise ValueError("the cross sums contradict the block sums")
    difference = (x * m - y * n) / (n * m)
    return difference, math.sqrt(blocks * squares / ((blocks - 1) * (n * m) ** 4)) if blocks > 1 else math.nan


def _effective_blocks(n, nn):
    return n * n / nn if n else 0.0


def _effective_counts(blocks, n, x, xx, xn, nn):
    """Successes and failures scaled to the effective sample size, and degrees of freedom; see `rate_interval`."""
    squares = _residual_squares(blocks, n, x, xx, xn, nn)
    if not 0 <= x <= n:
        raise ValueError(f"a rate needs 0 <= x <= n: {x=}, {n=}")
    if n == 0:
        return 0.0, 0.0, math.inf
    if blocks < 2 or x in (0, n):
        effective = n * n / nn
    elif squares == 0:
        effective = n
    else:
        effective = min(n, 1 + x * (n - x) * n * n * (blocks - 1) / (blocks * squares))
    kept = effective / n
    return x * kept, (n - x) * kept, math.inf if nn == n else n * n / nn - 1


# Shared pieces, on float64 arrays


def _floats(*arrays):
    return [np.asarray(a, float) for a in arrays]


def _level(level):
    level = np.asarray(level, float)
    if not np.all((level > 0) & (level < 1)):
        raise ValueError(f"a level must lie between 0 and 1 (0.95 for 95 %), not {level}")
    return level


def _margin(margin):
    margin = np.asarray(margin, float)
    if not np.all(margin > 0):
        raise ValueError("the margin of an equivalence test must be positive")
    return margin


def _successes(successes, n):
    successes, n = _floats(successes, n)
    if not np.all((successes >= 0) & (successes <= n) & np.isfinite(n)):
        raise ValueError("successes must be between 0 and n")
    return successes, n


def _quantile(freedom, level):
    """Two-sided Student quantile; normal for infinite degrees of freedom, infinite for none."""
    from scipy.special import stdtrit

    freedom, level = np.asarray(freedom, float), _level(level)
    return np.where(freedom > 0, -stdtrit(np.where(freedom > 0, freedom, 1.0), (1.0 - level) / 2.0), np.inf)


def _upper_tail(statistic, freedom):
    """P(T >= statistic) for Student's T; 1/2 without degrees of freedom, where T is anything."""
    from scipy.special import stdtr

    freedom = np.asarray(freedom, float)
    return np.where(freedom > 0, stdtr(np.where(freedom > 0, freedom, 1.0), -statistic), 0.5)


def _usable(mean, standard_error, blocks):
    """Where a t statistic exists, and an error to divide by that is harmless elsewhere."""
    known = np.isfinite(mean) & np.isfinite(standard_error) & (standard_error > 0) & (blocks > 1)
    return known, np.where(known, standard_error, 1.0)


def _around(mean, half, known, low, high):
    """mean -+ half clipped to [low, high]; the whole of it where nothing is known."""
    low, high = _floats(low, high)
    left = np.where(known, np.clip(mean - half, low, high), low)
    right = np.where(known, np.clip(mean + half, low, high), high)
    return left[()], right[()]


def _wilson(successes, failures, z):
    """Both ends of the score interval, each in the form that does not cancel; (0, 1) for an infinite quantile."""
    n = successes + failures
    square = np.where(np.isfinite(z), z * z, 1.0)
    mixed = np.sqrt(square * (square + 4.0 * successes * failures / np.where(n > 0, n, 1.0)))
    upper_root = 2.0 * successes + square + mixed
    low = 2.0 * successes * (successes / np.where(n > 0, n, 1.0)) / upper_root
    high = np.where(failures > 0, np.minimum(upper_root / (2.0 * (n + square)), 1.0), 1.0)
    return np.where(np.isfinite(z), low, 0.0)[()], np.where(np.isfinite(z), high, 1.0)[()]


def _score(blocks, n, x, xx, xn, nn, target):
    """Score statistic of a rate against `target` on the effective sample size, and its degrees of freedom."""
    successes, failures, freedom = _each(_effective_counts, 3, blocks, n, x, xx, xn, nn)
    effective = successes + failures
    excess = successes * (1.0 - target) - failures * target
    spread = np.sqrt(effective * target * (1.0 - target))
    impossible = np.where(excess == 0, 0.0, np.copysign(np.inf, excess))
    return np.where(spread > 0, excess / np.where(spread > 0, spread, 1.0), impossible), freedom


def _stirling_rest(x):
    """log gamma(x) minus Stirling's (x - 1/2) log x - x + log(2 pi) / 2, without cancellation for large x."""
    from scipy.special import gammaln

    small = np.minimum(x, 10.0)
    direct = gammaln(small) - ((small - 0.5) * np.log(small) - small + 0.5 * math.log(2.0 * math.pi))
    r = 1.0 / np.maximum(x, 10.0)
    series = r * (1 / 12 - r * r * (1 / 360 - r * r * (1 / 1260 - r * r * (1 / 1680 - r * r / 1188))))
    return np.where(x < 10.0, direct, series)


def _log_mixture_at_rate(successes, failures, a, b):
    """log of the beta(a, b) mixture likelihood over the likelihood at the observed rate; at most 0.

    Both are of the order of n, their difference of the order of log n. Written so that the large parts cancel on paper.
    """
    from scipy.special import betaln

    def grown(count, prior):
        return count * np.log1p(prior / np.maximum(count, _TINY)) + (prior - 0.5) * np.log(count + prior)

    n, c = successes + failures, a + b
    rest = _stirling_rest(successes + a) + _stirling_rest(failures + b) - _stirling_rest(n + c)
    return grown(successes, a) + grown(failures, b) - grown(n, c) + 0.5 * math.log(2.0 * math.pi) + rest - betaln(a, b)


def _reach(successes, failures, rate, other, room):
    """How far p can fall below `rate` (1 - `other`) with n KL(rate, p) < room; by bisection, rounded outward.

    The unknown is the distance from the observed rate and not p itself: for large n the two nearly coincide.
    """
    inside, outside = np.zeros_like(rate), np.array(rate)
    rate_or_1, other_or_1 = np.where(rate > 0, rate, 1.0), np.where(other > 0, other, 1.0)
    with np.errstate(over="ignore"):
        for _ in range(_BISECTIONS):
            distance = 0.5 * (inside + outside)
            fallen = np.minimum(distance / rate_or_1, _ALMOST_ONE)
            divergence = -successes * np.log1p(-fallen) - failures * np.log1p(distance / other_or_1)
            is_in = divergence < room
            inside, outside = np.where(is_in, distance, inside), np.where(is_in, outside, distance)
    return outside
