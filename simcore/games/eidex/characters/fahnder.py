"""Fahnder, the Ravens Ten: demands a card after his lead."""

import numpy as np

from simcore.bits import EMPTY
from simcore.games.eidex.cards import SUIT_CARDS
from simcore.games.eidex.powers.asking import heaviest
from simcore.games.eidex.powers.character import AFTER_CARD, Character, Question
from simcore.games.eidex.powers.orders import JACK_CARDS, NO, NO_BIT, RAVENS
from simcore.games.eidex.powers.table import can_use, spend, unknown_to
from simcore.jit import kernel


@kernel
def _demandable(state):
    """Cards that he does not know; not the Ravens Jack under Schwarzpeter.  Rule: eidex K18, X5"""
    seat = np.int64(state.owner)
    if state.n_laid != 1 or state.leader != seat or not can_use(state):
        return EMPTY
    cards = unknown_to(state, seat)
    if state.is_schwarzpeter and not state.is_guggitaler:
        cards &= ~(SUIT_CARDS[RAVENS] & JACK_CARDS)
    return NO_BIT | cards


@kernel
def _demand(state, move):
    """Whoever has it must play it in this trick."""
    if move != NO:
        spend(state)
        state.demanded = move


@kernel
def _advise(state, word):
    """Demands the heaviest card that would beat his lead."""
    cards = state.moves & state.beaters & ~NO_BIT
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
