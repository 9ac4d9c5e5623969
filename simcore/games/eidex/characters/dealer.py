"""Dealer, the Eidex Ace: exchanges whole hands."""

import numpy as np

from simcore.bits import popcount
from simcore.games.eidex.powers.asking import collects, no_or_fellows, picks_any, seat_in, strength, then, yes_if
from simcore.games.eidex.powers.character import BEFORE_LEAD, FOLLOWS, Character, Question
from simcore.games.eidex.powers.knowledge import exchange_hands
from simcore.games.eidex.powers.orders import NO, YES, YES_OR_NO
from simcore.jit import kernel


@kernel
def _offer(state, move):
    if move != NO:
        state.target = seat_in(move)
        then(state)


@kernel
def _partner(state):
    """The partner may decline.  Rule: eidex K1"""
    state.seat = state.target
    return YES_OR_NO


@kernel
def _exchange(state, move):
    """Whole hands change places, not the pressed cards; an offer that is declined is no use of the power."""
    if move == YES:
        state.used[state.owner] += 1
        exchange_hands(state, np.int64(state.owner), np.int64(state.target))


@kernel
def _is_bad(state, seat):
    """Whether a hand is bad for the aim of *seat*: weak for one who collects, else strong, and at first a middling one."""
    strong = strength(state, seat)
    if state.n_tricks == 0:
        return abs(strong - 9) <= 2
    average = 0.75 * popcount(state.hands[seat])
    return strong < average if collects(state, seat) else strong > average


@kernel
def _advise_offer(state, word):
    """A bad hand is offered to either fellow."""
    return picks_any(state, word) if _is_bad(state, np.int64(state.seat)) else np.uint64(NO)


@kernel
def _advise_partner(state, word):
    """A bad hand is given away, a good one kept."""
    return yes_if(_is_bad(state, np.int64(state.seat)))


CHARACTER = Character(
    name="dealer",
    title="Dealer",
    card="EA",
    when="before each trick",
    text="may offer one fellow to exchange their whole hands, who may decline",
    rule="K1",
    questions=(
        Question("dealer", BEFORE_LEAD, "may offer to exchange hands", no_or_fellows, _offer, _advise_offer, is_use=False),
        Question("dealer partner", FOLLOWS, "may agree to exchange hands", _partner, _exchange, _advise_partner),
    ),
)
