"""cosmic balance: which characters are too strong, by how much, and how sure that is."""

import itertools
import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from cli.options import (
    DEFAULT_POLICY,
    Count,
    Percentage,
    Seconds,
    drawn_seed,
    json_option,
    quiet_option,
    read_characters,
    read_policy,
    read_rules,
    seed_option,
    set_option,
    threads_option,
)
from cli.running import command_line, play, resume_text
from cli.text import aligned, figure

if TYPE_CHECKING:
    import numpy as np

    from simcore.balance import Balance, Blocks, Change, Estimates, Pairs
    from simcore.engine import Experiment
    from simcore.results import Run

GAME = "cosmic-eidex"
DEFAULT_GAMES = 60_000
DEFAULT_MARGIN = 0.02
AS_IT_IS = "default"
_FOLDER = Path("cosmic-runs")
_N_LISTED = 5
# The counts of all tables of three are many: a chunk of few tournaments would be written longer than played.
_LEAST_CHUNK = 120


@dataclass(frozen=True)
class Side:
    """One way to play the cards, and what came out."""

    name: str
    run: "Run"
    blocks: "Blocks"
    balance: "Balance"


@click.command("balance", epilog="Example: cosmic balance --games 60k --policy basic --pairs --out balance")
@click.option("--games", type=Count(), help=f"Number of tournaments, rounded up to whole blocks of six [default: {DEFAULT_GAMES:_}].")
@click.option("--deals", type=Count(), help="Number of independent single deals instead: victory points of a hand.")
@click.option("--until", type=Percentage(), metavar="P%", help="Stop when all simultaneous intervals are at most this half-width.")
@click.option("--seconds", type=Seconds(0, min_open=True, max=1e9), help="Stop after so many seconds (whole chunks).")
@click.option("--policy", "policies", multiple=True, metavar="P", help=f"Who plays; repeatable, to compare [default: {DEFAULT_POLICY}].")
@set_option
@click.option("--against", multiple=True, metavar="RULE=VALUE", help="Rules to compare with, on the same cards; `default` for no --set.")
@click.option("--margin", type=Percentage(), default=DEFAULT_MARGIN, metavar="P%", help="Near enough to fair [default: 2%].")
@click.option("--focus", metavar="NAME", help="Spend all deals on one character.")
@click.option("--triple", metavar="A,B,C", help="Look at one table in depth.")
@click.option("--pairs", "with_pairs", is_flag=True, help="Print who does better against whom.")
@click.option("--lift/--no-lift", default=True, help="Play every block again without a power, to see what it adds (twice the time).")
@seed_option
@threads_option
@click.option("--chunk", type=Count(), help="Tournaments in a chunk [default: by the policies]; changes no figure.")
@click.option("--out", type=click.Path(path_type=Path), help="Run folder, new or empty; with several sides, a folder in it for each.")
@json_option
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    games: int | None,
    deals: int | None,
    until: float | None,
    seconds: float | None,
    margin: float,
    with_pairs: bool,
    lift: bool,
    seed: int | None,
    threads: int | None,
    chunk: int | None,
    out: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """How strong each character of Cosmic Eidex is.

    Tournaments of three different characters, drawn at random, in all six seatings on the same cards. Prints the characters by win
    rate: interval for all together, difference from fair, p (Holm), verdict against --margin, victory points and uses per hand, lift
    (what the power adds on the same cards), rating (Plackett-Luce) and shrunken rate. With several policies, or with --against, the
    same cards are played by each side, and the differences are printed.
    """
    from simcore.results import MUTED, UNITS, begin, configure, default_chunk, new_folder, whole_blocks

    if games is not None and deals is not None:
        raise click.UsageError("give --deals or --games, not both")
    units = deals or games or (None if until or seconds else DEFAULT_GAMES)
    seed = drawn_seed() if seed is None else seed
    experiments = read_sides(seed=seed, is_match=deals is None, lift=lift, **options)
    out = out or new_folder(_FOLDER / f"balance-{seed}")
    if len(experiments) > 1 and (out / "run.json").exists():
        raise click.UsageError(f"{out} already holds a run; give a new folder")
    runs, again = [], f"the same command and --seed {seed} --out {shlex.quote(str(out))}"
    for name, experiment in experiments.items():
        configuration = configure(
            experiment,
            whole_blocks(experiment, chunk or max(default_chunk(experiment, False), _LEAST_CHUNK)),
            units and whole_blocks(experiment, units),
            until=until,
            seconds=seconds,
            rows=MUTED if lift else UNITS,
        )
        run = _begun(configuration, out / re.sub(r"\W", "-", name)) if len(experiments) > 1 else begin(configuration, out, command_line())
        runs.append(run)
        play(run, threads, quiet)
        if run.info["state"] != "done":
            break
    names = list(experiments)
    ctx.exit(show(runs, names, margin, with_pairs=with_pairs, as_json=as_json, quiet=quiet, again=again if len(names) > 1 else None))


def _begun(configuration: dict[str, Any], folder: Path) -> "Run":
    """One of several sides in its *folder*: begun now, or by the same command before it was stopped."""
    from simcore.results import begin, differences, open_run

    if not (folder / "run.json").exists():
        return begin(configuration, folder, command_line())
    run = open_run(folder)
    for name, then, now in differences(run.info, configuration):
        raise click.UsageError(f"{folder} already holds a run, whose {name} was {then}, not {now}; give a new folder")
    return run


def show(
    runs: "list[Run]", names: list[str], margin: float, *, with_pairs: bool, as_json: bool, quiet: bool, again: str | None = None
) -> int:
    """Print what the runs have found, and how to go on *again* if they are not done; the exit code."""
    sides = [side_of(name, run, margin) for name, run in zip(names, runs, strict=False) if run.n_chunk_files]
    if as_json:
        click.echo(json.dumps(_json(sides, margin, with_pairs), indent=2))
    elif quiet:
        click.echo("\n".join(str(run.folder) for run in runs))
    else:
        click.echo("\n".join(_lines(sides, margin, with_pairs)))
    if runs[-1].info["state"] == "done":
        return 0
    click.echo(f"interrupted; {f'go on with {again}' if again else resume_text(runs[-1])}", err=True)
    return 130


def read_sides(
    *,
    policies: tuple[str, ...],
    settings: tuple[str, ...],
    against: tuple[str, ...],
    focus: str | None,
    triple: str | None,
    seed: int,
    is_match: bool,
    lift: bool = False,
) -> "dict[str, Experiment]":
    """The experiments that the options describe, by the name of the side."""
    from simcore.engine import Experiment

    if focus is not None and triple is not None:
        raise click.UsageError("give --focus or --triple, not both")
    if focus is not None and ("," in focus or focus in ("random", "none")):
        raise click.UsageError(f"--focus {focus}: name one character, see `cosmic characters`")
    if triple is not None and (triple.count(",") != 2 or {"random", "none"} & set(triple.split(","))):
        raise click.UsageError(f"--triple {triple}: name three characters, see `cosmic characters`")
    module, chosen = read_characters(GAME, f"{focus},random,random" if focus else triple or "random")
    names = [read_policy(text, module) for text in policies] or [DEFAULT_POLICY]
    if len(set(names)) < len(names):
        raise click.UsageError(f"--policy {names[-1]} is there twice")
    if against and len(names) > 1:
        raise click.UsageError("give --against or several --policy, not both")
    if against and AS_IT_IS in against and len(against) > 1:
        raise click.UsageError(f"--against {AS_IT_IS} stands alone")
    rules = read_rules(module, settings + chosen)
    if lift and rules[module.MUTE_RULE][0]:
        raise click.UsageError(f"--set {module.MUTE_RULE}: the lift takes powers away by itself; add --no-lift")
    seatings = tuple(itertools.permutations(range(3)))
    sides = {name: Experiment(module, rules, (name,) * 3, seatings, seed, is_match) for name in names}
    if not against:
        return sides
    if not settings and against == (AS_IT_IS,):
        raise click.UsageError("--against needs a rule on one of the sides, by --set or --against")
    other = read_rules(module, chosen if against == (AS_IT_IS,) else against + chosen)
    if other.tobytes() == rules.tobytes():
        raise click.UsageError("--set and --against give the same rules: there is nothing to compare")
    changed = Experiment(module, other, (names[0],) * 3, seatings, seed, is_match)
    return {"set": sides[names[0]], "against": changed}


def side_of(name: str, run: "Run", margin: float) -> Side:
    """What a run of `cosmic balance` says, about the characters that its rules single out, or all."""
    from simcore.balance import judge
    from simcore.results import blocks_of, most_score

    blocks = blocks_of(run)
    given = [value for value in run.info["characters"] if value not in ("random", "none")]
    chosen = blocks.only(given) if given else blocks
    fair = 1 / 3 if run.experiment.is_match else None
    most = most_score(run.experiment)
    balance = judge(chosen, margin * most, fair=fair, most=most, is_watched=run.info["until"] is not None)
    return Side(name, run, blocks, balance)


def _lines(sides: list[Side], margin: float, with_pairs: bool) -> list[str]:
    lines: list[str] = []
    for side in sides:
        lines += [*_header(side, margin, len(sides) > 1), "", *_table(side), "", *_whole(side), ""]
        given = _given(side)
        if given:
            lines += [*_by_seat(side, given), ""]
        if with_pairs or given:
            lines += [*_pair_lines(side, given), ""]
    for one, other in itertools.pairwise(sides):
        lines += [*_change_lines(one, other), ""]
    return [*lines, *(f"run folder: {side.run.folder}" for side in sides)]


def _header(side: Side, margin: float, has_name: bool) -> list[str]:
    from cli.summary import description

    experiment, blocks, score = side.run.experiment, side.blocks, side.balance.score
    k, fair = len(side.balance.names), _score_text(side, side.balance.fair)
    most = 1 if experiment.is_match else 2
    margin_text = f"{100 * margin:g} points" if experiment.is_match else f"{most * margin:g}"
    together = f" for all {k} together" if k > 1 else ""
    how = "confidence sequences on blocks" if side.run.info["until"] else "a band from the covariance of the blocks"
    title, *players = description(experiment, blocks.n_units)
    lines = [f"{title}{f' ({side.name})' if has_name else ''}", *players]
    lines += [
        f"{len(blocks):,} blocks: the same cards and characters in {blocks.score.shape[1]} seatings; a character is in "
        f"{int(score.blocks.min()):,} or more",
        f"[low, high]: 95%{together}, {how}; fair: {fair}; p: of being fair, adjusted (Holm); margin: {margin_text}",
        "lift: what the power adds on the same cards; rating: Plackett-Luce, logits from the mean; shrunken: best guess, luck taken off",
    ]
    return lines


def _score_text(side: Side, value: float) -> str:
    return f"{100 * value:.1f}%" if side.run.experiment.is_match else f"{value:.3f}"


def _row(estimates: "Estimates", i: int) -> Any:
    """Figure number *i* as `figure` wants it."""
    return SimpleNamespace(mean=estimates.mean[i], standard_error=estimates.error[i], low=estimates.low[i], high=estimates.high[i])


def _less(estimates: "Estimates", i: int, fair: float) -> Any:
    row = _row(estimates, i)
    return SimpleNamespace(mean=row.mean - fair, standard_error=row.standard_error, low=row.low - fair, high=row.high - fair)


def _table(side: Side) -> list[str]:
    """The characters, the most successful first."""
    balance, is_rate = side.balance, side.run.experiment.is_match
    has_lift = balance.lift is not None
    first = "win rate" if is_rate else "points of a hand"
    header = ["", first, "difference", "p", "verdict", "ranks", "points/hand", "uses/hand", *["lift"] * has_lift, "rating", "shrunken"]
    rows = [header]
    for i in balance.order:
        cells = [balance.names[i], figure(_row(balance.score, i), is_rate, with_interval=True)]
        cells += [figure(_less(balance.score, i, balance.fair), is_rate, signed=True), _p(balance.p[i]), balance.verdict[i]]
        cells += [_ranks(balance.best_rank[i], balance.worst_rank[i])]
        cells += [figure(_row(balance.points, i), False), figure(_row(balance.uses, i), False)]
        if balance.lift is not None:
            cells.append(figure(_row(balance.lift, i), is_rate, with_interval=True, signed=True))
        cells.append(_rating(balance.rating[i], balance.rating_error[i]))
        rows.append([*cells, figure(SimpleNamespace(**vars(_row(balance.score, i)) | {"mean": balance.shrunken[i]}), is_rate)])
    return aligned(rows)


def _p(p: float) -> str:
    return "-" if p != p else "<0.001" if p < 0.001 else f"{p:.3f}"


def _ranks(best: int, worst: int) -> str:
    return f"{best}" if best == worst else f"{best}-{worst}"


def _rating(rating: float, error: float) -> str:
    return "-" if rating != rating else f"{rating:+.2f} ±{error:.2f}"


def _whole(side: Side) -> list[str]:
    """Seats, and the tournament as a whole."""
    from simcore.balance import STRONG, UNKNOWN, WEAK, WITHIN

    balance, is_rate = side.balance, side.run.experiment.is_match
    seats = [f"{seat}: {figure(_row(balance.seats, seat), is_rate, with_interval=True)}" for seat in range(len(balance.seats.mean))]
    lines = [f"seats  {'   '.join(seats)}"]
    if is_rate:
        lines.append(f"hands of a tournament: {figure(_row(balance.hands, 0), False)}")
    lines.append(f"Match: {figure(_row(balance.matches, 0), True)} of the hands")
    counts = {verdict: [balance.names[i] for i in balance.order if balance.verdict[i] == verdict] for verdict in (STRONG, WEAK)}
    lines += [f"{verdict}: {', '.join(names) or 'nobody'}" for verdict, names in counts.items()]
    return [*lines, "; ".join(f"{verdict}: {balance.verdict.count(verdict)}" for verdict in (WITHIN, UNKNOWN))]


def _given(side: Side) -> list[str]:
    return [value for value in side.run.info["characters"] if value not in ("random", "none")]


def _by_seat(side: Side, given: list[str]) -> list[str]:
    from simcore.balance import seats_of
    from simcore.results import most_score

    is_rate = side.run.experiment.is_match
    rows = [["by seat", *map(str, range(3))]]
    for name in given:
        seats = seats_of(side.blocks, name, most_score(side.run.experiment))
        rows.append([name, *(figure(_row(seats, seat), is_rate, with_interval=True) for seat in range(3))])
    return aligned(rows)


def _pairs(side: Side, given: list[str]) -> "Pairs":
    from simcore.balance import pairs
    from simcore.results import most_score

    return pairs(side.blocks, given[0] if len(given) == 1 else None, most_score(side.run.experiment))


def _pair_lines(side: Side, given: list[str]) -> list[str]:
    """Who does better against whom: a matrix, then the pairs that are sure."""
    import numpy as np

    found, names, is_rate = _pairs(side, given), side.blocks.names, side.run.experiment.is_match
    unit = "points" if is_rate else "hundredths of a victory point"
    if len(given) == 1:
        own = names.index(given[0])
        others = [j for j in np.argsort(-np.nan_to_num(found.difference[own], nan=-np.inf)) if found.blocks[own, j]]
        rows = [[f"{given[0]} less", "difference", "blocks"]]
        rows += [[names[j], _pair_figure(found, own, j, is_rate), f"{found.blocks[own, j]:,}"] for j in others]
        return ["at the tables of both; [low, high]: 95% for all of these pairs together", *aligned(rows)]
    order = list(range(len(names))) if given else side.balance.order.tolist()
    cells = [["", *(str(number) for number in range(1, len(order) + 1))]]
    for number, i in enumerate(order, 1):
        cells.append([f"{number} {names[i]}", *(_pair_cell(found, i, j) for j in order)])
    sure = [(i, j) for i in order for j in order if found.low[i, j] > 0]
    sure.sort(key=lambda pair: -found.difference[pair])
    return [
        f"the character of the row less that of the column, at the tables of both, in {unit}; *: sure, all pairs together at 95%",
        *aligned(cells),
        *([""] if sure else []),
        *(f"{names[i]} less {names[j]}: {_pair_figure(found, i, j, is_rate)}" for i, j in sure[: 2 * _N_LISTED]),
    ]


def _pair_figure(found: "Pairs", i: int, j: int, is_rate: bool) -> str:
    row = SimpleNamespace(mean=found.difference[i, j], standard_error=found.error[i, j], low=found.low[i, j], high=found.high[i, j])
    return figure(row, is_rate, with_interval=True, signed=True)


def _pair_cell(found: "Pairs", i: int, j: int) -> str:
    if i == j or found.difference[i, j] != found.difference[i, j]:
        return "."
    return f"{100 * found.difference[i, j]:+.0f}{'*' if found.low[i, j] > 0 or found.high[i, j] < 0 else ''}"


def _change(one: Side, other: Side) -> "Change":
    """What the first side has more than the second if rules are compared, the second more than the first if policies are."""
    from simcore.balance import change
    from simcore.results import most_score

    first, second = (other, one) if other.name == "against" else (one, other)
    given = _given(one)
    before, after = (side.blocks.only(given) if given else side.blocks for side in (first, second))
    return change(before, after, most_score(one.run.experiment), is_watched=one.run.info["until"] is not None)


def _change_lines(one: Side, other: Side) -> list[str]:
    """What a change of the rules or the policy does to each character, the largest winners first."""
    import numpy as np

    found, is_rate = _change(one, other), one.run.experiment.is_match
    first, second = (other, one) if other.name == "against" else (one, other)
    sure = found.is_sure
    rows = [["", first.name, "rank", second.name, "rank", "change", "p", ""]]
    ranks = [_place(side.balance) for side in (first, second)]
    for i in np.argsort(-np.nan_to_num(found.score.mean, nan=-np.inf), kind="stable"):
        cells = [found.names[i]]
        for side, place in zip((first, second), ranks, strict=True):
            cells += [figure(_row(side.balance.score, i), is_rate), str(place[i])]
        rows.append(
            [*cells, figure(_row(found.score, i), is_rate, with_interval=True, signed=True), _p(found.p[i]), "changed" if sure[i] else ""]
        )
    n = min(len(one.blocks), len(other.blocks))
    whole = (f"hands of a tournament {_plus_minus(found.hands, 1)}, " if is_rate else "") + f"Match {_plus_minus(found.matches, 100)}%"
    return [
        f"{second.name} less {first.name}, on the same {n:,} blocks; [low, high]: 95% for all together; p: of no change (Holm)",
        *aligned(rows),
        f"the game: {whole} of the hands (difference ± standard error)",
    ]


def _place(balance: "Balance") -> "np.ndarray":
    """Rank of each character by its score, from 1."""
    import numpy as np

    return np.argsort(balance.order) + 1


def _plus_minus(pair: tuple[float, float], scale: float) -> str:
    from simcore.statistics import decimals

    difference, error = (scale * value for value in pair)
    n = decimals(error)
    return f"{difference:+.{n}f} ±{error:.{n}f}"


def _json(sides: list[Side], margin: float, with_pairs: bool) -> dict[str, Any]:
    """All of it, for programs."""
    found: dict[str, Any] = {"margin": margin, "sides": [_side_json(side, with_pairs) for side in sides], "changes": []}
    for one, other in itertools.pairwise(sides):
        change = _change(one, other)
        rows = [{"character": name, **_numbers(change.score, i), "p_holm": _finite(change.p[i])} for i, name in enumerate(change.names)]
        whole = {key: dict(zip(("difference", "standard_error"), getattr(change, key), strict=True)) for key in ("hands", "matches")}
        first, second = (other, one) if other.name == "against" else (one, other)
        found["changes"].append({"first": first.name, "second": second.name, "characters": rows, **whole})
    return found


def _side_json(side: Side, with_pairs: bool) -> dict[str, Any]:
    balance, info = side.balance, side.run.info
    rows = []
    for i in map(int, balance.order):
        row = {"character": balance.names[i], **_numbers(balance.score, i), "difference": _finite(balance.score.mean[i] - balance.fair)}
        row |= {"p_holm": _finite(balance.p[i]), "verdict": balance.verdict[i]}
        row |= {"best_rank": int(balance.best_rank[i]), "worst_rank": int(balance.worst_rank[i]), "shrunken": _finite(balance.shrunken[i])}
        row |= {"points": _numbers(balance.points, i), "uses": _numbers(balance.uses, i)}
        row |= {"lift": None if balance.lift is None else _numbers(balance.lift, i)}
        rows.append(row | {"rating": _finite(balance.rating[i]), "rating_error": _finite(balance.rating_error[i])})
    found = {
        "name": side.name,
        "folder": str(side.run.folder),
        "state": info["state"],
        "policy": info["policies"][0],
        "rules": info["rules"],
        "seed": info["seed"],
        "unit": info["unit"],
        "units": side.blocks.n_units,
        "blocks": len(side.blocks),
        "fair": balance.fair,
        "characters": rows,
        "seats": [_numbers(balance.seats, seat) for seat in range(len(balance.seats.mean))],
        "hands": _numbers(balance.hands, 0),
        "matches": _numbers(balance.matches, 0),
    }
    given = _given(side)
    if with_pairs or given:
        found["pairs"] = _pairs_json(_pairs(side, given), side.blocks.names)
    return found


def _pairs_json(found: "Pairs", names: tuple[str, ...]) -> list[dict[str, Any]]:
    fields = ("difference", "error", "low", "high")
    return [
        {"character": names[i], "against": names[j], "blocks": int(found.blocks[i, j])}
        | {field: _finite(getattr(found, field)[i, j]) for field in fields}
        for i in range(len(names))
        for j in range(len(names))
        if i != j and found.blocks[i, j]
    ]


def _numbers(estimates: "Estimates", i: int) -> dict[str, Any]:
    row = _row(estimates, i)
    return {key: _finite(value) for key, value in vars(row).items()} | {"n": int(estimates.n[i])}


def _finite(value: float) -> float | None:
    """JSON knows no nan."""
    return float(value) if abs(value) < float("inf") else None
