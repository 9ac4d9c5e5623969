"""cosmic perft: counting move sequences."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import MAX_SEED, game_argument, make_experiment, players_option, set_option
from cli.replay import read_json
from cli.text import aligned

if TYPE_CHECKING:
    import numpy as np


@click.command("perft", epilog="Example: cosmic perft eidex --seed 7 --deal 0 --depth 5")
@game_argument
@click.option("--position", type=click.Path(path_type=Path), help="Scenario file (a deal or a position) to start from.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Seed of the deal to start from [default: 0].")
@click.option("--deal", type=click.IntRange(0, 10**12), help="Number of the deal under the seed [default: 0].")
@players_option
@set_option
@click.option("--depth", type=click.IntRange(0, 64), required=True, help="Longest sequences, in moves.")
def command(
    game: str, position: Path | None, seed: int | None, deal: int | None, players: int | None, settings: tuple[str, ...], depth: int
) -> None:
    """Count the legal move sequences of GAME.

    From a deal or a position, for each length up to --depth. The checksum adds (seat + 1) times the points that each seat has taken,
    over the ends of all sequences.
    """
    from simcore.perft import perft
    from simcore.protocol import n_seats

    if position is None:
        states = _dealt(game, seed or 0, deal or 0, players, settings)
    elif seed is not None or deal is not None or players is not None or settings:
        raise click.UsageError("--position brings its own deal and rules: leave out --seed, --deal, --players and --set")
    else:
        states = _read(game, position)
    rows = [["depth", "sequences", "checksum"]]
    for length in range(depth + 1):
        # A kernel does not hear Ctrl-C; the main thread does, while it waits for another one.
        thread = threading.Thread(
            target=lambda n=length: rows.append([str(n), *map(str, perft(states, n, n_seats(states[0])))]), daemon=True
        )
        thread.start()
        while thread.is_alive():
            thread.join(0.1)
    click.echo("\n".join(aligned(rows)))


def _dealt(game_name: str, seed: int, deal: int, players: int | None, settings: tuple[str, ...]) -> "np.ndarray":
    from simcore.engine import deal_out

    experiment = make_experiment(game_name, players=players, policy="random", policies=None, settings=settings, seed=seed, is_match=False)
    return deal_out(experiment, deal)["deal"]


def _read(game_name: str, file: Path) -> "np.ndarray":
    from simcore.dispatch import game_of
    from simcore.scenario import find_game, load_state

    find_game(game_name)
    data = read_json(file)
    try:
        states = load_state(data)
    except ValueError as error:
        raise click.UsageError(f"{file}: {error}") from error
    if (found := game_of(states.dtype).NAME) != game_name:
        raise click.UsageError(f"{file} is a scenario of {found}, not {game_name}")
    return states
