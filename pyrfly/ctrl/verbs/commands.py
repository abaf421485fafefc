"""Verbs that act at once: offboard, arming, take-off, landing, modes, MAVLink commands."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.arguments import integer
from pyrfly.ctrl.vendor_types import PX4_CUSTOM_MAIN_MODE as MAIN
from pyrfly.ctrl.vendor_types import PX4_CUSTOM_SUB_MODE_AUTO as AUTO
from pyrfly.ctrl.verbs.parameters import ParameterVerbs
from pyrfly.ctrl.verbs.setpoints import SetPointVerbs
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import BASE, Command

__all__ = ["CommandVerbs", "MavCmd"]

Array = NDArray[np.float64]
NAN = math.nan


class MavCmd(IntEnum):
    """Commands of MAVLink's common messages (MAV_CMD) that have an effect here."""

    LOITER = 17
    RETURN = 20
    LAND = 21
    TAKEOFF = 22
    TAKEOFF_LOCAL = 24
    GUIDED = 92
    SET_MODE = 176
    CHANGE_SPEED = 178
    ARM = 400


class CommandVerbs(SetPointVerbs, ParameterVerbs):
    """RflySim's commands."""

    # --- offboard

    def initOffboard(self) -> None:
        """Obey set-points from now on; arm if disarmed, and stay until the first set-point.

        A return or a landing ends, a take-off goes on. RflySim begins with velocity 0 instead of
        staying, so that after a take-off it would stop half a metre below the height.
        """
        self._begin_offboard()

    def initOffboardAcc(self) -> None:
        """Do what `initOffboard` does; acceleration is then given with `SendAccPX4`."""
        self._begin_offboard()

    def initOffboardAtt(self) -> None:
        """Obey set-points from now on, beginning with level attitude at a thrust share of 0.11.

        In the air the vehicle sinks until `SendAttPX4` gives more thrust.
        """
        self._begin_offboard()
        self.SendAttPX4((0, 0, 0, 0), 0.11, 1, 0)

    def initOffboard2(self) -> None:
        """Obey set-points from now on, beginning with the last one that was given."""
        self._ready()
        self._obey_and_arm()

    def endOffboard(self) -> None:
        """Obey no set-points any more; hold the present place."""
        self._ready().obey(False)
        self._offboard = False

    # --- arming

    def SendMavArm(self, isArm: ArrayLike = 1) -> None:
        """Arm the vehicle, or disarm it, wherever it is.

        Parameters
        ----------
        isArm : bool, int or array_like of shape (k,)
            Whether the motors may turn. Armed on the ground, they idle until a command. What a
            vehicle is doing that is armed already goes on.
        """
        link = self._ready()
        wanted = self._finite("isArm", isArm, "1") != 0
        bits = np.where(wanted, int(BASE | Command.ARMED), int(BASE))
        if link.has_columns:  # otherwise it is not certain
            bits[wanted & link.estimate.armed] = 0
        link.command_bits(bits)

    # --- take-off

    def sendMavTakeOff(
        self,
        xM: ArrayLike = 0,
        yM: ArrayLike = 0,
        zM: ArrayLike = 0,
        YawRad: ArrayLike = 0,
        PitchRad: ArrayLike = 0,
    ) -> None:
        """Take off and hold a place, or change the height when in the air.

        The vehicle has to be armed, before or after. It rises at PX4's MPC_TKO_SPEED, 1.5 m/s at
        first. Until the height is reached, set-points have no effect.

        Parameters
        ----------
        xM, yM, zM : float or array_like of shape (k,)
            Place relative to the take-off point [m, NED]. A ``zM`` that is not at least 1 m above
            the take-off point counts as not given; then it is PX4's MIS_TAKEOFF_ALT, 10 m at first.
        YawRad : float or array_like of shape (k,)
            Heading [rad, NED]. NaN: it is held.
        PitchRad : float or array_like of shape (k,)
            Pitch of a fixed wing's climb [rad]; without effect on a multirotor.
        """
        self._ready()
        place = self._place("xM yM zM", (xM, yM, zM))
        yaw = self._numbers("YawRad", YawRad, "rad")
        self._finite("PitchRad", PitchRad, "rad")
        self._take_off(place, yaw)

    def sendMavTakeOffLocal(
        self,
        xM: ArrayLike = 0,
        yM: ArrayLike = 0,
        zM: ArrayLike = 0,
        YawRad: ArrayLike = 0,
        PitchRad: ArrayLike = 0,
        AscendRate: ArrayLike = 2,
    ) -> None:
        """Take off with a climb rate; the other arguments as in `sendMavTakeOff`.

        Parameters
        ----------
        xM, yM, zM, YawRad, PitchRad
            As in `sendMavTakeOff`.
        AscendRate : float or array_like of shape (k,)
            Speed of the climb [m/s], of later ones too. In process only; RflySim's UDP messages
            have no place for it.
        """
        link = self._ready()
        place = self._place("xM yM zM", (xM, yM, zM))
        yaw = self._numbers("YawRad", YawRad, "rad")
        self._finite("PitchRad", PitchRad, "rad")
        rate = self._finite("AscendRate", AscendRate, "m/s")
        if not (rate > 0).all():
            raise ValueError(f"AscendRate: expected a speed above 0 [m/s], got {AscendRate!r}")
        if link.has_columns:
            link.write("takeoff_speed", rate, None)
        self._take_off(place, yaw)

    def sendMavTakeOffGPS(
        self,
        lat: ArrayLike,
        lon: ArrayLike,
        alt: ArrayLike,
        yawDeg: ArrayLike = 0,
        pitchDeg: ArrayLike = 15,
    ) -> None:
        """Take off to a geographical place.

        Parameters
        ----------
        lat, lon : float or array_like of shape (k,)
            Latitude and longitude [deg].
        alt : float or array_like of shape (k,)
            Height [m], up, counted as that of the map centre.
        yawDeg : float or array_like of shape (k,)
            Heading [deg, NED]. NaN: it is held.
        pitchDeg : float or array_like of shape (k,)
            Pitch of a fixed wing's climb [deg]; without effect on a multirotor.
        """
        self._ready()
        place = self._to_local(self._geographic(lat, lon, alt))
        yaw = np.radians(self._numbers("yawDeg", yawDeg, "deg"))
        self._finite("pitchDeg", pitchDeg, "deg")
        self._take_off(place, yaw)

    def sendTakeoffMode(self, alt: ArrayLike = 0) -> None:
        """Arm, and take off above the present place.

        Parameters
        ----------
        alt : float or array_like of shape (k,)
            Height as down coordinate from the take-off point [m]; above -0.1 PX4's
            MIS_TAKEOFF_ALT counts, which is set otherwise.
        """
        link = self._ready()
        down = self._finite("alt", alt, "m")
        named = down < -0.1
        if link.has_columns and named.any():
            before = link.read("takeoff_height")
            link.write("takeoff_height", np.where(named, -down, before), None)
            down = np.zeros_like(down)
        self._take_off(np.stack([np.full_like(down, NAN)] * 2 + [down], axis=-1))
        self._arm_if_disarmed()

    # --- landing

    def sendMavLand(self, xM: ArrayLike, yM: ArrayLike, zM: ArrayLike) -> None:
        """Land: fly above a place, descend until the ground is met, and disarm.

        It sinks at PX4's MPC_LAND_SPEED, 0.7 m/s at first. The ground is met after 0.5 s less than
        0.1 m above it at a vertical speed below 0.1 m/s. Until then, set-points have no effect;
        afterwards they have to be given anew.

        Parameters
        ----------
        xM, yM : float or array_like of shape (k,)
            Place relative to the take-off point [m, NED].
        zM : float or array_like of shape (k,)
            Down coordinate of the ground there [m]; the vehicle finds the ground by itself.
        """
        link = self._ready()
        place = self._place("xM yM zM", (xM, yM, zM))
        link.command(synthesis.land(place[:, 0], place[:, 1]))

    def sendMavLandGPS(self, lat: ArrayLike, lon: ArrayLike, alt: ArrayLike) -> None:
        """Land at a geographical place, as `sendMavLand` does.

        Parameters
        ----------
        lat, lon : float or array_like of shape (k,)
            Latitude and longitude [deg].
        alt : float or array_like of shape (k,)
            Height of the ground there [m]; the vehicle finds the ground by itself.
        """
        link = self._ready()
        place = self._to_local(self._geographic(lat, lon, alt))
        link.command(synthesis.land(place[:, 0], place[:, 1]))

    # --- modes

    def SendSetMode(self, mainmode: int, cusmode: int = 0) -> None:
        """Change PX4's flight mode.

        Parameters
        ----------
        mainmode : int
            Of `PX4_CUSTOM_MAIN_MODE`: OFFBOARD obeys set-points; POSCTL holds the place and obeys
            the sticks; AUTO does what ``cusmode`` says.
        cusmode : int
            Of `PX4_CUSTOM_SUB_MODE_AUTO`: TAKEOFF above the present place; LOITER holds the place;
            RTL flies above the take-off point and stays there (PX4 then lands); LAND lands where
            the vehicle is.

        Raises
        ------
        UnsupportedError
            With any other mode.
        """
        link = self._ready()
        main, sub = integer("mainmode", mainmode), integer("cusmode", cusmode)
        nowhere = np.full(link.k, NAN)
        if main == MAIN.PX4_CUSTOM_MAIN_MODE_OFFBOARD:
            self._obey_and_arm(arm=False)
        elif main == MAIN.PX4_CUSTOM_MAIN_MODE_POSCTL:
            self._hold()
        elif main != MAIN.PX4_CUSTOM_MAIN_MODE_AUTO:
            raise self._unsupported(
                "SendSetMode",
                f"main mode {main} does not exist here; there are OFFBOARD (6), "
                "POSCTL (3) and AUTO (4)",
            )
        elif sub == AUTO.PX4_CUSTOM_SUB_MODE_AUTO_TAKEOFF:
            self._take_off(np.stack([nowhere, nowhere, np.zeros(link.k)], axis=-1))
        elif sub == AUTO.PX4_CUSTOM_SUB_MODE_AUTO_LOITER:
            self._hold()
        elif sub == AUTO.PX4_CUSTOM_SUB_MODE_AUTO_RTL:
            link.command(synthesis.return_home(np.zeros(link.k)))
        elif sub == AUTO.PX4_CUSTOM_SUB_MODE_AUTO_LAND:
            link.command(synthesis.land(nowhere, nowhere))
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
        """Carry out a MAVLink command.

        Parameters
        ----------
        command : int
            MAV_CMD: 400 arm, 22 take-off, 24 local take-off, 21 land, 20 return, 17 hold, 92 guided
            (0 is `endOffboard`), 176 mode, 178 speed.
        param1, param2, param3, param4, param5, param6, param7 : float
            As MAVLink has them, for all vehicles alike.

        Raises
        ------
        UnsupportedError
            With any other command.
        """
        number = integer("command", command)
        values = (param1, param2, param3, param4, param5, param6, param7)
        p = [0.0] + [float(self._numbers(f"param{i}", v, "1")[0]) for i, v in enumerate(values, 1)]
        self._ready()
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
                self.SendCopterSpeed(p[2])
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
        """Do what `SendMavCmdLong` does; RflySim sends it by way of the ground station's port."""
        self.SendMavCmdLong(command, param1, param2, param3, param4, param5, param6, param7)

    # --- inside

    def _begin_offboard(self) -> None:
        self._aim(None)
        self._obey_and_arm()

    def _obey_and_arm(self, arm: bool = True) -> None:
        link = self._ready()
        link.obey(True)
        self._offboard = True
        armed = link.estimate.armed | arm
        link.command_bits(np.where(armed, int(BASE | Command.ARMED), int(BASE)))

    def _arm_if_disarmed(self) -> None:
        self._ready().command_bits(int(BASE | Command.ARMED))

    def _hold(self) -> None:
        """Leave offboard; hold the place, and end a return or a landing."""
        link = self._ready()
        self.endOffboard()
        armed = link.estimate.armed
        link.command_bits(np.where(armed, int(BASE | Command.ARMED), int(BASE)))

    def _take_off(self, place: Array, yaw: Any = NAN) -> None:
        """Take off to a place relative to the take-off point (k, 3) [m, NED]."""
        link = self._ready()
        x, y, z = place.T
        link.command(synthesis.take_off(x, y, z, yaw, armed=link.estimate.armed))

    def _to_local(self, lla: Array) -> Array:
        """Return geographical places relative to the take-off points [m, NED]."""
        link = self._ready()
        return link.origin.to_ned(lla) - link.estimate.home
