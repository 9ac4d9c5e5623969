"""One chunk: played or read back, and checked."""

import hashlib
import io
import itertools
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from simcore.engine import KIND, N_FIXED, NUMBER, UNIT, Experiment, new_table, play_units
from simcore.policies import POLICIES, parse_policy
from simcore.results.folder import MUTED, Run, write_whole
from simcore.results.units import units_frame
from simcore.tally import SUMS, Counts, Layout, layouts_of, tally

# Deals whose figures are in memory at once, for each thread.
_BATCH = 1 << 16
# Work of a move by a rule of thumb, or in one world of a search, against a random move; deals of a match.
_BASIC_COST, _WORLD_COST, _DEALS_OF_MATCH = 8, 150, 16
_CHUNK_WORK = 500_000
_MAX_ROWS = 100_000
_COUNT_COLUMNS = ["level", "grouping", "key", "kind", "measure", "statistic", "value"]


def default_chunk(experiment: Experiment, rows: bool) -> int:
    """Units in a chunk: some tenths of a second of play, by the policies alone, so that the same call makes the same chunks anywhere.

    Half a million random deals divided by the mean cost of the policies (random 1, basic 8, search 150 for each world) and, for matches, by
    16; rounded down to 1, 2 or 5 times a power of ten, and up to whole blocks. At most 100,000 if every deal is kept as a row.
    """
    costs = []
    for policy in experiment.policies:
        index, n_worlds = parse_policy(policy, experiment.game)
        costs.append(_WORLD_COST * n_worlds if POLICIES[index].has_worlds else _BASIC_COST if index else 1)
    n = int(_CHUNK_WORK * len(costs) / sum(costs) / (_DEALS_OF_MATCH if experiment.is_match else 1))
    n = max(min(n, _MAX_ROWS) if rows else n, 1)
    power = 10 ** (len(str(n)) - 1)
    return whole_blocks(experiment, max(digit * power for digit in (1, 2, 5) if digit * power <= n))


def whole_blocks(experiment: Experiment, units: int) -> int:
    """*units* rounded up to whole blocks."""
    size = len(experiment.seatings)
    return -(-units // size) * size


def stored_counts(run: Run) -> Counts:
    """Counts of all chunks that the statistics of a run are of; nothing is played. ValueError when one is missing or damaged."""
    chunks = Chunks(run)
    counts = Counts(chunks.layouts)
    done = run.info["chunks"]
    for number in range(done) if done is not None else itertools.count():
        part = chunks.read(number)
        if part is None and done is None:
            break
        if part is None:
            raise ValueError(f"{run.chunk_file(number)} is missing or damaged; mend it with: cosmic resume {run.folder}")
        counts.add(part)
    return counts


def share(units: int, chunk: int, part: int, n_parts: int) -> tuple[int, int]:
    """First unit and number of units of part number *part* (from 1) of a run: whole chunks, as evenly as they go, none left out.

    A part has 0 units where there are fewer chunks than parts.
    """
    n_chunks = -(-units // chunk)
    first, end = (min(units, n_chunks * k // n_parts * chunk) for k in (part - 1, part))
    return first, end - first


class Played(NamedTuple):
    """A chunk that has been played."""

    counts: np.ndarray  # the flat counts, int64
    file: bytes  # they as the chunk's file
    deals: bytes | None  # the file of its deals, if the run keeps rows


class Chunks:
    """The chunks of a run, each a file of counts, and of deals if the run keeps rows.

    Parameters
    ----------
    run : Run
    player : callable, optional
        Whatever does what `play` does, elsewhere.
    """

    def __init__(self, run: Run, player: Callable[[int], Played] | None = None) -> None:
        self.run = run
        self._player = player or self.play
        self.experiment = run.experiment
        self.layouts = layouts_of(self.experiment)
        self._labels = count_labels(self.layouts)

    def units(self, number: int) -> int:
        """Units in chunk *number*."""
        size, total = self.run.info["chunk"], self.run.info["units"]
        return size if total is None else min(size, total - number * size)

    def counts(self, number: int) -> Counts:
        """Counts of chunk *number*: from its file if that is sound, else played and written."""
        counts = self.read(number)
        if counts is None:
            played = self._player(number)
            self.write(number, played)
            counts = Counts.from_flat(self.layouts, played.counts)
        return counts

    def remove_from(self, number: int) -> None:
        """Delete the files of chunk *number* and all after it, and whatever a kill has left half-written."""
        for folder in (self.run.folder / "chunks", self.run.rows_file(0).parent):
            for file in folder.glob("*.parquet*"):
                if not file.stem.isdecimal() or int(file.stem) >= number:
                    file.unlink()

    def read(self, number: int) -> Counts | None:
        """Counts of chunk *number* from its file; None if that is missing, damaged, or of another run."""
        try:
            frame = pd.read_parquet(io.BytesIO(self.run.chunk_file(number).read_bytes()))
            counts = frame.pop("count").to_numpy()
            rows = _digest(self.run.rows_file(number).read_bytes()) if self.run.info["rows"] else None
            if frame.attrs != self._attributes(number, rows, counts) or not frame.equals(self._labels):
                return None
            return Counts.from_flat(self.layouts, counts)
        except Exception:  # Whatever a damaged file may make a reader do: the chunk is played again.
            return None

    def play(self, number: int) -> Played:
        """Play chunk *number*: a pure function of the run's configuration and the number. Nothing is written."""
        experiment = self.experiment
        first = self.run.info["first"] + number * self.run.info["chunk"]
        tables, counts, frames = new_table(experiment), Counts(self.layouts), []
        batch = whole_blocks(experiment, max(_BATCH // experiment.max_deals, 1))
        end = first + self.units(number)
        for start in range(first, end, batch):
            deals, matches = play_units(experiment, start, min(batch, end - start), tables)
            counts.add(tally(experiment, deals, matches))
            if self.run.keeps_units:
                frames.append(units_frame(experiment, start, deals, matches, self.run.info["rows"] == MUTED, tables))
            elif self.run.info["rows"]:
                frames.append(deals_frame(experiment, start, deals))
        return self.packed(number, counts.flat(), pd.concat(frames, ignore_index=True).to_parquet() if frames else None)

    def packed(self, number: int, counts: np.ndarray, deals: bytes | None) -> Played:
        """Chunk *number* with these flat counts and this file of deals, ready to be written."""
        frame = self._labels.assign(count=counts)
        frame.attrs = self._attributes(number, None if deals is None else _digest(deals), counts)
        return Played(counts, frame.to_parquet(), deals)

    def write(self, number: int, played: Played) -> None:
        """Write the files of chunk *number*; that of the counts last, since it vouches for the other."""
        if played.deals is not None:
            write_whole(self.run.rows_file(number), played.deals)
        write_whole(self.run.chunk_file(number), played.file)

    def _attributes(self, number: int, rows: str | None, counts: np.ndarray) -> dict:
        """What makes a file the right one: the run, its place in it, and its content."""
        attributes = {"fingerprint": self.run.info["fingerprint"], "chunk": number, "units": self.units(number), "rows": rows}
        return attributes | {"checksum": _digest(json.dumps(attributes).encode() + counts.astype("<i8").tobytes())}


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def count_labels(layouts: tuple[Layout, ...]) -> pd.DataFrame:
    """What each number of ``Counts.flat`` counts.

    Columns ``level``, ``grouping``, ``key``, ``kind``, ``measure``, ``statistic`` (one of the block sums, or ``histogram``: how often the
    measure had this ``value``) and ``value``.
    """
    parts = [pd.DataFrame([("deal", "all", "", "all", "", "blocks", 0)], columns=_COUNT_COLUMNS)]
    parts += [_labels_of(layout, [(m.name, name, 0) for m in layout.measures for name in SUMS]) for layout in layouts]
    for layout in layouts:
        bins = [(m, width) for m, width in zip(layout.measures, np.diff(layout.first_bins), strict=True)]
        parts.append(_labels_of(layout, [(m.name, "histogram", value) for m, width in bins for value in range(m.low, m.low + width)]))
    frame = pd.concat(parts, ignore_index=True)
    return frame.astype(dict.fromkeys(_COUNT_COLUMNS[:-1], "category") | {"value": "int32"})


def _labels_of(layout: Layout, figures: list[tuple[str, str, int]]) -> pd.DataFrame:
    """Every group of a layout with each of the *figures*: measure, statistic and value."""
    n_groups, n_figures = len(layout.groups), len(figures)
    groups = {name: np.repeat([getattr(group, name) for group in layout.groups], n_figures) for name in ("grouping", "key", "kind")}
    columns = {name: np.tile([figure[k] for figure in figures], n_groups) for k, name in enumerate(_COUNT_COLUMNS[4:])}
    return pd.DataFrame({"level": layout.level} | groups | columns, columns=_COUNT_COLUMNS)


def deals_frame(experiment: Experiment, first: int, deals: np.ndarray) -> pd.DataFrame:
    """Deals as rows of small integers.

    Columns ``unit`` (number of the deal, or of the match), ``number`` (of the deal in its match), ``seating`` (policies by seat), ``kind``,
    then the figures of the deal and of each seat.
    """
    n_seatings = len(experiment.seatings)
    # Seatings that differ may look alike, as when two players have the same policy.
    texts = [seating_text(experiment, seating) for seating in experiment.seatings]
    names = list(dict.fromkeys(texts))
    codes = np.array([names.index(text) for text in texts])
    units = deals[:, UNIT].astype(np.int64) + first
    columns: dict[str, Any] = {"unit": units}
    if experiment.is_match:
        columns["number"] = deals[:, NUMBER].astype(np.int16)
    columns["seating"] = pd.Categorical.from_codes(codes[units % n_seatings], pd.Index(names))
    columns["kind"] = pd.Categorical.from_codes(deals[:, KIND], pd.Index(experiment.game.KINDS))
    measures = [*experiment.game.DEAL_MEASURES, *experiment.game.SEAT_MEASURES * experiment.n_seats]
    for at, (name, m) in enumerate(zip(experiment.deal_columns()[N_FIXED:], measures, strict=True), N_FIXED):
        columns[name] = deals[:, at].astype(np.promote_types(np.min_scalar_type(m.low), np.min_scalar_type(m.high)))
    return pd.DataFrame(columns)


def seating_text(experiment: Experiment, seating: tuple[int, ...]) -> str:
    """Policies by seat, as ``--policies`` takes them."""
    return ",".join(experiment.policies[player] for player in seating)
