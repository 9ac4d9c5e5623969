"""The play of the tricks."""

import numpy as np

from simcore.bits import EMPTY, bit, popcount
from simcore.games.schafkopf.bidding import legal_bids, play_bid
from simcore.games.schafkopf.cards import ACES, BEATEN, SUIT_CARDS
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


@kernel
def _play_card(state, card):
    """Play *card* to the trick."""
    seat = state.seat
    played = bit(card)
    state.hands[seat] ^= played
    trick = state.trick | played
    if not state.trick:
        state.led = SUIT_CARDS[state.mode, card]
        state.best = card
        state.best_seat = seat
        if played & state.called & ~ACES:
            # Either a search for the ace, or its holder's escape: the cards will tell.
            state.searcher = seat
            state.early = state.called & state.dealt[seat] & ~state.hands[seat] & ~played
    else:
        # Who does not follow has nothing of the suit; who follows a called suit without its ace does not hold it.
        ace = state.led & state.called & ACES
        state.lacks[seat] |= ace & ~played if played & state.led else state.led
        is_best = BEATEN[state.mode, card] & bit(state.best) != EMPTY
        state.best = card if is_best else state.best
        state.best_seat = seat if is_best else state.best_seat
    state.trick = trick
    state.seat = next_seat(seat)
    if popcount(trick) == np.uint64(4):
        _take_trick(state, trick)


@kernel
def _take_trick(state, trick):
    """The winner takes the trick and leads; the first lost trick ends a Tout.  Rule: schafkopf S9, S14"""
    winner = state.best_seat
    state.points[winner] += points_of(trick)
    state.tricks[winner] += 1
    state.called = EMPTY if state.led == state.called else state.called
    state.trick = EMPTY
    state.led = EMPTY
    state.seat = winner
    if not state.hands[winner] or (state.tout and winner != state.declarer):
        state.decision = OVER
