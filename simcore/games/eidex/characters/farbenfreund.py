"""Farbenfreund, the Hearts Jack: orders a fellow to lead a suit."""

import numpy as np

from simcore.bits import EMPTY, ONE, lowest, popcount
from simcore.games.eidex.cards import SUIT_CARDS_OF
from simcore.games.eidex.powers.asking import collects, lead_is_shown, unseen_by, void_suit
from simcore.games.eidex.powers.character import BEFORE_LEAD, Character, Question
from simcore.games.eidex.powers.orders import ALL_SUITS, FIRST_SUIT, NO, NO_BIT
from simcore.games.eidex.powers.table import beaters_of, spend
from simcore.games.eidex.state import NOBODY
from simcore.jit import kernel


@kernel
def _may_order(state):
    """A lead that was refused or shown to the Seher is not his to order.  Rule: eidex K15"""
    leader = state.leader
    is_free = state.refused_for == NOBODY and not lead_is_shown(state)
    if state.owner == leader or not is_free or popcount(state.hands[leader]) < 2:
        return EMPTY
    return NO_BIT | ALL_SUITS


@kernel
def _order(state, move):
    if move != NO:
        spend(state)
        state.ordered = np.int64(move) - FIRST_SUIT


@kernel
def _topped_suit(state, seat):
    """A suit of which *seat* holds a card that no unseen one of it beats, while others have some, -1 when there is none."""
    unseen, cards = unseen_by(state, seat), state.hands[seat]
    while cards:
        card = np.int64(lowest(cards))
        cards &= cards - ONE
        others = unseen & SUIT_CARDS_OF[card]
        if others and not others & beaters_of(state, np.int64(state.order), card):
            return card // 9
    return -1


@kernel
def _advise(state, word):
    """Orders a suit in which he is void, or when he collects one whose highest card he holds."""
    seat = np.int64(state.owner)
    suit = _topped_suit(state, seat) if collects(state, seat) else void_suit(state, seat)
    return np.uint64(FIRST_SUIT + suit) if suit >= 0 else np.uint64(NO)


CHARACTER = Character(
    name="farbenfreund",
    title="Farbenfreund (Friend of Suits)",
    card="HJ",
    when="before a fellow leads",
    text="may twice order a fellow to lead a suit, which lapses if he has none of it",
    rule="K15",
    questions=(Question("farbenfreund", BEFORE_LEAD, "may order a suit", _may_order, _order, _advise, again=True),),
    uses=2,
    max_uses=12,
)
