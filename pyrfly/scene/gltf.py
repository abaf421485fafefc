"""What a glTF file would take to read, from its JSON, before it is read: `check_gltf`.

trimesh makes arrays of the sizes that the JSON states, as often as it states them, and leaves out
what it does not know. So sizes are added up first, and what would be left out is refused.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pyrfly.errors import SceneError, brief
from pyrfly.scene.shapes import MAXIMUM_TRIANGLES, MAXIMUM_VERTICES

__all__ = ["MAXIMUM_BYTES", "check_gltf"]

MAXIMUM_BYTES = 512_000_000
"""Maximum size of a file, and of all arrays of a glTF file [bytes]."""

_MAXIMUM_JSON = 100_000_000  # bytes
_MOST_NODES = 100_000
_DEEPEST = 64  # of a node below the roots
_HEADER = struct.Struct("<4sIIII")  # magic, version, length, length and type of the first chunk
_JSON_CHUNK = 0x4E4F534A

_FLOAT = 5126
_BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, _FLOAT: 4}  # of a component
_COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_TRIANGLES, _STRIP, _FAN = 4, 5, 6  # modes of primitives; the others are points and lines
_UNKNOWN = {
    *("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_mesh_quantization"),
    "EXT_mesh_gpu_instancing",
}
"""Extensions that change the geometry."""

Json = Mapping[str, Any]
Counts = tuple[int, int]


def check_gltf(data: bytes, ending: str) -> None:
    """Raise for a ``.gltf`` or ``.glb`` that is too large, or has what would be left out.

    Raises
    ------
    SceneError
        The message names the entry and the limit.
    KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError
        It is no glTF.
    """
    document = json.loads(data if ending == ".gltf" else _chunk(data))
    if not isinstance(document, dict):
        raise SceneError(f"expected an object, got {brief(document)}")
    extensions = [*document.get("extensionsUsed", ()), *document.get("extensionsRequired", ())]
    _refuse_unknown("extensionsUsed", extensions)
    accessors = document.get("accessors", ())
    views = document.get("bufferViews", ())
    _at_most("bufferViews", MAXIMUM_BYTES, "bytes", (view["byteLength"] for view in views))
    _at_most("accessors", MAXIMUM_BYTES, "bytes", map(_size, accessors))
    meshes = [_of_mesh(i, mesh, accessors) for i, mesh in enumerate(document.get("meshes", ()))]
    _limit("meshes", meshes)
    nodes = document.get("nodes", ())
    _limit("nodes", [meshes[nodes[i]["mesh"]] for i in _tree(document) if "mesh" in nodes[i]])


def _chunk(data: bytes) -> bytes:
    """Return the JSON of a GLB."""
    magic, version, whole, length, kind = _HEADER.unpack_from(data)
    if magic != b"glTF" or version != 2 or kind != _JSON_CHUNK or length > len(data):
        raise SceneError("expected the header of a GLB of version 2")
    if whole != len(data):
        raise SceneError(f"expected a GLB of {whole} bytes by its header, got {len(data)}")
    if length > _MAXIMUM_JSON:
        raise SceneError(f"expected at most {_MAXIMUM_JSON / 1e6:g} MB of JSON, got more")
    return data[_HEADER.size : _HEADER.size + length]


def _refuse_unknown(where: str, extensions: Iterable[str]) -> None:
    if unknown := sorted(_UNKNOWN & set(extensions)):
        raise SceneError(f"{where}: expected plain arrays, got {', '.join(unknown)}")


def _at_most(where: str, most: int, unit: str, values: Iterable[int]) -> None:
    total = 0
    for number, value in enumerate(values):
        if not isinstance(value, int) or value < 0:
            raise SceneError(f"{where}: entry {number}: expected a size, got {brief(value)}")
        total += value
    if total > most:
        raise SceneError(f"{where}: expected at most {most} {unit} in all, got {total}")


def _limit(where: str, counts: list[Counts]) -> None:
    _at_most(where, MAXIMUM_TRIANGLES, "triangles", (triangles for triangles, _ in counts))
    _at_most(where, MAXIMUM_VERTICES, "vertices", (vertices for _, vertices in counts))


def _size(accessor: Json) -> int:
    """Return the bytes of an accessor."""
    size: int = accessor["count"]
    return size * _BYTES[accessor["componentType"]] * _COMPONENTS[accessor["type"]]


def _of_mesh(number: int, mesh: Json, accessors: Any) -> Counts:
    """Return the numbers of triangles and of vertices of a mesh."""
    counts = [
        _of_primitive(f"meshes: entry {number}", primitive, accessors)
        for primitive in mesh["primitives"]
    ]
    return sum(triangles for triangles, _ in counts), sum(vertices for _, vertices in counts)


def _of_primitive(where: str, primitive: Json, accessors: Any) -> Counts:
    mode = primitive.get("mode", _TRIANGLES)
    if mode == _FAN:
        raise SceneError(f"{where}: expected triangles or strips, got a fan")
    _refuse_unknown(where, primitive.get("extensions", ()))
    places = accessors[primitive["attributes"]["POSITION"]]
    corners = accessors[primitive["indices"]] if "indices" in primitive else places
    for accessor in (places, corners):
        if "bufferView" not in accessor or "sparse" in accessor:
            raise SceneError(f"{where}: expected accessors with a bufferView, not sparse")
    if places["componentType"] != _FLOAT:
        raise SceneError(f"{where}: expected floats as POSITION, got {places['componentType']}")
    count: int = corners["count"]
    triangles = {_TRIANGLES: count // 3, _STRIP: max(count - 2, 0)}.get(mode, 0)
    return triangles, places["count"]


def _tree(document: Json) -> Iterator[int]:
    """Yield the nodes of the scene that is shown; raise where they are no tree."""
    nodes = document.get("nodes", ())
    seen: set[int] = set()
    scenes = document.get("scenes", ())
    roots = scenes[document.get("scene", 0)].get("nodes", ()) if scenes else ()
    waiting = [(root, 0) for root in roots]
    while waiting:
        node, depth = waiting.pop()
        if node in seen:
            raise SceneError(f"nodes: expected a tree, entry {brief(node)} is twice in it")
        if depth > _DEEPEST or len(seen) == _MOST_NODES:
            raise SceneError(
                f"nodes: expected at most {_MOST_NODES}, {_DEEPEST} deep, entry {node} is beyond"
            )
        entry = nodes[node]
        if "camera" in entry and ("mesh" in entry or "children" in entry):
            raise SceneError(f"nodes: entry {node}: expected no mesh and no children of a camera")
        seen.add(node)
        yield node
        waiting += [(child, depth + 1) for child in entry.get("children", ())]
