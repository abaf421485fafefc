"""The figures of a comparison as text: `comparison_table`."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pyrfly.compare.comparison import Comparison, SignalComparison
from pyrfly.compare.groups import telling
from pyrfly.files import readable

__all__ = ["HEAD", "alignment_text", "comparison_rows", "comparison_table"]

HEAD: tuple[str, ...] = ("signal", "unit", "rms", "maximum", "mean", "r", "samples", "Hz")
"""What the figures of a row are."""


def comparison_rows(signals: Iterable[SignalComparison]) -> list[tuple[str, ...]]:
    """Return a row of texts per signal, with the figures that `HEAD` names."""
    rows = []
    for one in signals:
        figures = (one.rms, one.maximum, one.mean)
        r = f"{one.r:.4f}" if math.isfinite(one.r) else "-"
        numbers = [f"{x:.4g}" if math.isfinite(x) else "-" for x in figures]
        rows.append((one.name, one.unit, *numbers, r, str(one.samples), f"{one.rate:.4g}"))
    return rows


def comparison_table(result: Comparison) -> str:
    """Return a table with a line per signal: rms, maximum and mean of the difference, and r.

    Where there are many, signals of state and sensors come first, and constant ones last.

    Parameters
    ----------
    result : Comparison
        Of `pyrfly.compare.compare`.
    """
    first, others = telling(result)
    rows = [HEAD, *comparison_rows([*first, *others])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    title = f"A: {readable(result.a)}, B: {readable(result.b)}; differences are B minus A"
    return "\n".join((title, alignment_text(result), *lines))


def alignment_text(result: Comparison) -> str:
    """Return what the shift in time is, and where it is from."""
    found, later = result.alignment, f"{readable(result.b)} is later"
    if found.signal is None:
        given = f"{later} by {found.shift:.6g} s, as given" if found.shift else "not shifted"
        return result.notes[0] if result.notes else given
    error = f"+- {found.error:.2g} s" if math.isfinite(found.error) else "within a sample or so"
    return f"{later} by {found.shift:.6g} s {error}, by {found.signal} (r {found.r:.4f})"
