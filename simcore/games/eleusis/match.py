"""The game: a round for each seat as the dealer."""

import numpy as np

from simcore.bits import EMPTY, bit
from simcore.games.eleusis.cards import MAX_SEATS
from simcore.games.eleusis.scoring import points
from simcore.games.eleusis.state import next_seat
from simcore.jit import kernel


@kernel
def settle(state):
    """Add the points of the round; the next seat deals.  Rule: eleusis E16"""
    for seat in range(state.n_seats):
        state.total[seat] += points(state, seat)
    state.n_dealt += 1
    state.dealer = next_seat(state, state.dealer)


@kernel
def winners(state):
    """Seats with the most points once everybody has dealt, as a set.  Rule: eleusis E16"""
    if state.n_dealt < state.n_seats:
        return EMPTY
    most = np.int64(state.total[0])
    for seat in range(state.n_seats):
        most = max(most, np.int64(state.total[seat]))
    best = EMPTY
    for seat in range(state.n_seats):
        if state.total[seat] == most:
            best |= bit(seat)
    return best


@kernel
def standing(state, seat):
    """Points of *seat* in the rounds before."""
    return np.int64(state.total[seat])


@kernel
def deal_limit(state):
    """Rounds of a game, at most."""
    return MAX_SEATS


@kernel
def utility(state, seat, values):
    """Points of the round; in a game less the mean of all seats', for there only the lead counts."""
    own = np.float64(points(state, seat))
    if len(values) == 0:
        return own
    total = np.int64(0)
    for other in range(state.n_seats):
        total += points(state, other)
    return own - total / state.n_seats


def values(rules) -> np.ndarray:
    """One number, by which `utility` knows that a game is played."""
    return np.ones(1)
