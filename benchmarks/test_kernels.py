"""Times of single kernels, to compare two states of the sources on one machine: see `pytest-benchmark compare`.

Not part of the tests: ``pip install -e '.[test,bench]'``, then ``python -m pytest -n0 benchmarks``.
"""

import numpy as np
import pytest

from simcore.bits import nth
from simcore.engine import Experiment, play_units
from simcore.games import GAMES
from simcore.jit import kernel
from simcore.protocol import deal, determinize, effective_rules, legal_moves, play, start
from simcore.rng import DEAL, SEAT, stream
from simcore.tally import tally

DEALS = {"random": 20_000, "basic": 2_000, "search:8": 20}
N_TALLIED = 20_000
N_WORLDS, N_MOVES = 10_000, 12

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(params=GAMES, ids=lambda game: game.NAME)
def game(request):
    return request.param


def experiment_of(game, policy):
    """Single deals by default rules with *policy* at all seats."""
    seats = tuple(range(game.PLAYERS[0]))
    return Experiment(game, effective_rules(game.SWITCHES, {}), (policy,) * len(seats), (seats,), 1, False)


@pytest.mark.parametrize("policy", DEALS)
def test_play_units(benchmark, game, policy):
    experiment, n = experiment_of(game, policy), DEALS[policy]
    play_units(experiment, 0, 1)
    benchmark.extra_info["deals"] = n
    deals, _ = benchmark(play_units, experiment, 0, n)
    assert len(deals) == n


def test_tally(benchmark, game):
    experiment = experiment_of(game, "random")
    figures = play_units(experiment, 0, N_TALLIED)
    tally(experiment, *play_units(experiment, 0, 1))
    assert benchmark(tally, experiment, *figures).blocks == N_TALLIED


@kernel
def _draw_worlds(state, seat, world, n):
    for index in range(n):
        determinize(state, seat, stream(np.uint64(1), index, SEAT), world)


def test_determinize(benchmark, game):
    """Worlds of a position some tricks into a deal, where hands have been seen to lack suits."""
    states = np.zeros(2, game.STATE)
    start(states[0], effective_rules(game.SWITCHES, {})[0], game.PLAYERS[0], 0)
    deal(states[0], np.uint64(stream(np.uint64(1), 0, DEAL)))
    for _ in range(N_MOVES):
        play(states[0], np.uint64(nth(legal_moves(states[0]), np.uint64(0))))
    _draw_worlds(states[0], 0, states[1], 1)
    benchmark(_draw_worlds, states[0], 0, states[1], N_WORLDS)
