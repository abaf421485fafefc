"""Flight by the sticks of remote controls: `ManualControl`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.autopilot.parameters import Parameters
from pyrfly.autopilot.sticks import (
    DEAD_ZONE,
    Limits,
    Sticks,
    WingLimits,
    drive_inputs,
    stick_inputs,
    turning_lead,
    wing_inputs,
)
from pyrfly.frames import yaw_of_quaternion
from pyrfly.mission.base_pilot import TICK
from pyrfly.protocol.synthesis import Inputs
from pyrfly.sim import Sim

__all__ = ["ManualControl"]

_RATE_FILTER = 0.1
"""Time constant of the filter of the rates of sticks [s] [@px4 v1.16.1 MovingDiff.hpp]."""

_CENTRED = Sticks(0.0, 0.0, 0.5, 0.0)

_DESCENDING = Sticks(0.5, 0.5, 0.5, 0.0)
"""Sticks of a descent by wings: a gliding turn; estimated."""


class ManualControl:
    """Sticks of the vehicles, and what manual modes make of them.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    parameters : Parameters
        Their PX4 parameters.
    """

    def __init__(self, sim: Sim, parameters: Parameters) -> None:
        self._sim = sim
        self._parameters = parameters
        self._able = [group.abilities for group in sim.groups for _ in range(group.n)]
        self._sticks: dict[int, Sticks] = {}
        self._held_down = np.zeros(sim.n)  # from the take-off point [m]
        self._rated: dict[int, tuple[float, Sticks]] = {}  # time and sticks of the last rates
        self._stick_rates = np.zeros((sim.n, 4))  # of deflections, filtered [1/s]

    def move(self, row: int, sticks: Sticks, time: float) -> bool:
        """Take the sticks of a vehicle; return whether they move.

        They do where a deflection changes faster than COM_RC_STICK_OV [%/s], behind a filter
        [@px4 v1.16.1 ManualControl.cpp, MovingDiff.hpp].
        """
        self._sticks[row] = sticks
        since, before = self._rated.get(row, (math.inf, _CENTRED))
        elapsed = time - since
        if elapsed == 0.0:
            return False  # counts with the next message
        self._rated[row] = time, sticks
        if not elapsed > 0.0:
            return False
        rates = (_axes(sticks) - _axes(before)) / elapsed
        share = elapsed / (elapsed + _RATE_FILTER)
        self._stick_rates[row] += share * (rates - self._stick_rates[row])
        fastest = float(np.abs(self._stick_rates[row]).max())
        return fastest > self._parameters.get(row, "COM_RC_STICK_OV") / 100.0

    def sticks(self, row: int) -> Sticks | None:
        """Return the last sticks of a vehicle, None before the first."""
        return self._sticks.get(row)

    def hold_height(self, row: int) -> None:
        """Hold the present height, in ALTITUDE."""
        self._held_down[row] = self._sim.known.pos[row, 2] - self._sim.home[row, 2]

    def pulses(self) -> NDArray[np.float64]:
        """Return the sticks as four channels of a radio [us], shape (n, 4); centred before."""
        pulses = np.tile((1500.0, 1500.0, 1000.0, 1500.0), (self._sim.n, 1))
        for row, sticks in self._sticks.items():
            pulses[row] = sticks.pulses
        return pulses

    def inputs(self, row: int, mode: FlightMode) -> Inputs:
        """Return the inputs of a vehicle in a manual mode until the next tick."""
        sticks, kind = self._sticks[row], self._able[row].kind
        if kind.circles:
            return wing_inputs(mode, sticks, self._wing_limits(row))
        if kind.on_surface or kind.dives:
            return drive_inputs(sticks, self._own_limits(row), kind.dives)
        limits = self._limits(row)
        if abs(sticks.climb) >= DEAD_ZONE:
            speed = limits.climb if sticks.climb > 0 else limits.descent
            self._held_down[row] -= speed * sticks.climb * TICK
        heading = float(yaw_of_quaternion(self._sim.known.att[row].astype(np.float64)))
        return stick_inputs(mode, sticks, limits, heading, float(self._held_down[row]))

    def descent(self, row: int) -> Inputs:
        """Return the inputs of a vehicle that descends without a position, level, or in a turn.

        One that hovers sinks at MPC_LAND_SPEED.
        """
        kind = self._able[row].kind
        if kind.circles:
            return wing_inputs(FlightMode.ALTITUDE, _DESCENDING, self._wing_limits(row))
        limits = self._limits(row)
        if kind.on_surface:
            return drive_inputs(_CENTRED, limits)
        self._held_down[row] += self._parameters.get(row, "MPC_LAND_SPEED") * TICK
        heading = float(yaw_of_quaternion(self._sim.known.att[row].astype(np.float64)))
        held = float(self._held_down[row])
        return stick_inputs(FlightMode.ALTITUDE, _CENTRED, limits, heading, held)

    def _wing_limits(self, row: int) -> WingLimits:
        get = self._parameters.get
        names = "FW_AIRSPD_MIN", "FW_AIRSPD_TRIM", "FW_AIRSPD_MAX", "FW_T_CLMB_MAX", "FW_T_SINK_MAX"
        angles = (math.radians(get(row, name)) for name in ("FW_R_LIM", "FW_P_LIM_MAX"))
        return WingLimits(*(get(row, name) for name in names), *angles)

    def _own_limits(self, row: int) -> Limits:
        """Return the limits of what drives, floats or dives: those of the vehicle itself."""
        vehicle, of = self._sim.select(row + 1), self._able[row].limits

        def limit(name: str | None) -> float:
            return 0.0 if name is None else float(vehicle.read(name)[0])

        return self._limits(row)._replace(
            speed=limit(of.speed),
            climb=limit(of.climb),
            descent=limit(of.descent),
            yaw_rate=limit(of.yaw_rate),
        )

    def _limits(self, row: int) -> Limits:
        get = self._parameters.get
        return Limits(
            speed=get(row, "MPC_VEL_MANUAL"),
            climb=get(row, "MPC_Z_VEL_MAX_UP"),
            descent=get(row, "MPC_Z_VEL_MAX_DN"),
            yaw_rate=math.radians(get(row, "MPC_MAN_Y_MAX")),
            tilt=math.radians(get(row, "MPC_MAN_TILT_MAX")),
            hover=get(row, "MPC_THR_HOVER"),
            acro=(
                math.radians(get(row, "MC_ACRO_R_MAX")),
                math.radians(get(row, "MC_ACRO_P_MAX")),
                math.radians(get(row, "MC_ACRO_Y_MAX")),
            ),
            ahead=float(turning_lead(self._parameters.column("MC_YAW_P")[row])),
        )


def _axes(sticks: Sticks) -> NDArray[np.float64]:
    """Return the deflections of the sticks, -1 to 1."""
    return np.array((sticks.pitch, sticks.roll, sticks.climb, sticks.yaw))
