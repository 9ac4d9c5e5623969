"""Kompass, the Eidex Six: sets the direction of play."""

import numpy as np

from simcore.bits import EMPTY, bit, popcount
from simcore.games.eidex.cards import SEATS
from simcore.games.eidex.powers.asking import yes_if
from simcore.games.eidex.powers.character import BEFORE_FIRST_LEAD, BEFORE_LEAD, Character, Question
from simcore.games.eidex.powers.orders import LEFT, RIGHT, YES, YES_OR_NO
from simcore.games.eidex.powers.table import fellows, seat_at, spend
from simcore.jit import kernel


@kernel
def _directions(state):
    return bit(RIGHT) | bit(LEFT)


@kernel
def _set_direction(state, move):
    """The first direction is free.  Rule: eidex K33"""
    state.direction = 1 if move == RIGHT else 2


@kernel
def _may_turn(state):
    """At each trick but the first; with one card in every hand the direction is idle."""
    if not state.n_tricks or popcount(state.hands[state.owner]) < 2:
        return EMPTY
    return YES_OR_NO


@kernel
def _turn(state, move):
    if move == YES:
        spend(state)
        state.direction = 3 - state.direction


@kernel
def _advise_direction(state, word):
    """Plays last where he can."""
    return np.uint64(LEFT) if state.leader == fellows(np.int64(state.owner))[1] else np.uint64(RIGHT)


@kernel
def _advise_turn(state, word):
    """Turns when he would play second, so that he plays last."""
    return yes_if(seat_at(state, SEATS[1]) == state.owner)


CHARACTER = Character(
    name="kompass",
    title="Kompass (Compass)",
    card="E6",
    when="before the first lead and before later tricks",
    text="sets the direction of play, and may change it twice",
    rule="K33",
    questions=(
        Question("kompass", BEFORE_FIRST_LEAD, "sets the direction", _directions, _set_direction, _advise_direction, is_free=True),
        Question("kompass turns", BEFORE_LEAD, "may turn the direction", _may_turn, _turn, _advise_turn),
    ),
    uses=2,
    max_uses=12,
)
