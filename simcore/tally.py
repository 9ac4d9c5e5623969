"""From rows of figures to sufficient statistics: exact integers that add up over chunks.

Units on the same cards, and the deals of one match, are not independent. A *block* is all that is played on the same cards. For every
group (a seat, a policy, ...) and measure the counts keep, over the blocks b, with n_b observations that sum to x_b:

    n = sum n_b    x = sum x_b    xx = sum x_b**2    xn = sum x_b * n_b    nn = sum n_b**2

which is all that a ratio estimator with block standard errors needs, and a histogram of the single observations.
"""

from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np

from simcore.engine import KIND, N_FIXED, N_MATCH_FIXED, UNIT, Experiment
from simcore.jit import kernel
from simcore.protocol import Measure

SUMS = ("n", "x", "xx", "xn", "nn")
MAX_BINS = 1024


@dataclass(frozen=True)
class Group:
    """One row of the statistics: which observations belong together."""

    grouping: str  # "all", "seat", "policy"; for games whose seats have labels (characters) "character", "pair", "triple"
    key: str  # "", the number of the seat, the policy; the label of the seat, then those of the others at the table
    kind: str  # "all", or the kind of deal; for a label "all", "used" and "unused"


@dataclass(frozen=True)
class Layout:
    """Groups and measures of one level: figures of "deal", "deal seat", "match" or "match seat"."""

    level: str
    groups: tuple[Group, ...]
    measures: tuple[Measure, ...]
    has_histograms: bool = True

    @cached_property
    def first_bins(self) -> np.ndarray:
        """First histogram bin of each measure, and the number of bins; int64 (measures + 1,). A wide measure has none."""
        widths = [m.high - m.low + 1 if self.has_histograms and m.high - m.low < MAX_BINS else 0 for m in self.measures]
        return np.cumsum([0, *widths])

    @cached_property
    def lows(self) -> np.ndarray:
        """Lowest value of each measure; int64 (measures,)."""
        return np.array([m.low for m in self.measures], np.int64)


@dataclass
class Counts:
    """Sufficient statistics of some blocks of an experiment."""

    layouts: tuple[Layout, ...]
    blocks: int = 0
    sums: list[np.ndarray] = field(default_factory=list)  # int64 (groups, measures, len(SUMS)) for each layout
    bins: list[np.ndarray] = field(default_factory=list)  # int64 (groups, bins) for each layout

    def __post_init__(self) -> None:
        if not self.sums:
            self.sums = [np.zeros((len(x.groups), len(x.measures), len(SUMS)), np.int64) for x in self.layouts]
            self.bins = [np.zeros((len(x.groups), int(x.first_bins[-1])), np.int64) for x in self.layouts]

    def add(self, other: "Counts") -> None:
        """Add the counts of other blocks."""
        self.blocks += other.blocks
        for mine, theirs in zip(self.sums + self.bins, other.sums + other.bins, strict=True):
            mine += theirs

    def flat(self) -> np.ndarray:
        """All counts in one int64 array; the inverse of `from_flat`."""
        return np.concatenate([[self.blocks], *(part.ravel() for part in self.sums + self.bins)]).astype(np.int64)

    @classmethod
    def from_flat(cls, layouts: tuple[Layout, ...], flat: np.ndarray) -> "Counts":
        """Counts from their flat array. ValueError when its length is another."""
        counts = cls(layouts)
        parts = counts.sums + counts.bins
        if len(flat) != 1 + sum(part.size for part in parts):
            raise ValueError("the counts are of another configuration")
        counts.blocks, at = int(flat[0]), 1
        for part in parts:
            part[...] = flat[at : at + part.size].reshape(part.shape)
            at += part.size
        return counts


def layouts_of(experiment: Experiment) -> tuple[Layout, ...]:
    """Levels, groups and measures that `tally` counts for *experiment*."""
    labelling = labelling_of(experiment)
    return figure_layouts(experiment) + (labelling.layouts(experiment) if labelling else ())


def figure_layouts(experiment: Experiment) -> tuple[Layout, ...]:
    """The layouts of the deal, its seats and the match, without those of what the seats are labelled with."""
    game = experiment.game
    seats = [("seat", str(seat)) for seat in range(experiment.n_seats)]
    policies = [("policy", policy) for policy in dict.fromkeys(experiment.policies)]
    kinds = ("all", *game.KINDS)

    def groups(keys: list[tuple[str, str]], kinds: tuple[str, ...]) -> tuple[Group, ...]:
        return tuple(Group(grouping, key, kind) for grouping, key in keys for kind in kinds)

    layouts = [
        Layout("deal", groups([("all", "")], kinds), game.DEAL_MEASURES),
        Layout("deal seat", groups(seats + policies, kinds), game.SEAT_MEASURES),
    ]
    if experiment.is_match:
        whole, by_seat = experiment.match_measures
        layouts += [
            Layout("match", groups([("all", "")], ("all",)), whole),
            Layout("match seat", groups(seats + policies, ("all",)), by_seat),
        ]
    return tuple(layouts)


@dataclass(frozen=True)
class Labelling:
    """Statistics by what each seat has been given for the match (a character), alone and in company.

    The game names the measure of a seat that holds the number of its label (0 for none) and the one that tells whether it was used.
    """

    names: tuple[str, ...]  # of the labels that may come up
    numbers: tuple[int, ...]  # theirs in the figures, from 1
    label: int  # columns of the two measures among those of a seat
    used: int

    @cached_property
    def company(self) -> tuple[tuple[Group, ...], np.ndarray, np.ndarray]:
        """Groups of a label beside one or two others, and their numbers: int64 (own, other) and (own, lower other, higher other)."""
        n = max(self.numbers) + 1
        groups: list[Group] = []
        pairs, triples = np.full((n, n), -1), np.full((n, n, n), -1)
        named = list(zip(self.numbers, self.names, strict=True))
        for own, name in named:
            for other, other_name in named:
                if other != own:
                    pairs[own, other] = len(groups)
                    groups.append(Group("pair", f"{name} {other_name}", "all"))
        for own, name in named:
            for at, (first, first_name) in enumerate(named):
                for second, second_name in named[at + 1 :]:
                    if own not in (first, second):
                        triples[own, first, second] = len(groups)
                        groups.append(Group("triple", f"{name} {first_name} {second_name}", "all"))
        return tuple(groups), pairs, triples

    def layouts(self, experiment: Experiment) -> tuple[Layout, ...]:
        """Layouts of the labels' figures: of deals, of deals in company, and of matches."""
        measures = tuple(m for k, m in enumerate(experiment.game.SEAT_MEASURES) if k != self.label)
        own = tuple(Group("character", name, kind) for name in self.names for kind in ("all", "used", "unused"))
        company = self.company[0]
        layouts = [Layout("deal seat", own, measures, False), Layout("deal seat", company, measures[:1], False)]
        if experiment.is_match:
            by_seat = experiment.match_measures[1]
            layouts += [Layout("match seat", own[::3], by_seat, False), Layout("match seat", company, by_seat[:1], False)]
        return tuple(layouts)

    def groups(self, figures: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of the groups that each seat of each row belongs to, -1 for none; int64 (rows, seats, 2) twice.

        The label over all and by use, and the pairs; and where three are at the table, the triple beside the pairs.
        """
        labels, used = figures[:, :, self.label], figures[:, :, self.used]
        index = np.full(max(self.numbers) + 1, -1)
        index[list(self.numbers)] = np.arange(len(self.numbers))
        own = index[labels]
        alone = np.stack([np.where(own < 0, -1, 3 * own), np.where(own < 0, -1, 3 * own + np.where(used > 0, 1, 2))], axis=2)
        _, pairs, triples = self.company
        n_seats = labels.shape[1]
        others = [np.stack([labels[:, (seat + k) % n_seats] for seat in range(n_seats)], axis=1) for k in range(1, n_seats)]
        company = [pairs[labels, other] for other in others]
        if n_seats == 3:
            company.append(triples[labels, np.minimum(*others), np.maximum(*others)])
        return alone, np.stack(company, axis=2)


def labelling_of(experiment: Experiment) -> Labelling | None:
    """How the seats of *experiment* are labelled, None where they are not."""
    game = experiment.game
    if not hasattr(game, "LABEL_MEASURE"):
        return None
    names = [m.name for m in game.SEAT_MEASURES]
    numbers = game.labels_in_play(experiment.rules[0])
    if not numbers:
        return None
    label, used = names.index(game.LABEL_MEASURE), names.index(game.USE_MEASURE)
    return _labelling(tuple(game.LABELS[number - 1] for number in numbers), tuple(numbers), label, used)


@cache
def _labelling(*fields: Any) -> Labelling:
    """One for all batches of a run, because the groups of company are many."""
    return Labelling(*fields)


def tally(experiment: Experiment, deals: np.ndarray, matches: np.ndarray) -> Counts:
    """Counts of the figures of whole blocks, as `play_units` returns them for a first unit that begins a block."""
    counts = Counts(layouts_of(experiment))
    n_seatings = len(experiment.seatings)
    whole, by_seat = _members(experiment)
    n_kinds, n_whole = len(experiment.game.KINDS), len(experiment.game.DEAL_MEASURES)
    # A block of one deal is of one kind: then the sums over all kinds are the sums of those of the kinds, which saves half of the work.
    first_part = int(not experiment.is_match and n_seatings == 1)
    units = deals[:, UNIT]
    _count(units, deals[:, KIND], deals[:, N_FIXED : N_FIXED + n_whole], whole, n_kinds, first_part, *_arrays(counts, 0))
    _count(units, deals[:, KIND], deals[:, N_FIXED + n_whole :], by_seat, n_kinds, first_part, *_arrays(counts, 1))
    if experiment.is_match:
        units, no_kind = np.arange(len(matches), dtype=np.int32), np.zeros(len(matches), np.int32)
        _count(units, no_kind, matches[:, :N_MATCH_FIXED], whole, 0, 0, *_arrays(counts, 2))
        _count(units, no_kind, matches[:, N_MATCH_FIXED:], by_seat, 0, 0, *_arrays(counts, 3))
    for sums, bins in zip(counts.sums[:2], counts.bins[:2], strict=True):
        for parts in (sums, bins) if first_part else (bins,):
            by_kind = parts.reshape(-1, n_kinds + 1, *parts.shape[1:])
            by_kind[:, 0] = by_kind[:, 1:].sum(axis=1)
    if labelling := labelling_of(experiment):
        _tally_labels(experiment, labelling, deals, matches, counts)
    n_units = len(matches) if experiment.is_match else len(deals)
    counts.blocks = -(-n_units // n_seatings)
    return counts


def _tally_labels(experiment: Experiment, labelling: Labelling, deals: np.ndarray, matches: np.ndarray, counts: Counts) -> None:
    """Count the figures of the labels, and of the companies that they are in."""
    n_seats, n_seatings = experiment.n_seats, len(experiment.seatings)
    at = 4 if experiment.is_match else 2
    first = N_FIXED + len(experiment.game.DEAL_MEASURES)
    figures = deals[:, first:].reshape(len(deals), n_seats, -1)
    alone, company = labelling.groups(figures)
    blocks = deals[:, UNIT] // n_seatings
    values = np.delete(figures, labelling.label, axis=2)
    _count_groups(blocks, alone, values, counts.sums[at])
    _count_groups(blocks, company, values, counts.sums[at + 1])
    if experiment.is_match:
        # The labels stay for a match: those of its first deal.
        starts = np.searchsorted(deals[:, UNIT], np.arange(len(matches)))
        blocks = np.arange(len(matches)) // n_seatings
        values = matches[:, N_MATCH_FIXED:].reshape(len(matches), n_seats, -1)
        _count_groups(blocks, alone[starts, :, :1] // 3, values, counts.sums[at + 2])
        _count_groups(blocks, company[starts], values, counts.sums[at + 3])


@kernel
def _add_block(touched, n_observed, totals, sums):
    """Add what a block has brought to the *touched* groups, numbers of observations and totals, to their *sums*, and clear it."""
    for group in touched:
        n = n_observed[group]
        for m in range(totals.shape[1]):
            x = totals[group, m]
            sums[group, m, 0] += n
            sums[group, m, 1] += x
            sums[group, m, 2] += x * x
            sums[group, m, 3] += x * n
            sums[group, m, 4] += n * n
            totals[group, m] = 0
        n_observed[group] = 0


@kernel
def _count_groups(blocks, groups, values, sums):
    """Add values (rows, seats, measures) to the *sums* of the groups (rows, seats, slots) that each seat of each row is in.

    Rows come by blocks; the first measures are counted, as many as *sums* has.
    """
    n_rows, n_seats, n_slots = groups.shape
    n_measures = sums.shape[1]
    totals, n_observed = np.zeros((sums.shape[0], n_measures), np.int64), np.zeros(sums.shape[0], np.int64)
    touched, n_touched = np.empty(sums.shape[0], np.int64), 0
    for row in range(n_rows):
        for seat in range(n_seats):
            for slot in range(n_slots):
                group = groups[row, seat, slot]
                if group < 0:
                    continue
                if n_observed[group] == 0:
                    touched[n_touched] = group
                    n_touched += 1
                n_observed[group] += 1
                for m in range(n_measures):
                    totals[group, m] += values[row, seat, m]
        if row + 1 == n_rows or blocks[row + 1] != blocks[row]:
            _add_block(touched[:n_touched], n_observed, totals, sums)
            n_touched = 0


def block_totals(experiment: Experiment, deals: np.ndarray, matches: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """What `tally` adds up, block by block, for those who have to see the blocks: two runs on the same cards are compared in them.

    Returns
    -------
    list of (n, x), one for each of `figure_layouts`
        Observations of each group in each block, int64 (groups, blocks), and their sums, int64 (groups, measures, blocks).
    """
    whole, by_seat = _members(experiment)
    n_units, n_whole = len(matches) if experiment.is_match else len(deals), len(experiment.game.DEAL_MEASURES)
    levels = [
        (deals[:, UNIT], deals[:, KIND], deals[:, N_FIXED : N_FIXED + n_whole], whole),
        (deals[:, UNIT], deals[:, KIND], deals[:, N_FIXED + n_whole :], by_seat),
        (np.arange(len(matches)), None, matches[:, :N_MATCH_FIXED], whole),
        (np.arange(len(matches)), None, matches[:, N_MATCH_FIXED:], by_seat),
    ]
    n_blocks = -(-n_units // len(experiment.seatings))
    return [_block_totals(layout, n_blocks, *level) for layout, level in zip(figure_layouts(experiment), levels, strict=False)]


def _block_totals(
    layout: Layout, n_blocks: int, units: np.ndarray, kinds: np.ndarray | None, figures: np.ndarray, members: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    n_seatings, n_seats, n_slots = members.shape
    n_groups, n_measures = len(layout.groups), len(layout.measures)
    n, x = np.zeros(n_groups * n_blocks, np.int64), np.zeros((n_measures, n_groups * n_blocks), np.int64)
    rows_per_group = n_groups // (1 + members.max())
    for seat in range(n_seats):
        for slot in range(n_slots):
            group = members[units % n_seatings, seat, slot] * rows_per_group
            for row in (group,) if kinds is None else (group, group + 1 + kinds):
                at = row * n_blocks + units // n_seatings
                n += np.bincount(at, minlength=len(n))
                for m in range(n_measures):
                    x[m] += np.bincount(at, figures[:, seat * n_measures + m], len(n)).astype(np.int64)
    return n.reshape(n_groups, n_blocks), np.moveaxis(x.reshape(n_measures, n_groups, n_blocks), 0, 1)


def _members(experiment: Experiment) -> tuple[np.ndarray, np.ndarray]:
    """Groups that the figures of a deal, and those of each seat, belong to; int64 (seatings, seats, slots), see `_count`."""
    policies = list(dict.fromkeys(experiment.policies))
    # Two groups for every seat: the seat itself, and the policy of the player who sits there.
    by_seat = [
        [(seat, experiment.n_seats + policies.index(experiment.policies[player])) for seat, player in enumerate(seating)]
        for seating in experiment.seatings
    ]
    return np.zeros((len(experiment.seatings), 1, 1), np.int64), np.array(by_seat)


def _arrays(counts: Counts, level: int) -> tuple[np.ndarray, ...]:
    layout = counts.layouts[level]
    return layout.first_bins, layout.lows, counts.sums[level], counts.bins[level]


@kernel
def _count(units, kinds, figures, members, n_kinds, first_part, first_bins, lows, sums, bins):
    """Add rows of figures to the counts of one level.

    *members* (seatings, seats, slots) are the groups that a seat's figures belong to; each group has ``n_kinds + 1`` rows in *sums* and
    *bins*: over all kinds (part 0, left out if *first_part* is 1), and for each kind (part 1). Histograms are of the last part only.
    """
    n_seatings, n_seats, n_slots = members.shape
    n_measures = len(lows)
    totals = np.zeros((sums.shape[0], n_measures), np.int64)
    n_observed = np.zeros(sums.shape[0], np.int64)
    touched = np.empty(sums.shape[0], np.int64)
    n_touched = 0
    last_part = 1 if n_kinds else 0
    for row in range(len(units)):
        seating = units[row] % n_seatings
        for seat in range(n_seats):
            for slot in range(n_slots):
                first_row = members[seating, seat, slot] * (n_kinds + 1)
                for part in range(first_part, last_part + 1):
                    group = first_row + part * (1 + kinds[row])
                    if n_observed[group] == 0:
                        touched[n_touched] = group
                        n_touched += 1
                    n_observed[group] += 1
                    for m in range(n_measures):
                        value = np.int64(figures[row, seat * n_measures + m])
                        totals[group, m] += value
                        if part == last_part and first_bins[m + 1] > first_bins[m]:
                            bins[group, first_bins[m] + value - lows[m]] += 1
        if row + 1 == len(units) or units[row + 1] // n_seatings != units[row] // n_seatings:
            _add_block(touched[:n_touched], n_observed, totals, sums)
            n_touched = 0
