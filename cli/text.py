"""Figures and tables as text that is the same in a terminal, a pipe and a file."""

import math
from collections.abc import Sequence
from typing import Any


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [first.ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines


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
