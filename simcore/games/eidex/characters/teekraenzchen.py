"""Teekränzchen, the Hearts Queen: takes a card from each fellow and returns one to each."""

import numpy as np

from simcore.games.eidex.powers.asking import again, most_dangerous, then
from simcore.games.eidex.powers.character import AFTER_PRESSING, FOLLOWS, Character, Question
from simcore.games.eidex.powers.knowledge import PRIVATE, pass_card
from simcore.games.eidex.powers.table import bound_lead, fellows
from simcore.games.eidex.state import NO_CARD
from simcore.jit import kernel


@kernel
def _gifts(state):
    """Each fellow chooses a card before any moves, but not one that he has to lead.  Rule: eidex K11, K24"""
    first, second = fellows(np.int64(state.owner))
    state.seat = first if state.chosen == NO_CARD else second
    return state.hands[state.seat] & ~bound_lead(state, np.int64(state.seat))


@kernel
def _give(state, move):
    if state.chosen == NO_CARD:
        state.chosen = move
        again(state)
        return
    owner = np.int64(state.owner)
    first, second = fellows(owner)
    pass_card(state, np.int64(state.chosen), first, owner, PRIVATE)
    pass_card(state, np.int64(move), second, owner, PRIVATE)
    state.used[owner] += 1
    state.n_left = 2
    then(state)


@kernel
def _returns(state):
    return state.hands[state.owner] & ~bound_lead(state, np.int64(state.owner))


@kernel
def _return(state, move):
    owner = np.int64(state.owner)
    first, second = fellows(owner)
    pass_card(state, np.int64(move), owner, first if state.n_left == 2 else second, PRIVATE)
    state.n_left -= 1
    if state.n_left:
        again(state)


@kernel
def _advise(state, word):
    """The most dangerous card goes."""
    return most_dangerous(state, np.int64(state.seat), state.moves)


CHARACTER = Character(
    name="teekraenzchen",
    title="Teekränzchen (Tea Party)",
    card="HQ",
    when="after pressing",
    text="receives a card from each fellow, looks at both, and gives each one card back",
    rule="K11",
    questions=(
        Question("teekraenzchen gift", AFTER_PRESSING, "gives a card", _gifts, _give, _advise, is_use=False),
        Question("teekraenzchen returns", FOLLOWS, "returns a card", _returns, _return, _advise),
    ),
)
