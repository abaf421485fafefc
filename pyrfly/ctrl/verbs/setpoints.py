"""Verbs that give standing set-points: position, velocity, acceleration, attitude.

They are stored at once and obeyed between ``initOffboard`` and ``endOffboard``. Arguments of one
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
from pyrfly.ctrl.targets import (
    BODY,
    GLOBAL,
    LOCAL,
    RELATIVE,
    AttitudeTarget,
    PositionTarget,
    RateTarget,
    Target,
)
from pyrfly.ctrl.vendor_types import AttTypeMask, PosTypeMask
from pyrfly.ctrl.verbs.controller import Controller
from pyrfly.frames import euler_of_quaternion

__all__ = ["SetPointVerbs"]

Array = NDArray[np.float64]
NAN = math.nan

# Bits of MAVLink's POSITION_TARGET_TYPEMASK that say "ignore".
_IGNORE = {"pos": 7 << 0, "vel": 7 << 3, "acc": 7 << 6, "yaw": 1 << 10, "yaw_rate": 1 << 11}
_FORCE = 1 << 9  # the acceleration is a force
_FRAMES = {1: LOCAL, 7: BODY, 8: BODY, 9: BODY, 12: BODY, 5: GLOBAL, 6: RELATIVE}

# ctrlMode of RflySim's 24-byte message.
_VEL_NED, _VEL_FRD, _POS_NED, _POS_FRD, _ACC, _ACC_YAW_RATE, _ACC_YAW = 0, 1, 2, 3, 6, 7, 8

# Bits of MAVLink's ATTITUDE_TARGET_TYPEMASK that say "ignore".
_NO_RATES, _NO_ATTITUDE = 7, 1 << 7

_ATTITUDE_UNITS = {0: "deg", 1: "rad", 2: "1", 3: "rad/s", 4: "deg/s"}


class SetPointVerbs(Controller):
    """RflySim's set-points."""

    # --- velocity

    def SendVelNED(
        self,
        vx: ArrayLike = NAN,
        vy: ArrayLike = NAN,
        vz: ArrayLike = NAN,
        yawrate: ArrayLike = NAN,
    ) -> None:
        """Fly with a velocity, and turn at a rate.

        Parameters
        ----------
        vx, vy, vz : float or array_like of shape (k,)
            Velocity [m/s, NED]; upwards, vz is negative. NaN: not controlled, the vehicle is
            brought to rest along that axis.
        yawrate : float or array_like of shape (k,)
            Rate of the heading [rad/s], positive clockwise seen from above. NaN: the heading is
            held.
        """
        vel = self._triple("vx vy vz", (vx, vy, vz), "m/s")
        rate = self._numbers("yawrate", yawrate, "rad/s")
        self._fly(LOCAL, _VEL_NED, vel=vel, yaw_rate=rate)

    def SendVelNEDNoYaw(self, vx: ArrayLike, vy: ArrayLike, vz: ArrayLike) -> None:
        """Fly with a velocity with the heading held; arguments as in `SendVelNED`."""
        self._fly(LOCAL, _VEL_NED, vel=self._triple("vx vy vz", (vx, vy, vz), "m/s"))

    def SendVelFRD(
        self,
        vx: ArrayLike = NAN,
        vy: ArrayLike = NAN,
        vz: ArrayLike = NAN,
        yawrate: ArrayLike = NAN,
    ) -> None:
        """Fly with a velocity that turns with the vehicle, and turn at a rate.

        Parameters
        ----------
        vx, vy, vz : float or array_like of shape (k,)
            Velocity [m/s] forward, right and down of the present heading, whatever the tilt. NaN
            as in `SendVelNED`.
        yawrate : float or array_like of shape (k,)
            As in `SendVelNED`.
        """
        vel = self._triple("vx vy vz", (vx, vy, vz), "m/s")
        rate = self._numbers("yawrate", yawrate, "rad/s")
        self._fly(BODY, _VEL_FRD, vel=vel, yaw_rate=rate)

    def SendVelNoYaw(self, vx: ArrayLike = NAN, vy: ArrayLike = NAN, vz: ArrayLike = NAN) -> None:
        """Fly forward, right, down with the heading held; arguments as in `SendVelFRD`."""
        self._fly(BODY, _VEL_FRD, vel=self._triple("vx vy vz", (vx, vy, vz), "m/s"))

    def SendVelYawAlt(
        self, vel: ArrayLike = 10, yaw: ArrayLike = 6.28, alt: ArrayLike = -100
    ) -> None:
        """Fly with a speed along a heading at a height: RflySim's set-point for fixed wings.

        A multirotor does it too: nose forward, it flies along the heading.

        Parameters
        ----------
        vel : float or array_like of shape (k,)
            Speed [m/s].
        yaw : float or array_like of shape (k,)
            Heading and direction of flight [rad, NED].
        alt : float or array_like of shape (k,)
            Height as down coordinate from the take-off point [m]: negative above it.
        """
        self._aim(self._speed_target(vel, yaw, alt))

    # --- position

    def SendPosNED(
        self,
        x: ArrayLike = NAN,
        y: ArrayLike = NAN,
        z: ArrayLike = NAN,
        yaw: ArrayLike = NAN,
    ) -> None:
        """Fly to a place and turn to a heading.

        Parameters
        ----------
        x, y, z : float or array_like of shape (k,)
            Place relative to the take-off point [m, NED]; above the ground, z is negative. NaN:
            not controlled, the vehicle is brought to rest along that axis.
        yaw : float or array_like of shape (k,)
            Heading [rad, NED]. NaN: the heading is held.
        """
        pos = self._triple("x y z", (x, y, z), "m")
        self._fly(LOCAL, _POS_NED, pos=pos, yaw=self._numbers("yaw", yaw, "rad"))

    def SendPosNEDNoYaw(self, x: ArrayLike = NAN, y: ArrayLike = NAN, z: ArrayLike = NAN) -> None:
        """Fly to a place with the heading held; arguments as in `SendPosNED`."""
        self._fly(LOCAL, _POS_NED, pos=self._triple("x y z", (x, y, z), "m"))

    def SendPosFRD(
        self,
        x: ArrayLike = NAN,
        y: ArrayLike = NAN,
        z: ArrayLike = NAN,
        yaw: ArrayLike = NAN,
    ) -> None:
        """Fly by an offset from where the vehicle is, and turn to a heading.

        Parameters
        ----------
        x, y, z : float or array_like of shape (k,)
            Offset [m] forward, right and down of the present heading, counted from the present
            place when it is given. NaN: 0.
        yaw : float or array_like of shape (k,)
            Heading [rad, NED]. NaN: the heading is held.
        """
        pos = self._triple("x y z", (x, y, z), "m")
        self._fly(BODY, _POS_FRD, pos=pos, yaw=self._numbers("yaw", yaw, "rad"))

    def SendPosFRDNoYaw(self, x: ArrayLike = NAN, y: ArrayLike = NAN, z: ArrayLike = NAN) -> None:
        """Fly by an offset with the heading held; arguments as in `SendPosFRD`."""
        self._fly(BODY, _POS_FRD, pos=self._triple("x y z", (x, y, z), "m"))

    def SendPosNEDExt(
        self,
        x: ArrayLike = NAN,
        y: ArrayLike = NAN,
        z: ArrayLike = NAN,
        mode: int = 3,
        isNED: bool = True,
    ) -> None:
        """Fly to a place in one of PX4's kinds of position set-point.

        Parameters
        ----------
        x, y, z : float or array_like of shape (k,)
            As in `SendPosNED`, or with ``isNED`` False as in `SendPosFRD`.
        mode : {3}
            3: stay there (a fixed wing circles). RflySim's others, 0 glide, 1 take-off, 2 landing
            and 4 idle, are for fixed wings only.
        isNED : bool
            Whether the place is relative to the take-off point.

        Raises
        ------
        UnsupportedError
            With a mode for fixed wings.
        """
        number = integer("mode", mode)
        if number not in range(5):
            raise ValueError(f"mode: expected 0 to 4, got {mode!r}")
        if number != 3:
            raise self._unsupported(
                "SendPosNEDExt",
                f"mode {number} is for fixed wings; use mode 3, sendMavTakeOff or sendMavLand",
            )
        pos = self._triple("x y z", (x, y, z), "m")
        self._fly(LOCAL if isNED else BODY, _POS_NED if isNED else _POS_FRD, pos=pos)

    def SendPosGlobal(
        self,
        lat: ArrayLike = 0,
        lon: ArrayLike = 0,
        alt: ArrayLike = 0,
        yawValue: ArrayLike = 0,
        yawType: int = 0,
    ) -> None:
        """Fly to a geographical place.

        Parameters
        ----------
        lat, lon : float or array_like of shape (k,)
            Latitude and longitude [deg].
        alt : float or array_like of shape (k,)
            Height [m], up, counted as that of the map centre.
        yawValue : float or array_like of shape (k,)
            Heading [rad, NED] or its rate [rad/s].
        yawType : {0, 1, 2}
            What ``yawValue`` is: 0 nothing, the heading is held; 1 a heading; 2 a rate.
        """
        pos = self._geographic(lat, lon, alt)
        fields, _ = self._heading_fields(yawValue, yawType)
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
        """Fly with an acceleration; the velocity is what comes of it.

        Parameters
        ----------
        afx, afy, afz : float or array_like of shape (k,)
            Acceleration over ground [m/s^2]; hovering is 0. NaN: 0.
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
        simple = (_ACC, _ACC_YAW, _ACC_YAW_RATE)[kind] if frameType == 0 else None
        self._fly(BODY if frameType else LOCAL, simple, acc=acc, **fields)

    # --- attitude

    def SendAttPX4(
        self,
        att: Any = (0, 0, 0, 0),
        thrust: ArrayLike = 0.5,
        CtrlFlag: int = 0,
        AltFlg: float = 0,
    ) -> None:
        """Hold an attitude, or body rates.

        Parameters
        ----------
        att : sequence of float, or array_like of shape (k, 3) or (k, 4)
            What ``CtrlFlag`` says; the fourth of four values is not used but for 2.
        thrust : float or array_like of shape (k,)
            Collective thrust as a share of the most, limited to 0 to 1; with ``AltFlg`` a height
            above the take-off point [m] that the vehicle holds, as far as its tilt lets it. Its
            sign does not count, as RflySim's code takes a down coordinate where its manual says
            height.
        CtrlFlag : {0, 1, 2, 3, 4}
            0: roll, pitch, yaw [deg]; 1: roll, pitch, yaw [rad]; 2: quaternion, scalar first;
            3: body rates [rad/s, FRD]; 4: body rates [deg/s, FRD].
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
            height = {"thrust": np.clip(self._finite("thrust", thrust, "1"), 0.0, 1.0)}
        kind = RateTarget if flag in (3, 4) else AttitudeTarget
        self._aim(kind(values, **height))

    # --- any form of MAVLink

    def SendOffAll(
        self,
        type_mask: PosTypeMask | int | None = None,
        coordinate_frame: int = 1,
        pos: Any = (0, 0, 0),
        vel: Any = (0, 0, 0),
        acc: Any = (0, 0, 0),
        yaw: ArrayLike = 0,
        yawrate: ArrayLike = 0,
    ) -> None:
        """Give a position set-point in any of MAVLink's forms.

        Parameters
        ----------
        type_mask : PosTypeMask
            Which of the others count; by default velocity and yaw rate.
        coordinate_frame : int
            MAV_FRAME: 1 NED from the take-off point; 7, 8, 9 or 12 forward, right, down of the
            vehicle; 5, 6 or 11 global, then ``pos`` is latitude and longitude [deg] and height [m].
        pos, vel, acc : sequence of float, or array_like of shape (k, 3)
            Position [m], velocity [m/s] and acceleration [m/s^2].
        yaw, yawrate : float or array_like of shape (k,)
            Heading [rad, NED] and its rate [rad/s].
        """
        mask = PosTypeMask() if type_mask is None else type_mask
        bits = mask.mask() if isinstance(mask, PosTypeMask) else integer("type_mask", mask)
        self._aim(self._free_form(bits, coordinate_frame, pos, vel, acc, yaw, yawrate))

    def SendAttAll(
        self,
        type_mask: AttTypeMask | int | None = None,
        q: Any = (1, 0, 0, 0),
        body_rate: Any = (0, 0, 0),
        thrust: ArrayLike = 0,
    ) -> None:
        """Give an attitude set-point in MAVLink's form.

        Parameters
        ----------
        type_mask : AttTypeMask
            Which of the others count; by default attitude and throttle. Where attitude and body
            rates both count, the attitude does.
        q : sequence of float, or array_like of shape (k, 4)
            Attitude quaternion, scalar first, FRD to NED.
        body_rate : sequence of float, or array_like of shape (k, 3)
            Body rates [rad/s, FRD]; those that do not count are 0.
        thrust : float or array_like of shape (k,)
            Collective thrust as a share of the most, limited to 0 to 1.
        """
        mask = AttTypeMask() if type_mask is None else type_mask
        bits = mask.mask() if isinstance(mask, AttTypeMask) else integer("type_mask", mask)
        self._ready()
        share = np.clip(self._finite("thrust", thrust, "1"), 0.0, 1.0)
        rate = self._vector("body_rate", body_rate, "rad/s", 3)
        if not bits & _NO_ATTITUDE:
            self._aim(AttitudeTarget(self._attitude(q, 2, "q"), share))
        elif bits & _NO_RATES != _NO_RATES:
            rate[:, [bool(bits & 1 << axis) for axis in range(3)]] = 0.0
            self._aim(RateTarget(rate, share))
        else:
            self._aim(None)

    def sendMavOffboardCmd(
        self,
        type_mask: int,
        coordinate_frame: int,
        x: ArrayLike,
        y: ArrayLike,
        z: ArrayLike,
        vx: ArrayLike,
        vy: ArrayLike,
        vz: ArrayLike,
        afx: ArrayLike,
        afy: ArrayLike,
        afz: ArrayLike,
        yaw: ArrayLike,
        yaw_rate: ArrayLike,
    ) -> None:
        """Hand over one position set-point at once, in offboard or not; see `SendOffAll`.

        It holds until the next one.

        Parameters
        ----------
        type_mask : int
            Bits of MAVLink's POSITION_TARGET_TYPEMASK.
        coordinate_frame : int
            MAV_FRAME.
        x, y, z, vx, vy, vz, afx, afy, afz, yaw, yaw_rate : float or array_like of shape (k,)
            Position [m], velocity [m/s], acceleration [m/s^2], heading [rad] and its rate [rad/s].
        """
        fields = {
            "pos": self._triple("x y z", (x, y, z), "m"),
            "vel": self._triple("vx vy vz", (vx, vy, vz), "m/s"),
            "acc": self._triple("afx afy afz", (afx, afy, afz), "m/s^2"),
            "yaw": self._numbers("yaw", yaw, "rad"),
            "yaw_rate": self._numbers("yaw_rate", yaw_rate, "rad/s"),
        }
        mask = integer("type_mask", type_mask)
        frame = _checked_frame(coordinate_frame)
        self._ready().give(self._position_target(mask, frame, fields, None))

    def sendMavOffboardAPI(
        self,
        type_mask: int = 0,
        coordinate_frame: int = 0,
        pos: Any = (0, 0, 0),
        vel: Any = (0, 0, 0),
        acc: Any = (0, 0, 0),
        yaw: ArrayLike = 0,
        yawrate: ArrayLike = 0,
    ) -> None:
        """Hand over one position set-point at once; as `sendMavOffboardCmd`, with vectors.

        Parameters
        ----------
        type_mask, coordinate_frame
            As in `sendMavOffboardCmd`. RflySim's default frame, 0, is none of those that PX4
            takes, here neither.
        pos, vel, acc, yaw, yawrate
            As in `SendOffAll`.
        """
        bits = integer("type_mask", type_mask)
        target = self._free_form(bits, coordinate_frame, pos, vel, acc, yaw, yawrate)
        self._ready().give(target)

    # --- inside

    def _fly(self, frame: int, simple: int | None, **fields: Array) -> None:
        """Aim at what is given of pos, vel, acc, yaw and yaw_rate."""
        self._aim(self._target(frame, simple, **fields))

    def _target(self, frame: int, simple: int | None, **fields: Array) -> PositionTarget:
        mask = sum(bits for name, bits in _IGNORE.items() if name not in fields)
        mask |= 0 if "acc" in fields else _FORCE  # as RflySim's client has it; without effect
        return self._position_target(mask, frame, fields, simple)

    def _speed_target(self, vel: ArrayLike, yaw: ArrayLike, alt: ArrayLike) -> PositionTarget:
        """Return the target of `SendVelYawAlt`."""
        speed = self._finite("vel", vel, "m/s")
        heading = self._finite("yaw", yaw, "rad")
        nothing = np.full_like(speed, NAN)
        place = np.stack([nothing, nothing, self._finite("alt", alt, "m")], axis=-1)
        sine, cosine = exact.sincos(heading)
        along = (speed * cosine, speed * sine, np.zeros_like(speed))
        return self._target(LOCAL, None, pos=place, vel=np.stack(along, axis=-1), yaw=heading)

    def _position_target(
        self, mask: int, frame: int, fields: dict[str, Array], simple: int | None
    ) -> PositionTarget:
        k = self._ready().k
        vectors = {name: fields.get(name, np.zeros((k, 3))) for name in ("pos", "vel", "acc")}
        angles = {name: fields.get(name, np.zeros(k)) for name in ("yaw", "yaw_rate")}
        return PositionTarget(mask, frame, **vectors, **angles, simple_mode=simple)

    def _free_form(
        self, bits: int, frame: int, pos: Any, vel: Any, acc: Any, yaw: Any, yaw_rate: Any
    ) -> Target:
        checked = _checked_frame(frame)
        fields = {
            "pos": self._vector("pos", pos, "m", 3),
            "vel": self._vector("vel", vel, "m/s", 3),
            "acc": self._vector("acc", acc, "m/s^2", 3),
            "yaw": self._numbers("yaw", yaw, "rad"),
            "yaw_rate": self._numbers("yawrate", yaw_rate, "rad/s"),
        }
        return self._position_target(bits, checked, fields, None)

    def _heading_fields(self, value: Any, kind: int) -> tuple[dict[str, Array], int]:
        """Return a heading or its rate as field of a target, and the checked kind."""
        number = integer("yawType", kind)
        if number not in (0, 1, 2):
            raise ValueError(f"yawType: expected 0, 1 or 2, got {kind!r}")
        if number == 0:
            return {}, 0
        unit = "rad" if number == 1 else "rad/s"
        return {
            "yaw" if number == 1 else "yaw_rate": self._numbers("yawValue", value, unit)
        }, number

    def _attitude(self, att: Any, flag: int, name: str = "att") -> Array:
        """Return Euler angles [rad] or body rates [rad/s] (k, 3) of what SendAttPX4 takes."""
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


def _checked_frame(frame: int) -> int:
    known = _FRAMES.get(integer("coordinate_frame", frame))
    if known is None:
        wanted = ", ".join(map(str, sorted(_FRAMES)))
        raise ValueError(f"coordinate_frame: expected a MAV_FRAME of {wanted}, got {frame!r}")
    return known
