"""Black Friday, the Ravens Six: moves the points of a suit to the Ravens."""

import numpy as np

from simcore.bits import bit
from simcore.games.eidex.cards import SUIT_CARDS
from simcore.games.eidex.powers.character import AFTER_PRESSING, Character, Question
from simcore.games.eidex.powers.orders import FIRST_SUIT, NO, NO_BIT, RAVENS
from simcore.games.eidex.powers.table import set_planes
from simcore.games.eidex.state import points_of
from simcore.jit import kernel


@kernel
def _suits(state):
    """Suits other than Ravens that have any points now.  Rule: eidex K34"""
    moves = NO_BIT
    for suit in range(4):
        if suit != RAVENS and points_of(state, SUIT_CARDS[suit]):
            moves |= bit(FIRST_SUIT + suit)
    return moves


@kernel
def _devalue(state, move):
    """Each card's points pass to the Ravens card of its rank; the trick value stays."""
    if move == NO:
        return
    suit = np.int64(move) - FIRST_SUIT
    values = np.zeros(36, np.int64)
    for card in range(36):
        values[card] = points_of(state, bit(card))
    for rank in range(9):
        values[9 * RAVENS + rank] += values[9 * suit + rank]
        values[9 * suit + rank] = 0
    set_planes(state, values)


@kernel
def _advise(state, word):
    """Devalues the suit in which he holds most, if that outweighs what his Ravens gain."""
    hand, best, best_loss = state.hands[state.owner], np.int64(NO), np.int64(0)
    for suit in range(4):
        if state.moves & bit(FIRST_SUIT + suit):
            ravens = (hand >> np.uint64(9 * RAVENS) & SUIT_CARDS[0]) << np.uint64(9 * suit)
            loss = points_of(state, hand & SUIT_CARDS[suit]) - points_of(state, ravens)
            if loss > best_loss:
                best, best_loss = FIRST_SUIT + suit, loss
    return np.uint64(best)


CHARACTER = Character(
    name="black_friday",
    title="Black Friday",
    card="R6",
    when="after pressing",
    text="may move the points of Hearts, Eidex or Stars to the Ravens cards of the same rank",
    rule="K34",
    questions=(Question("black friday", AFTER_PRESSING, "may devalue a suit", _suits, _devalue, _advise),),
)
