"""Inputs of models in libraries that no column has: `give_models`, and which vehicles have one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.sim.selection import Selection

__all__ = ["give_models", "have_models"]


def have_models(chosen: Selection) -> NDArray[np.bool_]:
    """Return which vehicles step themselves, by models in libraries, shape (k,)."""
    found = np.zeros(len(chosen), np.bool_)
    for group, _, places in chosen:
        found[places] = bool(group.models)
    return found


def give_models(chosen: Selection, port: str, values: NDArray[Any]) -> None:
    """Write a port of the models of vehicles, values of shape (k, width); others have none.

    ``extended``: the 140 numbers of inCtrlExt1 to 5. ``sil_doubles``: the 28 of inSILInts and
    inSILFloats as doubles, which count until the columns of these have other ones.
    """
    for group, rows, places in chosen:
        if not group.models:
            continue
        for row, row_values in zip(group.numbers(rows).tolist(), values[places], strict=True):
            group.models.put(row, port, row_values)
