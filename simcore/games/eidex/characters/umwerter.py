"""Umwerter, the Eidex Eight: makes a card the highest or lowest of its suit."""

import numpy as np

from simcore.bits import bit, lowest, popcount
from simcore.games.eidex.cards import ALL_CARDS, SUIT_CARDS_OF
from simcore.games.eidex.powers.asking import then
from simcore.games.eidex.powers.character import AFTER_PRESSING, FOLLOWS, Character, Question
from simcore.games.eidex.powers.orders import HIGHEST, LOWEST, NO, NO_BIT
from simcore.games.eidex.powers.table import beaters_of
from simcore.jit import kernel


@kernel
def _cards(state):
    """Any card that is not his own.  Rule: eidex K25"""
    return NO_BIT | ALL_CARDS & ~(state.hands[state.owner] | state.pressed[state.owner])


@kernel
def _name(state, move):
    if move != NO:
        state.chosen = move
        then(state)


@kernel
def _ends(state):
    """Both ends of the order, but the one where the card is."""
    card = np.int64(state.chosen)
    place = popcount(beaters_of(state, np.int64(state.order), card) & SUIT_CARDS_OF[card])
    moves = bit(HIGHEST) | bit(LOWEST)
    return moves ^ bit(HIGHEST) if place == 0 else moves ^ bit(LOWEST) if place == 8 else moves


@kernel
def _revalue(state, move):
    """For the whole hand; the points stay."""
    state.revalued = bit(state.chosen)
    state.is_highest = move == HIGHEST
    state.is_bent = True


@kernel
def _advise_card(state, word):
    """Raises a foreign trump, the lightest, if he holds two or more trumps himself, so that another has to take their tricks."""
    seat = np.int64(state.owner)
    cards = state.moves & state.trumps
    if not cards or popcount(state.hands[seat] & state.trumps) < 2:
        return np.uint64(NO)
    return lowest(cards)


@kernel
def _advise_end(state, word):
    return lowest(state.moves)


CHARACTER = Character(
    name="umwerter",
    title="Umwerter (Revaluer)",
    card="E8",
    when="after pressing",
    text="may make a card that is not his own the highest or the lowest of its suit",
    rule="K25",
    questions=(
        Question("umwerter", AFTER_PRESSING, "may revalue a card", _cards, _name, _advise_card),
        Question("umwerter end", FOLLOWS, "makes it highest or lowest", _ends, _revalue, _advise_end),
    ),
)
