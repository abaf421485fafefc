"""The ground under a vehicle: a map if there is one, else a plane at height 0."""

from __future__ import annotations

import warnings
from typing import Protocol

from pyrfly.rflysim.UEMapServe import UEMapServe, find_map

__all__ = ["DEFAULT_MAP", "FlatGround", "Ground", "ground_of"]

DEFAULT_MAP = "Grasslands"
"""The map that RflySim's classes load when none is named."""


class Ground(Protocol):
    """A source of ground heights."""

    GPS: list[float] | None

    def getTerrainAltData(self, xin: float, yin: float) -> float:
        """Return the height of the ground as NED z [m] at a position [m, north and east]."""


class FlatGround:
    """A plane at height 0.

    Attributes
    ----------
    GPS : None
        It has no geodetic position.
    """

    def __init__(self) -> None:
        self.GPS: list[float] | None = None

    def getTerrainAltData(self, xin: float, yin: float) -> float:
        """Return 0."""
        return 0.0


def ground_of(name: str) -> Ground:
    """Return the ground of a map.

    Parameters
    ----------
    name : str
        Name of the map, as for `UEMapServe`. RflySim's maps are not part of pyrfly: when this one
        is not found, the ground is a plane at height 0, with a warning unless the name is
        `DEFAULT_MAP` or empty.

    Raises
    ------
    MapError
        When the map is there and cannot be read.
    """
    if name and find_map(name) is not None:
        return UEMapServe(name)
    if name not in ("", DEFAULT_MAP):
        warnings.warn(
            f"no map {name!r} found (see PYRFLY_MAPS): the ground is flat, at height 0",
            stacklevel=3,
        )
    return FlatGround()
