"""Radarkontrolle, the Ravens Nine: sets the limit."""

import numpy as np

from simcore.bits import bit, highest, lowest
from simcore.games.eidex.powers.asking import strength, then
from simcore.games.eidex.powers.character import BEFORE_PRESSING, FOLLOWS, Character, Question
from simcore.jit import kernel
from simcore.protocol import Switch


@kernel
def _bounds(state):
    """Lowest and highest limit; a lowest one above the highest leaves no choice but the highest."""
    high = np.int64(state.rules.radar_high)
    return min(np.int64(state.rules.radar_low), high), high


@kernel
def _tens(state):
    """The tens of the limits that the rules allow."""
    low, high = _bounds(state)
    return bit(high // 10 + 1) - bit(low // 10)


@kernel
def _set_tens(state, move):
    state.n_left = move
    then(state)


@kernel
def _units(state):
    first = 10 * np.int64(state.n_left)
    low, high = _bounds(state)
    return bit(min(high - first, 9) + 1) - bit(max(low - first, 0))


@kernel
def _set_limit(state, move):
    """Replaces the limit everywhere.  Rule: eidex K22"""
    state.limit = 10 * np.int64(state.n_left) + np.int64(move)


@kernel
def _advise_tens(state, word):
    """As high as may be with a strong hand, else as low as may be: then the others reach it sooner."""
    return highest(state.moves) if strength(state, np.int64(state.owner)) > 11 else lowest(state.moves)


CHARACTER = Character(
    name="radarkontrolle",
    title="Radarkontrolle (Radar Trap)",
    card="R9",
    when="before pressing",
    text="sets the limit that must not be reached, between 80 and 120",
    rule="K22",
    questions=(
        Question("radar tens", BEFORE_PRESSING, "sets the limit, tens first", _tens, _set_tens, _advise_tens),
        Question("radar units", FOLLOWS, "sets the limit, the units", _units, _set_limit, _advise_tens),
    ),
    switches=(
        Switch("radar_low", 80, "lowest limit that the Radarkontrolle may set (K22)", 0, 157),
        Switch("radar_high", 120, "highest limit that the Radarkontrolle may set (K22)", 0, 157),
    ),
)
