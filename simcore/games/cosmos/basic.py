"""Rules of thumb for COSMOS.

Every legal card is rated, and the best one played:

- The last player knows whether a card takes the trick. Before that, a card that is the best when it is played is feared to stay
  the best: the more, the higher its value, if it is black, and the more cards lie face up. A card that is not the best on a table with
  face-up cards is a smaller danger: a collision may uncover it.
- Where the trick is equally safe, the highest cards go first, black ones before all, those of short suits before those of long ones,
  and a collision is welcome.

The weights were fitted by random search on tricks per round for 3, 4 and 6 players against random players and against themselves.
"""

import numpy as np

from simcore.bits import EMPTY, ONE, highest, lowest, nth, popcount
from simcore.games.cosmos.cards import ALL_CARDS, BLACK, COLUMN, FIRST_BLACK, LANE_CARDS, SAME_VALUE, SHIFTS, SUIT_CARDS_OF, VALUES
from simcore.games.cosmos.play import legal_moves
from simcore.games.cosmos.state import next_seat
from simcore.jit import kernel
from simcore.rng import below

# In half percent of a trick.
_SURE, _NOT_BEST, _STAYS, _STAYS_VALUE, _STAYS_BLACK, _STAYS_FACE_UP = 200, 64, 60, 6, 42, 24
_DUMP_VALUE, _DUMP_BLACK, _DUMP_LONG, _DUMP_COLLISION = 5, 48, 10, 12


def _by_card(of_value: int, of_black: int) -> np.ndarray:
    return np.array([of_value * value + of_black * (card >= FIRST_BLACK) for card, value in enumerate(VALUES)])


def _places_below_top(n: int) -> np.uint64:
    return np.uint64(sum(1 << card for card in range(64) if card + n < 64 and SUIT_CARDS_OF[card] == SUIT_CARDS_OF[card + n]))


_DUMP = _by_card(_DUMP_VALUE, _DUMP_BLACK)
_STAYS_OF = _by_card(_STAYS_VALUE, _STAYS_BLACK)

# To spread a set downwards inside each suit: shifts, and the places that are so far from the suit's top.
_SMEAR = tuple((np.uint64(n), _places_below_top(n)) for n in (1, 2, 4, 8))


@kernel
def basic_move(state, word):
    """The legal card with the best rating, the lowest one of equals; chance has no part in it."""
    moves = legal_moves(state)
    best_move = lowest(moves)
    if not moves & (moves - ONE):
        return best_move
    face_up = state.face_up
    hand = state.hands[state.seat]
    is_last = next_seat(state, state.seat) == state.leader
    takes = _taking_cards(state, face_up, is_last)
    feared = _STAYS + _STAYS_FACE_UP * (np.int64(popcount(face_up)) + 1)
    not_best = 0 if is_last else _NOT_BEST
    best = np.int64(-1_000_000)
    while moves:
        move = lowest(moves)
        moves &= moves - ONE
        partner = face_up & SAME_VALUE[move]
        collision = (0 if face_up == partner else not_best) - _DUMP_COLLISION
        danger = _SURE if is_last else feared + _STAYS_OF[move]
        danger = danger if takes >> move & ONE else not_best
        danger = collision if partner else danger
        rating = _DUMP[move] - _DUMP_LONG * np.int64(popcount(hand & SUIT_CARDS_OF[move])) - danger
        best_move = move if rating > best else best_move
        best = rating if rating > best else best
    return best_move


@kernel
def playout_move(state, word, has_sense):
    """By the rules of thumb with sense, else uniformly random."""
    if has_sense:
        return basic_move(state, word)
    moves = legal_moves(state)
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
