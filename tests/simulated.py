"""Simulated truth: what it looks like in blocks, and how often an interval has to hold it."""

import numpy as np

REPETITIONS = 2_000


def generator(seed):
    print(f"seed {seed}")
    return np.random.default_rng(seed)


def block_sums(n_b, x_b, axis=-1):
    """The six sums of blocks that lie along `axis`."""
    n_b, x_b = np.asarray(n_b), np.asarray(x_b)
    return (
        np.full(n_b.sum(axis).shape, n_b.shape[axis]),
        n_b.sum(axis),
        x_b.sum(axis),
        (x_b * x_b).sum(axis),
        (x_b * n_b).sum(axis),
        (n_b * n_b).sum(axis),
    )


def contains(interval, truth):
    low, high = interval
    return (low <= truth) & (truth <= high)


def assert_nominal(hits, level=0.95):
    """`hits` (bool, one per repetition) are as many as `level` promises, within the binomial error of 1 in 10,000."""
    from scipy.stats import binom

    least, most = binom.interval(0.9999, len(hits), level)
    assert least <= hits.sum() <= most, f"coverage {hits.mean():.4f}"


def assert_at_most(misses, alpha=0.05):
    """`misses` (bool, one per repetition) are no more than `alpha` allows, within the binomial error of 1 in 10,000."""
    from scipy.stats import binom

    assert misses.sum() <= binom.ppf(0.9999, len(misses), alpha), f"missed {misses.mean():.4f}"


def tournaments(random, shape):
    """Tournaments of 4 to 29 deals whose deals share luck and whose length goes with the score.

    Returns n_b, x_b and the true mean per deal, E[x_b] / E[n_b].
    """
    n_b = random.integers(4, 30, shape)
    luck = random.integers(-5, 6, shape)
    noise = np.where(np.arange(29) < n_b[..., None], random.integers(-3, 4, (*shape, 29)), 0).sum(axis=-1)
    lengths = np.arange(4, 30)
    return n_b, n_b * (n_b + luck) + noise, (lengths**2).sum() / lengths.sum()


def tournament_wins(random, shape, rate):
    """Tournaments of 4 to 29 deals; the rate of wins is a beta variable of its own in each."""
    n_b = random.integers(4, 30, shape)
    return n_b, random.binomial(n_b, random.beta(8 * rate, 8 * (1 - rate), shape))
