"""Chunk kernels: many deals or matches, one row of figures each."""

from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

import numpy as np

from simcore.bits import EMPTY, ONE
from simcore.jit import kernel
from simcore.policies import RANDOM, choose, parse_policy, random_move
from simcore.protocol import (
    Measure,
    cast,
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
from simcore.rng import CAST, DEAL, MATCH, SEAT, below, mix, step, stream
from simcore.search import table_dtype

# Columns of a row of figures before the game's own.
UNIT, NUMBER, KIND, N_FIXED = 0, 1, 2, 3
N_MATCH_FIXED = 2


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

    def _started(self) -> np.ndarray:
        """State (records of shape (1,)) of a match before its first deal."""
        states = np.zeros(1, self.game.STATE)
        start(states[0], self.rules[0], self.n_seats, 0)
        return states

    @cached_property
    def max_deals(self) -> int:
        """Deals after which a unit ends."""
        return int(deal_limit(self._started()[0])) if self.is_match else 1

    @cached_property
    def unit_bounds(self) -> tuple[int, int]:
        """Least and most of the game's own unit that a seat can get in a deal by these rules."""
        return unit_bounds(self.game, self._started())

    @property
    def seat_figures(self) -> tuple[Measure, ...]:
        """Figures of a seat in a deal, without the one that holds the number of its label."""
        return tuple(m for m in self.game.SEAT_MEASURES if m.name != getattr(self.game, "LABEL_MEASURE", None))

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

    @property
    def players(self) -> np.ndarray:
        """Policy number of each player, and its number of worlds or that of a game's own policy; int64 (players, 2)."""
        return np.array([parse_policy(policy, self.game) for policy in self.policies], np.int64).reshape(-1, 2)

    @property
    def deal_record(self) -> np.dtype:
        """A row of a deal's figures as a record: a row of a plain array is an object with a reference count, a field an address."""
        seats = (self.n_seats, len(self.game.SEAT_MEASURES))
        fields = [
            ("unit", "i4"),
            ("number", "i4"),
            ("kind", "i4"),
            ("whole", "i4", (len(self.game.DEAL_MEASURES),)),
            ("seats", "i4", seats),
        ]
        return np.dtype((np.record, fields))

    @property
    def match_record(self) -> np.dtype:
        """A row of a match's figures as a record."""
        return np.dtype((np.record, [("deals", "i4"), ("capped", "i4"), ("seats", "i4", (self.n_seats, 2))]))

    def deal_columns(self) -> list[str]:
        """Names of the columns of a deal's figures."""
        names = ["unit", "number", "kind", *(measure.name for measure in self.game.DEAL_MEASURES)]
        return names + [f"{m.name}_{seat}" for seat in range(self.n_seats) for m in self.game.SEAT_MEASURES]

    def match_columns(self) -> list[str]:
        """Names of the columns of a match's figures."""
        whole, by_seat = self.match_measures
        return [m.name for m in whole] + [f"{m.name}_{seat}" for seat in range(self.n_seats) for m in by_seat]


def unit_bounds(game: ModuleType, states: np.ndarray) -> tuple[int, int]:
    """Least and most of the game's own unit that a seat can still get in the deal of a state (records of shape (1,))."""
    if hasattr(game, "unit_bounds"):
        return game.unit_bounds(states[0])
    return game.SEAT_MEASURES[0].low, game.SEAT_MEASURES[0].high


def new_table(experiment: Experiment) -> np.ndarray:
    """Table of one thread for *experiment*: records of `table_dtype` of shape (1,)."""
    table = np.zeros(1, table_dtype(experiment.game.STATE, experiment.n_seats))
    if experiment.is_match and (experiment.players[:, 1] > 0).any():
        values = experiment.game.values(experiment.rules[0])
        table["n_values"] = len(values)
        table["values"][0, : len(values)] = values
    return table


def deal_out(experiment: Experiment, unit: int, number: int = 0) -> np.ndarray:
    """Table with deal *number* (from 0) of a unit dealt out and nothing played; ValueError when the match was over before."""
    tables = new_table(experiment)
    table, seed, cards = tables[0], np.uint64(experiment.seed), unit // len(experiment.seatings)
    seating = np.array(experiment.seatings[unit % len(experiment.seatings)])
    begin_unit(table, experiment.rules[0], seed, experiment.players, seating, cards, experiment.is_match)
    for earlier in range(number):
        play_deal(table, np.uint64(deal_key(seed, cards, earlier)))
        settle(table.deal)
        if winners(table.deal) or earlier + 1 == experiment.max_deals:
            raise ValueError(f"{experiment.game.MATCH} {unit} ended with deal {earlier}")
    begin_deal(table, np.uint64(deal_key(seed, cards, number)))
    return tables


def play_units(experiment: Experiment, first: int, n: int, tables: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Figures of the units ``first`` to ``first + n - 1``.

    Returns
    -------
    deals : int32 array of shape (deals, len(deal_columns)), column ``unit`` counted from *first*
    matches : int32 array of shape (n, len(match_columns)); no rows for single deals
    """
    deals = np.empty((n * experiment.max_deals, len(experiment.deal_columns())), np.int32)
    matches = np.empty((n if experiment.is_match else 0, len(experiment.match_columns())), np.int32)
    n_rows = _play_units(
        new_table(experiment) if tables is None else tables,
        experiment.rules[0],
        np.uint64(experiment.seed),
        experiment.players,
        np.array(experiment.seatings, np.int64),
        first,
        n,
        experiment.is_match,
        deals.view(experiment.deal_record).reshape(-1),
        matches.view(experiment.match_record).reshape(-1),
    )
    return deals[:n_rows], matches


@kernel
def _draw_word(table, seat, counter):
    """Draw the next word of *seat* from its stream, one choice ahead: so a choice need not wait for whose it is."""
    counter = step(counter)
    table.streams[seat] = counter
    table.words[seat] = mix(counter)


@kernel
def start_streams(table, key):
    """Start the stream of each seat's choices under *key*."""
    for seat in range(len(table.policies)):
        _draw_word(table, seat, stream(key, seat, SEAT))


@kernel(is_part=True)
def begin_deal(table, key):
    """Deal in ``table.deal``, and start the streams of the cards and of each seat under *key*."""
    deal(table.deal, key)
    start_streams(table, key)


@kernel(is_part=True)
def choose_move(table):
    """Move of the player to act in ``table.deal``."""
    state = table.deal
    seat = seat_to_act(state)
    moves = legal_moves(state)
    word = table.words[seat]
    _draw_word(table, seat, table.streams[seat])
    policy = table.policies[seat]
    # A single move needs no policy, and random play no call of `choose`, which costs as much as the rules.
    if policy == RANDOM or not moves & (moves - ONE):
        return random_move(moves, word)
    return choose(policy, state, seat, moves, word, table)


@kernel(is_part=True)
def play_deal(table, key):
    """Deal and play one deal in ``table.deal``, from the streams under *key*."""
    begin_deal(table, key)
    while not is_over(table.deal):
        play(table.deal, choose_move(table))


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
    start(table.deal, rules, n_seats, dealer)
    cast(table.deal, seating, stream(seed, cards, CAST))


@kernel
def _play_units(tables, rules, seed, players, seatings, first, n, is_match, deals, matches):
    """Play the units and write their figures, records of `deal_record` and `match_record`; the number of deals."""
    table = tables[0]
    state = table.deal
    row = 0
    for unit in range(n):
        cards = (first + unit) // len(seatings)
        begin_unit(table, rules, seed, players, seatings[(first + unit) % len(seatings)], cards, is_match)
        number = 0
        while True:
            play_deal(table, deal_key(seed, cards, number))
            figures = deals[row]
            figures.unit = unit
            figures.number = number
            figures.kind = kind(state)
            measure(state, figures.whole, figures.seats)
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
    figures.deals = number
    figures.capped = won == EMPTY
    for seat in range(len(figures.seats)):
        figures.seats[seat, 0] = won >> np.uint64(seat) & ONE
        figures.seats[seat, 1] = standing(state, seat)
