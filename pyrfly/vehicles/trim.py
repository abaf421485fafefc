"""Where a search for an equilibrium begins: `Trim`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Trim"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Trim:
    """Begin of the search for an equilibrium of a vehicle that is not at rest or level there.

    Attributes
    ----------
    commands : tuple of float
        Commands of all actuators.
    states : mapping of str to ndarray
        All states after those of the body, by column; without them they begin where they tend to
        under the commands.
    airspeed : float
        Airspeed [m/s], level along the heading.
    pitch : float
        Pitch angle [rad].
    fixed : tuple of int
        Numbers of the commands that stay as they are.
    slips : bool
        Whether it turns its heading out of the wind, as it has nothing else that yaws it.
    """

    commands: tuple[float, ...]
    states: Mapping[str, Array] = field(default_factory=dict)
    airspeed: float = 0.0
    pitch: float = 0.0
    fixed: tuple[int, ...] = ()
    slips: bool = False
