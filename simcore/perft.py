"""Counting move sequences: the check of move generators."""

import numpy as np

from simcore.bits import EMPTY, ONE, copy_record, lowest
from simcore.jit import kernel
from simcore.protocol import is_over, legal_moves, play, points_so_far


def perft(state: np.ndarray, depth: int, n_seats: int) -> tuple[int, int]:
    """Number of move sequences of length *depth* from *state* (a records array of shape (1,)), and a checksum of points.

    A deal that ends before is one sequence. The checksum sums, over the ends of all sequences, (seat + 1) times the points that the
    seat has taken so far.
    """
    stack = np.zeros(depth + 1, state.dtype)
    stack[:1] = state
    return _perft(stack, n_seats)


@kernel
def _perft(stack, n_seats):
    pending = np.zeros(len(stack), np.uint64)
    ply, count, checksum = 0, 0, 0
    is_new = True
    while ply >= 0:
        if is_new and (ply == len(stack) - 1 or is_over(stack[ply])):
            count += 1
            for seat in range(n_seats):
                checksum += (seat + 1) * points_so_far(stack[ply], seat)
            pending[ply] = EMPTY
        elif is_new:
            pending[ply] = legal_moves(stack[ply])
        is_new = pending[ply] != EMPTY
        if is_new:
            copy_record(stack[ply + 1], stack[ply])
            play(stack[ply + 1], lowest(pending[ply]))
            pending[ply] &= pending[ply] - ONE
            ply += 1
        else:
            ply -= 1
    return count, checksum
