"""Voyeur, the Hearts King: sees some cards of a fellow."""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, popcount
from simcore.games.eidex.powers.asking import again, no_or_fellows, picks_any, seat_in, then
from simcore.games.eidex.powers.character import BEFORE_LEAD, FOLLOWS, Character, Question
from simcore.games.eidex.powers.knowledge import show
from simcore.games.eidex.powers.orders import NO
from simcore.games.eidex.powers.table import can_use, drop_highest, spend
from simcore.games.eidex.state import NO_CARD
from simcore.jit import kernel
from simcore.protocol import Switch


@kernel
def _may_look(state):
    if not can_use(state) or popcount(state.hands[state.owner]) < 2:
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
def _cards_to_show(state):
    """The target's cards after the one shown last, as long as enough follow: it shows them in deck order.  Rule: eidex K7"""
    state.seat = state.target
    cards = state.hands[state.target]
    if state.chosen != NO_CARD:
        cards &= ~((bit(state.chosen) << ONE) - ONE)
    return drop_highest(cards, np.int64(state.n_left) - 1)


@kernel
def _show(state, move):
    show(state, np.int64(state.owner), np.int64(state.target), bit(move))
    state.chosen = move
    state.n_left -= 1
    if state.n_left:
        again(state)


CHARACTER = Character(
    name="voyeur",
    title="Voyeur",
    card="HK",
    when="before each trick",
    text="may once have a fellow show him five cards of the fellow's choice",
    rule="K7",
    questions=(
        Question("voyeur", BEFORE_LEAD, "may ask to see cards", _may_look, _look, picks_any),
        Question("voyeur sees", FOLLOWS, "shows a card", _cards_to_show, _show, picks_any),
    ),
    uses=1,
    max_uses=3,
    switches=(Switch("voyeur_cards", 5, "cards that the Voyeur is shown (K7)", 1, 12),),
)
