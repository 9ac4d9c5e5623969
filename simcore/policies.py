"""Players: whatever chooses a move for the seat to act."""

import re
from dataclasses import dataclass

import numpy as np

from simcore.bits import nth, popcount
from simcore.deck import nearest
from simcore.dispatch import by_index
from simcore.jit import kernel
from simcore.protocol import basic_move
from simcore.rng import below
from simcore.search import search_move

MAX_WORLDS = 100_000


@dataclass(frozen=True)
class Policy:
    """A policy as data: its name, whether a number of worlds belongs to it, and what it does and may know."""

    name: str
    has_worlds: bool
    text: str


# In the order of the functions in `choose`; written to files: append only.
POLICIES = (
    Policy("random", False, "uniform over the legal moves"),
    Policy("basic", False, "the game's own rules of thumb, no search; sees what its seat may see"),
    Policy("search", True, "tries the moves in worlds that its seat must hold possible, N worlds for each move; quick playouts"),
    Policy("oracle", True, "the same search given the real hidden cards: a cheat, as an upper bound"),
)
RANDOM = 0

# As numpy values, because numba compiles a function anew for every Python constant that is written in a call.
_HONEST, _CHEATING = np.bool_(False), np.bool_(True)


def parse_policy(text: str) -> tuple[int, int]:
    """Index into ``POLICIES`` and number of worlds (0 where none belongs) of a text like ``search:8``.

    Raises ValueError with what would be right.
    """
    names = [policy.name + ":N" * policy.has_worlds for policy in POLICIES]
    match = re.fullmatch(r"([a-z]+)(?::([0-9]{1,9}))?", text.strip().lower())
    name, worlds = match.groups() if match else (text, None)
    for index, policy in enumerate(POLICIES):
        if policy.name != name:
            continue
        if policy.has_worlds != (worlds is not None) or (worlds is not None and not 1 <= int(worlds) <= MAX_WORLDS):
            right = f"{name}:N with N from 1 to {MAX_WORLDS}, for example {name}:32" if policy.has_worlds else f"plain {name}"
            raise ValueError(f"policy {text!r}: write {right}")
        return index, int(worlds or 0)
    raise ValueError(f"no policy {text!r}{nearest(name, [policy.name for policy in POLICIES])}; policies are {', '.join(names)}")


@kernel
def random_move(moves, word):
    """A uniformly random one of *moves*."""
    return nth(moves, below(word, popcount(moves)))


@kernel
def _random(state, seat, moves, word, table):
    return random_move(moves, word)


@kernel
def _basic(state, seat, moves, word, table):
    return basic_move(state, word)


@kernel
def _search(state, seat, moves, word, table):
    return search_move(state, seat, moves, word, table, _HONEST)


@kernel
def _oracle(state, seat, moves, word, table):
    return search_move(state, seat, moves, word, table, _CHEATING)


@by_index((_random, _basic, _search, _oracle))
def choose(policy, state, seat, moves, word, table):
    """Move that policy number *policy* makes for *seat* among *moves*; *word* is 64 random bits."""
