"""Fault injection of RflySim, which shares ``inSILInts`` with commands and is told apart by value.

Where slot i of ``inSILInts``, from 1, has the number of a fault, floats 2 i - 1 and 2 i are the
next two parameters of that fault; the last four floats are always its parameters 17 to 20
[@rfly-sdk].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.bits import FLOATS, LATITUDE, FaultId

__all__ = ["faults_in", "parameters_of", "refusal"]

_IDS = np.array(sorted(FaultId))
_FIRST, _LAST = int(_IDS[0]), int(_IDS[-1])

_ALWAYS = slice(16, 20)
"""Parameters that do not belong to a slot."""


def faults_in(ints: NDArray[Any]) -> NDArray[np.int64]:
    """Return the number of the first fault in inputs ``inSILInts`` (k, 8), 0 for none, shape (k,).

    The words from the latitude on are not looked at.
    """
    words = ints[:, :LATITUDE].astype(np.int64)
    found = np.zeros(len(words), np.int64)
    if ((words >= _FIRST) & (words <= _LAST)).any():
        is_fault = np.isin(words, _IDS)
        first = words[np.arange(len(words)), is_fault.argmax(axis=1)]
        found[is_fault.any(axis=1)] = first[is_fault.any(axis=1)]
    return found


def parameters_of(
    ints: NDArray[Any], floats: NDArray[Any]
) -> dict[int, tuple[NDArray[np.intp], NDArray[np.float64]]]:
    """Return the rows and their parameters (m, 20) of each fault that inputs (k, 8), (k, 20) have.

    Faults are in the order of their numbers.
    """
    found = {}
    pairs = floats[:, : 2 * ints.shape[1]].reshape(*ints.shape, 2)
    for number in np.intersect1d(ints, _IDS).tolist():
        rows = np.flatnonzero((ints == number).any(axis=1))
        slots = ints[rows] == number
        first = np.argsort(~slots, axis=1, kind="stable")[..., None]  # slots of the fault first
        its = np.where(slots[..., None], pairs[rows], 0.0)  # others may be infinite, or no numbers
        own = np.take_along_axis(its, first, axis=1)
        values = np.zeros((len(rows), FLOATS))
        values[:, : 2 * ints.shape[1]] = own.reshape(len(rows), -1)
        values[:, _ALWAYS] = floats[rows, _ALWAYS]
        found[number] = rows, values
    return found


def refusal(number: int, reason: str) -> str:
    """Return the message of a refused fault, such as 123452."""
    name = FaultId(number).name.lower().replace("_", " ")
    return f"fault injection {number} ({name}): {reason}"
