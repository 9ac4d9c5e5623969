"""The 32 cards, what is trump in each mode, and which cards beat each card.

    bit   31 ... 26   25 ... 20   19 ... 14   13 12 11 10  9  8    7  6  5  4    3  2  1  0
    card  Schellen    Herz        Gras         7  8  9  K 10  A    SU HU GU EU   SO HO GO EO
                                  of Eichel

Strongest first: a hand that is printed in the order of its bits is sorted as a player holds it. An *ordinary* card is neither Ober nor
Unter. A *mode* is what the contract has made trump: 0-3 a suit with all Obers and Unters, 4 Wenz. Where nobody has bid, it is hearts.
"""

import numpy as np

from simcore.deck import Deck

SUITS = "EGHS"
HEARTS = 2
ORDINARY_RANKS = ("A", "10", "K", "9", "8", "7")
DECK = Deck((*(suit + "O" for suit in SUITS), *(suit + "U" for suit in SUITS), *(suit + rank for suit in SUITS for rank in ORDINARY_RANKS)))
ALL_CARDS = DECK.all_cards
N_SEATS = 4
HAND_SIZE = 8
N_TRICKS = 8
WENZ = 4
N_MODES = 5

OBERS = DECK.cards(suit + "O" for suit in SUITS)
UNTERS = DECK.cards(suit + "U" for suit in SUITS)
COURTS = OBERS | UNTERS
ACES = DECK.cards(suit + "A" for suit in SUITS)
# The ordinary cards of each suit, with an empty fifth for bids that name no suit.
ORDINARY = np.array([0x3F << 8 + 6 * suit for suit in range(4)] + [0], np.uint64)


def _strongest_first(mode: int) -> tuple[list[int], list[list[int]]]:
    """Trumps, and the plain suits, of *mode*; each strongest first.  Rule: schafkopf S12"""
    if mode == WENZ:
        suits = [[DECK.card(suit + rank) for rank in ("A", "10", "K", "O", "9", "8", "7")] for suit in SUITS]
        return [DECK.card(suit + "U") for suit in SUITS], suits
    suits = [[DECK.card(suit + rank) for rank in ORDINARY_RANKS] for suit in SUITS]
    trump_suit = suits.pop(mode)
    return [*range(8), *trump_suit], suits


def _set(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    trumps_of = np.zeros(N_MODES, np.uint64)
    suit_cards_of = np.zeros((N_MODES, 32), np.uint64)
    beaters = np.zeros((N_MODES, 32), np.uint64)
    for mode in range(N_MODES):
        trumps, suits = _strongest_first(mode)
        trumps_of[mode] = _set(trumps)
        for cards in (trumps, *suits):
            for place, card in enumerate(cards):
                suit_cards_of[mode, card] = _set(cards)
                beaters[mode, card] = _set(cards[:place]) | (0 if cards is trumps else _set(trumps))
    return trumps_of, suit_cards_of, beaters


# TRUMPS[mode]; SUIT_CARDS[mode, card]: all cards of the effective suit of *card*; BEATERS[mode, card]: the cards that beat *card*, the
# higher ones of its suit and, for a plain card, every trump.
TRUMPS, SUIT_CARDS, BEATERS = _tables()

# Card points bit-sliced: plane k holds the cards whose points have bit k, so that the points of a whole set are four population counts.
POINTS = {"A": 11, "10": 10, "K": 4, "O": 3, "U": 2}
PLANES = tuple(np.uint64(sum(1 << card for card, name in enumerate(DECK.names) if POINTS.get(name[1:], 0) >> k & 1)) for k in range(4))
