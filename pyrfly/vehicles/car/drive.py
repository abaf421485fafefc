"""What drives and brakes a car: `Drive`, `braked`, `driven`."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Drive", "braked", "driven"]

DRIVEN = 0.6
"""Share of the grip of driven and braked tyres along them that leaves enough of it across,
estimated: 0.8 of that, by the friction circle."""


class Drive(NamedTuple):
    """Drive, brakes and inertia of a car.

    Attributes
    ----------
    accel, brake : float
        Acceleration at full drive command and deceleration by the brakes [m/s^2].
    switch_speed : float
        Speed [m/s] above which the power of the drive is the limit.
    speed : float
        Speed [m/s] above which nothing drives forward.
    damping : float
        Deceleration of the drive per speed [1/s].
    yaw_inertia : float
        Inertia about the vertical axis [kg m^2].
    """

    accel: float
    switch_speed: float
    speed: float
    brake: float
    damping: float
    yaw_inertia: float


def driven(front: float, rear: float, share: float) -> float:
    """Return the acceleration over grip of a drive with a ``share`` on the front axle.

    Of axles ``front`` and ``rear`` [m] of the centre of mass, with their loads at rest; some of the
    grip is left for turns.
    """
    most = [rear / share] if share > 0.0 else []
    most += [front / (1.0 - share)] if share < 1.0 else []
    return DRIVEN * min(most) / (front + rear)


def braked(front: float, rear: float, height: float, share: float, friction: float) -> float:
    """Return the deceleration over gravity of brakes with a ``share`` on the front axle.

    Of axles ``front`` and ``rear`` [m] of the centre of mass, at a ``height`` [m]. It takes load
    from the rear axle, which would overtake the front one if it slid: some of its grip is left.
    """
    held = DRIVEN * friction
    return held * front / ((1.0 - share) * (front + rear) + held * height)
