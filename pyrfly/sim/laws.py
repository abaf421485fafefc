"""Randomized columns as one table, and values drawn by it.

An entry is a law (law, first, second) of all components of the column, or a sequence with a law, or
a number that is not drawn, for each component:
``{"mass": ("scale", 0.9, 1.1), "wind": (("normal", 5, 2), ("normal", 0, 2), 0)}``. One law of the
wind is that of its horizontal components: vertical wind is drawn only where it has a law.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.columns import Field
from pyrfly.errors import brief, near_names
from pyrfly.sim.randomization import column_stream
from pyrfly.sim.simulation import Sim

__all__ = ["LAWS", "Table", "draws", "random_rows", "settable_width"]

Table = Mapping[str, Sequence[Any]]
"""Law, first and second number of columns by name, or those of each component."""

_Law = tuple[str, float, float]

LAWS = {
    "uniform": "between `first` and `second`",
    "log-uniform": "between `first` and `second`, above 0, with a uniform logarithm",
    "normal": "mean `first`, standard deviation `second`",
    "scale": "the value of the parameter set times a factor between `first` and `second`",
}
"""Laws of random columns: (law, first, second)."""

NORMAL_REACH = 5.1
"""Largest deviation of a normal number of the core, in standard deviations: csrc/math/noise.h."""

_HORIZONTAL = ("wind",)
"""Columns of which one law leaves the vertical component as it is."""

_TIED = ("param", "gain")

_DRAWN = ("input", *_TIED, "part")


def random_rows(sim: Sim, table: Table) -> tuple[tuple[str, int, str, float, float, int], ...]:
    """Return the rows of the core: column, component, law, first and second, random number.

    By one law the components of parameters and gains are tied: they have the same random number, so
    that rotors stay alike, and inertia symmetric. Those of others, such as the wind, and those with
    laws of their own are independent of each other.

    Raises
    ------
    ValueError
        There is no such column or law, or a number is not finite or out of the range of the law.
    """
    rows = []
    number = 0
    for column, entry in table.items():
        laws, apart = _laws(sim, column, entry)
        rows += [(column, k, *law, number + k % apart) for k, law in laws.items()]
        number += apart
    return tuple(rows)


def draws(sim: Sim, table: Table, seed: int, count: int) -> dict[str, NDArray[np.float64]]:
    """Return values of the columns of a table for ``count`` samples of one vehicle.

    Parameters
    ----------
    sim : Sim
        Vehicles of one parameter set; the law ``scale`` multiplies the values of the first.
    table : mapping of str to sequence
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
        laws, apart = _laws(sim, column, entry)
        before = np.atleast_1d(sim.groups[0].view(column)[0]).astype(np.float64)
        shares = _core.uniform(seed, column_stream(column), 0, 0, count, apart)
        found[column] = np.tile(before, (count, 1))
        for k, law in laws.items():
            found[column][:, k] = _law_values(*law, shares[:, k % apart], before[k])
    return found


def _laws(sim: Sim, column: str, entry: Sequence[Any]) -> tuple[dict[int, _Law], int]:
    """Return the laws of the components of a column that are drawn, by their numbers.

    And how many random numbers they have: one where they are tied.
    """
    field = _settable(sim, column, "randomize")
    width = field.width
    if _is_law(entry):
        drawn = width - 1 if column in _HORIZONTAL else width
        apart = 1 if field.role in _TIED else width
        chosen = {k: _checked(sim, column, k, entry) for k in range(drawn)}
        _check_together(sim, column, chosen)
        return chosen, apart
    if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != width:
        each = "" if width == 1 else f", or a law or a number for each of {width}"
        raise ValueError(
            f"randomize: {column}: expected a law (law, first, second){each}, got {brief(entry)}"
        )
    laws: list[Any] = [
        ("uniform", part, part) if isinstance(part, Real) else part for part in entry
    ]
    chosen = {k: _checked(sim, column, k, law) for k, law in enumerate(laws)}
    _check_together(sim, column, chosen)
    return chosen, width


def _is_law(entry: object) -> bool:
    """Return whether an entry begins as a law does, and not with that of a component."""
    return isinstance(entry, Sequence) and len(entry) > 0 and isinstance(entry[0], str)


def _law_values(
    law: str, first: float, second: float, shares: NDArray[Any], before: np.float64
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


def _advice(sim: Sim, column: object, fields: Mapping[str, Field]) -> str:
    """Return what may be meant: a column that can be drawn, or a state, which cannot."""
    if not isinstance(column, str):
        return ", such as 'mass'"
    known = [*fields, *(f.name for f in sim.groups[0].fields if f.role == "state")]
    nearest = near_names(column, known).partition(",")[0]
    if nearest not in fields:
        return f" (the state {nearest} follows from the start of a flight)"
    return f", such as {near_names(column, fields)}"


def settable_width(sim: Sim, column: str, argument: str) -> int:
    """Return the width of a column that may be drawn or swept; the error names the argument."""
    return _settable(sim, column, argument).width


def _settable(sim: Sim, column: str, argument: str) -> Field:
    fields = {field.name: field for field in sim.groups[0].fields if field.role in _DRAWN}
    if column not in fields:
        advice = _advice(sim, column, fields)
        raise ValueError(
            f"{argument}: expected a parameter, an input or a setting{advice}, got {brief(column)}"
        )
    return fields[column]


def _checked(sim: Sim, column: str, component: int, entry: Sequence[Any]) -> _Law:
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
    if not np.isfinite([first, second]).all():
        raise ValueError(f"randomize: {column}: expected finite numbers, got {brief(entry)}")
    if law == "log-uniform" and min(first, second) <= 0:
        raise ValueError(f"randomize: {column}: expected numbers above 0, got {brief(entry)}")
    if law != "normal" and first > second:
        raise ValueError(f"randomize: {column}: expected first <= second, got {brief(entry)}")
    if law == "normal" and second < 0:
        raise ValueError(f"randomize: {column}: expected a deviation of at least 0, got {second:g}")
    _check_range(sim, column, component, law, first, second)
    return law, first, second


def _check_range(
    sim: Sim, column: str, component: int, law: str, first: float, second: float
) -> None:
    """Raise an error if a component of a column must not have the bounds of a law."""
    group, view = sim.groups[0], sim.groups[0].view(column)
    own = view if view.ndim == 1 else view[:, component]
    for values in _ends((law, first, second), own):
        group.check_values(column, values)


def _check_together(sim: Sim, column: str, laws: Mapping[int, _Law]) -> None:
    """Raise an error if a column must not have the first bounds of all laws, or the second ones."""
    view = sim.groups[0].view(column)
    if view.ndim == 1:
        return
    ends = np.stack([view, view]).astype(np.float64)
    for k, law in laws.items():
        ends[..., k] = _ends(law, view[:, k])
    for values in ends:
        sim.groups[0].check_together(column, values)


def _ends(law: _Law, own: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the bounds of what a law draws for vehicles with their own values, shapes (n,)."""
    name, first, second = law
    if name == "normal":
        first, second = first - NORMAL_REACH * second, first + NORMAL_REACH * second
    base = own.astype(np.float64) if name == "scale" else np.ones(own.shape)
    return base * first, base * second
