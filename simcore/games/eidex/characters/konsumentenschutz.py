"""Konsumentenschutz, the Hearts Nine: rejects a fellow's card."""

import numpy as np

from simcore.bits import EMPTY, bit
from simcore.games.eidex.powers.asking import collects, yes_if
from simcore.games.eidex.powers.character import AFTER_CARD, Character, Question
from simcore.games.eidex.powers.orders import NO, YES, YES_OR_NO
from simcore.games.eidex.powers.phases import lay_next
from simcore.games.eidex.powers.table import put_aside, seat_at, spend, winner_before_last
from simcore.games.eidex.state import points_of
from simcore.jit import kernel


@kernel
def _may_reject(state):
    """Right after the card, if its player has another one.  Rule: eidex K23"""
    seat = seat_at(state, np.int64(state.n_laid) - 1)
    return YES_OR_NO if state.owner != seat and state.hands[seat] else EMPTY


@kernel
def _reject(state, move):
    """The card lies aside until the trick ends, and its player chooses again."""
    if move == YES:
        spend(state)
        state.seat = seat_at(state, np.int64(state.n_laid) - 1)
        put_aside(state)
        lay_next(state)


@kernel
def _advise(state, word):
    """Rejects ten points or more that would fall to him, or that beat him when he collects."""
    seat, card = np.int64(state.owner), bit(state.laid[state.n_laid - 1])
    is_open = card & state.trick != EMPTY
    if not is_open or points_of(state, card) < 10:
        return np.uint64(NO)
    is_beaten = state.n_laid > 1 and state.best == state.n_laid - 1 and winner_before_last(state) == seat
    return yes_if(is_beaten if collects(state, seat) else state.best_seat == seat)


CHARACTER = Character(
    name="konsumentenschutz",
    title="Konsumentenschutz (Consumer Protection)",
    card="H9",
    when="after each card",
    text="may once reject a fellow's card, who plays another one and takes the card back after the trick",
    rule="K23",
    questions=(Question("konsumentenschutz", AFTER_CARD, "may reject the card", _may_reject, _reject, _advise),),
    uses=1,
    max_uses=3,
)
