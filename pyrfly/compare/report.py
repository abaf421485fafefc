"""A comparison as a document: `write_report`."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyrfly.compare.comparison import Comparison, SignalComparison
from pyrfly.compare.figures import Titled, figures_of
from pyrfly.compare.groups import telling
from pyrfly.compare.table import HEAD, alignment_text, comparison_rows, comparison_table
from pyrfly.errors import brief
from pyrfly.files import path_of, readable, replacing
from pyrfly.log.figure_style import INK
from pyrfly.log.report_page import figure_element, report_page, table_row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["REPORTS", "write_report"]

_PAGE = (11.0, 8.3)  # inches
_LINES = 46  # of a table on a page

_TITLE = "Comparison of flights"

_METHOD = (
    "rms, maximum and mean are those of the difference, second flight minus first. r is Pearson's "
    "correlation coefficient, '-' where a signal is constant; of angles within one turn. Signals "
    "have the lower one of both rates, low-pass filtered; in gaps nothing is compared. The second "
    "flight is drawn shifted in time, over the first. Spectra are by Welch's method."
)

_STYLE = """th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left }
p.small { color: #666 }"""


def write_report(
    result: Comparison,
    path: str | os.PathLike[str],
    *,
    told: Callable[[str], None] | None = None,
) -> None:
    """Write the table and the figures of a comparison; an existing file is replaced.

    Parameters
    ----------
    result : Comparison
        Of `pyrfly.compare.compare`.
    path : str or path-like
        The suffix determines the format: ``.html``, one file that needs no other, or ``.pdf``.
    told : callable, optional
        Called with the title of each figure before it is written.

    Raises
    ------
    ValueError
        The suffix is none of these.
    OSError
        The file cannot be written.
    """
    file = path_of("path", path)
    write = REPORTS.get(file.suffix.lower())
    if write is None:
        raise ValueError(f"path: expected {' or '.join(REPORTS)} as suffix, got {brief(str(file))}")
    with replacing(file) as temporary, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # letters that a font lacks
        write(result, temporary, told or (lambda title: None))


def _write_html(result: Comparison, file: Path, told: Callable[[str], None]) -> None:
    first, others = telling(result)
    body = [
        f"<p><b>{_text(result.a)}</b>, grey and wide in all figures, and <b>{_text(result.b)}</b>, "
        f"blue and thin.<br>{_text(alignment_text(result))}</p>",
        _table(first),
        _folded(others),
        f'<p class="small">{escape(_METHOD)}</p>',
        _missing(result),
        *(
            figure_element(titled.title, _svg(titled.figure), "svg+xml")
            for titled in _told(figures_of(result), told)
        ),
    ]
    file.write_text(report_page(_TITLE, _STYLE, body), encoding="utf-8")


def _table(signals: Sequence[SignalComparison]) -> str:
    rows = [_row("th", HEAD), *(_row("td", row) for row in comparison_rows(signals))]
    return "<table>\n" + "\n".join(rows) + "\n</table>"


def _folded(signals: Sequence[SignalComparison]) -> str:
    """Return a table that a click opens; nothing if it would be empty."""
    if not signals:
        return ""
    return f"<details><summary>{len(signals)} more signals</summary>\n{_table(signals)}\n</details>"


def _text(text: str) -> str:
    return escape(readable(text))


def _row(tag: str, cells: Sequence[str]) -> str:
    return table_row(tag, map(readable, cells))


def _missing(result: Comparison) -> str:
    """Return which signals only one flight has."""
    lines = [
        f"Only in {_text(which)}: {_text(', '.join(names))}"
        for which, names in ((result.a, result.only_a), (result.b, result.only_b))
        if names
    ]
    return f'<p class="small">{"<br>".join(lines)}</p>' if lines else ""


def _told(figures: Iterator[Titled], told: Callable[[str], None]) -> Iterator[Titled]:
    for titled in figures:
        told(titled.title)
        yield titled


def _svg(figure: Figure) -> bytes:
    import matplotlib

    stream = io.BytesIO()
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        figure.savefig(stream, format="svg")
    return stream.getvalue()


def _write_pdf(result: Comparison, file: Path, told: Callable[[str], None]) -> None:
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure

    lines = readable(comparison_table(result)).splitlines()
    with PdfPages(file) as pages:
        for first in range(0, len(lines), _LINES):
            page = Figure(figsize=_PAGE)
            head = _TITLE if first == 0 else ""
            text = "\n".join(lines[first : first + _LINES])
            style: dict[str, Any] = {"va": "top", "color": INK, "parse_math": False}
            page.text(0.05, 0.96, head, fontsize=14, fontweight="bold", **style)
            page.text(0.05, 0.92, text, fontsize=8, family="monospace", **style)
            pages.savefig(page)
        for titled in _told(figures_of(result, _PAGE[1]), told):
            titled.figure.suptitle(titled.title, x=0.01, y=0.985, ha="left", fontweight="bold")
            pages.savefig(titled.figure)


REPORTS: dict[str, Callable[[Comparison, Path, Callable[[str], None]], None]] = {
    ".html": _write_html,
    ".pdf": _write_pdf,
}
"""What writes a report, by suffix."""
