"""Chunk kernels: many deals or matches, one row of figures each."""

import numpy as np

from simcore.bits import popcount
from simcore.jit import kernel
from simcore.policies import choose
from simcore.protocol import deal, deal_limit, is_over, kind, measure, play, seat_to_act, settle, standing, start, winners
from simcore.rng import DEAL, MATCH, SEAT, below, mix, stream

@kernel
def play_deal(table, key):
    """Deal and play one deal in ``table.states[0]``, from the streams under *key*."""
    state = table.states[0]
    deal(state, key)
    for seat in range(len(table.policies)):
        table.streams[seat] = stream(key, seat, SEAT)
    while not is_over(state):
        seat = seat_to_act(state)
        play(state, choose(table.policies[seat], state, seat, table))


@kernel
def play_deals(table, rules, seed, first, rows, n_deal_measures):
    """Play deals first .. first + len(rows)"""
    state = table.states[0]
    n = len(table.policies)
    m = (rows.shape[1] - 1 - n_deal_measures) // n
    for row in range(len(rows)):
        index = first + row
        start(state, rules, index % n)
        play_deal(table, stream(seed, index, DEAL))
        out = rows[row]
        out[0] = kind(state)
        measure(state, out[1:1+n_deal_measures], out[1+n_deal_measures:].reshape(n, m))
