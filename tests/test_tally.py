"""Sufficient statistics against sums that pandas takes over the rows of figures."""

import itertools

import numpy as np
import pandas as pd
import pytest
import toy

from simcore.engine import Experiment, play_units
from simcore.games import GAMES
from simcore.protocol import effective_rules
from simcore.tally import MAX_BINS, SUMS, Counts, Group, layouts_of, tally

EIDEX = GAMES[0]


def experiment_of(game, policies, seatings, is_match, **rules):
    return Experiment(game, effective_rules(game.SWITCHES, rules), policies, seatings, 17, is_match)


ALL_SEATINGS = tuple(itertools.permutations(range(3)))
EXPERIMENTS = {
    "deals": experiment_of(EIDEX, ("random", "basic", "random"), ((0, 1, 2),), False),
    "duplicate deals": experiment_of(EIDEX, ("random", "basic", "random"), ALL_SEATINGS, False),
    "matches": experiment_of(EIDEX, ("basic", "basic", "random"), ((0, 1, 2),), True),
    "duplicate matches": experiment_of(EIDEX, ("basic", "random", "random"), ((0, 1, 2), (1, 0, 2), (1, 2, 0)), True),
    "a measure without histogram": experiment_of(toy, ("random", "basic"), ((0, 1), (1, 0)), False, stake=200),
    "more players than seats": experiment_of(toy, ("random", "basic", "basic"), ((0, 1), (2, 0), (1, 2)), True),
}
N_BLOCKS = 60


@pytest.fixture(params=EXPERIMENTS.values(), ids=EXPERIMENTS)
def experiment(request):
    return request.param


def long_table(experiment, figures, columns, units, kinds):
    """One row for each figure: block, kind, seat, policy, measure, value; the seat is -1 for a figure of the whole."""
    rows = []
    for name, values in zip(columns, figures.T, strict=True):
        measure, _, seat = name.rpartition("_")
        is_whole = not seat.isdigit()
        for unit, kind, value in zip(units, kinds, values, strict=True):
            seating = experiment.seatings[unit % len(experiment.seatings)]
            seat_number = -1 if is_whole else int(seat)
            policy = "" if is_whole else experiment.policies[seating[seat_number]]
            rows.append((unit // len(experiment.seatings), kind, seat_number, policy, name if is_whole else measure, int(value)))
    return pd.DataFrame(rows, columns=["block", "kind", "seat", "policy", "measure", "value"])


def tables_of(experiment, deals, matches):
    """Long table of each level of the counts."""
    names = [*experiment.game.KINDS]
    frame = long_table(experiment, deals[:, 3:], experiment.deal_columns()[3:], deals[:, 0], [names[kind] for kind in deals[:, 2]])
    if len(matches):
        units = np.arange(len(matches))
        match_frame = long_table(experiment, matches, experiment.match_columns(), units, [""] * len(matches))
    else:
        match_frame = frame[:0]
    return {
        "deal": frame[frame.seat == -1],
        "deal seat": frame[frame.seat >= 0],
        "match": match_frame[match_frame.seat == -1],
        "match seat": match_frame[match_frame.seat >= 0],
    }


def members_of(frame, group, measure):
    """Rows of the figures that belong to a group."""
    chosen = frame[frame.measure == measure.name]
    if group.kind != "all":
        chosen = chosen[chosen.kind == group.kind]
    if group.grouping == "seat":
        chosen = chosen[chosen.seat == int(group.key)]
    if group.grouping == "policy":
        chosen = chosen[chosen.policy == group.key]
    return chosen


def test_counts_are_the_sums_over_blocks_that_pandas_takes(experiment):
    n_units = N_BLOCKS * len(experiment.seatings)
    deals, matches = play_units(experiment, 0, n_units)
    counts = tally(experiment, deals, matches)
    assert counts.blocks == N_BLOCKS
    tables = tables_of(experiment, deals, matches)
    assert len(counts.layouts) == (4 if experiment.is_match else 2)
    n_filled = 0
    for layout, sums, bins in zip(counts.layouts, counts.sums, counts.bins, strict=True):
        for g, group in enumerate(layout.groups):
            for m, measure in enumerate(layout.measures):
                chosen = members_of(tables[layout.level], group, measure)
                blocks = chosen.groupby("block").value.agg(["size", "sum"])
                n, x = blocks["size"].to_numpy(np.int64), blocks["sum"].to_numpy(np.int64)
                expected = [n.sum(), x.sum(), (x * x).sum(), (x * n).sum(), (n * n).sum()]
                assert sums[g, m].tolist() == expected, (layout.level, group, measure.name)
                histogram = bins[g, layout.first_bins[m] : layout.first_bins[m + 1]]
                width = measure.high - measure.low + 1
                if width <= MAX_BINS:
                    assert histogram.tolist() == np.bincount(chosen.value - measure.low, minlength=width).tolist()
                else:
                    assert len(histogram) == 0
                n_filled += expected[0] > 0
    assert n_filled > 10


def test_a_wide_measure_has_no_histogram_and_its_neighbour_has():
    experiment = EXPERIMENTS["a measure without histogram"]
    layout = layouts_of(experiment)[1]
    assert [m.name for m in layout.measures] == ["payout", "balance"]
    assert layout.first_bins.tolist() == [0, 0, 14]
    assert layout.lows.tolist() == [0, -4]


def test_counts_of_chunks_add_up_to_those_of_the_whole(experiment):
    n_seatings = len(experiment.seatings)
    whole = tally(experiment, *play_units(experiment, 0, N_BLOCKS * n_seatings))
    for cuts in ([N_BLOCKS], [1] * N_BLOCKS, [7, 20, N_BLOCKS - 27]):
        added, first = Counts(layouts_of(experiment)), 0
        for n_blocks in cuts:
            added.add(tally(experiment, *play_units(experiment, first * n_seatings, n_blocks * n_seatings)))
            first += n_blocks
        assert added.blocks == N_BLOCKS
        assert (added.flat() == whole.flat()).all()


def test_counts_come_back_from_their_flat_array(experiment):
    counts = tally(experiment, *play_units(experiment, 0, 5 * len(experiment.seatings)))
    flat = counts.flat()
    assert flat.dtype == np.int64
    back = Counts.from_flat(counts.layouts, flat)
    assert back.blocks == 5
    for mine, theirs in zip(back.sums + back.bins, counts.sums + counts.bins, strict=True):
        assert mine.shape == theirs.shape
        assert (mine == theirs).all()
    for wrong in (flat[:-1], np.append(flat, 0)):
        with pytest.raises(ValueError, match="the counts are of another configuration"):
            Counts.from_flat(counts.layouts, wrong)


def test_no_figures_count_nothing():
    experiment = EXPERIMENTS["duplicate matches"]
    counts = tally(experiment, *play_units(experiment, 0, 0))
    assert counts.flat().size > 1
    assert not counts.flat().any()


def test_groups_are_the_seats_and_the_policies_each_once():
    layouts = layouts_of(EXPERIMENTS["more players than seats"])
    groups = layouts[1].groups
    assert len(set(groups)) == len(groups)
    assert [group for group in groups if group.kind == "all"] == [
        Group("seat", "0", "all"),
        Group("seat", "1", "all"),
        Group("policy", "random", "all"),
        Group("policy", "basic", "all"),
    ]
    assert {group.kind for group in groups} == {"all", *toy.KINDS}
    assert {group.kind for group in layouts[3].groups} == {"all"}
    assert SUMS == ("n", "x", "xx", "xn", "nn")
