"""Methods of RflySim's class that send messages, and its small helpers."""

from __future__ import annotations

import contextlib
import math
import socket
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyrfly import wire
from pyrfly.ctrl.arguments import integer
from pyrfly.ctrl.targets import WordsTarget
from pyrfly.ctrl.verbs import Verbs
from pyrfly.frames import quaternion_of_euler
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import Words

__all__ = ["Messages"]

START_GROUP, START_PORT = "224.0.0.10", 20007
DISPLAY_PORT, DISPLAY_WINDOWS = 20010, 3

# ctrlMode of RflySim's 24-byte message that is a command.
_ARM, _CRUISE, _TAKE_OFF, _TAKE_OFF_GPS, _SPEED_HEIGHT = 9, 10, 11, 12, 13

_NO_MODULES = "there is no PX4 with modules of the user; sendSILIntFloat reaches the vehicle"
_NO_ESTIMATOR = "there is no estimator that could use it; positions are exact"


class Messages(Verbs[list[float], float, bool]):
    """RflySim's methods of one vehicle that are about messages."""

    CopterID: int
    ip: str

    def __init__(self) -> None:
        super().__init__()
        self.hasMsgDict: dict[str, bool] = {}
        self.trigMsgVect: list[str] = []
        self._make_events(threading.Event)
        self.uavMsg: Any = 0
        self.hasTrueDataRec = False

    def _make_events(self, make: Callable[[], threading.Event]) -> None:
        self.hasMsgEvent, self.trueMsgEvent = make(), make()
        self.netEvent, self.uavEvent = make(), make()

    # --- the vehicle's ports

    def sendSILIntFloat(
        self,
        inSILInts: Sequence[int] = (0,) * 8,
        inSILFLoats: Sequence[float] = (0.0,) * 20,
        copterID: int = -1,
    ) -> None:
        """Write the ports inSILInts and inSILFloats, whose words docs/protocol.md describes.

        Parameters
        ----------
        inSILInts : sequence of int
            Eight integers of 32 bits; a command, [0], acts once when its first bit is set.
        inSILFLoats : sequence of float
            Twenty numbers.
        copterID : int
            Which vehicle; 0 or less for this one.
        """
        ints, floats = np.asarray(inSILInts), np.asarray(inSILFLoats)
        if ints.shape != (8,) or ints.dtype.kind not in "iu":
            raise TypeError(f"inSILInts: expected 8 integers, got {inSILInts!r:.80}")
        if floats.shape != (20,) or floats.dtype.kind not in "biuf":
            raise TypeError(f"inSILFLoats: expected 20 numbers, got {inSILFLoats!r:.80}")
        words = (ints.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
        number = integer("copterID", copterID)
        other = number if number > 0 and number != self.CopterID else None
        self._link.send_words(Words(words[None], floats.astype(np.float32)[None]), other)

    def sendUDPSimpData(self, ctrlMode: int, ctrls: Sequence[float]) -> None:
        """Do what RflySim's 24-byte message says, at once.

        Parameters
        ----------
        ctrlMode : int
            0 velocity NED, 1 velocity FRD, 2 position NED, 3 position FRD, 4 attitude and thrust,
            6 acceleration (7 with a yaw rate, 8 with a heading), 9 arm, 10 speed and radius, 11
            take-off, 12 take-off by latitude and longitude, 13 speed, height and heading; below 0
            nothing.
        ctrls : sequence of float
            Four values.
        """
        mode = integer("ctrlMode", ctrlMode)
        values = self._vector("ctrls", self.fillList(ctrls, 4), "see ctrlMode", 4)[0].tolist()
        a, b, c, _ = values
        if mode == _ARM:
            self.SendMavArm(a != 0)
        elif mode == _CRUISE:
            self.SendCruiseSpeed(a) if a else self.SendCruiseRadius(b)
        elif mode == _TAKE_OFF:
            self.sendMavTakeOff(a, b, c, math.nan)
        elif mode == _TAKE_OFF_GPS:
            self.sendMavTakeOffGPS(a, b, c, math.nan)
        elif mode == _SPEED_HEIGHT:
            self._ready().give(self._speed_target(a, c, b))
        else:
            words = synthesis.simple(mode, [values])
            if words is not None:
                self._ready().give(WordsTarget(words))

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

    # --- messages to others

    def sendStartMsg(self, copterID: int = -1) -> None:
        """Send the start signal that `waitForStartMsg` waits for, by multicast.

        Parameters
        ----------
        copterID : int
            Whom to start; -1 for all.
        """
        packet = wire.blank("startSignal")
        packet["isStart"], packet["copterID"] = 1, integer("copterID", copterID)
        self._post(packet[0].tobytes(), START_GROUP, START_PORT)

    def waitForStartMsg(self) -> None:
        """Wait, in real time, for the start signal of `sendStartMsg` for this vehicle or all."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as heard:
            heard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            heard.bind(("", START_PORT))
            member = socket.inet_aton(START_GROUP) + socket.inet_aton("0.0.0.0")
            # Where there is no multicast, a signal sent to this machine still arrives.
            with contextlib.suppress(OSError):
                heard.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
            while True:
                with contextlib.suppress(wire.Rejected):
                    signal = wire.parse("start", heard.recv(65535)).record
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
            Come before the numbers.
        data : sequence of float
            Sixteen numbers.
        port, IP : int, str
            Where to.
        """
        packet = wire.blank("CustomData")
        packet["checksum"], packet["CopterID"] = checksum, CopterID
        packet["data"] = self.fillList(data, 16)
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
        """Have RflySim3D draw a vehicle.

        Parameters
        ----------
        copterID, vehicleType : int
            Which vehicle, and what it looks like.
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
        packet["copterID"], packet["vehicleType"] = copterID, vehicleType
        packet["MotorRPMS"] = self.fillList(PWMs, 8)
        packet["runnedTime"] = runnedTime
        for field, values in (("VelE", VelE), ("AngEuler", AngEuler), ("PosE", PosE)):
            packet[field] = self.fillList(values, 3)
        for window in range(DISPLAY_WINDOWS) if windowID < 0 else (windowID,):
            self._post(packet[0].tobytes(), self.ip, DISPLAY_PORT + window)

    def SendBuf(self, buf: bytes) -> None:
        """Send bytes to port 20100 + 2 (CopterID - 1); over UDP only."""
        self._link.send_raw(bytes(buf), 0)

    def SendBufTrue(self, buf: bytes, port: int | None = None) -> None:
        """Send bytes to port 30100 + 2 (CopterID - 1), or another one; over UDP only."""
        if port is None:
            self._link.send_raw(bytes(buf), 10000)
        else:
            self._post(bytes(buf), self.ip, port)

    # --- what needs PX4 itself

    def SendHILCtrlMsg(
        self, ctrls: Sequence[float] = (0.0,) * 16, idx: int = 0, flags: int = 1
    ) -> None:
        """Raise UnsupportedError: uORB's rfly_ctrl is for modules in PX4."""
        raise self._unsupported("SendHILCtrlMsg", _NO_MODULES)

    def SendHILCtrlMsg1(self) -> None:
        """Raise UnsupportedError, see `SendHILCtrlMsg`."""
        raise self._unsupported("SendHILCtrlMsg1", _NO_MODULES)

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
        if self._link.has_columns:
            raise self._unsupported("sendPX4UorbRflyCtrl", _NO_MODULES)
        packet = wire.blank("PX4UorbRflyCtrl")
        packet["CopterID"], packet["modes"], packet["flags"] = self.CopterID, modes, flags
        packet["data"] = self.fillList(data, 16)
        self.SendBufTrue(packet[0].tobytes())

    def SendVisionPosition(self, x: float, y: float, z: float, yaw: float) -> None:
        """Raise UnsupportedError: there is no estimator."""
        raise self._unsupported("SendVisionPosition", _NO_ESTIMATOR)

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
        """Raise UnsupportedError: there is no estimator."""
        raise self._unsupported("SendHILGps", _NO_ESTIMATOR)

    # --- truth

    def InitTrueDataLoop(self) -> None:
        """Listen to the simulator's state; in process the ``true...`` attributes always hold."""
        self._link.listen_to_truth(True)
        self.hasTrueDataRec = True

    def EndTrueDataLoop(self) -> None:
        """End `InitTrueDataLoop`."""
        self._link.listen_to_truth(False)
        self.hasTrueDataRec = False

    # --- helpers

    @staticmethod
    def fillList(data: Any, inLen: int, fill: Any = 0) -> list[Any]:
        """Return a list of ``inLen`` values: cut, or filled up with ``fill``."""
        values = data.tolist() if isinstance(data, np.ndarray) else data
        values = list(values) if isinstance(values, Sequence) else [values]
        return (values + [fill] * inLen)[:inLen]

    @staticmethod
    def yawSat(yaw: float) -> float:
        """Return an angle within -pi to pi [rad]."""
        return math.remainder(yaw, math.tau)

    @staticmethod
    def sat(inPwm: float = 0, thres: float = 1) -> float:
        """Return ``inPwm`` limited to plus and minus ``thres``."""
        return min(max(inPwm, -thres), thres)

    @staticmethod
    def EulerToQuat(Euler: Sequence[float]) -> list[float]:
        """Return the attitude, scalar first and FRD to NED, of roll, pitch and yaw [rad]."""
        quaternion: list[float] = quaternion_of_euler(np.array([Euler], np.float64))[0].tolist()
        return quaternion

    @staticmethod
    def TypeMask(EnList: Sequence[int]) -> int:
        """Return MAVLink's type mask of what counts of [pos, vel, acc, force, yaw, yawrate]."""
        bits = (7 << 0, 7 << 3, 7 << 6, 1 << 9, 1 << 10, 1 << 11)
        return sum(bit for bit, counts in zip(bits, EnList, strict=True) if not counts)

    def setMsgDict(self, stName: str) -> bool:
        """Note that a message came, and return whether `trigMsgVect` names it."""
        self.hasMsgDict[stName] = True
        return stName in self.trigMsgVect

    def netForwardData(self) -> None:
        """Set `netEvent`."""
        self.netEvent.set()

    @staticmethod
    def GetUDPRedisBuf(sock: socket.socket) -> bytes:
        """Return the next datagram of a socket."""
        return sock.recv(65535)

    @staticmethod
    def _post(packet: bytes, ip: str, port: int) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            out.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            out.sendto(packet, (ip, port))
