"""Plackett-Luce ratings: against choix, statsmodels, brute force and simulated truth."""

from itertools import permutations

import choix
import numpy as np
import pytest
from simulated import REPETITIONS, assert_nominal, generator

from simcore.statistics import plackett_luce
from simcore.statistics.ratings import _likelihood


def contests(random, n_contests, strengths, seats):
    """Contests of items drawn and seated at random, and the place of each seat, by the Gumbel form of the model."""
    n = len(seats)
    items = random.random((n_contests, len(strengths))).argsort(axis=1)[:, :n]
    marks = np.asarray(strengths)[items] + seats + random.gumbel(size=items.shape)
    return items, (-marks).argsort(axis=1).argsort(axis=1)


STRENGTHS = np.array([0.8, 0.3, 0.0, -0.2, -0.9])
SEATS = np.array([0.3, 0.0, -0.3])


def test_ratings_without_seats_equal_those_of_choix():
    items, ranks = contests(generator(2101), 400, STRENGTHS, np.zeros(3))
    rankings = [tuple(row) for row in np.take_along_axis(items, ranks.argsort(axis=1), axis=1).tolist()]
    theirs = choix.opt_rankings(5, rankings)
    # Every contest once in each turn of the seats: then no seat is better, and the seats tell nothing about the items.
    turned = [np.roll(part, turn, axis=1) for turn in range(3) for part in (items, ranks)]
    ours = plackett_luce(np.vstack(turned[0::2]), np.vstack(turned[1::2]))
    assert ours.seats == pytest.approx([0, 0, 0], abs=1e-8)
    assert ours.strengths == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def test_who_won_alone_is_rated_as_choix_rates_a_first_choice():
    items, ranks = contests(generator(2102), 600, STRENGTHS, np.zeros(3))
    data = [(row[place.argmin()], [i for i in row if i != row[place.argmin()]]) for row, place in zip(items.tolist(), ranks, strict=True)]
    theirs = choix.opt_top1(5, data)
    turned = [np.roll(part, turn, axis=1) for turn in range(3) for part in (items, np.minimum(ranks, 1))]
    ours = plackett_luce(np.vstack(turned[0::2]), np.vstack(turned[1::2]))
    assert ours.strengths == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def test_strengths_and_seats_with_their_errors_equal_a_stratified_proportional_hazards_model():
    from statsmodels.duration.hazard_regression import PHReg

    items, ranks = contests(generator(2103), 300, STRENGTHS, SEATS)
    block = np.arange(300) // 3
    # The first to finish has the shortest life; the last item and seat are the reference.
    design = np.zeros((900, 6))
    for row, (item, seat) in enumerate(zip(items.ravel(), np.tile(range(3), 300), strict=True)):
        if item < 4:
            design[row, item] = 1
        if seat < 2:
            design[row, 4 + seat] = 1
    fitted = PHReg(1.0 + ranks.ravel(), design, strata=np.repeat(np.arange(300), 3)).fit()
    ours = plackett_luce(items, ranks, block)
    assert ours.strengths[:4] - ours.strengths[4] == pytest.approx(fitted.params[:4], abs=1e-5)
    assert ours.seats[:2] - ours.seats[2] == pytest.approx(fitted.params[4:], abs=1e-5)
    assert ours.blocks == 100
    # A fit in which each contest is a block has about the model's own errors.
    alone = plackett_luce(items, ranks)
    contrast = np.zeros((6, 8))
    contrast[:4, :4], contrast[:4, 4] = np.eye(4), -1
    contrast[4:, 5:7], contrast[4:, 7] = np.eye(2), -1
    errors = np.sqrt(np.diag(contrast @ alone.covariance @ contrast.T))
    assert errors == pytest.approx(fitted.bse, rel=0.15)


def slow_log_likelihood(logits, places):
    """Log of the sum over all orders of the seats that agree with the places."""
    total = 0.0
    for order in permutations(range(len(logits))):
        if all(places[a] <= places[b] for a, b in zip(order, order[1:], strict=False)):
            chance = 1.0
            for at, seat in enumerate(order):
                chance *= np.exp(logits[seat]) / sum(np.exp(logits[other]) for other in order[at:])
            total += chance
    return np.log(total)


@pytest.mark.parametrize("places", [(0, 1, 2, 3), (0, 0, 2, 3), (0, 1, 1, 1), (0, 0, 0, 3), (3, 1, 0, 1), (0, 0, 2, 2), (0, 0, 0, 0)])
def test_the_likelihood_of_ties_and_its_derivatives_are_those_of_all_orders(places):
    random = generator(2104)
    columns = np.array([[[0, 4], [1, 5], [2, 6], [3, 7]]])
    parameters, step = random.normal(size=8), 1e-5
    value, slope, curvature = _likelihood(columns, np.array([places]), parameters)
    logits = parameters[:4] + parameters[4:]
    assert value[0] == pytest.approx(slow_log_likelihood(logits, places), abs=1e-12)
    for i in range(4):
        moved = [slow_log_likelihood(logits + sign * step * np.eye(4)[i], places) for sign in (1, -1)]
        assert slope[0, i] == pytest.approx((moved[0] - moved[1]) / (2 * step), abs=1e-8)
        up, down = (_likelihood(columns, np.array([places]), parameters + sign * step * np.eye(8)[i])[1][0] for sign in (1, -1))
        assert curvature[0, i] == pytest.approx((up - down) / (2 * step), abs=1e-8)


def test_ratings_ignore_the_order_of_contests_and_the_names_of_blocks_and_ranks():
    items, ranks = contests(generator(2105), 200, STRENGTHS, SEATS)
    block = np.arange(200) // 4
    one = plackett_luce(items, ranks, block)
    turned = np.arange(200)[::-1]
    other = plackett_luce(items[turned], 10 * ranks[turned] - 3, 7 * block[turned] + 1)
    assert other.strengths == pytest.approx(one.strengths, abs=1e-9)
    assert other.covariance == pytest.approx(one.covariance, abs=1e-12)


def test_an_item_that_never_played_has_no_rating():
    items, ranks = contests(generator(2106), 200, STRENGTHS, SEATS)
    ratings = plackett_luce(np.where(items < 2, items, items + 1), ranks, n_items=7)
    assert np.isnan(ratings.strengths).tolist() == [False, False, True, False, False, False, True]
    assert np.isnan(ratings.strength_errors).tolist() == [False, False, True, False, False, False, True]
    assert np.isfinite(ratings.seat_errors).all()
    assert np.nanmean(ratings.strengths) == pytest.approx(0)


def test_contests_that_place_no_finite_strength_are_refused():
    with pytest.raises(ValueError, match="items 2 have always beaten"):
        plackett_luce([[0, 1, 2], [1, 0, 2], [2, 0, 1], [2, 1, 0]], [[2, 3, 1], [2, 3, 1], [1, 2, 3], [1, 2, 3]])
    with pytest.raises(ValueError, match="items from the"):
        plackett_luce([[0, 1], [0, 1]], [[0, 1], [1, 0]])
    for items in ([[0, 0]], [[0, -1]], [[0, 5]]):
        with pytest.raises(ValueError, match="different numbers"):
            plackett_luce(items, [[0, 1]], n_items=3)
    with pytest.raises(ValueError, match="same shape"):
        plackett_luce([[0, 1]], [[0, 1, 2]])


def coverage(repetitions, n_blocks, copies):
    """Whether the interval of one strength and that of one seat hold the truth; every contest of a block has the same result."""
    from scipy.stats import t

    random = generator(2107)
    quantile = t.ppf(0.975, n_blocks - 1)
    truth = STRENGTHS - STRENGTHS.mean()
    block = np.repeat(np.arange(n_blocks), copies)
    strengths, seats, naive = [], [], []
    for turn in range(repetitions):
        items, ranks = (np.repeat(part, copies, axis=0) for part in contests(random, n_blocks, STRENGTHS, SEATS))
        ratings = plackett_luce(items, ranks, block)
        i, seat = turn % 5, turn % 3
        strengths.append(abs(ratings.strengths[i] - truth[i]) <= quantile * ratings.strength_errors[i])
        seats.append(abs(ratings.seats[seat] - SEATS[seat]) <= quantile * ratings.seat_errors[seat])
        naive.append(abs(ratings.strengths[i] - truth[i]) <= quantile * plackett_luce(items, ranks).strength_errors[i])
    return np.array(strengths), np.array(seats), np.array(naive)


def test_ratings_of_blocks_cover_the_truth_as_often_as_they_say_and_contests_taken_as_independent_do_not():
    strengths, seats, naive = coverage(REPETITIONS // 8, 200, 4)
    assert_nominal(strengths)
    assert_nominal(seats)
    assert naive.mean() < 0.8


@pytest.mark.slow
def test_ratings_of_blocks_cover_the_truth_in_two_thousand_repetitions():
    strengths, seats, _ = coverage(REPETITIONS, 200, 2)
    assert_nominal(strengths)
    assert_nominal(seats)
