"""How fast Eidex with three drawn characters is played, as ratios to plain Eidex in the same run.

Both sides take turns, on one thread, and are timed by processor time.

    python benchmarks/characters.py
"""

import statistics
import time

from simcore.engine import Experiment, new_table, play_units
from simcore.protocol import effective_rules
from simcore.scenario import find_game

# Policy at all seats, and the deals of a turn with characters; plain Eidex plays three times as many.
POLICIES = {"random": 100_000, "basic": 20_000, "search:8": 150}
TURNS = 5


def rate(name: str, policy: str, n: int) -> float:
    """Deals in a second of processor time."""
    game = find_game(name)
    experiment = Experiment(game, effective_rules(game.SWITCHES, {}), (policy,) * 3, ((0, 1, 2),), 1, False)
    table = new_table(experiment)
    play_units(experiment, 0, 2, table)
    start = time.process_time()
    play_units(experiment, 0, n, table)
    return n / (time.process_time() - start)


def main() -> None:
    """Print a line for each policy."""
    for policy, n in POLICIES.items():
        pairs = [(rate("cosmic-eidex", policy, n), rate("eidex", policy, 3 * n)) for _ in range(TURNS)]
        ratios = [with_characters / plain for with_characters, plain in pairs]
        best = max(first for first, _ in pairs) / max(second for _, second in pairs)
        print(f"{policy:<9} with characters / plain: median {statistics.median(ratios):.3f}, best to best {best:.3f}")


if __name__ == "__main__":
    main()
