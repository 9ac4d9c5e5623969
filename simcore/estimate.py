"""What every move open to a seat is worth, when the seat sees only what it may see."""

from collections.abc import Iterator

import numpy as np

from simcore.bits import EMPTY, ONE, copy_record, lowest
from simcore.dispatch import game_of
from simcore.engine import Experiment, begin_deal, begin_unit, choose_move, deal_key, new_table, start_streams
from simcore.jit import kernel
from simcore.protocol import determinize, is_over, kind, legal_moves, measure, play, seat_to_act, settle, win_chance
from simcore.rng import WORLD, stream


def open_moves(states: np.ndarray) -> list[int]:
    """Moves open to the seat to act that are worth a try, ascending."""
    game, moves = game_of(states.dtype), int(legal_moves(states[0]))
    if hasattr(game, "worth_trying"):
        moves = moves & game.worth_trying(states[0]) or moves
    return [move for move in range(64) if moves >> move & 1]


def try_moves(experiment: Experiment, states: np.ndarray, chunk: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Play every open move of the position *states* (records of shape (1,)) out in worlds, without end.

    Each world is one that the seat to act must hold possible; all moves are tried in it, and the players of *experiment* play on with
    the same random numbers, so that the moves of one world are a paired comparison.

    Yields
    ------
    rows : int32 array of shape (chunk * moves, len(deal_columns)), as `play_units` returns: ``unit`` is the world, ``number`` the
        move's place in `open_moves`
    chances : float64 array of shape (chunk * moves,), the seat's chance to win the match from the standing after the deal, or nan
    """
    tables = new_table(experiment)
    seating = np.array(experiment.seatings[0])
    # Seats the players; the deal that it starts is overwritten by each world.
    begin_unit(tables[0], experiment.rules[0], np.uint64(experiment.seed), experiment.players, seating, 0, False)
    moves, n_columns = open_moves(states), len(experiment.deal_columns())
    tried, n_moves = np.uint64(sum(1 << move for move in moves)), len(moves)
    worlds, first = np.zeros(1, states.dtype), 0
    values = np.asarray(experiment.game.values(experiment.rules[0]), np.float64)
    while True:
        chances = np.empty(chunk * n_moves)
        rows = np.empty((chunk * n_moves, n_columns), np.int32)
        _try_moves(
            tables,
            states,
            tried,
            worlds,
            np.uint64(experiment.seed),
            first,
            chunk,
            values,
            rows.view(experiment.deal_record).reshape(-1),
            chances,
        )
        yield rows, chances
        first += chunk


@kernel
def _try_moves(tables, states, tried, worlds, seed, first, n, values, rows, chances):
    table, state, world = tables[0], states[0], worlds[0]
    seat = seat_to_act(state)
    row = 0
    for unit in range(first, first + n):
        key = stream(seed, unit, WORLD)
        determinize(state, seat, key, world)
        moves, number = tried, 0
        while moves:
            copy_record(table.deal, world)
            start_streams(table, key)
            play(table.deal, lowest(moves))
            moves &= moves - ONE
            while not is_over(table.deal):
                play(table.deal, choose_move(table))
            figures = rows[row]
            figures.unit = unit - first
            figures.number = number
            figures.kind = kind(table.deal)
            measure(table.deal, figures.whole, figures.seats)
            settle(table.deal)
            chances[row] = win_chance(table.deal, seat, values)
            row += 1
            number += 1


def try_openings(experiment: Experiment, first: int, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play every opening move of the first seat to act on each of the hands dealt in the deals ``first`` to ``first + n - 1``.

    The others bid and play by their policies; a game must hold its hands in ``state.hands``.

    Returns
    -------
    hands : uint64 array of shape (rows,), the hand of the first seat to act
    moves : int64 array of shape (rows,), the move that it made
    rows : int32 array of shape (rows, len(deal_columns)), as `play_units` returns: ``unit`` is the deal, ``number`` the seat that began
    """
    tables = new_table(experiment)
    size = 64 * n
    hands, moves = np.zeros(size, np.uint64), np.zeros(size, np.int64)
    rows = np.empty((size, len(experiment.deal_columns())), np.int32)
    figures = rows.view(experiment.deal_record).reshape(-1)
    seed, seating = np.uint64(experiment.seed), np.array(experiment.seatings[0])
    n_rows = _try_openings(tables, experiment.rules[0], seed, experiment.players, seating, first, n, hands, moves, figures)
    return hands[:n_rows], moves[:n_rows], rows[:n_rows]


@kernel
def _try_openings(tables, rules, seed, players, seating, first, n, hands, tried, rows):
    table, state, row = tables[0], tables[0].deal, 0
    for unit in range(first, first + n):
        key = deal_key(seed, unit, 0)
        moves, is_first = EMPTY, True
        while moves or is_first:
            # Dealt anew for every move: a player that searches leaves nothing in the table as it was.
            begin_unit(table, rules, seed, players, seating, unit, False)
            begin_deal(table, key)
            seat = seat_to_act(state)
            moves, is_first = legal_moves(state) if is_first else moves, False
            hands[row], tried[row] = state.hands[seat], lowest(moves)
            play(state, lowest(moves))
            moves &= moves - ONE
            while not is_over(state):
                play(state, choose_move(table))
            figures = rows[row]
            figures.unit = unit
            figures.number = seat
            figures.kind = kind(state)
            measure(state, figures.whole, figures.seats)
            row += 1
    return row
