"""Actuators of vehicles as generic code sees them: `Actuator`."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["MOTOR", "REVERSIBLE", "SERVO", "UNUSED", "Actuator"]


class Actuator(NamedTuple):
    """The command of an actuator.

    Attributes
    ----------
    low, high : float
        Range of the command; the vehicle takes others as the nearest in it.
    rest : float
        Command with which it does nothing.
    is_motor : bool
        Whether it is a motor, whose command over ``high`` is normalized thrust; else a servo.
    moves : tuple of (str, int)
        Components of columns of role ``state`` that follow the command, such as a rotor speed. What
        these do to the vehicle is lost with the strength of the actuator; without any, none is.
    """

    low: float
    high: float
    rest: float = 0.0
    is_motor: bool = False
    moves: tuple[tuple[str, int], ...] = ()

    @property
    def one_way(self) -> bool:
        """Whether it is a motor whose commands are 0 to 1, as autopilots have them."""
        return self.is_motor and self.low == 0.0

    def moving(self, column: str, component: int = 0) -> Actuator:
        """Return the same actuator, which also moves a component of a state column."""
        return self._replace(moves=(*self.moves, (column, component)))


MOTOR = Actuator(0.0, 1.0, is_motor=True)
"""A motor that turns one way."""

REVERSIBLE = Actuator(-1.0, 1.0, is_motor=True)
"""A motor that turns both ways."""

SERVO = Actuator(-1.0, 1.0)
"""A servo about its centre."""

UNUSED = Actuator(0.0, 0.0)
"""A command that moves nothing."""
