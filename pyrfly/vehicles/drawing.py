"""What a vehicle looks like: `Joint`."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["SPIN", "TURN", "Joint", "Vector"]

Vector = tuple[float, float, float]

SPIN = "spin"
"""A joint that turns on at the speed of an actuator."""

TURN = "turn"
"""A joint at an angle that follows an actuator."""


class Joint(NamedTuple):
    """How a part moves on its vehicle, by the column ``displayed_actuators``.

    Attributes
    ----------
    kind : str
        `SPIN`: the angle is the integral of ``gain`` times the number, a speed [1/min]. `TURN`: it
        is ``gain`` times the number, an angle [rad].
    actuator : int
        Which of the eight numbers, from 0.
    axis : tuple of float
        Unit vector that it turns about, by the right hand [FRD].
    at : tuple of float
        Point on that axis [m, FRD from the origin of the vehicle].
    gain : float
        Factor; its sign is the direction.
    """

    kind: str
    actuator: int
    axis: Vector
    at: Vector
    gain: float = 1.0
