"""Worlds: the deals that one seat must hold possible."""

import numpy as np

from simcore.bits import EMPTY, ONE, copy_record, lowest, popcount
from simcore.games.cosmos.cards import SUIT_CARDS
from simcore.jit import kernel
from simcore.rng import below, draw_cards, mix, step

_N_SUITS = len(SUIT_CARDS)
_BYTES = np.uint64(0x0101010101010101)
_BYTE_TOPS = np.uint64(0x8080808080808080)
_BYTE = np.uint64(0xFF)
_TOP_BYTE, _BYTE_BITS = np.uint64(56), np.uint64(3)


@kernel
def determinize(state, seat, key, world):
    """Deal the cards that *seat* cannot see anew into *world*.

    *seat* knows its hand, the cards played, the table cards, and the suits that the other hands have been seen to lack. All deals of the
    64 cards that agree are equally likely; which of two equal copies has been played tells nothing.
    """
    copy_record(world, state)
    world.chance = mix(key)
    hidden, room = EMPTY, EMPTY
    for other in range(state.n_seats):
        if other != seat:
            hidden |= state.hands[other]
            room |= popcount(state.hands[other]) << _byte_of(other)
    deal_hidden(world, hidden, room, key)


@kernel
def _byte_of(seat):
    return np.uint64(seat) << _BYTE_BITS


@kernel
def deal_hidden(state, hidden, room, counter):
    """Deal the cards *hidden* to the hands that have *room* for them, uniformly among all ways that `lacks` allows.

    *room* holds the number of cards that each seat is to get in byte number seat.
    """
    restricted = EMPTY
    for seat in range(state.n_seats):
        if room >> _byte_of(seat) & _BYTE:
            state.hands[seat] = EMPTY
            restricted |= state.lacks[seat] & hidden
    if restricted:
        room, counter = _deal_restricted(state, restricted, room, counter)
    left = hidden & ~restricted
    for seat in range(state.n_seats):
        n = room >> _byte_of(seat) & _BYTE
        if n == popcount(left):
            state.hands[seat] |= left
            left = EMPTY
        elif n:
            drawn, counter = draw_cards(left, n, counter)
            state.hands[seat] |= drawn
            left ^= drawn


@kernel
def _sum_of_bytes(word):
    return word * _BYTES >> _TOP_BYTE


@kernel
def _room_for(state, suit, room):
    """The bytes of *room* whose seats may hold *suit*, as a mask."""
    seats = EMPTY
    for seat in range(state.n_seats):
        if not state.lacks[seat] & SUIT_CARDS[suit]:
            seats |= _BYTE << _byte_of(seat)
    return seats


@kernel
def _deal_restricted(state, cards, room, counter):
    """Deal the *cards* of suits that some hand lacks; what room is left, and the stream's counter.

    Suit by suit, card by card, each card goes to a uniform place among *bound* places: those that are open to it, and imaginary ones
    up to a number that no earlier card can have changed. Whoever hits an imaginary place starts again. So every deal that
    is reached has the same probability, one over the product of the bounds.
    """
    while True:
        attempt = room
        for seat in range(state.n_seats):
            if room >> _byte_of(seat) & _BYTE:
                state.hands[seat] = EMPTY
        pending, dealt = cards, EMPTY
        is_stuck = False
        while pending and not is_stuck:
            suit_cards, seats, bound = _next_suit(state, pending, dealt, room)
            pending ^= suit_cards
            dealt |= suit_cards
            while suit_cards and not is_stuck:
                counter = step(counter)
                place = below(mix(counter), bound)
                bound -= ONE
                # Byte s of the product counts the open places of the seats up to s.
                open_up_to = (attempt & seats) * _BYTES
                beyond = ((open_up_to | _BYTE_TOPS) - (place + ONE) * _BYTES) & _BYTE_TOPS
                is_stuck = beyond == EMPTY
                if not is_stuck:
                    seat = lowest(beyond) >> _BYTE_BITS
                    attempt -= ONE << _byte_of(seat)
                    state.hands[seat] |= suit_cards & ~(suit_cards - ONE)
                    suit_cards &= suit_cards - ONE
        if not is_stuck:
            return attempt, counter


@kernel
def _next_suit(state, pending, dealt, room):
    """The pending suit with the fewest places: its cards, the mask of its seats, and the bound of its first card."""
    cards, seats, fewest = EMPTY, EMPTY, EMPTY
    for suit in range(_N_SUITS):
        if pending & SUIT_CARDS[suit]:
            here = _room_for(state, suit, room)
            n = _sum_of_bytes(room & here)
            if not cards or n < fewest:
                cards, seats, fewest = pending & SUIT_CARDS[suit], here, n
    # Of the places, earlier cards have taken at least those that they could not find elsewhere.
    n_inside, n_other, elsewhere = EMPTY, EMPTY, EMPTY
    for suit in range(_N_SUITS):
        if dealt & SUIT_CARDS[suit]:
            outside = _room_for(state, suit, room) & ~seats
            if room & outside:
                n_other += popcount(dealt & SUIT_CARDS[suit])
                elsewhere |= outside
            else:
                n_inside += popcount(dealt & SUIT_CARDS[suit])
    n_elsewhere = _sum_of_bytes(room & elsewhere)
    if n_other > n_elsewhere:
        n_inside += n_other - n_elsewhere
    return cards, seats, fewest - n_inside
