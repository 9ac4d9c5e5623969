"""Skater, the Eidex Jack: calls Skat, strict following with high Tens."""

import numpy as np

from simcore.bits import EMPTY, bit, popcount
from simcore.games.eidex.powers.asking import collects, yes_if
from simcore.games.eidex.powers.character import AFTER_CARD, BEFORE_LEAD, TRICK_COMPLETE, Character, Question
from simcore.games.eidex.powers.knowledge import deny, learn_any_of
from simcore.games.eidex.powers.orders import N_MODES, RANK_CARDS, YES, YES_OR_NO
from simcore.games.eidex.powers.phases import lay_next
from simcore.games.eidex.powers.table import OPEN_ONLY, best_laid, call_skat, seat_at, take_back_last, take_up, winner_before_last
from simcore.jit import kernel


@kernel
def _may_call(state):
    """With one card in hand nothing is left to restrict.  Rule: eidex K13"""
    return YES_OR_NO if not state.is_skat and popcount(state.hands[state.owner]) > 1 else EMPTY


@kernel
def _call(state, move):
    if move == YES:
        call_skat(state)


@kernel
def _may_call_on_cut(state):
    """A fellow has just cut in, openly and of his own will."""
    card = bit(state.laid[state.n_laid - 1])
    is_cut = state.led != state.trumps and card & state.trumps & state.trick
    if state.is_skat or not is_cut or state.owner == seat_at(state, np.int64(state.n_laid) - 1) or card == bit(state.demanded):
        return EMPTY
    return YES_OR_NO


@kernel
def _call_on_cut(state, move):
    """The card is taken up if its player can follow, and he chooses again."""
    if move != YES:
        return
    call_skat(state)
    seat, suit = seat_at(state, np.int64(state.n_laid) - 1), state.led
    if not state.hands[seat] & suit:
        deny(state, seat, suit)
        return
    card, slot = take_back_last(state)
    take_up(state, seat, card, slot)
    learn_any_of(state, seat, suit)
    lay_next(state)


@kernel
def _may_call_in_trick(state):
    """Asked only when Skat changes who wins."""
    if state.is_skat:
        return EMPTY
    best, _ = best_laid(state, np.int64(state.mode) + N_MODES, OPEN_ONLY)
    return YES_OR_NO if best != state.best else EMPTY


@kernel
def _advise_call(state, word):
    """Calls it with two plain Tens or more when he collects."""
    seat = np.int64(state.owner)
    tens = state.hands[seat] & RANK_CARDS[4] & ~state.trumps
    return yes_if(popcount(tens) > 1 and collects(state, seat))


@kernel
def _advise_call_on_cut(state, word):
    """Calls it when the cut takes from him a trick that he collects."""
    seat = np.int64(state.owner)
    return yes_if(collects(state, seat) and winner_before_last(state) == seat)


@kernel
def _advise_call_in_trick(state, word):
    """Calls it when that turns the trick the way he wants it."""
    seat = np.int64(state.owner)
    best, _ = best_laid(state, np.int64(state.mode) + N_MODES, OPEN_ONLY)
    is_mine, becomes_mine = state.best_seat == seat, seat_at(state, best) == seat
    return yes_if(becomes_mine if collects(state, seat) else is_mine and not becomes_mine)


CHARACTER = Character(
    name="skater",
    title="Skater",
    card="EJ",
    when="before each trick, when a fellow cuts in, when the trick is complete",
    text="may call Skat for the rest of the hand: cutting in only without the suit, Tens rank below the Ace",
    rule="K13",
    questions=(
        Question("skater", BEFORE_LEAD, "may call Skat", _may_call, _call, _advise_call, again=True),
        Question("skater", AFTER_CARD, "may call Skat", _may_call_on_cut, _call_on_cut, _advise_call_on_cut),
        Question("skater", TRICK_COMPLETE, "may call Skat", _may_call_in_trick, _call, _advise_call_in_trick),
    ),
)
