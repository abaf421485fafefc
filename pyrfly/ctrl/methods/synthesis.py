"""Methods of older versions, for vehicles without PX4 (RflySim's synthesis models).

Their positions are relative to the map centre, where those of the other methods are relative to the
take-off point. Set-points are tracked in offboard, commands are executed at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.link.protocols import ParameterAccess
from pyrfly.ctrl.link.targets import InputsTarget
from pyrfly.ctrl.methods.controller import SET_POINT_WAITS, Controller
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import (
    ACC,
    ATT,
    COMMAND,
    DOWN,
    OFFBOARD,
    POS,
    THRUST,
    VEL,
    YAW,
    YAW_RATE,
    Command,
    Offboard,
    command_word,
)
from pyrfly.vehicles import Abilities

__all__ = ["SynMethods"]

Array = NDArray[np.float64]


ColumnOf = Callable[[Abilities], tuple[str, int | None] | None]
"""Returns the column and component that a vehicle has for something."""


class SynMethods(Controller):
    """RflySim's Syn methods."""

    # --- limits

    @property
    def maxVelXy(self) -> Any:
        """Maximum horizontal speed that is commanded [m/s]."""
        return self._shown_scalar(self._link.speed_limit)

    @maxVelXy.setter
    def maxVelXy(self, speed: ArrayLike) -> None:
        self._link.limit_speed(self._positive("maxVelXy", speed, "m/s"))

    @property
    def maxVelZ(self) -> Any:
        """Maximum climb rate that is commanded [m/s]."""
        return self._limit("maxVelZ", _climb)

    @maxVelZ.setter
    def maxVelZ(self, speed: ArrayLike) -> None:
        self._set_limit("maxVelZ", _climb, speed, "m/s")

    @property
    def maxAccXy(self) -> Any:
        """Maximum horizontal acceleration that is commanded [m/s^2]."""
        return self._limit("maxAccXy", _acceleration)

    @maxAccXy.setter
    def maxAccXy(self, acceleration: ArrayLike) -> None:
        self._set_limit("maxAccXy", _acceleration, acceleration, "m/s^2")

    @property
    def maxAccZ(self) -> Any:
        """Maximum upward acceleration, which follows from thrust and weight [m/s^2]."""
        access = self._access_to("maxAccZ", _thrust)
        lift = access.read_where(_thrust) / access.read_where(_mass)
        return self._shown_scalar(lift - access.read_where(_gravity))

    # --- set-points

    def ResetSynCmd(self) -> None:
        """Drop the set-point; hold the position."""
        self._set_target(None)

    def SendSynPos(self, x: ArrayLike, y: ArrayLike, z: ArrayLike, yaw: ArrayLike) -> None:
        """Fly to a position relative to the map centre [m, NED] with a heading [rad]."""
        pos, heading = self._triple("x y z", (x, y, z), "m"), self._numbers("yaw", yaw, "rad")
        self._send(Offboard.POSITION | Offboard.YAW, [(POS, pos), (YAW, heading)])

    def SendSynVel(self, vx: ArrayLike, vy: ArrayLike, vz: ArrayLike, yawRate: ArrayLike) -> None:
        """Fly with a velocity [m/s, NED] and a heading rate [rad/s]."""
        vel = self._triple("vx vy vz", (vx, vy, vz), "m/s")
        rate = self._numbers("yawRate", yawRate, "rad/s")
        self._send(Offboard.VELOCITY | Offboard.YAW_RATE, [(VEL, vel), (YAW_RATE, rate)])

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
        """Fly along a moving position.

        Parameters
        ----------
        x, y, z : float or array_like of shape (k,)
            Position relative to the map centre [m, NED].
        vx, vy, vz, ax, ay, az : float or array_like of shape (k,)
            Its velocity [m/s, NED] and acceleration [m/s^2, NED].
        yawRate : float or array_like of shape (k,)
            Heading rate [rad/s].
        """
        bits = Offboard.POSITION | Offboard.VELOCITY | Offboard.ACCELERATION | Offboard.YAW_RATE
        values: list[tuple[Any, Array]] = [
            (POS, self._triple("x y z", (x, y, z), "m")),
            (VEL, self._triple("vx vy vz", (vx, vy, vz), "m/s")),
            (ACC, self._triple("ax ay az", (ax, ay, az), "m/s^2")),
            (YAW_RATE, self._numbers("yawRate", yawRate, "rad/s")),
        ]
        self._send(bits | Offboard.FULL, values)

    def SendSynAttThrust(
        self, roll: ArrayLike, pitch: ArrayLike, yaw: ArrayLike, thrust: ArrayLike
    ) -> None:
        """Hold angles [rad] at a normalized collective thrust, limited to 0 to 1 with a warning."""
        att = self._triple("roll pitch yaw", (roll, pitch, yaw), "rad")
        normalized = self._normalized("thrust", thrust)
        self._send(Offboard.ATTITUDE | Offboard.THRUST, [(ATT, att), (THRUST, normalized)])

    def SendSynAtt(self, roll: ArrayLike, pitch: ArrayLike, yaw: ArrayLike) -> None:
        """Hold angles [rad] and the height."""
        att = self._triple("roll pitch yaw", (roll, pitch, yaw), "rad")
        self._send(Offboard.ATTITUDE, [(ATT, att)])

    def SendPosSpeedFWSyn(self, x: ArrayLike, y: ArrayLike, z: ArrayLike, speed: ArrayLike) -> None:
        """Circle a plane around a position at an airspeed.

        Parameters
        ----------
        x, y, z : float or array_like of shape (k,)
            Position relative to the map centre [m, NED].
        speed : float or array_like of shape (k,)
            Airspeed [m/s].

        Raises
        ------
        UnsupportedError
            A vehicle is no plane; only in process, where the vehicles are known.
        """
        pos = self._triple("x y z", (x, y, z), "m")
        forward = self._positive("speed", speed, "m/s")
        if isinstance(self._link, ParameterAccess):
            self._require_wings("SendPosSpeedFWSyn", "a speed at a position", self._link)
        vel = np.stack([forward, np.zeros_like(forward), np.zeros_like(forward)], axis=-1)
        self._send(Offboard.POSITION | Offboard.VELOCITY, [(POS, pos), (VEL, vel)])

    # --- commands

    def TakeoffSyn(self, height: ArrayLike) -> None:
        """Climb above the present position; ``height`` [m, NED of the map], 0 for the default."""
        self._warn_unless_armed("TakeoffSyn")
        down = self._finite("height", height, "m")
        link = self._ready()
        link.set_target(None)
        inputs = synthesis.inputs(link.k)
        inputs.ints[:, COMMAND] = command_word(link.estimate.armed, Command.TAKEOFF)
        inputs.ints[:, OFFBOARD] = Offboard.POSITION
        inputs.floats[:, POS] = np.nan
        inputs.floats[:, DOWN] = down
        link.command(inputs)

    def ReturnHomeSyn(self, height: ArrayLike) -> None:
        """Fly above home at ``height`` [m, NED of the map], within 1 m of 0: the present one."""
        self._warn_unless_armed("ReturnHomeSyn")
        self._go(Command.RETURN, height)

    def LandSyn(self, height: ArrayLike = 0) -> None:
        """Land, at ``height`` [m, NED of the map] unless it is within 1 m of 0."""
        self._go(Command.LAND, height)

    # --- inside

    def _go(self, task: Command, height: ArrayLike) -> None:
        """Command a task with a height."""
        down = self._finite("height", height, "m")
        link = self._ready()
        link.set_target(None)
        inputs = synthesis.inputs(link.k)
        inputs.ints[:, COMMAND] = command_word(True, task)
        inputs.floats[:, DOWN] = down
        link.command(inputs)

    def _send(self, bits: Offboard, values: list[tuple[Any, Array]]) -> None:
        """Set the target to inputs; in offboard a return or a landing ends."""
        link = self._ready()
        inputs = synthesis.inputs(link.k)
        inputs.ints[:, OFFBOARD] = bits
        for where, value in values:
            inputs.floats[:, where] = value
        target = InputsTarget(inputs)
        link.require_supported(target)
        if not self._offboard:
            self._warn_once(SET_POINT_WAITS)
        else:
            self._warn_unless_armed("SendSyn...")
            link.command_word(command_word(link.estimate.armed, Command.POSITION))
        link.set_target(target)

    def _access_to(self, method: str, column_of: ColumnOf) -> ParameterAccess:
        """Return the link as access to a column; an UnsupportedError names the method."""
        access = self._parameter_access(method, "pos")
        lacking = [some for some in access.vehicles if column_of(some.abilities) is None]
        if lacking:
            others = ", ".join(f"{some}, a {some.family.name}" for some in lacking)
            raise self._unsupported(method, f"expected vehicles that have one, got {others}")
        return access

    def _limit(self, method: str, column_of: ColumnOf) -> Any:
        return self._shown_scalar(self._access_to(method, column_of).read_where(column_of))

    def _set_limit(self, method: str, column_of: ColumnOf, value: ArrayLike, unit: str) -> None:
        values = self._positive(method, value, unit)
        access = self._access_to(method, column_of)
        access.write_where(lambda able: (column_of(able) or ("", None))[0], values)


def _climb(able: Abilities) -> tuple[str, int | None] | None:
    return None if able.limits.climb is None else (able.limits.climb, None)


def _acceleration(able: Abilities) -> tuple[str, int | None]:
    return able.limits.acceleration, None


def _thrust(able: Abilities) -> tuple[str, int | None] | None:
    return next((one.maximum for one in able.collective if one.maximum is not None), None)


def _mass(able: Abilities) -> tuple[str, int | None] | None:
    return next(((one.mass, None) for one in able.collective if one.maximum is not None), None)


def _gravity(able: Abilities) -> tuple[str, int | None] | None:
    return next(((one.gravity, None) for one in able.collective if one.maximum is not None), None)
