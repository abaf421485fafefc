"""Heights of the ground on a grid: `TerrainMap`."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.arrays import finite_array
from pyrfly.errors import MapError, brief
from pyrfly.files import path_of
from pyrfly.frames import LocalFrame
from pyrfly.protocol.terrain import HIGHEST
from pyrfly.terrain.picture import Pixels, checked_picture, read_picture

__all__ = ["MAXIMUM_NODES", "SPACINGS", "TerrainMap", "check_shape"]

Array = NDArray[np.float64]
Pair = tuple[float, float]

MAXIMUM_NODES = 2**26
"""Maximum number of nodes of a map: 8192 x 8192, 512 MiB."""

SPACINGS = (1e-3, 1e5)
"""Minimum and maximum distance of two nodes [m]."""

FARTHEST: float = _core.limits()["distance"]
"""Maximum north and east of a node [m]."""


class TerrainMap:
    """Heights of the ground on a grid, bilinear in between; outside, those of the nearest edge.

    A map does not change: simulations and their copies share it.

    Parameters
    ----------
    heights : array_like, shape (rows, columns)
        Heights [m], positive up, above the origin of the local frame: rows to the north, columns
        to the east, so that ``heights[0, 0]`` is the south-west corner. At least 2 x 2, at most
        `MAXIMUM_NODES`, within 9300 m.
    spacing : float or (float, float)
        Distance of two rows and of two columns [m], 1 mm to 100 km.
    corner : (float, float), optional
        North and east of the south-west corner [m]; by default the middle of the map is at north
        and east 0.
    origin : (float, float, float), optional
        Latitude [deg], longitude [deg], height [m] of the origin of the local frame, of a map that
        has a place on the earth: a `Sim` on it takes this origin.
    picture : array_like of uint8, shape (height, width, 3), optional
        What the ground looks like: red, green and blue (sRGB) of pixels that cover the map from
        edge to edge, as maps are printed: the first row is in the north, the first column in the
        west.

    Raises
    ------
    MapError
        An argument is not as described; a ValueError.

    Examples
    --------
    >>> hill = TerrainMap([[0, 0, 0], [0, 8, 0], [0, 0, 0]], spacing=10)
    >>> hill.height([0, 2.5, 99], [0, -5, 99]).tolist()
    [8.0, 3.0, 0.0]
    """

    __slots__ = (
        *("_checksum", "_corner", "_heights", "_origin", "_picture", "_relief", "_spacing"),
    )

    def __init__(
        self,
        heights: ArrayLike,
        spacing: float | Sequence[float],
        *,
        corner: Sequence[float] | None = None,
        origin: Sequence[float] | None = None,
        picture: ArrayLike | None = None,
    ) -> None:
        self._heights = _checked_heights(heights)
        self._spacing = _checked_spacing(spacing)
        self._corner = self._checked_corner(corner)
        self._origin = None if origin is None else _checked_origin(origin)
        self._picture = None if picture is None else checked_picture(picture)
        place = np.array([*self._spacing, *self._corner, *self.shape, *(self._origin or ())])
        self._relief: _core.Relief | None = None
        self._checksum = zlib.crc32(self._heights.data, zlib.crc32(place.tobytes())) | 1 << 32

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self._heights, self._spacing, self._corner, self._origin, self._picture)
        return _made_again, arguments

    def __deepcopy__(self, memo: dict[int, Any]) -> TerrainMap:
        return self

    def __repr__(self) -> str:
        rows, columns = self.shape
        north, east = self._spacing
        return (
            f"<TerrainMap of {rows} x {columns} nodes, {north:g} x {east:g} m apart, "
            f"{self.minimum:g} to {self.maximum:g} m high>"
        )

    @property
    def heights(self) -> Array:
        """Heights of the nodes [m, up], shape (rows, columns), read-only."""
        return self._heights.view()

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        rows, columns = self._heights.shape
        return rows, columns

    @property
    def spacing(self) -> Pair:
        """Distance of two rows and of two columns [m]."""
        return self._spacing

    @property
    def corner(self) -> Pair:
        """North and east of the south-west corner [m]."""
        return self._corner

    @property
    def end(self) -> Pair:
        """North and east of the north-east corner [m]."""
        (north, east), (rows, columns) = self._corner, self.shape
        return north + (rows - 1) * self._spacing[0], east + (columns - 1) * self._spacing[1]

    @property
    def origin(self) -> tuple[float, float, float] | None:
        """Latitude [deg], longitude [deg], height [m] of the origin, if the map has it."""
        return self._origin

    @property
    def picture(self) -> Pixels | None:
        """What the ground looks like, shape (height, width, 3), read-only, if it is known."""
        return self._picture

    @property
    def minimum(self) -> float:
        """Height of the lowest node [m]."""
        return float(self._heights.min())

    @property
    def maximum(self) -> float:
        """Height of the highest node [m]."""
        return float(self._heights.max())

    @property
    def checksum(self) -> int:
        """A number other than 0 that tells maps apart, for snapshots."""
        return self._checksum

    @property
    def grid(self) -> _core.TerrainGrid:
        """The map as the core takes it: heights, corner and spacing."""
        return self._heights, self._corner, self._spacing

    @property
    def relief(self) -> _core.Relief:
        """The map as rays see it, made at the first use."""
        if self._relief is None:
            self._relief = _core.Relief(self.grid)
        return self._relief

    def height(self, north: ArrayLike, east: ArrayLike) -> Array:
        """Return heights of the ground [m, up].

        Parameters
        ----------
        north, east : array_like
            Positions [m], of any shapes that broadcast.

        Returns
        -------
        ndarray
            Heights, of the common shape, with the same bits as below a vehicle there. A vehicle on
            the ground has the z of minus this.

        Raises
        ------
        ValueError, TypeError
            A coordinate is non-finite or not numeric, or the shapes do not broadcast.
        """
        return self._sampled(north, east)[..., 0].copy()

    def gradient(self, north: ArrayLike, east: ArrayLike) -> Array:
        """Return changes of the height per metre north and per metre east, shape (..., 2).

        Arguments as of `height`; up is positive, so the column ``terrain_gradient``, of z, is minus
        this. Across an edge of the map, outside of it, it is 0.
        """
        return self._sampled(north, east)[..., 1:].copy()

    def contains(self, north: ArrayLike, east: ArrayLike) -> NDArray[np.bool_]:
        """Return which positions are on the map; arguments as of `height`."""
        norths, easts = _coordinates(north, east)
        inside = (norths >= self.corner[0]) & (norths <= self.end[0])
        return np.asarray(inside & (easts >= self.corner[1]) & (easts <= self.end[1]))

    def relative_to(self, north: float, east: float) -> TerrainMap:
        """Return the map with its heights above the ground at a place, such as that of home [m].

        The origin, if the map has it, rises or sinks with it.
        """
        base = float(self.height(north, east))
        origin = self._origin and (*self._origin[:2], self._origin[2] + base)
        heights = self._heights - base
        return _made_again(heights, self._spacing, self._corner, origin, self._picture)

    def with_picture(self, picture: ArrayLike | str | os.PathLike[str] | None) -> TerrainMap:
        """Return the map with a picture: pixels, as `TerrainMap` has them, or a file, or none.

        Raises
        ------
        MapError
            It is no picture.
        MissingExtraError
            The file needs ``pip install 'pyrfly[maps]'``.
        """
        if isinstance(picture, (str, os.PathLike)):
            picture = read_picture(path_of("picture", picture))
        pixels = None if picture is None else checked_picture(picture)
        return _made_again(self._heights, self._spacing, self._corner, self._origin, pixels)

    def resampled(self, rows: int, columns: int) -> TerrainMap:
        """Return the map with other numbers of rows and columns, over the same extent."""
        shape = rows, columns
        check_shape(shape)
        if shape == self.shape:
            return self
        norths = np.linspace(self.corner[0], self.end[0], rows)
        easts = np.linspace(self.corner[1], self.end[1], columns)
        length = [last - first for first, last in zip(self.corner, self.end, strict=True)]
        spacing = [side / (count - 1) for side, count in zip(length, shape, strict=True)]
        heights = self.height(norths[:, None], easts)
        north, east = spacing
        return _made_again(heights, (north, east), self._corner, self._origin, self._picture)

    def _sampled(self, north: ArrayLike, east: ArrayLike) -> Array:
        norths, easts = _coordinates(north, east)
        return _core.terrain_at(self.grid, norths.ravel(), easts.ravel()).reshape(*norths.shape, 3)

    def _checked_corner(self, corner: Sequence[float] | None) -> Pair:
        """Return the corner; raise a MapError unless all nodes are within `FARTHEST`."""
        length = [(k - 1) * step for k, step in zip(self.shape, self._spacing, strict=True)]
        given = [-side / 2 for side in length] if corner is None else corner
        first = _numbers("corner", given, 2, "m, north and east")
        if (np.abs(first) > FARTHEST).any() or (np.abs(first + length) > FARTHEST).any():
            raise MapError(
                f"corner: expected all nodes within {FARTHEST / 1000:g} km of the origin, "
                f"got {first.tolist()} m and {length} m of map"
            )
        return float(first[0]), float(first[1])


def _made_again(
    heights: Array,
    spacing: Pair,
    corner: Pair,
    origin: tuple[float, float, float] | None,
    picture: Pixels | None,
) -> TerrainMap:
    """Return a map from its pickle, or of what another map has."""
    return TerrainMap(heights, spacing, corner=corner, origin=origin, picture=picture)


def check_shape(shape: tuple[int, ...]) -> None:
    """Raise a MapError unless an array of this shape may be a map; before it is allocated."""
    if len(shape) != 2 or min(shape) < 2 or shape[0] * shape[1] > MAXIMUM_NODES:
        raise MapError(
            f"heights: expected at least 2 rows and 2 columns and at most {MAXIMUM_NODES} nodes, "
            f"got shape {brief(shape)}"
        )


def _checked_heights(heights: ArrayLike) -> Array:
    """Return an unchangeable copy of heights; raise a MapError if it is no map."""
    try:
        given = np.asarray(heights)
    except ValueError:
        raise MapError("heights: expected rows of one length [m]") from None
    check_shape(given.shape)
    if given.dtype.kind not in "iuf":
        raise MapError(f"heights: expected numbers [m], got values of type {given.dtype}")
    copy = np.array(given, np.float64, order="C")
    bad = ~(np.abs(copy) <= HIGHEST)
    if bad.any():
        row, column = (int(i) for i in np.unravel_index(np.argmax(bad), bad.shape))
        raise MapError(
            f"heights: expected finite heights within {HIGHEST:g} m, "
            f"got {copy[row, column]} at row {row}, column {column}, and {int(bad.sum())} in all"
        )
    # The core has the address of bytes, which cannot be resized or made writeable.
    return np.frombuffer(copy.tobytes()).reshape(copy.shape)


def _numbers(name: str, value: Any, count: int, unit: str) -> Array:
    """Return ``count`` finite numbers; raise a MapError for anything else."""
    try:
        array = finite_array(name, value, unit)
    except (TypeError, ValueError) as error:
        raise MapError(str(error)) from None
    if array.shape != (count,):
        raise MapError(f"{name}: expected {count} numbers [{unit}], got {brief(value)}")
    return array


def _checked_spacing(spacing: Any) -> Pair:
    several = isinstance(spacing, Sequence) or np.ndim(spacing) > 0
    pair = spacing if several else (spacing, spacing)
    steps = _numbers("spacing", pair, 2, "m, of rows and columns")
    if not ((steps >= SPACINGS[0]) & (steps <= SPACINGS[1])).all():
        raise MapError(
            f"spacing: expected {SPACINGS[0]:g} to {SPACINGS[1]:g} m, got {brief(spacing)}"
        )
    return float(steps[0]), float(steps[1])


def _checked_origin(origin: Any) -> tuple[float, float, float]:
    lat, lon, alt = _numbers("origin", origin, 3, "deg, deg, m").tolist()
    try:
        LocalFrame(lat, lon, alt)
    except ValueError as error:
        raise MapError(f"origin: {error}") from None
    if abs(alt) > HIGHEST:
        raise MapError(f"origin: expected a height within {HIGHEST:g} m, got {alt:g}")
    return lat, lon, alt


def _coordinates(north: ArrayLike, east: ArrayLike) -> tuple[Array, Array]:
    """Return finite coordinates of one shape."""
    norths, easts = finite_array("north", north, "m"), finite_array("east", east, "m")
    try:
        return tuple(np.broadcast_arrays(norths, easts))  # type: ignore[return-value]
    except ValueError:
        raise ValueError(
            f"north, east: expected shapes that broadcast, got {norths.shape} and {easts.shape}"
        ) from None
