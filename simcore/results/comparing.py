"""Two runs, or two experiments, on the same cards, compared block by block."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from simcore.engine import Experiment, play_units
from simcore.results.chunks import Chunks, whole_blocks
from simcore.results.folder import Run
from simcore.results.running import in_order
from simcore.results.table import CONFIDENCE
from simcore.results.workers import on_threads
from simcore.statistics import block_interval, cross_sums, effective_blocks, holm, ratio, ratio_difference, wilson, z_test
from simcore.tally import Layout, block_totals, figure_layouts

PAIRED, EQUAL = "Student on pairs of blocks", "Wilson on the blocks, none of which differed"
# Deals of each run whose block totals are in memory at once, for each thread.
_BATCH = 1 << 12


def changes(first: Run, second: Run) -> dict[str, tuple[Any, Any]]:
    """What the second of two runs on the same cards plays otherwise than the first: the rules and ``policies`` that differ.

    Raises
    ------
    ValueError
        If they are not on the same cards, are not done, or were not played by these sources, which play them once more.
    """
    for name, what in (("game", "game"), ("unit", "unit"), ("players", "number of players"), ("seed", "seed"), ("seatings", "seating")):
        mine, theirs = first.info[name], second.info[name]
        if mine != theirs:
            raise ValueError(f"runs are compared on the same cards: {first.folder} has the {what} {mine}, {second.folder} {theirs}")
    for run in (first, second):
        if run.info["state"] != "done":
            raise ValueError(f"{run.folder} is not done; go on with: cosmic resume {run.folder}")
        run.check_sources()
    rules = {name: (value, second.info["rules"][name]) for name, value in first.info["rules"].items()}
    found = {name: pair for name, pair in rules.items() if pair[0] != pair[1]}
    for name in ("policies", "characters"):
        if first.info[name] != second.info[name]:
            found[name] = first.info[name], second.info[name]
    if not found:
        raise ValueError(f"{first.folder} and {second.folder} play the same: there is nothing to compare")
    return found


def common_units(first: Run, second: Run, most: int | None = None) -> int:
    """Units that both runs have played, at most *most* rounded up to whole blocks."""
    units = min(_played(first), _played(second))
    return units if most is None else min(units, whole_blocks(first.experiment, most))


def compare(
    first: Run,
    second: Run,
    threads: int,
    *,
    units: int | None = None,
    by_kind: bool = False,
    on_progress: Callable[[int], None] = lambda units: None,
) -> pd.DataFrame:
    """What the second run has more than the first on the cards that both have played: one row for each figure, largest change first.

    A run keeps sums over all its blocks, not the blocks. They are played once more, both sides batch by batch, which gives the same
    deals again. The change is that of the mean per observation, its error is from the differences block by block.

    Columns ``level``, ``grouping``, ``key``, ``kind``, ``measure`` as in the table of a run; ``blocks``; ``n_first``, ``n_second``
    observations and their means ``first``, ``second``; their ``difference`` (second less first), its ``standard_error`` and its interval
    ``low`` to ``high`` at ``confidence`` by ``method``; ``effect``, the difference in standard deviations of a single observation in the
    first run (of a block mean, where no histogram is kept); ``p`` of no difference and ``p_holm``, adjusted for all the rows.

    Parameters
    ----------
    units : int, optional
        Compare the first so many only, rounded up to whole blocks.
    by_kind : bool
        Rows for each kind of deal, too.
    on_progress : callable
        Told the number of units that are compared.
    """
    units = common_units(first, second, units)
    table = differences(first.experiment, second.experiment, units, threads, on_progress=on_progress)
    is_repeated = (table["grouping"] == "policy") & table["key"].isin(set(_repeats(first)) & set(_repeats(second)))
    table = table[~is_repeated & (by_kind | (table["kind"] == "all"))]
    table = table.assign(effect=table["difference"] / _deviations(first, table), p_holm=holm(table["p"].to_numpy()))
    # Without an effect, a figure that is the same in all observations or is missing on a side, the row goes to the end.
    return table.sort_values("effect", key=np.abs, ascending=False, kind="stable", ignore_index=True)


def differences(
    first: Experiment,
    second: Experiment,
    units: int,
    threads: int,
    *,
    batch: int = 0,
    on_progress: Callable[[int], None] = lambda units: None,
) -> pd.DataFrame:
    """What *second* has more than *first*, which have the same game, seats, seatings and seed: one row for each figure they share.

    Both are played batch by batch, and nothing is kept of single deals. Columns as in `compare`, without those that look at all rows.

    Parameters
    ----------
    units : int
        Units to play of each.
    threads : int
        Batches that are played at once; they change nothing but the time.
    batch : int, optional
        Units of a batch, whole blocks.
    """
    sides = (first, second)
    # The figures of single characters are left to `balance`.
    tables = [figure_layouts(side) for side in sides]
    batch = batch or whole_blocks(first, max(_BATCH // max(side.max_deals for side in sides), 1))

    def sums(start: int) -> list[np.ndarray]:
        n = min(batch, units - start)
        totals = [block_totals(side, *play_units(side, start, n)) for side in sides]
        return [_pair_sums(*level) for level in zip(*tables, *totals, strict=True)]

    totals: list[np.ndarray] = []
    with on_threads(threads) as workers:
        for done, part in enumerate(in_order(sums, range(0, units, batch), workers, lambda: False), 1):
            totals = [total + more for total, more in zip(totals, part, strict=True)] if totals else part
            on_progress(min(done * batch, units))
    blocks = -(-units // len(first.seatings))
    levels = zip(*tables, totals, strict=True)
    table = pd.concat([_level_table(blocks, *level) for level in levels], ignore_index=True)
    return table[table["measure"] != getattr(first.game, "LABEL_MEASURE", None)].reset_index(drop=True)


def _played(run: Run) -> int:
    chunks = Chunks(run)
    return sum(map(chunks.units, range(run.info["chunks"])))


def _common(first: Layout, second: Layout) -> list[tuple[int, int]]:
    """Rows of the groups that both layouts have."""
    return [(i, second.groups.index(group)) for i, group in enumerate(first.groups) if group in second.groups]


def _repeats(run: Run) -> list[str]:
    """Policies of which a single seat is all: their figures are those of the seat."""
    seats, policies = run.info["seatings"], run.info["policies"]
    return [policy for policy in policies if len(seats) == 1 and policies.count(policy) == 1]


def _pair_sums(
    first: Layout, second: Layout, first_totals: tuple[np.ndarray, np.ndarray], second_totals: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """Block sums of both sides, five each, then the four cross sums; int64 (14, groups, measures)."""
    by_block: list[np.ndarray] = []
    own: list[np.ndarray] = []
    for (n, x), rows in zip((first_totals, second_totals), zip(*_common(first, second), strict=True), strict=True):
        x = np.moveaxis(x[list(rows)], -1, 0)
        n = np.broadcast_to(n[list(rows)].T[:, :, None], x.shape)
        own += [n.sum(0), x.sum(0), (x * x).sum(0), (x * n).sum(0), (n * n).sum(0)]
        by_block += [n, x]
    return np.concatenate([np.stack(own), cross_sums(*by_block)])


def _level_table(blocks: int, first: Layout, second: Layout, sums: np.ndarray) -> pd.DataFrame:
    a, b, cross = sums[:5], sums[5:10], sums[10:]
    # What the change brings is the second less the first.
    swapped = cross[0], cross[2], cross[1], cross[3]
    difference, error = ratio_difference(blocks, b, a, swapped)
    freedom = np.minimum(effective_blocks(a[0], a[4]), effective_blocks(b[0], b[4]))
    span = np.max([[m.high - m.low for m in layout.measures] for layout in (first, second)], axis=0).astype(float)
    low, high = block_interval(difference, error, freedom, CONFIDENCE, -span, span)
    # Blocks that were all the same say how rare the others are, not that there are none.
    is_equal = (error == 0) & (difference == 0)
    rest = wilson(0, np.where(is_equal, freedom, 1), CONFIDENCE)[1] * span
    groups = [first.groups[i] for i, _ in _common(first, second)]
    frame = pd.DataFrame(
        [(g.grouping, g.key, g.kind, m.name) for g in groups for m in first.measures], columns=["grouping", "key", "kind", "measure"]
    )
    frame.insert(0, "level", first.level)
    columns: dict[str, Any] = {
        "n_first": a[0],
        "n_second": b[0],
        "first": ratio(blocks, *a)[0],
        "second": ratio(blocks, *b)[0],
        "difference": difference,
        "standard_error": error,
        "low": np.where(is_equal, -rest, low),
        "high": np.where(is_equal, rest, high),
        "method": np.where(is_equal, EQUAL, PAIRED),
        "p": np.where(is_equal, 1.0, z_test(difference, error, freedom)),
    }
    return frame.assign(blocks=blocks, confidence=CONFIDENCE, **{name: values.ravel() for name, values in columns.items()})


def _deviations(run: Run, table: pd.DataFrame) -> np.ndarray:
    """Standard deviation of single observations of a run, in the rows of `table`."""
    keys = ["level", "grouping", "key", "kind", "measure"]
    own = pd.read_parquet(run.statistics_file).astype(dict.fromkeys(keys, "str"))
    sd = own["sd"].where(own["sd"].notna(), own["standard_error"] * np.sqrt(own["blocks"]))
    aligned = table[keys].astype("str").merge(own[keys].assign(sd=sd.where(sd > 0)), on=keys, how="left")
    return aligned["sd"].to_numpy()
