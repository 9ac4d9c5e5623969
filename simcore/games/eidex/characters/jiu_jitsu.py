"""Jiu-Jitsu, the Ravens Ace: lets a card beat the one just above it."""

import numpy as np

from simcore.bits import EMPTY, bit, popcount
from simcore.games.eidex.cards import SUIT_CARDS_OF
from simcore.games.eidex.powers.asking import collects, yes_if
from simcore.games.eidex.powers.character import TRICK_COMPLETE, Character, Question
from simcore.games.eidex.powers.orders import NEXT_LOWER, YES, YES_OR_NO
from simcore.games.eidex.powers.table import beaters_of, can_use, judge, seat_at, spend
from simcore.games.eidex.state import points_of
from simcore.jit import kernel


@kernel
def _lower(state):
    """Number in the trick of the card just below the winning one in its suit, -1 if it does not lie there.  Rule: eidex K2

    Only these two can change who wins.
    """
    best = np.int64(state.laid[state.best])
    if not state.is_bent and not NEXT_LOWER[state.order, best] & state.trick:
        return -1
    suit = SUIT_CARDS_OF[best]
    place = np.int64(popcount(beaters_of(state, np.int64(state.order), best) & suit))
    hidden = state.worthless | state.face_down_in_trick
    for n in range(np.int64(state.n_laid)):
        card = np.int64(state.laid[n])
        if bit(card) & suit and not hidden >> n & 1:
            if np.int64(popcount(beaters_of(state, np.int64(state.order), card) & suit)) == place + 1:
                return n
    return -1


@kernel
def _may_swap(state):
    if not can_use(state) or _lower(state) < 0:
        return EMPTY
    return YES_OR_NO


@kernel
def _swap(state, move):
    """The two change places in this trick."""
    if move != YES:
        return
    spend(state)
    lower = state.laid[_lower(state)]
    state.swapped[0], state.swapped[1] = state.laid[state.best], lower
    state.is_bent = True
    judge(state)


@kernel
def _advise(state, word):
    """Turns a trick away from himself, or to himself when he collects."""
    seat, winner = np.int64(state.owner), seat_at(state, _lower(state))
    if winner == seat:
        return yes_if(collects(state, seat))
    return yes_if(state.best_seat == seat and not collects(state, seat) and points_of(state, state.trick) > 3)


CHARACTER = Character(
    name="jiu_jitsu",
    title="Jiu-Jitsu",
    card="RA",
    when="when the trick is complete",
    text="may once let a card beat the one of its suit that ranks just above it, for this trick",
    rule="K2",
    questions=(Question("jiu-jitsu", TRICK_COMPLETE, "may swap the two highest cards", _may_swap, _swap, _advise),),
    uses=1,
    max_uses=3,
)
