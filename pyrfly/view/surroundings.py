"""What stands around vehicles, as it is drawn: `mesh_of_scene`, `ground_of_map`, `level_ground`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.scene import Mesh as SceneMesh
from pyrfly.scene import Scene
from pyrfly.terrain import TerrainMap
from pyrfly.view.world import Ground, Mesh

__all__ = ["ground_of_map", "level_ground", "mesh_of_scene"]

Array = NDArray[np.float64]

NODES = 256
"""Maximum number of rows and of columns of a terrain map that are drawn."""

PIXELS = 1024
"""Maximum number of pixels along a side of a picture that are looked at."""

FACES = 400_000
"""Maximum number of triangles of a scene: what comes after them is left out."""

PLANE = 200.0
"""Half the side of what is drawn of a plane, which has no end [m]."""

FAR = 1e5
"""Half the side of a ground that is level [m]."""

COLOUR = (168, 160, 150)
OF_MESH = (150, 152, 158)


def ground_of_map(terrain: TerrainMap) -> Ground:
    """Return a terrain map as it is drawn, of many nodes with fewer, with its picture."""
    picture = terrain.picture
    detail = (0, 0) if picture is None else picture.shape[:2]
    rows, columns = (min(max(pair), NODES) for pair in zip(terrain.shape, detail, strict=True))
    drawn = terrain.resampled(rows, columns)
    z = (-drawn.heights).astype(np.float32)
    colours = None if picture is None else _at_nodes(picture, rows, columns)
    return Ground(z, drawn.corner, drawn.spacing, colours)


def level_ground(z: float) -> Ground:
    """Return a ground at one height [m, NED down]."""
    level = np.full((2, 2), z, np.float32)
    return Ground(level, (-FAR, -FAR), (2 * FAR, 2 * FAR))


def _at_nodes(picture: NDArray[np.uint8], rows: int, columns: int) -> NDArray[np.uint8]:
    """Return the colours of a picture at nodes from edge to edge, rows to the north."""
    picture = picture[:: -(-len(picture) // PIXELS), :: -(-picture.shape[1] // PIXELS)]
    for axis, count in enumerate((rows, columns)):
        picture = _averaged(np.moveaxis(picture, axis, 0), count).swapaxes(0, axis)
    return np.ascontiguousarray(picture[::-1])


def _averaged(pixels: NDArray[np.uint8], count: int) -> NDArray[np.uint8]:
    """Return pixels along the first axis at so many nodes: of more, means about each node."""
    length = len(pixels)
    sums = np.concatenate([np.zeros((1, *pixels.shape[1:])), pixels.cumsum(axis=0)])
    middles = np.linspace(0, length, count)
    half = max(length / (count - 1), 1.0) / 2
    ends = np.clip([middles - half, middles + half], 0, length)
    below = np.minimum(ends.astype(int), length - 1)
    share = (ends - below).reshape(2, count, *[1] * (pixels.ndim - 1))
    first, last = (1 - share) * sums[below] + share * sums[below + 1]
    widths = (ends[1] - ends[0]).reshape(count, *[1] * (pixels.ndim - 1))
    return np.asarray(np.rint((last - first) / widths), np.uint8)


def mesh_of_scene(scene: Scene) -> Mesh:
    """Return the shapes of a scene as triangles, NED."""
    arrays = scene.arrays
    corners = [arrays.triangles]
    colours = [_of_meshes(scene)]
    for kind, solid in enumerate(_SOLIDS):
        chosen = np.flatnonzero(arrays.kinds == kind)[: FACES // len(solid)]
        half = arrays.half_sizes[chosen] if kind != _PLANE else np.full((len(chosen), 3), PLANE)
        local = solid * half[:, None, None]
        turn = arrays.rotations[chosen][:, None, None]
        placed = (turn * local[..., None, :]).sum(axis=-1) + arrays.centers[chosen][:, None, None]
        corners.append(placed.reshape(-1, 3, 3))
        colours.append(np.tile(np.array(COLOUR, np.uint8), (placed.shape[0] * placed.shape[1], 1)))
    every = np.concatenate(corners)[:FACES]
    numbers = np.arange(3 * len(every), dtype=np.uint32).reshape(-1, 3)
    return Mesh(every.reshape(-1, 3).astype(np.float32), numbers, np.concatenate(colours)[:FACES])


def _of_meshes(scene: Scene) -> NDArray[np.uint8]:
    """Return the colours of the triangles of all meshes, shape (m, 3)."""
    found = np.tile(np.array(OF_MESH, np.uint8), (len(scene.arrays.triangles), 1))
    for number, shape in enumerate(scene.shapes):
        own = shape.corner_colours() if isinstance(shape, SceneMesh) else None
        if own is not None:
            found[scene.arrays.owners == number] = own
    return found


def _of_rings(z: Array, radius: Array, around: int) -> Array:
    """Return the triangles of rings about z, whose ends are points or discs, shape (t, 3, 3)."""
    sine, cosine = exact.sincos(np.arange(around + 1) * (2 * np.pi / around))
    rings = np.stack(
        [
            radius[:, None] * cosine,
            radius[:, None] * sine,
            np.broadcast_to(z[:, None], (len(z), around + 1)),
        ],
        -1,
    )
    a, b = rings[:-1, :-1], rings[:-1, 1:]
    c, d = rings[1:, 1:], rings[1:, :-1]
    halves = np.stack([np.stack([a, b, c], -2), np.stack([a, c, d], -2)])
    return halves.reshape(-1, 3, 3)


def _box() -> Array:
    sides = []
    for axis in range(3):
        for side in (-1, 1):
            corners = np.full((4, 3), float(side))
            corners[:, (axis + 1) % 3] = -side, side, side, -side
            corners[:, (axis + 2) % 3] = -1, -1, 1, 1
            sides += [corners[[0, 1, 2]], corners[[0, 2, 3]]]
    return np.array(sides)


_PLANE = 3
_SOLIDS = (
    _box(),
    _of_rings(np.array([-1.0, -1.0, 1.0, 1.0]), np.array([0.0, 1.0, 1.0, 0.0]), 16),
    _of_rings(*exact.sincos(np.linspace(-np.pi / 2, np.pi / 2, 9)), 16),
    np.array([[[1.0, 1, 0], [-1, 1, 0], [-1, -1, 0]], [[1, 1, 0], [-1, -1, 0], [1, -1, 0]]]),
)
"""Triangles of a box, a cylinder, a sphere and a plane, each within -1 to 1, in the order of the
kinds of shapes."""
