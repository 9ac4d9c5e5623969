"""Strength from orders of finish: the Plackett-Luce model with an effect of the seat."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np

MAX_STEPS = 100
_PRECISION = 1e-10


@dataclass(frozen=True)
class Ratings:
    """Strengths of items and advantages of seats on the logit scale, see `plackett_luce`.

    Attributes
    ----------
    strengths : array of float64, shape (k,)
        Mean 0; nan for an item that is in no contest.
    seats : array of float64, shape (n,)
        Mean 0.
    covariance : array of float64, shape (k + n, k + n)
        Of the strengths and then the seats, from the blocks; nan where a strength is, or with fewer than two blocks.
    blocks : int
    """

    strengths: np.ndarray
    seats: np.ndarray
    covariance: np.ndarray
    blocks: int

    @property
    def strength_errors(self) -> np.ndarray:
        """Standard errors of the strengths; float64 (k,)."""
        return np.sqrt(np.diag(self.covariance))[: len(self.strengths)]

    @property
    def seat_errors(self) -> np.ndarray:
        """Standard errors of the seats; float64 (n,)."""
        return np.sqrt(np.diag(self.covariance))[len(self.strengths) :]


def plackett_luce(items, ranks, blocks=None, n_items=None):
    """Strengths of items that finish in some order, by maximum likelihood, and the advantage of each seat.

    The item in seat s has the worth exp(strength + seat effect). The first is drawn with chances in proportion to the worths, then the
    second among the others, and so on (Luce 1959; Plackett 1975). Of equal ranks the order is unknown, not drawn: the likelihood is
    that of any of the orders, so ranks (1, 2, 2) say no more than who won. It is concave, and Newton's method climbs it.

    Contests of a block may depend on each other in any way: errors are those of the "sandwich" over blocks (White 1982; Liang and
    Zeger 1986), which hold for what the model fits best even where it is not quite true.

    Parameters
    ----------
    items : array of int, shape (contests, n)
        Who sat in each seat, 0 to k - 1, nobody twice.
    ranks : array of int, shape (contests, n)
        Place of each seat, the smallest the best; equal where they tied.
    blocks : array of int, shape (contests,), optional
        Number of the block of each contest; each contest its own if left out.
    n_items : int, optional
        k; the largest item + 1 if left out.

    Returns
    -------
    Ratings

    Raises
    ------
    ValueError
        If the contests place no finite strength on some items (a group that always beat all others), or cannot tell items from seats.
    """
    items, ranks = np.asarray(items), np.asarray(ranks)
    if items.ndim != 2 or items.shape != ranks.shape or not len(items):
        raise ValueError("items and ranks must be tables of the same shape (contests, seats)")
    n_contests, n = items.shape
    n_items = int(items.max()) + 1 if n_items is None else n_items
    if items.min() < 0 or items.max() >= n_items or np.any(np.diff(np.sort(items, axis=1), axis=1) == 0):
        raise ValueError(f"items must be different numbers from 0 to {n_items - 1} in every contest")
    present, labels = np.unique(items, return_inverse=True)
    k = len(present)
    # Contests with the same items in the same seats and the same result count as one kind.
    places = (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)
    kinds, kind_of = _distinct(np.hstack([labels.reshape(items.shape), places]), max(k, n))
    items, places = kinds[:, :n], kinds[:, n:]
    _check_comparable(present, items, places, k)
    columns = np.stack([items, np.broadcast_to(k + np.arange(n), items.shape)], axis=2)
    weights = np.bincount(kind_of, minlength=len(kinds)).astype(float)
    parameters, bread, scores = _climb(columns, places, weights, k)
    meat, n_blocks = _block_products(scores, columns, kind_of, blocks, k + n)
    full = np.full((n_items + n, n_items + n), np.nan)
    if n_blocks > 1:
        where = np.concatenate([present, n_items + np.arange(n)])
        full[np.ix_(where, where)] = n_blocks / (n_blocks - 1) * bread @ meat @ bread
    strengths = np.full(n_items, np.nan)
    strengths[present] = parameters[:k]
    return Ratings(strengths, parameters[k:], full, n_blocks)


def _climb(columns, places, weights, k):
    """Maximum of the log-likelihood: parameters, inverse of the information, and the slope of each kind of contest by seat."""
    n = columns.shape[1]
    parameters, size = np.zeros(k + n), k + n
    # The likelihood is flat along "all strengths up" and "all seats up"; these ridges make it curved there and move nothing else.
    flat = np.zeros((size, size))
    flat[:k, :k], flat[k:, k:] = weights.sum() / k, weights.sum() / n
    value, slopes, curvatures = _likelihood(columns, places, parameters)
    for _ in range(MAX_STEPS):
        slope = np.bincount(columns.ravel(), np.repeat((weights[:, None] * slopes).ravel(), 2), size)
        pairs = columns[:, :, None, :, None] * size + columns[:, None, :, None, :]
        terms = np.broadcast_to((weights[:, None, None] * curvatures)[..., None, None], pairs.shape)
        information = flat - np.bincount(pairs.ravel(), terms.ravel(), size * size).reshape(size, size)
        values = np.linalg.eigvalsh(information)
        if values[0] <= 1e-9 * values[-1]:
            raise ValueError("the contests cannot tell the strength of the items from the advantage of the seats")
        step = np.linalg.solve(information, slope)
        if np.abs(step).max() < _PRECISION:
            return parameters, np.linalg.inv(information), slopes
        scale, total = 1.0, weights @ value
        while True:
            tried = parameters + scale * step
            value, slopes, curvatures = _likelihood(columns, places, tried)
            if weights @ value >= total - 1e-12 * abs(total) or scale < 1e-6:
                break
            scale /= 2
        parameters = tried
    raise ValueError("the ratings do not converge: some items or seats always beat the others")


def _likelihood(columns, places, parameters):
    """Log-likelihood of each kind of contest, and its first and second derivatives by the logit of each seat."""
    logits = parameters[columns].sum(axis=2)
    n_kinds, n = logits.shape
    value, slope, curvature = np.zeros(n_kinds), np.zeros((n_kinds, n)), np.zeros((n_kinds, n, n))
    patterns, pattern_of = _distinct(places, n)
    for number, pattern in enumerate(patterns):
        rows = np.flatnonzero(pattern_of == number)
        # Tied groups follow each other: their likelihoods multiply. The last one has no choice.
        for place in np.unique(pattern)[:-1]:
            remaining = np.flatnonzero(pattern >= place)
            parts = _group_likelihood(logits[rows], remaining, np.flatnonzero(pattern == place))
            value[rows] += parts[0]
            slope[rows] += parts[1]
            curvature[rows] += parts[2]
    return value, slope, curvature


def _group_likelihood(logits, remaining, group):
    """That the seats of `group` come, in any order, before the others of `remaining`."""
    orders = [_order_likelihood(logits, remaining, order) for order in permutations(group)]
    values, slopes, curvatures = (np.stack(parts) for parts in zip(*orders, strict=True))
    top = values.max(axis=0)
    chances = np.exp(values - top)
    value = top + np.log(chances.sum(axis=0))
    chances /= chances.sum(axis=0)
    slope = np.einsum("or,orn->rn", chances, slopes)
    curvature = np.einsum("or,ornm->rnm", chances, curvatures + slopes[..., None] * slopes[..., None, :])
    return value, slope, curvature - slope[..., None] * slope[..., None, :]


def _order_likelihood(logits, remaining, order):
    value, slope = np.zeros(len(logits)), np.zeros(logits.shape)
    curvature = np.zeros((*logits.shape, logits.shape[1]))
    left = list(remaining)
    for seat in order:
        top = logits[:, left].max(axis=1, keepdims=True)
        chances = np.zeros(logits.shape)
        chances[:, left] = np.exp(logits[:, left] - top)
        total = chances.sum(axis=1, keepdims=True)
        chances /= total
        value += logits[:, seat] - (top + np.log(total))[:, 0]
        slope[:, seat] += 1.0
        slope -= chances
        curvature += chances[..., None] * chances[..., None, :] - chances[..., None] * np.eye(logits.shape[1])
        left.remove(seat)
    return value, slope, curvature


def _block_products(scores, columns, kind_of, blocks, size):
    """Sum over the blocks of the outer product of their slopes, and the number of blocks."""
    from scipy.sparse import csr_array

    n_kinds, n = scores.shape
    row = np.repeat(np.arange(n_kinds), 2 * n)
    by_kind = csr_array((np.repeat(scores.ravel(), 2), (row, columns.ravel())), (n_kinds, size))
    if blocks is None:
        weights = np.bincount(kind_of, minlength=n_kinds)
        return (by_kind.T @ (by_kind * weights[:, None])).toarray(), len(kind_of)
    names, block_of = np.unique(np.asarray(blocks), return_inverse=True)
    members = csr_array((np.ones(len(kind_of)), (block_of, kind_of)), (len(names), n_kinds))
    by_block = members @ by_kind
    return (by_block.T @ by_block).toarray(), len(names)


def _check_comparable(present, items, places, k):
    """ValueError unless every item has, by some chain of contests, both beaten and lost to every other (Ford 1957)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = items.shape[1]
    beaten = [(items[won, i], items[won, j]) for i in range(n) for j in range(n) for won in [places[:, i] < places[:, j]]]
    winners, losers = (np.concatenate(part) for part in zip(*beaten, strict=True))
    graph = csr_array((np.ones(len(winners), np.int8), (winners, losers)), (k, k))
    n_groups, group = connected_components(graph, connection="strong")
    if n_groups > 1:
        smallest = np.argmin(np.bincount(group))
        names = ", ".join(map(str, present[group == smallest]))
        raise ValueError(f"no finite ratings: the items {names} have always beaten, always lost to, or never met the others")


def _distinct(rows, base):
    """Distinct rows of numbers from 0 to base - 1, and which of them each row is."""
    if base ** rows.shape[1] >= 2**62:
        distinct, which = np.unique(rows, axis=0, return_inverse=True)
        return distinct, which.ravel()
    key = np.zeros(len(rows), np.int64)
    for column in rows.T:
        key = key * base + column
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    return rows[first], which
