"""What there is to show of a run: tables of figures, taken from its statistics and counts."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from simcore.engine import Experiment
from simcore.figures import figure, words
from simcore.policies import POLICIES, parse_policy
from simcore.protocol import Measure
from simcore.results import CONFIDENCE, Run, headline, open_run, stored_counts
from simcore.statistics import block_interval, holm, shrink, simultaneous_level, z_test
from simcore.tally import Counts

# A histogram with more values is drawn as a line.
MOST_BARS = 16
FEWEST_TO_SHRINK = 4


@dataclass(frozen=True)
class Histogram:
    """How often a figure had each value: ``rows`` with the columns ``group``, ``value`` and ``share``."""

    measure: Measure
    level: str
    rows: pd.DataFrame


class Content:
    """Tables of one run.

    Parameters
    ----------
    run : Run
        ValueError if it has no statistics yet.
    """

    def __init__(self, run: Run) -> None:
        if not run.statistics_file.is_file():
            raise ValueError(f"{run.folder} has no statistics yet; go on with: cosmic resume {run.folder}")
        self.run = run
        self.experiment: Experiment = run.experiment
        labels = ["level", "grouping", "key", "kind", "measure", "method"]
        self.table = pd.read_parquet(run.statistics_file).astype(dict.fromkeys(labels, "str"))

    @cached_property
    def counts(self) -> Counts:
        """Counts of the run, for the histograms."""
        return stored_counts(self.run)

    @property
    def unit(self) -> str:
        """What was played: deals, or the game's word for a match."""
        return f"{self.experiment.game.MATCH}s" if self.experiment.is_match else "deals"

    @property
    def n_units(self) -> int:
        """Units that the statistics are of."""
        return int(self.table["blocks"].iloc[0]) * len(self.experiment.seatings)

    @cached_property
    def measures(self) -> dict[tuple[str, str], Measure]:
        """Measure of a level and a name; those of characters and pairs are named like those of seats."""
        return {(layout.level, m.name): m for layout in self.counts.layouts for m in layout.measures}

    def is_rate(self, level: str, name: str) -> bool:
        """Whether the mean of a figure is a share."""
        found = self.measures.get((level, name))
        return found is not None and found.is_rate

    @property
    def headlines(self) -> list[tuple[str, Measure]]:
        """Level and measure of what the run is about: the win rate of a match, and the game's own unit of a deal."""
        own = ("deal seat", self.experiment.game.SEAT_MEASURES[0])
        return [("match seat", self.experiment.match_measures[1][0]), own] if self.experiment.is_match else [own]

    def group_name(self, grouping: str, key: str) -> str:
        """A group as people name it."""
        if grouping == "seat":
            return f"seat {key}{self._player(int(key))}"
        return "the game" if grouping == "all" else f"all {key}" if grouping == "policy" else key

    def _player(self, seat: int) -> str:
        players = {self.experiment.policies[seating[seat]] for seating in self.experiment.seatings}
        return f" ({players.pop()})" if len(players) == 1 else ""

    def seats_and_policies(self, level: str, measure: str) -> pd.DataFrame:
        """Rows of a figure over all kinds: the seats, then the policies that sit in more than one."""
        rows = self._rows(level, measure).query("kind == 'all' and grouping in ['seat', 'policy']")
        return rows[~((rows["grouping"] == "policy") & rows["key"].isin(self._single_seats()))]

    def _single_seats(self) -> list[str]:
        policies, seatings = self.experiment.policies, self.experiment.seatings
        return [policy for policy in policies if len(seatings) == 1 and policies.count(policy) == 1]

    def by_kind(self, level: str, measure: str) -> pd.DataFrame:
        """Rows of a figure for each seat and kind of deal that occurred."""
        return self._rows(level, measure).query("grouping == 'seat' and kind != 'all' and n > 0")

    def whole_by_kind(self) -> pd.DataFrame:
        """Rows of the figures of the deal as a whole, for each kind and all."""
        rows = self.table.query("level == 'deal' and grouping == 'all'")
        return rows.assign(share=rows["n"] / max(rows["n"].max(), 1))

    def of_grouping(self, grouping: str) -> pd.DataFrame:
        """Rows of characters or pairs, over all kinds; of the level of the headline if it has any."""
        rows = self.table[(self.table["grouping"] == grouping) & (self.table["kind"] == "all")]
        level = headline(self.experiment)[0]
        return rows[rows["level"] == level] if (rows["level"] == level).any() else rows

    def _rows(self, level: str, measure: str) -> pd.DataFrame:
        rows = self.table[(self.table["level"] == level) & (self.table["measure"] == measure)]
        names = [self.group_name(row.grouping, row.key) for row in rows.itertuples()]  # type: ignore[arg-type]
        return rows.assign(group=names)

    @cached_property
    def characters(self) -> pd.DataFrame:
        """One row for each character, the best first; empty for runs without.

        Columns ``character``, ``n``, ``mean``, ``standard_error``, ``low`` and ``high`` (all characters together at 95 %), ``difference``
        from the mean of all, ``p_holm`` of none, and ``shrunken`` (the mean itself where there are few).
        """
        rows = self.of_grouping("character")
        rows = rows[rows["measure"] == headline(self.experiment)[1]]
        if rows.empty:
            return rows
        mean, error, blocks = (rows[name].to_numpy(float) for name in ("mean", "standard_error", "blocks"))
        fair = float(np.average(mean, weights=rows["n"]))
        low, high = block_interval(mean, error, blocks, simultaneous_level(CONFIDENCE, len(rows)))
        p = holm(z_test(mean, error, blocks, fair))
        shrunken = shrink(mean, error).mean if np.sum(error > 0) >= FEWEST_TO_SHRINK else mean
        found = rows.assign(character=rows["key"], low=low, high=high, difference=mean - fair, p_holm=p, shrunken=shrunken, fair=fair)
        return found.sort_values("mean", ascending=False, ignore_index=True)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """One row for each pair, columns ``character``, ``against``, ``mean``, ``low`` and ``high``; empty for runs without."""
        rows = self.of_grouping("pair")
        rows = rows[rows["measure"] == headline(self.experiment)[1]]
        if rows.empty:
            return rows
        names = rows["key"].str.split("[, ]+", n=1, expand=True, regex=True).reindex(columns=[0, 1])
        return rows.assign(character=names[0].str.strip(), against=names[1].str.strip())

    @cached_property
    def lift(self) -> pd.DataFrame:
        """One row for each character: what its power adds on the same deals, the largest first; empty for runs without."""
        rows = self.of_grouping("character")
        rows = rows[rows["measure"] == "lift"]
        return rows.assign(character=rows["key"]).sort_values("mean", ascending=False, ignore_index=True)

    @cached_property
    def histograms(self) -> list[Histogram]:
        """Distributions of the figures that are no shares: of the seats, or of the policies where they change seats; then of the match."""
        grouping = "seat" if len(self.experiment.seatings) == 1 else "policy"
        found = []
        for layout, bins in zip(self.counts.layouts, self.counts.bins, strict=True):
            wanted = grouping if layout.level.endswith("seat") else "all"
            if layout.level == "deal":
                continue
            rows = [i for i, g in enumerate(layout.groups) if g.grouping == wanted and g.kind == "all"]
            for m, measure in enumerate(layout.measures):
                part = bins[:, layout.first_bins[m] : layout.first_bins[m + 1]]
                if measure.is_rate or not part.size or not part[rows].any():
                    continue
                found.append(Histogram(measure, layout.level, self._shares(layout, rows, part, measure)))
        return found

    def _shares(self, layout: Any, rows: list[int], part: np.ndarray, measure: Measure) -> pd.DataFrame:
        seen = np.flatnonzero(part[rows].any(axis=0))
        values = np.arange(seen[0], seen[-1] + 1)
        frames = [
            pd.DataFrame(
                {
                    "group": self.group_name(layout.groups[i].grouping, layout.groups[i].key),
                    "value": values + measure.low,
                    "share": part[i, values] / max(part[i].sum(), 1),
                }
            )
            for i in rows
        ]
        return pd.concat(frames, ignore_index=True)

    def settings(self) -> list[tuple[str, str, str]]:
        """Rules: name, value, and what it means; the value marked where it is not the default."""
        rules = self.run.info["rules"]
        return [
            (
                words(switch.name),
                f"{rules[switch.name]}{'' if rules[switch.name] == switch.default else f' (default {switch.default})'}",
                switch.text,
            )
            for switch in self.experiment.game.SWITCHES
        ]

    def policies(self) -> list[tuple[str, str]]:
        """Policies and what they do."""
        return [(policy, POLICIES[parse_policy(policy)[0]].text) for policy in dict.fromkeys(self.experiment.policies)]

    def changed_rules(self) -> str:
        """The rules that are not the default, in a line."""
        rules = self.run.info["rules"]
        changed = [f"{words(s.name)} {rules[s.name]}" for s in self.experiment.game.SWITCHES if rules[s.name] != s.default]
        return ", ".join(changed) or "default rules"

    def text(self, row: Any, *, with_interval: bool = False, signed: bool = False) -> str:
        """A figure with as many decimals as its error carries."""
        return figure(row, self.is_rate(row.level, row.measure), with_interval=with_interval, signed=signed)


def content_of(folder: Any) -> Content:
    """Content of the run in a folder."""
    return Content(open_run(folder))
