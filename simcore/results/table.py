"""From counts to the tidy table of statistics."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from simcore.engine import Experiment
from simcore.protocol import Measure
from simcore.results.chunks import seating_text
from simcore.results.folder import Run
from simcore.statistics import (
    asymptotic_sequence,
    block_interval,
    bounded_mean_sequence,
    effective_blocks,
    histogram_moments,
    rate_interval,
    ratio,
    union_level,
)
from simcore.tally import Counts, Layout

CONFIDENCE = 0.95
_LABELS = ["level", "grouping", "key", "kind", "measure", "method"]
# Names of the methods, for people and in files.
RATE, MEAN = "Wilson on blocks", "Student on blocks"
BOUNDED, ASYMPTOTIC = "beta-binomial confidence sequence", "asymptotic confidence sequence"


def statistics_table(experiment: Experiment, counts: Counts, is_watched: bool) -> pd.DataFrame:
    """One row for each group and measure.

    Columns: ``level`` (figures of the deal, of a seat in it, of the match, of a seat in it), ``grouping`` and ``key`` (which seat or
    policy), ``kind`` of deal, ``measure``; ``blocks`` played, ``n`` observations, their ``mean`` and standard deviation ``sd``; the
    ``standard_error`` of the mean from the blocks, and its interval ``low`` to ``high`` at ``confidence`` by ``method``; ``policies``.

    Parameters
    ----------
    is_watched : bool
        The run looks at its own intervals to stop: they have to hold at every moment.
    """
    parts = zip(counts.layouts, counts.sums, counts.bins, strict=True)
    exact = headline(experiment)
    table = pd.concat([_level_table(experiment, counts.blocks, *part, is_watched, exact) for part in parts])
    # The number of a label is no figure to be averaged.
    table = table[table["measure"] != getattr(experiment.game, "LABEL_MEASURE", None)].reset_index(drop=True)
    table["confidence"] = CONFIDENCE
    table["policies"] = " | ".join(dict.fromkeys(seating_text(experiment, seating) for seating in experiment.seatings))
    return table.astype(dict.fromkeys([*_LABELS, "policies"], "category"))


def combined_table(runs: Sequence[tuple[str, Run]], rules: Sequence[str]) -> pd.DataFrame:
    """Statistics of finished runs under each other.

    Columns ``run`` (the name given with it), ``game``, ``players``, ``policies``, ``seed``, ``unit``, one for each of *rules* (nothing
    where a game has no such rule), then those of `statistics_table`.
    """
    frames = []
    for name, run in runs:
        info, table = run.info, pd.read_parquet(run.statistics_file)
        about = {"run": name, "game": info["game"], "players": info["players"], "policies": table.pop("policies").astype(str)}
        about |= {"seed": info["seed"], "unit": info["unit"]} | {rule: info["rules"].get(rule) for rule in rules}
        frames.append(pd.DataFrame(about, index=table.index).join(table.astype(dict.fromkeys(_LABELS, str))))
    whole = pd.concat(frames, ignore_index=True)
    is_number = {rule: all(isinstance(run.info["rules"].get(rule, 0), int) for _, run in runs) for rule in rules}
    types = {rule: "Int64" if is_number[rule] else "category" for rule in rules}
    return whole.astype(dict.fromkeys(["run", "game", "policies", "unit", *_LABELS], "category") | types | {"seed": "uint64"})


def _level_table(
    experiment: Experiment, blocks: int, layout: Layout, sums: np.ndarray, bins: np.ndarray, is_watched: bool, exact: tuple[str, str]
) -> pd.DataFrame:
    n, x, xx, xn, nn = np.moveaxis(sums, -1, 0)
    mean, error = ratio(blocks, n, x, xx, xn, nn)
    lows, highs = np.array([_bounds(experiment, layout, m) for m in layout.measures], float).T
    is_rate = np.array([m.is_rate for m in layout.measures])
    if is_watched:
        # A bounded mean has an exact interval as well, but a wide one: that price is paid for the figure by which the run stops.
        is_exact = is_rate | np.array([(layout.level, m.name) == exact for m in layout.measures])
        low, high, method = _sequences(blocks, (n, x, xx, xn, nn), mean, error, lows, highs, is_exact)
    else:
        low, high, method = _intervals(blocks, (n, x, xx, xn, nn), mean, error, lows, highs, is_rate)
    groups = [(g.grouping, g.key, g.kind, m.name) for g in layout.groups for m in layout.measures]
    frame = pd.DataFrame(groups, columns=["grouping", "key", "kind", "measure"])
    frame.insert(0, "level", layout.level)
    frame["blocks"] = blocks
    columns = {"n": n, "mean": mean, "sd": _deviations(layout, sums, bins), "standard_error": error, "low": low, "high": high}
    frame = frame.assign(**{name: values.ravel() for name, values in columns.items()}, method=method.ravel())
    # Of the many companies that a label may be in, those that have not met have nothing to tell.
    return frame if layout.has_histograms else frame[frame["n"] > 0]


def _intervals(blocks, sums, mean, error, lows, highs, is_rate):
    """Intervals for a number of blocks fixed beforehand."""
    n, nn = sums[0], sums[4]
    low, high = block_interval(mean, error, effective_blocks(n, nn), CONFIDENCE, lows, highs)
    low[:, is_rate], high[:, is_rate] = rate_interval(blocks, *(part[:, is_rate] for part in sums), level=CONFIDENCE)
    return low, high, np.where(np.broadcast_to(is_rate, mean.shape), RATE, MEAN)


def _sequences(blocks, sums, mean, error, lows, highs, is_exact):
    """Intervals that hold at every number of blocks at once; exact ones where asked for and the blocks of a group weigh the same."""
    n, x, _, _, nn = (part.astype(object) for part in sums)
    # n_b is the same in all blocks, or 0 or 1 in each.
    size = np.where(n * n == blocks * nn, nn // np.maximum(n, 1), 1)
    is_exact = is_exact & ((n * n == blocks * nn) | (n == nn)) & (n > 0)
    values = np.where(is_exact, n // np.maximum(size, 1), 0).astype(float)
    total = np.where(is_exact, x.astype(float) / np.maximum(size, 1).astype(float), 0.0)
    low, high = bounded_mean_sequence(values, total, lows, highs, CONFIDENCE)
    rough = asymptotic_sequence(blocks, mean, error, CONFIDENCE)
    low, high = np.where(is_exact, low, np.maximum(rough[0], lows)), np.where(is_exact, high, np.minimum(rough[1], highs))
    return low, high, np.where(is_exact, BOUNDED, ASYMPTOTIC)


def _deviations(layout: Layout, sums: np.ndarray, bins: np.ndarray) -> np.ndarray:
    """Standard deviation of the single observations, nan where the counts do not tell it."""
    sd = np.full(sums.shape[:2], np.nan)
    for m, measure in enumerate(layout.measures):
        begin, end = layout.first_bins[m : m + 2]
        if begin < end:
            values = np.arange(measure.low, measure.high + 1)
            sd[:, m] = [histogram_moments(values, row)[2] for row in bins[:, begin:end]]
    return sd


def _bounds(experiment: Experiment, layout: Layout, measure: Measure) -> tuple[int, int]:
    """Least and most of a measure: of the game's own unit, by the rules of the run."""
    is_unit = (layout.level, measure.name) == ("deal seat", experiment.game.SEAT_MEASURES[0].name)
    return experiment.unit_bounds if is_unit else (measure.low, measure.high)


def headline(experiment: Experiment) -> tuple[str, str]:
    """Level and measure that a run is about: the win rate of a match, or the game's own unit of a deal."""
    return ("match seat", "won") if experiment.is_match else ("deal seat", experiment.game.SEAT_MEASURES[0].name)


def widest_headline(experiment: Experiment, counts: Counts) -> float:
    """Largest half-width among the headline intervals of all seats and policies, as a share of the measure's range."""
    level, name = headline(experiment)
    at = [layout.level for layout in counts.layouts].index(level)
    layout = counts.layouts[at]
    m = [measure.name for measure in layout.measures].index(name)
    rows = [k for k, group in enumerate(layout.groups) if group.kind == "all"]
    sums = np.moveaxis(counts.sums[at][rows, m : m + 1], -1, 0)
    lows, highs = np.array([_bounds(experiment, layout, layout.measures[m])], float).T
    mean, error = ratio(counts.blocks, *sums)
    low, high, _ = _sequences(counts.blocks, sums, mean, error, lows, highs, True)
    return float(np.max((high - low) / (2 * (highs - lows))))


def widest_label(experiment: Experiment, counts: Counts) -> float:
    """Largest half-width among the intervals of the headline of all labels together, as a share of the measure's range."""
    level, name = headline(experiment)
    for layout, sums in zip(counts.layouts, counts.sums, strict=True):
        rows = [k for k, group in enumerate(layout.groups) if group.grouping == "character" and group.kind == "all"]
        if layout.level == level and rows:
            m = [measure.name for measure in layout.measures].index(name)
            n, x, xx, xn, nn = np.moveaxis(sums[rows, m], -1, 0)
            mean, error = ratio(counts.blocks, n, x, xx, xn, nn)
            low, high = asymptotic_sequence(effective_blocks(n, nn), mean, error, union_level(CONFIDENCE, len(rows)))
            return float(np.max(high - low)) / (2 * (layout.measures[m].high - layout.measures[m].low))
    raise ValueError(f"{experiment.game.NAME} is played without characters")
