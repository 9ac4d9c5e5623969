"""Who is too strong: what blocks of tournaments tell about the labels (characters) in them, on plain arrays.

A block is the same cards and the same three labels in all seatings. What happens in a block hangs together, so every error is that of the
blocks; what several labels, policies or rules did in the same blocks is compared block by block.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simcore.statistics import (
    asymptotic_sequence,
    block_interval,
    cross_sums,
    crossing,
    effective_blocks,
    holm,
    max_t_quantile,
    plackett_luce,
    product_sums,
    rank_intervals,
    ratio,
    ratio_covariance,
    ratio_difference,
    shrink,
    simultaneous_band,
    simultaneous_level,
    union_level,
    wilson,
    z_test,
)

LEVEL = 0.95
STRONG, WEAK, WITHIN, UNKNOWN = "too strong", "too weak", "within the margin", "not yet known"
FEWEST_TO_SHRINK = 4
# In fewer blocks than these a mean may be far from normal, and its error from the truth: they leave everything open.
FEWEST_BLOCKS = 20


@dataclass(frozen=True)
class Blocks:
    """B blocks of S units each, by player; all arrays of integers."""

    names: tuple[str, ...]  # of the labels
    labels: np.ndarray  # (B, players): number of the player's label in `names`, -1 for none
    seatings: np.ndarray  # (S, players): player in each seat
    score: np.ndarray  # (B, S, players): what is judged, a tournament won or the victory points of a deal
    points: np.ndarray  # (B, S, players): victory points of the hands
    uses: np.ndarray  # (B, S, players): uses of the power
    hands: np.ndarray  # (B, S): hands of the unit
    matches: np.ndarray  # (B, S): hands in which one seat took all the tricks
    muted_players: tuple[int, ...] = ()  # players whose power was taken away, one after the other, on the same cards
    muted_score: np.ndarray | None = None  # (B, S, muted players): their scores then

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def n_units(self) -> int:
        """Units altogether."""
        return self.score.shape[0] * self.score.shape[1]

    def only(self, chosen: Sequence[str]) -> "Blocks":
        """The same blocks in which the other labels count for nothing."""
        index = np.full(len(self.names) + 1, -1)
        for number, name in enumerate(chosen):
            index[self.names.index(name)] = number
        return replace(self, names=tuple(chosen), labels=index[self.labels])

    def head(self, n: int) -> "Blocks":
        """The first *n* blocks."""
        names = ("labels", "score", "points", "uses", "hands", "matches", "muted_score")
        parts: dict[str, Any] = {name: getattr(self, name)[:n] for name in names if getattr(self, name) is not None}
        return replace(self, **parts)


@dataclass(frozen=True)
class Estimates:
    """Means of k groups with their errors, and intervals that hold for all together; float64 (k,), nan where nothing is known."""

    mean: np.ndarray
    error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    covariance: np.ndarray  # (k, k)
    n: np.ndarray  # observations of each group
    blocks: np.ndarray  # blocks that each is in


def label_estimates(
    labels: np.ndarray, n_labels: int, counts: np.ndarray, values: np.ndarray, span: tuple[float, float], *, is_watched: bool = False
) -> Estimates:
    """Mean per observation of each label, from what its player had in each block.

    Parameters
    ----------
    labels : array of int, shape (blocks, players)
        -1 for a player that does not count.
    counts, values : array of int, shape (blocks, players)
        Number of observations and their sum.
    span : tuple
        Least and largest mean that there can be: the interval of a label of which nothing is known.
    is_watched : bool
        The run was looked at to decide when it should stop: the intervals hold at every number of blocks at once.
    """
    totals = _product_sums(labels, n_labels, counts, values)
    mean, covariance = ratio_covariance(len(labels), *totals)
    weight = effective_blocks(totals[0], np.diag(totals[4]))
    return _estimates(mean, covariance, totals[0], weight, span, is_watched)


def _product_sums(labels: np.ndarray, n_labels: int, counts: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, ...]:
    """What `product_sums` makes of a column for each label, most of which are empty in a block: from the few labels that are there."""
    size, players = n_labels + 1, range(labels.shape[1])

    def total(at: np.ndarray, weights: np.ndarray, n_axes: int) -> np.ndarray:
        # Whole numbers far below 2**53, so the sums are exact.
        flat = np.bincount(at, weights, size**n_axes).astype(np.int64).reshape((size,) * n_axes)
        return flat[(slice(1, None),) * n_axes]

    rows = [(labels[:, i] + 1, counts[:, i], values[:, i]) for i in players]
    n = sum(total(at, one, 1) for at, one, _ in rows)
    x = sum(total(at, one, 1) for at, _, one in rows)
    both = [(size * at + other, x_i, n_i, x_j, n_j) for at, n_i, x_i in rows for other, n_j, x_j in rows]
    xx = sum(total(at, x_i * x_j, 2) for at, x_i, _, x_j, _ in both)
    xn = sum(total(at, x_i * n_j, 2) for at, x_i, _, _, n_j in both)
    nn = sum(total(at, n_i * n_j, 2) for at, _, n_i, _, n_j in both)
    return n, x, xx, xn, nn  # type: ignore[return-value]


def _estimates(mean, covariance, n, weight, span, is_watched) -> Estimates:
    """Intervals for all together: at the level that the joint distribution asks of each, by the blocks that each is in."""
    from scipy.special import ndtr

    error = np.sqrt(np.diag(covariance))
    # Blocks that were all the same do not tell how much they differ.
    usable = np.where((error > 0) & (weight >= FEWEST_BLOCKS), error, np.nan)
    if is_watched:
        low, high = asymptotic_sequence(weight, mean, usable, union_level(LEVEL, len(mean)))
        low, high = np.maximum(low, span[0]), np.minimum(high, span[1])
    else:
        quantile = max_t_quantile(np.where(np.outer(error > 0, error > 0), covariance, 0.0)) if np.any(error > 0) else 0.0
        low, high = block_interval(mean, usable, weight, LEVEL if quantile == 0 else 1 - 2 * ndtr(-quantile), *span)
        # But they tell how rare the others are: of a difference however few they are.
        rare = wilson(0, weight, simultaneous_level(LEVEL, len(mean)))[1]
        is_same = (error == 0) & ((weight >= FEWEST_BLOCKS) | ((mean == 0) & (span[0] < 0)))
        low, high = np.where(is_same, mean - rare * (mean - span[0]), low), np.where(is_same, mean + rare * (span[1] - mean), high)
    return Estimates(mean, error, low, high, covariance, n, weight)


@dataclass(frozen=True)
class Balance:
    """The labels of some blocks, judged; arrays of shape (k,)."""

    names: tuple[str, ...]
    fair: float
    score: Estimates  # tournaments won, or victory points of a deal
    p: np.ndarray  # of a score that is fair, adjusted for all (Holm); nan in a run that stopped by its own intervals
    verdict: tuple[str, ...]
    best_rank: np.ndarray
    worst_rank: np.ndarray
    shrunken: np.ndarray
    points: Estimates  # victory points of a hand
    uses: Estimates  # of a hand
    lift: Estimates | None  # score with the power less the score without, on the same cards
    rating: np.ndarray  # Plackett-Luce, on the logit scale, mean 0
    rating_error: np.ndarray
    seats: Estimates  # score of each seat
    hands: Estimates  # of a unit; one group
    matches: Estimates  # share of the hands; one group

    @property
    def order(self) -> np.ndarray:
        """Numbers of the labels, the highest score first, those without one last."""
        return np.argsort(-np.nan_to_num(self.score.mean, nan=-np.inf), kind="stable")


def judge(blocks: Blocks, margin: float, *, fair: float | None = None, most: float = 1.0, is_watched: bool = False) -> Balance:
    """All that the blocks tell about their labels.

    Parameters
    ----------
    margin : float
        How far from fair is near enough, in the unit of the score.
    fair : float, optional
        Score of a label that is as good as the others; the mean of all seats if left out.
    most : float
        Largest score of a unit.
    """
    k, n_seatings = len(blocks.names), blocks.score.shape[1]
    ones = np.full(blocks.labels.shape, n_seatings)
    fair = float(blocks.score.mean()) if fair is None else fair
    score = label_estimates(blocks.labels, k, ones, blocks.score.sum(axis=1), (0, most), is_watched=is_watched)
    hands = np.broadcast_to(blocks.hands.sum(axis=1)[:, None], blocks.labels.shape)
    points, uses = (
        label_estimates(blocks.labels, k, hands, part.sum(axis=1), (0, top)) for part, top in ((blocks.points, 2.0), (blocks.uses, np.inf))
    )
    p = np.full(k, np.nan) if is_watched else holm(z_test(score.mean, score.error, score.blocks, fair))
    rating, rating_error = ratings(blocks)
    best, worst = _ranks(score)
    return Balance(
        blocks.names,
        fair,
        score,
        p,
        tuple(_verdict(low - fair, high - fair, margin) for low, high in zip(score.low, score.high, strict=True)),
        best,
        worst,
        shrunken(score),
        points,
        uses,
        lift(blocks, most),
        rating,
        rating_error,
        seat_estimates(blocks, most),
        _whole(np.full(len(blocks), n_seatings), blocks.hands.sum(axis=1), np.inf),
        _whole(blocks.hands.sum(axis=1), blocks.matches.sum(axis=1), 1.0),
    )


def _verdict(low: float, high: float, margin: float) -> str:
    """What the interval of a difference from fair says: all of it beyond the margin, all of it within, or neither."""
    if low > margin:
        return STRONG
    if high < -margin:
        return WEAK
    return WITHIN if -margin <= low and high <= margin else UNKNOWN


def _ranks(score: Estimates) -> tuple[np.ndarray, np.ndarray]:
    """Best and worst rank of each label, all together; int64."""
    k = len(score.mean)
    best, worst = np.ones(k, np.int64), np.full(k, k)
    known = (score.error > 0) & (score.blocks >= FEWEST_BLOCKS)
    if known.sum() == k > 1:
        best, worst = rank_intervals(score.mean, score.covariance, float(score.blocks.min()) - 1, LEVEL)
    return best, worst


def shrunken(score: Estimates) -> np.ndarray:
    """Best guesses of the scores, the luck of the best and worst taken off; the scores themselves where there are few."""
    known = score.error > 0
    if known.sum() < FEWEST_TO_SHRINK:
        return score.mean
    found = np.array(score.mean)
    found[known] = shrink(score.mean[known], score.error[known]).mean
    return found


def lift(blocks: Blocks, most: float = 1.0) -> Estimates | None:
    """What the power adds to the score of its owner, on the same cards against the same others."""
    if blocks.muted_score is None or not blocks.muted_players:
        return None
    players = list(blocks.muted_players)
    gained = (blocks.score[:, :, players] - blocks.muted_score).sum(axis=1)
    counts = np.full(gained.shape, blocks.score.shape[1])
    return label_estimates(blocks.labels[:, players], len(blocks.names), counts, gained, (-most, most))


def ratings(blocks: Blocks) -> tuple[np.ndarray, np.ndarray]:
    """Plackett-Luce strengths of the labels and their errors, seats taken into account; nan where the blocks place none."""
    n_blocks, n_seatings, n = blocks.score.shape
    nothing = np.full(len(blocks.names), np.nan)
    if n_blocks < 2 or (blocks.labels < 0).any():
        return nothing, nothing
    items = blocks.labels[:, blocks.seatings].reshape(-1, n)
    score = np.take_along_axis(blocks.score, np.broadcast_to(blocks.seatings, blocks.score.shape), axis=2)
    try:
        found = plackett_luce(items, -score.reshape(-1, n), np.repeat(np.arange(n_blocks), n_seatings), len(blocks.names))
    except ValueError:
        return nothing, nothing
    return found.strengths, found.strength_errors


def seat_estimates(blocks: Blocks, most: float = 1.0) -> Estimates:
    """Mean score of each seat, whoever sits there."""
    by_seat = np.take_along_axis(blocks.score, np.broadcast_to(blocks.seatings, blocks.score.shape), axis=2)
    n_blocks, n_seatings, n = by_seat.shape
    seats = np.broadcast_to(np.arange(n), (n_blocks, n))
    return label_estimates(seats, n, np.full((n_blocks, n), n_seatings), by_seat.sum(axis=1), (0, most))


def seats_of(blocks: Blocks, name: str, most: float = 1.0) -> Estimates:
    """Mean score of the label *name* in each seat."""
    n = blocks.seatings.shape[1]
    seat_of_player = np.argsort(blocks.seatings, axis=1)
    block, player = np.nonzero(blocks.labels == blocks.names.index(name))
    score = blocks.score[block, :, player]
    seats = seat_of_player[:, player].T
    counts, values = np.zeros((len(block), n), np.int64), np.zeros((len(block), n), np.int64)
    rows = np.arange(len(block))[:, None]
    np.add.at(counts, (rows, seats), 1)
    np.add.at(values, (rows, seats), score)
    return label_estimates(np.broadcast_to(np.arange(n), counts.shape), n, counts, values, (0, most))


def _whole(counts: np.ndarray, values: np.ndarray, most: float) -> Estimates:
    return label_estimates(np.zeros((len(counts), 1), np.int64), 1, counts[:, None], values[:, None], (0.0, most))


@dataclass(frozen=True)
class Pairs:
    """Score of one label less that of another at the tables where both sit; arrays of shape (k, k), nan where they never met."""

    difference: np.ndarray
    error: np.ndarray
    low: np.ndarray  # intervals that hold for all pairs together
    high: np.ndarray
    blocks: np.ndarray


def pairs(blocks: Blocks, only: str | None = None, most: float = 1.0) -> Pairs:
    """Who does better than whom. With *only*, the pairs of one label are looked at and count as the only ones."""
    k, n_seatings, n = len(blocks.names), blocks.score.shape[1], blocks.labels.shape[1]
    score = blocks.score.sum(axis=1)
    x, xx, met = (np.zeros((k, k), np.int64) for _ in range(3))
    for one in range(n):
        for other in range(n):
            both = (blocks.labels[:, one] >= 0) & (blocks.labels[:, other] >= 0)
            if one == other:
                continue
            at = blocks.labels[both, one], blocks.labels[both, other]
            gained = score[both, one] - score[both, other]
            np.add.at(x, at, gained)
            np.add.at(xx, at, gained * gained)
            np.add.at(met, at, 1)
    # A pair that has not met has no figures; for the others the blocks are those in which it met.
    mean, error = ratio(met, n_seatings * met, x, xx, n_seatings * x, n_seatings**2 * met)
    n_pairs = max(k - 1 if only else k * (k - 1) // 2, 1)
    low, high = block_interval(mean, np.where(error > 0, error, np.nan), met, simultaneous_level(LEVEL, n_pairs), -most, most)
    return Pairs(mean, error, np.where(met > 0, low, np.nan), np.where(met > 0, high, np.nan), met)


@dataclass(frozen=True)
class Change:
    """What the second of two ways to play the same blocks changes."""

    names: tuple[str, ...]
    score: Estimates  # of each label: second less first
    p: np.ndarray  # of no change, adjusted for all (Holm)
    hands: tuple[float, float]  # of a unit: difference and standard error
    matches: tuple[float, float]  # share of the hands

    @property
    def is_sure(self) -> np.ndarray:
        """Which labels have surely changed; bool (k,)."""
        return (self.score.low > 0) | (self.score.high < 0)


def change(first: Blocks, second: Blocks, most: float = 1.0, *, is_watched: bool = False) -> Change:
    """Differences on the blocks that both sides have played. ValueError when the labels are others."""
    n = min(len(first), len(second))
    first, second = first.head(n), second.head(n)
    if first.names != second.names or not np.array_equal(first.labels, second.labels):
        raise ValueError("the two sides do not have the same characters on the same cards")
    gained = (second.score - first.score).sum(axis=1)
    counts = np.full(gained.shape, first.score.shape[1])
    score = label_estimates(first.labels, len(first.names), counts, gained, (-most, most), is_watched=is_watched)
    p = np.full(len(first.names), np.nan) if is_watched else holm(z_test(score.mean, score.error, score.blocks))
    # Labels that nothing has touched had the same score in every block.
    p = np.where((score.error == 0) & (score.mean == 0) & ~np.isnan(score.mean) & (not is_watched), 1.0, p)
    unit = np.full(n, first.score.shape[1])
    hands = _difference(n, (unit, first.hands.sum(axis=1)), (unit, second.hands.sum(axis=1)))
    sweeps = _difference(n, (first.hands.sum(axis=1), first.matches.sum(axis=1)), (second.hands.sum(axis=1), second.matches.sum(axis=1)))
    return Change(first.names, score, p, hands, sweeps)


def _difference(blocks: int, first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]) -> tuple[float, float]:
    """Ratio of the second side less that of the first, and its error."""
    one, other = ([n.sum(), x.sum(), (x * x).sum(), (x * n).sum(), (n * n).sum()] for n, x in (first, second))
    difference, error = ratio_difference(blocks, other, one, cross_sums(*second, *first))
    return float(difference), float(error)


# At which value a label is fair


@dataclass(frozen=True)
class Curve:
    """Score at some values of a parameter, on the same blocks; the band holds for all of them together."""

    values: np.ndarray
    mean: np.ndarray
    error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    blocks: int


@dataclass(frozen=True)
class Tuned:
    """Where a curve reaches its target: the estimate, and an interval that holds whatever the search did."""

    value: float  # nan if no curve reached the target
    low: float  # nan if the target is surely out of reach
    high: float
    curves: tuple[Curve, ...]


def curve_of(values: np.ndarray, totals: np.ndarray, size: int, level: float = LEVEL) -> Curve:
    """Curve with its band from the sums of blocks on common random numbers; *totals* (blocks, values), *size* units in a block."""
    mean, covariance = ratio_covariance(len(totals), *product_sums(np.full(totals.shape, size), totals))
    low, high = simultaneous_band(mean, covariance, max(len(totals) - 1, 1), level)
    error = np.sqrt(np.diag(covariance))
    return Curve(values, mean, error, np.where(error > 0, low, -np.inf), np.where(error > 0, high, np.inf), len(totals))


def tune(
    play: Callable[[np.ndarray, int, int], np.ndarray],
    size: int,
    grid: np.ndarray,
    target: float,
    blocks: Sequence[int],
    n_points: int = 5,
    level: float = LEVEL,
) -> Tuned:
    """Find the value at which the score is *target*, in rounds that look ever closer.

    Each round plays some values between the ends that the rounds before have left, all on the same cards, and those on cards that no
    round has seen: so its interval holds whatever made it look there. All rounds together hold with probability *level* (Bonferroni), and
    so does what they have in common. Between the values that were played the curve is taken as straight.

    Parameters
    ----------
    play : callable
        ``play(values, first, n)``: the sums of scores, int (n, values), of the blocks from number *first*.
    size : int
        Units in a block.
    grid : array, shape (m,)
        The values that are possible, increasing, at least two.
    blocks : sequence of int
        Blocks of each round.
    """
    grid = np.asarray(grid)
    left, right, first = float(grid[0]), float(grid[-1]), 0
    value, curves = np.nan, []
    for n in blocks:
        values = _spread(grid, left, right, n_points)
        curve = curve_of(values, play(values, first, n), size, union_level(level, len(blocks)))
        curves.append(curve)
        first += n
        root, low, high = crossing(values, curve.mean, curve.low, curve.high, target)
        if np.isnan(low) or high < left or low > right:
            # The band misses the target wherever an earlier round has left room for it.
            return Tuned(np.nan, np.nan, np.nan, tuple(curves))
        left, right = max(left, low), min(right, high)
        value = float(np.clip(root, left, right)) if np.isfinite(root) else np.nan
    return Tuned(value, left, right, tuple(curves))


def _spread(grid: np.ndarray, left: float, right: float, n_points: int) -> np.ndarray:
    """At most *n_points* values of the grid, evenly spread from the last one up to *left* to the first one from *right*."""
    first = max(int(np.searchsorted(grid, left, side="right")) - 1, 0)
    last = min(int(np.searchsorted(grid, right)), len(grid) - 1)
    if first == last:
        first, last = (first - 1, last) if first else (first, last + 1)
    return grid[np.unique(np.round(np.linspace(first, last, min(n_points, last - first + 1))).astype(int))]
