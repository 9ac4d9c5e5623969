"""Orders of the cards under Skat, and the answers that a question may have.

An answer is one bit, the same in every question:

    bit   59 58    57   56    55     54      53 ... 45  44 ... 41    40 ... 38   37  36   35 ... 0
           - +   left right lowest highest   rank A..6  suit S..H    seat 2..0   yes no   cards

A number is asked in two steps, tens and then units, whose bits are the digits themselves.
"""

import numpy as np

from simcore.games.eidex.cards import BEATERS, MODES, ORDERS_UNDER_SKAT, RANKS, SUIT_CARDS, beaters_in

NO, YES, FIRST_SEAT, FIRST_SUIT, FIRST_RANK = 36, 37, 38, 41, 45
HIGHEST, LOWEST, RIGHT, LEFT, PLUS, MINUS = 54, 55, 56, 57, 58, 59
NO_BIT = np.uint64(1 << NO)
YES_OR_NO = np.uint64(1 << NO | 1 << YES)
SEAT_BITS = np.array([1 << FIRST_SEAT + seat for seat in range(3)], np.uint64)
ALL_SEATS = np.uint64(7 << FIRST_SEAT)
ALL_SUITS = np.uint64(15 << FIRST_SUIT)
MORE_OR_LESS = np.uint64(1 << PLUS | 1 << MINUS)

N_MODES = len(MODES)
# BEATERS_BY_ORDER[order, card], where the order is the mode, or the mode + 6 under Skat.  Rule: eidex K13
BEATERS_BY_ORDER = np.concatenate(
    [BEATERS, np.array([[beaters_in(ORDERS_UNDER_SKAT, mode, card) for card in range(36)] for mode in range(N_MODES)], np.uint64)]
)


def _next_lower(beaters: np.ndarray, card: int) -> int:
    """The card of the suit that ranks just below *card* where *beaters* are the cards that beat each, as a set."""
    suit = int(SUIT_CARDS[card // 9])
    above = int(beaters[card]) & suit | 1 << card
    return sum(1 << other for other in range(36) if suit >> other & 1 and int(beaters[other]) & suit == above)


# NEXT_LOWER[order, card]
NEXT_LOWER = np.array([[_next_lower(beaters, card) for card in range(36)] for beaters in BEATERS_BY_ORDER], np.uint64)
RANK_CARDS = np.array([sum(1 << 9 * suit + rank for suit in range(4)) for rank in range(9)], np.uint64)
JACK_CARDS, QUEEN_CARDS, KING_CARDS = (RANK_CARDS[RANKS.index(rank)] for rank in "JQK")
RAVENS = 2
RAVENS_JACK = JACK_CARDS & SUIT_CARDS[RAVENS]
ANIMALS = SUIT_CARDS[1] | SUIT_CARDS[RAVENS]
