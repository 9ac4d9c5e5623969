"""Players: whatever chooses a move for the seat to act."""

from simcore.bits import nth, popcount
from simcore.dispatch import by_index
from simcore.jit import kernel
from simcore.protocol import basic_move, legal_moves
from simcore.rng import below, mix, step
from simcore.search import oracle_move, search_move

@kernel
def _random(state, seat, table):
    """A uniformly random legal move."""
    counter = step(table.streams[seat])
    table.streams[seat] = counter
    moves = legal_moves(state)
    return nth(moves, below(mix(counter), popcount(moves)))


@kernel
def _basic(state, seat, table):
    """The game's own rules of thumb."""
    counter = step(table.streams[seat])
    table.streams[seat] = counter
    return basic_move(state, mix(counter))


@kernel
def _search(state, seat, table):
    """Determinized Monte Carlo with the seat's number of worlds."""
    counter = step(table.streams[seat])
    table.streams[seat] = counter
    return search_move(state, seat, mix(counter), table.n_worlds[seat], table)


@kernel
def _oracle(state, seat, table):
    """The same search on the real cards: a cheat, to measure what knowledge is worth."""
    counter = step(table.streams[seat])
    table.streams[seat] = counter
    return oracle_move(state, seat, mix(counter), table.n_worlds[seat], table)


@by_index((_random, _basic, _search, _oracle))
def choose(policy, state, seat, table):
    """Move that policy number *policy* makes for *seat*."""
