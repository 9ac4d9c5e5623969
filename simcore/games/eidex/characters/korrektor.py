"""Korrektor, the Eidex Seven: rejects a whole trick."""

import numpy as np

from simcore.bits import EMPTY
from simcore.games.eidex.powers.asking import collects, declines, then, yes_if, yes_or_no
from simcore.games.eidex.powers.character import FOLLOWS, TRICK_SETTLED, Character, Question
from simcore.games.eidex.powers.orders import YES, YES_OR_NO
from simcore.games.eidex.powers.phases import play_again
from simcore.games.eidex.powers.table import can_use, spend, take_up_trick
from simcore.games.eidex.state import points_of
from simcore.jit import kernel


@kernel
def _may_reject(state):
    return YES_OR_NO if can_use(state) else EMPTY


@kernel
def _reject(state, move):
    """Everybody takes his cards back; the trick is played again, and who may act at any time before a lead may so now.  Rule: eidex K29"""
    if move != YES:
        return
    spend(state)
    state.rejected = state.trick
    take_up_trick(state)
    play_again(state)
    if state.owner != state.leader:
        then(state)


@kernel
def _lead(state, move):
    if move == YES:
        state.leader = state.owner


@kernel
def _advise_reject(state, word):
    """Rejects a trick of ten points or more that goes the wrong way."""
    seat = np.int64(state.owner)
    is_mine = state.best_seat == seat
    return yes_if(points_of(state, state.trick) >= 10 and is_mine != collects(state, seat) and (is_mine or collects(state, seat)))


CHARACTER = Character(
    name="korrektor",
    title="Korrektor (Corrector)",
    card="E7",
    when="when the trick is settled",
    text="may once reject a trick, which is played again; he may take over the lead",
    rule="K29",
    questions=(
        Question("korrektor", TRICK_SETTLED, "may reject the trick", _may_reject, _reject, _advise_reject),
        Question("korrektor leads", FOLLOWS, "may take over the lead", yes_or_no, _lead, declines),
    ),
    uses=1,
    max_uses=3,
)
