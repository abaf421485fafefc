"""A vehicle as ArduPilot drives and sees it: `ArduPilotVehicle`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.ardupilot import State, deflections, throttles
from pyrfly.protocol.ardupilot_frames import FRAMES, outputs
from pyrfly.server.actuators import CHANNELS
from pyrfly.sim import Group

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
        The frame is unknown, or is one of another layout; no outputs of ArduPilot are known for the
        actuators of the vehicle.
    """

    def __init__(self, group: Group, row: int, frame: str | None = None) -> None:
        parameters = group.parameters
        self._group, self._row = group, row
        self._rotors = group.abilities.rotors
        ranges = group.ranges[: parameters.actuator_count]
        one_way = [actuator.one_way for actuator in ranges]
        family = group.family
        known = family.px4_airframe.ardupilot
        self._mix = None
        if known and frame is None:
            chosen = known
            if family.px4_mix is not None:
                self._mix = family.px4_mix(parameters)
        elif frame or all(one_way) or parameters.layout in {f.layout for f in FRAMES.values()}:
            chosen = outputs(parameters.layout, parameters.actuator_count, frame)
        else:
            raise ValueError(
                f"frame: no outputs of ArduPilot are known for {group.name!r}, a {family.name}"
            )
        self._driven = np.array([output is not None for output in chosen])
        self._outputs = np.array([output or 0 for output in chosen])
        self._throttles = np.array(one_way)

    def commands(self, pwm: NDArray[np.uint16]) -> NDArray[np.float64]:
        """Return the commands of its actuators in their order, then zeros.

        Parameters
        ----------
        pwm : ndarray of uint16, shape (16,) or (32,)
            Pulse widths [us], 0 for no pulse.

        Returns
        -------
        ndarray, shape (16,)
            0 to 1 of motors, -1 to 1 of drives that turn both ways.
        """
        pulses = pwm[self._outputs]
        given = np.where(self._throttles, throttles(pulses), deflections(pulses)) * self._driven
        if self._mix is not None:
            given = np.clip(self._mix @ given, -1.0, 1.0)
        values = np.zeros(CHANNELS)
        values[: len(given)] = given
        return values

    def state(self, time: float) -> State:
        """Return the true state, with a time stamp [s].

        Parameters
        ----------
        time : float
            Simulated time of ArduPilot [s].
        """
        pos, home, vel, wind = map(self._read, ("pos", "home", "vel", "wind"))
        if self._group.batch.has("environment"):
            wind = _sum(wind, self._read("wind_variation"))
        return State(
            timestamp=time,
            gyro=self._read("rate"),
            accel_body=self._read("specific_force"),
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


def _sum(a: list[float], b: list[float]) -> list[float]:
    return [x + y for x, y in zip(a, b, strict=True)]


def _difference(a: list[float], b: list[float]) -> list[float]:
    return [x - y for x, y in zip(a, b, strict=True)]
