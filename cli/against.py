"""The same run by other rules: the difference of every figure."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cli.options import rules_of
from cli.text import aligned, words

if TYPE_CHECKING:
    import pandas as pd

    from simcore.engine import Experiment
    from simcore.results import Run

FILE = "against.parquet"


class AgainstRules:
    """An experiment with some rules changed, to be compared with one that has been run."""

    def __init__(self, experiment: "Experiment", against: tuple[str, ...], threads: int) -> None:
        given, rules = rules_of(experiment.game, against), experiment.rules.copy()
        for text in against:
            name = text.partition("=")[0].strip()
            rules[name] = given[name]
        self.other = replace(experiment, rules=rules)
        if (self.other.rules == experiment.rules).all():
            raise click.UsageError(f"--against {' '.join(against)}: the run has these rules already")
        self.text = ", ".join(against)
        self.threads = threads

    def table(self, run: "Run") -> "pd.DataFrame":
        """Play the units of *run* by both rules, write what it has more than the other into its folder, and return that."""
        import pandas as pd

        from simcore.results import write_whole
        from simcore.results.comparing import differences

        blocks = int(pd.read_parquet(run.statistics_file)["blocks"].iloc[0])
        found = differences(self.other, run.experiment, blocks * len(run.experiment.seatings), self.threads)
        found = found[found["kind"] == "all"].rename(columns={"first": "mean_other", "second": "mean"})
        write_whole(run.folder / FILE, found.to_parquet())
        return found

    def lines(self, table: "pd.DataFrame") -> list[str]:
        """The differences for people."""
        rows = [["", "", "figure", "this run", self.text, f"this run less {self.text}"]]
        for row in table.itertuples():
            who = f"seat {row.key}" if row.grouping == "seat" else f"all seats of {row.key}" if row.grouping == "policy" else ""
            rows.append([str(row.level).removesuffix(" seat"), who, words(str(row.measure)), *_cells(row)])
        return [
            f"against {self.text}, on the same cards; {table['confidence'].iloc[0]:.0%} interval, {' or '.join(table['method'].unique())}",
            "",
            *aligned(rows),
        ]


def _cells(row: Any) -> list[str]:
    """Both means and the difference, with the decimals that the error of the difference allows."""
    from simcore.statistics import decimals

    n = decimals(row.standard_error)
    return [f"{row.mean:.{n}f}", f"{row.mean_other:.{n}f}", f"{row.difference:+.{n}f} [{row.low:+.{n}f}, {row.high:+.{n}f}]"]
