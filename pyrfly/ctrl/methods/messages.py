"""Methods of one vehicle that send and receive messages."""

from __future__ import annotations

import contextlib
import math
import socket
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.arrays import numeric_array
from pyrfly.ctrl.arguments import fixed, integer, single
from pyrfly.ctrl.link.packets import SIL_SERIES
from pyrfly.ctrl.link.protocols import MavlinkMessages, RemoteTelemetry
from pyrfly.ctrl.methods.all_methods import Methods
from pyrfly.ctrl.methods.helpers import Helpers
from pyrfly.ctrl.methods.px4_only import Px4OnlyMethods
from pyrfly.protocol import short_message
from pyrfly.protocol.bits import FLOATS, INTS
from pyrfly.protocol.short_message import Arm, Cruise, ShortMode, TakeOff, TakeOffGlobal
from pyrfly.protocol.synthesis import Inputs
from pyrfly.transport import RFLYSIM_PORTS, join_group, sender

__all__ = ["Messages"]

START_GROUP, START_PORT = "224.0.0.10", 20007
_INT32 = (-(2**31), 2**31 - 1)
_LAST_PORT = 65535
DISPLAY_WINDOWS = 3  # of RflySim3D, that a windowID below 0 means


class Messages(Methods[list[float], float, bool], Px4OnlyMethods, Helpers):
    """RflySim's methods of one vehicle that are about messages."""

    ip: str

    def __init__(self) -> None:
        super().__init__()
        self.hasMsgDict: dict[str, bool] = {}
        self.trigMsgVect: list[str] = []
        self.hasMsgEvent, self.trueMsgEvent = threading.Event(), threading.Event()
        self.netEvent, self.uavEvent = threading.Event(), threading.Event()
        self.uavMsg: Any = 0
        self.hasTrueDataRec = False

    # --- messages to the vehicle

    def sendSILIntFloat(
        self,
        inSILInts: Sequence[int] = (0,) * 8,
        inSILFLoats: Sequence[float] = (0.0,) * 20,
        copterID: int = -1,
    ) -> None:
        """Write the inputs inSILInts and inSILFloats, whose bits docs/protocol.md describes.

        Parameters
        ----------
        inSILInts : sequence of int
            Eight integers of 32 bits; a command, [0], acts once when its first bit is set.
        inSILFLoats : sequence of float
            Twenty numbers.
        copterID : int
            Which vehicle; 0 or less for this one.
        """
        ints, floats = _array(inSILInts), _array(inSILFLoats)
        if ints.shape != (INTS,) or ints.dtype.kind not in "iu":
            raise TypeError(f"inSILInts: expected {INTS} integers, got {inSILInts!r:.80}")
        if floats.shape != (FLOATS,) or floats.dtype.kind not in "biuf":
            raise TypeError(f"inSILFLoats: expected {FLOATS} numbers, got {inSILFLoats!r:.80}")
        signed = (ints.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
        number = integer("copterID", copterID)
        other = number if number > 0 and number != self.CopterID else None
        self._link.write_inputs(Inputs(signed[None], floats.astype(np.float32)[None]), other)

    def sendUDPSimpData(self, ctrlMode: int, ctrls: Sequence[float]) -> None:
        """Send RflySim's 24-byte message; in process, execute it at once.

        In MAVLink modes it is sent as it is, beside MAVLink, and only where there is a simulator.

        Parameters
        ----------
        ctrlMode : int
            0 velocity NED, 1 velocity FRD, 2 position NED, 3 position FRD, 4 attitude and thrust,
            6 acceleration (7 with a yaw rate, 8 with a heading), 9 arm, 10 speed and radius, 11
            take-off, 12 take-off by latitude and longitude, 13 speed, height and heading; below 0
            nothing.
        ctrls : sequence of float
            Four values; NaN in a set-point but an attitude is what is not controlled, in a
            take-off the present position or heading, or the default height.
        """
        mode = integer("ctrlMode", ctrlMode)
        values = numeric_array("ctrls", [self.fillList(ctrls, 4)], "see ctrlMode")
        if short_message.not_finite(np.array([mode]), values).any():
            raise ValueError(
                f"ctrls: expected finite numbers, or NaN where it may be, got {ctrls!r:.80}"
            )
        message = short_message.decode(mode, values)
        if isinstance(self._link, MavlinkMessages):
            sender = self._datagrams("sendUDPSimpData")
            if message is not None:
                sender.send_short(message)
            return
        match message:
            case None:
                pass
            case Arm(on):
                self.SendMavArm(on[0])
            case Cruise(speed, radius):
                if speed[0]:
                    self.SendCruiseSpeed(float(speed[0]))
                if radius[0]:
                    self.SendCruiseRadius(float(radius[0]))
            case TakeOff(pos, yaw):
                self._take_off(pos, yaw)
            case TakeOffGlobal(lla):
                lat, lon, alt = lla[0].tolist()
                self.sendMavTakeOffGPS(lat, lon, alt, math.nan)
            case set_point:
                if mode == ShortMode.ATTITUDE:
                    self._normalized("ctrls[3]", values[0, 3])
                self._send_target(set_point)

    def sendRebootPix(self, copterID: int, delay: float = -1) -> None:
        """Put a vehicle back to its take-off point, at rest and disarmed.

        Parameters
        ----------
        copterID : int
            Which vehicle.
        delay : float
            Of RflySim's message; without effect.
        """
        self._link.reboot(integer("copterID", copterID), int(self._one("delay", delay, "s")))

    def SendBuf(self, buf: bytes) -> None:
        """Send bytes to port 20100 + 2 (CopterID - 1); over UDP only."""
        self._datagrams("SendBuf").send_raw(bytes(buf), 0)

    def SendBufTrue(self, buf: bytes, port: int | None = None) -> None:
        """Send bytes to port 30100 + 2 (CopterID - 1), over UDP only, or to another one."""
        if port is None:
            self._datagrams("SendBufTrue").send_raw(bytes(buf), SIL_SERIES)
        else:
            self._post(bytes(buf), self.ip, port)

    # --- messages to other programs

    def sendStartMsg(self, copterID: int = -1) -> None:
        """Send the start signal that `waitForStartMsg` waits for, by multicast.

        Parameters
        ----------
        copterID : int
            Which vehicle to start; -1 for all.
        """
        packet = wire.blank("startSignal")
        packet["isStart"], packet["copterID"] = 1, integer("copterID", copterID, *_INT32)
        self._post(packet[0].tobytes(), START_GROUP, START_PORT)

    def waitForStartMsg(self) -> None:
        """Wait, in real time, for the start signal of `sendStartMsg` for this vehicle or all."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
            receiver.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            receiver.bind(("", START_PORT))
            join_group(receiver, START_GROUP)  # without multicast, a signal to this machine arrives
            while True:
                with contextlib.suppress(wire.Rejected):
                    signal = wire.parse("start", receiver.recv(65535)).record
                    number = int(signal["copterID"])
                    if signal["isStart"] and (number < 0 or number == self.CopterID):
                        return

    def sendCustomData(
        self,
        CopterID: int,
        data: Sequence[float] = (0.0,) * 16,
        checksum: int = 123456,
        port: int = 50000,
        IP: str = "127.0.0.1",
    ) -> None:
        """Send 16 numbers to any program by UDP.

        Parameters
        ----------
        CopterID, checksum : int
            Sent before the numbers.
        data : sequence of float
            Sixteen numbers.
        port, IP : int, str
            Port and address to send to.
        """
        packet = wire.blank("CustomData")
        packet["checksum"] = integer("checksum", checksum, *_INT32)
        packet["CopterID"] = integer("CopterID", CopterID, *_INT32)
        packet["data"] = fixed("data", data, 16, "1")
        self._post(packet[0].tobytes(), IP, port)

    def sendUE4PosNew(
        self,
        copterID: int = 1,
        vehicleType: int = 3,
        PosE: Sequence[float] = (0.0,) * 3,
        AngEuler: Sequence[float] = (0.0,) * 3,
        VelE: Sequence[float] = (0.0,) * 3,
        PWMs: Sequence[float] = (0.0,) * 8,
        runnedTime: float = -1,
        windowID: int = -1,
    ) -> None:
        """Show a vehicle in RflySim3D.

        Parameters
        ----------
        copterID, vehicleType : int
            Which vehicle, and how it is displayed.
        PosE, AngEuler, VelE : sequence of float
            Position [m, NED], roll, pitch, yaw [rad] and velocity [m/s, NED].
        PWMs : sequence of float
            Speeds of eight rotors [1/min].
        runnedTime : float
            Time [s].
        windowID : int
            Of the window; below 0, the first three.
        """
        packet = wire.blank("SOut2SimulatorSimpleTime")
        packet["copterID"] = integer("copterID", copterID, *_INT32)
        packet["vehicleType"] = integer("vehicleType", vehicleType, *_INT32)
        packet["MotorRPMS"] = fixed("PWMs", PWMs, 8, "1/min")
        packet["runnedTime"] = single("runnedTime", runnedTime, "s")
        for field, values in (("VelE", VelE), ("AngEuler", AngEuler), ("PosE", PosE)):
            packet[field] = fixed(field, values, 3, "m, m/s or rad")
        window = integer("windowID", windowID, _INT32[0], _LAST_PORT - RFLYSIM_PORTS.display)
        for number in range(DISPLAY_WINDOWS) if window < 0 else (window,):
            self._post(packet[0].tobytes(), self.ip, RFLYSIM_PORTS.display + number)

    @staticmethod
    def _post(packet: bytes, ip: str, port: int) -> None:
        if not isinstance(ip, str):
            raise TypeError(f"IP: expected an address as str, got {ip!r:.80}")
        number = integer("port", port, 1, _LAST_PORT)
        with sender() as out:
            try:
                out.sendto(packet, (ip, number))
            except (socket.gaierror, UnicodeError):
                raise ValueError(f"IP: expected an address, got {ip!r:.80}") from None

    # --- received messages

    def InitTrueDataLoop(self) -> None:
        """Receive the true state; in process the ``true...`` attributes always hold."""
        if isinstance(self._link, RemoteTelemetry):
            self._link.listen_to_truth(True)
        self.hasTrueDataRec = True

    def EndTrueDataLoop(self) -> None:
        """End `InitTrueDataLoop`."""
        if isinstance(self._link, RemoteTelemetry):
            self._link.listen_to_truth(False)
        self.hasTrueDataRec = False

    def setMsgDict(self, stName: str) -> bool:
        """Note that a message was received, and return whether `trigMsgVect` names it."""
        self.hasMsgDict[stName] = True
        return stName in self.trigMsgVect

    def netForwardData(self) -> None:
        """Set `netEvent`."""
        self.netEvent.set()


def _array(value: Any) -> NDArray[Any]:
    """Return an array of what was given, of objects where that has no shape."""
    try:
        return np.asarray(value)
    except ValueError:  # rows of different lengths
        return np.empty(0, dtype=object)
