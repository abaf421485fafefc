"""Set-points, which stand until replaced, and the command of a take-off, as a link gets them.

They are kept as the method has them, because links encode them differently: in process and for
RflySim's inSIL port as inputs of the synthesis model (`pyrfly.protocol.synthesis`), over the UDP
modes as messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.protocol import synthesis
from pyrfly.protocol.masks import MavFrame, position_mask
from pyrfly.protocol.short_message import ShortMode
from pyrfly.protocol.synthesis import Inputs

__all__ = [
    "CENTRE",
    "AttitudeTarget",
    "InputsTarget",
    "MaskedTarget",
    "PositionTarget",
    "RateTarget",
    "StickTarget",
    "TakeOff",
    "Target",
]

Array = NDArray[np.float64]

CENTRE = 1500.0
"""Pulse of a stick in its centre [us]."""


class Target(Protocol):
    """A set-point of k vehicles; `pyrfly.protocol.short_message` has two more."""

    def inputs(self) -> Inputs:
        """Return the inputs of the synthesis model for it, without a command."""


@dataclass(frozen=True)
class MaskedTarget:
    """A set-point as MAVLink's SET_POSITION_TARGET_LOCAL_NED or ..._GLOBAL_INT has it.

    Attributes
    ----------
    type_mask : int
        Ignored fields: bits of `pyrfly.protocol.masks.PositionIgnore`.
    frame, pos, vel, acc, yaw, yaw_rate
        As in `PositionTarget`.
    """

    type_mask: int
    frame: MavFrame
    pos: Array
    vel: Array
    acc: Array
    yaw: Array
    yaw_rate: Array

    def inputs(self) -> Inputs:
        """See `Target.inputs`."""
        return synthesis.position_target(
            self.type_mask, self.frame, self.pos, self.vel, self.acc, self.yaw, self.yaw_rate
        )

    def masked(self) -> MaskedTarget:
        """Return itself."""
        return self


@dataclass(frozen=True)
class PositionTarget:
    """Position, velocity, acceleration and heading; what is None does not count.

    Attributes
    ----------
    frame : MavFrame
        Frame of the vectors.
    pos : ndarray, shape (k, 3), optional
        Position [m, NED from the take-off point; or forward, right, down of the vehicle]; in a
        global frame latitude [deg], longitude [deg], height [m].
    vel, acc : ndarray, shape (k, 3), optional
        Velocity [m/s] and acceleration [m/s^2], NED, or forward, right, down.
    yaw, yaw_rate : ndarray, shape (k,), optional
        Heading [rad, NED] and its rate [rad/s].
    short : ShortMode, optional
        Mode of RflySim's 24-byte message for it; None where there is none.
    """

    frame: MavFrame
    pos: Array | None = None
    vel: Array | None = None
    acc: Array | None = None
    yaw: Array | None = None
    yaw_rate: Array | None = None
    short: ShortMode | None = None

    def fields(self) -> dict[str, Array]:
        """Return what counts, by name."""
        values = {name: getattr(self, name) for name in _POSITION_FIELDS}
        return {name: value for name, value in values.items() if value is not None}

    def inputs(self) -> Inputs:
        """See `Target.inputs`."""
        return synthesis.set_points(self.frame, **self.fields())

    def masked(self) -> MaskedTarget:
        """Return it as MAVLink has it; what does not count is 0."""
        fields = self.fields()
        k = len(next(iter(fields.values())))
        whole = {name: np.zeros((k, 3) if name in _VECTORS else k) for name in _POSITION_FIELDS}
        counts = [name in fields for name in ("pos", "vel", "acc", "acc", "yaw", "yaw_rate")]
        # the acceleration counts with the bit of the force, as RflySim's client has it
        return MaskedTarget(position_mask(*counts), self.frame, **(whole | fields))


_VECTORS = ("pos", "vel", "acc")
_POSITION_FIELDS = (*_VECTORS, "yaw", "yaw_rate")


@dataclass(frozen=True)
class AttitudeTarget:
    """Roll, pitch and yaw.

    Attributes
    ----------
    euler : ndarray, shape (k, 3)
        Angles [rad].
    thrust : ndarray, shape (k,), optional
        Normalized collective thrust. None: the height is held.
    down : ndarray, shape (k,), optional
        With ``thrust`` None: the height to hold, as down coordinate from the take-off point [m].
    """

    euler: Array
    thrust: Array | None = None
    down: Array | None = None

    def inputs(self) -> Inputs:
        """See `Target.inputs`."""
        return synthesis.attitude_target(self.euler, self.thrust, down=self.down)


@dataclass(frozen=True)
class RateTarget:
    """Angular velocity.

    Attributes
    ----------
    rate : ndarray, shape (k, 3)
        Angular velocity [rad/s, FRD].
    thrust, down
        As in `AttitudeTarget`.
    """

    rate: Array
    thrust: Array | None = None
    down: Array | None = None

    def inputs(self) -> Inputs:
        """See `Target.inputs`."""
        return synthesis.body_rate_target(self.rate, self.thrust, down=self.down)


@dataclass(frozen=True)
class StickTarget:
    """Sticks of a remote control.

    Attributes
    ----------
    pulses : ndarray, shape (k, 4)
        Pitch, roll, yaw and throttle [us]; 1500 is the centre, more is forward, right, clockwise
        and, of what dives, up.
    """

    pulses: Array

    @property
    def deflected(self) -> bool:
        """Whether a stick is not centred."""
        return bool((self.pulses != CENTRE).any())

    def inputs(self) -> Inputs:
        """See `Target.inputs`."""
        inputs = synthesis.inputs(len(self.pulses))
        inputs.floats[:, synthesis.VEL] = self.pulses[:, :3]  # sticks, while VELOCITY is not set
        inputs.floats[:, synthesis.ACC.start] = self.pulses[:, 3]
        return inputs


@dataclass(frozen=True)
class InputsTarget:
    """Inputs of the synthesis model, as they are.

    Attributes
    ----------
    raw : Inputs
        The inputs.
    """

    raw: Inputs

    def inputs(self) -> Inputs:
        """See `Target.inputs`."""
        return self.raw


@dataclass(frozen=True)
class TakeOff:
    """The command of a take-off.

    Attributes
    ----------
    pos : ndarray, shape (k, 3)
        Position from the take-off point [m, NED]; see `synthesis.take_off`.
    yaw : ndarray, shape (k,)
        Heading [rad]; NaN: the present one.
    pitch : ndarray, shape (k,), optional
        Pitch angle of a climb by wings [rad]; without one, and for 0, that of the vehicle.
    """

    pos: Array
    yaw: Array
    pitch: Array | None = None

    def inputs(self, armed: ArrayLike, pitches: ArrayLike = False) -> Inputs:
        """Return the inputs of the synthesis model, with the command.

        Parameters
        ----------
        armed, pitches : array_like of bool, shape (k,) or ()
            Which vehicles are armed, and which climb with a pitch angle.
        """
        x, y, z = self.pos.T
        pitch = np.zeros(len(x)) if self.pitch is None else np.where(pitches, self.pitch, 0.0)
        return synthesis.take_off(x, y, z, self.yaw, armed=armed, pitch=pitch)
