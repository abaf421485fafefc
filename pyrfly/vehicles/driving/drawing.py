"""Axles of vehicles with steered wheels, for their drawings: `axle`."""

from __future__ import annotations

from collections.abc import Iterator

from pyrfly.vehicles.drawing import TURN, Joint, Part, Vector
from pyrfly.vehicles.drawing_parts import rolling, wheel

__all__ = ["axle"]

STEERING = 4
"""Where the angle of the steered wheels is displayed, positive to the right; the speeds of the
wheels are before it: front left and right, then rear."""

_DOWN = (0.0, 0.0, 1.0)


def axle(
    name: str,
    x: float,
    track: float,
    height: float,
    size: tuple[float, float],
    first: int,
    *,
    steered: bool = False,
    joints: tuple[Joint, ...] = (),
) -> Iterator[Part]:
    """Yield both wheels of an axle.

    Parameters
    ----------
    name : str
        What it is: "front".
    x : float
        Where it is [m, forward].
    track : float
        Distance between the middles of both wheels [m].
    height : float
        Height of the origin above the ground [m].
    size : tuple of float
        Radius and width of the wheels [m].
    first : int
        Which of ``displayed_actuators`` is the speed of the left wheel; the right one is next.
    steered : bool
        Whether they turn with the steering.
    joints : tuple of Joint
        What moves the axle.
    """
    radius, width = size
    for k, side in enumerate(("left", "right")):
        hub: Vector = (x, (k - 0.5) * track, height - radius)
        turns = (Joint(TURN, STEERING, _DOWN, hub),) if steered else ()
        moved = (rolling(first + k, hub), *turns, *joints)
        yield from wheel(f"{name} {side} wheel", hub, radius, width, moved)
