"""Gerechtigkeit, the Stars Queen: for two tricks everybody keeps his own card."""

import numpy as np

from simcore.bits import EMPTY, popcount
from simcore.games.eidex.powers.asking import yes_if
from simcore.games.eidex.powers.character import BEFORE_LEAD, Character, Question
from simcore.games.eidex.powers.orders import YES, YES_OR_NO
from simcore.games.eidex.powers.table import spend
from simcore.games.eidex.state import points_of
from simcore.jit import kernel
from simcore.protocol import Switch


@kernel
def _may_proclaim(state):
    return YES_OR_NO if not state.justice_left else EMPTY


@kernel
def _proclaim(state, move):
    """This trick and those after it go to their owners.  Rule: eidex K12"""
    if move == YES:
        spend(state)
        state.justice_left = state.rules.justice_tricks


@kernel
def _advise(state, word):
    """Proclaims it when she would win too much: with points near the limit, but not too near, or the lead and three trumps."""
    seat = np.int64(state.owner)
    mine = 10 * points_of(state, state.piles[seat] | state.pressed[seat])
    is_near = 6 * np.int64(state.limit) <= mine < 9 * np.int64(state.limit)
    return yes_if(is_near or (state.leader == seat and popcount(state.hands[seat] & state.trumps) >= 3))


CHARACTER = Character(
    name="gerechtigkeit",
    title="Gerechtigkeit (Justice)",
    card="SQ",
    when="before each trick",
    text="may once proclaim justice: in two tricks each card goes to the pile of its player",
    rule="K12",
    questions=(Question("gerechtigkeit", BEFORE_LEAD, "may proclaim justice", _may_proclaim, _proclaim, _advise, again=True),),
    uses=1,
    max_uses=3,
    switches=(Switch("justice_tricks", 2, "tricks that justice lasts (K12)", 1, 12),),
)
