"""The 36 cards, their ranking and their points in every mode.

    bit   35 ... 27   26 ... 18   17 ... 9    8  7  6  5  4  3  2  1  0
    suit    Stars      Ravens      Eidex      A  K  Q  J 10  9  8  7  6   of Hearts

A *mode* is what the upturned card has made of the deal: 0-3 the trump suit, 4 Obenabe, 5 Undenufe.
"""

import numpy as np

from simcore.deck import Deck

SUITS = "HERS"
RANKS = ("6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK = Deck(tuple(suit + rank for suit in SUITS for rank in RANKS))
N_SEATS = 3
# As numpy numbers, because numba compiles a function anew for every Python number that is written in a call.
SEATS = (np.int64(0), np.int64(1), np.int64(2))
HAND_SIZE = 12
OBENABE, UNDENUFE = 4, 5
MODES = (*SUITS, "Obenabe", "Undenufe")
ALL_CARDS = DECK.all_cards

# Strongest first.  Rule: eidex, The Play
TRUMP_ORDER = ("J", "9", "A", "K", "Q", "10", "8", "7", "6")
PLAIN_ORDER = ("A", "K", "Q", "J", "10", "9", "8", "7", "6")
UNDENUFE_ORDER = PLAIN_ORDER[::-1]
ORDERS = (TRUMP_ORDER, PLAIN_ORDER, UNDENUFE_ORDER)
# Skat ranks the Tens above Kings, Queens and plain Jacks.  Rule: eidex K13
SKAT_ORDER = ("A", "10", "K", "Q", "J", "9", "8", "7", "6")
ORDERS_UNDER_SKAT = (("J", "9", "A", "10", "K", "Q", "8", "7", "6"), SKAT_ORDER, SKAT_ORDER[::-1])

# Card points by rank; a rank that is not named counts nothing.  Rule: eidex, Scoring
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "K": 4, "Q": 3, "10": 10}
PLAIN_POINTS = {"A": 11, "K": 4, "Q": 3, "J": 2, "10": 10}
OBENABE_POINTS = PLAIN_POINTS | {"8": 8}
UNDENUFE_POINTS = {"K": 4, "Q": 3, "J": 2, "10": 10, "8": 8, "6": 11}
LAST_TRICK_POINTS = 5
N_PLANES = 5

# The suits as card sets, with an empty fifth and sixth for the modes without trump; and the suit of each card.
SUIT_CARDS = np.array([0x1FF << 9 * suit for suit in range(4)] + [0, 0], np.uint64)
SUIT_CARDS_OF = np.repeat(SUIT_CARDS[:4], 9)
JACKS = np.array([1 << 9 * suit + RANKS.index("J") for suit in range(4)] + [0, 0], np.uint64)


def mode_of(upcard: int) -> int:
    """Mode that the upturned card makes: an Ace Obenabe, a 6 Undenufe, any other card its suit trump."""
    return {"A": OBENABE, "6": UNDENUFE}.get(RANKS[upcard % 9], upcard // 9)


def points_in(mode: int, card: int) -> int:
    """Card points of *card* in *mode*."""
    table = {OBENABE: OBENABE_POINTS, UNDENUFE: UNDENUFE_POINTS}.get(mode, TRUMP_POINTS if card // 9 == mode else PLAIN_POINTS)
    return table.get(RANKS[card % 9], 0)


def beaters_in(orders: tuple[tuple[str, ...], ...], mode: int, card: int) -> int:
    """Cards that beat *card* where the orders of trump, plain suits and Undenufe are *orders*."""
    suit = card // 9
    order = orders[2 if mode == UNDENUFE else 0 if suit == mode else 1]
    higher = order[: order.index(RANKS[card % 9])]
    trumps = 0 if suit == mode else int(SUIT_CARDS[mode])
    return sum(1 << 9 * suit + RANKS.index(rank) for rank in higher) | trumps


MODE_OF = np.array([mode_of(card) for card in range(36)])

# BEATERS[mode, card]: the cards that beat *card*: the higher ones of its suit, and for a plain card every trump.
BEATERS = np.array([[beaters_in(ORDERS, mode, card) for card in range(36)] for mode in range(6)], np.uint64)

# HEAVY[mode]: the cards with more than a Jack's points, which one gives away rather than keeps.
HEAVY = np.array([sum(1 << card for card in range(36) if points_in(mode, card) > 2) for mode in range(6)], np.uint64)

# Points bit-sliced: plane k of a mode holds the cards whose points have bit k, so that the points of a whole set are
# five population counts instead of a loop over its cards.
PLANES = np.array(
    [[sum(1 << card for card in range(36) if points_in(mode, card) >> k & 1) for k in range(N_PLANES)] for mode in range(6)],
    np.uint64,
)
