"""The game: a number of deals with running scores."""

import numpy as np

from simcore.bits import EMPTY, bit
from simcore.games.schafkopf.cards import N_SEATS
from simcore.games.schafkopf.scoring import units
from simcore.games.schafkopf.state import next_seat
from simcore.jit import kernel


@kernel
def settle(state):
    """Add the deal to the scores and pass the deal to the left.  Rule: schafkopf S3, Setup"""
    for seat in range(N_SEATS):
        state.score[seat] += units(state, seat)
    state.n_deals += 1
    state.dealer = next_seat(state.dealer)


@kernel
def winners(state):
    """Seats with the highest score after the last deal, as a set."""
    if state.n_deals < state.rules.deals_per_game:
        return EMPTY
    best = max(max(state.score[0], state.score[1]), max(state.score[2], state.score[3]))
    seats = EMPTY
    for seat in range(N_SEATS):
        if state.score[seat] == best:
            seats |= bit(seat)
    return seats


@kernel
def standing(state, seat):
    """Units of *seat* in the game."""
    return state.score[seat]


@kernel
def deal_limit(state):
    """Deals of a game."""
    return state.rules.deals_per_game


@kernel
def utility(state, seat, values):
    """Units of the deal. They are what is played for in a game as well: its score is their sum."""
    return np.float64(units(state, seat))


def values(rules):
    """Nothing: units are worth the same at every score."""
    return np.zeros(0)
