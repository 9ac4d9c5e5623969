"""The folder of a run: run.json, who may write to it, and files that appear whole or not at all."""

import contextlib
import hashlib
import itertools
import json
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

from simcore.engine import Experiment
from simcore.jit import package_hash
from simcore.protocol import effective_rules
from simcore.scenario import find_game

FORMAT = 2
# What a run plays: fixed from its beginning, and guarded by a fingerprint.
CONFIGURATION = (
    *("format", "game", "rules_version", "rules", "definitions", "players", "policies", "seatings", "characters", "seed"),
    *("unit", "first", "units", "until", "seconds", "chunk", "rows", "source_hash"),
)
TEMPORARY = ".tmp"
LOCK = ".lock"
# What a run may keep besides its counts: every deal as a row, or every unit, as it was and with the powers of players taken away.
UNITS, MUTED = "units", "units and muted"


@dataclass
class Run:
    """A run folder and the content of its run.json."""

    folder: Path
    info: dict[str, Any]

    @cached_property
    def experiment(self) -> Experiment:
        """What is played."""
        game = find_game(self.info["game"])
        if hasattr(game, "define"):
            game.define(self.info["definitions"])
        return Experiment(
            game,
            effective_rules(game.SWITCHES, self.info["rules"]),
            tuple(self.info["policies"]),
            tuple(map(tuple, self.info["seatings"])),
            self.info["seed"],
            self.info["unit"] == "game",
        )

    @property
    def configuration(self) -> dict[str, Any]:
        """What the run plays, as `configure` makes it."""
        return {key: self.info[key] for key in CONFIGURATION}

    @property
    def statistics_file(self) -> Path:
        """The tidy table of the run."""
        return self.folder / "statistics.parquet"

    @property
    def n_chunks(self) -> int | None:
        """Chunks of the run when it is done; None while that is not known."""
        n_chunks, units = self.info["chunks"], self.info["units"]
        return n_chunks if n_chunks is not None or units is None else -(-units // self.info["chunk"])

    @property
    def n_chunk_files(self) -> int:
        """Chunks that have been written, sound or not."""
        return sum(file.stem.isdecimal() for file in self.chunk_file(0).parent.glob("*.parquet"))

    def chunk_file(self, number: int) -> Path:
        """Counts of a chunk."""
        return self.folder / "chunks" / f"{number:06}.parquet"

    @property
    def keeps_units(self) -> bool:
        """Whether the rows of the run are its units, as `cosmic balance` wants them."""
        return self.info["rows"] in (UNITS, MUTED)

    def rows_file(self, number: int) -> Path:
        """Rows of a chunk: its deals, or its units."""
        return self.folder / ("units" if self.keeps_units else "deals") / f"{number:06}.parquet"

    def update(self, **changes: Any) -> None:
        """Change entries of run.json."""
        self.info |= changes
        write_whole(self.folder / "run.json", (json.dumps(self.info, indent=2) + "\n").encode())

    def check_sources(self) -> None:
        """ValueError when this program would not play the rest of the run as its beginning was played."""
        game, then = self.experiment.game, f"cosmic {self.info['versions']['cosmic']}"
        if self.info["rules_version"] != game.RULES_VERSION:
            theirs, ours = f"rules version {self.info['rules_version']} of {game.NAME}", f"version {game.RULES_VERSION}"
        elif self.info["source_hash"] != package_hash():
            theirs, ours = f"sources with the hash {self.info['source_hash']}", package_hash()
        else:
            return
        raise ValueError(f"{self.folder} was begun by {theirs}, not {ours}; go on with that {then}, or begin a new run")


def configure(
    experiment: Experiment,
    chunk: int,
    units: int | None,
    *,
    first: int = 0,
    until: float | None = None,
    seconds: float | None = None,
    rows: bool | str = False,
) -> dict[str, Any]:
    """What a run plays: the entries `CONFIGURATION` of its run.json.

    Parameters
    ----------
    chunk : int
        Units (deals or matches) in a chunk, whole blocks.
    units : int or None
        Units altogether, whole blocks; None to go on until another rule stops the run.
    first : int
        Number of the first unit, whole chunks: more than 0 in a run that is a part of another.
    until : float, optional
        Stop when every headline interval is at most this half-width, as a share of the measure's range.
    seconds : float, optional
        Stop at the end of the chunks that are being played after so many seconds.
    rows : bool or str
        Write every deal as a row, too; or `UNITS`, every unit, or `MUTED`, and each of them without the powers of players.
    """
    rules = {switch.name: switch.decode(experiment.rules[0][switch.name]) for switch in experiment.game.SWITCHES}
    return {
        "format": FORMAT,
        "game": experiment.game.NAME,
        "rules_version": experiment.game.RULES_VERSION,
        "rules": rules,
        "definitions": experiment.game.definitions() if hasattr(experiment.game, "definitions") else None,
        "players": experiment.n_seats,
        "policies": list(experiment.policies),
        "seatings": [list(seating) for seating in experiment.seatings],
        "characters": [value for name, value in rules.items() if name.startswith("character_")] or None,
        "seed": experiment.seed,
        "unit": "game" if experiment.is_match else "deal",
        "first": first,
        "units": units,
        "until": until,
        "seconds": seconds,
        "chunk": chunk,
        "rows": rows,
        "source_hash": package_hash(),
    }


def create(experiment: Experiment, folder: Path, chunk: int, units: int | None, *, command: str = "", **options: Any) -> Run:
    """Begin a run in *folder* of what `configure` makes of the other arguments; see `begin`."""
    return begin(configure(experiment, chunk, units, **options), folder, command)


def begin(configuration: dict[str, Any], folder: Path, command: str = "") -> Run:
    """Begin a run in *folder*, which is made and must be empty; nothing is played yet.

    Parameters
    ----------
    configuration : dict
        What it plays, from `configure`.
    command : str
        The command line, for the record.

    Raises
    ------
    ValueError
        If the folder holds something, or another process is using it.
    """
    info = configuration | {
        "fingerprint": _fingerprint(configuration),
        "state": "running",
        "chunks": None,  # how many belong to the run, once it is done
        "command": command,
        "versions": versions(),
        "cpu": cpu(),
        "start": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    _check_is_free(folder)
    folder.mkdir(parents=True, exist_ok=True)
    run = Run(folder, info)
    with locked(folder):
        _check_is_free(folder)
        (folder / "chunks").mkdir(exist_ok=True)
        if info["rows"]:
            run.rows_file(0).parent.mkdir(exist_ok=True)
        run.update()
    return run


def differences(configuration: dict[str, Any], other: dict[str, Any], but: Sequence[str] = ()) -> list[tuple[str, str, str]]:
    """What two runs play differently: each entry of `CONFIGURATION` or rule with its two values; without the entries *but*."""
    found = []
    for key in CONFIGURATION:
        mine, theirs = configuration.get(key), other.get(key)
        if key in but or mine == theirs:
            continue
        if key == "rules" and isinstance(mine, dict) and isinstance(theirs, dict):
            rules = [rule for rule in {**mine, **theirs} if mine.get(rule) != theirs.get(rule)]
            found += [(rule, _text(mine.get(rule)), _text(theirs.get(rule))) for rule in rules]
        else:
            found.append((key.replace("_", " "), _text(mine), _text(theirs)))
    return found


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(_text, value))
    return value if isinstance(value, str) else json.dumps(value)


def _check_is_free(folder: Path) -> None:
    if (folder / "run.json").exists():
        raise ValueError(f"{folder} already holds a run; go on with it by: cosmic resume {folder}")
    left_by_a_kill = {LOCK, "chunks", "deals", "units", "run.json" + TEMPORARY}
    if folder.exists() and (others := sorted({path.name for path in folder.iterdir()} - left_by_a_kill)):
        raise ValueError(f"{folder} is not empty (it holds {others[0]}); give a new folder")


def new_folder(base: Path) -> Path:
    """Make a folder called *base*, or *base* with the first free number behind."""
    for number in itertools.count(1):
        folder = base if number == 1 else base.with_name(f"{base.name}-{number}")
        with contextlib.suppress(FileExistsError):
            folder.mkdir(parents=True)
            return folder
    raise AssertionError


def open_run(folder: Path) -> Run:
    """The run in *folder*. ValueError in one line when there is none, or its run.json cannot be trusted."""
    file = folder / "run.json"
    if not file.is_file():
        raise ValueError(f"{folder} is no run: it has no run.json")
    try:
        info = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        raise ValueError(f"{file} is cut short or no JSON") from None
    if not isinstance(info, dict) or not isinstance(info.get("format"), int):
        raise ValueError(f"{file} does not describe a run")
    if info["format"] != FORMAT:
        raise ValueError(f"{file} has format {info['format']}, of another version of cosmic; this one reads format {FORMAT}")
    if info.get("fingerprint") != _fingerprint(info) or not info.keys() >= set(CONFIGURATION):
        raise ValueError(f"{file} was changed after the run began: {', '.join(CONFIGURATION)} do not fit its fingerprint; begin a new run")
    if not ("chunks" in info and (info["chunks"] is None or _is_positive(info["chunks"]))) or not isinstance(info.get("versions"), dict):
        raise ValueError(f"{file} was changed: chunks is the number of chunks of a finished run or null, versions an object")
    if info["chunks"] is not None and info["units"] is not None and info["chunks"] > -(-info["units"] // info["chunk"]):
        raise ValueError(f"{file} was changed: {info['units']} {info['unit']}s make fewer than {info['chunks']} chunks")
    return Run(folder, info)


def _is_positive(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _fingerprint(info: dict[str, Any]) -> str:
    text = json.dumps({key: info.get(key) for key in CONFIGURATION}, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def versions() -> dict[str, str]:
    """Versions of the package and of what its figures may depend on."""
    packages = {"cosmic": "cosmic-sim", "numba": "numba", "numpy": "numpy", "pandas": "pandas", "pyarrow": "pyarrow"}
    return {name: metadata.version(package) for name, package in packages.items()} | {"python": platform.python_version()}


def cpu() -> str:
    """What the kernels run on."""
    from llvmlite.binding import get_host_cpu_name

    return f"{get_host_cpu_name()} ({platform.machine()}), {os.cpu_count()} cores, {platform.system()}"


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes out of *folder*. The system takes the lock from a process that has died."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(folder / LOCK, timeout=0):
            yield
    except Timeout:
        raise ValueError(f"{folder} is in use by another process") from None


def write_whole(path: Path, data: bytes) -> None:
    """Make *data* the content of *path*, so that a crash at any moment leaves the old content or the new."""
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    if os.name == "posix":
        # The new name itself is on disk only when the folder is.
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
