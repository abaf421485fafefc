"""Methods in MAVLink's own terms: set-points with a mask, flight modes, commands by number."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.ctrl.arguments import integer
from pyrfly.ctrl.link.mavlink_messages import command_long, masked_attitude, set_mode
from pyrfly.ctrl.link.protocols import MavlinkMessages, ParameterAccess, lacks
from pyrfly.ctrl.link.targets import AttitudeTarget, MaskedTarget, RateTarget
from pyrfly.ctrl.methods.commands import CommandMethods
from pyrfly.ctrl.vendor_types import PX4_CUSTOM_MAIN_MODE as MAIN
from pyrfly.ctrl.vendor_types import PX4_CUSTOM_SUB_MODE_AUTO as AUTO
from pyrfly.ctrl.vendor_types import AttTypeMask, PosTypeMask
from pyrfly.errors import CommandWarning, warn
from pyrfly.protocol import synthesis
from pyrfly.protocol.bits import VtolState
from pyrfly.protocol.masks import BODY_FRAMES, FRAMES, AttitudeIgnore, MavFrame

__all__ = ["MavCmd", "MavlinkMethods"]

NAN = math.nan

_IGNORED_RATES = (
    AttitudeIgnore.ROLL_RATE,
    AttitudeIgnore.PITCH_RATE,
    AttitudeIgnore.YAW_RATE,
)


MARK = 999.0
"""Parameters of RflySim's mark of a fault [@rfly-safe include/AutoMavCmd.py]."""

_SPEED_TYPES = (0, 1)  # SPEED_TYPE: air, ground
_NO_CHANGE = -1  # param2 of DO_CHANGE_SPEED
_TRANSITION_HEIGHT = 0.5  # m above the take-off point, from which a transition begins


class MavCmd(IntEnum):
    """MAVLink's commands, MAV_CMD [@mavlink], that have an effect here."""

    LOITER = 17
    RETURN = 20
    LAND = 21
    TAKEOFF = 22
    TAKEOFF_LOCAL = 24
    GUIDED = 92
    SET_MODE = 176
    CHANGE_SPEED = 178
    SET_SERVO = 183
    SET_ACTUATOR = 187
    ARM = 400
    VTOL_TRANSITION = 3000


class MavlinkMethods(CommandMethods):
    """RflySim's methods in MAVLink's terms."""

    # --- set-points

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
        """Set a position set-point in any of MAVLink's forms.

        Parameters
        ----------
        type_mask : PosTypeMask
            Which of the other arguments count; by default velocity and yaw rate.
        coordinate_frame : int
            MAV_FRAME: 1 NED from the take-off point; 7, 8, 9 or 12 forward, right, down of the
            vehicle; 5 or 6 global, then ``pos`` is latitude and longitude [deg] and height [m].
        pos, vel, acc : sequence of float, or array_like of shape (k, 3)
            Position [m], velocity [m/s] and acceleration [m/s^2].
        yaw, yawrate : float or array_like of shape (k,)
            Heading [rad, NED] and its rate [rad/s].
        """
        mask = PosTypeMask() if type_mask is None else type_mask
        if isinstance(mask, PosTypeMask):
            bits = mask.mask()
        else:
            bits = integer("type_mask", mask, 0, 0xFFFF)
        self._set_target(self._masked_target(bits, coordinate_frame, pos, vel, acc, yaw, yawrate))

    def SendAttAll(
        self,
        type_mask: AttTypeMask | int | None = None,
        q: Any = (1, 0, 0, 0),
        body_rate: Any = (0, 0, 0),
        thrust: ArrayLike = 0,
    ) -> None:
        """Set an attitude set-point in MAVLink's form.

        Parameters
        ----------
        type_mask : AttTypeMask
            Which of the other arguments count; by default attitude and throttle. Where attitude
            and angular velocity both count, the attitude does.
        q : sequence of float, or array_like of shape (k, 4)
            Attitude quaternion, scalar first, FRD to NED.
        body_rate : sequence of float, or array_like of shape (k, 3)
            Angular velocity [rad/s, FRD]; components that do not count are 0.
        thrust : float or array_like of shape (k,)
            Normalized collective thrust, limited to 0 to 1 with a warning.

        Notes
        -----
        In MAVLink modes all is sent as it is given, the mask too.
        """
        mask = AttTypeMask() if type_mask is None else type_mask
        bits = mask.mask() if isinstance(mask, AttTypeMask) else integer("type_mask", mask, 0, 0xFF)
        self._ready()
        normalized = self._normalized("thrust", thrust)
        rate = self._vector("body_rate", body_rate, "rad/s", 3)
        if (link := self._mavlink()) is not None:
            quaternion = self._vector("q", q, "1", 4)[0].tolist()
            message = masked_attitude(bits, quaternion, rate[0].tolist(), float(normalized[0]))
            link.repeat_message(message)
        elif not bits & AttitudeIgnore.ATTITUDE:
            self._set_target(AttitudeTarget(self._attitude(q, 2, "q"), normalized))
        elif bits & AttitudeIgnore.RATES != AttitudeIgnore.RATES:
            for axis, ignored in enumerate(_IGNORED_RATES):
                if bits & ignored:
                    rate[:, axis] = 0.0
            self._set_target(RateTarget(rate, normalized))
        else:
            self._set_target(None)

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
        """Send one position set-point at once, in offboard or not; see `SendOffAll`.

        It holds until the next one; with PX4 for as long as its COM_OF_LOSS_T.

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
        mask = integer("type_mask", type_mask, 0, 0xFFFF)
        frame = self._checked_frame(coordinate_frame)
        self._send_target(MaskedTarget(mask, frame, **fields))

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
        """Send one position set-point at once; as `sendMavOffboardCmd`, with vectors.

        Parameters
        ----------
        type_mask, coordinate_frame
            As in `sendMavOffboardCmd`. RflySim's default frame, 0, is accepted neither by PX4 nor
            here.
        pos, vel, acc, yaw, yawrate
            As in `SendOffAll`.
        """
        bits = integer("type_mask", type_mask, 0, 0xFFFF)
        target = self._masked_target(bits, coordinate_frame, pos, vel, acc, yaw, yawrate)
        self._send_target(target)

    # --- modes

    def SendSetMode(self, mainmode: int, cusmode: int = 0) -> None:
        """Change PX4's flight mode.

        Parameters
        ----------
        mainmode : int
            Of `PX4_CUSTOM_MAIN_MODE`: OFFBOARD tracks set-points; POSCTL holds the position and
            follows the sticks; AUTO executes ``cusmode``.
        cusmode : int
            Of `PX4_CUSTOM_SUB_MODE_AUTO`: TAKEOFF above the present position; LOITER holds the
            position; RTL flies above the take-off point and stays there (PX4 then lands); LAND
            lands at the present position.

        Raises
        ------
        UnsupportedError
            With any other mode, but in MAVLink modes, where PX4 is requested to change to it.
        """
        link = self._ready()
        main, sub = integer("mainmode", mainmode, 0, 255), integer("cusmode", cusmode, 0, 255)
        if isinstance(link, MavlinkMessages):
            link.send_message(set_mode(main, sub))
            return
        free = np.full(link.k, NAN)
        if main == MAIN.PX4_CUSTOM_MAIN_MODE_OFFBOARD:
            self._begin_tracking(arm=False)
        elif main == MAIN.PX4_CUSTOM_MAIN_MODE_POSCTL:
            self._hold()
        elif main != MAIN.PX4_CUSTOM_MAIN_MODE_AUTO:
            raise self._unsupported(
                "SendSetMode",
                f"main mode {main} does not exist here; there are OFFBOARD (6), "
                "POSCTL (3) and AUTO (4)",
            )
        elif sub == AUTO.PX4_CUSTOM_SUB_MODE_AUTO_TAKEOFF:
            self._take_off(np.stack([free, free, np.zeros(link.k)], axis=-1))
        elif sub == AUTO.PX4_CUSTOM_SUB_MODE_AUTO_LOITER:
            self._hold()
        elif sub == AUTO.PX4_CUSTOM_SUB_MODE_AUTO_RTL:
            link.command(synthesis.return_home(np.zeros(link.k)))
        elif sub == AUTO.PX4_CUSTOM_SUB_MODE_AUTO_LAND:
            link.command(synthesis.land(free, free))
        else:
            raise self._unsupported(
                "SendSetMode",
                f"AUTO sub-mode {sub} does not exist here; there are TAKEOFF (2), "
                "LOITER (3), RTL (5) and LAND (6)",
            )

    # --- MAVLink's commands

    def SendMavCmdLong(
        self,
        command: int,
        param1: float = 0,
        param2: float = 0,
        param3: float = 0,
        param4: float = 0,
        param5: float = 0,
        param6: float = 0,
        param7: float = 0,
    ) -> None:
        """Execute a MAVLink command; in MAVLink modes send it to the vehicle, whichever it is.

        Parameters
        ----------
        command : int
            MAV_CMD: 400 arm, 22 take-off, 24 local take-off, 21 land, 20 return, 17 hold, 92 guided
            (0 is `endOffboard`), 176 mode, 178 speed, 183 with 999 in all parameters, which is
            RflySim's mark of a fault for PX4's log, 187 actuators of a payload, of which there are
            none, 3000 transition of a VTOL to hover (``param1`` 3) or winged flight (4).
        param1, param2, param3, param4, param5, param6, param7 : float
            As MAVLink has them, for all vehicles alike. Speeds of 178 are horizontal (``param1`` 0
            or 1); a ``param2`` of -1 changes nothing.

        Raises
        ------
        UnsupportedError
            With any other command, or a vertical speed; not in MAVLink modes.
        """
        number = integer("command", command, 0, 0xFFFF)
        p = [0.0, *self._parameters(param1, param2, param3, param4, param5, param6, param7)]
        if (link := self._mavlink()) is not None:
            link.send_message(command_long(number, *p[1:]))
            return
        match number:
            case MavCmd.ARM:
                self.SendMavArm(p[1] != 0)
            case MavCmd.TAKEOFF:
                self.sendMavTakeOffGPS(p[5], p[6], p[7], p[4], p[1])
            case MavCmd.TAKEOFF_LOCAL:
                self.sendMavTakeOffLocal(p[6], p[5], p[7], p[4], p[1], p[3] or 2)
            case MavCmd.LAND if not (p[5] or p[6]) or math.isnan(p[5]) or math.isnan(p[6]):
                self.SendSetMode(MAIN.PX4_CUSTOM_MAIN_MODE_AUTO, AUTO.PX4_CUSTOM_SUB_MODE_AUTO_LAND)
            case MavCmd.LAND:
                self.sendMavLandGPS(p[5], p[6], p[7])
            case MavCmd.RETURN:
                self.SendSetMode(MAIN.PX4_CUSTOM_MAIN_MODE_AUTO, AUTO.PX4_CUSTOM_SUB_MODE_AUTO_RTL)
            case MavCmd.LOITER:
                self._hold()
            case MavCmd.GUIDED:
                self.initOffboard2() if p[1] else self.endOffboard()
            case MavCmd.SET_MODE:
                self.SendSetMode(int(p[2]), int(p[3]))
            case MavCmd.CHANGE_SPEED:
                self._change_speed(p[1], p[2])
            case MavCmd.SET_SERVO if set(p[1:]) == {MARK}:
                pass  # RflySim's mark of a fault in the log of a PX4: logs here have the fault
            case MavCmd.SET_ACTUATOR:
                warn("MAV_CMD 187: there are no actuators of a payload here", CommandWarning)
            case MavCmd.VTOL_TRANSITION:
                self._transition(p[1])
            case _:
                known = ", ".join(str(command.value) for command in MavCmd)
                raise self._unsupported(
                    "SendMavCmdLong", f"MAV_CMD {number} has no effect here; there are {known}"
                )

    def SendQgcCmdLong(
        self,
        command: int,
        param1: float = 0,
        param2: float = 0,
        param3: float = 0,
        param4: float = 0,
        param5: float = 0,
        param6: float = 0,
        param7: float = 0,
    ) -> None:
        """Do the same as `SendMavCmdLong`, by way of the ground station's port.

        That is UDP port 18570 of the simulator, in MAVLink modes.
        """
        given = (param1, param2, param3, param4, param5, param6, param7)
        if (link := self._mavlink()) is not None:
            number = integer("command", command, 0, 0xFFFF)
            message = command_long(number, *self._parameters(*given))
            link.send_to_ground_station_port(message)
        else:
            self.SendMavCmdLong(command, *given)

    def SetServo(self, aux1_value: float, aux2_value: float) -> None:
        """Set two actuators of a payload, by MAV_CMD 187 as users of RflySim's module send it.

        Parameters
        ----------
        aux1_value, aux2_value : float
            Positions, -1 to 1.
        """
        first, second = (
            self._one("aux1_value", aux1_value, "1"),
            self._one("aux2_value", aux2_value, "1"),
        )
        self.SendMavCmdLong(MavCmd.SET_ACTUATOR, 0, first, second)

    # --- inside

    def _transition(self, state: float) -> None:
        """Change to hover or winged flight; on the ground, or disarmed, a VTOL stays in hover."""
        link = self._ready()
        if state not in (VtolState.MC, VtolState.FW):
            raise ValueError(f"param1 of 3000: expected 3 (hover) or 4 (wings), got {state:g}")
        if not isinstance(link, ParameterAccess):
            raise lacks("SendMavCmdLong", ParameterAccess)
        others = ", ".join(str(some) for some in link.vehicles if not some.abilities.transition)
        if others:
            raise self._unsupported("SendMavCmdLong", f"3000 is for VTOLs, got {others}")
        flies = link.estimate.armed & (link.estimate.local[:, 2] < -_TRANSITION_HEIGHT)
        if state == VtolState.FW and not flies.all():
            warn("MAV_CMD 3000: Transition denied, on the ground", CommandWarning)
            return
        values = np.full(link.k, float(state))
        link.write_where(lambda able: able.transition and able.transition.command, values)

    def _parameters(self, *given: float) -> list[float]:
        """Return the parameters of a command."""
        return [float(self._numbers(f"param{i}", v, "1")[0]) for i, v in enumerate(given, 1)]

    def _checked_frame(self, frame: int) -> MavFrame:
        """Return a frame as the link gets it.

        All that are as `MavFrame.BODY_NED` as that one, but in MAVLink modes, where the vehicle
        decides.
        """
        number = integer("coordinate_frame", frame)
        if number not in FRAMES:
            known = ", ".join(str(int(known)) for known in sorted(FRAMES))
            raise ValueError(f"coordinate_frame: expected a MAV_FRAME of {known}, got {frame!r}")
        if self._mavlink() is None and number in BODY_FRAMES:
            return MavFrame.BODY_NED
        return MavFrame(number)

    def _change_speed(self, kind: float, speed: float) -> None:
        """Execute MAVLink's DO_CHANGE_SPEED: as `SendCruiseSpeed`."""
        if kind not in _SPEED_TYPES:
            raise self._unsupported(
                "SendMavCmdLong",
                f"param1 of 178: expected speed type 0 (air) or 1 (ground), got {kind:g}",
            )
        if speed != _NO_CHANGE:
            self._ready().set_cruise_speed(self._positive("param2", speed, "m/s"))

    def _masked_target(
        self, bits: int, frame: int, pos: Any, vel: Any, acc: Any, yaw: Any, yaw_rate: Any
    ) -> MaskedTarget:
        """Return a target of vectors, with a mask and a frame of MAVLink."""
        checked = self._checked_frame(frame)
        fields = {
            "pos": self._vector("pos", pos, "m", 3),
            "vel": self._vector("vel", vel, "m/s", 3),
            "acc": self._vector("acc", acc, "m/s^2", 3),
            "yaw": self._numbers("yaw", yaw, "rad"),
            "yaw_rate": self._numbers("yawrate", yaw_rate, "rad/s"),
        }
        return MaskedTarget(bits, checked, **fields)
