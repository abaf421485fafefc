"""GeoTIFF terrain maps, resampled to a grid in the local frame.

The heights of the file are taken to be above the same surface as that of the origin: both above the
ellipsoid, or both above sea level. The geoid is not modelled: its slope, some centimetres per km,
is left out.

A node of the grid at north n, east e [m] is above a place q of the plane z = 0, on the vertical of
the ellipsoid there. With the heights H of the plane and h of the ground on this vertical, R the
radius of the earth and d^2 = n^2 + e^2:

    q = (n, e) (1 - (h - H) / R),      z = -(h - H) (1 - d^2 / (2 R^2))

Pixel and H of a place q are those of a lattice of exact transformations, bilinear in cells of at
most 500 m: within 2 cm. h is bilinear between the pixels, as the map is between its nodes.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.errors import MapError, MissingExtraError, brief, import_extra
from pyrfly.files import is_regular, printable
from pyrfly.frames import LocalFrame
from pyrfly.terrain.terrain_map import TerrainMap, check_shape

__all__ = ["read_geotiff"]

Array = NDArray[np.float64]

WIDEST = 200e3
"""Maximum extent of a map [m], north or east: one plane frame should not span more."""

_EARTH_RADIUS = 6371000.0  # m
_LATTICE = 500.0  # m, maximum distance of exact transformations
_EDGE_POINTS = 65  # of an edge of the raster, to find the grid within it
_ROWS_AT_ONCE = 256
_METRES = ("", "m", "metre", "metres", "meter", "meters")


class _Raster(NamedTuple):
    """A raster of heights with its place on the earth.

    Attributes
    ----------
    heights : ndarray, shape (rows, columns)
        Heights [m], rows from north to south.
    geodetic : callable
        Converts columns and rows of pixels, counted from the middle of the first one, to longitude
        and latitude [deg].
    pixels : callable
        The inverse.
    """

    heights: Array
    geodetic: Any
    pixels: Any

    def sampled(self, columns: Array, rows: Array) -> Array:
        """Return heights between pixels."""
        grid = (self.heights, (0.0, 0.0), (1.0, 1.0))
        return _core.terrain_at(grid, rows.ravel(), columns.ravel())[:, 0].reshape(rows.shape)


def read_geotiff(path: Path, origin: Sequence[float] | None) -> TerrainMap:
    """Return the map of a GeoTIFF; see `pyrfly.terrain.read_terrain`."""
    rasterio = import_extra("rasterio", "geotiff", "reading a GeoTIFF")
    name = printable(path)
    if not is_regular(path):
        raise MapError(f"{name}: expected a regular file, found none")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
            with rasterio.open(path.resolve(), driver="GTiff") as dataset:
                raster = _raster(dataset)
        return _resampled(raster, origin)
    except MapError as error:
        raise MapError(f"{name}: {error}") from None
    except MissingExtraError:
        raise
    except Exception as error:  # rasterio has also private ones, of GDAL
        raise MapError(f"{name}: cannot be read as GeoTIFF: {error}") from None


def _raster(dataset: Any) -> _Raster:
    """Return the heights of an open file; raise a MapError for what is not supported."""
    place = dataset.transform
    if dataset.count != 1:
        raise MapError(f"expected one band of heights, got {dataset.count}")
    if dataset.crs is None:
        raise MapError("expected a coordinate reference system, found none")
    if place.b != 0 or place.d != 0 or place.a <= 0 or place.e >= 0:
        raise MapError(
            f"expected rows to the east and columns to the south, got {tuple(place)[:6]}"
        )
    check_shape(dataset.shape)
    if dataset.dtypes[0].startswith("complex"):
        raise MapError(f"expected heights, got values of type {dataset.dtypes[0]}")
    unit = (dataset.units[0] or "").lower()
    if unit not in _METRES:
        raise MapError(f"expected heights in metres, got {brief(unit)}")
    heights = dataset.read(1, masked=True).astype(np.float64)
    heights = heights * dataset.scales[0] + dataset.offsets[0]
    values = np.ma.getdata(heights)
    missing = np.ma.getmaskarray(heights) | ~np.isfinite(values)
    if missing.any():
        row, column = (int(i) for i in np.unravel_index(np.argmax(missing), missing.shape))
        raise MapError(
            f"expected a height at every pixel, got none at {int(missing.sum())} of "
            f"{missing.size}, the first at row {row}, column {column}"
        )
    return _Raster(np.ascontiguousarray(values), *_transformations(dataset.crs, place))


def _transformations(crs: Any, place: Any) -> tuple[Any, Any]:
    """Return the functions `_Raster.geodetic` and `_Raster.pixels`."""
    warp = import_extra("rasterio.warp", "geotiff", "reading a GeoTIFF")

    def between(source: Any, target: Any, x: Array, y: Array) -> tuple[Array, Array]:
        there = warp.transform(source, target, x.ravel(), y.ravel())
        first, second = (np.reshape(values, x.shape) for values in there)
        return first, second

    def geodetic(columns: Array, rows: Array) -> tuple[Array, Array]:
        x, y = place.c + place.a * (columns + 0.5), place.f + place.e * (rows + 0.5)
        return between(crs, "EPSG:4326", x, y)

    def pixels(lon: Array, lat: Array) -> tuple[Array, Array]:
        x, y = between("EPSG:4326", crs, lon, lat)
        return (x - place.c) / place.a - 0.5, (y - place.f) / place.e - 0.5

    return geodetic, pixels


def _resampled(raster: _Raster, origin: Sequence[float] | None) -> TerrainMap:
    """Return a map with as many rows and columns as the raster."""
    frame = _frame(raster, origin)
    south, north, west, east = _extent(raster, frame)
    shape = raster.heights.shape
    norths, easts = np.linspace(south, north, shape[0]), np.linspace(west, east, shape[1])
    lattice = _lattice(raster, frame, (south, north), (west, east))
    heights = np.empty(shape)
    for first in range(0, shape[0], _ROWS_AT_ONCE):
        some = slice(first, first + _ROWS_AT_ONCE)
        north_of, east_of = np.meshgrid(norths[some], easts, indexing="ij")
        heights[some] = _heights(raster, lattice, north_of, east_of)
    return TerrainMap(
        heights,
        ((north - south) / (shape[0] - 1), (east - west) / (shape[1] - 1)),
        corner=(south, west),
        origin=(frame.lat, frame.lon, frame.alt),
    )


def _frame(raster: _Raster, origin: Sequence[float] | None) -> LocalFrame:
    """Return the local frame; what the origin leaves open is that of the ground in the middle."""
    rows, columns = raster.heights.shape
    if origin is None:
        lon, lat = raster.geodetic(np.array([(columns - 1) / 2]), np.array([(rows - 1) / 2]))
        origin = float(lat[0]), float(lon[0])
    try:
        given = [float(value) for value in origin]
        if len(given) not in (2, 3):
            raise ValueError(f"got {len(given)} numbers")
        frame = LocalFrame(*given[:2], *given[2:] or (0.0,))
    except (TypeError, ValueError, OverflowError) as error:
        raise MapError(f"origin: expected latitude, longitude and height: {error}") from None
    column, row = raster.pixels(np.array([frame.lon]), np.array([frame.lat]))
    if not (0 <= column[0] <= columns - 1 and 0 <= row[0] <= rows - 1):
        raise MapError(
            f"origin: expected a place on the map, got latitude {frame.lat:g}, "
            f"longitude {frame.lon:g}; by default it is the middle of the map"
        )
    if len(given) == 3:
        return frame
    return LocalFrame(frame.lat, frame.lon, float(raster.sampled(column, row)[0]))


def _extent(raster: _Raster, frame: LocalFrame) -> tuple[float, float, float, float]:
    """Return south, north, west and east [m] of the largest grid within the raster."""
    last_row, last_column = (k - 1 for k in raster.heights.shape)
    along = np.linspace(0.0, 1.0, _EDGE_POINTS)
    still = np.zeros(_EDGE_POINTS)

    def edge(columns: Array, rows: Array) -> Array:
        lon, lat = raster.geodetic(columns, rows)
        return frame.to_ned(np.stack([lat, lon, np.full_like(lat, frame.alt)], axis=-1))

    north = float(edge(along * last_column, still)[:, 0].min())
    south = float(edge(along * last_column, still + last_row)[:, 0].max())
    west = float(edge(still, along * last_row)[:, 1].max())
    east = float(edge(still + last_column, along * last_row)[:, 1].min())
    if not (0 < north - south <= WIDEST and 0 < east - west <= WIDEST):
        raise MapError(
            f"expected a map of up to {WIDEST / 1000:g} km, got {(north - south) / 1000:.4g} km "
            f"to the north and {(east - west) / 1000:.4g} km to the east"
        )
    return south, north, west, east


def _lattice(
    raster: _Raster, frame: LocalFrame, north: tuple[float, float], east: tuple[float, float]
) -> list[_core.TerrainGrid]:
    """Return column, row and height above the ellipsoid [m] of the plane z = 0, as grids."""
    axes = [np.linspace(low, high, 2 + int((high - low) / _LATTICE)) for low, high in (north, east)]
    norths, easts = np.meshgrid(*axes, indexing="ij")
    lat, lon, height = np.moveaxis(
        frame.to_lla(np.stack([norths, easts, np.zeros_like(norths)], axis=-1)), -1, 0
    )
    first = (float(axes[0][0]), float(axes[1][0]))
    spacing = (float(axes[0][1] - axes[0][0]), float(axes[1][1] - axes[1][0]))
    fields = (*raster.pixels(lon, lat), height)
    return [(np.ascontiguousarray(field), first, spacing) for field in fields]


def _heights(raster: _Raster, lattice: list[_core.TerrainGrid], north: Array, east: Array) -> Array:
    """Return minus the z of the ground [m] at places of the local frame."""

    def at(grid: _core.TerrainGrid, shrink: Array) -> Array:
        places = (north * shrink).ravel(), (east * shrink).ravel()
        return _core.terrain_at(grid, *places)[:, 0].reshape(north.shape)

    column, row, height = lattice
    shrink = np.ones_like(north)
    for _ in range(3):
        above = raster.sampled(at(column, shrink), at(row, shrink)) - at(height, shrink)
        shrink = 1.0 - above / _EARTH_RADIUS
    cosine = 1.0 - (north * north + east * east) / (2.0 * _EARTH_RADIUS**2)
    return np.asarray(above * cosine)
