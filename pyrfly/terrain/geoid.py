"""Heights of the geoid above the ellipsoid of WGS84: `geoid_height`.

A height above sea level is one above the geoid; with this it becomes one above the ellipsoid:

    h = H + N

The grids are those of PROJ [@proj], which rasterio brings without them; between their points it is
bilinear.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.arrays import finite_array
from pyrfly.errors import MapError, brief, import_extra, near_names
from pyrfly.files import printable

__all__ = ["GEOIDS", "geoid_height"]

GEOIDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "egm96": ("us_nga_egm96_15.tif", "egm96_15.gtx"),
        "egm2008": ("us_nga_egm08_25.tif", "egm08_25.gtx"),
    }
)
"""Files of PROJ by model, the first that is there."""


def geoid_height(lat: ArrayLike, lon: ArrayLike, geoid: str = "egm96") -> NDArray[np.float64]:
    """Return the height of the geoid above the ellipsoid [m].

    Parameters
    ----------
    lat, lon : array_like
        Geodetic latitude and longitude of WGS84 [deg], of shapes that broadcast.
    geoid : {"egm96", "egm2008"} or str
        The model, or the path of a grid of PROJ, ``.tif`` or ``.gtx``.

    Returns
    -------
    ndarray, float64
        Heights in the shape of ``lat`` and ``lon`` [m], -107 to 86.

    Raises
    ------
    MapError
        PROJ does not have the grid, the message says where it looks for it; there is no such model,
        or the grid does not reach as far.
    MissingExtraError
        rasterio is not installed.
    ShapeError, TypeError, ValueError
        A latitude or longitude is no number, or not finite.
    """
    import_extra("rasterio", "geotiff", "a height of the geoid")
    lats, lons = np.broadcast_arrays(
        finite_array("lat", lat, "deg"), finite_array("lon", lon, "deg")
    )
    for grid in _grids(geoid):
        with _without_spaces(grid) as path:
            found = _heights(lats.ravel(), lons.ravel(), path)
        if found is None:
            continue
        if not np.isfinite(found).all():
            raise MapError(
                f"geoid: expected a grid that has all places, {printable(Path(grid))} has not"
            )
        return found.reshape(lats.shape)
    wanted = " or ".join(printable(Path(grid)) for grid in _grids(geoid))
    raise MapError(
        f"geoid: expected a grid of PROJ, {wanted}, found none "
        f"that it can read; that of a model is on https://cdn.proj.org and belongs into "
        f"{printable(_data_folder())}"
    )


def _grids(geoid: str) -> tuple[str, ...]:
    """Return the files of a model, or the one that a path names."""
    if not isinstance(geoid, (str, os.PathLike)):
        raise TypeError(f"geoid: expected a name or a path, got {brief(geoid)}")
    name = os.fspath(geoid)
    if name in GEOIDS:
        return GEOIDS[name]
    path = Path(name)
    if path.suffix.lower() not in (".tif", ".gtx"):
        near = near_names(name, GEOIDS)
        raise MapError(f"geoid: expected a .tif or .gtx, or a model such as {near}, got {name!r}")
    if not path.is_file():
        raise MapError(f"geoid: expected a file, found none: {printable(path)}")
    return (str(path.resolve()),)


def _data_folder() -> Path:
    """Return where the PROJ of rasterio looks for grids."""
    import rasterio

    given = os.environ.get("PROJ_DATA") or os.environ.get("PROJ_LIB")
    return Path(given) if given else Path(rasterio.__file__).parent / "proj_data"


@contextmanager
def _without_spaces(grid: str) -> Iterator[str]:
    """Yield a path of a grid in which there are no spaces, at which PROJ would end it."""
    if " " not in grid:
        yield grid
        return
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder, "grid").with_suffix(Path(grid).suffix)
        link.symlink_to(grid)
        yield str(link)


def _heights(
    lat: NDArray[np.float64], lon: NDArray[np.float64], grid: str
) -> NDArray[np.float64] | None:
    """Return the heights of a grid [m], None if PROJ does not have it."""
    import rasterio
    from rasterio.crs import CRS
    from rasterio.warp import transform

    above = f"+proj=longlat +datum=WGS84 +geoidgrids={grid} +vunits=m +no_defs +type=crs"
    try:
        # a system of EPSG would leave heights as they are where PROJ has no grid for it
        with rasterio.Env():
            ellipsoid = CRS.from_epsg(4979)
            places = transform(CRS.from_string(above), ellipsoid, lon, lat, np.zeros(lat.size))
    except Exception:  # GDAL has a class for each of its errors, none of them public
        return None
    return np.array(places[2], np.float64)
