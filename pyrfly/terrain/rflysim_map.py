"""RflySim's terrain maps: a picture and a line of text.

A map ``name`` is ``name.png``, 16 bit grey, and ``name.txt``. The first line of the text holds 9 or
12 numbers separated by commas: x, y, z [cm, z up] of the last pixel, of the first pixel, and of a
third point; then perhaps latitude [deg], longitude [deg] and height [m] of the map's origin.
Columns of the picture run along x (north), rows along y (east). ``name.jpg``, if there is one, is
taken for a picture of the ground, whose pixels lie as those of the heights.

One grey level is 1 cm, unless the third point implies another scale: of the first and the last
pixel, the one whose grey level is further from that of the third point determines the scale, if it
is more than 10 levels away.
"""

from __future__ import annotations

import io
import math
import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import MapError, import_extra
from pyrfly.files import decoded, is_regular, printable, read_regular
from pyrfly.terrain.picture import Pixels, picture_beside, read_picture
from pyrfly.terrain.terrain_map import TerrainMap, check_shape

__all__ = ["RflySimMap", "find_map", "map_folders", "read_rflysim_map"]

Array = NDArray[np.float64]

_ZERO_LEVEL = 32768  # grey level of height 0
_FEWEST_LEVELS = 10  # between two points that give a scale
_MODES = ("I;16", "I;16L", "I;16B", "I")  # what Pillow calls 16 bit grey, by version
_MAXIMUM_TEXT = 1_000_000  # bytes
_MAXIMUM_PICTURE = 300_000_000  # bytes: more than the largest map without compression
_HEADER = struct.Struct(">8sI4sII")  # of a PNG: signature; length, name, width, height


def map_folders() -> list[Path]:
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
    candidates = (folder / f"{name}.txt" for folder in map_folders())
    return next((path for path in candidates if is_regular(path)), None)


class RflySimMap(NamedTuple):
    """A map as its files have it.

    Attributes
    ----------
    first, last : (float, float)
        x and y of the first and the last pixel [cm].
    step : (float, float)
        Distance of two columns and of two rows [cm], negative where x or y fall.
    heights : ndarray, shape (rows, columns)
        Heights of the pixels [m, up].
    origin : (float, float, float), or None
        Latitude [deg], longitude [deg], height [m].
    picture : ndarray of uint8, shape (height, width, 3), or None
        What the ground looks like: as the heights, its columns run along x, its rows along y.
    """

    first: tuple[float, float]
    last: tuple[float, float]
    step: tuple[float, float]
    heights: Array
    origin: tuple[float, float, float] | None
    picture: Pixels | None

    def terrain_map(self, origin: Sequence[float] | None = None) -> TerrainMap:
        """Return the map in the local frame; ``origin`` is for those without one of their own."""
        if origin is not None and self.origin is not None:
            raise MapError(
                f"origin: expected None for a map with the origin {self.origin}, got {origin}"
            )
        picture = None if self.picture is None else self._turned(self.picture)[::-1]  # north up
        return TerrainMap(
            self._turned(self.heights),
            [abs(step) / 100 for step in self.step],
            corner=[min(ends) / 100 for ends in zip(self.first, self.last, strict=True)],
            origin=self.origin if origin is None else origin,
            picture=picture,
        )

    def _turned(self, pixels: NDArray[Any]) -> NDArray[Any]:
        """Return pixels with rows to the north and columns to the east."""
        north, east = (-1 if step < 0 else 1 for step in self.step)
        return pixels.swapaxes(0, 1)[::north, ::east]


def read_rflysim_map(text: Path) -> RflySimMap:
    """Read a map by its text file; the picture is beside it.

    Raises
    ------
    MapError
        A file is missing or is not as described at the head of this module.
    """
    numbers = _read_numbers(text)
    levels = _read_levels(text.with_suffix(".png"))
    last, first, third = numbers[0:3], numbers[3:6], numbers[6:9]
    rows, columns = levels.shape
    step_x = (last[0] - first[0]) / (columns - 1)
    step_y = (last[1] - first[1]) / (rows - 1)
    if step_x == 0 or step_y == 0:
        raise MapError(f"{printable(text)}: expected first and last pixel to differ in x and y")

    # the small number: a third point on a pixel must not fall before it by rounding
    column = (third[0] - first[0]) / step_x + 1e-6
    row = (third[1] - first[1]) / step_y + 1e-6
    if not (0 <= column < columns and 0 <= row < rows):
        raise MapError(
            f"{printable(text)}: expected the third point on the map, got {third[0:2]} cm"
        )
    scale = _height_scale(
        (first[2], levels[0, 0]),
        (last[2], levels[-1, -1]),
        (third[2], levels[math.floor(row), math.floor(column)]),
    )
    return RflySimMap(
        first=(first[0], first[1]),
        last=(last[0], last[1]),
        step=(step_x, step_y),
        heights=(first[2] + (levels - levels[0, 0]) * scale) / 100,
        origin=(numbers[9], numbers[10], numbers[11]) if len(numbers) == 12 else None,
        picture=None if (beside := picture_beside(text)) is None else read_picture(beside),
    )


def _read(path: Path, maximum: int) -> bytes:
    try:
        return read_regular(path, maximum)
    except ValueError as error:
        raise MapError(f"{printable(path)}: {error}") from None


def _read_numbers(path: Path) -> list[float]:
    """Return the 9 or 12 numbers of a map's text file."""
    text = decoded(_read(path, _MAXIMUM_TEXT), "replace")
    fields = text.split("\n", 1)[0].split(",")
    name = printable(path)
    try:
        numbers = [float(field) for field in fields]
    except ValueError as error:
        raise MapError(f"{name}: expected numbers separated by commas, {error!s:.80}") from None
    if len(numbers) not in (9, 12):
        raise MapError(f"{name}: expected 9 or 12 numbers, got {len(numbers)}")
    if not all(map(math.isfinite, numbers)):
        raise MapError(f"{name}: expected finite numbers, got {numbers}")
    return numbers


def _read_levels(path: Path) -> Array:
    """Return the grey levels of a picture, less the zero level; its size is checked first."""
    images = import_extra("PIL.Image", "maps", "reading a map")
    data, name = _read(path, _MAXIMUM_PICTURE), printable(path)
    if not data.startswith(b"\x89PNG\r\n\x1a\n") or len(data) < _HEADER.size:
        raise MapError(f"{name}: not a readable PNG: expected its header")
    width, height = _HEADER.unpack_from(data)[3:]
    try:
        check_shape((height, width))
    except MapError as error:
        raise MapError(f"{name}: {error}") from None
    try:
        with images.open(io.BytesIO(data), formats=["PNG"]) as picture:
            if picture.size != (width, height):  # a second header
                raise ValueError(f"expected one size, got {width, height} and {picture.size}")
            mode = picture.mode
            levels = np.asarray(picture).astype(np.float64) if mode in _MODES else None
    except (OSError, SyntaxError, ValueError, images.DecompressionBombError) as error:
        raise MapError(f"{name}: not a readable PNG: {error}") from error
    if levels is None:
        raise MapError(f"{name}: expected 16 bit grey, got mode {mode!r}")
    return levels - _ZERO_LEVEL


def _height_scale(
    first: tuple[float, float], last: tuple[float, float], third: tuple[float, float]
) -> float:
    """Return the height of a grey level [cm] from (height, level) of three points."""
    corner = first if abs(third[1] - last[1]) <= abs(third[1] - first[1]) else last
    levels = corner[1] - third[1]
    return (corner[0] - third[0]) / levels if abs(levels) > _FEWEST_LEVELS else 1.0
