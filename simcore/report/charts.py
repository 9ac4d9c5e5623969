"""The plots of a run, as Vega-Lite specifications: the same for the page and for image files."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd
import vl_convert

from simcore.figures import words
from simcore.protocol import Measure
from simcore.report.content import MOST_BARS, Content

# Told apart by the color-blind as well (Okabe and Ito), in an order in which neighbours differ in lightness too.
COLORS = {
    "light": ["#0072B2", "#D55E00", "#009E73", "#AA4499", "#7A5C00", "#4B4B4B"],
    "dark": ["#56B4E9", "#F0803C", "#2CC295", "#E08CC0", "#F0E442", "#CCCCCC"],
}
INK = {
    "light": {"text": "#1c1b1a", "line": "#d9d6d0", "page": "#ffffff"},
    "dark": {"text": "#ece9e4", "line": "#45423e", "page": "#191817"},
}
ROW = 30
# Observations below which a mean is not drawn: its interval would hide all others.
FEWEST = 30
_ERROR_BARS = "The bars are the 95 % intervals."


@dataclass(frozen=True)
class Plot:
    """One plot: its place on the page, what it shows in a sentence, its data as a table."""

    name: str
    section: str
    title: str
    caption: str
    chart: alt.TopLevelMixin
    data: pd.DataFrame
    is_wide: bool = False


def plots(content: Content) -> Iterator[Plot]:
    """The plots that a run has data for."""
    yield from _character_plots(content)
    for level, measure in content.headlines:
        yield _headline_plot(content, level, measure)
    yield from _kind_plots(content)
    for histogram in content.histograms:
        yield _histogram_plot(content, histogram.level, histogram.measure, histogram.rows)


def theme(mode: str) -> dict:
    """Vega-Lite configuration for the ``light`` or the ``dark`` page."""
    ink = INK[mode]
    axis = {"labelColor": ink["text"], "titleColor": ink["text"], "tickColor": ink["line"], "domainColor": ink["line"]}
    return {
        "background": None,
        "font": "system-ui, sans-serif",
        "view": {"stroke": None},
        "axis": axis | {"gridColor": ink["line"], "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelLimit": 150},
        "legend": {
            "labelColor": ink["text"],
            "titleColor": ink["text"],
            "labelFontSize": 12,
            "orient": "top",
            "columns": 2,
            "labelLimit": 260,
        },
        "range": {"category": COLORS[mode]},
        "mark": {"color": COLORS[mode][0]},
        "axisQuantitative": {"labelFlush": False, "labelOverlap": "greedy", "labelSeparation": 6},
        "style": {
            "interval": {"color": COLORS[mode][0], "strokeWidth": 2.5},
            "fair": {"color": ink["text"], "strokeDash": [4, 4], "opacity": 0.7},
        },
    }


def to_png(plot: Plot) -> bytes:
    """A plot as an image on white, 720 pixels wide at a scale of 2."""
    spec = plot.chart.properties(title=plot.title).to_dict() | {"background": "white"}
    spec["width"] = 560
    return vl_convert.vegalite_to_png(spec, vl_version="6.4", config=theme("light") | {"background": "white"}, scale=2)


def _axis(measure: Measure) -> dict:
    return {"format": "~%"} if measure.is_rate else {}


def _sized(chart: alt.TopLevelMixin, height: int, description: str) -> alt.TopLevelMixin:
    return chart.properties(width="container", height=height, description=description)


def _intervals(rows: pd.DataFrame, y: alt.Y, x_title: str, measure: Measure, tooltip: list) -> alt.LayerChart:
    """Points with their intervals, one in each row."""
    base = alt.Chart(rows).encode(y)
    scale = alt.Scale(zero=False, nice=True)
    lines = base.mark_rule(style="interval").encode(alt.X("low:Q", title=x_title, scale=scale).axis(**_axis(measure)), alt.X2("high:Q"))
    points = base.mark_point(filled=True, size=70, opacity=1).encode(alt.X("mean:Q", scale=scale), tooltip=tooltip)
    return lines + points


def _split(rows: pd.DataFrame, *channels: Any) -> list:
    """Channels that tell the groups apart, with one legend for all of them; none for a single group."""
    groups = rows["group"].unique().tolist()
    return [channel("group:N", title=None, scale=alt.Scale(domain=groups)) for channel in channels] if len(groups) > 1 else []


def _fair(value: float) -> alt.Chart:
    return alt.Chart(pd.DataFrame({"fair": [value]})).mark_rule(style="fair").encode(x="fair:Q")


def _tooltip(measure: Measure, *names: str) -> list:
    number = ".3%" if measure.is_rate else ".4~f"
    return [alt.Tooltip(f"{name}:N") for name in names] + [alt.Tooltip(f"{name}:Q", format=number) for name in ("mean", "low", "high")]


def _headline_plot(content: Content, level: str, measure: Measure) -> Plot:
    rows = content.seats_and_policies(level, measure.name)[["group", "mean", "low", "high", "n", "grouping"]]
    fair = float(rows[rows["grouping"] == "seat"]["mean"].mean())
    what = measure.text.removesuffix(" of the deal") if level == "match seat" else words(measure.name)
    caption = f"{what[0].upper()}{what[1:]}, by seat and policy. {_ERROR_BARS} Dashed: the mean of all seats."
    data = rows.drop(columns="grouping")
    y = alt.Y("group:N", title=None, sort=None)
    chart = _intervals(data, y, what, measure, _tooltip(measure, "group")) + _fair(fair)
    name = f"{'won' if level == 'match seat' else measure.name}-by-seat"
    return Plot(name, "seats", f"{what[0].upper()}{what[1:]}", caption, _sized(chart, ROW * len(data), caption), data)


def _kind_plots(content: Content) -> Iterator[Plot]:
    whole = content.whole_by_kind()
    first = whole["measure"].iloc[0]
    shares = whole[(whole["measure"] == first) & (whole["kind"] != "all")][["kind", "n", "share"]]
    if len(shares) < 2:
        return
    caption = "How often each kind of deal came up, as a share of all deals."
    y = alt.Y("kind:N", title=None, sort=None)
    tooltip = [alt.Tooltip("kind:N"), alt.Tooltip("n:Q", format=","), alt.Tooltip("share:Q", format=".2%")]
    bars = alt.Chart(shares).mark_bar().encode(y, alt.X("share:Q", title="share of deals").axis(format="~%"), tooltip=tooltip)
    yield Plot("kinds", "kinds", "Kinds of deal", caption, _sized(bars, 24 * len(shares), caption), shares)
    level, measure = content.headlines[-1]
    everything = content.by_kind(level, measure.name)[["kind", "group", "mean", "low", "high", "n"]]
    rows = everything[everything["n"] >= FEWEST]
    if rows.empty:
        return
    what = words(measure.name)
    left_out = "" if len(rows) == len(everything) else f" Kinds of fewer than {FEWEST} deals are left out."
    caption = f"{what[0].upper()}{what[1:]} by kind of deal and seat. {_ERROR_BARS}{left_out}"
    encoded = [alt.YOffset("group:N", sort=None), *_split(rows, alt.Color, alt.Shape)]
    base = alt.Chart(rows).encode(y)
    scale = alt.Scale(zero=False)
    lines = base.mark_rule(style="interval").encode(
        alt.X("low:Q", title=what, scale=scale).axis(**_axis(measure)), alt.X2("high:Q"), *encoded[:2]
    )
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        alt.X("mean:Q", scale=scale), *encoded, tooltip=_tooltip(measure, "kind", "group")
    )
    height = 16 * len(rows) + 6 * rows["kind"].nunique()
    yield Plot(f"{measure.name}-by-kind", "kinds", f"{caption.split('.')[0]}", caption, _sized(lines + points, height, caption), rows)


def _histogram_plot(content: Content, level: str, measure: Measure, rows: pd.DataFrame) -> Plot:
    what = measure.text.split(" (")[0]
    unit = content.experiment.game.MATCH if level.startswith("match") else "deal"
    title = f"{words(measure.name).capitalize()} of a {unit}" if level != "match" else f"Length: {what}"
    caption = f"How often {what if level == 'match' else words(measure.name)} came to each value, as a share of the {unit}s."
    x_title, y_title = words(measure.name), f"share of {unit}s"
    tooltip = [alt.Tooltip("group:N"), alt.Tooltip("value:Q", title=x_title), alt.Tooltip("share:Q", format=".3%")]
    y = alt.Y("share:Q", title=y_title).axis(format="~%")
    is_split = rows["group"].nunique() > 1
    if rows["value"].nunique() <= MOST_BARS:
        x = alt.X("value:O", title=x_title).axis(labelAngle=0)
        chart = (
            alt.Chart(rows)
            .mark_bar()
            .encode(x, y, *_split(rows, alt.Color), *([alt.XOffset("group:N", sort=None)] * is_split), tooltip=tooltip)
        )
    else:
        x = alt.X("value:Q", title=x_title, scale=alt.Scale(nice=False))
        line = alt.Chart(rows).mark_line(interpolate="step", strokeWidth=1.7)
        chart = line.encode(x, y, *_split(rows, alt.Color, alt.StrokeDash), tooltip=tooltip)
    data = rows if is_split else rows.drop(columns="group")
    name = f"{measure.name}-{'length' if level == 'match' else unit}"
    return Plot(name, "length" if level == "match" else "distributions", title, caption, _sized(chart, 240, caption), data)


def _character_plots(content: Content) -> Iterator[Plot]:
    if not content.characters.empty:
        yield _ranking_plot(content)
    if not content.lift.empty:
        yield _lift_plot(content)
    if not content.pairs.empty:
        yield _pair_plot(content)


def _character_measure(content: Content) -> Measure:
    return content.headlines[0][1]


def _ranking_plot(content: Content) -> Plot:
    measure, rows = _character_measure(content), content.characters
    data = rows[["character", "mean", "low", "high", "n"]]
    caption = "Characters by result, the best first. The bars hold for all characters together at 95 %. Dashed: the mean of all."
    y = alt.Y("character:N", title=None, sort=None)
    chart = _intervals(data, y, measure.text, measure, _tooltip(measure, "character")) + _fair(float(rows["fair"].iloc[0]))
    return Plot("ranking", "characters", "Ranking", caption, _sized(chart, 20 * len(data), caption), data)


def _lift_plot(content: Content) -> Plot:
    measure = _character_measure(content)
    data = content.lift[["character", "mean", "low", "high", "n"]]
    caption = f"Lift: what the power adds to the same player on the same deals. {_ERROR_BARS} Dashed: nothing."
    y = alt.Y("character:N", title=None, sort=None)
    chart = _intervals(data, y, "lift", measure, _tooltip(measure, "character")) + _fair(0.0)
    return Plot("lift", "characters", "Lift of the powers", caption, _sized(chart, 20 * len(data), caption), data)


def _pair_plot(content: Content) -> Plot:
    measure = _character_measure(content)
    data = content.pairs[["character", "against", "mean", "low", "high", "n"]]
    order = content.characters["character"].tolist() if not content.characters.empty else sorted(data["character"].unique())
    caption = "How the character of a row does where that of the column sits at the table; orange is above the mean of all, blue below."
    middle = float((data["mean"] * data["n"]).sum() / max(data["n"].sum(), 1))
    spread = float((data["mean"] - middle).abs().max()) or 1.0
    # Blue and orange are told apart by the color-blind; the middle is grey, so that it stands on either page.
    scale = alt.Scale(domain=[middle - spread, middle, middle + spread], range=["#0072B2", "#b8b5b0", "#D55E00"], interpolate="rgb")
    chart = (
        alt.Chart(data)
        .mark_rect()
        .encode(
            alt.X("against:N", title="against", sort=order).axis(labelAngle=-90),
            alt.Y("character:N", title=None, sort=order),
            alt.Color("mean:Q", title=None, scale=scale).legend(gradientLength=200, **_axis(measure)),
            tooltip=_tooltip(measure, "character", "against"),
        )
    )
    return Plot("pairs", "characters", "Who does better against whom", caption, _sized(chart, 18 * len(order), caption), data, is_wide=True)
