"""What an autopilot reads of a simulator: MAVLink's HIL messages of all vehicles, `HilSource`.

And what it answers: `Controls`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.truth import true_state
from pyrfly.mavlink import Datagrams, FrameWriter
from pyrfly.sim import Sim
from pyrfly.wire import SensorReader

__all__ = ["Controls", "HilSource", "enable_sensors"]

Rows = NDArray[np.intp]

_MAXIMUM_SYSTEM = 255  # vehicles beyond it, which have connections of their own, begin anew
_RARELY = 2.0**31
"""Maximum number of steps between two messages: 24 days at 1 kHz."""

_ARMED = 128
"""Bit of ``mode`` of HIL_ACTUATOR_CONTROLS, MAV_MODE_FLAG_SAFETY_ARMED."""


class Controls(NamedTuple):
    """What a HIL_ACTUATOR_CONTROLS says.

    Attributes
    ----------
    values : ndarray, shape (16,)
        The channels; those that are not finite are 0.
    armed : bool
        Whether the autopilot is armed.
    finite : bool
        Whether all channels were finite.
    """

    values: NDArray[np.float64]
    armed: bool
    finite: bool

    @classmethod
    def of(cls, message: np.void) -> Controls:
        """Return those of a record of the message."""
        finite = np.isfinite(message["controls"])
        values = np.where(finite, message["controls"], 0).astype(np.float64)
        armed = bool(message["mode"] & _ARMED)
        return cls(values, armed, bool(finite.all()))


def enable_sensors(sim: Sim, profile: str = "px4_sih") -> None:
    """Switch on all sensors, and the earth that they measure.

    The barometer of the profile ``'rflysim'`` has no noise: while a vehicle hovers it repeats the
    same value, and PX4 takes one that it gets a hundred times for a fault
    [@px4 v1.16.1 DataValidator.hpp]. The receiver of ``'px4'`` drifts so fast that PX4 often
    refuses to arm.
    """
    sim.environment.enable("atmosphere", "magnetic", "gravity")
    sim.sensors.enable_all(profile)


class HilSource:
    """Packs HIL_SENSOR at every update of the sensors, HIL_GPS at every report of a receiver.

    PX4 reads a group of values of HIL_SENSOR where all of its bits are set, and takes its time from
    it in lockstep [@px4].

    Parameters
    ----------
    sim : Sim
        The vehicles; where no sensors are on, all are switched on.
    """

    def __init__(self, sim: Sim) -> None:
        if not sim.sensors.enabled:
            enable_sensors(sim)
        self._sim = sim
        self._period = max(1, round(1.0 / (sim.sensors.rate * sim.dt)))
        self._reader = SensorReader(sim)
        self._writer = FrameWriter(np.arange(sim.n) % _MAXIMUM_SYSTEM + 1)
        self._truth_steps = np.zeros(sim.n, np.intp)  # between two HIL_STATE_QUATERNION, 0: none
        self._truth_due = np.zeros(sim.n, np.intp)

    @property
    def period(self) -> float:
        """Simulated time between two messages [s]."""
        return self._period * self._sim.dt

    def due(self, step: int) -> int:
        """Return the next step after ``step`` at which the sensors are updated."""
        return step - step % self._period + self._period

    def is_due(self, step: int) -> bool:
        """Return whether the sensors are updated at a step."""
        return step % self._period == 0

    def request_truth(self, row: int, interval: float) -> None:
        """Send a vehicle HIL_STATE_QUATERNION from now on every ``interval`` [us]; 0 or less: not.

        It goes with the next message of the sensors.
        """
        steps = round(min(interval * 1e-6 / self._sim.dt, _RARELY)) if interval > 0 else 0
        self._truth_steps[row] = steps
        self._truth_due[row] = 0

    def packed(self, step: int, rows: Rows) -> tuple[Datagrams, NDArray[np.uint64]]:
        """Return the messages of some vehicles that are due at a step, HIL_SENSOR first.

        The second is the time of each vehicle's HIL_SENSOR, shape (k,) [us].
        """
        sensors = self._reader.sensors("HIL_SENSOR")
        reports = self._reader.gps("HIL_GPS")
        self._writer.add("HIL_SENSOR", sensors[rows], rows)
        new = rows[reports.new[rows]]
        if len(new):
            self._writer.add("HIL_GPS", reports.packets[new], new)
        told = rows[(self._truth_steps[rows] > 0) & (self._truth_due[rows] <= step)]
        if len(told):
            self._truth_due[told] = step + self._truth_steps[told]
            self._writer.add("HIL_STATE_QUATERNION", true_state(self._sim, told), told)
        return self._writer.take(), sensors["time_usec"][rows]
