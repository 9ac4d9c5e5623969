"""Determinized Monte Carlo: try every legal move in worlds that the seat must hold possible."""

import numpy as np

from simcore.bits import ONE, bit, copy_record, lowest, popcount
from simcore.jit import kernel
from simcore.protocol import determinize, finish, is_over, play, playout_move, seat_to_act, strip, utility
from simcore.rng import mix, step

MAX_VALUES = 512


def table_dtype(state: np.dtype, n_seats: int) -> np.dtype:
    """Record dtype of what the players of one thread sit around.

    One record, because it goes through every kernel as one pointer: a tuple of arrays is 40 words and, on every call, an atomic
    reference count up and down for each array, which took longer than the deal.
    """
    fields = [
        ("policies", "i8", (n_seats,)),  # policy number of each seat
        ("n_worlds", "i8", (n_seats,)),  # worlds of a searcher, or the number of a game's own policy
        ("streams", "u8", (n_seats,)),  # counter of each seat's choices
        ("words", "u8", (n_seats,)),  # the 64 random bits of each seat's next choice
        ("deal", state),
        ("world", state),
        ("trial", state),
        ("totals", "f8", (64,)),  # summed utility of each move
        ("n_values", "i8"),
        ("values", "f8", (MAX_VALUES,)),  # what `utility` needs in a match, n_values of them
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


# The others in a playout move with sense this often, in 8ths, and else at random: in between lies what does well against
# players of any strength.
_SENSE = np.uint64(3)


@kernel
def search_move(state, seat, moves, word, table, knows_all):
    """Move with the highest mean utility, found by sequential halving.

    The budget is the number of worlds of *seat* for each move. It is spent in rounds of equal cost; all moves still in the race are
    tried on the same worlds with the same random numbers, so that most of the luck cancels, and each round drops the worse half: the
    moves that are hard to tell apart get most of the worlds.

    Parameters
    ----------
    moves : uint64 set of the legal moves
    word : 64 random bits
    knows_all : whether every world is the real one: a cheat, to measure what knowledge is worth
    """
    if not moves & (moves - ONE):
        return lowest(moves)
    table.totals[:] = 0.0
    n_moves = np.int64(popcount(moves))
    budget = table.n_worlds[seat] * n_moves
    n_rounds = 1
    while 1 << n_rounds < n_moves:
        n_rounds += 1
    n_worlds = 0
    for _ in range(n_rounds):
        for _ in range(max(1, budget // (n_rounds * np.int64(popcount(moves))))):
            key = mix(word + np.uint64(n_worlds))
            if knows_all:
                copy_record(table.world, state)
            else:
                determinize(state, seat, key, table.world)
            strip(table.world)
            _try_moves(moves, seat, mix(~key), table)
            n_worlds += 1
        moves = _better_half(moves, table.totals)
    return lowest(moves)


@kernel(is_part=True)
def _try_moves(moves, seat, counter, table):
    """Add to the totals what each move is worth in the world ``table.world``."""
    trial = table.trial
    values = table.values[: table.n_values]
    while moves:
        move = lowest(moves)
        moves &= moves - ONE
        copy_record(trial, table.world)
        play(trial, move)
        if not finish(trial, table.n_worlds[seat]):
            _play_out(trial, seat, counter)
        table.totals[move] += utility(trial, seat, values)


@kernel(is_part=True)
def _play_out(state, searcher, counter):
    """Play *state* to its end from the stream at *counter*."""
    while not is_over(state):
        counter = step(counter)
        word = mix(counter)
        has_sense = (seat_to_act(state) == searcher) | (word & np.uint64(7) < _SENSE)
        play(state, playout_move(state, word, has_sense))


@kernel
def _better_half(moves, totals):
    """The moves with the higher totals, rounded up; of equals the lower ones."""
    for _ in range(np.int64(popcount(moves)) // 2):
        worst = lowest(moves)
        left = moves
        while left:
            move = lowest(left)
            left &= left - ONE
            if totals[move] <= totals[worst]:
                worst = move
        moves ^= bit(worst)
    return moves
