"""The score of a player under several rules, on the same cards."""

from collections.abc import Callable, Sequence

import numpy as np

from simcore.engine import Experiment, play_units
from simcore.results.running import in_order
from simcore.results.units import unit_figures
from simcore.results.workers import on_threads

# Deals whose figures are in memory at once, for each thread.
_BATCH = 1 << 16


def play_curve(
    experiments: Sequence[Experiment],
    player: int,
    first: int,
    n: int,
    threads: int,
    on_progress: Callable[[int], None] = lambda units: None,
) -> np.ndarray:
    """Sum of the scores of *player* in each of *n* blocks from number *first*, under several rules; int64 (n, experiments)."""
    size = len(experiments[0].seatings)
    batch = max(_BATCH // (size * experiments[0].max_deals), 1)
    tasks = [(k, start) for start in range(0, n, batch) for k in range(len(experiments))]

    def play(task: int) -> np.ndarray:
        k, start = tasks[task]
        count = min(batch, n - start)
        _, by_player = unit_figures(experiments[k], *play_units(experiments[k], size * (first + start), size * count))
        return by_player[:, player, 1].reshape(count, size).sum(axis=1)

    totals, units = np.empty((n, len(experiments)), np.int64), 0
    with on_threads(threads) as workers:
        for task, part in enumerate(in_order(play, range(len(tasks)), workers, lambda: False)):
            k, start = tasks[task]
            totals[start : start + len(part), k] = part
            units += size * len(part)
            on_progress(units)
    return totals
