"""How the point-mass vehicles of `VehicleApi` move: pure functions of state, command and time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

__all__ = [
    "Flight",
    "FlightCommand",
    "clip",
    "fly",
    "level_pitch",
    "orbit",
    "smooth",
    "to_ned",
    "wrap",
]

GRAVITY = 9.80665  # m/s^2, for the bank angle shown
_KEEP, _TICK = 0.97, 0.01  # a set-point filter keeps 0.97 every 10 ms
_CLIMB_LIMIT = 10.0  # m/s
_MIN_RADIUS = 5.0  # m, of a turn
_ORBIT_GAIN = 0.5  # 1/s, closing speed per distance from a circle; stable below 5


def clip(value: float, limit: float) -> float:
    """Return ``value`` within plus and minus ``limit``."""
    return min(max(value, -limit), limit)


def wrap(angle: float) -> float:
    """Return an angle [rad] as one from -pi to pi."""
    return math.remainder(angle, math.tau)


def smooth(value: float, target: float, dt: float) -> float:
    """Return ``value`` after the filter that goes 3 % of the way to ``target`` every 10 ms."""
    return target + (value - target) * math.pow(_KEEP, dt / _TICK)


def to_ned(forward: float, right: float, yaw: float) -> tuple[float, float]:
    """Return the north and east part of a horizontal vector of a body with a heading [rad]."""
    c, s = math.cos(yaw), math.sin(yaw)
    return forward * c - right * s, forward * s + right * c


def level_pitch(speed: float) -> float:
    """Return the pitch [rad] of a wing in level flight: 12 deg up to 5 m/s, 2 deg from 20 m/s."""
    return math.radians(2.0 + 10.0 * min(max((20.0 - speed) / 15.0, 0.0), 1.0))


class Flight(NamedTuple):
    """State of a wing that flies by autopilot.

    Attributes
    ----------
    north, east, down : float
        Position [m].
    descent : float
        Descent rate [m/s].
    speed : float
        Horizontal speed [m/s].
    course : float
        Direction of flight [rad].
    turn : float
        Rate of it [rad/s].
    """

    north: float
    east: float
    down: float
    descent: float
    speed: float
    course: float
    turn: float


class FlightCommand(NamedTuple):
    """Set-points of the autopilot of a wing.

    Attributes
    ----------
    speed : float
        Horizontal speed [m/s].
    course, turn : float
        Direction of flight [rad] now, and its rate [rad/s].
    down : float
        Height, as NED z [m].
    """

    speed: float
    course: float
    turn: float
    down: float


def _derivative(
    state: Flight, command: FlightCommand, gains: Sequence[float], time: float
) -> tuple[float, ...]:
    """Return the rate of change of a state, ``time`` after the command was given."""
    b1, b2, b3, b4, b5 = gains
    error = wrap(command.course + command.turn * time - state.course)
    fastest = max(state.speed, _MIN_RADIUS) / _MIN_RADIUS
    turn = clip(command.turn + b2 / b1 * error, fastest)
    descent = clip(b4 / b3 * (command.down - state.down), _CLIMB_LIMIT)
    return (
        state.speed * math.cos(state.course),
        state.speed * math.sin(state.course),
        state.descent,
        b3 * (descent - state.descent),
        b5 * (command.speed - state.speed),
        state.turn,
        b1 * (turn - state.turn),
    )


def fly(state: Flight, command: FlightCommand, gains: Sequence[float], dt: float) -> Flight:
    """Return the state of a wing after a step of the classical Runge-Kutta method.

    Course and height obey second-order laws, the speed a first-order one::

        turn' = b1 (turn_c - turn) + b2 (course_c - course)
        descent' = b3 (0 - descent) + b4 (down_c - down)
        speed' = b5 (speed_c - speed)

    The commanded turn rate is limited to that of a circle of 5 m, the descent rate to 10 m/s.

    Parameters
    ----------
    state : Flight
        The state.
    command : FlightCommand
        The set-points.
    gains : sequence of 5 floats
        b1 .. b5.
    dt : float
        Step [s].
    """

    def after(slope: Sequence[float], time: float) -> Flight:
        return Flight(*(x + time * k for x, k in zip(state, slope, strict=True)))

    k1 = _derivative(state, command, gains, 0.0)
    k2 = _derivative(after(k1, dt / 2), command, gains, dt / 2)
    k3 = _derivative(after(k2, dt / 2), command, gains, dt / 2)
    k4 = _derivative(after(k3, dt), command, gains, dt)
    mean = [(a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(k1, k2, k3, k4, strict=True)]
    return after(mean, dt)


def orbit(
    north: float, east: float, radius: float, speed: float, clockwise: bool
) -> tuple[float, float]:
    """Return the course [rad] and its rate [rad/s] that lead onto a circle and around it.

    Parameters
    ----------
    north, east : float
        Position from the centre [m].
    radius : float
        Of the circle [m].
    speed : float
        Of the vehicle [m/s].
    clockwise : bool
        Seen from above.

    Notes
    -----
    On the circle the course is the tangent. Away from it, it leans inwards or outwards so that
    the distance from the circle decays with a rate of 0.5 1/s, at most as fast as the vehicle is.
    """
    away = math.hypot(north, east) - radius
    inwards = math.atan(_ORBIT_GAIN * away / max(speed, 1.0))
    sense = 1.0 if clockwise else -1.0
    course = math.atan2(east, north) + sense * (math.pi / 2 + inwards)
    return wrap(course), sense * speed / radius
