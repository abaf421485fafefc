"""Performance of a plane from its numbers: stall, level flight, climb, glide.

The coefficients of csrc/models/wing.h in attached flow, the propeller of csrc/models/propeller.h
and the motor of csrc/models/electric_motor.h, in level flight without sideslip at small path
angles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import nextafter, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact

__all__ = ["Level", "Performance"]

Array = NDArray[np.float64]

ANGLES = 1001
"""Angles of attack at which the largest lift is looked for."""

BEYOND = 1.2
"""The largest of them over the stall angle."""

FLAT = 1.5
"""The largest of them at all [rad]."""

FASTEST = 3.0
"""Speeds above this many times the rated airspeed are not looked at."""


class Level(NamedTuple):
    """Level flight at an airspeed.

    Attributes
    ----------
    alpha, elevator : float
        Angle of attack and deflection of the elevator [rad].
    drag : float
        Drag [N].
    """

    alpha: float
    elevator: float
    drag: float


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function that grows changes its sign, to the last bit."""
    if not function(low) < 0.0:
        return nextafter(low, high)  # where a search would end, after a thousand steps towards 0
    while low < (middle := (low + high) / 2) < high:
        if function(middle) < 0.0:
            low = middle
        else:
            high = middle
    return high


class Performance:
    """Performance of a plane.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns.
    """

    def __init__(self, columns: Mapping[str, Array]) -> None:
        self._columns = columns
        self._numbers = {name: values.tolist() for name, values in columns.items()}
        self.weight = self.number("mass") * self.number("gravity")
        self.pressure_area = 0.5 * self.number("reference_density") * self.number("wing_area")
        """Force per squared airspeed and coefficient [kg/m]."""

    def number(self, name: str, index: int = 0) -> float:
        """Return an element of a column."""
        number: float = self._numbers[name][index]
        return number

    @property
    def stall(self) -> float:
        """The lowest airspeed of level flight [m/s]."""
        return sqrt(self.weight / (self.pressure_area * self.largest_lift))

    @property
    def largest_lift(self) -> float:
        """The largest lift coefficient of an angle of attack that the elevator can hold."""
        stall, sharpness = self.number("stall_angle"), self.number("stall_sharpness")
        alpha = np.linspace(0.0, BEYOND * min(stall, FLAT / BEYOND), ANGLES)
        sine, cosine = exact.sincos(alpha)
        ratio = exact.exp(np.clip(sharpness * (alpha - stall), -40.0, 40.0))
        separated = ratio / (1.0 + ratio)
        lift0, lift_a, _, lift_e, _ = (self.number("lift_coef", i) for i in range(5))
        pitch0, pitch_a, _, pitch_e, _ = (self.number("pitch_coef", i) for i in range(5))
        moment = (1.0 - separated) * (pitch0 + pitch_a * alpha)
        elevator = -(moment + separated * self.number("stalled_pitch") * sine) / pitch_e
        lift = (1.0 - separated) * (lift0 + lift_a * alpha) + lift_e * elevator
        lift += separated * 2.0 * sine * sine * cosine
        held = (elevator >= self._elevator(min)) & (elevator <= self._elevator(max))
        return float(lift[held].max()) if held.any() else 0.0

    def _elevator(self, end: Callable[..., float]) -> float:
        """Return an end of the elevator's travel [rad]."""
        servos = len(self._columns["surface_centre"])
        mix = self._columns["surface_mix"][servos : 2 * servos]
        both = self._columns["surface_travel"].reshape(2, servos)
        pairs = zip(mix * both[0], -mix * both[1], strict=True)
        return float(sum(end(0.0, up, down) for up, down in pairs))

    def level(self, airspeed: float) -> Level:
        """Return level flight at an airspeed [m/s]: lift carries the weight, no pitching moment."""
        lift0, lift_a, _, lift_e, _ = (self.number("lift_coef", i) for i in range(5))
        pitch0, pitch_a, _, pitch_e, _ = (self.number("pitch_coef", i) for i in range(5))
        wanted = self.weight / (self.pressure_area * airspeed * airspeed)
        determinant = lift_a * pitch_e - lift_e * pitch_a
        alpha = ((wanted - lift0) * pitch_e + pitch0 * lift_e) / determinant
        elevator = (-pitch0 * lift_a - (wanted - lift0) * pitch_a) / determinant
        attached = lift0 + lift_a * alpha
        drag0, drag_a, _, drag_e, _ = (self.number("drag_coef", i) for i in range(5))
        drag = drag0 + drag_a * alpha + self.number("induced_drag") * attached * attached
        drag += drag_e * elevator
        return Level(alpha, elevator, self.pressure_area * airspeed * airspeed * drag)

    def induced_sink(self, airspeed: float) -> float:
        """Return the sink rate by the induced drag alone [m/s]."""
        lift = self.weight / (self.pressure_area * airspeed * airspeed)
        drag = self.pressure_area * airspeed * airspeed * self.number("induced_drag") * lift * lift
        return drag * airspeed / self.weight

    def _beyond(self, speed: float, airspeed: float) -> tuple[float, float]:
        """Return the advance within the data [rad/s] and the force of the flow beyond [N]."""
        diameter, density = self.number("propeller_diameter"), self.number("reference_density")
        advance = 2.0 * pi * airspeed / diameter
        within = min(max(advance, 0.0), self.number("propeller_advance_limit") * speed)
        plate = 0.5 * density * self.number("propeller_drag_area")
        plate *= diameter * diameter / (4.0 * pi * pi)
        return within, plate * (advance * abs(advance) - within * within)

    def _law(self, name: str, speed: float, within: float) -> float:
        """Return a force [N] by the coefficients, or a moment over the diameter."""
        c0, c1, c2 = (self.number(name, i) for i in range(3))
        force = self.number("reference_density") * self.number("propeller_diameter") ** 4
        force /= 4.0 * pi * pi
        return force * (c0 * speed * speed + within * (c1 * speed + c2 * within))

    def _propeller_torque(self, speed: float, airspeed: float) -> float:
        """Return what slows the propeller down [N m]."""
        diameter = self.number("propeller_diameter")
        within, plate = self._beyond(speed, airspeed)
        lead = self.number("propeller_advance_limit") * diameter / (2.0 * pi)
        return diameter * self._law("propeller_torque", speed, within) - lead * plate

    @property
    def propeller_rate(self) -> float:
        """The rate at which the air slows a propeller down that turns freely, at most [1/s]."""
        speed = self.propeller_speed(1.0, 0.0)
        torque = self._propeller_torque(speed, 0.0)
        return 2.0 * torque / (self.number("propeller_inertia") * max(speed, 1.0))

    def propeller_speed(self, throttle: float, airspeed: float) -> float:
        """Return the steady speed of the propeller [rad/s]."""
        brake = self.number("motor_brake")
        if self.number("motor_resistance") == 0.0:
            return self._held_speed(throttle, airspeed, brake)
        constant, resistance = self.number("motor_constant"), self.number("motor_resistance")
        voltage, idle = (
            throttle * self.number("motor_voltage"),
            self.number("motor_no_load_current"),
        )

        def braking(speed: float) -> float:
            current = (voltage - constant * speed) / resistance
            current = max(current, brake * current) - idle * min(speed / 10.0, 1.0)
            return self._propeller_torque(speed, airspeed) - constant * current

        return max(0.0, _root(braking, 0.0, 1e5))

    def _held_speed(self, throttle: float, airspeed: float, brake: float) -> float:
        """Return the speed that a controller holds, or that the air turns faster [rad/s]."""
        low, high = (self.number("motor_speed_range", i) for i in range(2))
        target, lag = low + throttle * (high - low), self.number("motor_lag")
        inertia = self.number("propeller_inertia")

        def slowing(speed: float) -> float:
            held = (target - speed) / lag
            turns = -self._propeller_torque(speed, airspeed) / inertia
            return -(held + (1.0 - brake) * max(0.0, turns - held))

        return _root(slowing, 0.0, 1e5)

    def thrust(self, throttle: float, airspeed: float) -> float:
        """Return the steady thrust [N]."""
        speed = self.propeller_speed(throttle, airspeed)
        within, plate = self._beyond(speed, airspeed)
        thrust = self._law("propeller_thrust", speed, within)
        lost = self.number("propeller_loss") * airspeed / sqrt(max(thrust, 1e-6))
        return thrust - min(lost, max(thrust, 0.0)) - plate

    def shaft_power(self, throttle: float, airspeed: float) -> float:
        """Return the power [W] that turns the propeller steadily, 0 where the air does."""
        speed = self.propeller_speed(throttle, airspeed)
        return max(0.0, self._propeller_torque(speed, airspeed)) * speed

    def gliding_throttle(self, airspeed: float) -> float:
        """Return the throttle up to which a propeller turns no faster than without power."""
        speed = self.propeller_speed(0.0, airspeed)
        if self.number("motor_resistance") > 0.0:
            held = speed * self.number("motor_constant") / self.number("motor_voltage")
        else:
            low, high = (self.number("motor_speed_range", i) for i in range(2))
            held = (speed - low) / (high - low) if high > low else 0.0
        return (1.0 - self.number("motor_brake")) * min(held, 1.0)

    def throttle(self, airspeed: float) -> float:
        """Return the throttle of level flight, at most 1."""
        drag = self.level(airspeed).drag
        return _root(lambda u: self.thrust(u, airspeed) - drag, 0.0, 1.0)

    def climb(self, throttle: float, airspeed: float) -> float:
        """Return the climb rate [m/s], negative in a descent."""
        excess = self.thrust(throttle, airspeed) - self.level(airspeed).drag
        return excess * airspeed / self.weight

    @property
    def fastest(self) -> float:
        """The airspeed of level flight at full throttle [m/s]."""
        rated = self.number("rated_airspeed")
        return _root(lambda v: -self.climb(1.0, v), rated, FASTEST * rated)
