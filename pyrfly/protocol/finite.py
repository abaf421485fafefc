"""Which of ``inSILFloats`` must be finite: the table ``SIL_FINITE`` of csrc/base/sil.h.

The navigator counts a command with another value in use in the column ``sil_bad``; a server drops
its packet.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.protocol.bits import COMMAND, FLOATS, OFFBOARD

__all__ = ["must_be_finite"]

_ROWS = _core.tables()["finite"]
_TASKS, _ANY, _ALL = _core.tables()["open"]


def must_be_finite(ints: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which floats a command or set-point uses.

    Parameters
    ----------
    ints : ndarray of int, shape (k, 8)
        ``inSILInts``.

    Returns
    -------
    ndarray of bool, shape (k, 20)
        True where a value of ``inSILFloats`` must be finite.

    Examples
    --------
    >>> from pyrfly.protocol import synthesis
    >>> ints = synthesis.attitude_target([[0.0, 0.1, 0.0]], 0.5).ints
    >>> np.flatnonzero(must_be_finite(ints)[0]).tolist()
    [9, 10, 11, 15]
    """
    command, offboard = (ints[:, column].astype(np.int64) for column in (COMMAND, OFFBOARD))
    closed = (command & _TASKS == 0) & (offboard & _ANY == 0) & (offboard & _ALL != _ALL)
    used = np.zeros((len(ints), FLOATS), dtype=np.bool_)
    for task, bits, first, count, may_be_open in _ROWS:
        rows = (command & task != 0) | (offboard & bits != 0)
        used[:, first : first + count] |= (rows & closed if may_be_open else rows)[:, None]
    return used
