"""Domain randomization: columns that every start draws anew, as one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pyrfly.errors import near_names, shown
from pyrfly.sim import Sim

__all__ = ["LAWS", "random_rows"]

LAWS = {
    "uniform": "between `first` and `second`",
    "log-uniform": "likewise, with a uniform logarithm; both are above 0",
    "normal": "mean `first`, standard deviation `second`",
    "scale": "the value of the parameter set times a factor between `first` and `second`",
}
"""Laws of random columns: (law, first, second)."""

_DRAWN = ("input", "param", "gain", "part")


def random_rows(
    sim: Sim, table: Mapping[str, Sequence[Any]]
) -> tuple[tuple[str, int, str, float, float], ...]:
    """Return the rows of the core of a table {column: (law, first, second)}.

    All components of a column are drawn, independently of each other.

    Raises
    ------
    ValueError
        There is no such column or law, or a number is not finite or out of the range of the law.
    """
    rows = []
    for column, entry in table.items():
        width = _width(sim, column)
        law, first, second = _checked(sim, column, entry)
        rows += [(column, k, law, first, second) for k in range(width)]
    return tuple(rows)


def _width(sim: Sim, column: str) -> int:
    fields = {f.name: f.width for f in sim.groups[0].fields if f.role in _DRAWN}
    if column not in fields:
        near = near_names(column, fields) if isinstance(column, str) else "'mass'"
        raise ValueError(
            f"randomize: expected a parameter, an input or a setting, such as {near}, "
            f"got {shown(column)}"
        )
    return fields[column]


def _checked(sim: Sim, column: str, entry: Sequence[Any]) -> tuple[str, float, float]:
    try:
        law, first, second = entry
        first, second = float(first), float(second)
    except (TypeError, ValueError):
        raise ValueError(
            f"randomize: {column}: expected (law, first, second), got {shown(entry)}"
        ) from None
    if law not in LAWS:
        raise ValueError(
            f"randomize: {column}: expected a law of {', '.join(LAWS)}, got {shown(law)}"
        )
    ordered = law == "normal" or first <= second
    positive = law != "log-uniform" or first > 0
    if not (np.isfinite([first, second]).all() and ordered and positive):
        raise ValueError(
            f"randomize: {column}: expected finite numbers, {LAWS[law]}, got {shown(entry)}"
        )
    if law == "normal" and second < 0:
        raise ValueError(f"randomize: {column}: expected a deviation of at least 0, got {second:g}")
    _check_range(sim, column, law, first, second)
    return law, first, second


def _check_range(sim: Sim, column: str, law: str, first: float, second: float) -> None:
    """Raise an error if a column must not have the bounds of a law."""
    group, view = sim.groups[0], sim.groups[0].view(column)
    if law == "normal":
        return
    for bound in (first, second):
        values = view * bound if law == "scale" else np.full_like(view, bound)
        group.check_values(column, np.asarray(values, dtype=np.float64))
