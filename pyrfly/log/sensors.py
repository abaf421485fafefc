"""Recording of what sensors measure, each at its own rate: `SensorRecorder`."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from pyrfly.errors import require_kind
from pyrfly.log.log import Log
from pyrfly.log.recorder import Recorder
from pyrfly.protocol.bits import Sensor
from pyrfly.sim import Ids, Sim
from pyrfly.sim.interface import names_of
from pyrfly.sim.sensors import MEASURED

__all__ = ["SensorRecorder"]


class SensorRecorder:
    """Copies the values of enabled sensors into memory or folders, a log per sensor.

    The time of a sample is that of the update that gave the value: of a satellite receiver that of
    its report, ``gps_delay`` after it measured. A log has a sample when any of its vehicles has a
    new value. Its first column, such as ``imu_updates``, counts the values of each vehicle since
    its reset: where it stays as it was, the others are the last ones; where it is 0, there is none
    yet, and measured numbers are NaN. Of vehicles with faults the last columns are those of faults
    (docs/faults.md), as they are one update of the sensors later.

    When the time goes back, as by `Sim.reset` of all vehicles, a new flight begins; the logs of the
    former ones are kept.

    Parameters
    ----------
    sim : Sim
        The simulation; sensors are enabled (`Sim.sensors`).
    ids : int or sequence of int, optional
        CopterIDs of the vehicles to record; all by default.
    folder : str or path-like, optional
        Where each sensor of each flight has a recording, such as ``imu-0``, as `Recorder` writes
        them; numbers before the first value are not NaN there.
    failed : callable, optional
        Called where a folder cannot be written, as that of `Recorder`.

    Raises
    ------
    ValueError
        The vehicles have no sensors, or a CopterID does not exist or is given twice.

    Examples
    --------
    >>> sim = Sim("x450")
    >>> sim.sensors.enable("imu", "magnetometer", profile="px4")
    >>> recorder = SensorRecorder(sim)
    >>> sim.step(1001)
    >>> recorder.logs()["magnetometer"]
    <Log of 1 vehicles, 125 samples from 0.000 to 0.992 s: magnetometer_updates, magnetometer>
    >>> sim.reset()
    >>> sim.step(401)
    >>> recorder.flights, len(recorder.logs()["imu"]), len(recorder.logs(flight=0)["imu"])
    (2, 100, 250)
    """

    def __init__(
        self,
        sim: Sim,
        ids: Ids = None,
        folder: str | os.PathLike[str] | None = None,
        failed: Callable[[OSError], object] | None = None,
    ) -> None:
        require_kind("sim", sim, Sim)
        if not sim.sensors.enabled:
            raise ValueError("sim: expected sensors, which Sim.sensors.enable(...) switches on")
        self._sim = sim
        self._ids, self._failed = ids, failed
        self._folder = None if folder is None else Path(folder)
        self._period = 1 / sim.sensors.rate
        self._last = -math.inf  # time of the last update [s]
        self._flights = [self._recorders(0)]
        self._chosen = sim.select(ids)
        sim.add_listener(self._sample, self._period)

    @property
    def flights(self) -> int:
        """Number of flights so far: 1, and 1 more each time that the time has gone back."""
        return len(self._flights)

    def _recorders(self, flight: int) -> dict[str, Recorder]:
        return {
            name: Recorder(
                self._sim,
                (f"{name}_updates", *columns),
                ids=self._ids,
                folder=None if self._folder is None else self._folder / f"{name}-{flight}",
                faults=True,
                failed=self._failed,
            )
            for name, columns in MEASURED.items()
        }

    def _sample(self) -> None:
        """Take samples of the sensors that the last update, one period ago, gave new values."""
        now = self._sim.time
        if now < self._last:
            self._close_flight()
            self._flights.append(self._recorders(self.flights))
        self._last = now
        updated = np.bitwise_or.reduce(self._chosen.read("sensors_updated"))
        for name in names_of(Sensor):
            if updated & Sensor[name.upper()]:
                self._flights[-1][name].sample(now - self._period)

    def close(self) -> None:
        """Take no more samples; write what is not yet in the folder, if there is one."""
        self._sim.remove_listener(self._sample)
        self._close_flight()

    def _close_flight(self) -> None:
        """Close the recorders of the last flight, each, also where one cannot write."""
        with ExitStack() as closing:
            for recorder in self._flights[-1].values():
                closing.callback(recorder.close)

    def logs(self, flight: int = -1) -> dict[str, Log]:
        """Return a copy of the samples by sensor, such as ``"imu"``, of those that have any.

        Parameters
        ----------
        flight : int
            Index of the flight, from 0; by default the last one.
        """
        recorders = self._flights[flight]
        return {name: _log(name, recorder) for name, recorder in recorders.items() if len(recorder)}


def _log(name: str, recorder: Recorder) -> Log:
    """Return a log, with NaN before the first value of a vehicle."""
    log = recorder.log()
    missing = log[f"{name}_updates"] == 0
    for column in MEASURED[name]:
        if log[column].dtype.kind == "f":
            log[column][missing] = np.nan
    return log
