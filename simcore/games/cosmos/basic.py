"""Rules of thumb for COSMOS."""

from simcore.bits import nth, popcount
from simcore.games.cosmos.play import legal_moves
from simcore.jit import kernel
from simcore.rng import below


@kernel
def basic_move(state, key):
    """TEMP"""
    moves = legal_moves(state)
    return nth(moves, below(key, popcount(moves)))
