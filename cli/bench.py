"""cosmic bench: how fast the games are played here."""

import json
import time
from typing import TYPE_CHECKING

import click

from cli.options import game_argument, json_option, make_experiment
from cli.text import aligned

if TYPE_CHECKING:
    from simcore.engine import Experiment

_N_COUNTED = 30


@click.command("bench", epilog="Example: cosmic bench eidex --policies random,basic,search:32 --seconds 2")
@game_argument
@click.option("--policies", default="random,basic,search:8,search:32", show_default=True, help="Policies to measure, each at all seats.")
@click.option("--seconds", type=click.FloatRange(0.01, 3600), default=1.0, show_default=True, help="Time for each policy.")
@json_option
def command(game: str, policies: str, seconds: float, as_json: bool) -> None:
    """Hands and decisions per second on one core, for each policy.

    Kernels are compiled before the clock runs; figures are tallied as in a run. Every move of a player is a decision, a forced one too.
    """
    from simcore.results import cpu, versions

    figures = []
    for policy in policies.split(","):
        experiment = make_experiment(game, players=None, policy=policy, policies=None, settings=(), seed=1, is_match=False)
        hands = units_per_second(experiment, seconds)
        decisions = _decisions_per_hand(experiment)
        figures.append((experiment.policies[0], hands, hands * decisions))
    if as_json:
        names = ("policy", "hands_per_second", "decisions_per_second")
        click.echo(
            json.dumps(
                {"game": game, "cpu": cpu(), "versions": versions(), "one_core": [dict(zip(names, f, strict=True)) for f in figures]},
                indent=2,
            )
        )
        return
    rows = [["policy", "hands/s", "decisions/s"]]
    rows += [[policy, f"{hands:,.0f}", f"{decisions:,.0f}"] for policy, hands, decisions in figures]
    click.echo(f"{game} on one core of {cpu()}\n{', '.join(' '.join(pair) for pair in versions().items())}\n")
    click.echo("\n".join(aligned(rows)))


def units_per_second(experiment: "Experiment", seconds: float) -> float:
    """Deals or matches per second on one core, over batches that grow until the time is up."""
    from simcore.engine import play_units
    from simcore.tally import tally

    tally(experiment, *play_units(experiment, 0, 2))
    done, size, start = 0, 2, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        tally(experiment, *play_units(experiment, done, size))
        done += size
        size = min(2 * size, 1 << 16)
    return done / passed


def _decisions_per_hand(experiment: "Experiment") -> float:
    """Mean number of moves in the first deals, played step by step."""
    import numpy as np

    from simcore.engine import choose_move, deal_out
    from simcore.protocol import is_over, play

    n_moves = 0
    for deal in range(_N_COUNTED):
        table = deal_out(experiment, deal)[0]
        while not is_over(table.deal):
            play(table.deal, np.uint64(choose_move(table)))
            n_moves += 1
    return n_moves / _N_COUNTED
