"""Comparisons with truth from outside: what `docs/validation.md` reports and tests ask for.

A `truth.py` beside the tests has a list `TRUTHS`, which a test runs with `comparing`. The page has
the error that was measured, which each test checks too: `python tools/validate.py` writes it anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "validation.md"
DIGITS_AGREE = 0.1
"""Largest relative difference of a printed error, of two digits, from that measured again."""


@dataclass(frozen=True)
class Comparison:
    """One number of ours against one from outside."""

    name: str
    """Of the row and of the test."""
    what: str
    error: Callable[[], float]
    tolerance: float
    unit: str = ""
    rounding: float = 0.0
    """Errors below it are those of the last bits, which processors have their own."""
    slow: bool = False

    @property
    def last_bits(self) -> float:
        """Below it errors are rounding: also where it is far from the tolerance."""
        return max(self.rounding, 1e-6 * self.tolerance)

    def check(self) -> None:
        """Compare, and fail beyond the tolerance or where the page has another error."""
        error = self.error()
        assert error < self.tolerance, f"{self.name}: error {error} {self.unit}"
        printed = printed_errors().get(self.name)
        stale = f"docs/validation.md has {printed}, got {error:.3g}: python tools/validate.py"
        assert printed is not None, stale
        assert agrees(printed, error), f"{self.name}: {stale}"


@dataclass(frozen=True)
class Figure:
    """A picture of the page."""

    file: str
    caption: str
    draw: Callable[[Any], None]
    """Draws on a figure of Matplotlib."""
    size: tuple[float, float] = (8.0, 3.2)
    """Width and height [inch]."""


@dataclass(frozen=True)
class Truth:
    """A source of truth, and what is compared with it."""

    title: str
    kind: str
    """Whether it is measured, a table, another program, ..."""
    sources: tuple[str, ...]
    """Keys of docs/references.md."""
    text: str
    """What it is, and how it is compared."""
    left_out: str
    """What of it is not compared."""
    comparisons: tuple[Comparison, ...]
    test: str
    """The file whose test has the comparisons, by their names."""
    figures: tuple[Figure, ...] = field(default=())


def comparing(*truths: Truth) -> pytest.MarkDecorator:
    """Run a test with an argument ``comparison`` for each one of some truths."""
    return pytest.mark.parametrize(
        "comparison",
        [
            pytest.param(one, id=one.name, marks=[pytest.mark.slow] if one.slow else [])
            for truth in truths
            for one in truth.comparisons
        ],
    )


def shown(error: float, comparison: Comparison) -> str:
    """Return an error with the digits that do not depend on the processor."""
    if error < comparison.last_bits:
        return f"below {comparison.last_bits:.2g}"
    return f"{error:.2g}"


def agrees(printed: str, error: float) -> bool:
    """Whether an error is the printed one."""
    if printed.startswith("below "):
        return error < float(printed.removeprefix("below "))
    return abs(float(printed) - error) <= DIGITS_AGREE * error


ROW = re.compile(r"^\| `(?P<name>[a-z0-9-]+)` \| [^|]*\| (?P<error>(?:below )?[0-9][^ |]*) ", re.M)


def printed_errors() -> dict[str, str]:
    """Return the errors of the page by the names of the comparisons."""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return {match["name"]: match["error"] for match in ROW.finditer(page)}
