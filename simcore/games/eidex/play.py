"""Pressing and the play of the tricks."""

from simcore.bits import EMPTY, bit, popcount
from simcore.games.eidex.cards import ALL_CARDS, BEATERS, SUIT_CARDS_OF
from simcore.games.eidex.state import CARD, OVER, PRESS, next_seat
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
    trumps = hand & state.trumps
    follow = hand & state.led
    plain = hand & ~state.trumps
    free = plain if plain else hand
    # The trump Jack need not follow: alone, he leaves every card free.  Rule: eidex B16
    cards = follow if follow & ~state.trump_jack else free
    # The best card comes in last: it is known last, because it hangs on the card before.
    # Cutting in is always allowed, except below a trump.  Rule: eidex B13-B15
    return cards | (trumps & state.beaters)


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


@kernel(inline=True)
def _play_card(state, card):
    """Play *card* to the trick.

    Written without branches on the cards themselves, which no processor can predict: both values of a choice are at hand before
    it, so that it compiles to a conditional move. A fifth faster than with branches.
    """
    seat = state.seat
    cards = bit(card)
    state.hands[seat] ^= cards
    state.lacks[seat] |= _lack_shown(state, cards)
    beaters, best_seat, led = state.beaters, state.best_seat, state.led
    card_beaters, card_suit = BEATERS[state.mode, card], SUIT_CARDS_OF[card]
    is_best = cards & beaters != EMPTY
    best_seat = seat if is_best else best_seat
    state.best_seat = best_seat
    trick = state.trick | cards
    if popcount(trick) < 3:
        state.beaters = card_beaters if is_best else beaters
        state.trick = trick
        state.led = led if led else card_suit
        state.seat = next_seat(seat)
    else:
        _take_trick(state, trick, best_seat)


@kernel
def _lack_shown(state, card):
    """What the *card* (a set of one) that is played to a trick proves missing in the hand that it came from.

    A trump proves nothing, for cutting in is free; but an undertrump proves that nothing but trumps is left. Any other card
    proves that the suit led is missing, except that the trump Jack may be held back.  Rule: eidex B11, B13, B16
    """
    led, trumps = state.led, state.trumps
    obliging, plain = led & ~state.trump_jack, ALL_CARDS & ~trumps
    is_undertrump = card & trumps & ~(led | state.beaters) != EMPTY
    is_discard = card & ~(led | trumps) != EMPTY
    lack = obliging if is_discard else EMPTY
    return plain if is_undertrump else lack


@kernel
def _take_trick(state, trick, winner):
    """The player of the highest card takes the trick and leads to the next; with no cards left, the deal is over."""
    state.piles[winner] |= trick
    state.tricks_won[winner] += 1
    state.trick = EMPTY
    state.led = EMPTY
    state.beaters = ALL_CARDS
    state.seat = winner
    if not state.hands[winner]:
        state.decision = OVER
