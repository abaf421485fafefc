"""Files of scenes: `read_scene` and `write_scene`."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numpy as np

from pyrfly.errors import SceneError, brief, near_names
from pyrfly.files import path_of, printable, read_regular, replacing, toml_document
from pyrfly.scene.document import given_fields
from pyrfly.scene.meshes import ENDINGS, Surface, inside, mesh_of, read_mesh, read_surface
from pyrfly.scene.scene import Scene
from pyrfly.scene.shapes import MAXIMUM_TRIANGLES, MAXIMUM_VERTICES, SHAPES, Mesh, Shape

__all__ = ["MAXIMUM_ENTRIES", "read_scene", "write_scene"]

MAXIMUM_ENTRIES = 100_000
"""Maximum number of shapes of a file."""

_MAXIMUM_SIZE = 20_000_000  # bytes


def read_scene(path: str | os.PathLike[str]) -> Scene:
    """Read a scene from a file.

    Parameters
    ----------
    path : str or path-like
        A ``.toml`` with the tables ``[[box]]``, ``[[cylinder]]``, ``[[sphere]]``, ``[[plane]]``
        and ``[[mesh]]``, which have the arguments of the shapes. ``attitude_deg`` is an attitude in
        degrees. A mesh has ``vertices`` and ``triangles``, or a ``file`` in the folder of the scene
        and ``axes``, as `read_mesh` takes them. Or a file of a mesh, which is the scene.

    Returns
    -------
    Scene
        The shapes by kind, the kinds in the order of their first tables.

    Raises
    ------
    SceneError
        The file is missing, too large or invalid; the message names file, entry and field.
    MissingExtraError
        trimesh is not installed, and a mesh needs it.
    """
    file = path_of("path", path)
    if file.suffix.lower() in ENDINGS:
        return Scene([read_mesh(file)])
    if file.suffix.lower() != ".toml":
        raise SceneError(f"{printable(file)}: expected .toml or one of {', '.join(ENDINGS)}")
    try:
        document = toml_document(read_regular(file, _MAXIMUM_SIZE))
        return Scene(_shapes(document, _Surfaces(file.parent)))
    except ValueError as error:
        raise SceneError(f"{printable(file)}: {error}") from None


class _Surfaces:
    """Files of meshes in a folder, each of which is read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Path, Surface] = {}
        self._vertices = self._triangles = 0

    def mesh(self, table: Mapping[str, Any]) -> Mesh:
        """Return the mesh of a table with ``file``."""
        given = dict(table)
        name, axes = given.pop("file"), given.pop("axes", None)
        if not isinstance(name, str):
            raise SceneError(f"file: expected a text, got {brief(name)}")
        try:
            path = inside(self._folder, name)
            if path not in self._read:
                self._read[path] = read_surface(path, self._folder)
        except ValueError as error:
            raise SceneError(f"file {brief(name)}: {error}") from None
        vertices, triangles, _ = self._read[path]
        self._vertices += len(vertices)
        self._triangles += len(triangles)
        if self._vertices > MAXIMUM_VERTICES or self._triangles > MAXIMUM_TRIANGLES:
            raise SceneError(
                f"file {brief(name)}: expected at most {MAXIMUM_VERTICES} vertices and "
                f"{MAXIMUM_TRIANGLES} triangles in all"
            )
        return mesh_of(self._read[path], path, axes, given)


def _shapes(document: Mapping[str, Any], surfaces: _Surfaces) -> Iterator[Shape]:
    """Yield the shapes of a document; an error names the entry, from 1."""
    left = MAXIMUM_ENTRIES
    for kind, tables in document.items():
        if kind not in SHAPES:
            raise SceneError(f"expected tables {', '.join(SHAPES)}, got {brief(kind)}")
        if not isinstance(tables, list):
            raise SceneError(f"{kind}: expected tables [[{kind}]], got {brief(tables)}")
        left -= len(tables)
        if left < 0:
            raise SceneError(f"{kind}: expected at most {MAXIMUM_ENTRIES} shapes in all")
        for number, table in enumerate(tables, start=1):
            yield _entry(kind, number, table, surfaces)


def _entry(kind: str, number: int, table: Any, surfaces: _Surfaces) -> Shape:
    """Return the shape of a table; an error names it."""
    try:
        if not isinstance(table, dict):
            raise SceneError(f"expected a table, got {brief(table)}")
        return _shape(kind, table, surfaces)
    except SceneError as error:
        raise SceneError(f"[[{kind}]] {number}: {error}") from None


def _shape(kind: str, table: Mapping[str, Any], surfaces: _Surfaces) -> Shape:
    of_file = kind == "mesh" and "file" in table
    known = {field.name: field.default for field in fields(SHAPES[kind])}
    if of_file:
        known = {"file": MISSING, "axes": None, **known}
        del known["vertices"], known["triangles"], known["colours"]
    given = _in_radians(table) if "attitude" in known else table
    for key in given:
        if key not in known:
            raise SceneError(f"unknown key {brief(key)}; try {near_names(key[:80], known)}")
    if missing := [
        key for key, default in known.items() if default is MISSING and key not in given
    ]:
        raise SceneError(f"{', '.join(missing)}: missing")
    return surfaces.mesh(given) if of_file else SHAPES[kind](**given)


def _in_radians(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a table with ``attitude`` for ``attitude_deg``."""
    if "attitude_deg" not in table:
        return table
    given = dict(table)
    angles = given.pop("attitude_deg")
    numbers = isinstance(angles, list) and [type(a) in (int, float) for a in angles] == [True] * 3
    if "attitude" in given or not numbers or not all(abs(angle) <= 360 for angle in angles):
        raise SceneError(
            f"attitude_deg: expected roll, pitch, yaw [deg] within a turn and no attitude, "
            f"got {brief(angles)}"
        )
    return {**given, "attitude": [math.radians(angle) for angle in angles]}


def write_scene(path: str | os.PathLike[str], scene: Scene) -> None:
    """Write a scene as a ``.toml`` that `read_scene` reads to the same shapes, kind by kind.

    Raises
    ------
    SceneError
        It would be larger than a file may be, as of large meshes, which are better in their own.
    OSError
        The file cannot be written.
    """
    file = path_of("path", path)
    if file.suffix.lower() != ".toml":
        raise SceneError(f"path: expected a .toml, got {printable(file)}")
    ordered = [s for kind in SHAPES.values() for s in scene.shapes if isinstance(s, kind)]
    data = "\n".join(map(_table, ordered)).encode()
    if len(ordered) > MAXIMUM_ENTRIES or len(data) > _MAXIMUM_SIZE:
        raise SceneError(
            f"scene: expected at most {MAXIMUM_ENTRIES} shapes and {_MAXIMUM_SIZE / 1e6:g} MB of "
            f"text, got {len(ordered)} and {len(data) / 1e6:.3g} MB"
        )
    with replacing(file) as temporary:
        temporary.write_bytes(data)


def _table(shape: Shape) -> str:
    """Return the table of a shape, without the fields that are as by default."""
    lines = [f"[[{type(shape).__name__.lower()}]]"]
    for name, value in given_fields(shape).items():
        if isinstance(value, np.ndarray):
            rows = ",\n".join(map(str, value.tolist()))
            lines.append(f"{name} = [\n{rows}\n]")
        else:
            text = json.dumps(
                list(value) if isinstance(value, tuple) else value, ensure_ascii=False
            )
            lines.append(f"{name} = {text}")
    return "\n".join([*lines, ""])
