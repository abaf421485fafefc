"""How vehicles move: `Kind`."""

from __future__ import annotations

from enum import Flag, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.constants import TOUCHDOWN_HEIGHT, TOUCHDOWN_SPEED

__all__ = ["Kind"]

ROLLING = 5.0
"""Ground speed below which vehicles that circle have landed [m/s]: LNDFW_VEL_XY_MAX."""


class Kind(Flag):
    """How vehicles move; a vehicle that changes from one to the other has both.

    Generic code asks this, not which columns there are. What "landed" means follows from it.
    """

    HOVERS = auto()
    """They stay at a position in the air."""

    WINGED = auto()
    """Wings carry them, so that they pass positions or circle around them."""

    DRIVES = auto()
    """They stay on the ground."""

    FLOATS = auto()
    """They stay on the surface of the water."""

    DIVES = auto()
    """They are at the surface of the water and below it."""

    @property
    def doing(self) -> str:
        """What a vehicle does, for messages."""
        return " and ".join(text for kind, text in _DOING.items() if kind in self)

    @property
    def on_surface(self) -> bool:
        """Whether they never leave the surface upwards: they neither take off nor land."""
        return bool(self & (Kind.DRIVES | Kind.FLOATS | Kind.DIVES))

    @property
    def dives(self) -> bool:
        """Whether heights below that of the surface are theirs."""
        return Kind.DIVES in self

    @property
    def circles(self) -> bool:
        """Whether they cannot stay at a position."""
        return self is Kind.WINGED

    @property
    def transitions(self) -> bool:
        """Whether they change between hover and winged flight."""
        return Kind.HOVERS | Kind.WINGED in self

    def landed(self, height: NDArray[Any], vel: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which vehicles have landed, armed or not.

        Those on a surface have where they stop, those that circle where they touch the ground and
        do not roll fast either, all others where they touch it and do not climb or descend.

        Parameters
        ----------
        height : ndarray, shape (n,)
            Height above the ground of what touches it first [m].
        vel : ndarray, shape (n, 3)
            Ground velocity [m/s, NED].

        Returns
        -------
        ndarray of bool, shape (n,)
            Whether each has landed.
        """
        speed = np.hypot(vel[:, 0], vel[:, 1])
        level = np.abs(vel[:, 2]) < TOUCHDOWN_SPEED
        if self.on_surface:
            return np.asarray((speed < TOUCHDOWN_SPEED) & level)
        slow = speed < ROLLING if self.circles else True
        return np.asarray((height < TOUCHDOWN_HEIGHT) & level & slow)


_DOING = {
    Kind.HOVERS: "hovers",
    Kind.WINGED: "flies by wings",
    Kind.DRIVES: "drives",
    Kind.FLOATS: "floats",
    Kind.DIVES: "dives",
}
