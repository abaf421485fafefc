"""Pages of docs/: their text, programs and marked tables."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def programs(text: str) -> list[str]:
    """Return the programs in Python."""
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def marked(text: str, mark: str) -> str:
    """Return what is between a mark and the next ``end``."""
    return text.split(f"<!-- {mark} -->")[1].split("<!-- end -->")[0]


def rows(text: str, mark: str = "") -> list[list[str]]:
    """Return the cells of a table, that at a mark, without its head."""
    table = marked(text, mark) if mark else text
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
