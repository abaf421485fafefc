"""An identification as a page of HTML: `write_report`."""

from __future__ import annotations

import io
import os
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from pyrfly.errors import ParameterError, brief
from pyrfly.files import path_of, readable, replacing
from pyrfly.identify.figures import figures_of
from pyrfly.identify.identification import Identification
from pyrfly.identify.search import NORMAL_95, Estimate
from pyrfly.log.figure_style import DPI
from pyrfly.log.report_page import figure_element, report_page, table_row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["write_report"]

_HEAD = ("parameter", "value", "± 95 %", "set", "unit", "")

_METHOD = (
    "Intervals hold the truth with a probability of 95 % where the vehicle follows the laws of the "
    "model; correlated residuals count. A residual that is not white noise shows what the model "
    "lacks, or what the flight met with."
)

_STYLE = """th:first-child, td:first-child, td:nth-child(n+5) { text-align: left }
tr.other { color: #888 }"""


def write_report(found: Identification, path: str | os.PathLike[str]) -> None:
    """Write estimates and residuals as a page that needs no other file.

    Parameters
    ----------
    found : Identification
        The result of `identify`.
    path : str or path-like
        The file, ``.html``; it is replaced.

    Raises
    ------
    ParameterError
        The suffix is another.
    OSError
        The file cannot be written.
    """
    file = path_of("path", path)
    if file.suffix.lower() != ".html":
        raise ParameterError(f"path: expected a name that ends in .html, got {brief(file.name)}")
    rows = [table_row("th", _HEAD), *map(_estimate, found.estimates.values())]
    body = [
        f"<p>{escape(_summary(found))}</p>",
        "<table>",
        *rows,
        "</table>",
        f"<p>{escape(_METHOD)}</p>",
        *(figure_element(title, _png(one), "png") for title, one in figures_of(found).items()),
    ]
    page = report_page(readable(f"Identification of {found.base.name}"), _STYLE, body)
    with replacing(file) as temporary:
        temporary.write_text(page, encoding="utf-8")


def _summary(found: Identification) -> str:
    pairs = [f"{a} and {b} ({r:+.2f})" for (a, b), r in found.correlation.items()]
    related = f" Estimates that are hard to tell apart: {', '.join(pairs)}." if pairs else ""
    ended = "" if found.converged else " The search has not converged."
    return (
        f"By {found.method} error, from {len(found.times)} segments of a flight at "
        f"{1 / found.flight.interval:.0f} Hz; condition number {found.condition:.0f}."
        f"{ended}{related}"
    )


def _estimate(one: Estimate) -> str:
    half = NORMAL_95 * one.deviation
    error = f"{half:.2g}" if np.isfinite(half) else ""
    note = "" if one.identified else one.status
    cells = (one.name, f"{one.value:.6g}", error, f"{one.start:.6g}", one.unit, note)
    return table_row("td", cells, "" if one.identified else ' class="other"')


def _png(figure: Figure) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=DPI)
    return stream.getvalue()
