"""Determinized Monte Carlo: try every legal move in worlds that the seat must hold possible."""

from collections import namedtuple

import numpy as np

from simcore.bits import EMPTY, ONE, copy_record, lowest, nth, popcount
from simcore.jit import kernel
from simcore.protocol import determinize, is_over, legal_moves, play, utility
from simcore.rng import below, mix, step

# What the players of one thread sit around:
#   policies, n_worlds  int64 (seats,)   policy number of each seat, and the worlds of a searcher
#   streams             uint64 (seats,)  counter of each seat's choices
#   states              records (3,)     the deal, a world, a trial
#   totals              float64 (64,)    summed utility of each move
#   values              float64 (n,)     what `utility` needs in a match
Table = namedtuple("Table", "policies n_worlds streams states totals values")


@kernel
def play_out(state, counter):
    """Play *state* to its end with uniformly random moves from the stream at *counter*."""
    while not is_over(state):
        counter = step(counter)
        moves = legal_moves(state)
        play(state, nth(moves, below(mix(counter), popcount(moves))))


@kernel
def search_move(state, seat, moves, word, table):
    """Move with the highest mean utility over the worlds of *seat*; the lowest one of equals.

    All moves are tried on the same worlds with the same random numbers, so that most of the luck cancels.
    """
    if not moves & (moves - ONE):
        return lowest(moves)
    _clear(moves, table.totals)
    for k in range(table.n_worlds[seat]):
        world_key = mix(word + np.uint64(k))
        determinize(state, seat, world_key, table.states[1])
        _try_moves(moves, seat, mix(~world_key), table)
    return _best(moves, table.totals)


@kernel
def oracle_move(state, seat, moves, word, table):
    """`search_move` with the real cards in place of every world: it knows what nobody may know."""
    if not moves & (moves - ONE):
        return lowest(moves)
    _clear(moves, table.totals)
    copy_record(table.states[1], state)
    for k in range(table.n_worlds[seat]):
        _try_moves(moves, seat, mix(~mix(word + np.uint64(k))), table)
    return _best(moves, table.totals)


@kernel
def _clear(moves, totals):
    while moves:
        totals[lowest(moves)] = 0.0
        moves &= moves - ONE


@kernel
def _try_moves(moves, seat, counter, table):
    """Add to the totals what each move is worth in the world ``table.states[1]``."""
    trial = table.states[2]
    while moves:
        move = lowest(moves)
        moves &= moves - ONE
        copy_record(trial, table.states[1])
        play(trial, move)
        play_out(trial, counter)
        table.totals[move] += utility(trial, seat, table.values)


@kernel
def _best(moves, totals):
    best = lowest(moves)
    while moves:
        move = lowest(moves)
        moves &= moves - ONE
        if totals[move] > totals[best]:
            best = move
    return best
