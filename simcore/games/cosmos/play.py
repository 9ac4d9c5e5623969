"""The play of the tricks.

Written with few branches on the cards themselves, which no processor can predict.
"""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, highest, lowest, popcount
from simcore.games.cosmos.cards import (
    COLUMN,
    FIRST_BLACK,
    FIRST_COPIES,
    LANE,
    LANE_CARDS,
    N_PLANETS,
    NINES,
    PLANETS,
    SAME_VALUE,
    SHIFTS,
    SUIT_CARDS_OF,
)
from simcore.games.cosmos.state import hand_size, next_seat
from simcore.jit import kernel

_TOPS = np.uint64(sum(1 << LANE * suit + LANE - 1 for suit in range(N_PLANETS)) | 1 << 63)
_PLANET_TOPS = _TOPS & PLANETS
_LANE = np.uint64(LANE)
_BYTES, _BYTE_TOPS, _BYTE_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080), np.uint64(3)
_PLANET_SPAN, _BLACK_SPAN, _FIRST_BLACK = np.uint64(LANE - 1), np.uint64(7), np.uint64(FIRST_BLACK)


@kernel
def seat_to_act(state):
    """Seat that decides now."""
    return state.seat


@kernel
def is_over(state):
    """Whether the last trick of the round is taken."""
    return state.tricks_left == 0


@kernel
def legal_moves(state):
    """Different cards that the seat to act may play: of the two copies of a card, the lowest that is held.

    Any suit that lies face up must be followed. Who cannot is free; with nothing face up and before the break, black cards are
    barred from a hand that has others.  Rule: cosmos C5-C8, C19
    """
    # What hangs on the card before, which is known last, comes in last.
    hand = state.hands[state.seat]
    hand &= ~((hand & FIRST_COPIES) << ONE)
    planets = hand & ~state.unbroken
    lead = planets if planets else hand
    binding = state.binding
    follow = hand & binding
    free = hand if binding else lead
    return follow if follow else free


@kernel
def suits_of(cards):
    """All cards of the suits that occur among *cards*.

    The carry of an addition gathers each suit into its top bit, and a subtraction spreads it out again.
    """
    tops = ((cards & ~_TOPS) + ~_TOPS | cards) & _TOPS
    planets = tops & _PLANET_TOPS
    black = tops ^ planets
    return tops | (planets - (planets >> _PLANET_SPAN)) | (black - (black >> _BLACK_SPAN))


@kernel
def best_card(face_up):
    """Card that wins the trick with these *face_up* cards, whose values differ; 64 or more when there is none.

    The highest black card, else the highest card of the suits that are most numerous: a suit's number of cards and, below it, its
    lane of the set make one number, of which the greatest suit's is the greatest.  Rule: cosmos C3, C10
    """
    key = EMPTY
    for shift in SHIFTS:
        lane = face_up >> shift & LANE_CARDS
        rival = popcount(lane) << _LANE | lane
        key = rival if rival > key else key
    planet = lowest(face_up & COLUMN << highest(key & LANE_CARDS | ONE))
    return highest(face_up) if face_up >> _FIRST_BLACK else planet


@kernel
def lack_shown(state, played):
    """Suits that the card *played* (a set of one) proves missing in the hand of the seat to act.

    Who does not follow holds none of the suits that lie face up; who breaks with nothing face up holds only black cards.
    Rule: cosmos C5, C7
    """
    binding = state.binding
    barred = EMPTY if binding else state.unbroken
    lack = EMPTY if played & binding else binding
    return PLANETS if played & barred else lack


@kernel(inline=True)
def play(state, move):
    """Play the card *move*: a face-up card of its value goes down with it.  Rule: cosmos C3, C4"""
    seat = state.seat
    played = bit(move)
    state.lacks[seat] |= lack_shown(state, played)
    state.hands[seat] ^= played
    state.cards |= np.uint64(move) << (np.uint64(seat) << _BYTE_BITS)
    if played & state.unbroken:
        _break(state)
    trick = state.trick | played
    after = next_seat(state, seat)
    face_up = state.face_up
    equals = SAME_VALUE[move]
    partner = face_up & equals
    # A branch, because most cards do not collide: then the next player need not wait for the partner to be found.
    if partner:
        face_up ^= partner
        binding = suits_of(face_up)
    else:
        face_up |= played
        binding = state.binding | SUIT_CARDS_OF[move]
    if after == state.leader:
        _take_trick(state, face_up, trick)
    else:
        state.face_up = face_up
        state.binding = binding
        # A value comes face up and goes down in turns.
        state.colliding ^= equals
        state.trick = trick
        state.seat = after


@kernel
def trick_number(state):
    """Number of the trick on the table, from 1."""
    return hand_size(state) - state.tricks_left + 1


@kernel
def _break(state):
    """The first black card of the round turns the Break card up, even if it collides at once.  Rule: cosmos C9"""
    state.unbroken = EMPTY
    state.break_trick = trick_number(state)
    state.breaker = state.seat


@kernel
def table_partner(state, face_up):
    """Table card (a set of at most one) that goes down with the single face-up card of a complete trick.  Rule: cosmos C11, C12"""
    partners = state.table & SAME_VALUE[lowest(face_up)]
    return partners & ~(partners - ONE)


@kernel
def _take_trick(state, face_up, trick):
    """The best card's player, or after a Big Bang the leader, takes the trick and leads to the next.  Rule: cosmos C10-C13"""
    n_seats = state.n_seats
    state.collisions += (n_seats - popcount(face_up)) >> ONE
    if state.table_acts and face_up and not face_up & (face_up - ONE):
        partner = table_partner(state, face_up)
        if partner:
            state.table ^= partner
            state.table_collisions += 1
            face_up = EMPTY
    # The byte of who played the best card becomes 0, and the lowest such byte is found at once.
    others = state.cards ^ (best_card(face_up) * _BYTES)
    holder = lowest((others - _BYTES) & ~others & _BYTE_TOPS) >> _BYTE_BITS
    winner = holder if face_up else np.uint64(state.leader)
    state.tricks[winner] += 1
    state.nines[winner] += popcount(trick & NINES)
    state.big_bangs[winner] += face_up == EMPTY
    state.black_tricks += face_up >> _FIRST_BLACK != EMPTY
    state.face_up = EMPTY
    state.binding = EMPTY
    state.colliding = EMPTY
    state.trick = EMPTY
    state.cards = EMPTY
    state.leader = winner
    state.seat = winner
    state.tricks_left -= 1
