"""Set-points of a log where they are active: `active_setpoint`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.log.log import Log
from pyrfly.sim import Setpoint

__all__ = ["active_setpoint"]

_BITS = {"pos_sp": Setpoint.POSITION, "vel_sp": Setpoint.VELOCITY}


def active_setpoint(log: Log, name: str, row: int) -> NDArray[Any] | None:
    """Return a set-point of the vehicle in a row of a log, NaN while it is not active.

    None if the log does not have it; without ``setpoint_mask`` it is always active.
    """
    if name not in log.columns:
        return None
    values = log[name][:, row]
    if "setpoint_mask" not in log.columns:
        return values
    active = log["setpoint_mask"][:, row] & _BITS[name] != 0
    return np.where(active[:, None], values, np.nan)
