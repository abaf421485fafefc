"""Randomized columns as one table, {column: (law, first, second)}, and values drawn by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.errors import brief, near_names
from pyrfly.sim.randomization import column_stream
from pyrfly.sim.simulation import Sim

__all__ = ["LAWS", "Table", "draws", "random_rows", "settable_width"]

Table = Mapping[str, Sequence[Any]]
"""Law, first and second number of columns by name."""

LAWS = {
    "uniform": "between `first` and `second`",
    "log-uniform": "likewise, with a uniform logarithm; both are above 0",
    "normal": "mean `first`, standard deviation `second`",
    "scale": "the value of the parameter set times a factor between `first` and `second`",
}
"""Laws of random columns: (law, first, second)."""

NORMAL_REACH = 5.1
"""Largest deviation of a normal number of the core, in standard deviations: csrc/math/noise.h."""

_TIED = ("param", "gain")

_DRAWN = ("input", *_TIED, "part")


def random_rows(sim: Sim, table: Table) -> tuple[tuple[str, int, str, float, float, int], ...]:
    """Return the rows of the core of a table {column: (law, first, second)}.

    All components of a column are drawn. Those of parameters and gains are tied: they have the same
    random number, so that rotors stay alike, and inertia symmetric. Those of others, such as the
    wind, are independent of each other.

    Raises
    ------
    ValueError
        There is no such column or law, or a number is not finite or out of the range of the law.
    """
    rows = []
    number = 0
    for column, entry in table.items():
        width = settable_width(sim, column, "randomize")
        law, first, second = _checked(sim, column, entry)
        apart = _numbers(sim, column, width)
        rows += [(column, k, law, first, second, number + k % apart) for k in range(width)]
        number += apart
    return tuple(rows)


def _numbers(sim: Sim, column: str, width: int) -> int:
    """Return how many random numbers the components of a column have."""
    roles = {field.name: field.role for field in sim.groups[0].fields}
    return 1 if roles[column] in _TIED else width


def draws(sim: Sim, table: Table, seed: int, count: int) -> dict[str, NDArray[np.float64]]:
    """Return values of the columns of a table for ``count`` samples of one vehicle.

    Parameters
    ----------
    sim : Sim
        Vehicles of one parameter set; the law ``scale`` multiplies the values of the first.
    table : mapping of str to (law, first, second)
        The columns, as of `random_rows`, also for the errors.
    seed : int
        0 to 2^64 - 1.
    count : int
        Number of samples. A value depends on the seed, the sample, the column and the component
        alone. Components are tied as `random_rows` says.

    Returns
    -------
    dict of str to ndarray, shape (count, width)
        Values by column.
    """
    found = {}
    for column, entry in table.items():
        width = settable_width(sim, column, "randomize")
        law, first, second = _checked(sim, column, entry)
        apart = _numbers(sim, column, width)
        shares = _core.uniform(seed, column_stream(column), 0, 0, count, apart)
        shares = np.broadcast_to(shares, (count, width))
        before = np.atleast_1d(sim.groups[0].view(column)[0]).astype(np.float64)
        found[column] = _law_values(law, first, second, shares, before)
    return found


def _law_values(
    law: str, first: float, second: float, shares: NDArray[Any], before: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return values of a law from uniform numbers in [0, 1); as in ``csrc/batch/env_kernels.c``."""
    if law == "log-uniform":
        return np.asarray(first * np.exp(shares * np.log(second / first)))
    if law == "normal":
        inverse = NormalDist().inv_cdf
        least = 2.0**-54  # half the distance of two shares
        normal = [inverse(max(share, least)) for share in shares.ravel().tolist()]
        return first + second * np.reshape(normal, shares.shape)
    between = first + (second - first) * shares
    return np.asarray(between * before if law == "scale" else between)


def settable_width(sim: Sim, column: str, argument: str) -> int:
    """Return the width of a column that may be drawn or swept; the error names the argument."""
    fields = {f.name: f.width for f in sim.groups[0].fields if f.role in _DRAWN}
    if column not in fields:
        near = near_names(column, fields) if isinstance(column, str) else "'mass'"
        raise ValueError(
            f"{argument}: expected a parameter, an input or a setting, such as {near}, "
            f"got {brief(column)}"
        )
    return fields[column]


def _checked(sim: Sim, column: str, entry: Sequence[Any]) -> tuple[str, float, float]:
    try:
        law, first, second = entry
    except (TypeError, ValueError):
        law = first = second = None
    if not (isinstance(first, Real) and isinstance(second, Real)):
        raise ValueError(f"randomize: {column}: expected (law, first, second), got {brief(entry)}")
    first, second = float(first), float(second)
    if not isinstance(law, str) or law not in LAWS:
        raise ValueError(
            f"randomize: {column}: expected a law of {', '.join(LAWS)}, got {brief(law)}"
        )
    ordered = law == "normal" or first <= second
    positive = law != "log-uniform" or first > 0
    if not (np.isfinite([first, second]).all() and ordered and positive):
        raise ValueError(
            f"randomize: {column}: expected finite numbers, {LAWS[law]}, got {brief(entry)}"
        )
    if law == "normal" and second < 0:
        raise ValueError(f"randomize: {column}: expected a deviation of at least 0, got {second:g}")
    _check_range(sim, column, law, first, second)
    return law, first, second


def _check_range(sim: Sim, column: str, law: str, first: float, second: float) -> None:
    """Raise an error if a column must not have the bounds of a law."""
    group, view = sim.groups[0], sim.groups[0].view(column)
    if law == "normal":
        first, second = first - NORMAL_REACH * second, first + NORMAL_REACH * second
    for bound in (first, second):
        values = view * bound if law == "scale" else np.full_like(view, bound)
        group.check_values(column, np.asarray(values, dtype=np.float64))
