"""Reading of terrain maps: `read_terrain`."""

from __future__ import annotations

import os
import tokenize
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pyrfly.errors import MapError, brief
from pyrfly.files import is_regular, printable
from pyrfly.terrain.geotiff import read_geotiff
from pyrfly.terrain.picture import picture_beside
from pyrfly.terrain.rflysim_map import find_map, map_folders, read_rflysim_map
from pyrfly.terrain.terrain_map import TerrainMap, check_shape

__all__ = ["read_terrain"]


def read_terrain(
    path: str | os.PathLike[str],
    *,
    spacing: float | Sequence[float] | None = None,
    corner: Sequence[float] | None = None,
    origin: Sequence[float] | None = None,
    picture: str | os.PathLike[str] | None = None,
) -> TerrainMap:
    """Read a terrain map from a file.

    Parameters
    ----------
    path : str or path-like
        By its ending: ``.png`` or ``.txt``, the two files of a map of RflySim beside each other
        (extra ``maps``); ``.npy``, an array as `TerrainMap` takes it; ``.tif`` or ``.tiff``, a
        GeoTIFF (extra ``geotiff``). Without one of them it is the name of a map of RflySim, which
        is looked for as by `pyrfly.rflysim.UEMapServe`.
    spacing, corner
        See `TerrainMap`; for ``.npy`` alone, which needs ``spacing``.
    origin : (float, float, float) or (float, float), optional
        Latitude [deg], longitude [deg], height [m] of the origin of the local frame. A GeoTIFF is
        resampled about it, by default about its middle; without a height it is that of the ground
        there. RflySim's maps that have an origin take no other one.
    picture : str or path-like, optional
        JPEG, PNG or WebP of what the ground looks like (extra ``maps``), north up, from edge to
        edge of the map. By default, of a map of RflySim and of an array, a ``.jpg`` beside it with
        its name; that of a map of RflySim lies as its heights do.

    Returns
    -------
    TerrainMap
        The map. docs/terrain.md says what is read of each format, and how exactly.

    Raises
    ------
    MapError
        The file is missing, not as described, or too large; the message says what and where.
    TypeError
        ``path`` is no path.
    MissingExtraError
        A library for the format is not installed.
    """
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        raise TypeError(f"path: expected a str or a path, got {brief(path)}")
    found = _read(Path(path), spacing, corner, origin)
    return found if picture is None else found.with_picture(picture)


def _read(
    file: Path,
    spacing: float | Sequence[float] | None,
    corner: Sequence[float] | None,
    origin: Sequence[float] | None,
) -> TerrainMap:
    ending = file.suffix.lower()
    if ending in (".tif", ".tiff"):
        _refuse(file, spacing=spacing, corner=corner)
        return read_geotiff(file, origin)
    if ending == ".npy":
        found = _read_npy(file, spacing, corner, origin)
        beside = picture_beside(file)
        return found if beside is None else found.with_picture(beside)
    _refuse(file, spacing=spacing, corner=corner)
    if ending in (".png", ".txt"):
        return read_rflysim_map(file.with_suffix(".txt")).terrain_map(origin)
    known = find_map(os.fspath(file))
    if known is None:
        folders = ", ".join(printable(folder) for folder in map_folders())
        raise MapError(
            f"{printable(file)}: expected a .png, .npy or .tif, or the name of a map of RflySim "
            f"in {folders}"
        )
    return read_rflysim_map(known).terrain_map(origin)


def _refuse(file: Path, **arguments: object) -> None:
    """Raise a MapError for arguments that the format of a file has itself."""
    for name, value in arguments.items():
        if value is not None:
            raise MapError(f"{name}: expected None for {printable(file)}, which has its own")


def _read_npy(
    file: Path,
    spacing: float | Sequence[float] | None,
    corner: Sequence[float] | None,
    origin: Sequence[float] | None,
) -> TerrainMap:
    """Read an array; its shape is checked before its values are read."""
    if not is_regular(file):
        raise MapError(f"{printable(file)}: expected a regular file")
    if spacing is None:
        raise MapError(f"spacing: expected the distance of two nodes [m] of {printable(file)}")
    if isinstance(origin, Sequence) and len(origin) == 2:
        raise MapError("origin: expected latitude, longitude and height of an array")
    try:
        heights = np.lib.format.open_memmap(file, mode="r")  # refuses pickled objects
        check_shape(heights.shape)
        return TerrainMap(heights, spacing, corner=corner, origin=origin)
    except MapError as error:
        raise MapError(f"{printable(file)}: {error}") from None
    except (
        *(OSError, ValueError, EOFError, OverflowError),
        *(SyntaxError, TypeError, tokenize.TokenError, MemoryError),
    ) as error:
        raise MapError(f"{printable(file)}: cannot be read as .npy: {error}") from None
