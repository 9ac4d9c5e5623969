"""Schwarzpeter, the Ravens Jack: whoever gets the Ravens Jack loses."""

from simcore.bits import EMPTY
from simcore.games.eidex.powers.asking import yes_if
from simcore.games.eidex.powers.character import BEFORE_PRESSING, Character, Question
from simcore.games.eidex.powers.orders import RAVENS, RAVENS_JACK, YES, YES_OR_NO
from simcore.jit import kernel


@kernel
def _may_declare(state):
    """Not with Ravens trump, nor when two or more are one point short of the tournament.  Rule: eidex K14"""
    n_near = 0
    for seat in range(3):
        n_near += state.victory_points[seat] >= state.rules.to_win - 1
    return EMPTY if state.mode == RAVENS or n_near > 1 else YES_OR_NO


@kernel
def _declare(state, move):
    state.is_schwarzpeter = move == YES


@kernel
def _advise(state, word):
    """Declares it with the Ravens Jack in his own hand: its holder mostly gets rid of it, and it is one of the others who gets it."""
    return yes_if(state.hands[state.owner] & RAVENS_JACK != EMPTY)


CHARACTER = Character(
    name="schwarzpeter",
    title="Schwarzpeter (Black Peter)",
    card="RJ",
    when="before pressing",
    text="may declare that whoever gets the Ravens Jack comes away empty-handed",
    rule="K14",
    questions=(Question("schwarzpeter", BEFORE_PRESSING, "may declare Schwarzpeter", _may_declare, _declare, _advise),),
)
