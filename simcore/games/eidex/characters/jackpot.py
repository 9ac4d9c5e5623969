"""Jackpot, the Stars Seven: a pot of animal tricks for the winner of a Seven."""

import numpy as np

from simcore.bits import lowest
from simcore.games.eidex.cards import SUIT_CARDS
from simcore.games.eidex.powers.character import BEFORE_PRESSING, Character, Question
from simcore.games.eidex.powers.orders import NO, NO_BIT, RANK_CARDS
from simcore.jit import kernel

_SEVENS = RANK_CARDS[1] & (SUIT_CARDS[0] | SUIT_CARDS[3])


@kernel
def _sevens(state):
    return NO_BIT | _SEVENS


@kernel
def _call(state, move):
    """His pressed card will open the pot.  Rule: eidex K32"""
    if move != NO:
        state.initiator = state.owner
        state.named = move
        state.is_pot_open = True


@kernel
def _advise(state, word):
    """Calls a Seven that he does not hold, so that another may win the pot."""
    cards = _SEVENS & ~state.hands[state.owner]
    return lowest(cards) if cards else np.uint64(NO)


CHARACTER = Character(
    name="jackpot",
    title="Jackpot",
    card="S7",
    when="before pressing",
    text="may open a Jackpot with his pressed card; pure animal tricks go there, and it goes with the Hearts or Stars Seven",
    rule="K32",
    questions=(Question("jackpot", BEFORE_PRESSING, "may call a Jackpot", _sevens, _call, _advise),),
)
