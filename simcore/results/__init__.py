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
from simcore.results.chunks import default_chunk, share, stored_counts, whole_blocks
from simcore.results.comparing import changes, common_units, compare
from simcore.results.folder import (
    MUTED,
    UNITS,
    Run,
    begin,
    configure,
    cpu,
    create,
    differences,
    locked,
    new_folder,
    open_run,
    versions,
    write_whole,
)
from simcore.results.merging import merge, merged_configuration, take_over
from simcore.results.running import carry_on
from simcore.results.table import CONFIDENCE, combined_table, headline
from simcore.results.tuning import play_curve
from simcore.results.workers import Workers, on_cluster, on_threads

__all__ = [
    "CONFIDENCE",
    "MUTED",
    "UNITS",
    "Run",
    "Workers",
    "begin",
    "blocks_of",
    "carry_on",
    "changes",
    "combined_table",
    "common_units",
    "compare",
    "configure",
    "cpu",
    "create",
    "default_chunk",
    "differences",
    "headline",
    "locked",
    "merge",
    "merged_configuration",
    "most_score",
    "new_folder",
    "on_cluster",
    "on_threads",
    "open_run",
    "play_curve",
    "share",
    "stored_counts",
    "take_over",
    "versions",
    "whole_blocks",
    "write_whole",
]
