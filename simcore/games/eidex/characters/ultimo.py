"""Ultimo, the Hearts Ace: takes over the last trick."""

import numpy as np

from simcore.bits import EMPTY
from simcore.games.eidex.cards import LAST_TRICK_POINTS
from simcore.games.eidex.powers.asking import likely_points, yes_if
from simcore.games.eidex.powers.character import TRICK_COMPLETE, Character, Question
from simcore.games.eidex.powers.orders import NO, YES, YES_OR_NO
from simcore.games.eidex.powers.table import black_peter, is_last_trick
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
    """Takes it if that breaks another's Match or makes him highest below the limit, but never the Ravens Jack under Schwarzpeter."""
    seat = np.int64(state.owner)
    if state.trick & black_peter(state):
        return np.uint64(NO)
    if state.sweeper == state.best_seat and state.best_seat != seat:
        return np.uint64(YES)
    mine, first, second = likely_points(state, seat)
    mine += points_of(state, state.trick) + (0 if state.is_guggitaler else LAST_TRICK_POINTS)
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
