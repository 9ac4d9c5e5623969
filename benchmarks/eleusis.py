"""How fast rounds of Eleusis are played, and how that depends on the number of rules that the players reckon with.

    python benchmarks/eleusis.py [--policy basic] [--players 5] [--repeats 7]

Single-threaded, by processor time, the best of several repeats in turns, so that a change of the machine's speed hits all sizes of the
library alike. *ratio* is the time of a round against that with the smallest library; *words* how many words of 64 rules it has, against
the smallest one. A cost that grows no faster than the words has a ratio of at most that.
"""

import argparse
import time

from simcore.engine import Experiment, new_table, play_units
from simcore.games import eleusis
from simcore.games.eleusis.library import WORD, library
from simcore.games.eleusis.state import N_WORDS
from simcore.protocol import effective_rules
from simcore.results import cpu, versions

SIZES = (1, 2, 4, 8, 16, 24, 32, N_WORDS)
N_ROUNDS = 2000


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", default="basic", help="policy of all seats")
    parser.add_argument("--players", type=int, default=eleusis.PLAYERS[0], help="seats, the dealer's among them")
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    experiments = {
        size: Experiment(
            eleusis,
            effective_rules(eleusis.SWITCHES, {"library": size}),
            (options.policy,) * options.players,
            (tuple(range(options.players)),),
            1,
            False,
        )
        for size in SIZES
    }
    best, laid = dict.fromkeys(SIZES, float("inf")), {}
    for size, experiment in experiments.items():
        rows, _ = play_units(experiment, 0, N_ROUNDS)
        laid[size] = rows[:, experiment.deal_columns().index("cards_laid")].mean()
    for _ in range(options.repeats):
        for size, experiment in experiments.items():
            table, begin = new_table(experiment), time.process_time()
            play_units(experiment, 0, N_ROUNDS, table)
            best[size] = min(best[size], time.process_time() - begin)
    print(f"{options.policy} in all of {options.players} seats on {cpu()}, {', '.join(' '.join(pair) for pair in versions().items())}")
    print(f"{'words':>5}  {'rules':>5}  {'rounds/s':>9}  {'ratio':>5}  {'words ratio':>11}  {'cards laid':>10}  {'ns a card':>9}")
    for size in SIZES:
        n_rules = sum(rule is not None for rule in library().rules[: size * WORD])
        seconds = best[size] / N_ROUNDS
        ratio = best[size] / best[SIZES[0]]
        figures = f"{1 / seconds:>9,.0f}  {ratio:>5.2f}  {size / SIZES[0]:>11.0f}  {laid[size]:>10.1f}  {1e9 * seconds / laid[size]:>9.0f}"
        print(f"{size:>5}  {n_rules:>5}  {figures}")


if __name__ == "__main__":
    main()
