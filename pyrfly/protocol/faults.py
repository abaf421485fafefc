"""Fault injection of RflySim, which shares ``inSILInts`` with commands and is told apart by value.

There are no faults here yet: who writes the inputs refuses them (`Sim.command_sil`, a server), and
the navigator removes what is written to the column.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.bits import LATITUDE, FaultId

__all__ = ["faults_in", "refusal"]

_IDS = np.array(sorted(FaultId))
_FIRST, _LAST = int(_IDS[0]), int(_IDS[-1])


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


def refusal(number: int) -> str:
    """Return the message of a refused fault, such as 123451."""
    name = FaultId(number).name.lower().replace("_", " ")
    return f"fault injection {number} ({name}) is refused: there are no faults yet"
