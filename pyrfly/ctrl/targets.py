"""Standing set-points: what vehicles are to do until told otherwise.

A target is kept as the verb said it, because links say it on in different ways: in process and over
RflySim's inSIL port as words (`pyrfly.protocol.synthesis`), over the UDP modes as a set-point
message.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import Words

__all__ = [
    "BODY",
    "GLOBAL",
    "LOCAL",
    "RELATIVE",
    "AttitudeTarget",
    "PositionTarget",
    "RateTarget",
    "StickTarget",
    "Target",
    "WordsTarget",
]

Array = NDArray[np.float64]

# MAV_FRAME of the MAVLink common messages.
LOCAL = 1
BODY = 8
GLOBAL = 5
RELATIVE = 6  # as GLOBAL, the height counts from the take-off point


class Target(Protocol):
    """A standing set-point of k vehicles."""

    def words(self) -> Words:
        """Return the words of the inSIL ports that say it, without a command."""


@dataclass(frozen=True)
class PositionTarget:
    """Position, velocity, acceleration and heading, as in MAVLink's SET_POSITION_TARGET_LOCAL_NED.

    Attributes
    ----------
    type_mask : int
        What is ignored: bits of MAVLink's POSITION_TARGET_TYPEMASK.
    frame : int
        MAVLink's frame: `LOCAL`, `BODY` or `GLOBAL` (and their kin).
    pos : ndarray, shape (k, 3)
        Position [m, NED from the take-off point; or forward, right, down of the vehicle]; in a
        global frame latitude [deg], longitude [deg], height [m].
    vel, acc : ndarray, shape (k, 3)
        Velocity [m/s] and acceleration [m/s^2], NED, or forward, right, down.
    yaw, yaw_rate : ndarray, shape (k,)
        Heading [rad, NED] and its rate [rad/s].
    simple_mode : int, optional
        ctrlMode of RflySim's 24-byte message that says the same; None where there is none.
    """

    type_mask: int
    frame: int
    pos: Array
    vel: Array
    acc: Array
    yaw: Array
    yaw_rate: Array
    simple_mode: int | None = None

    def words(self) -> Words:
        """See `Target.words`."""
        return synthesis.position_target(
            self.type_mask, self.frame, self.pos, self.vel, self.acc, self.yaw, self.yaw_rate
        )


@dataclass(frozen=True)
class AttitudeTarget:
    """Roll, pitch and yaw.

    Attributes
    ----------
    euler : ndarray, shape (k, 3)
        Angles [rad].
    thrust : ndarray, shape (k,), optional
        Collective thrust as a share of the most. None: the height is held.
    down : ndarray, shape (k,), optional
        With ``thrust`` None: the height to hold, as down coordinate from the take-off point [m].
    """

    euler: Array
    thrust: Array | None = None
    down: Array | None = None

    def words(self) -> Words:
        """See `Target.words`."""
        return synthesis.attitude_target(self.euler, self.thrust, down=self.down)


@dataclass(frozen=True)
class RateTarget:
    """Body rates.

    Attributes
    ----------
    rate : ndarray, shape (k, 3)
        Rates [rad/s, FRD].
    thrust, down
        As in `AttitudeTarget`.
    """

    rate: Array
    thrust: Array | None = None
    down: Array | None = None

    def words(self) -> Words:
        """See `Target.words`."""
        return synthesis.body_rate_target(self.rate, self.thrust, down=self.down)


@dataclass(frozen=True)
class StickTarget:
    """Sticks of a remote control.

    Attributes
    ----------
    pulses : ndarray, shape (k, 3)
        Pitch, roll and yaw [us]; 1500 is the centre, more is forward, right and clockwise.
    """

    pulses: Array

    def words(self) -> Words:
        """See `Target.words`."""
        words = synthesis.words(len(self.pulses))
        words.floats[:, synthesis.VEL] = self.pulses  # where the sticks are, without a velocity
        return words


@dataclass(frozen=True)
class WordsTarget:
    """Words of the inSIL ports, as they are.

    Attributes
    ----------
    raw : Words
        The words.
    """

    raw: Words

    def words(self) -> Words:
        """See `Target.words`."""
        return self.raw
