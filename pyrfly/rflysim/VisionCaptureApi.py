"""RflySim's module ``VisionCaptureApi``: the IMU, and cameras that never have an image."""

from __future__ import annotations

import copy
import ipaddress
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.ctrl.link.connection import world_of
from pyrfly.rflysim.cameras import (
    VisionSensorReq,
    VisionSensorReqNew,
    described,
    require_images,
)
from pyrfly.rflysim.packets import parse
from pyrfly.rflysim.process_vehicle import ProcessVehicle
from pyrfly.rflysim.UE4CtrlAPI import UE4CtrlAPI
from pyrfly.transport import RFLYSIM_PORTS, Listener, Ports, local_address

__all__ = ["VisionCaptureApi", "VisionSensorReq", "VisionSensorReqNew", "imuDataCopter"]

_IMU = 0  # type of sensor in a request
_LOOPBACK = "127.0.0.1"  # where the data are to go, which a simulator takes for the sender


@dataclass
class imuDataCopter:
    """What the IMU of a vehicle measured last.

    Attributes
    ----------
    checksum, seq : int
        Identification and number of the packet.
    timestmp : float
        Simulated time of the measurement [s].
    rflyStartStmp : float
        Time of day at which simulated time began, as of the first packet [s].
    imuStmp : float
        Their sum.
    acc, rate : list of 3 floats
        Specific force [m/s^2, FRD], angular velocity [rad/s, FRD].
    """

    checksum: int = 1234567898
    seq: int = 0
    timestmp: float = 0.0
    rflyStartStmp: float = 0.0
    imuStmp: float = 0.0
    acc: list[float] = field(default_factory=lambda: [0.0] * 3)
    rate: list[float] = field(default_factory=lambda: [0.0] * 3)


class VisionCaptureApi:
    """Images of RflySim3D's cameras, which do not exist here, and measurements of the IMU.

    Sensors can be described and requested, so that scripts fly, but no image ever arrives. A line
    on stderr says so at the beginning. Within ``cameras.chosen("error")`` what needs images
    raises an `UnsupportedError` instead.

    Parameters
    ----------
    ip : str
        Address of RflySim3D.
    ports : Ports
        First ports of the series.

    Attributes
    ----------
    ip : str
        As given.
    imu : imuDataCopter
        What the IMU measured last, after `sendImuReqCopterSim`.
    hasIMUData : bool
        Whether it has arrived.
    RemotSendIP : str
        Address to which the simulator is to send; empty for 127.0.0.1.
    VisSensor : list of VisionSensorReq
        The sensors of `jsonLoad` and `addVisSensor`.
    Img, ImgData, hasData, timeStmp, imgStmp, rflyStartStmp, Img_lock : list
        For each sensor an image without pixels, no data, False, three times 0, a lock.
    isUE4DirectUDP : bool
        Without effect.
    """

    def __init__(self, ip: str = "127.0.0.1", *, ports: Ports = RFLYSIM_PORTS) -> None:
        self.ip = ip
        self.ports = ports
        self.imu = imuDataCopter()
        self.hasIMUData = False
        self.RemotSendIP = ""
        self.isUE4DirectUDP = False
        self.VisSensor: list[VisionSensorReq] = []
        self.Img: list[NDArray[np.uint8]] = []
        self.ImgData: list[list[float]] = []
        self.Img_lock: list[threading.Lock] = []
        self.hasData: list[bool] = []
        self.timeStmp: list[float] = []
        self.imgStmp: list[float] = []
        self.rflyStartStmp: list[float] = []
        self._display = UE4CtrlAPI(ip, ports=ports)
        self._listener: Listener | None = None
        self._stop_vehicle: Callable[[], None] | None = None
        print("pyrfly: VisionCaptureApi: there are no cameras, so no images", file=sys.stderr)

    def sendUE4Cmd(self, cmd: str | bytes, windowID: int = -1) -> None:
        """Send a console command to RflySim3D."""
        self._display.sendUE4Cmd(cmd, windowID)

    def sendImuReqCopterSim(
        self, copterID: int = 1, IP: str = "127.0.0.1", freq: int = 200
    ) -> None:
        """Request measurements of the IMU of a vehicle, and receive them in ``imu``.

        By UDP, from port 31000 + CopterID - 1; or from a vehicle that is simulated in this process,
        which is where a `PX4MavCtrler` would find it.

        Parameters
        ----------
        copterID : int
            Which vehicle.
        IP : str
            Address of its simulator.
        freq : int
            How often [Hz].

        Raises
        ------
        PortError
            The port is in use by another program; an OSError.
        ValueError
            There is no such port, or the frequency is not 1 to 65535.
        """
        self._end_imu()
        world = world_of(IP, self.ports.of_model(copterID))
        if world is None:
            self._listen(copterID, IP)
            self.sendImuReqClient(copterID, IP, freq)
        else:
            vehicle = ProcessVehicle(world, copterID)
            self._stop_vehicle = vehicle.send_measured(_checked_frequency(freq), self._take)

    def sendImuReqClient(self, copterID: int = 1, IP: str = "127.0.0.1", freq: int = 200) -> None:
        """Send the request of `sendImuReqCopterSim` alone; arguments as there."""
        packet = wire.blank("imuReqCopterSim")
        packet["type"], packet["freq"] = _IMU, _checked_frequency(freq)
        packet["port"] = self.ports.of_imu(copterID)
        packet["IP"] = list(ipaddress.IPv4Address(self.RemotSendIP or _LOOPBACK).packed)
        to = (IP, self.ports.of_model(copterID))
        self._display.udp_socket.sendto(packet[0].tobytes(), to)

    def sendImuReqServe(self, copterID: int = 1) -> None:
        """Receive the measurements of a vehicle in ``imu``, from a simulator by UDP."""
        self._end_imu()
        self._listen(copterID, self.ip)

    def _listen(self, copterID: int, simulator: str) -> None:
        address = "0.0.0.0" if self.RemotSendIP else local_address(simulator)
        port = self.ports.of_imu(copterID)
        self._listener = Listener(address, port, lambda data, _: self._take(data))

    def _take(self, data: bytes) -> None:
        """Take a packet; a ValueError is raised for one that is none of the IMU."""
        _, (checksum, seq, timestmp, *values) = parse("imu", data)
        imu = self.imu
        if not self.hasIMUData:
            imu.rflyStartStmp = time.time() - timestmp
        imu.checksum, imu.seq, imu.timestmp = checksum, seq, timestmp
        imu.imuStmp = imu.rflyStartStmp + timestmp
        imu.acc[:], imu.rate[:] = values[:3], values[3:]
        self.hasIMUData = True

    def _end_imu(self) -> None:
        if self._listener is not None:
            self._listener.close()
        if self._stop_vehicle is not None:
            self._stop_vehicle()
        self._listener = self._stop_vehicle = None

    # --- cameras

    def jsonLoad(self, ChangeMode: int = -1, jsonPath: str = "") -> bool:
        """Read the sensors of ``Config.json`` beside the script; return whether there are some.

        Parameters
        ----------
        ChangeMode : int
            Way of transport of all of them; below 0 that of the file.
        jsonPath : str
            Path of another file.
        """
        require_images("jsonLoad")
        try:
            sensors = described(jsonPath)
        except (OSError, ValueError) as error:
            print(f"pyrfly: VisionCaptureApi.jsonLoad: {error}", file=sys.stderr)
            return False
        for sensor in sensors:
            if ChangeMode >= 0:
                sensor.SendProtocol[0] = ChangeMode
            self.addVisSensor(sensor)
        return bool(sensors)

    def addVisSensor(self, vsr: VisionSensorReq | None = None) -> None:
        """Add a sensor, which will have no data.

        Parameters
        ----------
        vsr : VisionSensorReq or VisionSensorReqNew
            The sensor.
        """
        require_images("addVisSensor")
        if vsr is not None and not isinstance(vsr, VisionSensorReq):
            raise TypeError(f"vsr: expected a VisionSensorReq, got {vsr!r:.80}")
        self.VisSensor.append(copy.deepcopy(vsr or VisionSensorReq()))
        self.Img.append(np.empty((0, 0, 3), np.uint8))
        self.ImgData.append([])
        self.Img_lock.append(threading.Lock())
        self.hasData.append(False)
        for times in (self.timeStmp, self.imgStmp, self.rflyStartStmp):
            times.append(0.0)

    def sendReqToUE4(self, windID: int = 0, IP: str = "") -> bool:
        """Return whether there are sensors that could be requested."""
        require_images("sendReqToUE4")
        return bool(self.VisSensor)

    def sendUpdateUEImage(self, vs: Any = None, windID: int = 0, IP: str = "") -> None:
        """Do nothing: there is no sensor to change."""
        require_images("sendUpdateUEImage")

    def startImgCap(self, isRemoteSend: bool = False) -> None:
        """Do nothing: no image will arrive."""
        require_images("startImgCap")

    def stopRun(self) -> None:
        """End the reception of measurements."""
        self._end_imu()


def _checked_frequency(freq: int) -> int:
    if not (isinstance(freq, int) and 1 <= freq <= 0xFFFF):
        raise ValueError(f"freq: expected 1 to 65535 [Hz], got {freq!r}")
    return freq
