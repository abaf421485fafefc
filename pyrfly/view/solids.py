"""Triangles of the solids of a drawing: `surface_of`, and few of them: `few_of`.

All are closed, with their triangles counterclockwise as seen from outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache, singledispatch
from math import pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import SceneError
from pyrfly.scene import read_mesh
from pyrfly.vehicles.drawing_solids import Box, Cylinder, Loft, MeshFile, Rotor, Solid, Wheel, Wing

__all__ = ["Surface", "few_of", "surface_of"]

Array = NDArray[np.float64]
Corners = NDArray[np.int64]

HUB = 0.5
"""Radius of the hub of a rotor over the largest chord of its blades."""

THIN = 0.1
"""Thickness of a box over its width, below which it is a plate from far away."""

BLADE = ((0.03, 0.5, 0.5), (0.35, 1.0, 0.35), (1.0, 0.5, 0.2))
"""Stations of a blade: distance over the radius, chord over the largest one, pitch [rad]."""


MOST_OF_FILE = 100_000
"""Maximum number of triangles of a file."""


class Surface(NamedTuple):
    """Triangles of a solid.

    Attributes
    ----------
    vertices : ndarray, shape (v, 3)
        Corners [m].
    triangles : ndarray of int64, shape (t, 3)
        Corners of each triangle.
    colours : ndarray of uint8, shape (t, 3), or None
        Colours of a file, in place of that of the part.
    """

    vertices: Array
    triangles: Corners
    colours: NDArray[np.uint8] | None = None


def surface_of(solid: Solid) -> Surface:
    """Return the triangles of a solid in its local axes.

    Raises
    ------
    SceneError
        The file of a mesh cannot be read, or has too many triangles.
    """
    return _read(solid) if isinstance(solid, MeshFile) else _kept(solid)


@lru_cache(maxsize=1024)
def _kept(solid: Solid) -> Surface:
    """Return the triangles of a solid, of which most vehicles have several alike."""
    surface = _surface_of(solid)
    surface.vertices.flags.writeable = surface.triangles.flags.writeable = False
    return surface


def _read(solid: MeshFile) -> Surface:
    """Return the triangles of a file, which is read anew where it has changed."""
    with suppress(OSError):  # what is not there, reading says
        stat = solid.path.stat()
        return _read_at(solid, stat.st_mtime_ns, stat.st_size)
    return _read_at(solid, 0, 0)


@lru_cache(maxsize=16)
def _read_at(solid: MeshFile, changed: int, size: int) -> Surface:
    mesh = read_mesh(solid.path, axes=solid.axes)
    if (count := len(mesh.triangles)) > MOST_OF_FILE:
        raise SceneError(
            f"{solid.path.name}: expected at most {MOST_OF_FILE} triangles, got {count}"
        )
    vertices = solid.scale * np.asarray(mesh.vertices, np.float64)
    triangles = np.asarray(mesh.triangles, np.int64)
    return Surface(vertices, triangles, mesh.colours)


@singledispatch
def _surface_of(solid: Any) -> Surface:
    raise TypeError(f"solid: expected one of {Solid}, got {type(solid).__name__}")


@singledispatch
def few_of(solid: Any) -> list[Surface]:
    """Return surfaces for a solid that is far away, each of fewer triangles than the one before."""
    raise TypeError(f"solid: expected one of {Solid}, got {type(solid).__name__}")


# --- surfaces of rings ----------------------------------------------------------------------------


def _between(rings: Array) -> Surface:
    """Return the closed surface of rings of corners, shape (m, k, 3), whose ends are convex."""
    count, around, _ = rings.shape
    return _outward(_welded(rings.reshape(-1, 3), _triangles(count, around)))


@lru_cache
def _triangles(count: int, around: int) -> Corners:
    """Return the triangles between rings, and over the first and the last."""
    i, j = np.arange(around), np.roll(np.arange(around), -1)
    first, second = np.stack([i, j, j + around], 1), np.stack([i, j + around, i + around], 1)
    side = np.concatenate([first, second])
    sides = [side + around * k for k in range(count - 1)]
    fan = np.stack([0 * i[2:], i[2:], i[1:-1]], 1)
    ends = [fan, fan[:, ::-1] + around * (count - 1)]
    return np.concatenate([*sides, *ends])


def _welded(vertices: Array, triangles: Corners) -> Surface:
    """Return a surface whose equal corners are one, without triangles that are none."""
    numbers: dict[tuple[float, ...], int] = {}
    number = np.array([numbers.setdefault(tuple(v), len(numbers)) for v in vertices.tolist()])
    if len(numbers) == len(vertices):
        return Surface(vertices, triangles)
    triangles = number[triangles]
    a, b, c = triangles.T
    return Surface(np.array(list(numbers)), triangles[(a != b) & (b != c) & (c != a)])


def _outward(surface: Surface) -> Surface:
    """Return a closed surface with its triangles the other way round if they look inward."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (
        surface.vertices[corners].T for corners in surface.triangles.T
    )
    volumes = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    inward = float(volumes.sum()) < 0.0
    return surface._replace(triangles=surface.triangles[:, ::-1]) if inward else surface


def _flat(corners: Array) -> Surface:
    """Return a convex polygon, shape (k, 3), that is seen from both sides."""
    k = np.arange(1, len(corners) - 1)
    front = np.stack([0 * k, k, k + 1], 1)
    return Surface(corners, np.concatenate([front, front[:, ::-1]]))


def _all(surfaces: Sequence[Surface]) -> Surface:
    """Return surfaces as one."""
    ends = np.cumsum([0, *(len(one.vertices) for one in surfaces)])
    triangles = [one.triangles + first for one, first in zip(surfaces, ends[:-1], strict=True)]
    return Surface(np.concatenate([one.vertices for one in surfaces]), np.concatenate(triangles))


def _moved(corners: Array, z: float) -> Array:
    """Return corners farther along z."""
    moved: Array = corners + np.array([0.0, 0.0, z])
    return moved


def _circle(radius: float, sides: int, z: float, turn: float = 0.0) -> Array:
    """Return the corners of a regular polygon about z, shape (sides, 3)."""
    sine, cosine = exact.sincos(2.0 * pi * (np.arange(sides) + turn) / sides)
    return np.stack([radius * cosine, radius * sine, np.full(sides, z)], 1)


# --- each kind of solid ---------------------------------------------------------------------------


@_surface_of.register
def _(box: Box) -> Surface:
    x, y, z = (0.5 * one for one in box.size)
    corner = min(box.corner, 0.9 * x, 0.9 * y)
    bevel = min(box.bevel, 0.5 * x, 0.5 * y, 0.9 * z)
    whole = _octagon(x, y, corner)
    if not bevel:
        return _between(np.stack([_moved(whole, -z), _moved(whole, z)]))
    less = _octagon(x - bevel, y - bevel, 0.7 * corner)
    heights = ((less, -z), (whole, bevel - z), (whole, z - bevel), (less, z))
    return _between(np.stack([_moved(ring, height) for ring, height in heights]))


def _octagon(x: float, y: float, corner: float) -> Array:
    """Return a rectangle of half sizes whose corners are cut off, shape (8, 3) or (4, 3)."""
    if not corner:
        places = [(x, y), (-x, y), (-x, -y), (x, -y)]
    else:
        a, b = x - corner, y - corner
        places = [(x, b), (a, y), (-a, y), (-x, b), (-x, -b), (-a, -y), (a, -y), (x, -b)]
    return np.array([(*place, 0.0) for place in places])


@few_of.register
def _(box: Box) -> list[Surface]:
    half = 0.5 * np.array(box.size)
    thin = int(np.argmin(half))
    plate = np.zeros((4, 3))
    across = [axis for axis in range(3) if axis != thin]
    plate[:, across] = half[across] * [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    whole = [surface_of(Box(box.size))] if half[thin] > THIN * half[across].min() else []
    return [*whole, _flat(plate)]


@_surface_of.register
def _(solid: Cylinder) -> Surface:
    ring, half = _circle(1.0, solid.sides, 0.0, 0.5), 0.5 * solid.length
    low, high = solid.radius, solid.taper * solid.radius
    return _between(np.stack([_moved(low * ring, -half), _moved(high * ring, half)]))


@few_of.register
def _(solid: Cylinder) -> list[Surface]:
    return [surface_of(solid._replace(sides=sides)) for sides in (4, 3)]


@_surface_of.register
def _(wing: Wing) -> Surface:
    upper = [(share, -0.5 * half) for share, half in wing.profile]
    lower = [(share, 0.5 * half) for share, half in reversed(wing.profile) if half]
    rings = [
        [(front + share * (back - front), y, z + half * thick) for share, half in [*upper, *lower]]
        for (front, back), y, z, thick in zip(
            (wing.root, wing.tip), (0.0, wing.span), (0.0, wing.rise), wing.thickness, strict=True
        )
    ]
    return _between(np.array(rings))


@few_of.register
def _(wing: Wing) -> list[Surface]:
    (a, b), (c, d) = wing.root, wing.tip
    places = [(a, 0.0, 0.0), (b, 0.0, 0.0), (d, wing.span, wing.rise), (c, wing.span, wing.rise)]
    return [_flat(np.array(places))]


@_surface_of.register
def _(rotor: Rotor) -> Surface:
    blade = _blade(rotor)
    angles = 2.0 * pi * np.arange(rotor.blades) / rotor.blades
    turned = []
    for sine, cosine in zip(*exact.sincos(angles), strict=True):
        matrix = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        turned.append(blade._replace(vertices=blade.vertices @ matrix))
    wide = HUB * rotor.chord * rotor.radius
    hub = surface_of(Cylinder(wide, wide, sides=6))
    return _all([*turned, hub])


def _blade(rotor: Rotor) -> Surface:
    """Return a blade along x, with its leading edge ahead and up."""
    radius, rings = rotor.radius, []
    for share, chord, pitch in BLADE:
        sine, cosine = exact.sincos(pitch)
        half = 0.5 * chord * rotor.chord * radius
        ahead = np.array([0.0, rotor.turns * half * cosine, half * sine])
        up = np.array([0.0, 0.0, 0.12 * half])
        middle = np.array([share * radius, 0.0, 0.0])
        rings.append([middle + ahead, middle + up, middle - ahead, middle - up])
    return _between(np.array(rings))


@few_of.register
def _(rotor: Rotor) -> list[Surface]:
    return [_flat(_circle(rotor.radius, sides, 0.0)) for sides in (4, 3)]


@_surface_of.register
def _(wheel: Wheel) -> Surface:
    half, radius, sides = 0.5 * wheel.width, wheel.radius, 14
    sizes = ((0.88, -1.0), (1.0, -0.6), (1.0, 0.6), (0.88, 1.0))
    return _between(np.stack([_circle(a * radius, sides, b * half) for a, b in sizes]))


@few_of.register
def _(wheel: Wheel) -> list[Surface]:
    return [surface_of(Cylinder(wheel.radius, wheel.width, sides=n)) for n in (6, 4)]


@_surface_of.register
def _(loft: Loft) -> Surface:
    return _between(np.array(loft.rings, np.float64))


@few_of.register
def _(loft: Loft) -> list[Surface]:
    rings = np.array(loft.rings, np.float64)
    count = rings.shape[1]
    four = rings[:, (count // 8 + np.arange(4) * count // 4) % count]
    if len(four) == 2:
        return [_between(four)]
    widest = int(np.argmax(np.ptp(four, axis=1).max(axis=1)))
    middles = four.mean(axis=1)
    ends = four[[0, -1]]  # where it narrows as wide as halfway there
    full = middles[[0, -1], None] + four[widest] - middles[widest]
    inner = widest if 0 < widest < len(rings) - 1 else len(rings) // 2
    narrow = 0.5 * (ends + full)
    return [_between(four[[0, inner, -1]]), _between(narrow), _between(narrow[:, :3])]


@few_of.register
def _(solid: MeshFile) -> list[Surface]:
    surface = _read(solid)
    low, high = surface.vertices.min(axis=0), surface.vertices.max(axis=0)
    x, y, z = (float(one) for one in high - low)
    box = surface_of(Box((x, y, z)))
    colours = None
    if surface.colours is not None:
        mean = surface.colours.mean(axis=0).astype(np.uint8)
        colours = np.tile(mean, (len(box.triangles), 1))
    return [Surface(box.vertices + 0.5 * (low + high), box.triangles, colours)]
