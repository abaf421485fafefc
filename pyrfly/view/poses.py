"""Where vehicles and their pieces are in a frame: `origins`, `radii`, `rotations`, `Motion`."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.vehicles.drawing import SPIN, Joint
from pyrfly.view.world import Frame, Group, World

__all__ = ["Motion", "chained", "origins", "radii", "raised", "rotations", "rows_of"]

Array = NDArray[np.float64]

FASTEST_TURN = 1.1
"""Angle from one picture to the next that the eye still takes for turning in its direction [rad]:
a rotor of two blades looks the same after a half turn."""


def rotations(att: ArrayLike) -> Array:
    """Return the matrices from FRD to NED of quaternions.

    Parameters
    ----------
    att : array_like, shape (n, 4)
        Attitudes, scalar first; they need no unit length.

    Returns
    -------
    ndarray, shape (n, 3, 3)
        NaN for a quaternion of 0.
    """
    w, x, y, z = np.moveaxis(np.asarray(att, np.float64), -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        s = 2.0 / (w * w + x * x + y * y + z * z)
    rows = [
        [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def rows_of(world: World) -> Iterator[tuple[Group, slice]]:
    """Yield each group with its rows in a `Frame`."""
    first = 0
    for group in world.groups:
        yield group, slice(first, first + len(group.ids))
        first += len(group.ids)


def origins(world: World, frame: Frame) -> Array:
    """Return the origins of all vehicles [m, NED], shape (n, 3)."""
    return raised(world, frame.pos)


def raised(world: World, pos: ArrayLike) -> Array:
    """Return the origins of vehicles whose ``pos`` is somewhere, shape (n, 3) [m, NED]."""
    found = np.array(pos, np.float64)
    for group, rows in rows_of(world):
        found[rows, 2] -= group.rise
    return found


def radii(world: World) -> Array:
    """Return the radii of all vehicles [m], shape (n,)."""
    return np.concatenate([np.zeros(0), *(np.full(len(g.ids), g.radius) for g in world.groups)])


def _turns(joint: Joint, angle: Array) -> Array:
    """Return the matrices (3, 4) of turns about the axis of a joint, shape (n, 3, 4)."""
    x, y, z = joint.axis
    sine, cosine = exact.sincos(angle)
    rest = 1 - cosine
    rows = [
        [cosine + x * x * rest, x * y * rest - z * sine, x * z * rest + y * sine],
        [x * y * rest + z * sine, cosine + y * y * rest, y * z * rest - x * sine],
        [x * z * rest - y * sine, y * z * rest + x * sine, cosine + z * z * rest],
    ]
    turn = np.stack([np.stack(row, -1) for row in rows], -2)
    at = np.array(joint.at)
    return np.concatenate([turn, (at - turn @ at)[..., None]], -1)


def chained(outer: Array, inner: Array) -> Array:
    """Return the matrices (3, 4) that do first the inner, then the outer ones."""
    both = outer[..., :3] @ inner
    both[..., 3] += outer[..., 3]
    return both


class Motion:
    """Where the pieces of all vehicles are, frame after frame.

    Joints that spin turn on from frame to frame, at most by `FASTEST_TURN`.

    Parameters
    ----------
    world : World
        The vehicles.
    step : float
        Time that passed before the first frame [s]; 0: what spins stands in it.
    """

    def __init__(self, world: World, step: float = 0.0) -> None:
        self._world, self._first = world, step
        self._time: float | None = None
        self._angles: list[dict[Joint, Array]] = [
            {
                joint: np.zeros(len(group.ids))
                for piece in group.pieces
                for joint in piece.joints
                if joint.kind == SPIN
            }
            for group in world.groups
        ]
        self._steps = [dict(angles) for angles in self._angles]

    def advance(self, frame: Frame) -> None:
        """Turn what spins on to the time of a frame."""
        passed = self._first if self._time is None else max(frame.time - self._time, 0.0)
        self._time = frame.time
        for k, (_, rows) in enumerate(rows_of(self._world)):
            for joint, angle in list(self._angles[k].items()):
                speed = np.nan_to_num(frame.displayed[rows, joint.actuator].astype(np.float64)) * (
                    joint.gain * pi / 30
                )
                step = speed * passed
                self._steps[k][joint] = step
                self._angles[k][joint] = angle + np.clip(step, -FASTEST_TURN, FASTEST_TURN)

    def blurred(self, number: int, joint: Joint) -> NDArray[np.bool_]:
        """Return of which vehicles of a group a joint spins too fast to be followed, shape (n,)."""
        return np.abs(self._steps[number][joint]) > FASTEST_TURN

    def places(self, number: int, joints: tuple[Joint, ...], bodies: Array, frame: Frame) -> Array:
        """Return where pieces of the vehicles of a group are.

        Parameters
        ----------
        number : int
            Of the group.
        joints : tuple of Joint
            What moves the piece.
        bodies : ndarray, shape (n, 3, 4)
            Matrices from FRD of its vehicles to NED, and their origins [m].
        frame : Frame
            The frame that has been advanced to.

        Returns
        -------
        ndarray, shape (n, 3, 4)
            Matrices from the axes of the piece to NED.
        """
        rows = list(rows_of(self._world))[number][1]
        places = bodies
        for joint in reversed(joints):
            if joint.kind == SPIN:
                angle = self._angles[number][joint]
            else:
                angle = joint.gain * np.nan_to_num(
                    frame.displayed[rows, joint.actuator].astype(float)
                )
            places = chained(places, _turns(joint, angle))
        return places
