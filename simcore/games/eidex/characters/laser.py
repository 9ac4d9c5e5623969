"""Laser, the Eidex Nine: presses for the others, and draws their first lead."""

import numpy as np

from simcore.games.eidex.powers.character import Character
from simcore.games.eidex.powers.table import draw, press, pressable
from simcore.jit import kernel


@kernel
def press_for(state, seat):
    """The Laser draws blind what *seat* presses, from the cards that may be pressed.  Rule: eidex K21"""
    press(state, seat, np.int64(draw(state, pressable(state, seat))))


CHARACTER = Character(
    name="laser",
    title="Laser",
    card="E9",
    when="at pressing and at the first lead",
    text="draws blind the card that each fellow presses, and the lead to the first trick if a fellow leads",
    rule="K21",
)
