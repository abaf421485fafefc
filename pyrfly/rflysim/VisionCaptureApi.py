"""RflySim's module ``VisionCaptureApi``: there are no cameras here, and it says so."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from pyrfly import wire
from pyrfly.ctrl.unsupported import UnsupportedError
from pyrfly.rflysim.UE4CtrlAPI import UE4CtrlAPI
from pyrfly.transport import RFLYSIM_PORTS, Ports

__all__ = ["VisionCaptureApi"]

_IMU = 0  # type of sensor in a request
_LOOPBACK = (127, 0, 0, 1)  # where the data are to go, which a simulator takes for the sender
_IMU_PORT = 31000  # of CopterID 1, to which the data are sent


class VisionCaptureApi:
    """Images of RflySim3D's cameras, which do not exist here.

    What has nothing to do with images is sent; all else raises an `UnsupportedError`. A line on
    stderr says so at the beginning.

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
    VisSensor, Img, hasData, timeStmp, imgStmp : list
        Empty: no camera, no image.
    """

    def __init__(self, ip: str = "127.0.0.1", *, ports: Ports = RFLYSIM_PORTS) -> None:
        self.ip = ip
        self.ports = ports
        self.VisSensor: list[Any] = []
        self.Img: list[Any] = []
        self.hasData: list[bool] = []
        self.timeStmp: list[float] = []
        self.imgStmp: list[float] = []
        self._display = UE4CtrlAPI(ip, ports=ports)
        print("pyrfly: VisionCaptureApi: there are no cameras, so no images", file=sys.stderr)

    def sendUE4Cmd(self, cmd: str | bytes, windowID: int = -1) -> None:
        """Send a console command to RflySim3D."""
        self._display.sendUE4Cmd(cmd, windowID)

    def sendImuReqCopterSim(
        self, copterID: int = 1, IP: str = "127.0.0.1", freq: int = 200
    ) -> None:
        """Request measurements of the IMU of a vehicle on port 31000 + CopterID - 1.

        Parameters
        ----------
        copterID : int
            Which vehicle.
        IP : str
            Address of its simulator.
        freq : int
            How often [Hz].
        """
        packet = wire.blank("imuReqCopterSim")
        packet["type"], packet["freq"] = _IMU, freq
        packet["port"] = _IMU_PORT + copterID - 1
        packet["IP"] = _LOOPBACK
        to = (IP, self.ports.of_model(copterID))
        self._display.udp_socket.sendto(packet[0].tobytes(), to)

    def jsonLoad(self, ChangeMode: int = -1, jsonPath: str = "") -> NoReturn:
        """Raise an UnsupportedError."""
        raise _no_images("jsonLoad")

    def addVisSensor(self, vsr: Any = None) -> NoReturn:
        """Raise an UnsupportedError."""
        raise _no_images("addVisSensor")

    def sendReqToUE4(self, windID: int = 0, IP: str = "") -> NoReturn:
        """Raise an UnsupportedError."""
        raise _no_images("sendReqToUE4")

    def sendUpdateUEImage(self, vs: Any = None, windID: int = 0, IP: str = "") -> NoReturn:
        """Raise an UnsupportedError."""
        raise _no_images("sendUpdateUEImage")

    def startImgCap(self, isRemoteSend: bool = False) -> NoReturn:
        """Raise an UnsupportedError."""
        raise _no_images("startImgCap")

    def stopRun(self) -> None:
        """End; there is nothing to end."""


def _no_images(method: str) -> UnsupportedError:
    return UnsupportedError(f"{method}: there are no cameras here, so no images")
