"""Schüchterne, the Ravens Queen: refuses to lead and draws a lead from a fellow."""

import numpy as np

from simcore.bits import EMPTY, bit, lowest, popcount
from simcore.games.eidex.powers.asking import collects, lead_is_shown, no_or_fellows, rival, seat_in, yes_if
from simcore.games.eidex.powers.character import BEFORE_LEAD, LEAD_DRAWN, Character, Question
from simcore.games.eidex.powers.knowledge import show
from simcore.games.eidex.powers.orders import NO, SEAT_BITS, YES, YES_OR_NO
from simcore.games.eidex.powers.table import draw, spend
from simcore.games.eidex.state import NO_CARD, points_of
from simcore.jit import kernel


@kernel
def _may_refuse(state):
    """Not when her lead has been shown to the Seher.  Rule: eidex K10"""
    if state.owner != state.leader or lead_is_shown(state):
        return EMPTY
    return no_or_fellows(state)


@kernel
def _refuse(state, move):
    """Whom she draws from is said at once; the draw comes with the lead."""
    if move != NO:
        spend(state)
        state.refused_for = seat_in(move)
        state.shy_seat = state.owner


@kernel
def draw_lead(state):
    """She draws the lead, blind, from the fellow, who becomes the leader."""
    target = np.int64(state.refused_for)
    state.leader = target
    state.drawn = draw(state, state.hands[target])
    show(state, np.int64(state.shy_seat), target, bit(state.drawn))


@kernel
def _may_reject(state):
    """The fellow may refuse the first card, if he has another one."""
    if state.drawn == NO_CARD or popcount(state.hands[state.leader]) < 2:
        return EMPTY
    state.seat = state.leader
    return YES_OR_NO


@kernel
def _reject(state, move):
    if move == YES:
        state.drawn = draw(state, state.hands[state.leader] & ~bit(state.drawn))


@kernel
def _advise_refuse(state, word):
    """Lets the rival lead unless she collects."""
    seat = np.int64(state.owner)
    if collects(state, seat):
        return np.uint64(NO)
    return lowest(SEAT_BITS[rival(state, seat)])


@kernel
def _advise_reject(state, word):
    """Refuses to lead a card with many points."""
    return yes_if(points_of(state, bit(state.drawn)) >= 10)


CHARACTER = Character(
    name="schuechterne",
    title="Schüchterne (Shy One)",
    card="RQ",
    when="before she leads",
    text="may once refuse to lead and draw the lead from a fellow's hand instead, who may refuse the first card",
    rule="K10",
    questions=(
        Question("schuechterne", BEFORE_LEAD, "may refuse to lead", _may_refuse, _refuse, _advise_refuse, again=True),
        Question(
            "schuechterne refused",
            LEAD_DRAWN,
            "may refuse the drawn card",
            _may_reject,
            _reject,
            _advise_reject,
            is_use=False,
            is_free=True,
        ),
    ),
    uses=1,
    max_uses=3,
)
