"""A table of opening hands: how they fare by what they hold."""

import numpy as np
import pandas as pd

from simcore.engine import N_FIXED, NUMBER, UNIT, Experiment
from simcore.estimate import try_openings
from simcore.results.table import CONFIDENCE, MEAN, RATE
from simcore.statistics import block_interval, effective_blocks, rate_interval, ratio

_BATCH = 1000


def hand_table(experiment: Experiment, n_hands: int) -> pd.DataFrame:
    """Every opening move of the first seat to act tried on dealt hands, by the features that the game names.

    One row for each combination of features and each figure of that seat: ``n`` deals from ``blocks`` hands, ``mean`` (of 0 and 1, the
    rate), ``standard_error`` and the interval ``low`` to ``high``. What was tried on the same hand is one block.
    """
    parts = []
    for first in range(0, n_hands, _BATCH):
        parts.append(_rows(experiment, first, min(_BATCH, n_hands - first)))
    rows = pd.concat(parts, ignore_index=True)
    keys = [name for name in rows.columns if name not in {"unit", *(m.name for m in experiment.game.SEAT_MEASURES)}]
    found = []
    for m in experiment.game.SEAT_MEASURES:
        by_hand = rows.groupby([*keys, "unit"], observed=True)[m.name].agg(["size", "sum"]).astype(np.int64)
        x, n = by_hand["sum"], by_hand["size"]
        products = pd.DataFrame({"blocks": n * 0 + 1, "n": n, "x": x, "xx": x * x, "xn": x * n, "nn": n * n})
        sums = products.groupby(keys, observed=True).sum()
        blocks, n, x, xx, xn, nn = sums.to_numpy().T
        mean, error = ratio(blocks, n, x, xx, xn, nn)
        if m.is_rate:
            low, high = rate_interval(blocks, n, x, xx, xn, nn, CONFIDENCE)
        else:
            low, high = block_interval(mean, error, effective_blocks(n, nn), CONFIDENCE, m.low, m.high)
        columns = {"blocks": blocks, "n": n, "mean": mean, "standard_error": error, "low": low, "high": high}
        found.append(sums[[]].assign(measure=m.name, **columns, method=RATE if m.is_rate else MEAN).reset_index())
    return pd.concat(found, ignore_index=True).assign(confidence=CONFIDENCE, policies=",".join(experiment.policies))


def _rows(experiment: Experiment, first: int, n: int) -> pd.DataFrame:
    """Features and figures of the seat that began, one row for each move that was tried."""
    game = experiment.game
    hands, moves, rows = try_openings(experiment, first, n)
    n_whole, n_by_seat = len(game.DEAL_MEASURES), len(game.SEAT_MEASURES)
    by_seat = rows[:, N_FIXED + n_whole :].reshape(len(rows), experiment.n_seats, n_by_seat)
    own = by_seat[np.arange(len(rows)), rows[:, NUMBER]]
    frame = pd.DataFrame(game.hand_features(hands, moves)).assign(unit=rows[:, UNIT])
    frame = pd.concat([frame, pd.DataFrame(own, columns=[m.name for m in game.SEAT_MEASURES])], axis=1)
    return frame[frame[game.HAND_CONDITION] == 1]
