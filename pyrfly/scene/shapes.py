"""What a scene is made of: `Box`, `Cylinder`, `Sphere`, `Plane` and `Mesh`.

All are at rest in the local NED frame. ``attitude`` turns the local axes of a shape into north,
east and down, as that of a vehicle does: with (1, 0, 0, 0), or roll, pitch and yaw of 0, they are
the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core, exact
from pyrfly.errors import SceneError, brief
from pyrfly.scene import checks
from pyrfly.scene.checks import BLOCK, FARTHEST, IDENTITY, Array, Quaternion, Vector, transformed

__all__ = [
    "FRICTION",
    "MAXIMUM_TRIANGLES",
    "MAXIMUM_VERTICES",
    "RESTITUTION",
    "SHAPES",
    "Box",
    "Cylinder",
    "Mesh",
    "Plane",
    "Shape",
    "Sphere",
    "rotations_of",
]

FRICTION = 0.6
"""Coefficient of friction; estimated: plastic on dry concrete."""

RESTITUTION = 0.1
"""Speed after an impact per speed before it [@rfly-collision 3.1]: a tenth, back off a house."""

MAXIMUM_TRIANGLES: int = _core.limits()["triangles"]
"""Maximum number of triangles of a mesh, and of a scene."""

MAXIMUM_VERTICES = 3 * MAXIMUM_TRIANGLES
"""Maximum number of vertices of a mesh."""

_LEAST_AREA = 1e-12  # of a triangle, per square of its longest edge: that of doubles on one line
_DOWN = 1.0 - 1e-12  # z of a normal that points down, about which no turn is the shortest
_CENTER: Vector = (0.0, 0.0, 0.0)
_UP: Vector = (0.0, 0.0, -1.0)

Some = TypeVar("Some", bound="Shape")
Check = Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True)
class Shape(ABC):
    """What all shapes have.

    Parameters
    ----------
    name : str
        For people: of what is hit, in messages. Several may have the same.
    friction : float
        Coefficient of friction, 0 to 10; that of the other body counts as well.
    restitution : float
        Speed after an impact per speed before it, 0 (plastic) to 1 (elastic).
    """

    KIND: ClassVar[int]
    CHECKS: ClassVar[Mapping[str, Check]] = {
        "name": checks.text,
        "friction": checks.coefficient,
        "restitution": checks.fraction,
    }

    name: str = ""
    friction: float = FRICTION
    restitution: float = RESTITUTION

    def __post_init__(self) -> None:
        for key, check in self.CHECKS.items():
            self._set(key, check)

    def _set(self, key: str, check: Check) -> None:
        """Give a field its checked value; an error names shape and field."""
        try:
            object.__setattr__(self, key, check(getattr(self, key)))
        except SceneError as error:
            raise SceneError(f"{self.title}: {key}: {error}") from None

    @property
    def title(self) -> str:
        """Kind and name of the shape, for messages: ``box 'wall'``."""
        kind = type(self).__name__.lower()
        return f"{kind} {brief(self.name)}" if self.name else kind

    @property
    @abstractmethod
    def pose(self) -> tuple[Sequence[float], Sequence[float]]:
        """Position of the middle [m, NED], and attitude of the local axes."""

    @property
    def half_size(self) -> Vector:
        """Half the size along the local axes [m]; 0 for a plane and a mesh."""
        return _CENTER

    def moved(self: Some, position: Any = _CENTER, attitude: Any = IDENTITY) -> Some:
        """Return the shape turned about the origin by an attitude, then moved by a position."""
        return replace(self, **self._placed(checks.attitude(attitude), checks.place(position)))

    @abstractmethod
    def _placed(self, turn: Quaternion, shift: Vector) -> dict[str, Any]:
        """Return the fields of the shape's place after a turn and a shift."""


class _Turned(Shape):
    """A shape with a position and an attitude."""

    CHECKS: ClassVar[Mapping[str, Check]] = {
        **Shape.CHECKS,
        "position": checks.place,
        "attitude": checks.attitude,
    }
    position: Sequence[float]
    attitude: Sequence[float]

    @property
    def pose(self) -> tuple[Sequence[float], Sequence[float]]:
        """See `Shape.pose`."""
        return self.position, self.attitude

    def _placed(self, turn: Quaternion, shift: Vector) -> dict[str, Any]:
        position = _moved(self.position, turn, shift)
        return {"position": position, "attitude": _product(turn, self.attitude)}


@dataclass(frozen=True)
class Box(_Turned):
    """A box.

    Parameters
    ----------
    size : (float, float, float)
        Its lengths along its local axes [m], 1 mm to 40 km.
    position : (float, float, float)
        Its middle [m, NED].
    attitude : sequence of 3 or 4 floats
        Roll, pitch, yaw [rad] or a unit quaternion, scalar first; kept as a quaternion.
    name, friction, restitution
        See `Shape`.

    Raises
    ------
    SceneError
        A value is out of range; the message names shape and field.

    Examples
    --------
    >>> Box((0.2, 10, 3), (20, 0, -1.5), name="wall").half_size
    (0.1, 5.0, 1.5)
    """

    KIND: ClassVar[int] = 0
    CHECKS: ClassVar[Mapping[str, Check]] = {**_Turned.CHECKS, "size": checks.three_lengths}

    size: Sequence[float]
    position: Sequence[float] = _CENTER
    attitude: Sequence[float] = IDENTITY

    @property
    def half_size(self) -> Vector:
        """Half the size along the local axes [m]."""
        x, y, z = self.size
        return x / 2, y / 2, z / 2


@dataclass(frozen=True)
class Cylinder(_Turned):
    """A cylinder along its local z axis, which at first is the vertical.

    Parameters
    ----------
    radius, height : float
        Radius, and length along the axis [m], 1 mm to 40 km.
    position, attitude, name, friction, restitution
        See `Box`.
    """

    KIND: ClassVar[int] = 1
    CHECKS: ClassVar[Mapping[str, Check]] = {
        **_Turned.CHECKS,
        "radius": checks.one_length,
        "height": checks.one_length,
    }

    radius: float
    height: float
    position: Sequence[float] = _CENTER
    attitude: Sequence[float] = IDENTITY

    @property
    def half_size(self) -> Vector:
        """Radius, radius and half the height [m]."""
        return self.radius, self.radius, self.height / 2


@dataclass(frozen=True)
class Sphere(Shape):
    """A sphere.

    Parameters
    ----------
    radius : float
        Radius [m], 1 mm to 40 km.
    position, name, friction, restitution
        See `Box`.
    """

    KIND: ClassVar[int] = 2
    CHECKS: ClassVar[Mapping[str, Check]] = {
        **Shape.CHECKS,
        "radius": checks.one_length,
        "position": checks.place,
    }

    radius: float
    position: Sequence[float] = _CENTER

    @property
    def pose(self) -> tuple[Sequence[float], Sequence[float]]:
        """Its position, and the attitude of NED."""
        return self.position, IDENTITY

    @property
    def half_size(self) -> Vector:
        """Three times the radius [m]."""
        return self.radius, self.radius, self.radius

    def _placed(self, turn: Quaternion, shift: Vector) -> dict[str, Any]:
        return {"position": _moved(self.position, turn, shift)}


@dataclass(frozen=True)
class Plane(Shape):
    """A half space, bounded by an endless plane: a floor, a slope, an endless wall.

    Parameters
    ----------
    normal : (float, float, float)
        Direction out of it, NED, of any length but 0; kept as a unit vector. By default it is up.
    position : (float, float, float)
        A place on the plane [m, NED].
    name, friction, restitution
        See `Shape`.
    """

    KIND: ClassVar[int] = 3
    CHECKS: ClassVar[Mapping[str, Check]] = {
        **Shape.CHECKS,
        "normal": checks.direction,
        "position": checks.place,
    }

    normal: Sequence[float] = _UP
    position: Sequence[float] = _CENTER

    @property
    def pose(self) -> tuple[Sequence[float], Sequence[float]]:
        """A place on the plane [m, NED], and an attitude whose local -z is its normal."""
        x, y, z = self.normal
        if z > _DOWN:
            return self.position, (0.0, 1.0, 0.0, 0.0)
        return self.position, checks.unit((1.0 - z, y, -x, 0.0))

    def _placed(self, turn: Quaternion, shift: Vector) -> dict[str, Any]:
        normal = _moved(self.normal, turn, _CENTER)
        return {"normal": normal, "position": _moved(self.position, turn, shift)}


@dataclass(frozen=True, eq=False, repr=False)
class Mesh(_Turned):
    """A surface of triangles, which count from both sides.

    Parameters
    ----------
    vertices : array_like, shape (k, 3)
        Their places in local axes [m, times ``scale``].
    triangles : array_like of int, shape (m, 3)
        Numbers of three vertices each, from 0; at most `MAXIMUM_TRIANGLES`. Those without an area,
        which no ray meets, are left out of the scene (`corners`); one at least has an area.
    position : (float, float, float)
        The origin of the local axes [m, NED].
    scale : float
        Metres that 1 of the vertices is, 1e-6 to 1e6.
    colours : array_like of int, shape (m, 3), optional
        Red, green and blue of each triangle in pictures, 0 to 255 (sRGB).
    attitude, name, friction, restitution
        See `Box`.
    """

    KIND: ClassVar[int] = 4
    CHECKS: ClassVar[Mapping[str, Check]] = {
        **_Turned.CHECKS,
        "scale": checks.scale,
        "vertices": checks.points,
    }

    vertices: Array
    triangles: NDArray[np.integer[Any]]
    position: Sequence[float] = _CENTER
    attitude: Sequence[float] = IDENTITY
    scale: float = 1.0
    colours: NDArray[Any] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("triangles", self._numbered)
        self._set("colours", self._coloured)
        if not len(self.corners()):
            raise SceneError(f"{self.title}: triangles: expected one at least that has an area")

    def __repr__(self) -> str:
        return f"<{self.title}: {len(self.vertices)} vertices, {len(self.triangles)} triangles>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _mesh_again, ({f.name: getattr(self, f.name) for f in fields(self)},)

    def corners(self) -> Array:
        """Return the corners of the triangles that have an area [m, NED], shape (m, 3, 3)."""
        corners, kept = self._all_corners()
        return corners if kept.all() else corners[kept]

    def corner_colours(self) -> NDArray[Any] | None:
        """Return the colours of the triangles of `corners`, shape (m, 3); None without any."""
        return None if self.colours is None else self.colours[self._all_corners()[1]]

    def _all_corners(self) -> tuple[Array, NDArray[np.bool_]]:
        """Return the corners of all triangles [m, NED], and which have an area."""
        (rotation,) = rotations_of([self.attitude])
        places = transformed(self.vertices * self.scale, rotation, self.position)
        if not (np.abs(places) <= FARTHEST).all():
            raise SceneError(
                f"{self.title}: vertices: expected places within {FARTHEST / 1000:g} km, got up to "
                f"{np.abs(places).max() / 1000:.4g} km [NED]"
            )
        corners: Array = places[self.triangles]
        blocks = range(0, len(corners), BLOCK)
        return corners, np.concatenate([_have_area(corners[i : i + BLOCK]) for i in blocks])

    def _numbered(self, value: Any) -> NDArray[np.int32]:
        return checks.corner_numbers(value, len(self.vertices), MAXIMUM_TRIANGLES)

    def _coloured(self, value: Any) -> NDArray[np.uint8] | None:
        return None if value is None else checks.colours(value, len(self.triangles))


SHAPES: Mapping[str, type[Shape]] = MappingProxyType(
    {shape.__name__.lower(): shape for shape in (Box, Cylinder, Sphere, Plane, Mesh)}
)
"""The kinds of shapes by their names, in the order of the core."""


def _mesh_again(values: Mapping[str, Any]) -> Mesh:
    """Return a mesh from its pickle, with arrays that do not change."""
    return Mesh(**values)


def _have_area(corners: Array) -> NDArray[np.bool_]:
    """Return which triangles (m, 3, 3) have an area, more than rounding makes of a line."""
    first, second, third = np.moveaxis(corners, 1, 0)
    (x, y, z), (u, v, w) = (second - first).T, (third - first).T
    doubled = exact.norm(np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1))
    sides = [exact.norm(side) for side in (second - first, third - first, third - second)]
    found: NDArray[np.bool_] = doubled > _LEAST_AREA * np.maximum.reduce(sides) ** 2
    return found


def rotations_of(attitudes: Any) -> Array:
    """Return the matrices (k, 3, 3) from local axes to NED of unit quaternions (k, 4)."""
    w, x, y, z = np.asarray(attitudes, np.float64).reshape(-1, 4).T
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.moveaxis(np.array(rows), -1, 0)


def _moved(point: Sequence[float], turn: Quaternion, shift: Vector) -> Vector:
    (rotation,) = rotations_of([turn])
    x, y, z = transformed(np.array(point), rotation, shift).tolist()
    return x, y, z


def _product(a: Sequence[float], b: Sequence[float]) -> Quaternion:
    (aw, ax, ay, az), (bw, bx, by, bz) = a, b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )
