"""Runs on disk: what was played, its counts chunk by chunk, and its statistics.

::

    RUN/run.json              what is played and by what, and the state of the run
    RUN/chunks/000123.parquet exact integer counts of one chunk, see `simcore.tally`
    RUN/deals/000123.parquet  one row per deal, if that was asked for
    RUN/units/000123.parquet  one row per match, in runs of `cosmic balance`
    RUN/statistics.parquet    one row per group and measure: mean, standard error, interval

A chunk is a pure function of (run.json, its number), and the statistics are one of the counts added up: threads, chunk size, order and
interruptions leave no trace in them. Every file appears whole or not at all, and all are readable with ``pandas.read_parquet``.
"""

from simcore.results.balancing import blocks_of, most_score
from simcore.results.chunks import default_chunk, stored_counts, whole_blocks
from simcore.results.comparing import changes, common_units, compare
from simcore.results.folder import MUTED, UNITS, Run, cpu, create, new_folder, open_run, versions
from simcore.results.running import carry_on
from simcore.results.table import CONFIDENCE, headline
from simcore.results.tuning import play_curve

__all__ = [
    "CONFIDENCE",
    "MUTED",
    "UNITS",
    "Run",
    "blocks_of",
    "carry_on",
    "changes",
    "common_units",
    "compare",
    "cpu",
    "create",
    "default_chunk",
    "headline",
    "most_score",
    "new_folder",
    "open_run",
    "play_curve",
    "stored_counts",
    "versions",
    "whole_blocks",
]
