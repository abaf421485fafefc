"""What is told of batteries: `battery`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.sim.selection import Selection

__all__ = ["Battery", "battery"]

Array = NDArray[np.float64]

_FULL_VOLTAGE = 16.2
"""Voltage of PX4's simulated battery of four cells [V]."""


class Battery(NamedTuple):
    """What is told of batteries; without a model of one it is PX4's simulated one, charged.

    Attributes
    ----------
    volts, amperes : ndarray, shape (k,)
        Voltage [V], and current [A], NaN without a model.
    charge : ndarray, shape (k,)
        Remaining charge, 0 to 1.
    """

    volts: Array
    amperes: Array
    charge: Array


def battery(vehicles: Selection) -> Battery:
    """Return what is told of the batteries of vehicles."""
    k = len(vehicles)
    found = Battery(np.full(k, _FULL_VOLTAGE), np.full(k, np.nan), np.ones(k))
    columns = ("battery_voltage", "battery_current", "state_of_charge")
    for group, rows, indices in vehicles:
        if group.has("voltage_left"):
            found.volts[indices] *= group.view("voltage_left")[rows]
        if group.has("battery_on"):
            on = group.view("battery_on")[rows] != 0
            for values, column in zip(found, columns, strict=True):
                values[indices] = np.where(on, group.view(column)[rows], values[indices])
        if group.has("charge_told_maximum"):
            most = group.view("charge_told_maximum")[rows]
            found.charge[indices] = np.minimum(found.charge[indices], most)
    return found
