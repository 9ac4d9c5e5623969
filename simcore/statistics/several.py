"""Many figures at once: what holds for all of them together, their order, and what they tell about each other."""

from dataclasses import dataclass

import numpy as np

from simcore.statistics.intervals import _exact, _floats, _level, _quantile

DRAWS = 100_000
_SLICE = 1 << 22


def simultaneous_level(level, k):
    """Level that each of k intervals needs for all of them to hold together with probability `level`: level^(1/k) (Šidák 1967).

    Assumption: the estimates are independent, or jointly normal with any correlation and two-sided intervals (then the joint
    level is at least `level`). `simultaneous_band` is narrower where the correlations are known, `union_level` needs no assumption.

    Parameters
    ----------
    level : float or array
        Joint level.
    k : int or array of int
        Number of intervals, at least 1.

    Returns
    -------
    float64
    """
    return (_level(level) ** (1.0 / _number(k)))[()]


def union_level(level, k):
    """Level that each of k intervals needs for all to hold together, whatever they have to do with each other (Bonferroni).

    1 - (1 - level) / k. For confidence sequences, which no theorem lets multiply, and hardly wider than `simultaneous_level`.

    Parameters
    ----------
    level : float or array
        Joint level.
    k : int or array of int
        Number of intervals, at least 1.

    Returns
    -------
    float64
    """
    return (1.0 - (1.0 - _level(level)) / _number(k))[()]


def holm(p_values):
    """p-values adjusted for testing all of them: reject those that are at most alpha (Holm 1979).

    The probability of one or more false rejections is at most alpha, however the tests depend on each other.

    Parameters
    ----------
    p_values : array, shape (k,)
        nan stands for a test that could not be done; it stays nan and does not count.

    Returns
    -------
    array of float64, shape (k,)
    """
    from statsmodels.stats.multitest import multipletests

    p_values = np.asarray(p_values, float)
    done = ~np.isnan(p_values)
    if not np.all((p_values[done] >= 0) & (p_values[done] <= 1)):
        raise ValueError("p-values must be between 0 and 1")
    adjusted = np.full(p_values.shape, np.nan)
    if done.any():
        adjusted[done] = multipletests(p_values[done], method="holm")[1]
    return adjusted


# Estimates and their covariance


def product_sums(n_b, x_b):
    """Sums over the blocks for every pair of groups, what `ratio_covariance` needs; they add up over batches of blocks.

    Parameters
    ----------
    n_b, x_b : array of int, shape (blocks, k)
        Number of observations of each group in every block, and their sum.

    Returns
    -------
    n, x : array of int64, shape (k,)
    xx, xn, nn : array of int64, shape (k, k)
        ``xn[i, j]`` is the sum of x_b of group i times n_b of group j. The diagonals are the block sums of the groups.
    """
    n_b, x_b = np.asarray(n_b, np.int64), np.asarray(x_b, np.int64)
    return n_b.sum(axis=0), x_b.sum(axis=0), _products(x_b, x_b), _products(x_b, n_b), _products(n_b, n_b)


def ratio_covariance(blocks, n, x, xx, xn, nn):
    """Means per observation of k groups and their covariance: `ratio` for several groups that met in the same blocks.

        cov_ij = B / (B - 1) * sum (x_ib - r_i n_ib) (x_jb - r_j n_jb) / (n_i n_j)

    The diagonal holds the squared errors of `ratio`. For curves on common random numbers, a group is a point of the curve.

    Parameters
    ----------
    blocks : int
        Number of blocks B.
    n, x, xx, xn, nn : array of int, shapes (k,), (k,), (k, k), (k, k), (k, k)
        From `product_sums`.

    Returns
    -------
    mean : array of float64, shape (k,)
        nan for a group without observations.
    covariance : array of float64, shape (k, k)
        nan where a mean is, and everywhere if blocks < 2.
    """
    n, x, xx, xn, nn = map(_exact, (n, x, xx, xn, nn))
    n_i, n_j, x_i, x_j = n[:, None], n[None, :], x[:, None], x[None, :]
    products = n_i * n_j * xx - n_i * x_j * xn - x_i * n_j * xn.T + x_i * x_j * nn
    known = n != 0
    scale = np.where(known, n, 1)
    scale = (scale[:, None] * scale[None, :]) ** 2
    mean = np.where(known, (x / np.where(known, n, 1)).astype(float), np.nan)
    if blocks < 2:
        return mean, np.full(xx.shape, np.nan)
    covariance = (blocks * products / ((blocks - 1) * scale)).astype(float)
    return mean, np.where(known[:, None] & known[None, :], covariance, np.nan)


def max_t_quantile(covariance, freedom=np.inf, level=0.95, draws=DRAWS, seed=0):
    """Quantile of the largest |t| among k estimates with the given covariance: how many standard errors hold for all at once.

    By simulation of the multivariate t distribution (Hothorn, Bretz and Westfall 2008): never more than Šidák's quantile, and less
    the more the estimates go together. Equal arguments give equal results.

    Parameters
    ----------
    covariance : array, shape (k, k)
        Only the correlations count. Estimates with an error that is 0 or unknown are left out.
    freedom : float
        Degrees of freedom of the errors, usually the number of blocks minus 1.
    level : float
    draws : int
        100,000 draws place the quantile within 0.01 or so at 95 %.

    Returns
    -------
    float
        nan if nothing is left.
    """
    correlation = _correlation(np.asarray(covariance, float))
    if not len(correlation):
        return float("nan")
    largest = np.empty(draws)
    for part, normals in _joint_draws(correlation, freedom, draws, seed):
        largest[part] = np.abs(normals).max(axis=1)
    return float(np.quantile(largest, _level(level)))


def simultaneous_band(mean, covariance, freedom=np.inf, level=0.95, draws=DRAWS):
    """Intervals that hold for all estimates together: mean -+ `max_t_quantile` standard errors.

    Parameters
    ----------
    mean, covariance : array, shapes (k,) and (k, k)
        For instance from `ratio_covariance`.
    freedom, level, draws
        See `max_t_quantile`.

    Returns
    -------
    low, high : array of float64, shape (k,)
        (-inf, inf) where the error is unknown; of no width where it is 0.
    """
    mean, covariance = _floats(mean, covariance)
    error = np.sqrt(np.diag(covariance))
    quantile = max_t_quantile(covariance, freedom, level, draws)
    half = np.where(error > 0, np.nan_to_num(error) * quantile, np.where(error == 0, 0.0, np.inf))
    middle = np.where(np.isfinite(half), mean, 0.0)
    return middle - half, middle + half


def rank_intervals(mean, covariance, freedom=np.inf, level=0.95, draws=DRAWS):
    """Best and worst rank that each estimate may have in truth; rank 1 is the largest. All k hold together.

    Simultaneous intervals of all pairwise differences: whoever is surely above a group pushes its rank down (Mogstad et al. 2024).
    Groups whose truths are equal share the ranks that they fill.

    Parameters
    ----------
    mean, covariance : array, shapes (k,) and (k, k)
        All known.
    freedom, level, draws
        See `max_t_quantile`.

    Returns
    -------
    best, worst : array of int64, shape (k,)
    """
    mean, covariance = _floats(mean, covariance)
    k, variance = len(mean), np.diag(covariance)
    error = np.sqrt(np.maximum(variance[:, None] + variance[None, :] - 2 * covariance, 0.0))
    scale = np.where(error > 0, error, np.inf)
    largest = np.zeros(draws)
    for part, normals in _joint_draws(covariance, freedom, draws):
        for i in range(k - 1):
            larger = (np.abs(normals[:, i + 1 :] - normals[:, i : i + 1]) / scale[i, i + 1 :]).max(axis=1)
            largest[part] = np.maximum(largest[part], larger)
    above = mean[None, :] - mean[:, None] > np.quantile(largest, _level(level)) * error
    return 1 + above.sum(axis=1), k - above.sum(axis=0)


def crossing(x, mean, low, high, target):
    """Where a curve with a band reaches `target`: the estimate, and the interval of all x at which the band allows it.

    The curve and its band are taken as straight between the points. If it is one, or the root is one of the points, the interval
    holds the root whenever the band holds the curve there (the inversion of a test; Fieller 1954).

    Parameters
    ----------
    x : array, shape (k,)
        Increasing.
    mean, low, high : array, shape (k,)
        The curve and its band, for instance from `simultaneous_band`.
    target : float

    Returns
    -------
    root : float
        Where the mean first reaches the target; nan if it does not.
    left, right : float
        Smallest and largest x in the range at which the target is in the band; nan if it never is. An end of the range means that the
        root may lie beyond.
    """
    x, mean, low, high = _floats(x, mean, low, high)
    if not np.all(np.diff(x) > 0):
        raise ValueError("the points of a curve must increase")
    roots = _zeros(x, mean - target)
    # Inside the band: where neither end has passed the target. It begins and ends at a point of the curve or where an end crosses.
    candidates = np.concatenate([x, _zeros(x, low - target), _zeros(x, high - target)])
    ends = np.interp(candidates, x, low), np.interp(candidates, x, high)
    slack = 1e-9 * (np.abs(ends[1] - ends[0]) + np.abs(target))
    inside = candidates[(ends[0] <= target + slack) & (target - slack <= ends[1])]
    root = roots[0] if len(roots) else np.nan
    return float(root), *((float(inside.min()), float(inside.max())) if len(inside) else (np.nan, np.nan))


# Shrinkage


@dataclass(frozen=True)
class Shrunken:
    """Estimates pulled towards their common mean, see `shrink`; arrays of float64 of shape (k,)."""

    mean: np.ndarray
    standard_error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    center: float
    spread: float  # standard deviation of the truths around the center


def shrink(mean, standard_error, level=0.95):
    """Empirical Bayes estimates: each figure pulled towards the mean of all, the more the larger its error is.

    The truths are taken as normal around a common mean, with a spread that the figures themselves tell (Paule and Mandel 1982);
    where they differ no more than their errors explain, the spread is 0 and all come close to the mean. On average over the figures the
    result is nearer to the truth than the raw ones (Efron and Morris 1975), and the best of many is no longer flattered by its luck.
    Errors and intervals allow for the estimated mean and spread (Morris 1983): they hold on average over the figures, while those of a
    figure far out in truth hold less often.

    Parameters
    ----------
    mean, standard_error : array, shape (k,)
        At least 4 figures, of about independent errors; those with an unknown error stay as they are.
    level : float

    Returns
    -------
    Shrunken
    """
    from statsmodels.stats.meta_analysis import combine_effects

    mean, standard_error = _floats(mean, standard_error)
    known = np.isfinite(mean) & np.isfinite(standard_error)
    y, variance = mean[known], standard_error[known] ** 2
    k = len(y)
    if k < 4 or not np.all(variance > 0):
        raise ValueError("shrinkage needs at least 4 figures with errors above 0")
    # Figures in units of their errors: the estimating equation is solved to an absolute precision.
    unit = np.sqrt(variance.mean())
    between = float(combine_effects(y / unit, variance / unit**2, method_re="iterated").tau2) * unit**2
    weight = 1.0 / (variance + between)
    center = float(weight @ y / weight.sum())
    # Morris 1983, section 5: the estimated spread makes the shrinkage too strong by (k - 3) / (k - 1).
    pull = (k - 3) / (k - 1) * variance * weight
    typical = float(weight @ variance / weight.sum())
    unsure = 2.0 / (k - 3) * pull**2 * (typical + between) * weight
    share = weight / weight.sum()
    error = np.sqrt(variance * (1.0 - (1.0 - share) * pull) + unsure * (y - center) ** 2)
    middle = y - pull * (y - center)
    half = _quantile(np.inf, level) * error
    columns = [np.array(mean), np.array(standard_error), np.full(mean.shape, -np.inf), np.full(mean.shape, np.inf)]
    for column, values in zip(columns, (middle, error, middle - half, middle + half), strict=True):
        column[known] = values
    return Shrunken(*columns, center, float(np.sqrt(between)))


# Shared pieces


def _products(a, b):
    """a.T @ b of integers, in floating point (which is ten times as fast) where every sum is exact in it."""
    if len(a) and float(np.abs(a).max()) * float(np.abs(b).max()) * len(a) < 2.0**53:
        return (a.T.astype(float) @ b.astype(float)).astype(np.int64)
    return a.T @ b


def _number(k):
    k = np.asarray(k, float)
    if not np.all(k >= 1):
        raise ValueError("k must be at least 1")
    return k


def _correlation(covariance):
    """Correlations of the estimates whose error is known and above 0."""
    error = np.sqrt(np.diag(covariance))
    known = np.flatnonzero(np.isfinite(error) & (error > 0))
    scale = error[known]
    return covariance[np.ix_(known, known)] / scale[:, None] / scale[None, :]


def _joint_draws(covariance, freedom, draws, seed=0):
    """Slices of `draws` and the multivariate t variables in them, a row each; the covariance may be singular."""
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    random = np.random.default_rng(seed)
    size = max(_SLICE // len(covariance), 1)
    for first in range(0, draws, size):
        part = slice(first, min(first + size, draws))
        normals = random.standard_normal((part.stop - first, len(covariance))) @ root.T
        if np.isfinite(freedom):
            normals /= np.sqrt(random.chisquare(freedom, part.stop - first) / freedom)[:, None]
        yield part, normals


def _zeros(x, values):
    """Where straight lines through the points are 0."""
    left, right = values[:-1], values[1:]
    crossed = (left < 0) != (right < 0)
    share = left[crossed] / (left[crossed] - right[crossed])
    return np.sort(np.concatenate([x[values == 0], x[:-1][crossed] + share * np.diff(x)[crossed]]))
