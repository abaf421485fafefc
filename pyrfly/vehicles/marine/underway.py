"""Thrusters of marine craft, where a search for an equilibrium begins: `underway`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

__all__ = ["underway"]

Array = NDArray[np.float64]

AHEAD, DOWN = 0.3, 0.1
"""Commands that move a thruster out of its dead zone, where no slope shows a way out."""


def underway(columns: Mapping[str, Array], speed: Array) -> dict[str, Array]:
    """Return what `Trim.underway` does: thrusters that push ahead and down."""
    ahead, _, down = np.split(columns["thruster_axis"], 3, axis=1)
    command = AHEAD * np.sign(speed)[:, None] * ahead + DOWN * down
    turning = command * columns["thruster_speed_max"][:, :1]
    return {"thruster_command": command, "thruster_speed": turning}
