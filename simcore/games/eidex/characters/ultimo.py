"""Ultimo, the Hearts Ace: takes over the last trick."""

import numpy as np

from simcore.bits import EMPTY
from simcore.games.eidex.powers.asking import likely_points, yes_if
from simcore.games.eidex.powers.character import TRICK_COMPLETE, Character, Question
from simcore.games.eidex.powers.orders import YES, YES_OR_NO
from simcore.games.eidex.powers.table import is_last_trick
from simcore.games.eidex.state import points_of
from simcore.jit import kernel


@kernel
def _may_claim(state):
    return YES_OR_NO if is_last_trick(state) and not state.is_claimed else EMPTY


@kernel
def _claim(state, move):
    """The trick's cards and its 5 points are his, whoever has won it.  Rule: eidex K3"""
    if move == YES:
        state.is_claimed = True
        state.claimant = state.owner


@kernel
def _advise(state, word):
    """Takes it if that makes him highest below the limit."""
    mine, first, second = likely_points(state, np.int64(state.owner))
    mine += points_of(state, state.trick) + 5
    return yes_if(mine < state.limit and mine > first and mine > second)


CHARACTER = Character(
    name="ultimo",
    title="Ultimo",
    card="HA",
    when="when the last trick is complete",
    text="may take over the last trick",
    rule="K3",
    questions=(Question("ultimo", TRICK_COMPLETE, "may take the last trick", _may_claim, _claim, _advise),),
)
