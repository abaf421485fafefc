"""A report as one page of HTML, which needs no other file: `report_page`."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html import escape

__all__ = ["figure_element", "report_page", "table_row"]

_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; color: #333; background: #fff; margin: 2em auto;
  max-width: 72em; padding: 0 1em }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
th, td {{ padding: .15em .8em; text-align: right; border-bottom: 1px solid #e6e6e6 }}
img {{ max-width: 100% }}
figure {{ margin: 2.5em 0 }}
figcaption {{ font-weight: bold }}
{style}
</style>
<h1>{title}</h1>
{body}
</html>
"""


def report_page(title: str, style: str, body: Iterable[str]) -> str:
    """Return a page.

    Parameters
    ----------
    title : str
        Its title, as text.
    style : str
        Rules of CSS besides those of all reports.
    body : iterable of str
        Its elements, as HTML.
    """
    return _PAGE.format(title=escape(title), style=style, body="\n".join(filter(None, body)))


def figure_element(title: str, picture: bytes, kind: str) -> str:
    """Return a picture with its title, as text; the kind is ``png`` or ``svg+xml``."""
    source = f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
    name = escape(title)
    return f'<figure><figcaption>{name}</figcaption>\n<img alt="{name}" src="{source}"></figure>'


def table_row(tag: str, cells: Iterable[str], attributes: str = "") -> str:
    """Return a row of a table of cells, as text; the tag is ``th`` or ``td``."""
    return f"<tr{attributes}>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
