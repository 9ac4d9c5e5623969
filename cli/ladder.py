"""cosmic ladder: how strong the policies are, on duplicate deals."""

import itertools
import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from cli.options import (
    amount_options,
    characters_option,
    drawn_seed,
    game_argument,
    number_of_seats,
    players_option,
    read_amount,
    read_characters,
    read_policy,
    read_rules,
    run_options,
    seed_option,
    set_option,
)
from cli.running import command_line, play, resume_text
from cli.text import aligned, figure, words

if TYPE_CHECKING:
    import pandas as pd

    from simcore.engine import Experiment
    from simcore.results import Run


@click.command("ladder", epilog="Example: cosmic ladder eidex --policies random,basic,search:32 --deals 30k")
@game_argument
@click.option("--policies", required=True, metavar="A,B,..", help="Two or more policies.")
@amount_options
@players_option
@characters_option
@set_option
@seed_option
@run_options
@click.pass_context
def command(
    ctx: click.Context, game: str, policies: str, out: Path | None, threads: int | None, as_json: bool, quiet: bool, **options: Any
) -> None:
    """How strong policies are, on duplicate deals.

    Each of the policies sits alone at the table with each of the others in all other seats. The same cards are played with the one in
    every seat, so that the luck of the cards cancels. The amount is for each pairing, rounded up to whole sets of seats. With --out
    every pairing leaves a run folder there; else none is kept.
    """
    from simcore.results import create, default_chunk, whole_blocks

    module, chosen = read_characters(game, options["characters"])
    n_seats, rules = number_of_seats(module, options["players"]), read_rules(module, options["settings"] + chosen)
    names = [read_policy(text, module) for text in policies.split(",")]
    if len(names) < 2 or len(set(names)) < len(names):
        raise click.UsageError(f"--policies {policies}: name two or more policies, each once")
    until, seconds, rows = options["until"], options["seconds"], options["rows"]
    is_match, units = read_amount(options["deals"], options["games"], until, seconds)
    seed = drawn_seed() if options["seed"] is None else options["seed"]
    code, found = 0, []
    with _folder(out) as folder:
        for one, others in itertools.permutations(names, 2):
            experiment = pairing(module, rules, one, others, n_seats, seed, is_match)
            run = create(
                experiment,
                folder / re.sub(r"\W", "-", f"{one}-against-{others}"),
                whole_blocks(experiment, options["chunk"] or default_chunk(experiment, rows)),
                units and whole_blocks(experiment, units),
                until=until,
                seconds=seconds,
                rows=rows,
                command=command_line(),
            )
            play(run, threads, quiet)
            found.append(_result(run))
            if run.info["state"] != "done":
                code = 130
                click.echo(f"interrupted; {resume_text(run) if out else 'nothing is kept without --out'}", err=True)
                break
    click.echo(json.dumps(found, indent=2) if as_json else "\n".join(_lines(experiment, found)))
    ctx.exit(code)


def pairing(module: Any, rules: Any, one: str, others: str, n_seats: int, seed: int, is_match: bool) -> "Experiment":
    """*one* in each seat in turn against *others* in the rest, on the same cards."""
    from simcore.engine import Experiment

    seatings = tuple(tuple(int(seat != alone) for seat in range(n_seats)) for alone in range(n_seats))
    return Experiment(module, rules, (one, others), seatings, seed, is_match)


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    if out is not None:
        if (out / "run.json").exists():
            raise click.UsageError(f"{out} already holds a run; give a new folder")
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="cosmic-ladder-") as name:
        yield Path(name)


def _result(run: "Run") -> dict[str, Any]:
    """Figures of a pairing: of the one policy, and of its difference to a fair share."""
    import pandas as pd

    from simcore.results import headline

    level, measure = headline(run.experiment)
    table = pd.read_parquet(run.statistics_file)
    rows = table[(table["level"] == level) & (table["measure"] == measure) & (table["kind"] == "all") & (table["grouping"] == "policy")]
    one, others = (rows[rows["key"] == policy].iloc[0] for policy in run.experiment.policies)
    n_seats = run.experiment.n_seats
    fields = ["mean", "standard_error", "low", "high"]
    return {
        "policy": run.experiment.policies[0],
        "against": run.experiment.policies[1],
        "measure": measure,
        "blocks": int(one["blocks"]),
        "n": int(one["n"]),
        **{field: float(one[field]) for field in fields},
        "method": one["method"],
        "fair_share": float((one["mean"] + (n_seats - 1) * others["mean"]) / n_seats),
        "difference": dict(zip(fields, _difference(one, others, n_seats, run.info["until"] is not None), strict=True)),
    }


def _difference(one: "pd.Series", others: "pd.Series", n_seats: int, is_watched: bool) -> tuple[float, ...]:
    """Mean of *one* less the fair share (the mean of all players on the same cards): mean, standard error, low, high.

    The standard error is the largest that the errors of the two means allow. Where the seats of a deal share a fixed total it is exact:
    the others have what the one lacks.
    """
    from simcore.results import CONFIDENCE
    from simcore.statistics import asymptotic_sequence, block_interval

    share = (n_seats - 1) / n_seats
    mean = share * (one["mean"] - others["mean"])
    error = share * (one["standard_error"] + others["standard_error"])
    if is_watched:
        interval = asymptotic_sequence(one["blocks"], mean, error, CONFIDENCE)
    else:
        interval = block_interval(mean, error, one["blocks"], CONFIDENCE)
    return tuple(map(float, (mean, error, *interval)))


def _lines(experiment: "Experiment", found: list[dict[str, Any]]) -> list[str]:
    unit = f"{experiment.game.MATCH}s" if experiment.is_match else "deals"
    is_rate = experiment.is_match or experiment.game.SEAT_MEASURES[0].is_rate
    header = ["policy", "against", unit, words(found[0]["measure"]), "fair share", "difference"]
    rows = [header]
    for result in found:
        one, difference = SimpleNamespace(**result), SimpleNamespace(**result["difference"])
        fair = SimpleNamespace(mean=one.fair_share, standard_error=one.standard_error, low=one.low, high=one.high)
        cells = [figure(one, is_rate, with_interval=True), figure(fair, is_rate)]
        rows.append([one.policy, one.against, f"{one.n:,}", *cells, figure(difference, is_rate, with_interval=True, signed=True)])
    seats = f"one player against {experiment.n_seats - 1} of the other kind, in every seat on the same cards"
    title = f"{experiment.game.TITLE}, seed {experiment.seed}: {seats}"
    return [title, f"[low, high]: 95% interval, {found[0]['method']}", "", *aligned(rows)]
