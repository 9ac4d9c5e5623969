"""Laser, the Eidex Nine: presses for the others, and draws their first lead."""

import numpy as np

from simcore.games.eidex.characters import NAMES
from simcore.games.eidex.powers.character import Character
from simcore.games.eidex.powers.table import draw, press, pressable, seat_of
from simcore.games.eidex.state import NOBODY
from simcore.jit import kernel

LASER, SEHER = (np.int64(NAMES.index(name)) for name in ("laser", "seher"))


@kernel
def presses_for(state, seat):
    """Whether the Laser presses for *seat*: for all but himself and the Seher."""
    laser = seat_of(state, LASER)
    return laser != NOBODY and seat != laser and seat != seat_of(state, SEHER)


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
