"""RflySim's `UEMapServe`: ground heights of a map, from a picture and a line of text.

`pyrfly.terrain.rflysim_map` describes the files; `pyrfly.terrain` lets vehicles stand on such maps.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.errors import MapError
from pyrfly.terrain.rflysim_map import find_map, map_folders, read_rflysim_map

__all__ = ["MapError", "UEMapServe", "find_map"]


class UEMapServe:
    """Ground heights of a map.

    Parameters
    ----------
    name : str
        Map to load; an empty name loads none yet.

    Attributes
    ----------
    PosOffsetX, PosOffsetY : float
        Position of the first pixel [cm].
    PosScaleX, PosScaleY : float
        Distance of two pixels [cm].
    xMax, yMax : float
        Distance of the last pixel from the origin [m].
    rows, columns : int
        Size of the picture.
    binmap : ndarray, shape (rows, columns), float64
        Height of each pixel as NED z [m].
    GPS : list of float, or None
        Latitude [deg], longitude [deg], height [m] of the origin, if the map has it.

    Raises
    ------
    MapError
        When the map is missing or is not as described above.
    """

    def __init__(self, name: str = "") -> None:
        self.PosOffsetX = self.PosOffsetY = 0.0
        self.PosScaleX = self.PosScaleY = 0.0
        self.xMax = self.yMax = 0.0
        self.rows = self.columns = 0
        self.binmap: NDArray[np.float64] = np.empty((0, 0))
        self.GPS: list[float] | None = None
        if name:
            self.LoadPngData(name)

    def LoadPngData(self, name: str) -> None:
        """Load a map.

        Parameters
        ----------
        name : str
            Name without an ending; see `find_map` for where it is looked for.

        Raises
        ------
        MapError
            When the map is missing or is not as described in `pyrfly.terrain.rflysim_map`. The map
            loaded before, if any, then stays.
        """
        path = find_map(name)
        if path is None:
            folders = ", ".join(str(folder) for folder in map_folders())
            raise MapError(f"name: no {name}.txt in {folders}")
        found = read_rflysim_map(path)
        self.PosOffsetX, self.PosOffsetY = found.first
        self.PosScaleX, self.PosScaleY = found.step
        self.xMax, self.yMax = (abs(last) / 100 for last in found.last)
        self.rows, self.columns = found.heights.shape
        self.binmap = -found.heights
        self.GPS = None if found.origin is None else list(found.origin)

    def getTerrainAltData(self, xin: float, yin: float) -> float:
        """Return the height of the ground as NED z [m], bilinear between pixels.

        Parameters
        ----------
        xin, yin : float
            Position [m, north and east of the map's origin]; outside of the map the height of the
            nearest edge is returned.

        Raises
        ------
        ValueError
            When no map is loaded, or a coordinate is non-finite.
        """
        if self.binmap.size == 0:
            raise MapError("getTerrainAltData: no map is loaded, call LoadPngData first")
        if not (math.isfinite(xin) and math.isfinite(yin)):
            raise ValueError(f"xin, yin: expected finite numbers [m], got {xin}, {yin}")
        first, step = (self.PosOffsetY, self.PosOffsetX), (self.PosScaleY, self.PosScaleX)
        height: float = _core.terrain_at((self.binmap, first, step), [yin * 100], [xin * 100])[0, 0]
        return float(height)

    def outTerrainPoint(self) -> list[tuple[float, float, float]]:
        """Return x, y and height (NED z) [m] of every pixel, row by row."""
        x = (self.PosOffsetX + np.arange(self.columns) * self.PosScaleX) / 100
        y = (self.PosOffsetY + np.arange(self.rows) * self.PosScaleY) / 100
        north, east = np.meshgrid(x, y)
        return list(
            zip(
                north.ravel().tolist(),
                east.ravel().tolist(),
                self.binmap.ravel().tolist(),
                strict=True,
            )
        )
