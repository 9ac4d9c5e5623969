"""Fürsorge, the Hearts Ten: gives away cheap tricks."""

import numpy as np

from simcore.bits import EMPTY, lowest
from simcore.games.eidex.powers.asking import collects, rival, seat_in
from simcore.games.eidex.powers.character import TRICK_SETTLED, Character, Question
from simcore.games.eidex.powers.orders import ALL_SEATS, NO, NO_BIT, SEAT_BITS
from simcore.games.eidex.powers.table import is_last_trick
from simcore.games.eidex.state import points_of
from simcore.jit import kernel
from simcore.protocol import Switch


@kernel
def _may_give(state):
    """Not the last trick, not one with a face-down card, none above the threshold.  Rule: eidex K19, X9"""
    if is_last_trick(state) or state.face_down_in_trick or points_of(state, state.trick) > state.rules.fuersorge_points:
        return EMPTY
    return NO_BIT | ALL_SEATS ^ SEAT_BITS[state.best_seat]


@kernel
def _give(state, move):
    if move != NO:
        state.gift_to = seat_in(move)


@kernel
def _advise(state, word):
    """Gives away her own tricks, and with them the lead, to the rival; takes those of others when she collects."""
    seat = np.int64(state.owner)
    if state.best_seat == seat:
        return np.uint64(NO) if collects(state, seat) else lowest(SEAT_BITS[rival(state, seat)])
    return lowest(SEAT_BITS[seat]) if collects(state, seat) else np.uint64(NO)


CHARACTER = Character(
    name="fuersorge",
    title="Fürsorge (Welfare)",
    card="H10",
    when="when the trick is settled",
    text="may give any trick of at most 3 points, with the lead, to anybody; not the last one, nor one with a face-down card",
    rule="K19",
    questions=(Question("fuersorge", TRICK_SETTLED, "may give the trick away", _may_give, _give, _advise),),
    switches=(Switch("fuersorge_points", 3, "points up to which the Fürsorge may give a trick away (K19)", 0, 30),),
)
