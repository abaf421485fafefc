"""RflySim's module ``UE4CtrlAPI``: packets to RflySim3D, its 3D view, and what it replies."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any, NoReturn

from pyrfly.ctrl.arguments import fill_list
from pyrfly.errors import UnsupportedError, assert_never
from pyrfly.rflysim.display_packets import (
    ACTUATORS,
    CameraData,
    CoptReqData,
    ObjReqData,
    display_packet,
    reply,
    reqVeCrashData,
)
from pyrfly.rflysim.packets import Numbers, console
from pyrfly.transport import RFLYSIM_PORTS, Address, Listener, Ports, sender

__all__ = ["CameraData", "CoptReqData", "ObjReqData", "UE4CtrlAPI", "reqVeCrashData"]

_GROUP = "224.0.0.10"
_WINDOWS = 3  # that a windowID below 0 means
_LONGEST_NET_COMMAND = 91  # bytes; the last of 92 is zero
_LONGEST_LABEL = 119
_ON_GROUND = 1  # added to a checksum: the height is that of the ground
_CAMERA, _VEHICLE, _OBJECT = 0, 1, 2  # of type_id
_REPLY_TIME = 1.0  # s to wait after listening began

_SIMPLE, _TIMED, _FULL = 1234567890, 1234567891, 123456789
_ATTACHED, _NET, _LABEL = 1234567892, 1234567897, 1234567899

Zeros = (0, 0, 0)


class UE4CtrlAPI:
    """Sends commands, labels and poses to RflySim3D, and receives its replies.

    Nothing else is needed here: pyrfly draws nothing itself. Vectors may be lists, tuples or
    arrays; missing numbers are 0, excess ones are cut off. ``windowID`` is the number of a window,
    below 0 the first three. Positions are in [m, NED of the map], angles are roll, pitch, yaw
    [rad], rotor speeds in [1/min].

    Parameters
    ----------
    ip : str
        Address of RflySim3D.
    bind : str
        Interface to listen on for replies; on others than the loopback interface, such as
        ``"0.0.0.0"``, the multicast group 224.0.0.10 is joined.
    ports : Ports
        First ports of the series.

    Attributes
    ----------
    ip : str
        As given.
    inReqVect : list of reqVeCrashData
        Last state of each vehicle that RflySim3D sent.
    CamDataVect, CoptDataVect, ObjDataVect : list
        Last replies about cameras, vehicles and objects.
    trueMsgEvent : threading.Event
        Set with every reply.
    stopFlagUE4 : bool
        Whether replies are not received.

    Raises
    ------
    ValueError
        From every sender: a number or a text does not fit the packet.
    OSError
        From every sender: the system does not send to that address.
    """

    def __init__(
        self, ip: str = "127.0.0.1", *, bind: str = "127.0.0.1", ports: Ports = RFLYSIM_PORTS
    ) -> None:
        self.ip = ip
        self.ports = ports
        self.startTime = time.time()
        self.udp_socket = sender()
        self.inReqVect: list[reqVeCrashData] = []
        self.CoptDataVect: list[CoptReqData] = []
        self.ObjDataVect: list[ObjReqData] = []
        self.CamDataVect: list[CameraData] = []
        self.hasMsgEvent = threading.Event()
        self.trueMsgEvent = threading.Event()
        self.stopFlagUE4 = True
        self._bind = bind
        self._listener: Listener | None = None

    def fillList(self, data: Numbers, inLen: int) -> list[Any]:
        """Return ``data`` as a list of ``inLen`` numbers, cut off or filled up with 0."""
        return fill_list(data, inLen)

    def _send(self, packet: bytes, windowID: int) -> None:
        for window in range(_WINDOWS) if windowID < 0 else (windowID,):
            self.udp_socket.sendto(packet, (self.ip, self.ports.display + window))

    # --- commands and labels

    def sendUE4Cmd(self, cmd: str | bytes, windowID: int = -1) -> None:
        """Send a console command of at most 249 bytes, such as ``RflyChangeMapbyName City``."""
        self._send(console(_bytes(cmd)), windowID)

    def sendUE4CmdNet(self, cmd: str | bytes) -> None:
        """Send a console command of at most 91 bytes to all computers, by multicast."""
        text = _limited("cmd", cmd, _LONGEST_NET_COMMAND)
        packet = display_packet("Ue4CMDNet", _NET, text)
        self.udp_socket.sendto(packet, (_GROUP, self.ports.display_group))

    def sendUE4LabelID(
        self,
        CopterID: int = 0,
        Txt: str = "",
        fontSize: float = 30,
        RGB: Sequence[int] = (255, 0, 0),
        windowID: int = -1,
    ) -> None:
        """Show a text of at most 119 bytes above a vehicle for a second, or above all for 0."""
        self.sendUE4LabelMsg(CopterID, Txt, fontSize, RGB, 1, 0, windowID)

    def sendUE4LabelMsg(
        self,
        CopterID: int = 0,
        Txt: str = "",
        fontSize: float = 30,
        RGB: Sequence[int] = (255, 0, 0),
        dispTime: float = 0,
        dispFlag: int = -1,
        windowID: int = -1,
    ) -> None:
        """Show a line of text above a vehicle, or above all for CopterID 0.

        Parameters
        ----------
        CopterID, Txt : int, str
            Which vehicle; at most 119 bytes.
        fontSize, RGB : float, sequence of int
            Size, and red, green, blue from 0 to 255.
        dispTime : float
            For how long [s]; 0 for ever; below 0 the line disappears.
        dispFlag : int
            Below 0 a further line, 0 the line of the CopterID, 1 to 5 that line.
        windowID : int
            Which window.
        """
        text = _limited("Txt", Txt, _LONGEST_LABEL)
        color = fill_list(RGB, 3)
        packet = display_packet(
            "CopterMsg", _LABEL, CopterID, dispFlag, *color, dispTime, fontSize, text
        )
        self._send(packet, windowID)

    def sendUE4SetStencilValueByActorName(
        self, Actorname: str, StencilValue: int, is_name_regex: bool = False, windowID: int = -1
    ) -> None:
        """Set the stencil value of the objects of a name, or of a pattern of names."""
        self._set_stencil("ByActorName", f"{Actorname} {StencilValue} {is_name_regex}", windowID)

    def sendUE4SetStencilValueByMeshComponentName(
        self, Meshname: str, StencilValue: int, is_name_regex: bool = False, windowID: int = -1
    ) -> None:
        """Set the stencil value of the meshes of a name, or of a pattern of names."""
        what = f"{Meshname} {StencilValue} {is_name_regex}"
        self._set_stencil("ByMeshComponentName", what, windowID)

    def sendUE4SetStencilValueByCopterID(
        self, CopterID: int, StencilValue: int, windowID: int = -1
    ) -> None:
        """Set the stencil value of a vehicle."""
        self._set_stencil("ByCopterID", f"{CopterID} {StencilValue}", windowID)

    def _set_stencil(self, by: str, what: str, windowID: int) -> None:
        self.sendUE4Cmd(f"RflySetStencilValue{by} {what}", windowID)

    def SetUE4RadianceValue(self, UEObjectName: str, windows: int = -1) -> NoReturn:
        """Raise an UnsupportedError: there are no temperatures and emissivities of objects."""
        raise UnsupportedError(
            "SetUE4RadianceValue: there is no table of temperatures here; use "
            "sendUE4SetStencilValueByActorName with a value of your own"
        )

    def waitForMapLoaded(self, mapName: str = "", timeout: float = 60) -> bool:
        """Return True at once: there is no map that would be loaded."""
        return True

    # --- poses

    def sendUE4Destroy(self, copterID: int = 1, windowID: int = -1) -> None:
        """Do nothing: RflySim's packet for removing a vehicle from the view is not published."""

    def sendUE4Attatch(
        self, CopterIDs: Numbers, AttatchIDs: Numbers, AttatchTypes: Numbers, windowID: int = -1
    ) -> None:
        """Attach up to 25 vehicles to others.

        ``AttatchTypes``: 0 not, 1 position, 2 and heading, 3 and attitude, 4 position with the
        attitude of its own.
        """
        packet = display_packet(
            "VehicleAttatch25",
            _ATTACHED,
            *fill_list(CopterIDs, 25),
            *fill_list(AttatchIDs, 25),
            *fill_list(AttatchTypes, 25),
        )
        self._send(packet, windowID)

    def sendUE4Pos(
        self,
        copterID: int = 1,
        vehicleType: int = 3,
        MotorRPMSMean: float = 0,
        PosE: Numbers = Zeros,
        AngEuler: Numbers = Zeros,
        windowID: int = -1,
    ) -> None:
        """Show a vehicle, its eight rotors at one speed."""
        speeds = [MotorRPMSMean] * 8
        self.sendUE4PosNew(copterID, vehicleType, PosE, AngEuler, Zeros, speeds, -1, windowID)

    def sendUE4Pos2Ground(
        self,
        copterID: int = 1,
        vehicleType: int = 3,
        MotorRPMSMean: float = 0,
        PosE: Numbers = Zeros,
        AngEuler: Numbers = Zeros,
        windowID: int = -1,
    ) -> None:
        """Show a vehicle on the ground; its height has no effect."""
        pose = (*fill_list(PosE, 3), *fill_list(AngEuler, 3))
        head = (_SIMPLE + _ON_GROUND, copterID, vehicleType, MotorRPMSMean)
        self._send(display_packet("SOut2SimulatorSimple", *head, *pose), windowID)

    def sendUE4PosScale(
        self,
        copterID: int = 1,
        vehicleType: int = 3,
        MotorRPMSMean: float = 0,
        PosE: Numbers = Zeros,
        AngEuler: Numbers = Zeros,
        Scale: Numbers = (1, 1, 1),
        windowID: int = -1,
    ) -> None:
        """Show a vehicle scaled along its axes."""
        head = (_SIMPLE, copterID, vehicleType, MotorRPMSMean)
        self._send_scaled(head, (PosE, AngEuler, Scale), windowID)

    def sendUE4PosScale2Ground(
        self,
        copterID: int = 1,
        vehicleType: int = 3,
        MotorRPMSMean: float = 0,
        PosE: Numbers = Zeros,
        AngEuler: Numbers = Zeros,
        Scale: Numbers = (1, 1, 1),
        windowID: int = -1,
    ) -> None:
        """Show a vehicle scaled along its axes, on the ground; its height has no effect."""
        head = (_SIMPLE + _ON_GROUND, copterID, vehicleType, MotorRPMSMean)
        self._send_scaled(head, (PosE, AngEuler, Scale), windowID)

    def _send_scaled(
        self, head: tuple[int, int, int, float], vectors: tuple[Numbers, ...], window: int
    ) -> None:
        numbers = [number for values in vectors for number in fill_list(values, 3)]
        self._send(display_packet("SOut2SimulatorSimpleScale", *head, *numbers), window)

    def sendUE4PosFull(
        self,
        copterID: int,
        vehicleType: int,
        MotorRPMS: Numbers = (0,) * 8,
        VelE: Numbers = Zeros,
        PosE: Numbers = Zeros,
        RateB: Numbers = Zeros,
        AngEuler: Numbers = Zeros,
        windowID: int = -1,
    ) -> None:
        """Show a vehicle with velocity [m/s, NED] and angular velocity [rad/s, FRD]."""
        packet = display_packet(
            "SOut2Simulator",
            _FULL,
            *(copterID, vehicleType, 0),
            *fill_list(VelE, 3),
            *fill_list(AngEuler, 3),
            *(0,) * 4,  # no quaternion
            *fill_list(MotorRPMS, 8),
            *(0,) * 3,  # no acceleration
            *fill_list(RateB, 3),
            -1,  # no time
            *fill_list(PosE, 3),
            *(0,) * 3,  # no latitude, longitude, height
        )
        self._send(packet, windowID)

    def sendUE4ExtAct(
        self, copterID: int = 1, ActExt: Numbers = (0,) * 16, windowID: int = -1
    ) -> None:
        """Set 16 further actuators of a vehicle."""
        now = time.time() - self.startTime
        packet = display_packet("Ue4ExtMsg", ACTUATORS, copterID, now, *fill_list(ActExt, 16))
        self._send(packet, windowID)

    def sendUE4PosSimple(
        self,
        copterID: int,
        vehicleType: int,
        PWMs: Numbers,
        VelE: Numbers,
        PosE: Numbers,
        AngEuler: Numbers,
        runnedTime: float = -1,
        windowID: int = -1,
    ) -> None:
        """Show a vehicle with its rotor speeds and velocity [m/s, NED] at a time [s]."""
        packet = display_packet(
            "PosSimple",
            _SIMPLE,
            *(copterID, vehicleType),
            *fill_list(PWMs, 8),
            *fill_list(PosE, 3),
            *fill_list(VelE, 3),
            *fill_list(AngEuler, 3),
            runnedTime,
        )
        self._send(packet, windowID)

    def sendUE4PosNew(
        self,
        copterID: int = 1,
        vehicleType: int = 3,
        PosE: Numbers = Zeros,
        AngEuler: Numbers = Zeros,
        VelE: Numbers = Zeros,
        PWMs: Numbers = (0,) * 8,
        runnedTime: float = -1,
        windowID: int = -1,
    ) -> None:
        """Show a vehicle with its rotor speeds and velocity [m/s, NED] at a time [s]."""
        packet = display_packet(
            "SOut2SimulatorSimpleTime",
            _TIMED,
            *(copterID, vehicleType),
            *(0,) * 3,  # no latitude, longitude, height
            *fill_list(PWMs, 8),
            *fill_list(VelE, 3),
            *fill_list(AngEuler, 3),
            *fill_list(PosE, 3),
            runnedTime,
        )
        self._send(packet, windowID)

    def sendUE4PosScale100(
        self,
        copterID: Numbers,
        vehicleType: Numbers,
        PosE: Numbers,
        AngEuler: Numbers,
        MotorRPMSMean: Numbers,
        Scale: Numbers,
        isFitGround: bool = False,
        windowID: int = -1,
    ) -> None:
        """Show up to 100 vehicles: vectors of all of them one after the other.

        Here ``Scale`` is in percent.
        """
        packet = display_packet(
            "Multi3DData100New",
            _SIMPLE + _ON_GROUND * bool(isFitGround),
            *fill_list(copterID, 100),
            *fill_list(vehicleType, 100),
            *fill_list(PosE, 300),
            *fill_list(AngEuler, 300),
            *map(round, fill_list(Scale, 300)),
            *fill_list(MotorRPMSMean, 100),
        )
        self._send(packet, windowID)

    def sendUE4PosScalePwm20(
        self,
        copterID: Numbers,
        vehicleType: Numbers,
        PosE: Numbers,
        AngEuler: Numbers,
        Scale: Numbers,
        PWMs: Numbers,
        isFitGround: bool = False,
        windowID: int = -1,
    ) -> None:
        """Show up to 20 vehicles with the speeds of eight rotors each; ``Scale`` is in percent."""
        packet = display_packet(
            "Multi3DData20",
            _SIMPLE + _ON_GROUND * bool(isFitGround),
            *fill_list(copterID, 20),
            *fill_list(vehicleType, 20),
            *fill_list(PosE, 60),
            *fill_list(AngEuler, 60),
            *map(round, fill_list(Scale, 60)),
            *fill_list(PWMs, 160),
        )
        self._send(packet, windowID)

    # --- replies

    def initUE4MsgRec(self) -> None:
        """Begin to receive replies; a second call does nothing."""
        if self._listener is None:
            group = "" if self._bind.startswith("127.") else _GROUP
            port = self.ports.display_reply
            self._listener = Listener(self._bind, port, self._take, shared=True, group=group)
            self.stopFlagUE4 = False

    def endUE4MsgRec(self) -> None:
        """End to receive replies."""
        self.stopFlagUE4 = True
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def _take(self, data: bytes, origin: Address) -> None:
        found = reply(data)
        match found:
            case reqVeCrashData():
                _replace(self.inReqVect, "copterID", found)
            case CoptReqData():
                _replace(self.CoptDataVect, "CopterID", found)
            case ObjReqData():
                _replace(self.ObjDataVect, "ObjName", found)
            case CameraData():
                _replace(self.CamDataVect, "SeqID", found)
            case _:
                assert_never(found)
        self.trueMsgEvent.set()

    def _listen(self) -> None:
        if self.stopFlagUE4:
            self.initUE4MsgRec()
            time.sleep(_REPLY_TIME)

    def getUE4Pos(self, CopterID: int = 1) -> list[float]:
        """Return x, y, z of a vehicle in RflySim3D, and 1; four zeros when none was received."""
        data = self.getUE4Data(CopterID)
        return [0, 0, 0, 0] if isinstance(data, int) else [*data.PosE, 1]

    def getUE4Data(self, CopterID: int = 1) -> reqVeCrashData | int:
        """Return the last state of a vehicle in RflySim3D; 0 when none was received."""
        self._listen()
        return next((data for data in self.inReqVect if data.copterID == CopterID), 0)

    def getCamCoptObj(
        self, type_id: int = 1, objName: int | str = 1
    ) -> CameraData | CoptReqData | ObjReqData | int:
        """Return the last reply to `reqCamCoptObj`; 0 when none was received.

        Parameters
        ----------
        type_id : {0, 1, 2}
            0 camera, 1 vehicle, 2 object.
        objName : int or str
            Number of the camera, CopterID or name of the object.
        """
        _check_object(type_id, objName)
        if type_id == _CAMERA:
            return next((data for data in self.CamDataVect if data.SeqID == objName), 0)
        if type_id == _VEHICLE:
            return next((data for data in self.CoptDataVect if data.CopterID == objName), 0)
        return next((data for data in self.ObjDataVect if data.ObjName == objName), 0)

    def reqCamCoptObj(
        self, type_id: int = 1, objName: int | str | Sequence[int | str] = 1, windowID: int = 0
    ) -> None:
        """Request pose and size of cameras, vehicles or objects.

        Parameters
        ----------
        type_id : {0, 1, 2}
            0 camera, 1 vehicle, 2 object.
        objName : int, str, or sequence of them
            Number of the camera, CopterID or name of the object.
        windowID : int
            Which window.
        """
        names = [objName] if isinstance(objName, (int, str)) else list(objName)
        for name in names:
            _check_object(type_id, name)
        for name in names:
            self.sendUE4Cmd(f"RflyReqObjData {type_id} {name} 0", windowID)

    def reqCam(self, SeqIDList: int | Sequence[int] = (0,), windowID: int = 0) -> None:
        """Request the pose of cameras."""
        self.reqCamCoptObj(_CAMERA, SeqIDList, windowID)

    def reqCopt(self, CopterIDList: int | Sequence[int] = (0,), windowID: int = 0) -> None:
        """Request pose and size of vehicles."""
        self.reqCamCoptObj(_VEHICLE, CopterIDList, windowID)

    def reqObj(self, ObjNameList: str | Sequence[str] = ("",), windowID: int = 0) -> None:
        """Request pose and size of objects."""
        self.reqCamCoptObj(_OBJECT, ObjNameList, windowID)


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _limited(name: str, text: str | bytes, longest: int) -> bytes:
    data = _bytes(text)
    if len(data) > longest:
        raise ValueError(f"{name}: expected at most {longest} bytes, got {len(data)}")
    return data


def _check_object(type_id: int, name: int | str) -> None:
    if type_id not in (_CAMERA, _VEHICLE, _OBJECT):
        raise ValueError(f"type_id: expected 0, 1 or 2, got {type_id!r}")
    expected: type = str if type_id == _OBJECT else int
    if not isinstance(name, expected):
        raise TypeError(
            f"objName: expected {expected.__name__} with type_id {type_id}, got {name!r:.80}"
        )


def _replace(replies: list[Any], key: str, found: Any) -> None:
    """Put a reply in place of the one about the same thing, or at the end."""
    for i, known in enumerate(replies):
        if getattr(known, key) == getattr(found, key):
            replies[i] = found
            return
    replies.append(found)
