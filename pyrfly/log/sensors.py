"""Recording of what sensors measure, each at its own rate: `SensorRecorder`."""

from __future__ import annotations

import numpy as np

from pyrfly.log.log import Log
from pyrfly.log.recorder import Recorder
from pyrfly.protocol.bits import Sensor
from pyrfly.sim import Ids, Sim

__all__ = ["MEASURED", "SensorRecorder"]

MEASURED = {
    Sensor.IMU: ("imu_accel", "imu_gyro"),
    Sensor.MAGNETOMETER: ("magnetometer",),
    Sensor.BAROMETER: ("barometer_pressure", "barometer_height", "barometer_temperature"),
    Sensor.AIRSPEED: ("differential_pressure", "indicated_airspeed"),
    Sensor.GPS: ("gps_pos", "gps_vel", "gps_speed", "gps_course", "gps_accuracy", "gps_fix"),
    Sensor.RANGE: ("range_distance", "range_valid"),
}
"""Columns of each sensor that are recorded."""


class SensorRecorder:
    """Copies the values of enabled sensors into memory, a log per sensor.

    The time of a sample is that of the update that gave the value: of a satellite receiver that of
    its report, ``gps_delay`` after it measured. A log has a sample when any of its vehicles has a
    new value; those of the others are their last ones.

    Parameters
    ----------
    sim : Sim
        The simulation; sensors are enabled (`Sim.sensors`).
    ids : int or sequence of int, optional
        CopterIDs of the vehicles to record; all by default.

    Raises
    ------
    ValueError
        The vehicles have no sensors, or a CopterID does not exist or is given twice.

    Examples
    --------
    >>> sim = Sim("x450")
    >>> sim.sensors.enable("imu", "gps", profile="px4")
    >>> recorder = SensorRecorder(sim)
    >>> sim.step(1001)
    >>> recorder.logs()["gps"]
    <Log of 1 vehicles, 5 samples from 0.120 to 0.920 s: gps_pos, gps_vel, gps_speed, gps_course, \
gps_accuracy, gps_fix>
    """

    def __init__(self, sim: Sim, ids: Ids = None) -> None:
        if not sim.sensors.enabled:
            raise ValueError("sim: expected sensors, which Sim.sensors.enable(...) switches on")
        self._sim = sim
        self._period = 1 / sim.sensors.rate
        self._recorders = {
            sensor: Recorder(sim, columns, ids=ids) for sensor, columns in MEASURED.items()
        }
        self._chosen = sim.select(ids)
        sim.add_listener(self._sample, self._period)

    def _sample(self) -> None:
        """Take samples of the sensors that the last update, one period ago, gave new values."""
        updated = np.bitwise_or.reduce(self._chosen.read("sensors_updated"))
        for sensor, recorder in self._recorders.items():
            if updated & sensor:
                recorder.sample(self._sim.time - self._period)

    def close(self) -> None:
        """Take no more samples."""
        self._sim.remove_listener(self._sample)

    def logs(self) -> dict[str, Log]:
        """Return a copy of the samples by sensor, such as ``"imu"``, of those that have any."""
        return {
            str(sensor.name).lower(): recorder.log()
            for sensor, recorder in self._recorders.items()
            if len(recorder)
        }
