"""Feministin, the Eidex Queen: need not take a trick where a Queen lies with a man."""

import numpy as np

from simcore.bits import EMPTY
from simcore.games.eidex.powers.asking import collects, yes_if
from simcore.games.eidex.powers.character import TRICK_COMPLETE, Character, Question
from simcore.games.eidex.powers.orders import JACK_CARDS, KING_CARDS, QUEEN_CARDS, YES, YES_OR_NO
from simcore.games.eidex.powers.table import judge, seat_at
from simcore.jit import kernel


@kernel
def has_couple(state):
    """Whether an open Queen lies in the trick with an open Jack or King.  Rule: eidex K9"""
    return state.trick & QUEEN_CARDS != EMPTY and state.trick & (JACK_CARDS | KING_CARDS) != EMPTY


@kernel
def withdraw(state, seat):
    """The cards of *seat* lose their trick value."""
    for n in range(np.int64(state.n_laid)):
        if seat_at(state, n) == seat:
            state.worthless |= 1 << n


@kernel
def _may_yield(state):
    """Asked only when she would win the trick."""
    return YES_OR_NO if state.best_seat == state.owner and has_couple(state) else EMPTY


@kernel
def _yield(state, move):
    """The highest of the other cards wins."""
    if move == YES:
        withdraw(state, np.int64(state.owner))
        judge(state)


@kernel
def _advise(state, word):
    """Leaves the trick unless she collects."""
    return yes_if(not collects(state, np.int64(state.owner)))


CHARACTER = Character(
    name="feministin",
    title="Feministin (Feminist)",
    card="EQ",
    when="when the trick is complete",
    text="need not take a trick in which a Queen lies with a Jack or King",
    rule="K9",
    questions=(Question("feministin", TRICK_COMPLETE, "may leave the trick", _may_yield, _yield, _advise),),
)
