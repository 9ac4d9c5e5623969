"""How long the Schafkopf solver takes for whole deals with open cards, of the contracts that `basic` bids.

    python benchmarks/solver.py [--deals 200] [--seed 1]

Single-threaded, milliseconds of processor time; every deal is solved three times, and the fastest counts.
"""

import argparse
import time

import numpy as np

from simcore.engine import Experiment, choose_move, deal_out
from simcore.games import schafkopf
from simcore.games.schafkopf.contracts import KIND_OF, SOLO, WENZ_KIND
from simcore.games.schafkopf.solver import has_solution, new_solver, solve
from simcore.protocol import effective_rules, is_over, play
from simcore.results import cpu, versions

REPEATS = 3
SHARES = (0.5, 0.9, 1.0)


def solved_deals(experiment, kind, n, solver):
    """Milliseconds for each of *n* deals in which somebody plays a contract of *kind*."""
    times, unit = [], 0
    while len(times) < n:
        table = deal_out(experiment, unit)
        state, unit = table["deal"][0], unit + 1
        while not is_over(state) and not has_solution(state):
            play(state, np.uint64(choose_move(table[0])))
        if is_over(state) or KIND_OF[state.contract] != kind:
            continue
        best = float("inf")
        for _ in range(REPEATS):
            begin = time.process_time()
            solve(state, solver)
            best = min(best, time.process_time() - begin)
        times.append(1000 * best)
    return times


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=200, help="deals of each kind of contract")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rules = effective_rules(schafkopf.SWITCHES, {})
    experiment = Experiment(schafkopf, rules, ("basic",) * 4, (tuple(range(4)),), options.seed, False)
    solver = new_solver()
    print(f"ms to solve a deal from its first card, on {cpu()}, {', '.join(' '.join(pair) for pair in versions().items())}")
    print(f"{'':<5} {'deals':>6} {'median':>7} {'90%':>7} {'most':>7}")
    for name, kind in (("Solo", SOLO), ("Wenz", WENZ_KIND)):
        times = solved_deals(experiment, kind, options.deals, solver)
        print(f"{name:<5} {len(times):>6} " + " ".join(f"{value:>7.1f}" for value in np.quantile(times, SHARES)))


if __name__ == "__main__":
    main()
