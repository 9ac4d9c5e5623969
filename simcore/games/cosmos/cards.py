"""The 64 cards: all bits of a set.

    bit   63 ... 56   55 ... 42   41 ... 28   27 ... 14   13 12 11 10  9  8  7  6  5  4  3  2  1  0
    suit  Collapsar   Moon        Sun         Earth        9  8  8  7  7  6  6  5  5  4  4  3  2  1   of Saturn
          8 ... 1

The two copies of a 4 to 8 are one card to a player; `FIRST_COPIES` and the bit above each tell them apart only inside.
"""

import numpy as np

from simcore.deck import Deck

SUITS = ("Sat", "Ear", "Sun", "Moo", "Bla")
PLANET_VALUES = (1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9)
BLACK_VALUES = (1, 2, 3, 4, 5, 6, 7, 8)
N_PLANETS = 4
LANE = len(PLANET_VALUES)
FIRST_BLACK = N_PLANETS * LANE
VALUES = PLANET_VALUES * N_PLANETS + BLACK_VALUES
NAMES = tuple(f"{SUITS[card // LANE]}{value}" for card, value in enumerate(VALUES))
DECK = Deck(tuple(dict.fromkeys(NAMES)))  # each name once
COPIES = {name: tuple(card for card in range(64) if NAMES[card] == name) for name in DECK.names}
N_COPIES = {name: len(cards) for name, cards in COPIES.items()}

N_TABLE_CARDS = 4
MAX_SEATS = 6
# By number of seats; 60 cards are dealt out.  Rule: cosmos, Number of Cards, End of the Game
HAND_SIZE = {3: 20, 4: 15, 5: 12, 6: 10}
END_TRICKS = HAND_SIZE


def _cards_where(is_wanted) -> np.uint64:
    return np.uint64(sum(1 << card for card in range(64) if is_wanted(card)))


ALL_CARDS = _cards_where(lambda card: True)
BLACK = _cards_where(lambda card: card >= FIRST_BLACK)
PLANETS = _cards_where(lambda card: card < FIRST_BLACK)
NINES = _cards_where(lambda card: VALUES[card] == 9)
FIRST_COPIES = _cards_where(lambda card: NAMES[card : card + 2] == (NAMES[card],) * 2)
SUIT_CARDS = np.array([_cards_where(lambda card, suit=suit: NAMES[card].startswith(suit)) for suit in SUITS])
SUIT_CARDS_OF = SUIT_CARDS[np.minimum(np.arange(64) // LANE, N_PLANETS)]
SAME_VALUE = np.array([_cards_where(lambda card, value=value: VALUES[card] == value) for value in VALUES])

# A planet suit is a *lane* of a set: the first lane, how far each lane is from it, and the first card of each.
LANE_CARDS = np.uint64((1 << LANE) - 1)
SHIFTS = tuple(np.uint64(LANE * suit) for suit in range(N_PLANETS))
COLUMN = _cards_where(lambda card: card < FIRST_BLACK and card % LANE == 0)


def cards_text(cards: int | np.uint64) -> str:
    """Names of the cards of a set, ascending; a card held twice stands there twice."""
    return " ".join(NAMES[card] for card in range(64) if int(cards) >> card & 1)


def read_cards(text: str, taken: int, where: str) -> int:
    """Set of the cards in *text*, each the lowest copy that is not *taken*. ValueError when there is none left."""
    if not isinstance(text, str):
        raise ValueError(f"{where} is a text of cards like 'Sun7 Bla3', not {text!r}")
    cards = 0
    for word in text.replace(",", " ").split():
        cards |= 1 << read_card(word, taken | cards, where)
    return cards


def read_card(text: str, taken: int, where: str) -> int:
    """Lowest copy of the card called *text* that is not *taken*. ValueError when there is none left."""
    copies = COPIES[DECK.names[DECK.card(text)]]
    for card in copies:
        if not taken >> card & 1:
            return card
    raise ValueError(f"{where}: {NAMES[copies[0]]} is there {len(copies) + 1} times, the deck has {len(copies)}")
