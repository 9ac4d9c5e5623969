"""What each seat knows of the cards that it cannot see.

A *place* is where a hidden card may lie: the hand of a seat, its pressed card, the card that opened the Jackpot, and the Sphinx's two
face-down cards. ``state.may[seat, place]`` is the set of cards that may lie there as far as the seat knows; a card known to be in one
place may be in no other. What one sees narrows these sets, a move that one does not see widens them, and neither ever excludes the truth.
``state.any_of`` are the hands that have been seen to hold at least one card of a set.
"""

import numpy as np

from simcore.bits import EMPTY, bit
from simcore.games.eidex.cards import ALL_CARDS
from simcore.jit import kernel

# Places: hands of the seats first. As numpy numbers, because numba compiles a function anew for every Python number written in a call.
PRESSED, DONATED, FACE_DOWN = np.int64(3), np.int64(6), np.int64(7)
N_PLACES = 9
MAX_ANY_OF = 12
# A set of cards of which a hand holds one or more has the seat above the cards.
SEAT_SHIFT = np.uint64(40)


@kernel
def begin_knowledge(state):
    """Nobody knows anything but that every card is in a hand."""
    for seat in range(3):
        for place in range(N_PLACES):
            state.may[seat, place] = ALL_CARDS if place < PRESSED else EMPTY
    state.any_of[:] = EMPTY
    state.n_any_of = 0


@kernel
def show(state, seat, place, cards):
    """*seat* learns that *cards* lie in *place*."""
    for other in range(N_PLACES):
        state.may[seat, other] &= ~cards
    state.may[seat, place] = cards if place >= PRESSED else state.may[seat, place] | cards


@kernel
def show_to_all(state, place, cards):
    """Everybody learns that *cards* lie in *place*."""
    for seat in range(3):
        show(state, seat, place, cards)


@kernel
def deny(state, place, cards):
    """Everybody learns that none of *cards* lies in *place*."""
    for seat in range(3):
        state.may[seat, place] &= ~cards


@kernel
def move_unseen(state, seat, source, target):
    """A card that *seat* did not see has gone from one place to another."""
    cards = state.may[seat, source]
    state.may[seat, target] = cards if target >= PRESSED else state.may[seat, target] | cards
    if source >= PRESSED:
        state.may[seat, source] = EMPTY


@kernel
def swap_unseen(state, seat, hand, place, barred):
    """The card in a place of one card and a card of a hand have changed places; *seat* saw neither."""
    before = state.may[seat, place]
    state.may[seat, place] = state.may[seat, hand] & ~barred
    state.may[seat, hand] |= before


@kernel
def learn_any_of(state, hand, cards):
    """Everybody learns that *hand* holds at least one of *cards*."""
    if state.n_any_of == MAX_ANY_OF:
        # The oldest is forgotten.
        for k in range(1, MAX_ANY_OF):
            state.any_of[k - 1] = state.any_of[k]
        state.n_any_of -= 1
    state.any_of[state.n_any_of] = cards | bit(hand) << SEAT_SHIFT
    state.n_any_of += 1


@kernel
def leave_hand(state, hand, cards):
    """One of *cards* has left *hand*: it may have been the one that made a set of "at least one of these" true."""
    n = 0
    for k in range(state.n_any_of):
        fact = state.any_of[k]
        if not (fact & bit(hand) << SEAT_SHIFT and fact & cards):
            state.any_of[n] = fact
            n += 1
    state.n_any_of = n


PUBLIC, PRIVATE = np.bool_(True), np.bool_(False)


@kernel
def pass_card(state, card, giver, taker, is_public):
    """Move *card* from hand to hand; giver and taker see it, and if *is_public* everybody."""
    cards = bit(card)
    state.hands[giver] ^= cards
    state.hands[taker] |= cards
    for seat in range(3):
        if is_public or seat == giver or seat == taker:
            show(state, seat, taker, cards)
        else:
            move_unseen(state, seat, giver, taker)
    if state.n_any_of:
        leave_hand(state, giver, cards if is_public else ALL_CARDS)


@kernel
def exchange_hands(state, first, second):
    """Two seats change their whole hands; each knows what it gave, the third sees that it happened."""
    third = 3 - first - second
    state.hands[first], state.hands[second] = state.hands[second], state.hands[first]
    state.may[third, first], state.may[third, second] = state.may[third, second], state.may[third, first]
    for seat in (first, second):
        other = first + second - seat
        show(state, seat, other, state.hands[other])
        state.may[seat, other] = state.hands[other]
    both = bit(first) << SEAT_SHIFT | bit(second) << SEAT_SHIFT
    for k in range(state.n_any_of):
        if state.any_of[k] & both:
            state.any_of[k] ^= both
