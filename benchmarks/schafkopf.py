"""Random play of Schafkopf against its C baseline: the same deals, and the ratio of speeds in one run on one thread.

Usage: python benchmarks/schafkopf.py [DEALS] [ROUNDS]

Besides random bids (nearly always a Tout, over after two tricks), contracts that forehand plays without being asked.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from simcore.bits import nth, popcount
from simcore.engine import N_FIXED, Experiment, play_units
from simcore.games import schafkopf as game
from simcore.games.schafkopf.bidding import play_bid
from simcore.games.schafkopf.contracts import BID_TEXTS, PASS
from simcore.jit import kernel
from simcore.protocol import deal, effective_rules, is_over, kind, legal_moves, measure, play, seat_to_act, start
from simcore.rng import DEAL, SEAT, below, mix, step, stream

CONTRACTS = ("Rufer E", "Wenz", "Solo H", "Solo Tout E")
SEED = 1
N_WHOLE, N_BY_SEAT = len(game.DEAL_MEASURES), len(game.SEAT_MEASURES)
TABLE = np.dtype((np.record, [("streams", "u8", (4,)), ("deal", game.STATE)]))


@kernel
def play_contract(table, rules, contract, n, rows):
    """Play *n* deals of which forehand plays *contract*; a row of figures for each where *rows* has one."""
    state = table.deal
    for number in range(n):
        start(state, rules, 4, number % 4)
        key = stream(np.uint64(SEED), number, DEAL)
        deal(state, key)
        for seat in range(4):
            table.streams[seat] = stream(key, seat, SEAT)
        play_bid(state, contract)
        for _ in range(3):
            play_bid(state, PASS)
        while not is_over(state):
            seat = seat_to_act(state)
            counter = step(table.streams[seat])
            table.streams[seat] = counter
            moves = legal_moves(state)
            play(state, nth(moves, below(mix(counter), popcount(moves))))
        figures = rows[number % len(rows)]
        figures[2] = kind(state)
        measure(state, figures[N_FIXED : N_FIXED + N_WHOLE], figures[N_FIXED + N_WHOLE :].reshape(4, N_BY_SEAT))


def compile_baseline(folder):
    """Build the C program; its path."""
    source = Path(__file__).parent / "baseline" / "schafkopf.c"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", f"{folder}/schafkopf", source], check=True)
    return f"{folder}/schafkopf"


def experiment():
    """Four random players at the default rules."""
    return Experiment(game, effective_rules(game.SWITCHES, {}), ("random",), ((0, 0, 0, 0),), SEED, False)


def rows_of(contract, n, n_rows):
    """Figures of *n* deals, of which the last *n_rows* are kept; *contract* None for random bids on the engine."""
    ex = experiment()
    if contract is None:
        return play_units(ex, 0, n)[0]
    rows = np.zeros((n_rows, len(ex.deal_columns())), np.int32)
    play_contract(np.zeros(1, TABLE)[0], ex.rules[0], BID_TEXTS.index(contract), n, rows)
    return rows


def figures_of(rows):
    """The columns that the baseline prints."""
    names = experiment().deal_columns()
    wanted = ["kind", "declarer_side_won", "schneider", "schwarz", "laufende"]
    wanted += [f"{name}_{seat}" for seat in range(4) for name in ("units", "card_points", "tricks")]
    return rows[:, [names.index(name) for name in wanted]]


def baseline_rows(program, contract, n):
    """The same figures by the baseline."""
    number = "-1" if contract is None else str(BID_TEXTS.index(contract))
    text = subprocess.run([program, str(n), str(SEED), number, "rows"], check=True, capture_output=True, text=True).stdout
    return np.array([line.split() for line in text.splitlines()], np.int32)


def cpu_seconds(command):
    """Processor time of a child process."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    usage = os.wait4(child.pid, 0)[2]
    return usage.ru_utime + usage.ru_stime


def main():
    """Check the rows, then time both in turns."""
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 100_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    with tempfile.TemporaryDirectory() as folder:
        program = compile_baseline(folder)
        for contract in (None, *CONTRACTS):
            assert np.array_equal(figures_of(rows_of(contract, 20_000, 20_000)), baseline_rows(program, contract, 20_000)), contract
            number = "-1" if contract is None else str(BID_TEXTS.index(contract))
            ratios, speeds = [], []
            for _ in range(rounds):
                baseline = cpu_seconds([program, str(3 * n), str(SEED), number]) / 3
                begin = time.thread_time()
                rows_of(contract, n, 1000)
                seconds = time.thread_time() - begin
                speeds.append(n / seconds)
                ratios.append(baseline / seconds)
            speed, ratio = statistics.median(speeds), statistics.median(ratios)
            print(f"{contract or 'random bids':<12} {speed:12,.0f} deals/s  {ratio:.2f} x the baseline")


if __name__ == "__main__":
    main()
