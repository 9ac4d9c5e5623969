"""How fast the games are played, as ratios to hand-written C in the same run.

    python benchmarks/ratios.py [--quick] [--game eidex]

First the C program and the simulator play the same 20,000 deals and must agree on every figure of every one. Then every pair of contestants
is timed in turns, so that a change of the machine's speed hits both. One thread is timed by its processor time, which others at work on
the machine hardly change; two threads by the clock, so leave them two idle cores. A ratio is above 1 where the first one is faster.
"""

import argparse
import itertools
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from simcore.engine import Experiment, begin_deal, begin_unit, choose_move, deal_key, deal_out, play_units
from simcore.jit import kernel
from simcore.protocol import effective_rules, is_over, kind, measure, play
from simcore.results import cpu, on_threads, versions
from simcore.results.chunks import deals_frame
from simcore.results.running import in_order
from simcore.scenario import find_game
from simcore.tally import tally

FOLDER = Path(__file__).parent / "baseline"
FLAGS = ("-O3", "-march=native")
N_CHECKED, CHECK_SEED, SEED = 20_000, 12345, 1
MAX_BATCH = 1 << 16
LONG_ENOUGH = 0.02  # seconds, of a batch
UNUSED = ""

Work = Callable[[int, int], object]  # plays deals: the first, and how many
Rate = Callable[[float], float]  # hands per second, measured for so many seconds


@dataclass(frozen=True)
class Baseline:
    """A program ``baseline/GAME.c``: all seats random, default rules.

    ``GAME DEALS SEED`` plays as fast as it can. ``GAME DEALS SEED rows`` prints a line for each deal, whose numbers are *columns* of the
    rows that ``simulate --rows`` writes (the kind as its number), or `UNUSED`. Where every deal begins with the moves *opening*, made
    unasked, the program is given *argument* after the seed.
    """

    game: str
    columns: tuple[str, ...]
    opening: tuple[str, ...] = ()
    argument: str = ""

    @property
    def title(self) -> str:
        """The game, and how its deals begin."""
        return " ".join((self.game, *self.opening[:1]))

    def command(self, program: Path, deals: int, seed: int, *more: str) -> list[str]:
        """Command that plays *deals*."""
        return [str(program), str(deals), str(seed), *filter(None, [self.argument]), *more]


SCHAFKOPF_COLUMNS = (
    *("kind", "declarer_side_won", "schneider", "schwarz", "laufende"),
    *(f"{name}_{seat}" for seat in range(4) for name in ("units", "card_points", "tricks")),
)
PASSES = ("pass",) * 3

BASELINES = (
    Baseline(
        "eidex",
        (
            *("kind", "match", "over_limit", "tie", "card_points_0", "card_points_1", "card_points_2"),
            *("victory_points_0", "victory_points_1", "victory_points_2", UNUSED),
        ),
    ),
    Baseline(
        "cosmos",
        (
            *("collisions", "table_collisions", "big_bangs", "black_tricks", "break_trick", UNUSED),
            *(f"{name}_{seat}" for seat in range(4) for name in ("tricks_won", "nines", "tricks")),
        ),
    ),
    # Random bids nearly always end in a Tout, over after two tricks; so contracts as well, which forehand plays on any cards.
    Baseline("schafkopf", SCHAFKOPF_COLUMNS),
    Baseline("schafkopf", SCHAFKOPF_COLUMNS, ("Rufer E", *PASSES), "1"),
    Baseline("schafkopf", SCHAFKOPF_COLUMNS, ("Wenz", *PASSES), "4"),
    Baseline("schafkopf", SCHAFKOPF_COLUMNS, ("Solo H", *PASSES), "7"),
)


def experiment_of(game_name: str, policy: str, seed: int = SEED) -> Experiment:
    """Single deals of a game by default rules, with *policy* at all seats."""
    game = find_game(game_name)
    seats = tuple(range(game.PLAYERS[0]))
    return Experiment(game, effective_rules(game.SWITCHES, {}), (policy,) * len(seats), (seats,), seed, False)


def compiled(baseline: Baseline, folder: Path) -> Path:
    """The program of *baseline*, built in *folder*."""
    compiler = os.environ.get("CC", "gcc")
    if shutil.which(compiler) is None:
        sys.exit(f"no C compiler {compiler!r}; install gcc, or name another one by CC=clang")
    program = folder / baseline.game
    subprocess.run([compiler, *FLAGS, "-o", program, FOLDER / f"{baseline.game}.c"], check=True)
    return program


def playing(experiment: Experiment, opening: tuple[str, ...]) -> Callable[[int, int], tuple[np.ndarray, np.ndarray]]:
    """What plays the deals of *experiment* as `play_units` does, from the *opening* moves on."""
    if not opening:
        return lambda first, n: play_units(experiment, first, n)
    tables, seating = deal_out(experiment, 0), np.arange(experiment.n_seats)
    moves = np.zeros(len(opening), np.uint64)
    for number, text in enumerate(opening):
        moves[number] = experiment.game.parse_move(tables[0].deal, text)
        play(tables[0].deal, moves[number])

    def play_opened(first: int, n: int) -> tuple[np.ndarray, np.ndarray]:
        rows = np.zeros((n, len(experiment.deal_columns())), np.int32)
        figures = rows.view(experiment.deal_record).reshape(-1)
        _play_opened(tables, experiment.rules[0], np.uint64(experiment.seed), experiment.players, seating, moves, first, figures)
        return rows, np.zeros((0, 0), np.int32)

    return play_opened


@kernel
def _play_opened(tables, rules, seed, players, seating, opening, first, rows):
    table, state = tables[0], tables[0].deal
    for unit in range(len(rows)):
        begin_unit(table, rules, seed, players, seating, first + unit, False)
        begin_deal(table, deal_key(seed, first + unit, 0))
        for move in opening:
            play(state, move)
        while not is_over(state):
            play(state, choose_move(table))
        figures = rows[unit]
        figures.unit = unit
        figures.kind = kind(state)
        measure(state, figures.whole, figures.seats)


def check(baseline: Baseline, program: Path) -> None:
    """Stop unless the program and the simulator agree on every figure of every deal."""
    command = baseline.command(program, N_CHECKED, CHECK_SEED, "rows")
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    theirs = pd.DataFrame(np.loadtxt(text.splitlines(), np.int64, ndmin=2), columns=list(baseline.columns))
    theirs = theirs.drop(columns=UNUSED, errors="ignore")
    experiment = experiment_of(baseline.game, "random", CHECK_SEED)
    ours = deals_frame(experiment, 0, playing(experiment, baseline.opening)(0, N_CHECKED)[0])
    ours["kind"] = ours["kind"].cat.codes
    ours = ours[list(theirs.columns)].astype(np.int64)
    if len(ours) != len(theirs) or not ours.equals(theirs):
        deal = int(np.flatnonzero((ours != theirs).any(axis=1))[0]) if len(ours) == len(theirs) else min(len(ours), len(theirs))
        sys.exit(f"{baseline.title}: deal {deal} of seed {CHECK_SEED} differs\nC\n{theirs.loc[deal]}\nsimulator\n{ours.loc[deal]}")
    print(f"{baseline.title}: {N_CHECKED:,} deals, {theirs.shape[1]} figures of each: the same in C")


def rate_in_c(baseline: Baseline, program: Path) -> Rate:
    """Hands per second of processor time of the program."""

    def run(deals: int) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(baseline.command(program, deals, SEED), check=True, capture_output=True)
        return deals / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)

    usual = run(100_000)
    return lambda seconds: run(int(usual * seconds))


def rate_of(work: Work) -> Rate:
    """Hands per second of processor time of *work* on batches of deals."""
    size = batch_size(work)

    def run(seconds: float) -> float:
        start, n = time.thread_time(), 0
        while (passed := time.thread_time() - start) < seconds:
            work(n, size)
            n += size
        return n / passed

    return run


def rate_on_threads(work: Work, threads: int) -> Rate:
    """Hands per second by the clock of *work* on the pool that runs use."""
    size = batch_size(work)

    def run(seconds: float) -> float:
        start, n = time.perf_counter(), 0
        numbers = itertools.takewhile(lambda _: time.perf_counter() - start < seconds, itertools.count())
        with on_threads(threads) as workers:
            for _ in in_order(lambda number: work(number * size, size), numbers, workers, lambda: False):
                n += size
        return n / (time.perf_counter() - start)

    return run


def batch_size(work: Work) -> int:
    """Deals in a batch: long enough that the call itself costs nothing, and at most what a run keeps in memory at once."""

    def seconds_for(size: int) -> float:
        start = time.thread_time()
        work(0, size)
        return time.thread_time() - start

    size = 1
    work(0, size)
    # The shorter of two, because the first call of anything may take long.
    while size < MAX_BATCH and min(seconds_for(size), seconds_for(size)) < LONG_ENOUGH:
        size *= 2
    return size


def contests(baseline: Baseline, program: Path) -> list[tuple[str, Rate, Rate]]:
    """What is compared: a name, and the two rates whose ratio is taken."""
    in_c = rate_in_c(baseline, program)
    random, basic, search = (experiment_of(baseline.game, policy) for policy in ("random", "basic", "search:8"))
    play_random = playing(random, baseline.opening)

    def tallying(first: int, n: int) -> object:
        return tally(random, *play_random(first, n))

    first = ("random / C", rate_of(play_random), in_c)
    if baseline.opening:
        return [first]
    return [
        first,
        ("random with tally / C", rate_of(tallying), in_c),
        ("basic / C", rate_of(playing(basic, ())), in_c),
        ("search:8 / C", rate_of(playing(search, ())), in_c),
        ("two threads / one, random with tally", rate_on_threads(tallying, 2), rate_on_threads(tallying, 1)),
    ]


def measured(first: Rate, second: Rate, seconds: float, rounds: int) -> tuple[list[float], list[float]]:
    """Rates of both, in turns."""
    rates: tuple[list[float], list[float]] = ([], [])
    for turn in range(rounds):
        for which in (0, 1) if turn % 2 else (1, 0):
            rates[which].append((first, second)[which](seconds))
    return rates


def ratio_text(ratio: float) -> str:
    """A ratio, a small one as a fraction."""
    return f"1/{1 / ratio:,.0f}" if ratio < 0.02 else f"{ratio:.3f}"


def main() -> None:
    """Compare all games, or one, with their baselines."""
    parser = argparse.ArgumentParser(description="Speed as ratios to hand-written C in the same run.")
    parser.add_argument("--game", choices=sorted({baseline.game for baseline in BASELINES}), help="one game only [default: all]")
    parser.add_argument("--quick", action="store_true", help="shorter and fewer rounds")
    arguments = parser.parse_args()
    seconds, rounds = (0.15, 5) if arguments.quick else (0.5, 11)
    print(f"{cpu()}; {', '.join(' '.join(pair) for pair in versions().items())}; C {' '.join(FLAGS)}")
    with tempfile.TemporaryDirectory(prefix="cosmic-ratios-") as name:
        for baseline in BASELINES:
            if arguments.game not in (None, baseline.game):
                continue
            program = compiled(baseline, Path(name))
            check(baseline, program)
            print(f"{rounds} rounds of {seconds} s       median ratio   best to best       hands/s, best of each")
            for title, first, second in contests(baseline, program):
                ours, theirs = measured(first, second, seconds, rounds)
                median = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
                print(
                    f"{title:<37} {ratio_text(median):>10} {ratio_text(max(ours) / max(theirs)):>12}"
                    f" {max(ours):>15,.0f} {max(theirs):>12,.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
