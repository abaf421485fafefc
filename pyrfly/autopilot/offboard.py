"""Set-points of mode Offboard: what PX4 takes a message for, `set_points_of`.

As PX4 v1.16.1 reads SET_POSITION_TARGET_LOCAL_NED, SET_POSITION_TARGET_GLOBAL_INT and
SET_ATTITUDE_TARGET [@px4 v1.16.1 mavlink_receiver.cpp].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.frames import euler_of_quaternion, yaw_of_quaternion
from pyrfly.protocol import synthesis
from pyrfly.protocol.full_message import inputs_of, kinds_of
from pyrfly.protocol.masks import (
    AttitudeIgnore,
    MavFrame,
    PositionIgnore,
    PositionKind,
    position_kinds,
)
from pyrfly.protocol.synthesis import Inputs, inputs

__all__ = ["SET_POINTS", "Verdict", "set_points_of"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Records = NDArray[Any]

_THRUST_BODY = 1 << 5
"""Bit of ATTITUDE_TARGET_TYPEMASK: the thrust is ``thrust_body``."""

_SMALLEST_QUATERNION = 1e-3
_QUARTER = 0.5 * np.pi
_YAW = 11  # number among the floats of RflySim's inputs
NUMBERS = 16
"""Numbers of the message of 120 bytes, which has those of SET_POSITION_TARGET_LOCAL_NED."""


class Verdict(IntEnum):
    """What is to be done with a set-point."""

    USED = 0
    BAD_FRAME = 1
    """Of a frame that PX4 does not support."""
    FORCE = 2
    """A force in place of the acceleration."""
    EMPTY = 3
    """None of position, velocity, acceleration, attitude and angular velocity is set."""
    NOT_FINITE = 4
    """An infinity, or an attitude that is none."""


def set_points_of(
    name: str,
    records: Records,
    att: Array,
    home_alt: ArrayLike = 0.0,
    hovers: ArrayLike = True,
    lead: ArrayLike = 0.0,
) -> tuple[Inputs, NDArray[np.int8]]:
    """Return the inputs of the synthesis model for set-points, and a `Verdict` on each.

    A velocity forward, right, down is turned by the heading that the vehicle has now, an
    acceleration by its attitude; a position in that frame does not count. Components that are not
    set, or NaN, are not controlled. The yaw rate of an attitude puts its heading ahead, so that a
    vehicle turns at that rate which is sent its own heading.

    Parameters
    ----------
    name : str
        A key of `SET_POINTS`.
    records : ndarray, shape (k,)
        Messages, of the dtype of ``pyrfly.mavlink.blank(name)``.
    att : ndarray, shape (k, 4)
        Attitudes of the vehicles, scalar first, FRD to NED.
    home_alt : array_like, shape (k,) or ()
        Altitudes of their homes [m above sea level], which count for heights above home.
    hovers : array_like of bool, shape (k,) or ()
        Which vehicles hover; the others also take PX4's kinds of position set-points for fixed
        wings, `PositionKind`, of which a take-off and a landing are commands, to disarmed
        vehicles, and RflySim's coding of SendVelYawAlt.
    lead : array_like, shape (k,) or ()
        Times by which a yaw rate puts the heading of an attitude ahead [s], see
        `pyrfly.autopilot.sticks.turning_lead`.

    Returns
    -------
    inputs : Inputs
        One row per set-point; those of another verdict than `Verdict.USED` have no meaning.
    verdicts : ndarray of int8, shape (k,)
    """
    with np.errstate(invalid="ignore", over="ignore"):  # of NaNs that signal, and huge numbers
        found, verdicts = SET_POINTS[name](records, att, np.asarray(home_alt, np.float64))
        if name != "SET_ATTITUDE_TARGET" and not np.all(hovers):
            wings = ~np.broadcast_to(np.asarray(hovers, np.bool_), len(records))
            _take_kinds(found, records, wings & (verdicts == Verdict.USED))
        if name == "SET_ATTITUDE_TARGET":
            _turn_heading(found, records, np.asarray(lead, np.float64))
    return found, verdicts


def _turn_heading(found: Inputs, records: Records, lead: Array) -> None:
    """Put the headings of attitudes ahead by their yaw rates, by a quarter of a turn at most."""
    mask = records["type_mask"].astype(np.int64)
    turning = mask & (AttitudeIgnore.ATTITUDE | AttitudeIgnore.YAW_RATE) == 0
    rate = np.where(turning, np.nan_to_num(records["body_yaw_rate"].astype(np.float64)), 0.0)
    found.floats[:, _YAW] += np.clip(rate * lead, -_QUARTER, _QUARTER)


def _take_kinds(found: Inputs, records: Records, wings: Bools) -> None:
    """Replace the inputs of vehicles that do not hover by those of their kinds of set-points."""
    masks = records["type_mask"].astype(np.int64)
    kinds = np.where(wings, position_kinds(masks), 0)
    for number in np.unique(kinds[kinds != 0]).tolist():
        rows = kinds == number
        chosen = Inputs(found.ints[rows], found.floats[rows])
        found.ints[rows], found.floats[rows] = synthesis.of_kind(
            chosen, PositionKind(number), False
        )
    if "z" in (records.dtype.names or ()):
        controls = np.zeros((len(records), NUMBERS))
        names = (*_FIELDS[0], *_FIELDS[1], *_FIELDS[2], "yaw", "yaw_rate")
        controls[:, : len(names)] = np.column_stack([records[field] for field in names])
        frames = records["coordinate_frame"].astype(np.int64)
        rows = wings & kinds_of(masks, frames, controls).speed_height
        if rows.any():
            found.ints[rows], found.floats[rows] = inputs_of(
                masks[rows], frames[rows], controls[rows]
            )


def _local(records: Records, att: Array, home_alt: Array) -> tuple[Inputs, NDArray[np.int8]]:
    mask = records["type_mask"].astype(np.int64)
    frame = records["coordinate_frame"]
    body = frame == MavFrame.BODY_NED
    pos, vel, acc = (_vectors(records, names) for names in _FIELDS)
    mask[body] |= PositionIgnore.POSITION
    for bits in (PositionIgnore.VELOCITY, PositionIgnore.ACCELERATION):
        mask[body & (mask & bits != 0)] |= bits  # one that is not set drops all three
    if body.any():
        vel[body] = _turned_by_heading(vel[body], att[body])
        acc[body] = _turned_by_attitude(acc[body], att[body])
    verdicts = _verdicts(mask, np.isin(frame, (MavFrame.LOCAL_NED, MavFrame.BODY_NED)))
    return _position_inputs(records, mask, MavFrame.LOCAL_NED, (pos, vel, acc), verdicts)


def _global(records: Records, att: Array, home_alt: Array) -> tuple[Inputs, NDArray[np.int8]]:
    mask = records["type_mask"].astype(np.int64)
    frame = records["coordinate_frame"].astype(np.int64)
    known = np.isin(frame, _GLOBAL_FRAMES)
    above_home = np.isin(frame, (_RELATIVE, MavFrame.GLOBAL_RELATIVE_ALT_INT))
    alt = records["alt"].astype(np.float64) + np.where(above_home, home_alt, 0.0)
    pos = np.stack([records["lat_int"] * 1e-7, records["lon_int"] * 1e-7, alt], axis=-1)
    vel, acc = (_vectors(records, names) for names in _FIELDS[1:])
    verdicts = _verdicts(mask, known)
    return _position_inputs(records, mask, MavFrame.GLOBAL_INT, (pos, vel, acc), verdicts)


def _attitude(records: Records, att: Array, home_alt: Array) -> tuple[Inputs, NDArray[np.int8]]:
    mask = records["type_mask"].astype(np.int64)
    quaternion = records["q"].astype(np.float64)
    length = exact.norm(quaternion)
    rates = _vectors(records, ("body_roll_rate", "body_pitch_rate", "body_yaw_rate"))
    rates[:, 2][mask & AttitudeIgnore.YAW_RATE != 0] = 0.0
    along_body = mask & _THRUST_BODY != 0
    thrust = np.where(along_body, -records["thrust_body"][:, 2], records["thrust"])
    thrust = np.where(mask & AttitudeIgnore.THROTTLE != 0, 0.0, thrust)
    by_attitude = mask & AttitudeIgnore.ATTITUDE == 0
    by_rates = ~by_attitude & (mask & (AttitudeIgnore.ROLL_RATE | AttitudeIgnore.PITCH_RATE) == 0)
    verdicts = np.full(len(records), Verdict.EMPTY, np.int8)
    verdicts[by_attitude | by_rates] = Verdict.USED
    is_attitude = np.isfinite(length) & (length > _SMALLEST_QUATERNION)
    valid = np.where(by_attitude, is_attitude, np.isfinite(rates).all(axis=1))
    verdicts[(verdicts == Verdict.USED) & ~(valid & np.isfinite(thrust))] = Verdict.NOT_FINITE
    found = inputs(len(records))
    clipped = np.clip(np.nan_to_num(thrust), 0.0, 1.0)
    rows = by_attitude & (verdicts == Verdict.USED)
    if rows.any():
        angles = euler_of_quaternion(quaternion[rows] / length[rows, None])
        found.ints[rows], found.floats[rows] = synthesis.attitude_target(angles, clipped[rows])
    rows = by_rates & (verdicts == Verdict.USED)
    if rows.any():
        found.ints[rows], found.floats[rows] = synthesis.body_rate_target(
            rates[rows], clipped[rows]
        )
    return found, verdicts


SET_POINTS: Mapping[str, Callable[[Records, Array, Array], tuple[Inputs, NDArray[np.int8]]]] = {
    "SET_POSITION_TARGET_LOCAL_NED": _local,
    "SET_POSITION_TARGET_GLOBAL_INT": _global,
    "SET_ATTITUDE_TARGET": _attitude,
}
"""How each message is read."""

_FIELDS = (("x", "y", "z"), ("vx", "vy", "vz"), ("afx", "afy", "afz"))
_GLOBAL, _RELATIVE = 0, 3  # MAV_FRAME of degrees, which mean the same in these messages
_GLOBAL_FRAMES = (
    *(_GLOBAL, _RELATIVE),
    *(int(MavFrame.GLOBAL_INT), int(MavFrame.GLOBAL_RELATIVE_ALT_INT)),
)
_MOTION = PositionIgnore.POSITION | PositionIgnore.VELOCITY | PositionIgnore.ACCELERATION


def _verdicts(mask: NDArray[np.int64], frame_is_known: Bools) -> NDArray[np.int8]:
    """Return verdicts on position set-points, but for what is not finite."""
    forces = (mask & PositionIgnore.FORCE != 0) & (
        mask & PositionIgnore.ACCELERATION != PositionIgnore.ACCELERATION
    )
    found = np.full(len(mask), Verdict.USED, np.int8)
    found[mask & _MOTION == _MOTION] = Verdict.EMPTY
    found[forces] = Verdict.FORCE
    found[~frame_is_known] = Verdict.BAD_FRAME
    return found


def _position_inputs(
    records: Records,
    mask: NDArray[np.int64],
    frame: MavFrame,
    motion: tuple[Array, Array, Array],
    verdicts: NDArray[np.int8],
) -> tuple[Inputs, NDArray[np.int8]]:
    yaw, yaw_rate = (records[name].astype(np.float64) for name in ("yaw", "yaw_rate"))
    numbers = np.column_stack([*motion, yaw, yaw_rate])
    ignored = (mask[:, None] >> _BIT_OF_NUMBER) & 1 != 0
    infinite = (np.isinf(numbers) & ~ignored).any(axis=1)
    verdicts[(verdicts == Verdict.USED) & infinite] = Verdict.NOT_FINITE
    numbers[np.isinf(numbers)] = np.nan
    nothing = ~(np.isfinite(numbers) & ~ignored)[:, :9].any(axis=1)
    verdicts[(verdicts == Verdict.USED) & nothing] = Verdict.EMPTY
    pos, vel, acc = numbers[:, :3], numbers[:, 3:6], numbers[:, 6:9]
    # a heading that is NaN is not set
    mask = mask | np.where(np.isnan(yaw), int(PositionIgnore.YAW), 0)
    mask |= np.where(np.isnan(yaw_rate), int(PositionIgnore.YAW_RATE), 0)
    frames = np.full(mask.shape, int(frame))
    return synthesis.position_target(mask, frames, pos, vel, acc, yaw, yaw_rate), verdicts


_BIT_OF_NUMBER = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11])
"""Bit of the mask of each of the eleven numbers; bit 9 is that of the force."""


def _vectors(records: Records, names: tuple[str, str, str]) -> Array:
    return np.stack([records[name] for name in names], axis=-1).astype(np.float64)


def _turned_by_heading(vectors: Array, att: Array) -> Array:
    sine, cosine = exact.sincos(yaw_of_quaternion(att))
    forward, right, down = vectors.T
    return np.stack([cosine * forward - sine * right, sine * forward + cosine * right, down], -1)


def _turned_by_attitude(vectors: Array, att: Array) -> Array:
    """Return vectors (k, 3), FRD to NED, by v + 2 w (u x v) + 2 u x (u x v) of (w, u)."""
    axis, scalar = att[:, 1:], att[:, :1]
    twice = 2.0 * np.cross(axis, vectors)
    return np.asarray(vectors + scalar * twice + np.cross(axis, twice))
