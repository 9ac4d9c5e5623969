"""From the piles of a finished deal to its victory points."""

import numpy as np

from simcore.games.eidex.cards import LAST_TRICK_POINTS, MODES, SEATS
from simcore.games.eidex.state import points_of
from simcore.jit import kernel
from simcore.protocol import Measure

KINDS = MODES
DEAL_MEASURES = (
    Measure("match", 0, 1, "one seat took all the tricks"),
    Measure("over_limit", 0, 1, "a seat reached the limit"),
    Measure("tie", 0, 1, "all below the limit, two seats level"),
)
SEAT_MEASURES = (
    Measure("victory_points", 0, 2, "victory points of the hand"),
    Measure("card_points", 0, 157, "card points with the pressed card and the last trick"),
    Measure("match", 0, 1, "took all the tricks"),
    Measure("over_limit", 0, 1, "reached the limit without a Match"),
    Measure("tie", 0, 1, "level with another seat, all below the limit"),
)
STANDING = Measure("standing", 0, 8, "victory points in the tournament")


@kernel
def card_points(state, seat):
    """Points of the cards won, of the pressed card, and 5 for the last trick.  Rule: eidex B8, B20"""
    points = points_of(state, state.piles[seat] | state.pressed[seat])
    return points + LAST_TRICK_POINTS if state.best_seat == seat else points


@kernel
def points_so_far(state, seat):
    """Points of the cards that *seat* has won in tricks."""
    return points_of(state, state.piles[seat])


@kernel
def match_seat(state):
    """Seat that took every trick, or -1: "Match" is about tricks, not points.  Rule: eidex B21"""
    winner = state.best_seat
    others = state.tricks_won[(winner + 1) % 3] + state.tricks_won[(winner + 2) % 3]
    return -1 if others else np.int64(winner)


@kernel
def hand_points(first, second, third, limit):
    """Victory points of a hand without a Match for the seat with *first* card points against the other two.

    "If a player reaches 100 or more points, he comes away empty-handed and the other two each receive 1 victory point";
    else the most and the fewest receive 1 each, and if two are level, the third receives 2.
    Rule: eidex B22-B26, B28
    """
    # Without compilation two numpy booleans would add up to a boolean.
    over = np.int64(first >= limit) + np.int64(second >= limit) + np.int64(third >= limit)
    if over:
        # Two over leave both points to the third, three leave them to nobody.
        return 0 if first >= limit else over
    if first == second or first == third:
        return 0
    if second == third:
        return 2
    return 0 if (second < first) != (third < first) else 1


@kernel
def victory_points(state, seat):
    """Victory points of the finished hand for *seat*.  Rule: eidex, Scoring"""
    match = match_seat(state)
    if match >= 0:
        return 2 if match == seat else 0
    first, second = (seat + 1) % 3, (seat + 2) % 3
    return hand_points(card_points(state, seat), card_points(state, first), card_points(state, second), state.limit)


@kernel
def kind(state):
    """Mode of the deal, as index into ``KINDS``."""
    return state.mode


@kernel
def measure(state, deal_out, seat_out):
    """Write the figures of the finished deal in the order of ``DEAL_MEASURES`` and ``SEAT_MEASURES``."""
    match = match_seat(state)
    limit = state.limit
    a, b, c = card_points(state, SEATS[0]), card_points(state, SEATS[1]), card_points(state, SEATS[2])
    is_over = match < 0 and (a >= limit or b >= limit or c >= limit)
    is_tie = match < 0 and not is_over and (a == b or a == c or b == c)
    deal_out[0] = match >= 0
    deal_out[1] = is_over
    deal_out[2] = is_tie
    for seat in range(3):
        first, second, third = a, b, c
        seat_out[seat, 0] = (2 if match == seat else 0) if match >= 0 else hand_points(first, second, third, limit)
        seat_out[seat, 1] = first
        seat_out[seat, 2] = match == seat
        seat_out[seat, 3] = is_over and first >= limit
        seat_out[seat, 4] = is_tie and (first == second or first == third)
        a, b, c = second, third, first
