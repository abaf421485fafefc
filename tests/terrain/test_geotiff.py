"""GeoTIFFs in geographic and projected coordinates, against exact positions of the ground."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from numpy.typing import NDArray
from rasterio.transform import Affine, from_origin
from rasterio.warp import transform

from pyrfly.errors import MapError, MissingExtraError
from pyrfly.frames import LocalFrame
from pyrfly.terrain import read_terrain

HOME = (46.5, 8.0)
UTM = "EPSG:32632"


def relief(lat: Any, lon: Any) -> Any:
    """Return heights [m] of hills of some 2 km with slopes of up to 0.6, on a slope."""
    north, east = (lat - HOME[0]) * 111e3, (lon - HOME[1]) * 76.6e3
    return 900 + 150 * np.sin(north / 350) * np.cos(east / 400) + 0.05 * north


def write(path: Path, crs: str | None, place: Affine, heights: Any, **more: Any) -> Path:
    array = np.asarray(heights)
    bands = array if array.ndim == 3 else array[None]
    options = {"driver": "GTiff", "crs": crs, "transform": place, "dtype": str(array.dtype), **more}
    with rasterio.open(
        path, "w", height=bands.shape[1], width=bands.shape[2], count=len(bands), **options
    ) as file:
        file.write(bands)
    return path


def write_relief(path: Path, crs: str, rows: int, columns: int, **more: Any) -> Path:
    """Write the relief about HOME, with pixels of some 10 m."""
    (x,), (y,) = transform("EPSG:4326", crs, [HOME[1]], [HOME[0]])
    step = (10.0, 10.0) if crs == UTM else (1.3e-4, 9e-5)
    place = from_origin(x - columns / 2 * step[0], y + rows / 2 * step[1], *step)
    column, row = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    xs, ys = place.c + place.a * column, place.f + place.e * row
    lon, lat = transform(crs, "EPSG:4326", xs.ravel(), ys.ravel())
    heights = relief(np.array(lat), np.array(lon)).reshape(rows, columns)
    return write(path, crs, place, heights, **more)


def errors(path: Path, **arguments: Any) -> NDArray[np.float64]:
    """Return the errors [m] of a map against the relief, at random places of the earth."""
    terrain = read_terrain(path, **arguments)
    assert terrain.origin is not None
    frame = LocalFrame(*terrain.origin)
    random = np.random.default_rng(1).uniform(terrain.corner, terrain.end, (3000, 2))
    lla = frame.to_lla(np.column_stack([random, np.zeros(3000)]))
    lla[:, 2] = relief(lla[:, 0], lla[:, 1])
    north, east, down = frame.to_ned(lla).T
    return np.asarray(terrain.height(north, east) + down)


@pytest.mark.parametrize("crs", ["EPSG:4326", UTM])
def test_heights_are_where_the_file_has_them(tmp_path: Path, crs: str) -> None:
    """Twice bilinear between heights 10 m apart: up to 2 x 10^2 / 8 x 2 x 150 / 350^2 m = 6 cm."""
    path = write_relief(tmp_path / "hills.tif", crs, 600, 500, compress="deflate")
    found = errors(path)
    assert np.abs(found).max() < 0.08
    assert np.sqrt(np.mean(found**2)) < 0.02


def test_far_from_the_origin_the_ground_follows_the_earth(tmp_path: Path) -> None:
    """At 40 km the plane frame is 130 m above the ellipsoid, and the vertical is 0.4 deg off."""
    (x,), (y,) = transform("EPSG:4326", UTM, [HOME[1]], [HOME[0]])
    place = from_origin(x - 30e3, y + 30e3, 200, 200)
    path = write(tmp_path / "plateau.tif", UTM, place, np.full((300, 300), 2000.0))
    terrain = read_terrain(path, origin=(*HOME, 0.0))
    frame = LocalFrame(*HOME, 0.0)
    north, east = terrain.corner
    assert np.hypot(north, east) > 40e3
    _, _, height = frame.to_lla((north, east, -float(terrain.height(north, east))))
    assert height == pytest.approx(2000, abs=0.02)


def test_the_origin_is_that_asked_for(tmp_path: Path) -> None:
    path = write_relief(tmp_path / "hills.tif", "EPSG:4326", 300, 200)
    middle = read_terrain(path)
    assert middle.origin == pytest.approx((*HOME, float(relief(*HOME))), abs=0.02)
    assert middle.height(0, 0) == pytest.approx(0, abs=0.02)
    assert middle.shape == (300, 200)
    place = (HOME[0] + 0.004, HOME[1] - 0.003)
    on_ground = read_terrain(path, origin=place)
    assert on_ground.origin == pytest.approx((*place, float(relief(*place))), abs=0.05)
    given = read_terrain(path, origin=(*place, 850.0))
    assert given.height(0, 0) == pytest.approx(relief(*place) - 850, abs=0.08)


def test_whole_numbers_are_scaled(tmp_path: Path) -> None:
    place = from_origin(8.0, 46.5, 1e-4, 1e-4)
    path = write(tmp_path / "a.tif", "EPSG:4326", place, np.full((9, 9), 250, np.int16))
    with rasterio.open(path, "r+") as file:
        file.scales, file.offsets = (0.5,), (100.0,)
    assert read_terrain(path).origin[2] == 225  # type: ignore[index]


HEIGHTS = np.ones((4, 5), np.float32)
LOCAL = (
    'ENGCRS["x",EDATUM["y"],CS[Cartesian,2],AXIS["e",east],AXIS["n",north],LENGTHUNIT["metre",1]]'
)
"""Without a place on the earth."""
PLACE = from_origin(8.0, 46.5, 1e-4, 1e-4)
HOLE = np.where(np.arange(20).reshape(4, 5) == 7, -9999, HEIGHTS).astype(np.float32)
NAN = np.where(np.arange(20).reshape(4, 5) == 7, np.nan, HEIGHTS).astype(np.float32)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("EPSG:4326", PLACE, np.ones((3, 4, 5), np.uint8)), {}, "one band of heights, got 3"),
        ((None, PLACE, HEIGHTS), {}, "expected a coordinate reference system"),
        (("EPSG:4326", Affine(1e-4, 1e-5, 8, 1e-5, -1e-4, 46.5), HEIGHTS), {}, "rows to the east"),
        (("EPSG:4326", Affine(1e-4, 0, 8, 0, 1e-4, 46.5), HEIGHTS), {}, "columns to the south"),
        (("EPSG:4326", PLACE, HOLE), {"nodata": -9999}, "none at 1 of 20, the first at row 1, col"),
        (("EPSG:4326", PLACE, NAN), {}, "none at 1 of 20, the first at row 1, column 2"),
        (("EPSG:4326", PLACE, HEIGHTS[:1]), {}, "at least 2 rows"),
        (("EPSG:4326", PLACE, HEIGHTS.astype(np.complex64)), {}, "type complex64"),
        (("EPSG:4326", Affine(2, 0, 8, 0, -2, 46.5), HEIGHTS), {}, "a map of up to 200 km, got"),
        (("EPSG:4326", PLACE, HEIGHTS * 1e6), {}, "expected a height within 9300 m"),
        ((LOCAL, PLACE, HEIGHTS), {}, "cannot be read as GeoTIFF"),
    ],
)
def test_what_is_not_supported_is_named(
    tmp_path: Path, arguments: Any, options: dict[str, Any], message: str
) -> None:
    path = write(tmp_path / "odd.tif", *arguments, **options)
    with pytest.raises(MapError, match=rf"odd\.tif: .*{message}"):
        read_terrain(path)


def test_units_other_than_metres_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "feet.tif", "EPSG:4326", PLACE, HEIGHTS)
    with rasterio.open(path, "r+") as file:
        file.units = ("ft",)
    with pytest.raises(MapError, match="heights in metres, got 'ft'"):
        read_terrain(path)


@pytest.mark.parametrize("data", [b"", b"II*\0" + b"\xff" * 60, b"no picture"])
def test_what_is_no_tiff_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.tif"
    path.write_bytes(data)
    with pytest.raises(MapError, match=r"bad\.tif: cannot be read as GeoTIFF"):
        read_terrain(path)


def test_a_huge_one_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.tif"
    with rasterio.open(
        path, "w", driver="GTiff", height=100_000, width=100_000, count=1, dtype="uint8",
        crs="EPSG:4326", transform=PLACE, sparse_ok=True, tiled=True,
    ):  # fmt: skip
        pass
    assert path.stat().st_size < 10_000_000
    with pytest.raises(MapError, match="at most 67108864 nodes"):
        read_terrain(path)


@pytest.mark.parametrize(
    ("origin", "message"),
    [
        ((0.0, 0.0), "expected a place on the map, got latitude 0, longitude 0"),
        ((95.0, 0.0, 0.0), "origin: expected latitude"),
        ((46.5,), "origin: expected latitude"),
        ((46.5, 8.0, 1.0, 2.0), "origin: expected latitude"),
        ((46.5, 8.0, 10**400), "origin: expected latitude"),
        (5, "origin: expected latitude"),
    ],
)
def test_the_origin_lies_on_the_map(tmp_path: Path, origin: Any, message: str) -> None:
    path = write(tmp_path / "a.tif", "EPSG:4326", PLACE, HEIGHTS)
    with pytest.raises(MapError, match=message):
        read_terrain(path, origin=origin)
    with pytest.raises(MapError, match=r"nowhere\.tif: expected a regular file"):
        read_terrain(tmp_path / "nowhere.tif")


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.tif", "EPSG:4326", PLACE, HEIGHTS)
    monkeypatch.setitem(sys.modules, "rasterio", None)
    with pytest.raises(MissingExtraError, match=r"pyrfly\[geotiff\]"):
        read_terrain(path)
