"""What is new to one reader of the sensors: `SensorReader`."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import require_kind
from pyrfly.protocol.bits import Sensor
from pyrfly.sim import Ids, Sim
from pyrfly.wire.pack import pack

__all__ = ["RESET", "NewReports", "SensorReader"]

_SENSORS = (Sensor.IMU, Sensor.MAGNETOMETER, Sensor.BAROMETER, Sensor.AIRSPEED)
_BITS = np.array(_SENSORS, np.uint32)

RESET = 1 << 31
"""Bit of ``fields_updated``: the state was reset."""


class NewReports(NamedTuple):
    """Reports of satellite receivers.

    Attributes
    ----------
    packets : ndarray, shape (k,)
        The newest of each vehicle.
    new : ndarray of bool, shape (k,)
        Which of them the reader has not seen yet.
    """

    packets: NDArray[np.void]
    new: NDArray[np.bool_]


class SensorReader:
    """Packs what sensors have measured since the last call, for one receiver.

    In lockstep with PX4 a message is sent after every update of the sensors. One that reads less
    often than they are updated still learns of every sensor that has a newer value, where
    `pyrfly.wire.pack` says what was new at the last update alone. Any number of readers may read a
    `Sim`.

    Parameters
    ----------
    sim : pyrfly.Sim
        The simulation.
    ids : int or sequence of int, optional
        The k CopterIDs, in any order; all vehicles by default.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> sim.sensors.enable("imu", "barometer")
    >>> reader = SensorReader(sim)
    >>> for _ in range(6):
    ...     sim.step(4)
    ...     print(hex(reader.sensors()["fields_updated"][0]))
    0x1a3f
    0x3f
    0x3f
    0x3f
    0x3f
    0x1a3f
    """

    def __init__(self, sim: Sim, ids: Ids = None) -> None:
        require_kind("sim", sim, Sim)
        self._sim = sim
        self._ids = ids
        k = len(sim.select(ids))
        self._seen = np.zeros((len(_SENSORS), k), np.int64)
        self._seen_gps = np.zeros((1, k), np.int64)

    def sensors(self, name: str = "MavHILSensor") -> NDArray[np.void]:
        """Return what is measured, with what is new in ``fields_updated``.

        Bit 31 is set where a count of values is smaller than before: the vehicle was reset.

        Parameters
        ----------
        name : {'MavHILSensor', 'HILSensor30d', 'HIL_SENSOR'}
            The structure.

        Returns
        -------
        ndarray, shape (k,), of ``dtype(name)``
            A row per vehicle.
        """
        seen, self._seen = self._seen, self._counts(_SENSORS)
        # after a reset there is no value before the next update
        updated = _BITS @ ((self._seen != seen) & (self._seen > 0))
        updated[(self._seen < seen).any(axis=0)] |= RESET
        return pack(self._sim, name, self._ids, updated=updated)

    def gps(self, name: str = "MavHILGPS") -> NewReports:
        """Return the newest reports of the receivers.

        Parameters
        ----------
        name : {'MavHILGPS', 'HILGPS30d', 'HIL_GPS'}
            The structure.
        """
        packets = pack(self._sim, name, self._ids)
        seen, self._seen_gps = self._seen_gps, self._counts([Sensor.GPS])
        return NewReports(packets, ((self._seen_gps != seen) & (self._seen_gps > 0))[0])

    def _counts(self, sensors: Collection[Sensor]) -> NDArray[np.int64]:
        """Return the numbers of values since the last reset, shape (sensors, k)."""
        counts = np.zeros((len(sensors), self._seen.shape[1]), np.int64)
        if self._sim.sensors.enabled:
            chosen = self._sim.select(self._ids)
            for row, sensor in zip(counts, sensors, strict=True):
                row[:] = chosen.read(f"{str(sensor.name).lower()}_updates")
        return counts
