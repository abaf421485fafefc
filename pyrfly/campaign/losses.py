"""Lost vehicles of a campaign by the arguments of its faults and boundaries: `losses`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.campaign.results import Rate, Results, success_rate

__all__ = ["Class", "classes", "losses", "lost_runs", "swept_arguments"]

_TIMES = ("at", "rate", "duration", "ramp")
_MOST = 12  # values that are told apart
_PARTS = 8  # of the runs, by an argument with more values


class Class(NamedTuple):
    """Runs with similar values of an argument.

    Attributes
    ----------
    name : str
        The value, or the least and the largest.
    rows : ndarray of bool, shape (n,)
        Which runs.
    """

    name: str
    rows: NDArray[np.bool_]


def swept_arguments(results: Results) -> list[str]:
    """Return the arguments of faults and boundaries that were swept or drawn.

    Such as ``motor.effectiveness`` and ``tilt.maximum``.

    Those that are times are the last ones.
    """
    names = list(results.columns)
    found = [name for name in names[: names.index("success")] if "." in name]
    return sorted(found, key=lambda name: name.partition(".")[2] in _TIMES)


def lost_runs(results: Results) -> NDArray[np.bool_]:
    """Return which runs were lost: the measure ``lost`` of a function, or all without success."""
    if "lost" in results.columns:
        return results["lost"].astype(np.bool_)
    return ~results["success"]


def losses(results: Results) -> dict[str, dict[str, Rate]]:
    """Return the rate of lost runs for classes of the values of each swept or drawn argument."""
    lost = lost_runs(results)
    return {
        name: {one.name: success_rate(lost[one.rows]) for one in classes(results[name])}
        for name in swept_arguments(results)
    }


def classes(values: NDArray[Any]) -> list[Class]:
    """Return classes of runs by their values: each of a few values, or parts with as many runs."""
    if values.dtype.kind not in "biuf":
        order = dict.fromkeys(values.tolist())
        return [Class(str(value), values == value) for value in order]
    distinct = np.unique(values)
    if len(distinct) <= _MOST:
        return [Class(f"{value:.5g}", values == value) for value in distinct.tolist()]
    rank = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    part = rank * _PARTS // len(values)
    return [_part(values, part == k) for k in range(_PARTS)]


def _part(values: NDArray[Any], rows: NDArray[np.bool_]) -> Class:
    return Class(f"{values[rows].min():.3g} to {values[rows].max():.3g}", rows)
