"""RflySim's `UEMapServe`: ground heights of a map, from a picture and a line of text.

A map ``name`` is ``name.png``, 16 bit grey, and ``name.txt``. The first line of the text holds 9 or
12 numbers separated by commas: x, y, z [cm, z up] of the last pixel, of the first pixel, and of a
third point; then perhaps latitude [deg], longitude [deg] and height [m] of the map's origin.
Columns of the picture run along x (north), rows along y (east).

One grey level is 1 cm, unless the third point implies another scale: of the first and the last
pixel, the one whose grey level is further from that of the third point determines the scale, if it
is more than 10 levels away.
"""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import Error, import_extra

__all__ = ["MapError", "UEMapServe", "find_map"]

_ZERO_LEVEL = 32768  # grey level of height 0
_FEWEST_LEVELS = 10  # between two points that give a scale
_MODES = ("I;16", "I;16L", "I;16B", "I")  # what Pillow calls 16 bit grey, by version


class MapError(Error, ValueError):
    """A map is missing or cannot be read."""


def _folders() -> list[Path]:
    """Return the folders that maps are looked for in."""
    folders = [Path()]
    folders += [Path(f) for f in os.environ.get("PYRFLY_MAPS", "").split(os.pathsep) if f]
    if psp := os.environ.get("PSP_PATH"):
        folders.append(Path(psp) / "CopterSim" / "external" / "map")
    return folders


def find_map(name: str) -> Path | None:
    """Return the text file of a map, or None.

    Looked for in the current folder, then in those of the environment variable ``PYRFLY_MAPS``,
    then in ``CopterSim/external/map`` of the RflySim installation at ``PSP_PATH``.

    Parameters
    ----------
    name : str
        Name of the map without an ending, or a path without one.
    """
    candidates = (folder / f"{name}.txt" for folder in _folders())
    return next((path for path in candidates if path.is_file()), None)


def _read_numbers(path: Path) -> list[float]:
    """Return the 9 or 12 numbers of a map's text file."""
    try:
        fields = path.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0].split(",")
    except OSError as error:
        raise MapError(f"{path}: {error.strerror}") from error
    try:
        numbers = [float(field) for field in fields]
    except ValueError as error:
        raise MapError(f"{path}: expected numbers separated by commas, {error}") from None
    if len(numbers) not in (9, 12):
        raise MapError(f"{path}: expected 9 or 12 numbers, got {len(numbers)}")
    if not all(map(math.isfinite, numbers)):
        raise MapError(f"{path}: expected finite numbers, got {numbers}")
    return numbers


def _read_levels(path: Path) -> NDArray[np.float64]:
    """Return the grey levels of a picture, less the zero level."""
    images = import_extra("PIL.Image", "maps", "reading a map")
    try:
        with images.open(path) as picture:
            if picture.mode not in _MODES:
                raise MapError(f"{path}: expected 16 bit grey, got mode {picture.mode!r}")
            levels = np.asarray(picture).astype(np.float64) - _ZERO_LEVEL
    except (OSError, SyntaxError, ValueError, images.DecompressionBombError) as error:
        if isinstance(error, MapError):
            raise
        raise MapError(f"{path}: not a readable PNG: {error}") from error
    if min(levels.shape) < 2:
        raise MapError(f"{path}: expected at least 2 rows and 2 columns, got {levels.shape}")
    return levels


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
            When the map is missing or is not as described at the head of this module. The map
            loaded before, if any, then stays.
        """
        path = find_map(name)
        if path is None:
            folders = ", ".join(str(folder) for folder in _folders())
            raise MapError(f"name: no {name}.txt in {folders}")
        numbers = _read_numbers(path)
        levels = _read_levels(path.with_name(path.name.removesuffix(".txt") + ".png"))
        last, first, third = numbers[0:3], numbers[3:6], numbers[6:9]
        rows, columns = levels.shape
        step_x = (last[0] - first[0]) / (columns - 1)
        step_y = (last[1] - first[1]) / (rows - 1)
        if step_x == 0 or step_y == 0:
            raise MapError(f"{path}: expected first and last pixel to differ in x and y")

        # the small number: a third point on a pixel must not fall before it by rounding
        column = math.floor((third[0] - first[0]) / step_x + 1e-6)
        row = math.floor((third[1] - first[1]) / step_y + 1e-6)
        if not (0 <= column < columns and 0 <= row < rows):
            raise MapError(f"{path}: expected the third point on the map, got {third[0:2]} cm")
        scale = _height_scale(
            (first[2], levels[0, 0]), (last[2], levels[-1, -1]), (third[2], levels[row, column])
        )
        self.PosOffsetX, self.PosOffsetY = first[0], first[1]
        self.PosScaleX, self.PosScaleY = step_x, step_y
        self.xMax, self.yMax = abs(last[0]) / 100, abs(last[1]) / 100
        self.rows, self.columns = rows, columns
        self.binmap = -(first[2] + (levels - levels[0, 0]) * scale) / 100
        self.GPS = numbers[9:12] or None

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
        column = (xin * 100 - self.PosOffsetX) / self.PosScaleX
        row = (yin * 100 - self.PosOffsetY) / self.PosScaleY
        column = min(max(column, 0.0), self.columns - 1.0)
        row = min(max(row, 0.0), self.rows - 1.0)
        c, r = min(int(column), self.columns - 2), min(int(row), self.rows - 2)
        a, b = column - c, row - r
        (upper_left, upper_right), (lower_left, lower_right) = self.binmap[r : r + 2, c : c + 2]
        upper = upper_left * (1 - a) + upper_right * a
        lower = lower_left * (1 - a) + lower_right * a
        return float(upper * (1 - b) + lower * b)

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


def _height_scale(
    first: tuple[float, float], last: tuple[float, float], third: tuple[float, float]
) -> float:
    """Return the height of a grey level [cm] from (height, level) of three points."""
    corner = first if abs(third[1] - last[1]) <= abs(third[1] - first[1]) else last
    levels = corner[1] - third[1]
    return (corner[0] - third[0]) / levels if abs(levels) > _FEWEST_LEVELS else 1.0
