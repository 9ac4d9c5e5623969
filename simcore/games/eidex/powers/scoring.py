"""From the piles of a finished hand to its victory points, with characters."""

import numpy as np

from simcore.bits import EMPTY
from simcore.games.eidex.cards import MODES, N_SEATS, SEATS
from simcore.games.eidex.characters import NAMES
from simcore.games.eidex.powers.orders import RAVENS_JACK
from simcore.games.eidex.powers.table import BROKEN, UNDECIDED, black_peter, card_points, own_cards, seat_of
from simcore.games.eidex.scoring import hand_points
from simcore.games.eidex.state import NO_CHARACTER, NOBODY, points_of
from simcore.jit import kernel
from simcore.protocol import Measure

KINDS = MODES
DEAL_MEASURES = (
    Measure("match", 0, 1, "one seat took all the tricks"),
    Measure("over_limit", 0, 1, "a seat reached the limit"),
    Measure("tie", 0, 1, "all below the limit, two seats level"),
    Measure("tricks", 8, 12, "tricks of the hand"),
)
SEAT_MEASURES = (
    Measure("victory_points", 0, 2, "victory points of the hand"),
    Measure("card_points", -300, 600, "card points with the pressed card, the last trick and what was added or taken off"),
    Measure("match", 0, 1, "took all the tricks"),
    Measure("over_limit", 0, 1, "reached the limit without a Match"),
    Measure("tie", 0, 1, "level with another seat, all below the limit"),
    Measure("uses", 0, 60, "uses of the power"),
    Measure("used", 0, 1, "used the power at least once"),
    Measure("character", 0, len(NAMES), "number of the character, 0 for none"),
)
DIFFERENZLER = np.int64(NAMES.index("differenzler"))
_LOWEST_SEAT = 1


@kernel
def points_so_far(state, seat):
    """Points of the open cards that *seat* has won in tricks."""
    return points_of(state, state.piles[seat])


@kernel
def match_seat(state):
    """Seat that won every trick, or -1.  Rule: eidex X11"""
    return -1 if state.sweeper == BROKEN or state.sweeper == UNDECIDED else np.int64(state.sweeper)


@kernel
def award(state, a, b, c):
    """Victory points of the three seats for their card points.

    A Match first, then Schwarzpeter, then a hit of the Differenzler, then the usual award.  Rule: eidex K14, K17, K22, K31, B21-B26
    """
    match, limit = match_seat(state), np.int64(state.limit)
    if match >= 0:
        return 2 * (match == 0), 2 * (match == 1), 2 * (match == 2)
    if black_peter(state):
        first, second, third = _loses(state, SEATS[0], a), _loses(state, SEATS[1], b), _loses(state, SEATS[2], c)
        n = first + second + third
        # Two losers leave both points to the third.
        gain = 1 if n == 1 else 2 if n == 2 else 0
        return gain * (1 - first), gain * (1 - second), gain * (1 - third)
    hit = _differenzler_hit(state, a, b, c)
    if hit >= 0:
        return 2 * (hit == 0), 2 * (hit == 1), 2 * (hit == 2)
    if a == b and b == c and a < limit and state.rules.three_way_tie == _LOWEST_SEAT:
        return 2, 0, 0
    return np.int64(hand_points(a, b, c, limit)), np.int64(hand_points(b, c, a, limit)), np.int64(hand_points(c, a, b, limit))


@kernel
def is_tie(state, a, b, c):
    """Whether the third gets both victory points because two are level below the limit, and for no other reason.  Rule: eidex B24"""
    limit = state.limit
    if match_seat(state) >= 0 or black_peter(state) or _differenzler_hit(state, a, b, c) >= 0:
        return False
    return a < limit and b < limit and c < limit and (a == b or a == c or b == c)


@kernel
def _loses(state, seat, points):
    """1 if *seat* loses under Schwarzpeter: it has the Ravens Jack, or reaches the limit."""
    return np.int64(own_cards(state, seat) & RAVENS_JACK != EMPTY or points >= state.limit)


@kernel
def _differenzler_hit(state, a, b, c):
    """Seat of a Differenzler who has made what he announced and a trick, -1 otherwise."""
    seat = seat_of(state, DIFFERENZLER)
    if seat == NOBODY:
        return np.int64(-1)
    points = a if seat == 0 else b if seat == 1 else c
    return np.int64(seat) if points == state.announced and state.tricks_won[seat] else np.int64(-1)


@kernel
def kind(state):
    """Mode of the deal, as index into ``KINDS``."""
    return state.mode


@kernel
def measure(state, deal_out, seat_out):
    """Write the figures of the finished hand in the order of ``DEAL_MEASURES`` and ``SEAT_MEASURES``."""
    match, limit = match_seat(state), state.limit
    a, b, c = card_points(state, SEATS[0]), card_points(state, SEATS[1]), card_points(state, SEATS[2])
    gains = award(state, a, b, c)
    is_over = match < 0 and (a >= limit or b >= limit or c >= limit)
    is_tie = match < 0 and not is_over and (a == b or a == c or b == c)
    deal_out[0] = match >= 0
    deal_out[1] = is_over
    deal_out[2] = is_tie
    deal_out[3] = state.n_tricks
    for seat in range(N_SEATS):
        points = a if seat == 0 else b if seat == 1 else c
        first, second = (b, c) if seat == 0 else (a, c) if seat == 1 else (a, b)
        seat_out[seat, 0] = gains[seat]
        seat_out[seat, 1] = points
        seat_out[seat, 2] = match == seat
        seat_out[seat, 3] = is_over and points >= limit
        seat_out[seat, 4] = is_tie and (points == first or points == second)
        seat_out[seat, 5] = min(np.int64(state.used[seat]), 60)
        seat_out[seat, 6] = state.used[seat] > 0
        seat_out[seat, 7] = state.characters[seat] - NO_CHARACTER
