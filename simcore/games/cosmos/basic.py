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
from simcore.games.cosmos.cards import ALL_CARDS, BLACK, FIRST_BLACK, LANE_CARDS, SAME_VALUE, SHIFTS, SUIT_CARDS_OF, VALUES
from simcore.games.cosmos.play import legal_moves
from simcore.games.cosmos.state import next_seat
from simcore.jit import kernel
from simcore.rng import below

# In half percent of a trick.
_SURE, _NOT_BEST, _STAYS, _STAYS_VALUE, _STAYS_BLACK, _STAYS_FACE_UP = 200, 64, 60, 6, 42, 24
_DUMP_VALUE, _DUMP_BLACK, _DUMP_LONG, _DUMP_COLLISION = 5, 48, 10, 12


def _by_card(of_value: int, of_black: int) -> np.ndarray:
    return np.array([of_value * value + of_black * (card >= FIRST_BLACK) for card, value in enumerate(VALUES)])


_DUMP = _by_card(_DUMP_VALUE, _DUMP_BLACK)
_STAYS_OF = _by_card(_STAYS_VALUE, _STAYS_BLACK)


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
        safe = collision if partner else not_best
        danger = _SURE if is_last else feared + _STAYS_OF[move]
        danger = danger if takes >> move & ONE else safe
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
def _above(cards):
    """Places above the highest of *cards*."""
    return ~((ONE << highest(cards | ONE) << ONE) - ONE) if cards else ALL_CARDS


@kernel
def _taking_cards(state, face_up, is_last):
    """Cards that would be the best of the trick when played now.

    Found for all cards at once: a planet card is the best if its suit becomes the most numerous and it is the highest of the suit, or
    if its suit becomes one of them and it is the highest of them all.
    """
    if is_last and state.table_acts and face_up == EMPTY:
        # Single at the end of the trick, it goes down with a table card.
        return _without_table_partner(state)
    if not face_up:
        return ALL_CARDS
    colliding = EMPTY
    cards = face_up
    while cards:
        colliding |= SAME_VALUE[lowest(cards)]
        cards &= cards - ONE
    if face_up & BLACK:
        return _above(face_up) & ~colliding
    most, top = EMPTY, EMPTY
    for shift in SHIFTS:
        lane = face_up >> shift & LANE_CARDS
        n = popcount(lane)
        top = lane if n > most else top | lane if n == most else top
        most = n if n > most else most
    takes = BLACK
    for shift in SHIFTS:
        lane = face_up >> shift & LANE_CARDS
        n = popcount(lane)
        higher = _above(lane if n == most else lane | top)
        takes |= (higher & LANE_CARDS if n + ONE >= most else EMPTY) << shift
    return takes & ~colliding


@kernel
def _without_table_partner(state):
    """Cards that no table card equals in value."""
    cards, left = ALL_CARDS, state.table
    while left:
        cards &= ~SAME_VALUE[lowest(left)]
        left &= left - ONE
    return cards
