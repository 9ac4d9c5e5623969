"""Runs over disjoint units, which become one."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from simcore.results.chunks import Chunks
from simcore.results.folder import Run, begin, differences, locked, open_run


def merged_configuration(runs: Sequence[Run]) -> dict[str, Any]:
    """Configuration of the run that *runs* are the parts of, see `simcore.results.configure`.

    Raises
    ------
    ValueError
        If they are not finished, were not played alike, or do not follow on each other without overlap or gap.
    """
    runs = sorted(runs, key=lambda run: run.info["first"])
    one = runs[0]
    one.check_sources()
    for run in runs:
        if differs := differences(one.info, run.info, but=("first", "units")):
            texts = ", ".join(f"{name} {mine} against {theirs}" for name, mine, theirs in differs)
            raise ValueError(f"{one.folder} and {run.folder} are no parts of one run: {texts}")
        if run.info["until"] or run.info["seconds"]:
            raise ValueError(f"{run.folder} ended by its own figures or by the clock: it is no part of a longer run")
        if run.info["state"] != "done":
            raise ValueError(f"{run.folder} is not finished; go on with: cosmic resume {run.folder}")
    unit, chunk = f"{one.info['unit']}s", one.info["chunk"]
    for run, following in pairwise(runs):
        end, first = run.info["first"] + run.info["units"], following.info["first"]
        if first < end:
            last = min(end, first + following.info["units"]) - 1
            raise ValueError(f"{run.folder} and {following.folder} overlap: both have the {unit} {first} to {last}")
        if first > end:
            raise ValueError(f"the {unit} {end} to {first - 1}, between {run.folder} and {following.folder}, are missing")
        if run.info["units"] % chunk:
            raise ValueError(f"{run.folder} does not end with a whole chunk of {chunk} {unit}; play it as a part, by --part")
    return one.configuration | {"units": sum(run.info["units"] for run in runs)}


def merge(runs: Sequence[Run], folder: Path, command: str = "", on_progress: Callable[[int], None] = lambda n_chunks: None) -> Run:
    """Begin the run in *folder* that *runs* are the parts of, with all of their chunks; `carry_on` makes its statistics.

    If that run is there already, what is missing of it is added: so a merge that was killed can be called again.

    Raises
    ------
    ValueError
        If the runs cannot be merged, see `merged_configuration`, a chunk of theirs is missing or damaged, or *folder* holds something else.
    """
    configuration = merged_configuration(runs)
    whole = _whole(configuration, folder, command)
    n_done = 0
    with locked(folder):
        into = Chunks(whole)
        for run in sorted(runs, key=lambda run: run.info["first"]):
            chunks = Chunks(run)
            for number in range(run.info["chunks"]):
                if not _copied(chunks, number, into):
                    raise ValueError(f"{run.chunk_file(number)} is missing or damaged; play it again by: cosmic resume {run.folder}")
                n_done += 1
                on_progress(n_done)
    return whole


def take_over(run: Run, into: Run) -> None:
    """Copy the chunks of *run* that a run over more or fewer units has as well."""
    with locked(into.folder):
        chunks, ours = Chunks(run), Chunks(into)
        for number in range(min(run.n_chunk_files, into.n_chunks or 0)):
            if chunks.units(number) == ours.units(number):
                _copied(chunks, number, ours)


def _copied(chunks: Chunks, number: int, into: Chunks) -> bool:
    """Copy a chunk to its place in another run over the same units, where it is not there yet; False if there is nothing sound to copy."""
    run = chunks.run
    place = number + (run.info["first"] - into.run.info["first"]) // run.info["chunk"]
    if into.read(place) is not None:
        return True
    counts = chunks.read(number)
    if counts is None:
        return False
    deals = run.rows_file(number).read_bytes() if run.info["rows"] else None
    into.write(place, into.packed(place, counts.flat(), deals))
    return True


def _whole(configuration: dict[str, Any], folder: Path, command: str) -> Run:
    if (folder / "run.json").exists():
        run = open_run(folder)
        if not differences(configuration, run.info):
            return run
    return begin(configuration, folder, command)
