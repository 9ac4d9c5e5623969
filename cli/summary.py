"""What a run has found, for people and as JSON."""

import json
from typing import TYPE_CHECKING, Any

from cli.text import aligned, figure, words

if TYPE_CHECKING:
    import pandas as pd

    from simcore.engine import Experiment
    from simcore.protocol import Measure
    from simcore.results import Run


def run_lines(run: "Run", table: "pd.DataFrame") -> list[str]:
    """Summary of a run: what it is, then its tables."""
    experiment = run.experiment
    n_blocks = int(table["blocks"].iloc[0])
    lines = [*description(experiment, n_blocks * len(experiment.seatings)), interval_line(table), ""]
    rows = {str(level): part for level, part in table.groupby("level", observed=True)}
    if experiment.is_match:
        whole, by_seat = experiment.match_measures
        lines += [*_whole_lines(rows["match"], whole), "", *_seat_lines(experiment, rows["match seat"], by_seat), ""]
    lines += [*_seat_lines(experiment, rows["deal seat"], experiment.seat_figures), ""]
    lines += [*_whole_lines(rows["deal"], experiment.game.DEAL_MEASURES), "", *_kind_lines(experiment, rows)]
    lines += _character_lines(rows)
    return [*lines, "", f"run folder: {run.folder}"]


def _character_lines(rows: dict[str, Any]) -> list[str]:
    """A table of the characters, the most successful first: matches won, figures of the hands, and those with and without a use."""
    seats = rows["deal seat"]
    cells = {(row.key, row.kind, row.measure): row for row in seats[seats["grouping"] == "character"].itertuples()}
    if not cells:
        return []
    matches = rows.get("match seat", seats[:0])
    won = {row.key: row for row in matches[(matches["grouping"] == "character") & (matches["measure"] == "won")].itertuples()}
    names = dict.fromkeys(key for key, _, _ in cells)
    header = ["", *["tournaments won"] * bool(won), "hands", "victory points", "uses", "used", "points if used", "points if not"]
    lines = []
    for name in sorted(names, key=lambda name: -(won[name].mean if won else cells[name, "all", "victory_points"].mean)):
        row = cells[name, "all", "victory_points"]
        line = [name, *([figure(won[name], True, with_interval=True)] if won else []), f"{row.n:,}", figure(row, False, with_interval=True)]
        line += [figure(cells[name, "all", "uses"], False), figure(cells[name, "all", "used"], True)]
        halves = [cells.get((name, kind, "victory_points")) for kind in ("used", "unused")]
        lines.append(line + ["-" if half is None else figure(half, False) for half in halves])
    return ["", *aligned([header, *lines])]


def run_json(run: "Run", table: "pd.DataFrame") -> str:
    """Summary of a run as JSON: run.json with the folder and all statistics."""
    statistics = json.loads(table.to_json(orient="records", double_precision=15))
    return json.dumps({"folder": str(run.folder)} | run.info | {"statistics": statistics}, indent=2)


def description(experiment: "Experiment", n_units: int) -> list[str]:
    """What is played by whom, by what rules."""
    from simcore.policies import policy_text

    game = experiment.game
    unit = f"{game.MATCH}s" if experiment.is_match else "deals"
    changed = [
        f"{switch.name}={switch.text_of(experiment.rules[0][switch.name])}"
        for switch in game.SWITCHES
        if experiment.rules[0][switch.name] != switch.encode(switch.default)
    ]
    lines = [f"{game.TITLE}: {n_units:,} {unit}, seed {experiment.seed}, {'rules ' + ' '.join(changed) if changed else 'default rules'}"]
    return lines + [f"{policy}: {policy_text(policy, game)}" for policy in dict.fromkeys(experiment.policies)]


def interval_line(table: "pd.DataFrame") -> str:
    """How the intervals of a table were made."""
    methods = " or ".join(table["method"].unique())
    return f"[low, high]: {table['confidence'].iloc[0]:.0%} interval, {methods}"


def _seat_lines(experiment: "Experiment", rows: "pd.DataFrame", measures: "tuple[Measure, ...]") -> list[str]:
    """A table of the seats and of the policies over all kinds of deal."""
    first, *others = measures
    header = ["", "player", words(first.name)]
    for m in others:
        header += [words(m.name)] if m.is_rate else [words(m.name), "sd"]
    lines = [header]
    rows = rows[(rows["kind"] == "all") & rows["grouping"].isin(["seat", "policy"])]
    for group, part in rows.groupby(["grouping", "key"], observed=True, sort=False):
        by_measure = {row.measure: row for row in part.itertuples()}
        grouping, key = map(str, group)  # type: ignore[arg-type]
        if grouping == "seat":
            players = dict.fromkeys(experiment.policies[seating[int(key)]] for seating in experiment.seatings)
            cells = [f"seat {key}", ", ".join(players)]
        else:
            cells = ["all seats of", key]
        cells.append(figure(by_measure[first.name], first.is_rate, with_interval=True))
        for m in others:
            row = by_measure[m.name]
            cells += [figure(row, m.is_rate)] if m.is_rate else [figure(row, False), _deviation(row)]
        lines.append(cells)
    return aligned(lines)


def _whole_lines(rows: "pd.DataFrame", measures: "tuple[Measure, ...]") -> list[str]:
    by_measure = {row.measure: row for row in rows[rows["kind"] == "all"].itertuples()}
    return aligned([[words(m.name), figure(by_measure[m.name], m.is_rate, with_interval=True)] for m in measures])


def _kind_lines(experiment: "Experiment", rows: "dict[str, pd.DataFrame]") -> list[str]:
    """A table of the kinds of deal: how often, the figures of the deal, and the game's own unit by seat."""
    game, unit = experiment.game, experiment.game.SEAT_MEASURES[0]
    seats = [str(seat) for seat in range(experiment.n_seats)]
    header = [
        "kind",
        "deals",
        "share",
        *(words(m.name) for m in game.DEAL_MEASURES),
        *(f"{words(unit.name)} seat {seat}" for seat in seats),
    ]
    lines = [header]
    whole: dict[Any, Any] = {(row.kind, row.measure): row for row in rows["deal"].itertuples()}
    by_seat: dict[Any, Any] = {
        (row.kind, row.key): row for row in rows["deal seat"].itertuples() if row.grouping == "seat" and row.measure == unit.name
    }
    n_deals = whole["all", game.DEAL_MEASURES[0].name].n
    for kind in (*game.KINDS, "all"):
        n = whole[kind, game.DEAL_MEASURES[0].name].n
        cells = [kind, f"{n:,}", f"{n / n_deals:.1%}" if n_deals else "-"]
        cells += [figure(whole[kind, m.name], m.is_rate) for m in game.DEAL_MEASURES]
        lines.append(cells + [figure(by_seat[kind, seat], unit.is_rate) for seat in seats])
    return aligned(lines)


def _deviation(row: Any) -> str:
    return f"{row.sd:.3g}" if row.sd == row.sd else "-"
