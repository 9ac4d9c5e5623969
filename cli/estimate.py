"""cosmic estimate: what each move is worth to a seat that sees only what it may see."""

import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from cli.options import Count, Percentage, drawn_seed, game_argument, json_option, read_policies, rules_option, seating_options, seed_option
from cli.replay import read_json
from cli.summary import description
from cli.text import aligned, figure, words

if TYPE_CHECKING:
    import numpy as np

    from simcore.engine import Experiment

DEFAULT_WORLDS = 2_000
MAX_WORLDS = 1_000_000
_CHUNK = 500
_LEVEL = 0.95
_FEW_VALUES = 6
_TENTHS = (0.1, 0.5, 0.9)


@click.command("estimate", epilog="Example: cosmic estimate eidex position.json --policy basic --until 1%")
@game_argument
@click.argument("position", type=click.Path(path_type=Path), required=False)
@seating_options
@click.option("--worlds", type=Count(), help=f"Number of worlds [default: {DEFAULT_WORLDS:_}].")
@click.option("--until", type=Percentage(), metavar="P%", help="Stop when every move's interval is at most this half-width.")
@click.option("--open", "is_open", is_flag=True, help="All cards are open, and both sides play their best: exact values, no worlds.")
@click.option("--table", type=click.Path(path_type=Path), help="No POSITION: write a table of sampled opening hands to this parquet file.")
@seed_option
@rules_option
@json_option
def command(
    game: str,
    position: Path | None,
    policy: str | None,
    policies: str | None,
    worlds: int | None,
    until: float | None,
    is_open: bool,
    table: Path | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Value of every move open to the seat to act in POSITION.

    POSITION is a scenario file: a deal with its moves so far, or a position. What the seat to act cannot know is drawn anew in every
    world, whatever the file says of it; in a position it may as well be null. All moves are tried in the same worlds, and the players
    play on by --policy.

    With --open nothing is drawn: the file tells all cards. With --table the first seat's opening moves are tried on --worlds dealt
    hands, and the parquet file says how they fare by what the hands have. Some games have these.
    """
    if table is not None:
        if position is not None or is_open or until is not None:
            raise click.UsageError("--table takes no POSITION, --open or --until")
        click.echo(write_hand_table(game, table, policy, policies, worlds or DEFAULT_WORLDS, drawn_seed() if seed is None else seed))
        return
    if position is None:
        raise click.UsageError("give the POSITION, a scenario file; or --table FILE for opening hands")
    if is_open:
        click.echo(open_text(game, position, as_json))
        return
    import numpy as np

    from simcore.estimate import open_moves, try_moves

    if worlds is not None and worlds > MAX_WORLDS:
        raise click.UsageError(f"--worlds is at most {MAX_WORLDS:_}")
    states, experiment = _read(game, position, policy, policies, drawn_seed() if seed is None else seed)
    moves = open_moves(states)
    n_most = worlds or (MAX_WORLDS if until else DEFAULT_WORLDS)
    parts, chances, n_worlds = [], [], 0
    # With --until it looks after every chunk, so the intervals are sequences that bear it.
    for rows, chance in try_moves(experiment, states, min(_CHUNK, n_most)):
        parts.append(rows)
        chances.append(chance)
        n_worlds += len(rows) // len(moves)
        if n_worlds >= n_most or (until and _widest(experiment, states, np.concatenate(parts), len(moves)) <= until):
            break
    figures = _figures(experiment, states, np.concatenate(parts), np.concatenate(chances), moves, is_sequence=until is not None)
    if as_json:
        click.echo(json.dumps(_as_json(experiment, states, figures, n_worlds), indent=2))
    else:
        click.echo("\n".join(_lines(experiment, states, figures, n_worlds, is_sequence=until is not None)))


def _read(
    game_name: str, file: Path, policy: str | None, policies: str | None, seed: int, *, may_hide: bool = True
) -> "tuple[np.ndarray, Experiment]":
    from simcore.dispatch import game_of
    from simcore.engine import Experiment
    from simcore.protocol import is_over, n_seats
    from simcore.scenario import find_game, play_to

    find_game(game_name)
    data = read_json(file)
    try:
        states = play_to(data, may_hide=may_hide)
    except ValueError as error:
        raise click.UsageError(f"{file}: {error}") from error
    game = game_of(states.dtype)
    if game_name not in (game.NAME, getattr(game, "BASE", None)):
        raise click.UsageError(f"{file} is a scenario of {game.NAME}, not {game_name}")
    if is_over(states[0]):
        raise click.UsageError(f"{file}: the deal is over")
    seats = int(n_seats(states[0]))
    by_seat = read_policies(policy, policies, seats, game)
    return states, Experiment(game, states["rules"].copy(), by_seat, (tuple(range(seats)),), seed, False)


def open_text(game_name: str, file: Path, as_json: bool) -> str:
    """What each move is worth with open cards, the best first."""
    from simcore.estimate import open_moves
    from simcore.protocol import seat_to_act

    states, experiment = _read(game_name, file, None, None, 0, may_hide=False)
    game = experiment.game
    if not hasattr(game, "open_values"):
        raise click.UsageError(f"{game.NAME} has no solver for open cards")
    moves = open_moves(states)
    values = game.open_values(states, moves)
    found = [{"move": game.move_text(states[0], move)} | value for move, value in zip(moves, values, strict=True) if value is not None]
    if not found:
        raise click.UsageError(f"{file}: the solver of {game.NAME} takes none of the moves of this position")
    unit = game.SEAT_MEASURES[0].name
    found.sort(key=lambda entry: -entry[unit])
    seat = int(seat_to_act(states[0]))
    if as_json:
        return json.dumps({"game": game.NAME, "seat": seat, "moves": found}, indent=2)
    columns = list(found[0])[1:]
    table = [["", *map(words, columns)], *([entry["move"], *(f"{entry[name]:,}" for name in columns)] for entry in found)]
    title = f"{game.TITLE}: seat {seat} is to {game.decision_text(states[0])}; all cards open, best play of both sides"
    left_out = len(moves) - len(found)
    notes = [getattr(game, "OPEN_NOTE", "exact"), *([f"left out: {left_out} moves that the solver does not take"] if left_out else [])]
    return "\n".join([title, *notes, "", *aligned(table)])


def write_hand_table(game_name: str, file: Path, policy: str | None, policies: str | None, n_hands: int, seed: int) -> str:
    """Write the table of opening hands; what there is to say about it."""
    from cli.options import make_experiment
    from simcore.results.hands import hand_table
    from simcore.scenario import find_game

    game = find_game(game_name)
    if file.is_dir() or not file.resolve().parent.is_dir():
        raise click.UsageError(f"--table {file}: {'is a folder' if file.is_dir() else 'there is no such folder'}")
    if not hasattr(game, "hand_features"):
        raise click.UsageError(f"{game.NAME} has no table of opening hands")
    options: dict[str, Any] = {"players": None, "policy": policy, "policies": policies, "settings": (), "is_match": False}
    experiment = make_experiment(game_name, seed=seed, **options)
    table = hand_table(experiment, n_hands)
    table.to_parquet(file)
    return "\n".join([*description(experiment, n_hands), f"{len(table):,} rows: {file}"])


def _by_move(rows: "np.ndarray", n_moves: int, column: int) -> "np.ndarray":
    """One figure as an int64 array of shape (worlds, moves)."""
    return rows[:, column].reshape(-1, n_moves).astype("int64")


def _columns(experiment: "Experiment", seat: int) -> dict[str, int]:
    names = experiment.deal_columns()
    return {m.name: names.index(f"{m.name}_{seat}") for m in experiment.game.SEAT_MEASURES}


def _sequence(values: "np.ndarray", low: int, high: int) -> "tuple[np.ndarray, np.ndarray]":
    from simcore.statistics import bounded_mean_sequence, empirical_bernstein_sequence, simultaneous_level

    level = simultaneous_level(_LEVEL, values.shape[1])
    if high - low < _FEW_VALUES:
        return bounded_mean_sequence(len(values), values.sum(axis=0), low, high, level)
    # A wide range of which the values use a small part.
    return empirical_bernstein_sequence(values, low, high, level)


def _widest(experiment: "Experiment", states: "np.ndarray", rows: "np.ndarray", n_moves: int) -> float:
    """Largest half-width of the moves' sequences, as a share of the range of the headline."""
    from simcore.engine import unit_bounds
    from simcore.protocol import seat_to_act

    headline = experiment.game.SEAT_MEASURES[0]
    values = _by_move(rows, n_moves, _columns(experiment, int(seat_to_act(states[0])))[headline.name])
    least, most = unit_bounds(experiment.game, states)
    low, high = _sequence(values, least, most)
    return float((high - low).max()) / 2 / (most - least)


def _figures(
    experiment: "Experiment", states: "np.ndarray", rows: "np.ndarray", chances: "np.ndarray", moves: list[int], *, is_sequence: bool
) -> list[dict]:
    """For each move, the best first: its figures with intervals, and the paired difference to the best."""
    import numpy as np

    from simcore.engine import unit_bounds
    from simcore.protocol import seat_to_act
    from simcore.statistics import block_interval, simultaneous_level

    game, columns = experiment.game, _columns(experiment, int(seat_to_act(states[0])))
    n_worlds = len(rows) // len(moves)
    headline = game.SEAT_MEASURES[0]
    values = _by_move(rows, len(moves), columns[headline.name])
    sign = -1 if headline.is_cost else 1
    best = int((sign * values.mean(axis=0)).argmax())
    level = simultaneous_level(_LEVEL, max(len(moves) - 1, 1))
    least, most = unit_bounds(game, states)
    names, found = experiment.deal_columns(), []
    for k, move in enumerate(moves):
        hint = game.hint(states[0], move) if hasattr(game, "hint") else ""
        entry: dict[str, Any] = {"move": game.move_text(states[0], move) + hint, "measures": {}, "deal": {}}
        for m in experiment.seat_figures:
            one = _by_move(rows, len(moves), columns[m.name])[:, k]
            entry["measures"][m.name] = _mean_with_interval(one, *((least, most) if m is headline else (m.low, m.high)))
        for m in game.DEAL_MEASURES:
            entry["deal"][m.name] = _mean_with_interval(_by_move(rows, len(moves), names.index(m.name))[:, k], m.low, m.high)
        chance = chances.reshape(-1, len(moves))[:, k]
        entry["match"] = None if np.isnan(chance).any() else _mean_with_interval(chance, 0, 1)
        if is_sequence:
            low, high = _sequence(values, least, most)
            entry["measures"][headline.name] |= {"low": float(low[k]), "high": float(high[k])}
        seen, counts = np.unique(values[:, k], return_counts=True)
        entry["shares"] = {int(value): float(count / n_worlds) for value, count in zip(seen, counts, strict=True)}
        ends = np.quantile(values[:, k], _TENTHS, method="inverted_cdf")
        entry["tenths"] = {f"{tenth:.0%}": int(end) for tenth, end in zip(_TENTHS, ends, strict=True)}
        difference = values[:, k] - values[:, best]
        error = float(difference.std(ddof=1) / math.sqrt(n_worlds)) if n_worlds > 1 else math.nan
        low, high = block_interval(float(difference.mean()), error, n_worlds, level)
        entry["difference"] = {"mean": float(difference.mean()), "standard_error": error, "low": float(low), "high": float(high)}
        entry["is_best"] = k == best
        entry["may_be_best"] = k == best or not (low > 0 if headline.is_cost else high < 0)
        found.append(entry)
    return sorted(found, key=lambda entry: -sign * entry["measures"][headline.name]["mean"])


def _mean_with_interval(one: "np.ndarray", low: int, high: int) -> dict[str, float]:
    from simcore.statistics import block_interval, wilson

    n, mean = len(one), float(one.mean())
    error = float(one.std(ddof=1) / math.sqrt(n)) if n > 1 else math.nan
    is_share = (low, high) == (0, 1) and one.dtype.kind == "i"
    ends = wilson(int(one.sum()), n, _LEVEL) if is_share else block_interval(mean, error, n, _LEVEL, low, high)
    return {"n": n, "mean": mean, "standard_error": error, "low": float(ends[0]), "high": float(ends[1])}


def _lines(experiment: "Experiment", states: "np.ndarray", found: list[dict], n_worlds: int, *, is_sequence: bool) -> list[str]:
    from simcore.protocol import seat_to_act

    game, seat = experiment.game, int(seat_to_act(states[0]))
    headline, *others = experiment.seat_figures
    values = sorted({value for entry in found for value in entry["shares"]})
    shown = values if len(values) <= _FEW_VALUES else []
    # Of many values, those that a tenth, a half and nine tenths of the worlds do not exceed.
    tenths = [] if shown else _TENTHS
    header = ["", words(headline.name), *(f"{value}" for value in shown), *(f"{tenth:.0%}" for tenth in tenths), "to the best", ""]
    has_chance = found[0]["match"] is not None
    table = [header + [f"wins the {game.MATCH}"] * has_chance + [words(m.name) for m in others]]
    for entry in found:
        rows = {name: SimpleNamespace(**row) for name, row in entry["measures"].items()}
        difference = "" if entry["is_best"] else figure(SimpleNamespace(**entry["difference"]), False, with_interval=True, signed=True)
        mark = "best" if entry["is_best"] else "as good?" if entry["may_be_best"] else ""
        cells = [entry["move"], figure(rows[headline.name], headline.is_rate, with_interval=True)]
        cells += [f"{entry['shares'].get(value, 0):.1%}" for value in shown]
        cells += [str(entry["tenths"][f"{tenth:.0%}"]) for tenth in tenths]
        chance = [figure(SimpleNamespace(**entry["match"]), True, with_interval=True)] if has_chance else []
        table.append([*cells, difference, mark, *chance, *(figure(rows[m.name], m.is_rate) for m in others)])
    deals = [["", *(words(m.name) for m in game.DEAL_MEASURES)]]
    for entry in found:
        rows = {name: SimpleNamespace(**row) for name, row in entry["deal"].items()}
        deals.append([entry["move"], *(figure(rows[m.name], m.is_rate, with_interval=m.is_rate) for m in game.DEAL_MEASURES)])
    title = description(experiment, n_worlds)
    title[0] = title[0].replace("deals, seed", "worlds, seed")
    way = "a sequence that bears looking, simultaneous over the moves" if is_sequence else "Student or Wilson"
    return [
        *title,
        *(game.insight(states[0]) if hasattr(game, "insight") else ()),
        f"seat {seat} is to {game.decision_text(states[0])}; the others' cards are drawn anew in every world",
        f"[low, high]: 95% interval, {way}; differences on the same worlds, simultaneous over the moves",
        *([f"10%, 50%, 90%: so many of the worlds bring no more {words(headline.name)}"] if tenths else []),
        "",
        *aligned(table),
        "",
        "the deals that follow",
        *aligned(deals),
    ]


def _as_json(experiment: "Experiment", states: "np.ndarray", found: list[dict], n_worlds: int) -> dict[str, Any]:
    from simcore.protocol import seat_to_act

    about = {"game": experiment.game.NAME, "seat": int(seat_to_act(states[0])), "worlds": n_worlds, "seed": experiment.seed}
    return about | {"policies": list(experiment.policies), "confidence": _LEVEL, "moves": found}
