"""Computer, the Eidex King: adds or takes off a few points at the end."""

import numpy as np

from simcore.games.eidex.powers.asking import best_adjustment
from simcore.games.eidex.powers.character import AFTER_LAST_TRICK, Character, Question
from simcore.games.eidex.powers.orders import MORE_OR_LESS, NO, NO_BIT, PLUS
from simcore.jit import kernel
from simcore.protocol import Switch


@kernel
def _choices(state):
    return NO_BIT | MORE_OR_LESS


@kernel
def _adjust(state, move):
    """Rule: eidex K5"""
    if move != NO:
        state.adjustments[state.owner] += state.rules.computer_step if move == PLUS else -state.rules.computer_step


@kernel
def _advise(state, word):
    """Whatever brings most."""
    return best_adjustment(state, np.int64(state.rules.computer_step))


CHARACTER = Character(
    name="computer",
    title="Computer",
    card="EK",
    when="after the last trick",
    text="may add 5 points to his result or take 5 off",
    rule="K5",
    questions=(Question("computer", AFTER_LAST_TRICK, "may add or take off points", _choices, _adjust, _advise),),
    switches=(Switch("computer_step", 5, "points that the Computer may add or take off (K5)", 1, 30),),
)
