"""A vehicle as ArduPilot drives and sees it: `ArduPilotVehicle`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.ardupilot import State, deflections, throttles
from pyrfly.protocol.ardupilot_frames import FRAMES, outputs
from pyrfly.protocol.bits import FaultySensor
from pyrfly.protocol.px4_channels import CHANNELS
from pyrfly.sim import Group
from pyrfly.sim.faults import sensors_at_fault

__all__ = ["ArduPilotVehicle"]

_RPM = 30.0 / math.pi
"""Of 1 rad/s."""


class ArduPilotVehicle:
    """Converts servo outputs to actuator commands, and the state to an answer.

    Parameters
    ----------
    group : Group
        The group of the vehicle, with the synthesis columns.
    row : int
        Its row in the group.
    frame : str, optional
        A key of `pyrfly.protocol.ardupilot_frames.FRAMES`.

    Raises
    ------
    ValueError
        The frame is unknown, or is one of another layout; ArduPilot has no outputs by default for
        the actuators of the vehicle.
    """

    def __init__(self, group: Group, row: int, frame: str | None = None) -> None:
        parameters = group.parameters
        self._group, self._row = group, row
        self._rotors = group.abilities.rotors
        ranges = group.ranges[: parameters.actuator_count]
        unscaled = group.family.px4_airframe.unscaled
        self._throttles = np.array([actuator.one_way or unscaled for actuator in ranges])
        self._mix = _mix(group, self._throttles, frame)

    def commands(self, pwm: NDArray[np.uint16]) -> NDArray[np.float64]:
        """Return the commands of its actuators in their order, then zeros.

        Parameters
        ----------
        pwm : ndarray of uint16, shape (16,) or (32,)
            Pulse widths [us], 0 for no pulse.

        Returns
        -------
        ndarray, shape (16,)
            0 to 1 of motors and of models in libraries, -1 to 1 of drives that turn both ways.
        """
        pulses = pwm[:CHANNELS]
        kinds = self._mix @ throttles(pulses), self._mix @ deflections(pulses)
        given = np.clip(np.where(self._throttles, *kinds), -1.0, 1.0)
        values = np.zeros(CHANNELS)
        values[: len(given)] = given
        return values

    def state(self, time: float) -> State:
        """Return the true state, with a time stamp [s].

        Where a gyroscope or an accelerometer has a fault, it is what this measures.

        Parameters
        ----------
        time : float
            Simulated time of ArduPilot [s].
        """
        pos, home, vel, wind = map(self._read, ("pos", "home", "vel", "wind"))
        if self._group.batch.has("environment"):
            wind = _sum(wind, self._read("wind_variation"))
        faulty = sensors_at_fault(self._group, self._row)
        return State(
            timestamp=time,
            gyro=self._read("imu_gyro" if faulty & FaultySensor.GYROSCOPE else "rate"),
            accel_body=self._read(
                "imu_accel" if faulty & FaultySensor.ACCELEROMETER else "specific_force"
            ),
            position=_difference(pos, home),
            attitude=self._read("att"),
            velocity=vel,
            airspeed=math.hypot(*_difference(vel, wind)),
            velocity_wind=wind,
            battery=self._battery(),
            rpm=self._rpm(),
        )

    def _rpm(self) -> list[float] | None:
        if self._rotors is None:
            return None
        speeds = self._read(self._rotors.speed)[: self._group.parameters.actuator_count]
        return [_RPM * speed for speed in speeds]

    def _battery(self) -> tuple[float, float] | None:
        group, row = self._group, self._row
        if not (group.batch.has("power") and group.view("battery_on")[row]):
            return None
        return float(group.view("battery_voltage")[row]), float(group.view("battery_current")[row])

    def _read(self, column: str) -> list[float]:
        values: list[float] = self._group.view(column)[self._row].tolist()
        return values


def _mix(group: Group, one_way: NDArray[np.bool_], frame: str | None) -> NDArray[np.float64]:
    """Return the command of each actuator per output, shape (actuators, 16)."""
    family, parameters = group.family, group.parameters
    if frame is None and family.ardupilot is not None:
        known = family.ardupilot(parameters)
        if known is not None:
            return known
    if frame or one_way.all() or parameters.layout in {f.layout for f in FRAMES.values()}:
        chosen = outputs(parameters.layout, parameters.actuator_count, frame)
        return np.eye(CHANNELS)[list(chosen)]
    raise ValueError(
        "vehicle: expected one with outputs of ArduPilot by default: rotors alone, a plane, a "
        "quadplane, a helicopter with servos at -60, 60, 180 or -90, 90, 180, 0 degrees, a rover "
        "with skid steering, a car, a boat with two thrusters, a ship with a propeller and a "
        "rudder, an ROV with a vectored frame of ArduSub; "
        f"got {group.name!r} of {family.name}"
    )


def _sum(a: list[float], b: list[float]) -> list[float]:
    return [x + y for x, y in zip(a, b, strict=True)]


def _difference(a: list[float], b: list[float]) -> list[float]:
    return [x - y for x, y in zip(a, b, strict=True)]
