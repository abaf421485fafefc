"""The older methods for vehicles without PX4 (RflySim's synthesis models).

Their positions are relative to the map centre, where those of the other methods are relative to the
take-off point. Set-points are obeyed in offboard, commands at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.targets import WordsTarget
from pyrfly.ctrl.verbs.controller import Controller
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import (
    ACC,
    ATT,
    BASE,
    COMMAND,
    OFFBOARD,
    POS,
    THRUST,
    VEL,
    Command,
    Offboard,
)

__all__ = ["SynVerbs"]

Array = NDArray[np.float64]

_YAW, _YAW_RATE = ATT.start + 2, synthesis.ATT_RATE.start + 2


class SynVerbs(Controller):
    """RflySim's Syn methods."""

    # --- limits

    @property
    def maxVelXy(self) -> Any:
        """Largest horizontal speed that is commanded [m/s]."""
        return self._limit("speed_limit", None)

    @maxVelXy.setter
    def maxVelXy(self, speed: ArrayLike) -> None:
        self._set_limit("maxVelXy", "speed_limit", None, speed, "m/s")

    @property
    def maxVelZ(self) -> Any:
        """Largest climb rate that is commanded [m/s]."""
        return self._limit("climb_limit", None)

    @maxVelZ.setter
    def maxVelZ(self, speed: ArrayLike) -> None:
        self._set_limit("maxVelZ", "climb_limit", None, speed, "m/s")

    @property
    def maxAccXy(self) -> Any:
        """Largest horizontal acceleration that is commanded [m/s^2]."""
        return self._limit("accel_limit", None)

    @maxAccXy.setter
    def maxAccXy(self, acceleration: ArrayLike) -> None:
        self._set_limit("maxAccXy", "accel_limit", None, acceleration, "m/s^2")

    @property
    def maxAccZ(self) -> Any:
        """Largest upward acceleration, which follows from thrust and weight [m/s^2]."""
        link = self._link
        lift = link.read("thrust_limit")[:, 1] / link.read("mass")
        return self._shown_scalar(lift - link.read("gravity"))

    # --- set-points

    def ResetSynCmd(self) -> None:
        """Drop the set-point; hold the place."""
        self._aim(None)

    def SendSynPos(self, x: ArrayLike, y: ArrayLike, z: ArrayLike, yaw: ArrayLike) -> None:
        """Fly to a place relative to the map centre [m, NED], and turn to a heading [rad]."""
        pos, heading = self._triple("x y z", (x, y, z), "m"), self._numbers("yaw", yaw, "rad")
        self._send(Offboard.POSITION | Offboard.YAW, [(POS, pos), (_YAW, heading)])

    def SendSynVel(self, vx: ArrayLike, vy: ArrayLike, vz: ArrayLike, yawRate: ArrayLike) -> None:
        """Fly with a velocity [m/s, NED], and turn at a rate [rad/s]."""
        vel = self._triple("vx vy vz", (vx, vy, vz), "m/s")
        rate = self._numbers("yawRate", yawRate, "rad/s")
        self._send(Offboard.VELOCITY | Offboard.YAW_RATE, [(VEL, vel), (_YAW_RATE, rate)])

    def SendSynAcc(self, ax: ArrayLike, ay: ArrayLike, az: ArrayLike) -> None:
        """Fly with an acceleration [m/s^2, NED]."""
        acc = self._triple("ax ay az", (ax, ay, az), "m/s^2")
        self._send(Offboard.ACCELERATION, [(ACC, acc)])

    def SendSynFull(
        self,
        x: ArrayLike,
        y: ArrayLike,
        z: ArrayLike,
        vx: ArrayLike,
        vy: ArrayLike,
        vz: ArrayLike,
        ax: ArrayLike,
        ay: ArrayLike,
        az: ArrayLike,
        yawRate: ArrayLike,
    ) -> None:
        """Follow a moving place.

        Parameters
        ----------
        x, y, z : float or array_like of shape (k,)
            Place relative to the map centre [m, NED].
        vx, vy, vz, ax, ay, az : float or array_like of shape (k,)
            Its velocity [m/s, NED] and acceleration [m/s^2, NED].
        yawRate : float or array_like of shape (k,)
            Rate of the heading [rad/s].
        """
        bits = Offboard.POSITION | Offboard.VELOCITY | Offboard.ACCELERATION | Offboard.YAW_RATE
        values: list[tuple[Any, Array]] = [
            (POS, self._triple("x y z", (x, y, z), "m")),
            (VEL, self._triple("vx vy vz", (vx, vy, vz), "m/s")),
            (ACC, self._triple("ax ay az", (ax, ay, az), "m/s^2")),
            (_YAW_RATE, self._numbers("yawRate", yawRate, "rad/s")),
        ]
        self._send(bits | Offboard.FULL, values)

    def SendSynAttThrust(
        self, roll: ArrayLike, pitch: ArrayLike, yaw: ArrayLike, thrust: ArrayLike
    ) -> None:
        """Hold angles [rad] at a collective thrust, a share of the most, 0 to 1."""
        att = self._triple("roll pitch yaw", (roll, pitch, yaw), "rad")
        share = self._finite("thrust", thrust, "1")
        self._send(Offboard.ATTITUDE | Offboard.THRUST, [(ATT, att), (THRUST, share)])

    def SendSynAtt(self, roll: ArrayLike, pitch: ArrayLike, yaw: ArrayLike) -> None:
        """Hold angles [rad] and the height."""
        att = self._triple("roll pitch yaw", (roll, pitch, yaw), "rad")
        self._send(Offboard.ATTITUDE, [(ATT, att)])

    def SendPosSpeedFWSyn(self, x: ArrayLike, y: ArrayLike, z: ArrayLike, speed: ArrayLike) -> None:
        """Fly a fixed wing to a place at a speed.

        Raises
        ------
        UnsupportedError
            Always: there are no fixed wings yet.
        """
        raise self._unsupported(
            "SendPosSpeedFWSyn", "there are no fixed wings yet; use SendSynPos and SendCopterSpeed"
        )

    # --- commands

    def TakeoffSyn(self, height: ArrayLike) -> None:
        """Climb above the present place; ``height`` [m, NED of the map], 0 for the default."""
        down = self._finite("height", height, "m")
        link = self._ready()
        link.aim(None)
        armed = np.where(link.estimate.armed, int(Command.ARMED), 0)
        words = synthesis.words(link.k)
        words.ints[:, COMMAND] = int(BASE | Command.TAKEOFF) | armed
        words.ints[:, OFFBOARD] = Offboard.POSITION
        words.floats[:, POS] = np.nan
        words.floats[:, POS.start + 2] = down
        link.command(words)

    def ReturnHomeSyn(self, height: ArrayLike) -> None:
        """Fly above home at ``height`` [m, NED of the map], within 1 m of 0: the present one."""
        self._go(Command.RETURN, height)

    def LandSyn(self, height: ArrayLike = 0) -> None:
        """Land where the vehicle is; at ``height`` [m, NED of the map] unless within 1 m of 0."""
        self._go(Command.LAND, height)

    # --- inside

    def _go(self, task: Command, height: ArrayLike) -> None:
        down = self._finite("height", height, "m")
        link = self._ready()
        link.aim(None)
        words = synthesis.words(link.k)
        words.ints[:, COMMAND] = BASE | Command.ARMED | task
        words.floats[:, POS.start + 2] = down
        link.command(words)

    def _send(self, bits: Offboard, values: list[tuple[Any, Array]]) -> None:
        """Aim at words; in offboard a return or a landing ends."""
        link = self._ready()
        words = synthesis.words(link.k)
        words.ints[:, OFFBOARD] = bits
        for where, value in values:
            words.floats[:, where] = value
        if self._offboard:
            armed = np.where(link.estimate.armed, int(Command.ARMED), 0)
            link.command_bits(int(BASE | Command.POSITION) | armed)
        link.aim(WordsTarget(words))

    def _limit(self, column: str, component: int | None) -> Any:
        values = self._link.read(column)
        return self._shown_scalar(values if component is None else values[:, component])

    def _set_limit(
        self, name: str, column: str, component: int | None, value: ArrayLike, unit: str
    ) -> None:
        values = self._finite(name, value, unit)
        if not (values > 0).all():
            raise ValueError(f"{name}: expected a value above 0 [{unit}], got {value!r:.80}")
        self._link.write(column, values, component)
