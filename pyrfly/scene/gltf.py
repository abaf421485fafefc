"""The triangles of a glTF file, where its nodes are: `read_gltf`; their colours: `gltf_colours`.

Everything is counted before anything is built. A primitive is read once, however often nodes use
its mesh; of all places of a mesh the vertices are computed at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import SceneError, brief
from pyrfly.scene.checks import Array, unit
from pyrfly.scene.gltf_arrays import Arrays
from pyrfly.scene.gltf_colours import Paint
from pyrfly.scene.gltf_file import Entry, document_of
from pyrfly.scene.shapes import MAXIMUM_TRIANGLES, MAXIMUM_VERTICES, rotations_of

__all__ = ["MAXIMUM_NODES", "MAXIMUM_PRIMITIVES", "gltf_colours", "read_gltf"]

MAXIMUM_NODES = 100_000
"""Maximum number of nodes of a glTF file."""

MAXIMUM_PRIMITIVES = 100_000
"""Maximum number of primitives of all meshes of a glTF file."""

_DEEPEST = 64  # of a node below the roots
_TRIANGLES, _STRIP, _FAN = 4, 5, 6  # modes of primitives; the others are points and lines
_UNKNOWN = {
    *("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_mesh_quantization"),
    "EXT_mesh_gpu_instancing",
}
"""Extensions that change the geometry."""

_AFFINE, _NEAR = (0.0, 0.0, 0.0, 1.0), 1e-3
_UNMOVED = tuple(np.eye(4).ravel().tolist())
_VERTICES_AT_ONCE = 1 << 18

Surface = tuple[Array, NDArray[np.int64]]


class _Nodes(NamedTuple):
    """The nodes of a scene, those of a depth next to each other."""

    numbers: list[int]
    parents: list[int]  # places in this list
    levels: list[int]  # where the nodes of each depth begin, and the end


def read_gltf(data: bytes, ending: str, read: Callable[[str], bytes]) -> Surface:
    """Return vertices (k, 3) and triangles (m, 3) of a ``.gltf`` or ``.glb``, in its axes.

    Parameters
    ----------
    data : bytes
        The file.
    ending : str
        ``.gltf`` or ``.glb``.
    read : callable
        Returns the bytes of a file that the ``uri`` of a buffer names.

    Raises
    ------
    SceneError
        It is too large, no glTF, or has what would be left out; the message names the entry.
    """
    document, binary = document_of(data, ending)
    arrays = Arrays(document, binary, read)
    found = _contents(document, arrays)
    primitives, totals, nodes, uses = found.primitives, found.totals, found.nodes, found.uses
    with np.errstate(over="ignore", invalid="ignore"):  # `Mesh` refuses what is not finite
        places = _placed(document, nodes)
        surfaces = [
            _instances(_mesh(primitives[mesh], arrays), places[at])
            for mesh, at in uses.items()
            if totals[mesh][0]
        ]
    if not surfaces:
        raise SceneError("expected triangles, found none")
    return _joined(surfaces)


def gltf_colours(data: bytes, ending: str, read: Callable[[str], bytes]) -> NDArray[np.uint8]:
    """Return red, green and blue of each triangle of `read_gltf`, 0 to 255, shape (m, 3).

    They are the base colours of its materials and vertices, with the mean of their pictures over
    each triangle; white where there is none. How they shine is left out.
    """
    document, binary = document_of(data, ending)
    arrays = Arrays(document, binary, read)
    found, paint = _contents(document, arrays), Paint(document, arrays)
    colours = [np.empty((0, 3), np.uint8)]
    for mesh, at in found.uses.items():
        of_each = [
            paint.colours(one, count, lambda one=one: _primitive(one, arrays)[1])  # type: ignore[misc]
            for one, (count, _) in zip(found.primitives[mesh], found.counts[mesh], strict=True)
        ]
        colours.append(np.tile(np.concatenate(of_each or colours[:1]), (len(at), 1)))
    return np.concatenate(colours)


class _Contents(NamedTuple):
    """What a document has: primitives of its meshes, triangles and vertices of each, its nodes."""

    primitives: list[list[Entry]]
    counts: list[list[tuple[int, int]]]
    totals: list[tuple[int, int]]
    nodes: _Nodes
    uses: dict[int, list[int]]


def _contents(document: Entry, arrays: Arrays) -> _Contents:
    """Return what a document has; raise where it is too much, or would be left out."""
    extensions = [*document.rows("extensionsUsed"), *document.rows("extensionsRequired")]
    _refuse_unknown("extensionsUsed: ", extensions)
    _at_most("nodes", MAXIMUM_NODES, "", [len(document.rows("nodes"))])
    primitives = _primitives(document)
    counts = [[_counts(primitive, arrays) for primitive in mesh] for mesh in primitives]
    totals = [(sum(t for t, _ in mesh), sum(v for _, v in mesh)) for mesh in counts]
    _limit("meshes", totals)
    nodes = _tree(document)
    uses = _uses(document, nodes)
    _limit("nodes", [totals[mesh] for mesh, at in uses.items() for _ in at])
    return _Contents(primitives, counts, totals, nodes, uses)


def _refuse_unknown(where: str, extensions: Iterable[Any]) -> None:
    if unknown := [name for name in extensions if isinstance(name, str) and name in _UNKNOWN]:
        raise SceneError(f"{where}expected plain arrays, got {', '.join(sorted(set(unknown)))}")


def _at_most(where: str, most: int, unit: str, values: Iterable[int]) -> None:
    if (total := sum(values)) > most:
        raise SceneError(f"{where}: expected at most {most}{unit} in all, got {total}")


def _limit(where: str, counts: list[tuple[int, int]]) -> None:
    _at_most(where, MAXIMUM_TRIANGLES, " triangles", (triangles for triangles, _ in counts))
    _at_most(where, MAXIMUM_VERTICES, " vertices", (vertices for _, vertices in counts))


def _primitives(document: Entry) -> list[list[Entry]]:
    """Return the primitives of each mesh."""
    meshes = [document.entry("meshes", i) for i in range(len(document.rows("meshes")))]
    sizes = [len(mesh.rows("primitives")) for mesh in meshes]
    _at_most("meshes", MAXIMUM_PRIMITIVES, " primitives", sizes)
    return [
        [mesh.entry("primitives", i) for i in range(size)]
        for mesh, size in zip(meshes, sizes, strict=True)
    ]


def _counts(primitive: Entry, arrays: Arrays) -> tuple[int, int]:
    """Return the numbers of triangles and of vertices of a primitive."""
    mode = primitive.whole("mode", 7, _TRIANGLES)
    if mode < _TRIANGLES:
        return 0, 0
    _refuse_unknown(primitive.where, primitive.part("extensions").fields)
    vertices = arrays.count(primitive.part("attributes"), "POSITION")
    corners = arrays.count(primitive, "indices") if "indices" in primitive.fields else vertices
    return corners // 3 if mode == _TRIANGLES else max(corners - 2, 0), vertices


def _tree(document: Entry) -> _Nodes:
    """Return the nodes of the scene that is shown; raise where they are no tree."""
    scenes = document.rows("scenes")
    if not scenes:
        raise SceneError("expected triangles, found none: there are no scenes")
    shown = document.entry("scenes", document.whole("scene", len(scenes), 0))
    level = [(number, 0) for number in _references(document, shown, "nodes")]
    found, seen = _Nodes([], [], [0]), set()
    while level:
        below = []
        for number, parent in level:
            if number in seen:
                raise SceneError(f"nodes: expected a tree, entry {number} is twice in it")
            if len(found.levels) > _DEEPEST + 1:
                raise SceneError(f"nodes: expected at most {_DEEPEST} deep, entry {number} is not")
            seen.add(number)
            children = _references(document, document.entry("nodes", number), "children")
            below += [(child, len(found.numbers)) for child in children]
            found.numbers.append(number)
            found.parents.append(parent)
        found.levels.append(len(found.numbers))
        level = below
    return found


def _references(document: Entry, user: Entry, key: str) -> list[int]:
    """Return the numbers of nodes that an entry has."""
    count, numbers = len(document.rows("nodes")), user.rows(key)
    for number in numbers:
        if type(number) is not int or not 0 <= number < count:
            raise SceneError(
                f"{user.where}{key}: expected numbers of nodes, 0 or more and less than {count}, "
                f"got {brief(number)}"
            )
    return numbers


def _uses(document: Entry, nodes: _Nodes) -> dict[int, list[int]]:
    """Return the places in the list of nodes that have a mesh, by its number."""
    uses: dict[int, list[int]] = {}
    meshes = len(document.rows("meshes"))
    for place, number in enumerate(nodes.numbers):
        node = document.entry("nodes", number)
        if "mesh" in node.fields:
            uses.setdefault(node.whole("mesh", meshes), []).append(place)
    return uses


def _placed(document: Entry, nodes: _Nodes) -> Array:
    """Return rotation, scale and shift of the nodes to the axes of the file, shape (n, 3, 4)."""
    placed = _own(document, nodes)
    for first, end in zip(nodes.levels[1:], nodes.levels[2:], strict=False):
        outer, inner = placed[nodes.parents[first:end]], placed[first:end].copy()
        for column in range(4):
            x, y, z = inner[:, :, column].T[:, :, None]
            moved = outer[:, :, 0] * x + outer[:, :, 1] * y + outer[:, :, 2] * z
            placed[first:end, :, column] = moved + outer[:, :, 3] if column == 3 else moved
    return placed


def _own(document: Entry, nodes: _Nodes) -> Array:
    """Return rotation, scale and shift of the nodes to their parents, shape (n, 3, 4)."""
    turns, scales, shifts, matrices = [], [], [], {}
    for place, number in enumerate(nodes.numbers):
        node = document.entry("nodes", number)
        turns.append(_rotation(node))
        scales.append(node.numbers("scale", (1.0, 1.0, 1.0)))
        shifts.append(node.numbers("translation", (0.0, 0.0, 0.0)))
        if "matrix" in node.fields:
            matrices[place] = _matrix(node)
    own = np.empty((len(turns), 3, 4))
    if turns:
        own[:, :, :3] = rotations_of(turns) * np.array(scales)[:, None, :]
        own[:, :, 3] = shifts
    for place, matrix in matrices.items():
        own[place] = matrix
    return own


def _rotation(node: Entry) -> tuple[float, float, float, float]:
    """Return the quaternion of a node, scalar first; glTF's is last."""
    x, y, z, w = node.numbers("rotation", _AFFINE)
    if not abs(w * w + x * x + y * y + z * z - 1.0) <= _NEAR:
        raise node.error("rotation", "a unit quaternion")
    return unit((w, x, y, z))


def _matrix(node: Entry) -> Array:
    matrix: Array = np.array(node.numbers("matrix", _UNMOVED)).reshape(4, 4).T
    if not np.allclose(matrix[3], _AFFINE, atol=_NEAR):
        raise node.error("matrix", "a last row of 0, 0, 0, 1, column by column")
    return matrix[:3]


def _mesh(primitives: list[Entry], arrays: Arrays) -> Surface:
    """Return the surface of a mesh in its own axes."""
    return _joined(
        [_primitive(p, arrays) for p in primitives if p.fields.get("mode", 4) >= _TRIANGLES]
    )


def _primitive(primitive: Entry, arrays: Arrays) -> Surface:
    places = arrays.array(primitive.part("attributes"), "POSITION")
    if "indices" not in primitive.fields:
        numbers = np.arange(len(places))
    else:
        numbers = arrays.array(primitive, "indices")[:, 0].astype(np.int64)
        if len(numbers) and (largest := int(numbers.max())) >= len(places):
            raise SceneError(
                f"{primitive.where}indices: expected numbers of vertices, 0 or more and less than "
                f"{len(places)}, got {largest}"
            )
    mode = primitive.fields.get("mode", _TRIANGLES)
    return places.astype(np.float64), _triangles(mode, numbers)


def _triangles(mode: int, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the triangles of a list, strip or fan of corners [@gltf 3.7.2]."""
    if mode == _TRIANGLES:
        return numbers[: len(numbers) // 3 * 3].reshape(-1, 3)
    first = np.arange(max(len(numbers) - 2, 0))
    if mode == _FAN:
        return numbers[np.stack([first + 1, first + 2, 0 * first], axis=-1)]
    odd = first % 2
    return numbers[np.stack([first, first + 1 + odd, first + 2 - odd], axis=-1)]


def _instances(surface: Surface, places: Array) -> Surface:
    """Return a surface at every place, shape (n, 3, 4)."""
    vertices, triangles = surface
    x, y, z = vertices.T
    moved = np.empty((len(places), len(vertices), 3))
    step = max(_VERTICES_AT_ONCE // max(len(vertices), 1), 1)
    for first in range(0, len(places), step):
        for axis in range(3):
            a, b, c, shift = places[first : first + step, axis].T[:, :, None]
            moved[first : first + step, :, axis] = a * x + b * y + c * z + shift
    numbers = triangles + (len(vertices) * np.arange(len(places)))[:, None, None]
    mirrored = np.linalg.det(places[:, :, :3]) < 0  # triangles turn round [@gltf 3.7.4]
    numbers[mirrored] = numbers[mirrored, :, ::-1]
    return moved.reshape(-1, 3), numbers.reshape(-1, 3)


def _joined(surfaces: list[Surface]) -> Surface:
    """Return surfaces as one."""
    if len(surfaces) == 1:
        return surfaces[0]
    ends = np.cumsum([0, *(len(vertices) for vertices, _ in surfaces)])
    triangles = [of + first for (_, of), first in zip(surfaces, ends[:-1], strict=True)]
    return np.concatenate([vertices for vertices, _ in surfaces]), np.concatenate(triangles)
