"""Figures as people read them, in a terminal and on a page."""

import math
from typing import Any


def figure(row: Any, is_rate: bool, *, with_interval: bool = False, signed: bool = False) -> str:
    """Mean of a row of statistics with as many decimals as its error allows; rates in percent."""
    from simcore.statistics import decimals

    if not math.isfinite(row.mean):
        return "-"
    scale, unit = (100, "%") if is_rate else (1, "")
    error = row.standard_error if row.standard_error > 0 else (row.high - row.low) / 4
    n_decimals = decimals(scale * error)
    text = f"{scale * row.mean:{'+' if signed else ''}.{n_decimals}f}{unit}"
    return f"{text} [{scale * row.low:.{n_decimals}f}, {scale * row.high:.{n_decimals}f}]" if with_interval else text


def words(name: str) -> str:
    """A name as people write it."""
    return name.replace("_", " ")
