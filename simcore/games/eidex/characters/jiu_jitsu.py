"""Jiu-Jitsu, the Ravens Ace: lets a card beat the one just above it."""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, lowest, popcount
from simcore.games.eidex.cards import SUIT_CARDS_OF
from simcore.games.eidex.characters import NAMES
from simcore.games.eidex.characters.feministin import has_couple, withdraw
from simcore.games.eidex.powers.asking import collects
from simcore.games.eidex.powers.character import TRICK_COMPLETE, Character, Question
from simcore.games.eidex.powers.orders import NEXT_LOWER, NO, NO_BIT, YES, YES_OR_NO
from simcore.games.eidex.powers.table import OPEN_ONLY, beaters_of, best_laid, judge, seat_at, spend
from simcore.games.eidex.state import NO_CARD, points_of
from simcore.jit import kernel

_FEMINISTIN = np.int64(NAMES.index("feministin"))


@kernel
def _upper(state, card):
    """The card of the trick that ranks just above *card* in its suit, NO_CARD when it does not lie there open."""
    order, suit = np.int64(state.order), SUIT_CARDS_OF[card]
    place = popcount(beaters_of(state, order, card) & suit)
    uncounted = state.worthless | state.face_down_in_trick
    for n in range(np.int64(state.n_laid)):
        other = np.int64(state.laid[n])
        if bit(other) & suit and not uncounted >> n & 1:
            if popcount(beaters_of(state, order, other) & suit) + ONE == place:
                return other
    return np.int64(NO_CARD)


@kernel
def _winners(state):
    """Seat that wins the trick as it lies, and the one that wins it after the Feministin has left it, if she may."""
    order = np.int64(state.order)
    best, _ = best_laid(state, order, OPEN_ONLY)
    winner = seat_at(state, best)
    if state.active[winner] != _FEMINISTIN or not has_couple(state):
        return winner, winner
    worthless = state.worthless
    withdraw(state, winner)
    best, _ = best_laid(state, order, OPEN_ONLY)
    state.worthless = worthless
    return winner, seat_at(state, best)


@kernel
def _winners_after(state, lower, upper):
    """The same once the two cards have changed places."""
    is_bent = state.is_bent
    _exchange(state, lower, upper)
    winners = _winners(state)
    state.swapped[0], state.swapped[1] = NO_CARD, NO_CARD
    state.is_bent = is_bent
    return winners


@kernel
def _exchange(state, lower, upper):
    state.swapped[0], state.swapped[1] = upper, lower
    state.is_bent = True


@kernel
def _risers(state):
    """Cards of the trick that change who wins, now or once the Feministin leaves it, by beating their upper neighbour.  Rule: eidex K2"""
    cards, uncounted = EMPTY, state.worthless | state.face_down_in_trick
    below = EMPTY
    for n in range(np.int64(state.n_laid)):
        below |= NEXT_LOWER[state.order, state.laid[n]]
    if not state.is_bent and not below & state.trick:
        return EMPTY
    before = _winners(state)
    for n in range(np.int64(state.n_laid)):
        card = np.int64(state.laid[n])
        if uncounted >> n & 1:
            continue
        upper = _upper(state, card)
        if upper != NO_CARD and _winners_after(state, card, upper) != before:
            cards |= bit(card)
    return cards


@kernel
def _may_swap(state):
    """One pair in a trick at most, however often he may; where several matter, he names the card that rises."""
    if state.swapped[0] != NO_CARD:
        return EMPTY
    cards = _risers(state)
    if cards & (cards - ONE):
        return NO_BIT | cards
    return YES_OR_NO if cards else EMPTY


@kernel
def _swap(state, move):
    """The card and its upper neighbour change places in this trick."""
    if move != NO:
        card = np.int64(lowest(_risers(state)) if move == YES else move)
        spend(state)
        _exchange(state, card, _upper(state, card))
        judge(state)


@kernel
def _wished(state):
    """Cards that turn the trick away from him, if it is worth something, or to him when he collects, by rising."""
    seat, left, cards = np.int64(state.owner), _risers(state), EMPTY
    is_collecting, is_mine = collects(state, seat), state.best_seat == seat
    if is_mine == is_collecting or (is_mine and points_of(state, state.trick) <= 3):
        return cards
    while left:
        card = np.int64(lowest(left))
        left &= left - ONE
        winner, _ = _winners_after(state, card, _upper(state, card))
        if (winner == seat) == is_collecting:
            cards |= bit(card)
    return cards


@kernel
def _advise(state, word):
    """Turns a trick away from himself, or to himself when he collects."""
    cards = _wished(state)
    if not cards:
        return np.uint64(NO)
    return np.uint64(YES) if state.moves == YES_OR_NO else lowest(cards)


CHARACTER = Character(
    name="jiu_jitsu",
    title="Jiu-Jitsu",
    card="RA",
    when="when the trick is complete",
    text="may once let a card beat the one of its suit that ranks just above it, for this trick",
    rule="K2",
    questions=(Question("jiu-jitsu", TRICK_COMPLETE, "may let a card beat the one above it", _may_swap, _swap, _advise),),
    uses=1,
    max_uses=3,
)
