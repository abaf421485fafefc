"""Methods that act at once: offboard, arming, take-off, landing."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.link.mavlink_messages import (
    ACCELERATION_0,
    VELOCITY_0,
    Cmd,
    arm,
    command_long,
    parameter_set,
    set_mode,
)
from pyrfly.ctrl.link.protocols import MavlinkMessages, ParameterAccess
from pyrfly.ctrl.link.targets import TakeOff
from pyrfly.ctrl.methods.controller import SET_POINT_WAITS
from pyrfly.ctrl.methods.offboard import enter_offboard, loiter
from pyrfly.ctrl.methods.parameters import ParameterMethods
from pyrfly.ctrl.methods.setpoints import SetPointMethods
from pyrfly.ctrl.vendor_types import PX4_CUSTOM_MAIN_MODE as MAIN
from pyrfly.ctrl.vendor_types import PX4_CUSTOM_SUB_MODE_AUTO as AUTO
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import Command

__all__ = ["CommandMethods"]

Array = NDArray[np.float64]
NAN = math.nan
HOME_TIME = 3.0  # s that a take-off point is waited for; PX4 sends it every 2 s
PARAMETER_TIME, MODE_TIME = 0.1, 0.5  # s after a parameter, and before a change of mode
EARTH_RADIUS = 6381372.0  # m [@rfly-sdk]
LEVEL = (0, 0, 0, 0)


class CommandMethods(SetPointMethods, ParameterMethods):
    """RflySim's commands."""

    # --- offboard

    def initOffboard(self) -> None:
        """Track set-points from now on; arm if disarmed, and stay until the first set-point.

        A take-off, a return or a landing ends, as by PX4's change of mode. RflySim begins with
        velocity 0 instead of staying, so that a take-off that is commanded afterwards would stop
        half a metre below its height.

        In MAVLink modes as RflySim, which takes about 1 s: AUTO.LOITER, velocity 0 from now on,
        PX4's failsafes NAV_RCL_ACT and NAV_DLL_ACT off, COM_RCL_EXCEPT 4, arming, OFFBOARD.
        """
        self._offboard = True
        if (link := self._mavlink()) is not None:
            self._set_target(VELOCITY_0)
            loiter(link)
            self._enter_offboard()
        else:
            self._begin_offboard()

    def initOffboardAcc(self) -> None:
        """Do the same as `initOffboard`; acceleration is then set with `SendAccPX4`.

        In MAVLink modes it begins with acceleration 0 and OFFBOARD is requested three times.
        """
        self._offboard = True
        if (link := self._mavlink()) is not None:
            self._set_target(ACCELERATION_0)
            loiter(link)
            self._enter_offboard(requests=3)
        else:
            self._begin_offboard()

    def initOffboardAtt(self) -> None:
        """Track set-points from now on, beginning with level attitude at normalized thrust 0.11.

        In the air the vehicle descends until `SendAttPX4` sets more thrust.
        """
        self._offboard = True
        if (link := self._mavlink()) is not None:
            loiter(link)
            self.SendAttPX4(LEVEL, 0.11, 1, 0)
            self._enter_offboard()
        else:
            self.SendAttPX4(LEVEL, 0.11, 1, 0)
            self._begin_tracking()

    def initOffboard2(self) -> None:
        """Track set-points from now on, beginning with the last one that was set."""
        if self._mavlink() is not None:
            self._enter_offboard()
        else:
            self._begin_tracking()

    def endOffboard(self) -> None:
        """Track set-points no longer; hold the present position.

        In MAVLink modes MAV_CMD_NAV_GUIDED_ENABLE 0 is sent; a PX4 that does not execute it goes on
        as its COM_OBL_RC_ACT says for a loss of set-points.
        """
        self._ready().track(False)
        self._offboard = False
        if (link := self._mavlink()) is not None:
            link.send_message(command_long(Cmd.GUIDED_ENABLE, 0))

    # --- arming

    def SendMavArm(self, isArm: ArrayLike = 1) -> None:
        """Arm the vehicle, or disarm it, also in the air.

        Parameters
        ----------
        isArm : bool, int or array_like of shape (k,)
            Whether the motors may turn. Armed on the ground, they idle until a command. The task
            of a vehicle that is armed already continues. In MAVLink modes PX4 may refuse to arm,
            and it disarms itself after 10 s without a take-off.
        """
        link, on = self._ready(), self._finite("isArm", isArm, "1") != 0
        if self._has_target and not self._offboard and on.any():
            self._warn_once(SET_POINT_WAITS)
        link.arm(on)

    # --- take-off

    def sendMavTakeOff(
        self,
        xM: ArrayLike = 0,
        yM: ArrayLike = 0,
        zM: ArrayLike = 0,
        YawRad: ArrayLike = 0,
        PitchRad: ArrayLike = 0,
    ) -> None:
        """Take off and hold a position, or change the height when in the air.

        The vehicle has to be armed, before or after. It climbs at PX4's MPC_TKO_SPEED, 1.5 m/s at
        first; a plane takes off ahead with full throttle, and then flies straight on. Until the
        height is reached, set-points have no effect; `initOffboard` ends it.

        Parameters
        ----------
        xM, yM, zM : float or array_like of shape (k,)
            Position relative to the take-off point [m, NED]. A ``zM`` that is not at least 1 m
            above the take-off point counts as not given; then it is PX4's MIS_TAKEOFF_ALT, 10 m
            at first, of planes at least 30 m. Planes use the height alone.
        YawRad : float or array_like of shape (k,)
            Heading [rad, NED], but of planes. NaN: it is held.
        PitchRad : float or array_like of shape (k,)
            Pitch angle of a plane's climb [rad], up to 25 deg; 0: 15 deg, as always over UDP, whose
            messages do not carry it. Without effect on others.

        Raises
        ------
        RuntimeError
            In MAVLink modes, when the vehicle has not sent its take-off point.

        Notes
        -----
        In MAVLink modes NAV_TAKEOFF is sent, with latitude, longitude and altitude as float32:
        to about half a metre. ``zM`` 0 is the altitude of the take-off point then.
        """
        self._ready()
        pos = self._position("xM yM zM", (xM, yM, zM))
        yaw = self._numbers("YawRad", YawRad, "rad")
        pitch = self._finite("PitchRad", PitchRad, "rad")
        if (link := self._mavlink()) is not None:
            angles = math.degrees(pitch[0]), 0, 0, math.degrees(yaw[0])
            lla = self._above_home("sendMavTakeOff", pos)
            link.send_message(command_long(Cmd.TAKEOFF, *angles, *lla))
        else:
            self._take_off(pos, yaw, pitch)

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
            Climb rate [m/s], of later take-offs too; without effect on planes. Not in UDP modes,
            whose messages do not carry it.

        Notes
        -----
        In MAVLink modes NAV_TAKEOFF_LOCAL is sent, which PX4 may refuse.
        """
        link = self._ready()
        pos = self._position("xM yM zM", (xM, yM, zM))
        yaw = self._numbers("YawRad", YawRad, "rad")
        pitch = self._finite("PitchRad", PitchRad, "rad")
        rate = self._finite("AscendRate", AscendRate, "m/s")
        if not (rate > 0).all():
            raise ValueError(f"AscendRate: expected a speed above 0 [m/s], got {AscendRate!r}")
        if isinstance(link, MavlinkMessages):
            x, y, z = pos[0]
            message = command_long(Cmd.TAKEOFF_LOCAL, pitch[0], 0, rate[0], yaw[0], y, x, z)
            link.send_message(message)
            return
        if isinstance(link, ParameterAccess):
            link.write("takeoff_speed", rate)
        self._take_off(pos, yaw, pitch)

    def sendMavTakeOffGPS(
        self,
        lat: ArrayLike,
        lon: ArrayLike,
        alt: ArrayLike,
        yawDeg: ArrayLike = 0,
        pitchDeg: ArrayLike = 15,
    ) -> None:
        """Take off to a geodetic position.

        Parameters
        ----------
        lat, lon : float or array_like of shape (k,)
            Latitude and longitude [deg].
        alt : float or array_like of shape (k,)
            Height [m], up, counted as that of the map centre; in MAVLink modes above sea level.
        yawDeg : float or array_like of shape (k,)
            Heading [deg, NED]. NaN: it is held.
        pitchDeg : float or array_like of shape (k,)
            Pitch angle of a plane's climb [deg]; without effect on others.
        """
        link = self._ready()
        lla = self._geodetic(lat, lon, alt)
        yaw = self._numbers("yawDeg", yawDeg, "deg")
        pitch = self._finite("pitchDeg", pitchDeg, "deg")
        if isinstance(link, MavlinkMessages):
            link.send_message(command_long(Cmd.TAKEOFF, pitch[0], 0, 0, yaw[0], *lla[0]))
        else:
            self._take_off(self._to_local(lla), np.radians(yaw), np.radians(pitch))

    def sendTakeoffMode(self, alt: ArrayLike = 0) -> None:
        """Arm, and take off above the present position.

        Parameters
        ----------
        alt : float or array_like of shape (k,)
            Height as down coordinate from the take-off point [m]; above -0.1 PX4's
            MIS_TAKEOFF_ALT counts, which is set otherwise.
        """
        link = self._ready()
        down = self._finite("alt", alt, "m")
        named = down < -0.1
        if isinstance(link, MavlinkMessages):
            self._take_off_by_mode(link, -float(down[0]) if named.all() else None)
            return
        if isinstance(link, ParameterAccess) and named.any():
            before = link.read("takeoff_height")
            link.write("takeoff_height", np.where(named, -down, before))
            down = np.zeros_like(down)
        self._take_off(np.stack([np.full_like(down, NAN)] * 2 + [down], axis=-1))
        link.command_word(synthesis.command_word(True))

    # --- landing

    def sendMavLand(self, xM: ArrayLike, yM: ArrayLike, zM: ArrayLike) -> None:
        """Land: fly above a position, descend until ground contact, and disarm.

        A plane circles down, flies its final approach into the wind, flares and rolls out. Others
        descend at PX4's MPC_LAND_SPEED, 0.7 m/s at first. Ground contact is detected after
        0.5 s less than 0.1 m above the ground at a vertical speed below 0.1 m/s. Until then,
        set-points have no effect; afterwards they have to be set anew.

        Parameters
        ----------
        xM, yM : float or array_like of shape (k,)
            Position relative to the take-off point [m, NED].
        zM : float or array_like of shape (k,)
            Down coordinate where the descent ends [m], as with `LandSyn`: the vehicle stays there
            in the air. Within 1 m of 0, or below the ground, it lands.

        Raises
        ------
        RuntimeError
            In MAVLink modes, as `sendMavTakeOff`.

        Notes
        -----
        In MAVLink modes NAV_LAND is sent with latitude and longitude of that position. PX4 lands
        where it is, whatever they are: a multirotor or helicopter gets DO_REPOSITION first, and
        NAV_LAND when it stands there, unless another command comes in between.
        """
        link = self._ready()
        pos = self._position("xM yM zM", (xM, yM, zM))
        if isinstance(link, MavlinkMessages):
            link.land_at(*self._above_home("sendMavLand", pos))
        else:
            link.command(synthesis.land(*pos.T))

    def sendMavLandGPS(self, lat: ArrayLike, lon: ArrayLike, alt: ArrayLike) -> None:
        """Land at a geodetic position, as `sendMavLand` does.

        Parameters
        ----------
        lat, lon : float or array_like of shape (k,)
            Latitude and longitude [deg].
        alt : float or array_like of shape (k,)
            Height where the descent ends [m], as ``zM`` of `sendMavLand`.
        """
        link = self._ready()
        lla = self._geodetic(lat, lon, alt)
        if isinstance(link, MavlinkMessages):
            link.land_at(*lla[0].tolist())
        else:
            link.command(synthesis.land(*self._to_local(lla).T))

    # --- inside

    def _enter_offboard(self, requests: int = 2) -> None:
        """Bring a PX4 into offboard by messages of MAVLink."""
        self._offboard = True
        enter_offboard(self._ready(), requests)

    def _take_off_by_mode(self, link: MavlinkMessages, height: float | None) -> None:
        """Let a PX4 take off to a height above home [m]; None: to its MIS_TAKEOFF_ALT."""
        if height is not None:
            for _ in range(2):
                link.send_message(parameter_set(b"MIS_TAKEOFF_ALT", height))
                time.sleep(PARAMETER_TIME)
        time.sleep(MODE_TIME)
        main, sub = MAIN.PX4_CUSTOM_MAIN_MODE_AUTO, AUTO.PX4_CUSTOM_SUB_MODE_AUTO_TAKEOFF
        link.send_message(set_mode(main, sub))
        if not self._link.estimate.armed.all():
            link.send_message(arm(True))

    def _above_home(self, method: str, pos: Array) -> list[float]:
        """Return latitude, longitude and altitude of a position from the take-off point.

        On RflySim's sphere, but for its landing, whose longitude leaves out the cosine of the
        latitude.
        """
        state, end = self._link.estimate, time.monotonic() + HOME_TIME
        while not state.home_lla.any():
            if time.monotonic() > end:
                raise RuntimeError(
                    f"{method}: expected a vehicle that has sent its take-off point "
                    f"(HOME_POSITION), got none from {self._name}; does it know its position?"
                )
            time.sleep(0.01)
        (lat, lon, alt), (x, y, z) = state.home_lla[0].tolist(), pos[0].tolist()
        east = y / (EARTH_RADIUS * math.cos(math.radians(lat)))
        return [lat + math.degrees(x / EARTH_RADIUS), lon + math.degrees(east), alt - z]

    def _begin_offboard(self) -> None:
        self._set_target(None)
        self._begin_tracking()

    def _begin_tracking(self, arm: bool = True) -> None:
        """Track set-points from now on; a take-off, a return or a landing ends."""
        self._ready().track(True)
        self._offboard = True
        self._end_task(arm)

    def _hold(self) -> None:
        """Leave offboard; hold the position, and end a take-off, a return or a landing."""
        self.endOffboard()
        self._end_task()

    def _end_task(self, arm: bool = False) -> None:
        """End what the navigators do; arm vehicles too, or leave them as they are."""
        link = self._ready()
        armed = link.estimate.armed | arm
        link.command_word(synthesis.command_word(armed, Command.OFFBOARD_POSITION))

    def _take_off(self, pos: Array, yaw: Any = NAN, pitch: Array | None = None) -> None:
        """Take off to a position relative to the take-off point (k, 3) [m, NED]."""
        self._ready().command(TakeOff(pos, np.broadcast_to(yaw, len(pos)), pitch))

    def _to_local(self, lla: Array) -> Array:
        """Return geodetic positions relative to the take-off points [m, NED]."""
        link = self._ready()
        return link.origin.to_ned(lla) - link.estimate.home
