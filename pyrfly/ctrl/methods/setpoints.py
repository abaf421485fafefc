"""Standing set-points by what they are: velocity, position, acceleration, attitude.

They are stored at once and tracked between ``initOffboard`` and ``endOffboard``. Arguments of one
vehicle are numbers and lists; for several vehicles, numbers or arrays of shape (k,), and vectors or
arrays of shape (k, width).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.ctrl.arguments import integer, single
from pyrfly.ctrl.link.protocols import ParameterAccess
from pyrfly.ctrl.link.targets import (
    AttitudeTarget,
    InputsTarget,
    MaskedTarget,
    PositionTarget,
    RateTarget,
)
from pyrfly.ctrl.methods.controller import Controller
from pyrfly.frames import euler_of_quaternion
from pyrfly.protocol import synthesis
from pyrfly.protocol.masks import MavFrame, PositionIgnore, PositionKind
from pyrfly.protocol.short_message import ShortMode, SpeedHeight

__all__ = ["SetPointMethods"]

Array = NDArray[np.float64]
NAN = math.nan

LOCAL, BODY, GLOBAL = MavFrame.LOCAL_NED, MavFrame.BODY_NED, MavFrame.GLOBAL_INT

_ACCELERATIONS = (
    ShortMode.ACCELERATION,
    ShortMode.ACCELERATION_YAW,
    ShortMode.ACCELERATION_YAW_RATE,
)
"""Short messages of an acceleration, by yawType."""

_KINDS = tuple(PositionKind)
"""PX4's masks of a glide, take-off, landing, loiter and idle set-point, by mode."""

_NO_HEADING, _FULL_TURN = 1e-5, 6.28  # rad: RflySim sends the second for less than the first

_ATTITUDE_UNITS = {0: "deg", 1: "rad", 2: "1", 3: "rad/s", 4: "deg/s"}
"""Units of an attitude, by CtrlFlag."""


class SetPointMethods(Controller):
    """RflySim's set-points."""

    # --- velocity

    def SendVelNED(
        self,
        vx: ArrayLike = NAN,
        vy: ArrayLike = NAN,
        vz: ArrayLike = NAN,
        yawrate: ArrayLike = NAN,
    ) -> None:
        """Fly with a velocity, and yaw at a rate.

        Parameters
        ----------
        vx, vy, vz : float or array_like of shape (k,)
            Velocity [m/s, NED]; upwards, vz is negative. NaN: not controlled, the vehicle is
            brought to rest along that axis.
        yawrate : float or array_like of shape (k,)
            Heading rate [rad/s], positive clockwise seen from above. NaN: the heading is
            held.
        """
        vel = self._triple("vx vy vz", (vx, vy, vz), "m/s")
        rate = self._numbers("yawrate", yawrate, "rad/s")
        self._fly(LOCAL, ShortMode.VELOCITY_NED, vel=vel, yaw_rate=rate)

    def SendVelNEDNoYaw(self, vx: ArrayLike, vy: ArrayLike, vz: ArrayLike) -> None:
        """Fly with a velocity with the heading held; arguments as in `SendVelNED`."""
        self._fly(LOCAL, ShortMode.VELOCITY_NED, vel=self._triple("vx vy vz", (vx, vy, vz), "m/s"))

    def SendVelFRD(
        self,
        vx: ArrayLike = NAN,
        vy: ArrayLike = NAN,
        vz: ArrayLike = NAN,
        yawrate: ArrayLike = NAN,
    ) -> None:
        """Fly with a velocity relative to the heading, and yaw at a rate.

        Parameters
        ----------
        vx, vy, vz : float or array_like of shape (k,)
            Velocity [m/s] forward, right and down of the present heading, independent of tilt. NaN
            as in `SendVelNED`.
        yawrate : float or array_like of shape (k,)
            As in `SendVelNED`.
        """
        vel = self._triple("vx vy vz", (vx, vy, vz), "m/s")
        rate = self._numbers("yawrate", yawrate, "rad/s")
        self._fly(BODY, ShortMode.VELOCITY_FRD, vel=vel, yaw_rate=rate)

    def SendVelNoYaw(self, vx: ArrayLike = NAN, vy: ArrayLike = NAN, vz: ArrayLike = NAN) -> None:
        """Fly forward, right, down with the heading held; arguments as in `SendVelFRD`."""
        self._fly(BODY, ShortMode.VELOCITY_FRD, vel=self._triple("vx vy vz", (vx, vy, vz), "m/s"))

    def SendVelYawAlt(
        self, vel: ArrayLike = 10, yaw: ArrayLike = 6.28, alt: ArrayLike = -100
    ) -> None:
        """Fly with a speed along a heading at a height: RflySim's set-point for fixed wings.

        By wings it is the airspeed on this course. A vehicle in hover flies along the heading too,
        nose forward. In MAVLink modes a multirotor gets a velocity and a height; others get
        RflySim's coding for its own PX4, with a heading of 0 as 6.28, which PX4 itself takes
        otherwise.

        Parameters
        ----------
        vel : float or array_like of shape (k,)
            Speed [m/s]; by wings as by `SendCruiseSpeed`, 0 for that of cruise.
        yaw : float or array_like of shape (k,)
            Heading and course [rad, NED].
        alt : float or array_like of shape (k,)
            Height as down coordinate from the take-off point [m]: negative above it.
        """
        speed, heading = self._finite("vel", vel, "m/s"), self._finite("yaw", yaw, "rad")
        down = self._finite("alt", alt, "m")
        if (link := self._mavlink()) is not None:
            coded = _velocity_at_height if link.instruments.hovers else _coded_speed_height
            self._set_target(coded(speed, heading, down))
            return
        message = SpeedHeight(speed, down, heading)
        self._warn_of_airspeed("vel", np.where(speed == 0, np.nan, speed), now=True)
        self._fly(LOCAL, None, pos=message.pos, vel=message.vel, yaw=heading)

    # --- position

    def SendPosNED(
        self,
        x: ArrayLike = NAN,
        y: ArrayLike = NAN,
        z: ArrayLike = NAN,
        yaw: ArrayLike = NAN,
    ) -> None:
        """Fly to a position and turn to a heading; planes circle around it.

        Parameters
        ----------
        x, y, z : float or array_like of shape (k,)
            Position relative to the take-off point [m, NED]; above the ground, z is negative. NaN:
            not controlled, the vehicle is brought to rest along that axis.
        yaw : float or array_like of shape (k,)
            Heading [rad, NED]. NaN: the heading is held.
        """
        pos = self._triple("x y z", (x, y, z), "m")
        self._fly(LOCAL, ShortMode.POSITION_NED, pos=pos, yaw=self._numbers("yaw", yaw, "rad"))

    def SendPosNEDNoYaw(self, x: ArrayLike = NAN, y: ArrayLike = NAN, z: ArrayLike = NAN) -> None:
        """Fly to a position with the heading held; arguments as in `SendPosNED`."""
        self._fly(LOCAL, ShortMode.POSITION_NED, pos=self._triple("x y z", (x, y, z), "m"))

    def SendPosFRD(
        self,
        x: ArrayLike = NAN,
        y: ArrayLike = NAN,
        z: ArrayLike = NAN,
        yaw: ArrayLike = NAN,
    ) -> None:
        """Fly by an offset from the present position, and turn to a heading.

        Parameters
        ----------
        x, y, z : float or array_like of shape (k,)
            Offset [m] forward, right and down of the present heading, from the position at the
            time of the call. NaN: 0.
        yaw : float or array_like of shape (k,)
            Heading [rad, NED]. NaN: the heading is held.
        """
        pos = self._triple("x y z", (x, y, z), "m")
        self._fly(BODY, ShortMode.POSITION_FRD, pos=pos, yaw=self._numbers("yaw", yaw, "rad"))

    def SendPosFRDNoYaw(self, x: ArrayLike = NAN, y: ArrayLike = NAN, z: ArrayLike = NAN) -> None:
        """Fly by an offset with the heading held; arguments as in `SendPosFRD`."""
        self._fly(BODY, ShortMode.POSITION_FRD, pos=self._triple("x y z", (x, y, z), "m"))

    def SendPosNEDExt(
        self,
        x: ArrayLike = NAN,
        y: ArrayLike = NAN,
        z: ArrayLike = NAN,
        mode: int = 3,
        isNED: bool = True,
    ) -> None:
        """Fly to a position in one of PX4's kinds of position set-point.

        Parameters
        ----------
        x, y, z : float or array_like of shape (k,)
            As in `SendPosNED`, or with ``isNED`` False as in `SendPosFRD`.
        mode : {0, 1, 2, 3, 4}
            3: stay there (a plane circles). The others are for planes only: 0 glides around the
            position without thrust, 1 takes off to its height, 2 lands there, 4 is level flight
            without thrust.
        isNED : bool
            Whether the position is relative to the take-off point.

        Raises
        ------
        UnsupportedError
            With a mode for planes, of another vehicle; only in process, where the vehicles are
            known. Over UDP and by MAVLink others take all modes for a position.
        """
        number = integer("mode", mode)
        if number not in range(5):
            raise ValueError(f"mode: expected 0 to 4, got {mode!r}")
        kind, ned = _KINDS[number], bool(self._one("isNED", isNED, "bool"))
        frame = LOCAL if ned else BODY
        pos = self._triple("x y z", (x, y, z), "m")
        short = ShortMode.POSITION_NED if ned else ShortMode.POSITION_FRD
        if kind is PositionKind.LOITER and self._mavlink() is None:
            self._fly(frame, short, pos=pos)
            return
        free, still = np.zeros_like(pos), np.zeros(len(pos))
        target = MaskedTarget(kind, frame, pos, free, free, still, still)
        if isinstance(self._link, ParameterAccess):
            self._require_wings("SendPosNEDExt", f"mode {number}", self._link)
            self._fly_kind(kind, target)
        else:
            self._set_target(target)

    def SendPosGlobal(
        self,
        lat: ArrayLike = 0,
        lon: ArrayLike = 0,
        alt: ArrayLike = 0,
        yawValue: ArrayLike = 0,
        yawType: int = 0,
    ) -> None:
        """Fly to a geodetic position.

        Parameters
        ----------
        lat, lon : float or array_like of shape (k,)
            Latitude and longitude [deg], at most 1000 km from the take-off point.
        alt : float or array_like of shape (k,)
            Height [m], up, counted as that of the map centre.
        yawValue : float or array_like of shape (k,)
            Heading [rad, NED] or its rate [rad/s].
        yawType : {0, 1, 2}
            What ``yawValue`` is: 0 nothing, the heading is held; 1 a heading; 2 a rate.
        """
        fields, _ = self._heading_fields(yawValue, yawType)
        pos = self._geodetic(lat, lon, alt)
        self._fly(GLOBAL, None, pos=pos, **fields)

    # --- acceleration

    def SendAccPX4(
        self,
        afx: ArrayLike = NAN,
        afy: ArrayLike = NAN,
        afz: ArrayLike = NAN,
        yawValue: ArrayLike = NAN,
        yawType: int = 0,
        frameType: int = 0,
    ) -> None:
        """Fly with an acceleration; the velocity is not controlled.

        Parameters
        ----------
        afx, afy, afz : float or array_like of shape (k,)
            Acceleration relative to the ground [m/s^2]; hovering is 0. NaN: 0.
        yawValue : float or array_like of shape (k,)
            Heading [rad, NED] or its rate [rad/s]. NaN: the heading is held.
        yawType : {0, 1, 2}
            As in `SendPosGlobal`.
        frameType : {0, 1}
            0: NED. 1: forward, right, down of the present heading.
        """
        if integer("frameType", frameType) not in (0, 1):
            raise ValueError(f"frameType: expected 0 or 1, got {frameType!r}")
        acc = self._triple("afx afy afz", (afx, afy, afz), "m/s^2")
        fields, kind = self._heading_fields(yawValue, yawType)
        short = _ACCELERATIONS[kind] if frameType == 0 else None
        self._fly(BODY if frameType else LOCAL, short, acc=acc, **fields)

    # --- attitude

    def SendAttPX4(
        self,
        att: Any = (0, 0, 0, 0),
        thrust: ArrayLike = 0.5,
        CtrlFlag: int = 0,
        AltFlg: float = 0,
    ) -> None:
        """Hold an attitude, or an angular velocity.

        Parameters
        ----------
        att : sequence of float, or array_like of shape (k, 3) or (k, 4)
            By ``CtrlFlag``; the fourth of four values is used with 2 only.
        thrust : float or array_like of shape (k,)
            Normalized collective thrust, of planes the throttle, limited to 0 to 1 with a warning;
            with ``AltFlg`` a height above the take-off point [m], of what dives a depth below it,
            that the vehicle holds, as far as its attitude lets it: a plane by its throttle. Its
            sign has no effect, as RflySim's code takes a down coordinate where its manual says
            height. Of what dives, the thrust is its speed ahead over its speed limit.
        CtrlFlag : {0, 1, 2, 3, 4}
            0: roll, pitch, yaw [deg]; 1: roll, pitch, yaw [rad]; 2: quaternion, scalar first;
            3: angular velocity [rad/s, FRD]; 4: angular velocity [deg/s, FRD].
        AltFlg : float
            Above 0: ``thrust`` is a height.
        """
        flag = integer("CtrlFlag", CtrlFlag)
        if flag not in _ATTITUDE_UNITS:
            raise ValueError(f"CtrlFlag: expected 0, 1, 2, 3 or 4, got {CtrlFlag!r}")
        self._ready()
        values = self._attitude(att, flag)
        if single("AltFlg", AltFlg, "1") > 0:
            height = {"thrust": None, "down": -np.abs(self._finite("thrust", thrust, "m"))}
        else:
            height = {"thrust": self._normalized("thrust", thrust)}
        kind = RateTarget if flag in (3, 4) else AttitudeTarget
        self._set_target(kind(values, **height))

    # --- inside

    def _fly(self, frame: MavFrame, short: ShortMode | None, **fields: Array) -> None:
        """Set the target to what is given of pos, vel, acc, yaw and yaw_rate."""
        self._set_target(PositionTarget(frame, **fields, short=short))

    def _fly_kind(self, kind: PositionKind, target: MaskedTarget) -> None:
        """Let planes in this process do what a kind of position set-point is."""
        link = self._ready()
        inputs = synthesis.of_kind(target.inputs(), kind, link.estimate.armed)
        if kind in (PositionKind.TAKE_OFF, PositionKind.LAND):
            link.command(inputs)
        else:
            self._set_target(InputsTarget(inputs))

    def _heading_fields(self, value: Any, kind: int) -> tuple[dict[str, Array], int]:
        """Return a heading or its rate as field of a target, and the checked kind."""
        number = integer("yawType", kind)
        if number not in (0, 1, 2):
            raise ValueError(f"yawType: expected 0, 1 or 2, got {kind!r}")
        values = self._numbers("yawValue", value, "rad/s" if number == 2 else "rad")
        field = (None, "yaw", "yaw_rate")[number]
        return ({field: values} if field else {}), number

    def _attitude(self, att: Any, flag: int, name: str = "att") -> Array:
        """Return Euler angles [rad] or an angular velocity [rad/s], (k, 3), for SendAttPX4."""
        unit = _ATTITUDE_UNITS[flag]
        values = self._vector(name, att, unit, *((4,) if flag == 2 else (3, 4)))
        if flag == 2:
            norm = exact.norm(values)[..., None]
            if not (norm > 1e-6).all():
                raise ValueError(
                    f"{name}: expected a quaternion, scalar first, got one of length 0"
                )
            return euler_of_quaternion(values / norm)
        return np.radians(values[:, :3]) if flag in (0, 4) else values[:, :3]


def _velocity_at_height(speed: Array, heading: Array, down: Array) -> MaskedTarget:
    """Return a horizontal velocity along a heading, at a height: what PX4's multirotors take."""
    zero = np.zeros_like(speed)
    pos, vel = np.stack([zero, zero, down], axis=-1), np.zeros((len(speed), 3))
    sine, cosine = exact.sincos(heading)
    vel[:, 0], vel[:, 1] = speed * cosine, speed * sine
    mask = PositionIgnore.X | PositionIgnore.Y | PositionIgnore.VZ
    mask |= PositionIgnore.ACCELERATION | PositionIgnore.YAW_RATE
    return MaskedTarget(int(mask), LOCAL, pos, vel, np.zeros_like(pos), heading, zero)


def _coded_speed_height(speed: Array, heading: Array, down: Array) -> MaskedTarget:
    """Return RflySim's position set-point of a speed [m/s], heading [rad] and height [m, down]."""
    zero = np.zeros_like(speed)
    yaw = np.where(np.abs(heading) < _NO_HEADING, _FULL_TURN, heading)
    pos, vel = np.stack([zero, zero, down], axis=-1), np.stack([yaw, speed, zero], axis=-1)
    mask = int(PositionIgnore.ACCELERATION)
    return MaskedTarget(mask, LOCAL, pos, vel, np.zeros_like(pos), yaw, zero)
