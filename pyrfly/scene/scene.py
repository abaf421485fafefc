"""What stands in the world: `Scene`."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.errors import SceneError, brief
from pyrfly.scene.checks import EXTENT, IDENTITY, Array, immutable
from pyrfly.scene.rays import RayHits, cast
from pyrfly.scene.shapes import (
    MAXIMUM_TRIANGLES,
    SHAPES,
    Cylinder,
    Mesh,
    Plane,
    Shape,
    Sphere,
    rotations_of,
)

__all__ = ["MAXIMUM_PLANES", "MAXIMUM_SHAPES", "Scene", "SceneArrays"]

MAXIMUM_SHAPES: int = _core.limits()["shapes"]
"""Maximum number of shapes of a scene."""

MAXIMUM_PLANES: int = _core.limits()["planes"]
"""Maximum number of planes among them: a ray asks each."""


class SceneArrays(NamedTuple):
    """A scene as the core takes it: n shapes and m triangles, arrays that do not change.

    Attributes
    ----------
    kinds : ndarray of uint8, shape (n,)
        0 box, 1 cylinder, 2 sphere, 3 plane, 4 mesh.
    centers : ndarray, shape (n, 3)
        Middles; of a plane a place on it, of a mesh the origin of its axes [m, NED].
    rotations : ndarray, shape (n, 3, 3)
        Matrices from local axes to NED.
    half_sizes : ndarray, shape (n, 3)
        Half the size along the local axes [m]: of a box; of a cylinder radius, radius, half the
        height; of a sphere the radius. A plane, whose normal is local -z, and a mesh have 0.
    friction, restitution : ndarray, shape (n,)
        Coefficients.
    triangles : ndarray, shape (m, 3, 3)
        Corners of the triangles of all meshes [m, NED].
    owners : ndarray of int32, shape (m,)
        Index of the mesh of each triangle.
    """

    kinds: NDArray[np.uint8]
    centers: Array
    rotations: Array
    half_sizes: Array
    friction: Array
    restitution: Array
    triangles: Array
    owners: NDArray[np.int32]


class Scene:
    """What stands in the world, at rest.

    A scene does not change: simulations and their copies share it.

    Parameters
    ----------
    shapes : iterable of Shape
        `Box`, `Cylinder`, `Sphere`, `Plane`, `Mesh`; at most `MAXIMUM_SHAPES`, `MAXIMUM_PLANES` and
        4e6 triangles. Those that end are within 20 km of their middle, north, east and down.

    Raises
    ------
    SceneError
        Too many shapes, or one too far from the others; a ValueError.
    TypeError
        An element is no shape.

    Examples
    --------
    >>> from pyrfly.scene import Box, Plane
    >>> scene = Scene([Box((2, 4, 3), (10, 0, -1.5), name="house"), Plane()])
    >>> len(scene), scene.bounds.tolist()
    (2, [[9.0, -2.0, -3.0], [11.0, 2.0, 0.0]])
    """

    __slots__ = ("_arrays", "_bounds", "_checksum", "_core", "_shapes")

    def __init__(self, shapes: Iterable[Shape] = ()) -> None:
        self._shapes = _checked(shapes)
        self._arrays = _arrays(self._shapes)
        self._bounds = self._checked_bounds()
        self._checksum = _checksum(self._arrays)
        self._core: _core.Scene | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Scene, (self._shapes,)

    def __deepcopy__(self, memo: dict[int, Any]) -> Scene:
        return self

    def __len__(self) -> int:
        return len(self._shapes)

    def __add__(self, other: Scene) -> Scene:
        if not isinstance(other, Scene):
            return NotImplemented
        return Scene(self._shapes + other.shapes)

    def __repr__(self) -> str:
        counts = np.bincount(self._arrays.kinds, minlength=len(SHAPES))
        of_kinds = [f"{n} {name}" for n, name in zip(counts, SHAPES, strict=True) if n]
        triangles = f", {len(self._arrays.owners)} triangles" if counts[Mesh.KIND] else ""
        return f"<Scene of {', '.join(of_kinds) or 'no shapes'}{triangles}>"

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes, in the order of their numbers."""
        return self._shapes

    @property
    def arrays(self) -> SceneArrays:
        """The scene as the core takes it."""
        return self._arrays

    @property
    def bounds(self) -> Array:
        """Least and greatest north, east and down [m] of all shapes but planes, shape (2, 3).

        NaN where there are none.
        """
        return self._bounds

    @property
    def dropped(self) -> int:
        """Number of triangles that are left out because they have no area."""
        given = sum(len(shape.triangles) for shape in self._shapes if isinstance(shape, Mesh))
        return given - len(self._arrays.owners)

    @property
    def checksum(self) -> int:
        """A number other than 0 that tells scenes apart, for snapshots; names do not count."""
        return self._checksum

    @property
    def core(self) -> _core.Scene:
        """The scene in the core, made at the first use."""
        if self._core is None:
            a = self._arrays
            turns, corners = a.rotations.reshape(-1, 9), a.triangles.reshape(-1, 9)
            self._core = _core.Scene(
                a.kinds,
                a.centers,
                turns,
                a.half_sizes,
                a.friction,
                a.restitution,
                corners,
                a.owners,
            )
        return self._core

    def raycast(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        reach: float = np.inf,
        threads: int = _core.threads,
    ) -> RayHits:
        """Return the first surfaces that rays meet.

        Surfaces count from both sides: a ray that starts within a shape meets it from within. Of
        shapes at one distance that with the lowest number counts. Computed in float32 about the
        middle of the scene: places are exact to 1e-7 of its extent, or of their distance from it.
        The same bits on all processors, for one ray or many.

        Parameters
        ----------
        origins : array_like, shape (..., 3)
            Where rays begin [m, NED].
        directions : array_like, shape (..., 3)
            Where they go, NED, of any length from 1e-9 to 1e9. The shapes broadcast: origins
            (n, 1, 3) and directions (k, 3) are k rays of each origin. It is fastest where rays of
            one origin follow each other, neighbours first, as a lidar has them.
        reach : float
            Distance up to which surfaces are met [m].
        threads : int
            Maximum number of threads.

        Raises
        ------
        ValueError, TypeError
            A number is non-finite, a direction has no length, or the shapes do not broadcast.

        Examples
        --------
        >>> from pyrfly.scene import Box, Sphere
        >>> scene = Scene([Box((2, 2, 2), (10, 0, 0)), Sphere(1, (0, 5, 0))])
        >>> hits = scene.raycast((0, 0, 0), [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
        >>> hits.distance.tolist(), hits.shape.tolist()
        ([9.0, 4.0, inf], [0, 1, -1])
        """
        return cast(self.core, origins, directions, reach, threads)

    def moved(self, position: Any = (0, 0, 0), attitude: Any = IDENTITY) -> Scene:
        """Return the scene turned about the origin by an attitude, then moved.

        Parameters
        ----------
        position : (float, float, float)
            Where the origin comes to be [m, NED].
        attitude : sequence of 3 or 4 floats
            Roll, pitch, yaw [rad] or a unit quaternion, scalar first.
        """
        return Scene(shape.moved(position, attitude) for shape in self._shapes)

    def _checked_bounds(self) -> Array:
        """Return the bounds; raise a SceneError that names a shape too far from the others."""
        low, high, numbers = _extents(self._arrays)
        if not len(numbers):
            return immutable(np.full((2, 3), np.nan))
        bounds = np.stack([low.min(axis=0), high.max(axis=0)])
        if not (bounds[1] - bounds[0] <= EXTENT).all():
            middle = np.median((low + high) / 2, axis=0)
            off = np.maximum(middle - low, high - middle).max(axis=1)
            number = int(numbers[np.argmax(off)])
            raise SceneError(
                f"shapes: expected an extent of up to {EXTENT / 1000:g} km north, east and down, "
                f"got {brief((bounds[1] - bounds[0]).tolist())} m; farthest from the others is "
                f"shape {number}, {self._shapes[number].title}"
            )
        return immutable(bounds)


def _checked(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """Return the shapes; raise for what is none, or for too many."""
    if isinstance(shapes, Shape):
        raise TypeError(f"shapes: expected a list of shapes, got one, {shapes.title}")
    try:
        found = tuple(shapes)
    except TypeError:
        raise TypeError(f"shapes: expected a list of shapes, got {brief(shapes)}") from None
    for number, shape in enumerate(found):
        if not isinstance(shape, Shape):
            raise TypeError(f"shapes: expected a Shape at {number}, got {brief(shape)}")
    planes = sum(isinstance(shape, Plane) for shape in found)
    triangles = sum(len(shape.triangles) for shape in found if isinstance(shape, Mesh))
    for count, most, what in (
        (len(found), MAXIMUM_SHAPES, "shapes"),
        (planes, MAXIMUM_PLANES, "planes"),
        (triangles, MAXIMUM_TRIANGLES, "triangles"),
    ):
        if count > most:
            raise SceneError(f"shapes: expected at most {most} {what}, got {count}")
    return found


def _arrays(shapes: tuple[Shape, ...]) -> SceneArrays:
    poses = [shape.pose for shape in shapes]
    corners = {i: s.corners() for i, s in enumerate(shapes) if isinstance(s, Mesh)}
    triangles = np.concatenate([np.empty((0, 3, 3)), *corners.values()])
    owners = [np.full(len(of), i, np.int32) for i, of in corners.items()]
    numbers = [
        [position, shape.half_size] for shape, (position, _) in zip(shapes, poses, strict=True)
    ]
    placed = np.array(numbers, np.float64).reshape(-1, 2, 3)
    coefficients = np.array([(s.friction, s.restitution) for s in shapes]).reshape(-1, 2)
    arrays = (
        np.array([shape.KIND for shape in shapes], np.uint8),
        placed[:, 0],
        rotations_of([attitude for _, attitude in poses]),
        placed[:, 1],
        *coefficients.T,
        triangles,
        np.concatenate([np.empty(0, np.int32), *owners]),
    )
    return SceneArrays(*map(immutable, arrays))


def _extents(arrays: SceneArrays) -> tuple[Array, Array, NDArray[np.intp]]:
    """Return least and greatest places (k, 3) [m, NED] of all that ends, and its shapes."""
    kinds, rotations, half = arrays.kinds, np.abs(arrays.rotations), arrays.half_sizes
    of_axes = rotations * half[:, None, :]
    extent = of_axes.sum(axis=2)
    round_ = kinds == Cylinder.KIND
    across = np.sqrt(of_axes[round_, :, 0] ** 2 + of_axes[round_, :, 1] ** 2)
    extent[round_] = across + of_axes[round_, :, 2]
    extent[kinds == Sphere.KIND] = half[kinds == Sphere.KIND]
    ends = np.flatnonzero(kinds < Plane.KIND)
    low, high = arrays.centers[ends] - extent[ends], arrays.centers[ends] + extent[ends]
    corners = arrays.triangles
    return (
        np.concatenate([low, corners.min(axis=1)]),
        np.concatenate([high, corners.max(axis=1)]),
        np.concatenate([ends, arrays.owners]),
    )


def _checksum(arrays: SceneArrays) -> int:
    checksum = 0
    for array in arrays:
        checksum = zlib.crc32(np.array(array.shape, np.int64).tobytes(), checksum)
        checksum = zlib.crc32(array.data, checksum)
    return checksum | 1 << 32
