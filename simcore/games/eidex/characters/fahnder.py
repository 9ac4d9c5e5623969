"""Fahnder, the Ravens Ten: demands a card after his lead."""

import numpy as np

from simcore.bits import EMPTY
from simcore.games.eidex.powers.asking import collects, heaviest
from simcore.games.eidex.powers.character import AFTER_CARD, Character, Question
from simcore.games.eidex.powers.orders import NO, NO_BIT
from simcore.games.eidex.powers.table import black_peter, spend, unknown_to
from simcore.jit import kernel


@kernel
def _demandable(state):
    """Cards that he does not know; not the Ravens Jack under Schwarzpeter.  Rule: eidex K18, X5"""
    seat = np.int64(state.owner)
    if state.n_laid != 1 or state.leader != seat:
        return EMPTY
    return NO_BIT | unknown_to(state, seat) & ~black_peter(state)


@kernel
def _demand(state, move):
    """Whoever has it must play it in this trick."""
    if move != NO:
        spend(state)
        state.demanded = move


@kernel
def _advise(state, word):
    """Demands the heaviest card that would beat his lead, or when he collects that would not."""
    cards = state.moves & ~NO_BIT & (~state.beaters if collects(state, np.int64(state.owner)) else state.beaters)
    return heaviest(state, cards) if cards else np.uint64(NO)


CHARACTER = Character(
    name="fahnder",
    title="Fahnder (Investigator)",
    card="R10",
    when="after his lead",
    text="may once demand a card, which whoever holds it must play in this trick",
    rule="K18",
    questions=(Question("fahnder", AFTER_CARD, "may demand a card", _demandable, _demand, _advise),),
    uses=1,
    max_uses=3,
)
