"""The play of the tricks."""

import numpy as np

from simcore.bits import EMPTY, bit, popcount
from simcore.games.schafkopf.bidding import legal_bids, play_bid
from simcore.games.schafkopf.cards import ACES, ALL_CARDS, BEATERS, SUIT_CARDS
from simcore.games.schafkopf.state import BID, OVER, next_seat, points_of
from simcore.jit import kernel

_ESCAPE_SIZE = np.uint64(4)  # ordinary cards of the called suit that free its holder on lead


@kernel
def seat_to_act(state):
    """Seat that decides now."""
    return state.seat


@kernel
def is_over(state):
    """Whether nothing is left to decide."""
    return state.decision == OVER


@kernel
def legal_moves(state):
    """Bids or cards open to the seat to act.

    The effective suit that was led must be followed; who has none of it may play anything.
    Rule: schafkopf S5
    """
    if state.decision == BID:
        return legal_bids(state)
    hand = state.hands[state.seat]
    follow = hand & state.led
    cards = follow if follow else hand
    if hand & state.called & ACES:
        return _with_bound_ace(hand, cards, state.led, state.called)
    return cards


@kernel
def _with_bound_ace(hand, cards, led, called):
    """Cards open to the holder of the called ace before its suit has been led.

    The ace must be played to the first trick of its suit; on lead, a lower card of the suit needs four of it in hand; the ace is not
    discarded except as the last card.
    Rule: schafkopf S6-S8
    """
    ace = called & ACES
    if not led:
        return hand if popcount(hand & called) >= _ESCAPE_SIZE else hand & ~(called ^ ace)
    if led == called:
        return ace
    return cards & ~ace if cards & ~ace else cards


@kernel
def play(state, move):
    """Carry out a bid or play a card."""
    if state.decision == BID:
        play_bid(state, move)
    else:
        _play_card(state, move)


@kernel(inline=True)
def _play_card(state, card):
    """Play *card* to the trick.

    Fields are read before any is written, since a write might change whatever is read after it; and both values of a choice are at
    hand before it, so that it compiles to a conditional move: which card is played, no processor can predict.
    """
    seat, led, beaters, best_seat = state.seat, state.led, state.beaters, state.best_seat
    card_suit, card_beaters = SUIT_CARDS[state.mode, card], BEATERS[state.mode, card]
    played = bit(card)
    is_best = played & beaters != EMPTY
    best_seat = seat if is_best else best_seat
    beaters = card_beaters if is_best else beaters
    # Who does not follow has nothing of the suit led; before the lead, that is the empty set.
    lack = EMPTY if played & led else led
    if state.called:
        _note_search(state, seat, played, led)
    state.hands[seat] ^= played
    state.lacks[seat] |= lack
    state.best_seat = best_seat
    trick = state.trick | played
    if popcount(trick) < 4:
        state.beaters = beaters
        state.trick = trick
        state.led = led if led else card_suit
        state.seat = next_seat(seat)
    else:
        _take_trick(state, trick, best_seat)


@kernel
def _note_search(state, seat, played, led):
    """Note what a card shows of the called ace, as long as the suit has not been led; *led* is empty when the card is the lead.

    Who leads the suit with another card searches for the ace, or escapes with it: the cards will tell. Who follows the suit with
    another card does not hold the ace.
    """
    if not led:
        if played & state.called & ~ACES:
            state.searcher = seat
            state.early = state.called & state.dealt[seat] & ~state.hands[seat]
    elif led == state.called:
        state.lacks[seat] |= led & ACES & ~played


@kernel
def _take_trick(state, trick, winner):
    """The winner takes the trick and leads; the first lost trick ends a Tout.  Rule: schafkopf S9, S14"""
    state.points[winner] += points_of(trick)
    state.tricks[winner] += 1
    state.called = EMPTY if state.led == state.called else state.called
    state.trick = EMPTY
    state.led = EMPTY
    state.beaters = ALL_CARDS
    state.seat = winner
    if not state.hands[winner] or (state.tout and winner != state.declarer):
        state.decision = OVER
