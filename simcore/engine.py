"""Chunk kernels: many deals or matches, one row of figures each."""

from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

import numpy as np

from simcore.bits import nth, popcount
from simcore.jit import kernel
from simcore.policies import RANDOM, choose, parse_policy
from simcore.protocol import (
    Measure,
    deal,
    deal_limit,
    is_over,
    kind,
    legal_moves,
    measure,
    play,
    seat_to_act,
    settle,
    standing,
    start,
    winners,
)
from simcore.rng import DEAL, MATCH, SEAT, below, mix, step, stream
from simcore.search import Table

# Columns of a row of figures before the game's own.
UNIT, NUMBER, KIND, N_FIXED = 0, 1, 2, 3
N_DEALS, CAPPED, N_MATCH_FIXED = 0, 1, 2


@dataclass(frozen=True)
class Experiment:
    """What is played: everything that the figures depend on.

    A *unit* is one deal, or one match. Unit ``u`` is played on the cards number ``u // len(seatings)`` with player
    ``seatings[u % len(seatings)][seat]`` in each seat: the units on the same cards are one block.
    """

    game: ModuleType
    rules: np.ndarray
    policies: tuple[str, ...]
    seatings: tuple[tuple[int, ...], ...]
    seed: int
    is_match: bool

    @property
    def n_seats(self) -> int:
        """Seats at the table."""
        return len(self.seatings[0])

    @cached_property
    def max_deals(self) -> int:
        """Deals after which a unit ends."""
        if not self.is_match:
            return 1
        states = np.zeros(1, self.game.STATE)
        start(states[0], self.rules[0], self.n_seats, 0)
        return int(deal_limit(states[0]))

    @cached_property
    def match_measures(self) -> tuple[tuple[Measure, ...], tuple[Measure, ...]]:
        """Figures of a match, and of each seat in it."""
        unit = self.game.MATCH
        return (
            (
                Measure("deals", 1, self.max_deals, f"deals of the {unit}"),
                Measure("capped", 0, 1, f"the {unit} was given up after {self.max_deals} deals"),
            ),
            (Measure("won", 0, 1, f"won the {unit}"), self.game.STANDING),
        )

    def deal_columns(self) -> list[str]:
        """Names of the columns of a deal's figures."""
        names = ["unit", "number", "kind", *(measure.name for measure in self.game.DEAL_MEASURES)]
        return names + [f"{m.name}_{seat}" for seat in range(self.n_seats) for m in self.game.SEAT_MEASURES]

    def match_columns(self) -> list[str]:
        """Names of the columns of a match's figures."""
        whole, by_seat = self.match_measures
        return [m.name for m in whole] + [f"{m.name}_{seat}" for seat in range(self.n_seats) for m in by_seat]


def new_table(experiment: Experiment) -> Table:
    """Table of one thread for *experiment*."""
    n_seats = experiment.n_seats
    searches = any(parse_policy(policy)[1] for policy in experiment.policies)
    needs_values = experiment.is_match and searches
    return Table(
        policies=np.zeros(n_seats, np.int64),
        n_worlds=np.zeros(n_seats, np.int64),
        streams=np.zeros(n_seats, np.uint64),
        states=np.zeros(3, experiment.game.STATE),
        totals=np.zeros(64),
        values=experiment.game.values(experiment.rules[0]) if needs_values else np.zeros(0),
    )


def play_units(experiment: Experiment, first: int, n: int, table: Table | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Figures of the units ``first`` to ``first + n - 1``.

    Returns
    -------
    deals : int32 array of shape (deals, len(deal_columns)), column ``unit`` counted from *first*
    matches : int32 array of shape (n, len(match_columns)); no rows for single deals
    """
    table = table or new_table(experiment)
    players = np.array([parse_policy(policy) for policy in experiment.policies], np.int64).reshape(-1, 2)
    seatings = np.array(experiment.seatings, np.int64)
    deals = np.empty((n * experiment.max_deals, len(experiment.deal_columns())), np.int32)
    matches = np.empty((n if experiment.is_match else 0, len(experiment.match_columns())), np.int32)
    n_whole = len(experiment.game.DEAL_MEASURES)
    n_rows = _play_units(
        table, experiment.rules[0], np.uint64(experiment.seed), players, seatings, first, n, experiment.is_match, n_whole, deals, matches
    )
    return deals[:n_rows], matches


@kernel
def begin_deal(table, key):
    """Deal in ``table.states[0]``, and start the streams of the cards and of each seat under *key*."""
    deal(table.states[0], key)
    for seat in range(len(table.policies)):
        table.streams[seat] = stream(key, seat, SEAT)


@kernel
def choose_move(table):
    """Move of the player to act in ``table.states[0]``."""
    state = table.states[0]
    seat = seat_to_act(state)
    counter = step(table.streams[seat])
    table.streams[seat] = counter
    moves = legal_moves(state)
    policy = table.policies[seat]
    if policy == RANDOM:
        return nth(moves, below(mix(counter), popcount(moves)))
    return choose(policy, state, seat, moves, mix(counter), table)


@kernel
def play_deal(table, key):
    """Deal and play one deal in ``table.states[0]``, from the streams under *key*."""
    begin_deal(table, key)
    while not is_over(table.states[0]):
        play(table.states[0], choose_move(table))


@kernel
def deal_key(seed, cards, number):
    """Key of the streams of deal *number* (from 0) of the match or single deal on the cards number *cards*."""
    key = stream(seed, cards, DEAL)
    return key if number == 0 else stream(key, number, MATCH)


@kernel
def begin_unit(table, rules, seed, players, seating, cards, is_match):
    """Seat the players and start a unit: a deal's dealer goes round with the cards, a match's is drawn."""
    n_seats = len(seating)
    for seat in range(n_seats):
        table.policies[seat] = players[seating[seat], 0]
        table.n_worlds[seat] = players[seating[seat], 1]
    dealer = np.int64(below(stream(seed, cards, MATCH), n_seats)) if is_match else cards % n_seats
    start(table.states[0], rules, n_seats, dealer)


@kernel
def _play_units(table, rules, seed, players, seatings, first, n, is_match, n_whole, deals, matches):
    """Play the units and write their figures; the number of deals."""
    state = table.states[0]
    n_seats = seatings.shape[1]
    n_measures = (deals.shape[1] - N_FIXED - n_whole) // n_seats
    row = 0
    for unit in range(n):
        cards = (first + unit) // len(seatings)
        begin_unit(table, rules, seed, players, seatings[(first + unit) % len(seatings)], cards, is_match)
        number = 0
        while True:
            play_deal(table, deal_key(seed, cards, number))
            figures = deals[row]
            figures[UNIT] = unit
            figures[NUMBER] = number
            figures[KIND] = kind(state)
            by_seat = figures[N_FIXED + n_whole :].reshape(n_seats, n_measures)
            measure(state, figures[N_FIXED : N_FIXED + n_whole], by_seat)
            row += 1
            number += 1
            if not is_match:
                break
            settle(state)
            if winners(state) or number == deal_limit(state):
                _write_match(state, number, matches[unit])
                break
    return row


@kernel
def _write_match(state, number, figures):
    won = winners(state)
    figures[N_DEALS] = number
    figures[CAPPED] = won == 0
    for seat in range((len(figures) - N_MATCH_FIXED) // 2):
        figures[N_MATCH_FIXED + 2 * seat] = won >> np.uint64(seat) & np.uint64(1)
        figures[N_MATCH_FIXED + 2 * seat + 1] = standing(state, seat)
