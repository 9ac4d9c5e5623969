"""From the units that a run has kept to blocks, and what they add to its statistics."""

from typing import Any

import numpy as np
import pandas as pd

from simcore.balance import Blocks, lift
from simcore.engine import Experiment
from simcore.results.folder import MUTED, Run
from simcore.results.table import CONFIDENCE, headline
from simcore.results.units import muted_players
from simcore.tally import labelling_of

LIFT, LIFT_METHOD = "lift", "simultaneous band on paired blocks"


def blocks_of(run: Run) -> Blocks:
    """The blocks of a run that keeps its units. ValueError when it does not, or one of its files is missing."""
    experiment = run.experiment
    labelling = labelling_of(experiment)
    if not run.keeps_units or labelling is None:
        raise ValueError(f"{run.folder} is no run of `cosmic balance`: it keeps no units")
    files = sorted((run.folder / "units").glob("*.parquet"))
    if not files:
        raise ValueError(f"{run.folder} has no units yet; go on with: cosmic resume {run.folder}")
    frame = pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)
    size, n = len(experiment.seatings), experiment.n_seats
    shape = (len(frame) // size, size)

    def players(name: str, numbers: Any = range(n)) -> np.ndarray:
        return np.stack([frame[f"{name}_{player}"].to_numpy(np.int32).reshape(shape) for player in numbers], axis=2)

    index = np.full(len(experiment.game.LABELS) + 1, -1)
    index[list(labelling.numbers)] = np.arange(len(labelling.numbers))
    muted = muted_players(experiment) if run.info["rows"] == MUTED else ()
    return Blocks(
        labelling.names,
        index[players("label")[:, 0]],
        np.array(experiment.seatings),
        players("score"),
        players("points"),
        players("uses"),
        frame["hands"].to_numpy(np.int64).reshape(shape),
        frame["matches"].to_numpy(np.int64).reshape(shape),
        muted,
        players("muted_score", muted) if muted else None,
    )


def most_score(experiment: Experiment) -> float:
    """Largest score of a unit: a match won, or the victory points of a deal."""
    return 1.0 if experiment.is_match else float(experiment.game.SEAT_MEASURES[0].high)


def with_lift(run: Run, table: pd.DataFrame) -> pd.DataFrame:
    """The *table* of statistics of a run with rows of what each power adds, if the run knows."""
    if run.info["rows"] != MUTED or not run.n_chunk_files:
        return table
    blocks = blocks_of(run)
    found = lift(blocks, most_score(run.experiment))
    assert found is not None
    rows = pd.DataFrame({"key": blocks.names, "n": found.n, "mean": found.mean, "standard_error": found.error})
    rows = rows.assign(low=found.low, high=found.high, blocks=len(blocks), confidence=CONFIDENCE, method=LIFT_METHOD, sd=np.nan)
    rows = rows.assign(level=headline(run.experiment)[0], grouping="character", kind="all", measure=LIFT)
    rows["policies"] = str(table["policies"].iloc[0])
    labels = table.select_dtypes("category").columns
    whole = pd.concat([table.astype(dict.fromkeys(labels, "str")), rows[rows["n"] > 0][list(table.columns)]], ignore_index=True)
    return whole.astype(dict.fromkeys(labels, "category"))
