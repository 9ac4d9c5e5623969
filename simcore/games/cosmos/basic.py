"""Rules of thumb for COSMOS.

- Play a card that does not take the trick as it stands: another one is the best, or it collides. Of these the highest, black ones before
  all, and those of short suits before those of long ones.
- Without such a card, the last player takes the trick with a card by the same order. An earlier one, and who plays to an empty table,
  plays the lowest card of his shortest suit.

The weights were fitted by random search on tricks per round for 3, 4 and 6 players against random players and against themselves.
"""

import numpy as np

from simcore.bits import EMPTY, ONE, highest, lowest, nth, popcount
from simcore.games.cosmos.cards import (
    ALL_CARDS,
    BLACK,
    COLUMN,
    FIRST_BLACK,
    LANE_CARDS,
    SAME_VALUE,
    SHIFTS,
    SUIT_CARDS,
    SUIT_CARDS_OF,
    VALUES,
)
from simcore.games.cosmos.play import legal_moves
from simcore.games.cosmos.state import next_seat
from simcore.jit import kernel
from simcore.rng import below

# Rating of a card to be rid of, and of one that may take the trick; and how much a card more in its suit takes off.
_DUMP_VALUE, _DUMP_BLACK = 5, 48
_KEEP_VALUE, _KEEP_BLACK = -1, 6
_LONG = 10


def _by_card(of_value: int, of_black: int) -> list[int]:
    return [of_value * value + of_black * (card >= FIRST_BLACK) for card, value in enumerate(VALUES)]


def _places_below_top(n: int) -> np.uint64:
    return np.uint64(sum(1 << card for card in range(64) if card + n < 64 and SUIT_CARDS_OF[card] == SUIT_CARDS_OF[card + n]))


_RATINGS = np.array(_by_card(_KEEP_VALUE, _KEEP_BLACK) + _by_card(_DUMP_VALUE, _DUMP_BLACK))
_DUMP = np.uint64(64)
_SUITS = tuple(SUIT_CARDS)
_IN_A_SET = np.uint64(63)

# To spread a set downwards inside each suit: shifts, and the places that are so far from the suit's top.
_SMEAR = tuple((np.uint64(n), _places_below_top(n)) for n in (1, 2, 4, 8))


@kernel
def basic_move(state, word):
    """A card by the rules of thumb, of equal ones that of the first suit; chance has no part in it."""
    return _thumb_move(state, legal_moves(state))


@kernel
def _thumb_move(state, moves):
    is_last = next_seat(state, state.seat) == state.leader
    safe = moves & (~_taking_cards(state, state.face_up, is_last) | state.colliding)
    cards = safe if safe else moves
    is_dump = (safe != EMPTY) | is_last
    high, low = highest(cards), lowest(cards)
    if not cards & ~SUIT_CARDS_OF[low]:
        return high if is_dump else low
    return _best_rated(cards, state.hands[state.seat], is_dump)


@kernel
def _best_rated(cards, hand, is_dump):
    """The card with the best rating: the highest one of a suit to be rid of, or the lowest one to play with fear."""
    best, chosen = np.int64(-1_000_000), EMPTY
    first = _DUMP if is_dump else EMPTY
    for suit in _SUITS:
        here = cards & suit
        high, low = highest(here | ONE), lowest(here) & _IN_A_SET
        card = high if is_dump else low
        rating = _RATINGS[first + card] - _LONG * np.int64(popcount(hand & suit))
        is_better = (here != EMPTY) & (rating > best)
        chosen = card if is_better else chosen
        best = rating if is_better else best
    return chosen


@kernel
def playout_move(state, word, has_sense):
    """By the rules of thumb with sense, else uniformly random.

    A lead is always random: rules for it make playouts slower and the search no stronger.
    """
    moves = legal_moves(state)
    if has_sense & (state.face_up != EMPTY) & (moves & (moves - ONE) != EMPTY):
        return _thumb_move(state, moves)
    return nth(moves, below(word, popcount(moves)))


@kernel
def _taking_cards(state, face_up, is_last):
    """Cards that would be the best of the trick when played now, if they do not collide.

    Found for all cards at once: a black card is the best if it is the highest black one. With no black card face up, a planet card is if
    its suit becomes the most numerous and it is the highest of the suit, or if its suit becomes one of them and it is the highest of
    them all.
    """
    if state.table_acts and is_last and face_up == EMPTY:
        # Single at the end of the trick, it goes down with a table card.
        return _without_table_partner(state)
    if not face_up:
        return ALL_CARDS
    # Every place up to the highest face-up card of each suit.
    reached = face_up
    for shift, inside in _SMEAR:
        reached |= reached >> shift & inside
    most = EMPTY
    for shift in SHIFTS:
        n = popcount(face_up >> shift & LANE_CARDS)
        most = n if n > most else most
    leading, nearly = EMPTY, EMPTY
    for shift in SHIFTS:
        n = popcount(face_up >> shift & LANE_CARDS)
        leading |= LANE_CARDS << shift if n == most else EMPTY
        nearly |= LANE_CARDS << shift if n + ONE == most else EMPTY
    first = face_up & leading
    top = highest((first | first >> SHIFTS[1] | first >> SHIFTS[2] | first >> SHIFTS[3]) & LANE_CARDS | ONE)
    beaten = COLUMN * ((ONE << top << ONE) - ONE)
    planets = EMPTY if face_up & BLACK else leading | (nearly & ~beaten)
    return (planets | BLACK) & ~reached


@kernel
def _without_table_partner(state):
    """Cards that no table card equals in value."""
    cards, left = ALL_CARDS, state.table
    while left:
        cards &= ~SAME_VALUE[lowest(left)]
        left &= left - ONE
    return cards
