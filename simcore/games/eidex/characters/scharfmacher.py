"""Scharfmacher, the Stars Jack: makes a trick of six cards."""

import numpy as np

from simcore.bits import EMPTY
from simcore.games.eidex.powers.asking import collects, yes_if
from simcore.games.eidex.powers.character import TRICK_COMPLETE, Character, Question
from simcore.games.eidex.powers.orders import YES, YES_OR_NO
from simcore.games.eidex.powers.phases import lay_next
from simcore.games.eidex.powers.table import spend
from simcore.jit import kernel


@kernel
def _may_double(state):
    """Asked when three cards lie and everybody has another one.  Rule: eidex K16"""
    has_cards = state.hands[0] != EMPTY and state.hands[1] != EMPTY and state.hands[2] != EMPTY
    return YES_OR_NO if state.n_laid == 3 and has_cards else EMPTY


@kernel
def _double(state, move):
    """Everybody adds a second card, from the leader; the first suit led is to be followed."""
    if move == YES:
        spend(state)
        lay_next(state)


@kernel
def _advise(state, word):
    """Doubles a trick that another is winning and he can neither win nor does he collect."""
    seat = np.int64(state.owner)
    return yes_if(state.best_seat != seat and not collects(state, seat) and not state.hands[seat] & state.beaters)


CHARACTER = Character(
    name="scharfmacher",
    title="Scharfmacher (Agitator)",
    card="SJ",
    when="when the trick is complete",
    text="may once declare a double trick, to which everybody adds a second card",
    rule="K16",
    questions=(Question("scharfmacher", TRICK_COMPLETE, "may declare a double trick", _may_double, _double, _advise),),
    uses=1,
    max_uses=3,
)
