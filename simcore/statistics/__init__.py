"""Estimators, intervals and tests on plain arrays and block sums.

A *block* is the unit that is independent of all others: one deal, one tournament, or the same cards with the seats permuted.
Observations inside a block may depend on each other in any way. For one group (say, seat 0) and one measure (say, victory points
per hand) six exact integers hold everything that the estimators on blocks need:

======== ============================================================================
blocks   number of blocks B in which the group could have occurred, empty ones included
n        sum of n_b, the number of observations in block b
x        sum of x_b, the measure summed over block b
xx       sum of x_b squared
xn       sum of x_b times n_b
nn       sum of n_b squared
======== ============================================================================

They add up over chunks in any order without rounding. Which interval to take:

============================== ===================================================== ==========================
question                       function                                              validity
============================== ===================================================== ==========================
rate, looked at once           `rate_interval` (`wilson` without blocks)             approximate, fixed n
mean, looked at once           `block_interval`                                      approximate, fixed n
rate, looked at while running  `beta_binomial_sequence`                              exact, at every n at once
bounded mean, while running    `bounded_mean_sequence`                               exact, at every n at once
the same, spread far within    `empirical_bernstein_sequence`                        exact, at every n at once
its range
any block mean, while running  `asymptotic_sequence`                                 asymptotic, at every n at once
============================== ===================================================== ==========================

Many groups on the same blocks:

============================================ =============================================================================
question                                     function
============================================ =============================================================================
two sides on the same cards, which differ?   `paired_difference`; `ratio_difference` where their lengths do too
all intervals true together?                 `simultaneous_level`; with their covariance `simultaneous_band`; sequences `union_level`
which tests, when there are many?            `holm`
is it balanced?                              `equivalence`, `rate_equivalence`
which rank?                                  `rank_intervals`
how good is the best, luck taken off?        `shrink`
how strong, apart from seat and company?     `plackett_luce`
at which setting does a curve reach a value? `ratio_covariance`, `simultaneous_band`, `crossing`
============================================ =============================================================================

What concerns one figure is vectorised: arguments are scalars or arrays that broadcast, results have the broadcast shape (dtype
float64, or a scalar if all arguments are scalars). `level` is a probability of coverage strictly between 0 and 1. Undefined
results are nan without a warning; impossible arguments raise ValueError, block sums that are no integers raise TypeError.
"""

from simcore.statistics.intervals import (
    MIN_BLOCKS,
    asymptotic_sequence,
    beta_binomial_sequence,
    block_interval,
    bounded_mean_sequence,
    cross_sums,
    decimals,
    effective_blocks,
    empirical_bernstein_sequence,
    equivalence,
    histogram_moments,
    paired_difference,
    paired_sums,
    rate_equivalence,
    rate_interval,
    rate_test,
    ratio,
    ratio_difference,
    wilson,
    z_test,
)
from simcore.statistics.ratings import Ratings, plackett_luce
from simcore.statistics.several import (
    Shrunken,
    crossing,
    holm,
    max_t_quantile,
    product_sums,
    rank_intervals,
    ratio_covariance,
    shrink,
    simultaneous_band,
    simultaneous_level,
    union_level,
)

__all__ = [
    "MIN_BLOCKS",
    "Ratings",
    "Shrunken",
    "asymptotic_sequence",
    "beta_binomial_sequence",
    "block_interval",
    "bounded_mean_sequence",
    "cross_sums",
    "crossing",
    "decimals",
    "effective_blocks",
    "empirical_bernstein_sequence",
    "equivalence",
    "histogram_moments",
    "holm",
    "max_t_quantile",
    "paired_difference",
    "paired_sums",
    "plackett_luce",
    "product_sums",
    "rank_intervals",
    "rate_equivalence",
    "rate_interval",
    "rate_test",
    "ratio",
    "ratio_covariance",
    "ratio_difference",
    "shrink",
    "simultaneous_band",
    "simultaneous_level",
    "union_level",
    "wilson",
    "z_test",
]
