"""Files of meshes: `read_mesh`."""

from __future__ import annotations

import io
import logging
import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import MissingExtraError, SceneError, brief, import_extra, near_names
from pyrfly.files import path_of, printable, read_regular
from pyrfly.scene.checks import Array, corner_numbers, transformed
from pyrfly.scene.gltf import gltf_colours, read_gltf
from pyrfly.scene.gltf_file import MAXIMUM_BYTES
from pyrfly.scene.obj import read_obj
from pyrfly.scene.ply import check_ply
from pyrfly.scene.shapes import MAXIMUM_TRIANGLES, Mesh

__all__ = [
    "AXES",
    "ENDINGS",
    "Surface",
    "inside",
    "mesh_of",
    "read_mesh",
    "read_surface",
]

Surface = tuple[Array, NDArray[np.int64], NDArray[np.uint8] | None]

# What it says of files that are no good belongs into logs, not on the screen of those without any.
logging.getLogger("trimesh").addHandler(logging.NullHandler())

AXES: Mapping[str, tuple[tuple[int, int], ...]] = MappingProxyType(
    {
        "flu": ((0, 1), (1, -1), (2, -1)),
        "enu": ((1, 1), (0, 1), (2, -1)),
        "gltf": ((2, 1), (0, -1), (1, -1)),
        "ned": ((0, 1), (1, 1), (2, 1)),
    }
)
"""Axis of a file, and its sign, that is each local axis: x forward, left and up; east, north and
up; glTF's, left, up and forward [@gltf 3.4]; the local ones."""

ENDINGS: Mapping[str, str] = MappingProxyType(
    {".glb": "gltf", ".gltf": "gltf", ".obj": "flu", ".ply": "flu", ".stl": "flu"}
)
"""Axes of files by their ending: those of glTF are of its standard, of the others a choice."""

_STL_HEAD, _STL_TRIANGLE = 84, 50  # bytes


def read_mesh(path: str | os.PathLike[str], *, axes: str | None = None, **fields: Any) -> Mesh:
    """Read a mesh from a file.

    Parameters
    ----------
    path : str or path-like
        By its ending: ``.obj``, ``.glb``, ``.gltf``; ``.stl`` or ``.ply`` (extra ``scene``). All
        meshes of a glTF's scene become one; each triangle has the base colour of its material and
        the mean of its texture. What a ``.gltf`` names is looked for in its folder.
    axes : {"flu", "enu", "gltf", "ned"}, optional
        What the axes of the file are, see `AXES`; by default glTF's for ``.glb`` and ``.gltf``,
        forward, left and up for the others.
    **fields
        ``position``, ``attitude``, ``scale``, ``name``, ``friction``, ``restitution`` of the
        `Mesh`.

    Raises
    ------
    SceneError
        The file is missing, too large or not as described; the message names file and entry.
    MissingExtraError
        trimesh is not installed.
    """
    file = path_of("path", path)
    try:
        return mesh_of(read_surface(file, file.parent), file, axes, fields)
    except ValueError as error:
        raise SceneError(f"{printable(file)}: {error}") from None


def mesh_of(surface: Surface, file: Path, axes: Any, fields: Mapping[str, Any]) -> Mesh:
    """Return the mesh of what a file has."""
    used = ENDINGS[file.suffix.lower()] if axes is None else axes
    if not isinstance(used, str) or used not in AXES:
        near = near_names(used, AXES) if isinstance(used, str) else ", ".join(AXES)
        raise SceneError(f"axes: expected {near}, got {brief(used)}")
    vertices, triangles, colours = surface
    turned = np.stack([sign * vertices[:, axis] for axis, sign in AXES[used]], axis=-1)
    return Mesh(turned, triangles, **{"colours": colours, **fields})


def inside(folder: Path, name: str, base: Path | None = None) -> Path:
    """Return the path of a name in a folder, or in ``base`` within it.

    Raises
    ------
    SceneError
        The path is absolute, or leads out of the folder, perhaps by a link.
    """
    try:
        path = ((base or folder) / name).resolve()
        if not Path(name).is_absolute() and path.is_relative_to(folder.resolve()):
            return path
    except (OSError, ValueError, RuntimeError):  # too long, a null character, links in a circle
        pass
    raise SceneError(f"expected a path within the folder, got {brief(name)}")


def read_surface(file: Path, folder: Path) -> Surface:
    """Return vertices (k, 3), triangles (m, 3) and their colours of a file, in its own axes.

    Parameters
    ----------
    file : Path
        The file, by its ending one of `ENDINGS`.
    folder : Path
        What the files that it names are in.

    Raises
    ------
    ValueError, MissingExtraError
        As by `read_mesh`; the message does not name the file.
    """
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise SceneError(f"expected one of {', '.join(ENDINGS)}")
    data = read_regular(file, MAXIMUM_BYTES)
    try:
        if ending == ".obj":
            return *read_obj(data), None
        read = _Folder(folder, file.parent)
        if ending in (".glb", ".gltf"):
            return *read_gltf(data, ending, read), gltf_colours(data, ending, read)
        _check(data, ending)
        return *_loaded(data, ending), None
    except (SceneError, MissingExtraError):
        raise
    except Exception as error:  # trimesh has no classes of its own for what it cannot read
        told = f"{type(error).__name__}: {error}"
        raise SceneError(f"cannot be read as {ending}: {told:.200}") from None


class _Folder:
    """What reads the files that a glTF names."""

    def __init__(self, folder: Path, base: Path) -> None:
        self._folder, self._base = folder, base
        self._left = MAXIMUM_BYTES

    def __call__(self, uri: str) -> bytes:
        name = unquote(uri)
        if ":" in name:
            raise SceneError(f"uri: expected a file beside it, got {brief(uri)}")
        try:
            data = read_regular(inside(self._folder, name, self._base), self._left)
        except ValueError as error:
            raise SceneError(f"uri {brief(uri)}: {error}") from None
        self._left -= len(data)
        return data


def _check(data: bytes, ending: str) -> None:
    """Raise a SceneError for a file that would take too much memory, or contradicts itself."""
    if ending == ".ply":
        check_ply(data)
    elif (count := _count_of_stl(data)) > MAXIMUM_TRIANGLES:
        raise SceneError(f"expected at most {MAXIMUM_TRIANGLES} triangles, got {count}")


def _count_of_stl(data: bytes) -> int:
    """Return the number of triangles, of the header or of a text."""
    count = int.from_bytes(data[_STL_HEAD - 4 : _STL_HEAD], "little")
    size = _STL_HEAD + _STL_TRIANGLE * count
    if len(data) == size:
        return count
    if not data.lstrip()[:5].lower() == b"solid":
        raise SceneError(f"expected {size} bytes of {count} triangles, got {len(data)}")
    return data.lower().count(b"vertex") // 3


def _loaded(data: bytes, ending: str) -> tuple[Array, NDArray[np.int64]]:
    trimesh = import_extra("trimesh", "scene", f"reading a mesh of {ending}")
    with warnings.catch_warnings():
        # NumPy's only word for a text that is no number
        warnings.filterwarnings("error", "string or file could not be read", DeprecationWarning)
        scene = trimesh.load_scene(
            io.BytesIO(data),
            file_type=ending[1:],
            process=False,
            skip_materials=True,
        )
    vertices, triangles, count = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], 0
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        geometry = scene.geometry[name]
        if isinstance(geometry, trimesh.Trimesh) and len(geometry.faces):
            places = np.asarray(geometry.vertices, np.float64)
            vertices.append(transformed(places, matrix[:3, :3], matrix[:3, 3]))
            numbers = corner_numbers(geometry.faces, len(places), MAXIMUM_TRIANGLES)
            triangles.append(numbers.astype(np.int64) + count)
            count += len(places)
    if not count:
        raise SceneError("expected triangles, found none")
    return np.concatenate(vertices), np.concatenate(triangles)
