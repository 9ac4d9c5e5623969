"""Voyeur, the Hearts King: sees some cards of a fellow."""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, lowest, popcount
from simcore.games.eidex.powers.asking import again, no_or_fellows, picks_any, seat_in, then
from simcore.games.eidex.powers.character import BEFORE_LEAD, BEFORE_PRESSING, FOLLOWS, Character, Question
from simcore.games.eidex.powers.knowledge import show
from simcore.games.eidex.powers.orders import NO
from simcore.games.eidex.powers.table import drop_highest, spend
from simcore.games.eidex.state import NO_CARD
from simcore.jit import kernel
from simcore.protocol import Switch
from simcore.rng import below, mix, step


@kernel
def _may_look(state):
    if popcount(state.hands[state.owner]) < 2:
        return EMPTY
    return no_or_fellows(state)


@kernel
def _look(state, move):
    if move == NO:
        return
    spend(state)
    state.target = seat_in(move)
    n_cards = np.int64(popcount(state.hands[state.target]))
    state.n_left = min(np.int64(state.rules.voyeur_cards), n_cards)
    state.chosen = NO_CARD
    then(state)


@kernel
def _cards_left(state):
    """The target's cards after the one shown last."""
    cards = state.hands[state.target]
    return cards if state.chosen == NO_CARD else cards & ~((bit(state.chosen) << ONE) - ONE)


@kernel
def _cards_to_show(state):
    """The target shows its cards in deck order: the next one, as long as enough follow.  Rule: eidex K7"""
    state.seat = state.target
    return drop_highest(_cards_left(state), np.int64(state.n_left) - 1)


@kernel
def _show(state, move):
    show(state, np.int64(state.owner), np.int64(state.target), bit(move))
    state.n_left -= 1
    state.chosen = move if state.n_left else NO_CARD
    if state.n_left:
        again(state)


@kernel
def _advise_card(state, word):
    """Any cards, every choice of them equally likely: each is shown by the share of those left that have still to be."""
    cards = _cards_left(state)
    n_cards = np.int64(popcount(cards))
    while True:
        word = step(word)
        if below(mix(word), n_cards) < state.n_left:
            return lowest(cards)
        cards &= cards - ONE
        n_cards -= 1


CHARACTER = Character(
    name="voyeur",
    title="Voyeur",
    card="HK",
    when="before pressing and before each trick",
    text="may once have a fellow show him five cards of the fellow's choice",
    rule="K7",
    questions=(
        # At any time by the rulebook; between the cards of a trick he would be asked too often for what it is worth.
        Question("voyeur", BEFORE_PRESSING, "may ask to see cards", _may_look, _look, picks_any, is_inquiry=True),
        Question("voyeur sees", FOLLOWS, "shows a card", _cards_to_show, _show, _advise_card, is_inquiry=True),
        Question("voyeur", BEFORE_LEAD, "may ask to see cards", _may_look, _look, picks_any, again=True, is_inquiry=True),
        Question("voyeur sees", FOLLOWS, "shows a card", _cards_to_show, _show, _advise_card, is_inquiry=True),
    ),
    uses=1,
    max_uses=3,
    switches=(Switch("voyeur_cards", 5, "cards that the Voyeur is shown (K7)", 1, 12),),
)
