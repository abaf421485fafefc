"""Methods for PX4's estimator and for modules of the user in PX4, by MAVLink."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np

from pyrfly import wire
from pyrfly.ctrl.arguments import integer
from pyrfly.ctrl.link.mavlink_messages import Message
from pyrfly.ctrl.link.packets import SIL_SERIES
from pyrfly.ctrl.link.protocols import Datagrams, MavlinkMessages
from pyrfly.ctrl.methods.controller import Controller
from pyrfly.ctrl.methods.helpers import Helpers

__all__ = ["Px4OnlyMethods"]

_NO_MODULES = (
    "there is no PX4 with modules of the user but in MAVLink modes; sendSILIntFloat reaches the "
    "vehicle"
)
_NO_ESTIMATOR = "there is no estimator that could use it but in MAVLink modes"

_MODES = {0: 1, 1: 101, 2: 201}
"""``mode`` of HIL_ACTUATOR_CONTROLS for uORB's rfly_ctrl, rfly_ctrl1 and rfly_ctrl2, by index."""

_COVARIANCES = 21  # of a position estimate


class Px4OnlyMethods(Controller):
    """RflySim's methods for PX4's estimator and for modules of the user in PX4."""

    CopterID: int

    def SendHILCtrlMsg(
        self, ctrls: Sequence[float] = (0.0,) * 16, idx: int = 0, flags: int = 1
    ) -> None:
        """Send values for uORB's rfly_ctrl, for modules of the user in PX4.

        Parameters
        ----------
        ctrls : sequence of float
            Sixteen values; fewer are filled up with 0.
        idx : {0, 1, 2}
            0: rfly_ctrl, 1: rfly_ctrl1, 2: rfly_ctrl2; any other number is as 0.
        flags : int
            A number for the module that reads it.

        Raises
        ------
        UnsupportedError
            But in MAVLink modes.
        """
        values = self._vector("ctrls", Helpers.fillList(ctrls, 16), "1", 16)[0]
        mode = _MODES.get(integer("idx", idx), _MODES[0])
        fields = {"controls": values.tolist(), "mode": mode, "flags": integer("flags", flags)}
        link = self._px4("SendHILCtrlMsg", _NO_MODULES)
        link.send_message(Message("HIL_ACTUATOR_CONTROLS", fields))

    def SendHILCtrlMsg1(self) -> None:
        """Send a test vector by DEBUG_VECT, as `SendHILCtrlMsg`."""
        link = self._px4("SendHILCtrlMsg1", _NO_MODULES)
        vector = {"name": b"hello", "x": 1100.0, "y": 1500.0, "z": 1700.0}  # as RflySim
        link.send_message(Message("DEBUG_VECT", vector))

    def sendPX4UorbRflyCtrl(
        self, data: Sequence[float] = (0.0,) * 16, modes: int = 1, flags: int = 1
    ) -> None:
        """Send values for uORB's rfly_ctrl to port 30100 + 2 (CopterID - 1); over UDP only.

        Parameters
        ----------
        data : sequence of float
            Sixteen values.
        modes, flags : int
            Which topic, and a number for the module that reads it.

        Raises
        ------
        UnsupportedError
            In process, see `SendHILCtrlMsg`.
        """
        if not isinstance(self._link, Datagrams):
            raise self._unsupported("sendPX4UorbRflyCtrl", _NO_MODULES)
        packet = wire.blank("PX4UorbRflyCtrl")
        packet["CopterID"], packet["modes"], packet["flags"] = self.CopterID, modes, flags
        packet["data"] = Helpers.fillList(data, 16)
        self._link.send_raw(packet[0].tobytes(), SIL_SERIES)

    def SendVisionPosition(self, x: float, y: float, z: float, yaw: float) -> None:
        """Send a position and a heading for PX4's estimator, of a motion capture or a camera.

        Parameters
        ----------
        x, y, z : float
            Position [m, NED].
        yaw : float
            Heading [rad].

        Raises
        ------
        UnsupportedError
            But in MAVLink modes.
        """
        pos = self._position("x y z", (x, y, z))[0].tolist()
        heading = self._one("yaw", yaw, "rad")
        link = self._px4("SendVisionPosition", _NO_ESTIMATOR)
        unknown = [math.nan, *[0.0] * (_COVARIANCES - 1)]
        fields = dict(zip("xyz", pos, strict=True)) | {"roll": 0.0, "pitch": 0.0, "yaw": heading}
        link.send_message(Message("VISION_POSITION_ESTIMATE", {**fields, "covariance": unknown}))

    def SendHILGps(
        self,
        lat: float = 40.1540302,
        lon: float = 116.2593683,
        alt: float = 50,
        vel: float = 0,
        vn: float = 0,
        ve: float = 0,
        vd: float = 0,
        cog: float = 0,
        time_usec: int = -1,
        eph: float = 0.3,
        epv: float = 0.4,
        fix_type: int = 3,
        satellites_visible: int = 15,
    ) -> None:
        """Send what a GPS receiver would measure, for PX4's estimator.

        Parameters
        ----------
        lat, lon, alt : float
            Latitude and longitude [deg] and height above sea level [m].
        vel, vn, ve, vd : float
            Ground speed and velocity [m/s, NED].
        cog : float
            Course [deg], -180 to 360.
        time_usec : int
            Time [us]; below 0 the present one.
        eph, epv : float
            Horizontal and vertical accuracy [m].
        fix_type, satellites_visible : int
            Kind of fix (3: of three dimensions), and number of satellites.

        Raises
        ------
        UnsupportedError
            But in MAVLink modes.
        """
        link = self._px4("SendHILGps", _NO_ESTIMATOR)
        place = self._angle("lat", lat, 90.0)[0], self._angle("lon", lon, 180.0)[0]
        scaled = {"alt": (alt, "m", 1000), "eph": (eph, "m", 100), "epv": (epv, "m", 100)}
        scaled |= {
            name: (value, "m/s", 100)
            for name, value in zip(("vel", "vn", "ve", "vd"), (vel, vn, ve, vd), strict=True)
        }
        fields = {
            name: round(self._one(name, value, unit) * factor)
            for name, (value, unit, factor) in scaled.items()
        }
        fields |= {"lat": round(place[0] * 1e7), "lon": round(place[1] * 1e7)}
        fields["cog"] = round(np.mod(self._one("cog", cog, "deg"), 360.0) * 100)
        fields["time_usec"] = time.time_ns() // 1000 if time_usec < 0 else int(time_usec)
        fields |= {"fix_type": int(fix_type), "satellites_visible": int(satellites_visible)}
        link.send_message(Message("HIL_GPS", fields))

    def _px4(self, method: str, lack: str) -> MavlinkMessages:
        """Return the link to PX4; an UnsupportedError names the method where there is none."""
        if not isinstance(self._link, MavlinkMessages):
            raise self._unsupported(method, lack)
        self._ready()
        return self._link
