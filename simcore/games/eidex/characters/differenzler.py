"""Differenzler, the Eidex Ten: announces the points that he will make."""

import numpy as np

from simcore.bits import ONE, bit
from simcore.games.eidex.powers.asking import strength, then
from simcore.games.eidex.powers.character import BEFORE_FIRST_LEAD, FOLLOWS, Character, Question
from simcore.jit import kernel


@kernel
def _total(state):
    return np.int64(13 if state.is_guggitaler else 157)


@kernel
def _tens(state):
    return bit(_total(state) // 10 + 1) - ONE


@kernel
def _announce_tens(state, move):
    state.n_left = move
    then(state)


@kernel
def _units(state):
    """All digits that keep the number within the points of the hand."""
    rest = _total(state) - 10 * np.int64(state.n_left)
    return bit(min(rest, 9) + 1) - ONE


@kernel
def _announce(state, move):
    """Rule: eidex K17"""
    state.announced = 10 * np.int64(state.n_left) + np.int64(move)


@kernel
def _advise_tens(state, word):
    """A hand without many trumps makes some twenty points, a strong one some sixty; under Guggitaler three."""
    if state.is_guggitaler:
        return np.uint64(0)
    return np.uint64(6) if strength(state, np.int64(state.owner)) > 11 else np.uint64(2)


@kernel
def _advise_units(state, word):
    return np.uint64(3)


CHARACTER = Character(
    name="differenzler",
    title="Differenzler (Differencer)",
    card="E10",
    when="before the first lead",
    text="announces a number of points; if he makes exactly that and a trick, he gets the 2 victory points",
    rule="K17",
    questions=(
        Question("differenzler tens", BEFORE_FIRST_LEAD, "announces his points, tens first", _tens, _announce_tens, _advise_tens),
        Question("differenzler units", FOLLOWS, "announces his points, the units", _units, _announce, _advise_units),
    ),
)
