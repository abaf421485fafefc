"""What is seen, for all that draws it: `World`, which rests, and `Frame`, which moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.drawing import Joint

__all__ = [
    "ARMED",
    "BITS",
    "CRASHED",
    "FAULTY",
    "FLAGS",
    "Frame",
    "Ground",
    "Group",
    "Line",
    "Mesh",
    "Piece",
    "Posture",
    "World",
    "flagged",
]

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

Posture: TypeAlias = Literal["free", "lies", "stands"]
"""Whether a line is as its points say, follows the ground or has its first point there."""

ARMED, CRASHED, FAULTY = 1, 2, 4
"""Bits of `Frame.flags`."""

BITS = {"armed": ARMED, "crashed": CRASHED, "faulty": FAULTY}
"""What they are called where they are shown."""

FLAGS = {"armed": ARMED, "crashed": CRASHED, "status": FAULTY, "fault_share": FAULTY}
"""Columns that are not 0 where a vehicle has a bit."""


def flagged(values: NDArray[Any], bit: int) -> NDArray[np.uint8]:
    """Return the bit of vehicles with a number other than 0 in a column, shape (n,)."""
    return np.where((values != 0).reshape(len(values), -1).any(axis=1), bit, 0).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles.

    Attributes
    ----------
    vertices : ndarray of float32, shape (v, 3)
        Corners [m], of a vehicle FRD from its origin, see `Group.rise`, of what rests NED.
    triangles : ndarray of uint32, shape (t, 3)
        Corners of each triangle, counterclockwise as seen from outside.
    colours : ndarray of uint8, shape (t, 3)
        Red, green and blue of each triangle (sRGB).
    """

    vertices: Floats
    triangles: NDArray[np.uint32]
    colours: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Piece:
    """What moves as one on a vehicle.

    Attributes
    ----------
    name : str
        Name, for messages and lists.
    mesh, simple : Mesh
        Its triangles in full, and few of them for a vehicle that is far away.
    joints : tuple of Joint
        What moves it, in the order of turning: of a rotor that tilts first its spin, then the tilt;
        of a trailer's wheel first its roll, then the hitch. Empty for what is fixed to the vehicle.
        All are given for the vehicle with numbers of 0.
    """

    name: str
    mesh: Mesh
    simple: Mesh
    joints: tuple[Joint, ...] = ()


@dataclass(frozen=True, eq=False)
class Group:
    """Vehicles that look the same.

    Attributes
    ----------
    name, family : str
        Name of the set and its family.
    ids : ndarray of int64, shape (n,)
        CopterIDs, in the order of `Frame`.
    pieces : tuple of Piece
        What is drawn of each.
    radius : float
        Radius of a sphere about the origin around all of it [m].
    rise : float
        Height of the origin of each over its ``pos`` [m], straight up at any attitude: a vehicle
        on the ground has its ``pos`` there, its centre of mass is higher.
    """

    name: str
    family: str
    ids: NDArray[np.int64]
    pieces: tuple[Piece, ...]
    radius: float
    rise: float = 0.0


@dataclass(frozen=True, eq=False)
class Ground:
    """Terrain as a grid, for a picture.

    Attributes
    ----------
    z : ndarray of float32, shape (rows, columns)
        Its surface [m, NED down]; rows go north, columns east.
    first : tuple of float
        North and east of the first corner [m].
    spacing : tuple of float
        North of rows and east of columns from each other [m].
    colours : ndarray of uint8, shape (rows, columns, 3), or None
        Its picture; None: by height.
    """

    z: Floats
    first: tuple[float, float]
    spacing: tuple[float, float]
    colours: NDArray[np.uint8] | None = None

    def level_at(self, north: Array, east: Array) -> Array:
        """Return z of its triangles at positions, beyond its edge that of the edge [m].

        Each cell has two, on both sides of the diagonal from its first corner.
        """
        rows, columns = self.z.shape
        i = np.clip((north - self.first[0]) / self.spacing[0], 0, rows - 1)
        j = np.clip((east - self.first[1]) / self.spacing[1], 0, columns - 1)
        i0, j0 = np.minimum(i.astype(int), rows - 2), np.minimum(j.astype(int), columns - 2)
        u, v = i - i0, j - j0
        near, far = self.z[i0, j0].astype(np.float64), self.z[i0 + 1, j0 + 1]
        side = np.where(u > v, self.z[i0 + 1, j0], self.z[i0, j0 + 1])
        low, high = np.minimum(u, v), np.maximum(u, v)
        return np.asarray(near + high * (side - near) + low * (far - side))


@dataclass(frozen=True, eq=False)
class Line:
    """A line that rests: a mission, a fence, a track.

    Attributes
    ----------
    name : str
        What it is, for lists.
    points : ndarray of float64, shape (k, 3)
        Its corners [m, NED].
    colour : tuple of int
        Red, green and blue, 0 to 255 (sRGB).
    posture : str
        ``free``; or ``lies`` or ``stands`` on a ground, see `pyrfly.view.draping.with_lines`.
    """

    name: str
    points: Array
    colour: tuple[int, int, int]
    posture: Posture = "free"


@dataclass(frozen=True, eq=False)
class World:
    """What does not change from frame to frame.

    Attributes
    ----------
    groups : tuple of Group
        All vehicles.
    ground : Ground or None
        Terrain; None: a plane at ``z`` = 0.
    scene : Mesh or None
        What stands in it [NED].
    water : float or None
        Surface of the water [m, NED down]; None: there is none.
    lines : tuple of Line
        Missions, fences and the like.
    """

    groups: tuple[Group, ...]
    ground: Ground | None = None
    scene: Mesh | None = None
    water: float | None = None
    lines: tuple[Line, ...] = ()

    @property
    def count(self) -> int:
        """Number of all vehicles."""
        return sum(len(group.ids) for group in self.groups)


@dataclass(frozen=True, eq=False)
class Frame:
    """All that moves, at a time. Rows are vehicles, group by group.

    Attributes
    ----------
    time : float
        Time of the simulation or log [s].
    pos : ndarray of float64, shape (n, 3)
        Positions [m, NED]; NaN: the vehicle is not there.
    att : ndarray of float32, shape (n, 4)
        Attitudes: unit quaternions, scalar first, FRD to NED.
    displayed : ndarray of float32, shape (n, 8)
        The column ``displayed_actuators`` [1/min or rad], which joints follow.
    flags : ndarray of uint8, shape (n,)
        Bits `ARMED`, `CRASHED`, `FAULTY`.
    pos_sp : ndarray of float64, shape (n, 3), optional
        Where they are to be [m, NED]; NaN: nowhere.
    wind : ndarray of float32, shape (n, 3), optional
        Velocity of the air, at vehicles that are all below water of the water [m/s, NED].
    contacts : ndarray of float64, shape (n, 3), optional
        Where they touch something, or have just done so [m, NED]; NaN: nowhere.
    """

    time: float
    pos: Array
    att: Floats
    displayed: Floats
    flags: NDArray[np.uint8]
    pos_sp: Array | None = None
    wind: Floats | None = None
    contacts: Array | None = None
