"""RflySim's message of 24 bytes, ``inOffboardShortData``: a mode (ctrlMode) and four numbers.

`decode` returns what a message requests as one of the types below, for k vehicles at once; their
``controls`` are the four numbers again. The bytes are those of `pyrfly.wire`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.protocol import synthesis
from pyrfly.protocol.masks import MavFrame
from pyrfly.protocol.synthesis import Inputs

__all__ = [
    "MODES",
    "SET_POINTS",
    "Arm",
    "Cruise",
    "Message",
    "SetPoint",
    "ShortMode",
    "SpeedHeight",
    "TakeOff",
    "TakeOffGlobal",
    "decode",
    "not_finite",
]

Array = NDArray[np.float64]


class ShortMode(IntEnum):
    """Values of ctrlMode; those below 0 request nothing, 5 is not published."""

    VELOCITY_NED = 0
    """Velocity [m/s, NED], heading rate [rad/s]; NaN, here and in positions: not controlled."""
    VELOCITY_FRD = 1
    """Velocity forward, right, down of the heading [m/s], heading rate [rad/s]."""
    POSITION_NED = 2
    """Position from the take-off point [m, NED], heading [rad]."""
    POSITION_FRD = 3
    """Offset forward, right, down of the heading [m], heading [rad]."""
    ATTITUDE = 4
    """Roll, pitch, yaw [rad], normalized collective thrust."""
    ACCELERATION = 6
    """Acceleration [m/s^2, NED]."""
    ACCELERATION_YAW_RATE = 7
    """Acceleration [m/s^2, NED], heading rate [rad/s]."""
    ACCELERATION_YAW = 8
    """Acceleration [m/s^2, NED], heading [rad]."""
    ARM = 9
    """Not 0: arm, 0: disarm."""
    CRUISE = 10
    """Cruise speed [m/s], radius of circles [m]; 0 for one that is not given."""
    TAKE_OFF = 11
    """Position from the take-off point [m, NED], heading [rad]."""
    TAKE_OFF_GLOBAL = 12
    """Latitude [deg], longitude [deg], height [m, up]."""
    SPEED_HEIGHT = 13
    """Speed [m/s], down coordinate from the take-off point [m], heading [rad]."""


class _Layout(NamedTuple):
    """A set-point: its frame, the names of its vector and of its fourth number."""

    frame: MavFrame | None
    vector: str
    fourth: str | None


_NED, _FRD = MavFrame.LOCAL_NED, MavFrame.BODY_NED
_LAYOUTS = {
    ShortMode.VELOCITY_NED: _Layout(_NED, "vel", "yaw_rate"),
    ShortMode.VELOCITY_FRD: _Layout(_FRD, "vel", "yaw_rate"),
    ShortMode.POSITION_NED: _Layout(_NED, "pos", "yaw"),
    ShortMode.POSITION_FRD: _Layout(_FRD, "pos", "yaw"),
    ShortMode.ATTITUDE: _Layout(None, "att", "thrust"),
    ShortMode.ACCELERATION: _Layout(_NED, "acc", None),
    ShortMode.ACCELERATION_YAW_RATE: _Layout(_NED, "acc", "yaw_rate"),
    ShortMode.ACCELERATION_YAW: _Layout(_NED, "acc", "yaw"),
}


MODES = frozenset(ShortMode)
"""Values of ctrlMode that request something."""

SET_POINTS = frozenset((*_LAYOUTS, ShortMode.SPEED_HEIGHT))
"""Those of set-points, which a client repeats; the others are commands."""

_NAN_COUNTS = {
    **{mode: 4 for mode, layout in _LAYOUTS.items() if layout.vector != "att"},
    ShortMode.TAKE_OFF: 4,
    ShortMode.TAKE_OFF_GLOBAL: 1,
}
"""How many of the four numbers, from the last, may be NaN."""


class _Message:
    """Base of the messages."""

    mode: ShortMode

    def _columns(self) -> tuple[Array, ...]:
        """Return the numbers as columns, shape (k,) or (k, width), without trailing zeros."""
        raise NotImplementedError

    @property
    def controls(self) -> Array:
        """The four numbers of the message, shape (k, 4)."""
        rows = np.column_stack(self._columns())
        return np.pad(rows, ((0, 0), (0, 4 - rows.shape[1])))


@dataclass(frozen=True, eq=False)
class SetPoint(_Message):
    """A set-point of one of the modes up to ACCELERATION_YAW.

    Attributes
    ----------
    mode : ShortMode
        What the numbers are.
    vector : ndarray, shape (k, 3)
        Position, velocity, acceleration or attitude.
    fourth : ndarray, shape (k,)
        Heading, heading rate or thrust; without effect in ACCELERATION.
    """

    mode: ShortMode
    vector: Array
    fourth: Array

    @classmethod
    def of(cls, mode: ShortMode, **fields: Array) -> SetPoint:
        """Return the set-point of a mode with the fields that it uses of those given.

        Parameters
        ----------
        mode : ShortMode
            A mode of a set-point.
        **fields : ndarray, shape (k, 3) or (k,)
            By name: pos, vel, acc, att, yaw, yaw_rate, thrust.
        """
        layout = _LAYOUTS[mode]
        vector = fields[layout.vector]
        fourth = np.zeros(len(vector)) if layout.fourth is None else fields[layout.fourth]
        return cls(mode, vector, fourth)

    def _columns(self) -> tuple[Array, ...]:
        return self.vector, self.fourth

    def inputs(self) -> Inputs:
        """Return the inputs of the synthesis model, without a command."""
        layout = _LAYOUTS[self.mode]
        fields = {layout.vector: self.vector}
        if layout.fourth is not None:
            fields[layout.fourth] = self.fourth
        return synthesis.set_points(layout.frame, **fields)


@dataclass(frozen=True, eq=False)
class SpeedHeight(_Message):
    """A set-point for fixed wings; a multirotor flies along the heading, nose forward.

    Attributes
    ----------
    speed : ndarray, shape (k,)
        Horizontal speed [m/s].
    down : ndarray, shape (k,)
        Height, as down coordinate from the take-off point [m].
    yaw : ndarray, shape (k,)
        Heading and course [rad, NED].
    """

    speed: Array
    down: Array
    yaw: Array
    mode = ShortMode.SPEED_HEIGHT

    def _columns(self) -> tuple[Array, ...]:
        return self.speed, self.down, self.yaw

    @property
    def pos(self) -> Array:
        """Position from the take-off point [m, NED], shape (k, 3): the height alone, else NaN."""
        free = np.full_like(self.down, np.nan)
        return np.stack([free, free, self.down], axis=-1)

    @property
    def vel(self) -> Array:
        """Velocity [m/s, NED], shape (k, 3)."""
        sine, cosine = exact.sincos(self.yaw)
        along = (self.speed * cosine, self.speed * sine, np.zeros_like(self.speed))
        return np.stack(along, axis=-1)

    def inputs(self) -> Inputs:
        """Return the inputs of the synthesis model, without a command."""
        return synthesis.set_points(_NED, pos=self.pos, vel=self.vel, yaw=self.yaw)


@dataclass(frozen=True, eq=False)
class Arm(_Message):
    """A command to arm or disarm.

    Attributes
    ----------
    on : ndarray of bool, shape (k,)
        Whether to arm.
    """

    on: NDArray[np.bool_]
    mode = ShortMode.ARM

    def _columns(self) -> tuple[Array, ...]:
        return (self.on.astype(np.float64),)


@dataclass(frozen=True, eq=False)
class Cruise(_Message):
    """A cruise speed, which is the maximum horizontal speed of a multirotor, and a radius.

    Attributes
    ----------
    speed : ndarray, shape (k,)
        Speed [m/s]; 0 leaves it as it is.
    radius : ndarray, shape (k,)
        Radius of the circles of a fixed wing [m]; 0 leaves it as it is.
    """

    speed: Array
    radius: Array
    mode = ShortMode.CRUISE

    def _columns(self) -> tuple[Array, ...]:
        return self.speed, self.radius


@dataclass(frozen=True, eq=False)
class TakeOff(_Message):
    """A take-off.

    Attributes
    ----------
    pos : ndarray, shape (k, 3)
        Position from the take-off point [m, NED].
    yaw : ndarray, shape (k,)
        Heading [rad, NED]; NaN: the present one. RflySim's client sends 0.
    """

    pos: Array
    yaw: Array
    mode = ShortMode.TAKE_OFF

    def _columns(self) -> tuple[Array, ...]:
        return self.pos, self.yaw

    def inputs(self, armed: ArrayLike) -> Inputs:
        """Return the inputs of the synthesis model; see `synthesis.take_off` for ``armed``."""
        x, y, z = self.pos.T
        return synthesis.take_off(x, y, z, self.yaw, armed=armed)


@dataclass(frozen=True, eq=False)
class TakeOffGlobal(_Message):
    """A take-off to a geodetic position with the present heading.

    Attributes
    ----------
    lla : ndarray, shape (k, 3)
        Latitude [deg], longitude [deg], height [m, up].
    """

    lla: Array
    mode = ShortMode.TAKE_OFF_GLOBAL

    def _columns(self) -> tuple[Array, ...]:
        return (self.lla,)

    def inputs(self, armed: ArrayLike) -> Inputs:
        """Return the inputs of the synthesis model; see `synthesis.take_off` for ``armed``."""
        return synthesis.take_off_global(*self.lla.T, armed=armed)


Message = SetPoint | SpeedHeight | Arm | Cruise | TakeOff | TakeOffGlobal
"""What a message can request."""


def decode(mode: int, controls: ArrayLike) -> Message | None:
    """Return what a message requests.

    Parameters
    ----------
    mode : int
        ctrlMode.
    controls : array_like, shape (k, 4)
        Its four numbers, see `ShortMode`.

    Returns
    -------
    Message or None
        None when the mode is below 0, which requests nothing.

    Raises
    ------
    ValueError
        When there is no such mode.

    Examples
    --------
    >>> decode(2, [[1.0, 2.0, -5.0, 0.5]]).vector.tolist()
    [[1.0, 2.0, -5.0]]
    """
    if mode < 0:
        return None
    if mode not in MODES:
        known = ", ".join(str(int(known)) for known in ShortMode)
        raise ValueError(f"ctrlMode: expected one of {known}, got {mode!r}")
    values = np.atleast_2d(np.asarray(controls, np.float64))
    match ShortMode(mode):
        case ShortMode.ARM:
            return Arm(values[:, 0] != 0)
        case ShortMode.CRUISE:
            return Cruise(values[:, 0], values[:, 1])
        case ShortMode.TAKE_OFF:
            return TakeOff(values[:, :3], values[:, 3])
        case ShortMode.TAKE_OFF_GLOBAL:
            return TakeOffGlobal(values[:, :3])
        case ShortMode.SPEED_HEIGHT:
            return SpeedHeight(values[:, 0], values[:, 1], values[:, 2])
        case set_point:
            return SetPoint(set_point, values[:, :3], values[:, 3])


def not_finite(modes: NDArray[Any], controls: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which messages have a non-finite number where none is allowed.

    NaN is allowed in set-points of a position, velocity or acceleration, and is then a component
    that is not controlled, as in the message of 120 bytes: RflySim's client sends it by default.
    In a take-off it stands for the present position, and for the height that is the default.

    Parameters
    ----------
    modes : ndarray of int, shape (k,)
        ctrlMode of each message.
    controls : ndarray, shape (k, 4)
        Their numbers.
    """
    closed = np.full(len(modes), 4)  # how many of the numbers must not be NaN
    for mode, count in _NAN_COUNTS.items():
        closed[modes == mode] = 4 - count
    bad = np.isinf(controls) | (np.isnan(controls) & (np.arange(4) < closed[:, None]))
    found: NDArray[np.bool_] = bad.any(axis=1)
    return found
