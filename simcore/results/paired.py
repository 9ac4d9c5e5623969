"""Two experiments on the same cards: the difference of every figure."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from simcore.engine import N_FIXED, N_MATCH_FIXED, UNIT, Experiment, play_units
from simcore.protocol import Measure
from simcore.results.running import in_order
from simcore.results.table import CONFIDENCE
from simcore.results.workers import on_threads
from simcore.statistics import block_interval, ratio_difference

PAIRED = "Student on paired blocks"

# Level, grouping, key, measures; and by block the sums of the measures (blocks, measures) and the number of observations (blocks,).
Part = tuple[str, str, str, tuple[Measure, ...], np.ndarray, np.ndarray]


def differences(one: Experiment, other: Experiment, units: int, chunk: int, threads: int) -> pd.DataFrame:
    """Figures of *one* less those of *other*, unit by unit on the same cards.

    Both have the same game, seats, seatings and seed, and differ in their rules or their policies. Nothing is kept of single deals.

    Parameters
    ----------
    units, chunk : int
        Units to play of each, and how many are in memory at once: whole blocks.
    threads : int
        Chunks that are played at once; they change nothing but the time.

    Returns
    -------
    One row for each figure of the deal, of each seat and of each policy, over all kinds of deal: ``level``, ``grouping``, ``key``,
    ``measure``, ``blocks``, ``mean`` and ``mean_other``, their ``difference`` with its ``standard_error``, ``low`` and ``high``.
    """

    def play(number: int) -> tuple[list[Part], list[np.ndarray]]:
        first, n = number * chunk, min(chunk, units - number * chunk)
        mine, theirs = (list(_by_block(e, *play_units(e, first, n))) for e in (one, other))
        return mine, [_products(a, b) for a, b in zip(mine, theirs, strict=True)]

    blocks = 0
    labels: list[tuple[str, str, str, tuple[Measure, ...]]] = []
    sums: list[np.ndarray] = []
    with on_threads(threads) as workers:
        for parts, products in in_order(play, range(-(-units // chunk)), workers, lambda: False):
            blocks += len(parts[0][5])
            labels = [part[:4] for part in parts]
            sums = [a + b for a, b in zip(sums, products, strict=True)] if sums else products
    tables = [_table(blocks, *label, part) for label, part in zip(labels, sums, strict=True)]
    return pd.concat(tables, ignore_index=True).assign(confidence=CONFIDENCE, method=PAIRED)


def _by_block(experiment: Experiment, deals: np.ndarray, matches: np.ndarray) -> Iterator[Part]:
    game, n_whole = experiment.game, len(experiment.game.DEAL_MEASURES)
    split = N_FIXED + n_whole
    levels = [("deal", deals[:, UNIT], deals[:, N_FIXED:split], deals[:, split:], game.DEAL_MEASURES, game.SEAT_MEASURES)]
    if experiment.is_match:
        units = np.arange(len(matches))
        levels.append(("match", units, matches[:, :N_MATCH_FIXED], matches[:, N_MATCH_FIXED:], *experiment.match_measures))
    for level, units, whole, seats, of_whole, of_seat in levels:
        by_seat = seats.reshape(len(seats), experiment.n_seats, len(of_seat)).astype(np.int64)
        n_seatings = len(experiment.seatings)
        starts = np.flatnonzero(np.diff(units // n_seatings, prepend=-1))
        players = np.array([[experiment.policies[player] for player in seating] for seating in experiment.seatings])[units % n_seatings]
        n = np.add.reduceat(np.ones(len(units), np.int64), starts)
        yield level, "all", "", of_whole, np.add.reduceat(whole.astype(np.int64), starts), n
        for seat in range(experiment.n_seats):
            yield f"{level} seat", "seat", str(seat), of_seat, np.add.reduceat(by_seat[:, seat], starts), n
        for policy in dict.fromkeys(experiment.policies):
            is_his = players == policy
            x = np.add.reduceat((by_seat * is_his[:, :, None]).sum(axis=1), starts)
            yield f"{level} seat", "policy", policy, of_seat, x, np.add.reduceat(is_his.sum(axis=1), starts)


def _products(mine: Part, theirs: Part) -> np.ndarray:
    """The sums over the blocks that `ratio_difference` needs; int64 (14, measures)."""
    x, y = mine[4], theirs[4]
    n, m = (np.broadcast_to(part[5][:, None], part[4].shape) for part in (mine, theirs))
    pairs = [x * x, x * n, n * n, y * y, y * m, m * m, x * y, x * m, n * y, n * m]
    sums = [part.sum(axis=0) for part in (n, x, m, y, *pairs)]
    return np.array(sums, np.int64)


def _table(blocks: int, level: str, grouping: str, key: str, measures: tuple[Measure, ...], sums: np.ndarray) -> pd.DataFrame:
    n, x, m, y, xx, xn, nn, yy, ym, mm, *cross = sums
    difference, error = ratio_difference(blocks, (n, x, xx, xn, nn), (m, y, yy, ym, mm), cross)
    low, high = block_interval(difference, error, blocks, CONFIDENCE)
    columns = {"difference": difference, "standard_error": error, "low": low, "high": high}
    frame = pd.DataFrame(
        {"measure": [measure.name for measure in measures], "blocks": blocks, "mean": x / n, "mean_other": y / m} | columns
    )
    for place, (name, value) in enumerate({"level": level, "grouping": grouping, "key": key}.items()):
        frame.insert(place, name, value)
    return frame
