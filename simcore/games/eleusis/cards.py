"""The 52 card types, each there twice, and hands as pairs of sets.

    bit   51 ... 39   38 ... 26   25 ... 13   12 11 10  9  8  7  6  5  4  3  2  1  0
    suit  Clubs       Diamonds    Hearts       K  Q  J 10  9  8  7  6  5  4  3  2  A  of Spades

Two equal cards are one type. A *pile* holds up to three of each type in two sets, the binary digits of the numbers: a card of the first
set counts one, of the second set two.
"""

import numpy as np

from simcore.bits import EMPTY, bit, lowest, popcount
from simcore.deck import Deck
from simcore.jit import kernel

SUITS = ("S", "H", "D", "C")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
DECK = Deck(tuple(suit + rank for suit in SUITS for rank in RANKS))
N_TYPES = len(DECK.names)
N_RANKS = len(RANKS)
N_PACKS = 2
N_COPIES = dict.fromkeys(DECK.names, N_PACKS)
N_CARDS = N_TYPES * N_PACKS
MOST_CARDS = N_CARDS + N_TYPES  # with a third pack
HAND_SIZE, FULL_HAND_SIZE = 12, 14
MAX_SEATS = 8

_ONES, _TWOS = 0, 1


@kernel
def types_in(pile):
    """Set of the card types that are in *pile*, a uint64 array of shape (2,)."""
    return pile[_ONES] | pile[_TWOS]


@kernel
def n_cards(pile):
    """Number of cards in *pile*."""
    return np.int64(popcount(pile[_ONES])) + 2 * np.int64(popcount(pile[_TWOS]))


@kernel
def add_card(pile, card):
    """Put *card* into *pile*.  Unchecked: fewer than three of the type are there."""
    pile[_TWOS] ^= pile[_ONES] & bit(card)
    pile[_ONES] ^= bit(card)


@kernel
def remove_card(pile, card):
    """Take *card* out of *pile*.  Unchecked: it is there."""
    pile[_ONES] ^= bit(card)
    pile[_TWOS] ^= pile[_ONES] & bit(card)


@kernel
def clear_pile(pile):
    """Leave nothing in *pile*."""
    pile[_ONES] = EMPTY
    pile[_TWOS] = EMPTY


@kernel
def take_lowest(pile):
    """Take the lowest card out of *pile*; the card.  Unchecked: there is one."""
    card = lowest(types_in(pile))
    remove_card(pile, card)
    return card


def pile_cards(pile) -> list[int]:
    """The cards of a pile, ascending, equal ones one after the other."""
    ones, twos = (int(cards) for cards in pile)
    return [card for card in range(N_TYPES) for _ in range((ones >> card & 1) + 2 * (twos >> card & 1))]


def cards_text(cards: list[int]) -> str:
    """Names of *cards* in their order."""
    return " ".join(DECK.names[card] for card in cards)


def read_cards(text: object, where: str) -> list[int]:
    """Cards named in *text*, in their order; the same may be there several times. ValueError in one line."""
    if not isinstance(text, str):
        raise ValueError(f"{where} is a text of cards like 'H7 SQ', not {text!r}")
    return [DECK.card(name) for name in text.replace(",", " ").split()]
