"""The page: sections of text, tables and plots, with all that they need inside."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
import vl_convert

from simcore.figures import words
from simcore.report.charts import Plot, plots, theme, to_png
from simcore.report.content import Content, content_of
from simcore.results.folder import write_whole


@dataclass(frozen=True)
class Cell:
    """A cell of a table: what is shown, and what it is sorted by."""

    text: str
    value: float | str | None = None

    @property
    def key(self) -> str:
        """Sorting key as an attribute; nothing for what has no value."""
        if self.value is None or (isinstance(self.value, float) and not math.isfinite(self.value)):
            return ""
        return str(self.value)


@dataclass(frozen=True)
class Table:
    """A table of the page; the first column heads its rows."""

    name: str
    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    is_searchable: bool = False

    @cached_property
    def is_numeric(self) -> list[bool]:
        """Which columns hold numbers, which stand to the right."""
        return [any(not isinstance(cell.value, str | None) for cell in column) for column in zip(*self.rows, strict=True)]


@dataclass
class Section:
    """A part of the page."""

    name: str
    title: str
    text: str = ""
    tables: list[Table] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)


def write_page(folder: Path, out: Path) -> None:
    """Write the page of the run in *folder* to *out*, whole or not at all. ValueError in one line when the run has nothing to show."""
    write_whole(out, page(folder).encode())


def write_plots(folder: Path, out: Path) -> list[Path]:
    """Write the plots of the run in *folder* as PNG files into the folder *out*, which is made; their paths."""
    out.mkdir(parents=True, exist_ok=True)
    files = []
    for plot in plots(content_of(folder)):
        files.append(out / f"{plot.name}.png")
        write_whole(files[-1], to_png(plot))
    return files


def page(folder: Path) -> str:
    """The page of the run in *folder* as HTML."""
    content = content_of(folder)
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    sections = [section for section in _sections(content) if section.tables or section.plots or section.text]
    return environment.from_string(_file("page.html")).render(
        content=content,
        lead=_lead(content),
        sections=sections,
        notes=_notes(content),
        settings=content.settings(),
        policies=content.policies(),
        provenance=_provenance(content),
        data_table=_data_table,
        specification=_specification,
        themes=_as_script({mode: theme(mode) for mode in ("light", "dark")}),
        style=_file("page.css"),
        script=_file("page.js"),
        vega=_vega(),
    )


@cache
def _file(name: str) -> str:
    return resources.files("simcore.report").joinpath(name).read_text(encoding="utf-8")


@cache
def _vega() -> str:
    """The scripts that draw the plots, as one text that may stand inside a page."""
    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version="6.4").replace("</script", "<\\/script")


def _as_script(data: Any) -> str:
    """JSON that may stand inside a script element."""
    return json.dumps(data).replace("<", "\\u003c")


def _specification(plot: Plot) -> str:
    return _as_script(plot.chart.to_dict())


def _lead(content: Content) -> str:
    info, game = content.run.info, content.experiment.game
    state = "" if info["state"] == "done" else f" The run is not done (it is {info['state']}): these are the figures so far."
    return f"{content.n_units:,} {content.unit} of {game.TITLE}, seed {info['seed']}, {content.changed_rules()}.{state}"


def _sections(content: Content) -> list[Section]:
    sections = {
        "characters": Section("characters", "Characters", _CHARACTERS_TEXT if not content.characters.empty else ""),
        "seats": Section("seats", "Seats and policies", _seats_text(content)),
        "kinds": Section("kinds", "Kinds of deal"),
        "length": Section("length", f"Length of a {content.experiment.game.MATCH}"),
        "distributions": Section("distributions", "Distributions"),
        "figures": Section(
            "figures", "All figures", "Sort by a column's heading; search for words in any order, like “seat 0 card points”."
        ),
    }
    for plot in plots(content):
        sections[plot.section].plots.append(plot)
    if not content.characters.empty:
        sections["characters"].tables.append(_character_table(content))
    sections["seats"].tables += _seat_tables(content)
    if sections["kinds"].plots:
        sections["kinds"].tables.append(_kind_table(content))
    sections["figures"].tables.append(_figure_table(content))
    return list(sections.values())


_CHARACTERS_TEXT = (
    "The intervals hold for all characters together, so that the best and the worst of many are not taken for more than what luck "
    "makes of them. p is of “no better or worse than the mean”, adjusted for all characters (Holm). Shrunken is the best guess of a single "
    "character: pulled towards the mean of all, the more the less is known of it."
)


def _seats_text(content: Content) -> str:
    if len(content.experiment.seatings) > 1:
        return (
            "The players changed seats on the same cards, so the seats differ by their place alone, and the policies by their play alone."
        )
    if len(set(content.experiment.policies)) == 1:
        return "All seats play by the same policy, so they differ by their place alone."
    return "Each seat has a player of its own: what differs between seats is both the place and the player."


def _character_table(content: Content) -> Table:
    header = ["character", "n", "result", "low", "high", "to the mean", "p (Holm)", "shrunken"]
    rows = [_character_cells(content, row) for row in content.characters.itertuples()]
    return Table("characters", "Characters by result", header, rows, is_searchable=True)


def _character_cells(content: Content, row: Any) -> list[Cell]:
    is_rate = content.is_rate(row.level, row.measure)

    def shown(value: float, signed: bool = False) -> Cell:
        return Cell(f"{value:{'+' if signed else ''}.2%}" if is_rate else f"{value:{'+' if signed else ''}.4g}", value)

    p = "–" if math.isnan(row.p_holm) else "<0.001" if row.p_holm < 0.001 else f"{row.p_holm:.3f}"
    numbers = [shown(row.mean), shown(row.low), shown(row.high), shown(row.difference, signed=True)]
    return [Cell(row.character, row.character), Cell(f"{row.n:,}", row.n), *numbers, Cell(p, row.p_holm), shown(row.shrunken)]


def _seat_tables(content: Content) -> list[Table]:
    levels = [("deal seat", "Figures of a deal", content.experiment.seat_figures)]
    if content.experiment.is_match:
        levels.insert(0, ("match seat", f"Figures of a {content.experiment.game.MATCH}", content.experiment.match_measures[1]))
    tables = []
    for level, caption, measures in levels:
        columns = [content.seats_and_policies(level, m.name) for m in measures]
        rows = []
        for group in columns[0]["group"]:
            cells = [Cell(group, group)]
            for frame in columns:
                row: Any = next(frame[frame["group"] == group].itertuples())
                cells.append(Cell(content.text(row), row.mean))
            rows.append(cells)
        tables.append(Table(level.replace(" ", "-"), caption, ["", *(words(m.name) for m in measures)], rows))
    return tables


def _kind_table(content: Content) -> Table:
    whole, measures = content.whole_by_kind(), content.experiment.game.DEAL_MEASURES
    rows = []
    for kind, part in whole.groupby("kind", sort=False):
        found: dict[Any, Any] = {row.measure: row for row in part.itertuples()}
        first = found[measures[0].name]
        cells = [Cell(str(kind), str(kind)), Cell(f"{first.n:,}", first.n), Cell(f"{first.share:.2%}", first.share)]
        rows.append([*cells, *(Cell(content.text(found[m.name]), found[m.name].mean) for m in measures)])
    return Table("kinds", "Kinds of deal", ["kind", "deals", "share", *(words(m.name) for m in measures)], rows)


def _figure_table(content: Content) -> Table:
    header = ["figure", "of", "level", "kind", "n", "mean", "95% interval", "standard error", "method"]
    # Pairs stand below their plot; triples are thousands.
    table = content.table[~content.table["grouping"].isin(("pair", "triple"))]
    rows = [_figure_cells(content, row) for row in table.itertuples()]
    return Table("figures", "All figures of the run", header, rows, is_searchable=True)


def _figure_cells(content: Content, row: Any) -> list[Cell]:
    mean, _, interval = content.text(row, with_interval=True).partition(" ")
    texts = [
        words(row.measure),
        content.group_name(row.grouping, row.key),
        row.level.replace("match", content.experiment.game.MATCH),
        row.kind,
    ]
    return [
        *(Cell(text, text) for text in texts),
        Cell(f"{row.n:,}", row.n),
        Cell(mean, row.mean),
        Cell(interval, row.high - row.low if interval else None),
        Cell(f"{row.standard_error:.2g}" if math.isfinite(row.standard_error) else "–", row.standard_error),
        Cell(row.method, row.method),
    ]


def _data_table(plot: Plot) -> Table:
    """The numbers of a plot, for who does not see it."""
    rows = [[Cell(_plain(value), value if isinstance(value, str) else float(value)) for value in row] for row in plot.data.to_numpy()]
    return Table(f"data-{plot.name}", f"Data of the plot: {plot.title}", [words(str(name)) for name in plot.data.columns], rows)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else f"{value:.5g}"


def _notes(content: Content) -> list[str]:
    """What the numbers do not say."""
    names = " and ".join(f"{policy}" for policy, _ in content.policies())
    is_watched = content.run.info["until"] is not None
    found = [
        f"They are about {names} under these rules. Whether people play like that, and get the same, is another question.",
        "Each interval is for itself: of twenty, expect one to miss. Where it says that intervals hold together, they do.",
        "An interval tells how far chance alone may have moved a figure. It knows nothing of mistakes in the rules or the players.",
        "A kind of deal that a player chooses (a contract, a bid) is not dealt to him at random: its figures are of those deals in which "
        "he chose it.",
        "The deck is shuffled uniformly. Nobody tires, talks, signals, learns, or bluffs but by his policy.",
    ]
    if is_watched:
        found.insert(
            2, "The run stopped by its own intervals. They are wider than ordinary ones, and hold although one looked all the time."
        )
    if len(content.experiment.seatings) == 1 and len(set(content.experiment.policies)) > 1:
        found.insert(1, "Each player has sat in one seat only. Which policy is stronger, apart from the seat, is told by `cosmic ladder`.")
    return found


def _provenance(content: Content) -> list[tuple[str, str]]:
    info = content.run.info
    versions = ", ".join(f"{name} {version}" for name, version in info["versions"].items())
    return [
        ("command", info["command"] or "none"),
        ("seed", str(info["seed"])),
        ("players by seat", " | ".join(", ".join(info["policies"][p] for p in seating) for seating in info["seatings"])),
        ("characters", ", ".join(info["characters"]) if isinstance(info["characters"], list) else str(info["characters"] or "none")),
        ("rules version", str(info["rules_version"])),
        ("versions", versions),
        ("source hash", info["source_hash"]),
        ("processor", info["cpu"]),
        ("start", info["start"]),
        ("state", info["state"]),
    ]
