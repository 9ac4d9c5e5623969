"""Wünschelrute, the Hearts Six: demands a card of a fellow."""

import numpy as np

from simcore.bits import bit, highest, lowest, popcount
from simcore.games.eidex.cards import ALL_CARDS, SUIT_CARDS, UNDENUFE
from simcore.games.eidex.powers.character import BEFORE_PRESSING, Character, Question
from simcore.games.eidex.powers.knowledge import PRIVATE, PUBLIC, pass_card
from simcore.games.eidex.powers.orders import NO, NO_BIT
from simcore.games.eidex.powers.table import draw, fellows
from simcore.jit import kernel


@kernel
def _cards(state):
    """Any card that he does not hold."""
    return NO_BIT | ALL_CARDS & ~state.hands[state.owner]


@kernel
def _demand(state, move):
    """The holder hands it over and draws blind from the other twelve cards.  Rule: eidex K35"""
    if move == NO:
        return
    seat, card = np.int64(state.owner), np.int64(move)
    donor, other = fellows(seat)
    if state.hands[other] & bit(card):
        donor = other
    pass_card(state, card, donor, seat, PUBLIC)
    drawn = draw(state, state.hands[seat] & ~bit(card))
    pass_card(state, np.int64(drawn), seat, donor, PRIVATE)


@kernel
def _advise(state, word):
    """Demands the lowest plain card of the suit in which he holds most, and hopes that a worse one is drawn."""
    hand, best, most = state.hands[state.owner], np.uint64(NO), 0
    for suit in range(4):
        cards = state.moves & SUIT_CARDS[suit]
        n = np.int64(popcount(hand & SUIT_CARDS[suit]))
        if cards and SUIT_CARDS[suit] != state.trumps and n > most:
            best, most = lowest(cards) if state.mode != UNDENUFE else highest(cards), n
    return best


CHARACTER = Character(
    name="wuenschelrute",
    title="Wünschelrute (Dowsing Rod)",
    card="H6",
    when="before pressing",
    text="may demand a card; its holder draws a card blind from his hand for it",
    rule="K35",
    questions=(Question("wuenschelrute", BEFORE_PRESSING, "may demand a card", _cards, _demand, _advise),),
)
