"""The one round of bids."""

import numpy as np

from simcore.bits import EMPTY
from simcore.games.schafkopf.cards import ACES, COURTS, ORDINARY
from simcore.games.schafkopf.contracts import (
    BIDS,
    HIGHER,
    IS_TOUT,
    KIND_OF,
    MODE_OF,
    PASS,
    RUFER,
    SIE_BID,
    SOLO,
    SOLO_TOUT,
    SUIT_OF,
    WENZ_BIDS,
)
from simcore.games.schafkopf.state import CARD, OVER, next_seat
from simcore.jit import kernel


def _opened_by(suit: int, cards: int) -> int:
    """Bids that the ordinary cards of one suit in a hand (bit 0 the ace) open.  Rule: schafkopf S2"""
    kinds = ((SOLO, SOLO_TOUT) if cards & 1 else (RUFER, SOLO, SOLO_TOUT)) if cards else ()
    return sum(1 << move for move, bid in enumerate(BIDS) if bid.suit == suit and bid.kind in kinds)


_OPENED = np.array([[_opened_by(suit, cards) for cards in range(64)] for suit in range(4)], np.uint64)
_SIE = np.uint64(1 << SIE_BID)


@kernel
def biddable(hand):
    """Bids that a hand of eight cards allows, whatever was bid before.

    Called ace: not held, but an ordinary card of its suit. Solo: an ordinary card of the suit. Wenz: any hand. Sie: all eight courts.
    Rule: schafkopf S2
    """
    bids = WENZ_BIDS
    for suit in range(4):
        bids |= _OPENED[suit, (hand >> np.uint64(8 + 6 * suit)) & np.uint64(63)]
    return bids | (_SIE if hand == COURTS else EMPTY)


@kernel
def legal_bids(state):
    """Pass, or any bid of a higher kind that the hand allows.  Rule: schafkopf S1"""
    return biddable(state.hands[state.seat]) & HIGHER[state.contract]


@kernel
def play_bid(state, bid):
    """Bid or pass. After the fourth bid, or a Sie, the contract stands.  Rule: schafkopf S1, S15"""
    seat = state.seat
    state.bids[seat] = bid
    if bid != PASS:
        state.contract = bid
        state.declarer = seat
    state.seat = next_seat(seat)
    if seat == state.dealer or bid == SIE_BID:
        _begin_play(state)


@kernel
def _begin_play(state):
    """Set up the play of the contract; nothing is played after four passes or a Sie.  Rule: schafkopf S3, S4, S15"""
    contract = state.contract
    if contract == PASS or contract == SIE_BID:
        state.decision = OVER
        return
    state.decision = CARD
    state.seat = next_seat(state.dealer)
    state.mode = MODE_OF[contract]
    state.tout = IS_TOUT[KIND_OF[contract]]
    if KIND_OF[contract] == RUFER:
        state.called = ORDINARY[SUIT_OF[contract]]


@kernel
def called_ace(state):
    """The called ace, as a set; empty unless the contract is a Rufer."""
    return ORDINARY[SUIT_OF[state.contract]] & ACES if KIND_OF[state.contract] == RUFER else EMPTY
