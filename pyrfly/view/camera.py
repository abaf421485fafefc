"""Where pictures are taken from: `Camera`, `Viewpoint`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.arrays import finite_array, one_number
from pyrfly.errors import ShapeError, brief
from pyrfly.view.poses import origins, radii, rotations
from pyrfly.view.world import Frame, World

__all__ = ["FIELD_OF_VIEW", "MODES", "Camera", "Viewpoint", "looking"]

Array = NDArray[np.float64]

FIELD_OF_VIEW = 0.9
"""Upright angle of what is seen [rad]."""

MODES = ("overview", "follow", "nose")

FAR = 1e7
"""Maximum distance of what is seen, and from it [m]."""

ROOM, ALONE = 2.5, 1.4
"""What an overview has around each vehicle, in its radii, and around one that is alone."""

LAG = 0.25
"""How far the middle of an overview may be behind, of the distance from which all is seen."""

MARGIN = 1.1
"""How much farther the eye of an overview is than it has to be."""

FOLLOWED = 5.0
"""Distance of the eye from a vehicle that it follows, in its radii."""


class Viewpoint(NamedTuple):
    """Where the eye is, and what it sees.

    Attributes
    ----------
    eye : ndarray, shape (3,)
        Its position [m, NED].
    axes : ndarray, shape (3, 3)
        Unit vectors to the right and down in the picture, and ahead [NED].
    distance : float
        Distance of what it looks at [m].
    field_of_view : float
        Upright angle of what is seen [rad].
    """

    eye: Array
    axes: Array
    distance: float
    field_of_view: float = FIELD_OF_VIEW

    @property
    def middle(self) -> Array:
        """What it looks at [m, NED], shape (3,)."""
        return np.asarray(self.eye + self.distance * self.axes[2])

    def project(self, points: ArrayLike, size: tuple[int, int]) -> Array:
        """Return where points are in a picture.

        Parameters
        ----------
        points : array_like, shape (k, 3)
            Positions [m, NED].
        size : (int, int)
            Width and height of the picture [pixels].

        Returns
        -------
        ndarray, shape (k, 3)
            Right and down from the upper left corner [pixels], and distance ahead [m]; NaN for what
            is behind the eye.
        """
        right, down, ahead = self.axes @ (np.asarray(points, np.float64) - self.eye).T
        with np.errstate(invalid="ignore", divide="ignore"):
            scale = np.where(ahead > 0, self.focal(size) / ahead, np.nan)
            return np.stack([size[0] / 2 + scale * right, size[1] / 2 + scale * down, ahead], 1)

    def focal(self, size: tuple[int, int]) -> float:
        """Return the distance of a picture of a size from the eye [pixels]."""
        return 0.5 * size[1] / exact.tan(0.5 * self.field_of_view)


def looking(ahead: ArrayLike, upwards: ArrayLike = (0.0, 0.0, -1.0)) -> Array:
    """Return the axes of a `Viewpoint` that looks along a direction, shape (3, 3)."""
    forward = _unit(np.asarray(ahead, np.float64))
    right = np.cross(forward, np.asarray(upwards, np.float64))
    if exact.norm(right) < 1e-6:  # it looks straight up or down: north is up in the picture
        right = np.cross(forward, (1.0, 0.0, 0.0) if abs(forward[0]) < 0.9 else (0.0, 1.0, 0.0))
    right = _unit(right)
    return np.stack([right, np.cross(forward, right), forward])


def _unit(vector: Array) -> Array:
    return vector / float(exact.norm(vector))


@dataclass
class Camera:
    """Where the vehicles of a flight are seen from, picture after picture.

    Parameters
    ----------
    mode : str
        ``'overview'``: all vehicles are seen. ``'follow'``: one vehicle is in the middle.
        ``'nose'``: what one vehicle has ahead.
    vehicle : int, optional
        CopterID of that vehicle; by default the first one.
    azimuth, elevation : float
        Direction that the eye looks in: from north to the east, and downwards [rad].
    distance : float, optional
        Distance of the eye from what it looks at [m]; by default by the size of what is seen.
    at : array_like, shape (3,), optional
        What an overview has in the middle [m, NED]; by default the middle of all vehicles.
    setpoints : bool
        Whether an overview shows where vehicles are to be, too.

    Examples
    --------
    >>> Camera.of("follow:3")
    Camera(mode='follow', vehicle=3, azimuth=-0.6, elevation=0.45, distance=None, at=None,
    setpoints=False)
    """

    mode: str = "overview"
    vehicle: int | None = None
    azimuth: float = -0.6
    elevation: float = 0.45
    distance: float | None = None
    at: ArrayLike | None = None
    setpoints: bool = False

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise ValueError(f"camera: expected one of {', '.join(MODES)}, got {brief(self.mode)}")
        if not (self.vehicle is None or type(self.vehicle) is int):
            raise TypeError(f"vehicle: expected a CopterID, an int, got {brief(self.vehicle)}")
        if self.distance is not None and not 0 < one_number("distance", self.distance, "m") <= FAR:
            raise ValueError(
                f"distance: expected a length above 0, up to {FAR:g} [m], got {self.distance}"
            )
        if self.at is not None:
            self.at = finite_array("at", self.at, "m", FAR)
            if self.at.shape != (3,):
                raise ShapeError(f"at: expected shape (3,) [m, NED], got {self.at.shape}")
        self.azimuth = one_number("azimuth", self.azimuth, "rad")
        self.elevation = one_number("elevation", self.elevation, "rad")

    @classmethod
    def of(cls, text: str | Camera) -> Camera:
        """Return the camera of a text: ``overview``, or ``follow:ID``, ``nose:ID``.

        Raises
        ------
        ValueError
            The text is none of these.
        """
        if isinstance(text, Camera):
            return text
        found = (
            re.fullmatch(rf"({'|'.join(MODES)})(?::(\d{{1,9}}))?", text)
            if isinstance(text, str)
            else None
        )
        if not found or (found[1] == MODES[0] and found[2]):
            raise ValueError(f"camera: expected overview, follow:ID or nose:ID, got {brief(text)}")
        return cls(found[1], int(found[2]) if found[2] else None)

    def view(
        self,
        world: World,
        frame: Frame,
        aspect: float,
        before: Viewpoint | None = None,
        share: float = 1.0,
    ) -> Viewpoint:
        """Return where a frame is seen from.

        Parameters
        ----------
        world, frame : World, Frame
            What is seen.
        aspect : float
            Width of the picture over its height.
        before : Viewpoint, optional
            Where the last picture was taken from.
        share : float
            Share of the way from there that an overview and its middle move, 0 to 1.

        Raises
        ------
        ValueError
            The vehicle is not one of the world.
        """
        if self.mode == "overview":
            return self._over_all(world, frame, aspect, before, share)
        row = self._row(world)
        radius = float(radii(world)[row])
        middle = np.nan_to_num(origins(world, frame)[row])
        if self.mode == "follow":
            return self._towards(middle, self.distance or FOLLOWED * radius)
        forward, _, down = rotations(frame.att[row]).T
        eye = middle + 0.7 * radius * forward - 0.25 * radius * down
        return Viewpoint(eye, looking(forward, -down), 20 * radius)

    def _row(self, world: World) -> int:
        """Return the row of the vehicle that is followed."""
        ids = np.concatenate([np.zeros(0, np.int64), *(group.ids for group in world.groups)])
        rows = (
            np.flatnonzero(ids == self.vehicle) if self.vehicle is not None else np.arange(len(ids))
        )
        if not len(rows):
            known = ", ".join(map(str, ids.tolist())) or "a world with vehicles"
            raise ValueError(f"camera: expected a CopterID of {known:.60}, got {self.vehicle}")
        return int(rows[0])

    def _towards(self, middle: Array, distance: float) -> Viewpoint:
        (sin_a, sin_e), (cos_a, cos_e) = exact.sincos(np.array([self.azimuth, self.elevation]))
        axes = looking((cos_e * cos_a, cos_e * sin_a, sin_e))
        return Viewpoint(middle - distance * axes[2], axes, distance)

    def _over_all(
        self, world: World, frame: Frame, aspect: float, before: Viewpoint | None, share: float
    ) -> Viewpoint:
        points, room = _seen(world, frame, self.setpoints)
        if not len(points):
            points, room = np.zeros((1, 3)), np.ones(1)
        low, high = (points - room[:, None]).min(axis=0), (points + room[:, None]).max(axis=0)
        middle = (low + high) / 2 if self.at is None else np.asarray(self.at, np.float64)
        needed = self._fitting(points, room, middle, aspect)
        if before is not None:
            behind = (1.0 - share) * (before.middle - middle)
            # the eye of one that is left far behind would have to be far away
            most = LAG * (self.distance or needed)
            middle = middle + behind * min(1.0, most / max(float(exact.norm(behind)), 1e-9))
            needed = self._fitting(points, room, middle, aspect)
        distance = self.distance or needed
        if before is not None and self.distance is None:  # away at once, that nothing is lost
            distance = max(needed, before.distance + share * (needed - before.distance))
        return self._towards(middle, distance)

    def _fitting(self, points: Array, room: Array, middle: Array, aspect: float) -> float:
        """Return the least distance from a middle at which points with room are seen."""
        right, down, ahead = self._towards(middle, 1.0).axes @ (points - middle).T
        upright = exact.tan(FIELD_OF_VIEW / 2)
        sideways = (np.abs(right) + room) / (upright * aspect) - ahead
        return MARGIN * float(np.maximum(sideways, (np.abs(down) + room) / upright - ahead).max())


def _seen(world: World, frame: Frame, setpoints: bool) -> tuple[Array, Array]:
    """Return what an overview shows: positions (k, 3) and the room around each [m]."""
    points = [origins(world, frame)]
    alone = len(points[0]) == 1 and not world.lines
    room = [(ALONE if alone else ROOM) * radii(world)]
    for line in world.lines:
        points.append(line.points)
        room.append(np.zeros(len(line.points)))
    if setpoints and frame.pos_sp is not None:
        points.append(frame.pos_sp)
        room.append(radii(world))
    every, rooms = np.concatenate(points), np.concatenate(room)
    there = np.isfinite(every).all(axis=1)
    return every[there], rooms[there]
