"""A text with a table, for a terminal and for Jupyter: `Description`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Description", "aligned"]


def aligned(rows: Iterable[Iterable[str]]) -> list[str]:
    """Return rows of a table as lines, with their cells below each other."""
    table = [tuple(row) for row in rows]
    widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
    return [
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]


@dataclass(frozen=True, repr=False)
class Description:
    """A text with a table, which `print` shows aligned, and Jupyter as a table.

    Attributes
    ----------
    title : str
        What is described.
    texts : tuple of str
        Sentences, a line each.
    head : tuple of str
        Titles of the columns of the table.
    rows : tuple of tuple of str
        The table; may be empty.
    """

    title: str
    texts: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()

    def __repr__(self) -> str:
        lines = [self.title, *self.texts]
        table = aligned([self.head, *self.rows]) if self.rows else []
        return "\n".join([*lines, *(f"  {line}" for line in table)])

    def _repr_html_(self) -> str:
        from html import escape  # where it is used: its import takes milliseconds

        parts = [f"<b>{escape(self.title)}</b>", *(escape(text) for text in self.texts)]
        if self.rows:
            rows = [_html_row("th", map(escape, self.head))]
            rows += [_html_row("td", map(escape, row)) for row in self.rows]
            parts.append(f"<table>{''.join(rows)}</table>")
        return f"<div>{'<br>'.join(parts)}</div>"


def _html_row(tag: str, cells: Iterable[str]) -> str:
    left = 'style="text-align: left"'  # where Jupyter has all cells on the right
    return f"<tr>{''.join(f'<{tag} {left}>{cell}</{tag}>' for cell in cells)}</tr>"
