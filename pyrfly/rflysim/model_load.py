"""RflySim's `ModelLoad` and `MultiCopterDll`: a vehicle stepped from Python, with its links."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from collections.abc import Sequence
from typing import Any

from pyrfly import wire
from pyrfly.ctrl.arguments import fill_list
from pyrfly.ctrl.data3d import Data3D, DataHIL
from pyrfly.frames import DEFAULT_ORIGIN, LocalFrame
from pyrfly.rflysim.display_packets import ACTUATORS, display_packet
from pyrfly.rflysim.ground import DEFAULT_MAP, ground_of
from pyrfly.rflysim.model_commands import ModelCommands
from pyrfly.rflysim.packets import Numbers, console, pack
from pyrfly.transport import RFLYSIM_PORTS, Listener, Ports, Senders, local_address, sender
from pyrfly.vehicles import VehicleParameters

__all__ = ["ModelLoad", "MultiCopterDll"]

_WINDOWS = 3  # of RflySim3D
_MIN_ANGLE = 0.1  # deg, of latitude and longitude that count as given
_MAX_PAUSE = 1.0  # s of real time that are made up for


class ModelLoad(ModelCommands):
    """A simulator of one vehicle, controlled by the synthesis model.

    `ModelUpdate` moves it; or `StartAutUpdate` does in real time, in a thread. `StartExtCtrl` opens
    RflySim's links: commands are received on the ports 20100 + 2 (CopterID - 1) and
    30100 + 2 (CopterID - 1), and the state is sent to the ports one above.

    Parameters
    ----------
    dll_name : str, path or VehicleParameters
        Parameter set, or a model of RflySim; see `pyrfly.rflysim.dll_model.parameters_of`.
    CopterID : int
        Which vehicle, in packets and ports.
    ClassID : int
        Type in RflySim3D; below 1: by its kind.
    MapName : str
        Ground; see `pyrfly.rflysim.ground.ground_of`.
    ip : str
        Where the state is sent.
    LocX, LocY : float
        Start [m, NED of the map]; with ``useGPS`` latitude and longitude [deg].
    Yaw : float
        Heading at the start [deg].
    UdpMode : int
        Kept as an attribute; the state goes out as ``outHILStateShort`` in all, as in RflySim.
    useGPS : bool
        See ``LocX``.
    GpsOrin : sequence of 3 floats
        Latitude [deg], longitude [deg] and height [m] of the map's origin. When latitude or
        longitude is within 0.1 deg of 0: that of the map, or RflySim's default.
    ports : Ports
        First ports of the series.

    Attributes
    ----------
    out3Ddata, out3Dvect : Data3D, list of 60 floats
        State.
    outHilData : DataHIL
        State relative to the start.
    outCopterVect : list of 32 floats
        The model's own outputs.
    simSpeed : float
        Simulated per real time, of `StartAutUpdate`.
    InitPos, InitAng : list of 3 floats
        Start: position [m, NED of the map] and roll, pitch, yaw [rad].

    Raises
    ------
    ParameterError
        When there is no such parameter set.
    ValueError
        When the CopterID has no port, or a position is non-finite or not on the earth.

    Examples
    --------
    >>> model = ModelLoad("MulticopterNOpx4.dll")
    >>> model.SendPosNED(0, 0, -10, 0)
    >>> model.ModelUpdate(8)
    >>> [round(v, 1) + 0 for v in model.outHilData.localPos]
    [0.0, 0.0, -10.0]
    """

    def __init__(
        self,
        dll_name: str | os.PathLike[str] | VehicleParameters,
        CopterID: int = 1,
        ClassID: int = -1,
        MapName: str = DEFAULT_MAP,
        ip: str = "127.0.0.1",
        LocX: float = 0,
        LocY: float = 0,
        Yaw: float = 0,
        UdpMode: int = 0,
        useGPS: bool = False,
        GpsOrin: Sequence[float] = (0, 0, 0),
        *,
        ports: Ports = RFLYSIM_PORTS,
    ) -> None:
        super().__init__(dll_name)
        self.ports = ports
        self.udp_socket = sender()
        self.out3Ddata = Data3D()
        self.out3Dvect = [0.0] * 60
        self.outHilData = DataHIL()
        self.outCopterVect = [0.0] * 32
        self.simSpeed = 1.0
        self.isSendExtData = False
        self._listeners: list[Listener] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.CreateVehicle(
            CopterID, ClassID, MapName, ip, LocX, LocY, Yaw, UdpMode, useGPS, GpsOrin
        )

    def CreateVehicle(
        self,
        CopterID: int = 1,
        ClassID: int = -1,
        MapName: str = DEFAULT_MAP,
        ip: str = "127.0.0.1",
        LocX: float = 0,
        LocY: float = 0,
        Yaw: float = 0,
        UdpMode: int = 0,
        useGPS: bool = False,
        GpsOrin: Sequence[float] = (0, 0, 0),
    ) -> None:
        """Start again, as another vehicle or at another position; arguments of the constructor."""
        self.port = self.ports.of_control(CopterID) + 1
        self.port2 = self.ports.of_model(CopterID) + 1
        self.CopterID, self.ClassID, self.MapName, self.ip = CopterID, ClassID, MapName, ip
        self.LocX, self.LocY, self.Yaw = LocX, LocY, Yaw
        self.UdpMode, self.useGPS = UdpMode, useGPS
        self.map = ground_of(MapName)
        given = min(abs(GpsOrin[0]), abs(GpsOrin[1])) > _MIN_ANGLE
        self.GpsOrin = [float(v) for v in (GpsOrin if given else self.map.GPS or DEFAULT_ORIGIN)]
        x, y = LocX, LocY
        if useGPS:
            frame = LocalFrame(*self.GpsOrin)
            x, y, _ = frame.to_ned((LocX, LocY, self.GpsOrin[2])).tolist()
        with self._lock:
            height = self.map.getTerrainAltData(x, y)
            self.InitPos, self.InitAng = [x, y, height], [0.0, 0.0, math.radians(Yaw)]
            self.DllInitGpsPos(self.GpsOrin)
            self.DllTerrainIn15d(height)
            self.DllInitPosAngState(self.InitPos, self.InitAng)
            self.DllReInitModel()
            self._remainder = 0.0
            self.Dllstep()
            self.Updata3Doutput()
        self.SendUpdate3DMap()

    def DllDestroyModel(self) -> None:
        """Stop threads and close all sockets."""
        self.StopAutUpdate()
        self.StopExtCtrl()
        self.udp_socket.close()

    # --- time ---

    def ModelUpdate(self, step_time: float) -> None:
        """Advance simulated time, and update the outputs and the ground below from the map.

        So ``DllTerrainIn15d`` holds until the end of the next call, as in RflySim; use ``Dllstep``
        to keep it.

        Parameters
        ----------
        step_time : float
            How long [s]. What is left of a whole step is added to the next call.

        Raises
        ------
        ValueError
            When it is negative or non-finite.
        """
        if not 0 <= step_time < math.inf:
            raise ValueError(f"step_time: expected a time of at least 0 [s], got {step_time}")
        with self._lock:
            self._remainder += step_time / self.sim.dt
            steps = int(self._remainder + 1e-6)  # 0.29 s is 290 steps in spite of rounding
            self._remainder -= steps
            self.sim.step(steps)
            self.Updata3Doutput()

    def StartAutUpdate(self, UpdateFreq: float = 30, speed: float = -1) -> None:
        """Advance time in a thread, and send the state to RflySim3D and, with links, to them.

        Parameters
        ----------
        UpdateFreq : float
            How often [Hz, real time].
        speed : float
            Simulated per real time; below 0: 1, and RflySim3D is not told.

        Raises
        ------
        ValueError
            When the frequency is not above 0, or an argument is non-finite.
        """
        if not 0 < UpdateFreq < math.inf:
            raise ValueError(f"UpdateFreq: expected a frequency above 0 [Hz], got {UpdateFreq}")
        if not speed < math.inf:
            raise ValueError(f"speed: expected a finite number, got {speed}")
        self.StopAutUpdate()
        self.simSpeed = 1.0 if speed < 0 else float(speed)
        self.SendUpdate3DMap(speed >= 0)
        self._stop.clear()
        self._thread = threading.Thread(
            target=self._run, args=(1 / UpdateFreq,), name=f"model {self.CopterID}", daemon=True
        )
        self._thread.start()

    @property
    def isAutoUpdate(self) -> bool:
        """Whether a thread advances time."""
        return self._thread is not None

    def StopAutUpdate(self) -> None:
        """Stop the thread; a second call does nothing."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self, period: float) -> None:
        last = time.monotonic()
        while not self._stop.wait(max(0.0, last + period - time.monotonic())):
            now = time.monotonic()
            self.ModelUpdate(min(now - last, _MAX_PAUSE) * self.simSpeed)
            last = now
            with contextlib.suppress(OSError):  # without a receiver time still advances
                self._send_all()

    # --- outputs ---

    def Updata3Doutput(self) -> Data3D:
        """Update the outputs of the model, and the ground below it from the map."""
        with self._lock:
            vector = self.DlloutVehileInfo60d()
            self.out3Dvect[:] = vector
            self.out3Ddata.update(vector, self.CopterID, self.ClassID)
            self.outCopterVect[:] = self.DllOutCopterData()
            state = wire.pack(self.sim, "outHILStateShort")[0]
            for name in ("gpsHome", "AngEular", "localPos", "localVel"):
                setattr(self.outHilData, name, state[name].tolist())
            x, y, _ = self.out3Ddata.PosE
            self.DllTerrainIn15d(self.map.getTerrainAltData(x, y))
        return self.out3Ddata

    def get3DDataBuf(self) -> bytes:
        """Return the state as ``SOut2Simulator`` (168 bytes)."""
        with self._lock:
            state, kind = self.out3Dvect, self.out3Ddata.vehicleType
            vel, pos, rest, gps = state[3:6], state[6:9], state[9:30], state[30:33]
            return pack("SOut2Simulator", self.CopterID, kind, 0, vel, rest, state[2], pos, gps)

    def Send3DData(self) -> None:
        """Send the state to RflySim3D."""
        self.udp_socket.sendto(self.get3DDataBuf(), (self.ip, self.ports.display))

    def SendSimData(self) -> None:
        """Send the state to the port of the true state."""
        self.udp_socket.sendto(self.get3DDataBuf(), (self.ip, self.port2))

    def SendHILData(self) -> None:
        """Send the state relative to the start, as ``outHILStateShort`` (52 bytes)."""
        hil = self.outHilData
        data = pack("outHILStateShort", hil.gpsHome, hil.AngEular, hil.localPos, hil.localVel)
        self.udp_socket.sendto(data, (self.ip, self.port))

    def SendOutCopter(self) -> bool:
        """Send the model's own outputs, as ``outCopterStruct`` (264 bytes); return True."""
        data = pack("outCopterStruct", self.CopterID, self.outCopterVect)
        self.udp_socket.sendto(data, (self.ip, self.port2))
        return True

    def _send_actuators(self) -> None:
        """Send the outputs for RflySim3D, its actuators 9 to 24, where the user has set them."""
        with self._lock:
            if not self.sim.groups[0].batch.has("free_outputs"):
                return
            values = self.DllGetExtToUE4()
            data = display_packet("Ue4ExtMsg", ACTUATORS, self.CopterID, self.sim.time, *values)
        self.udp_socket.sendto(data, (self.ip, self.ports.display))

    def _send_all(self) -> None:
        self.Send3DData()
        self._send_actuators()
        if self.isSendExtData:
            self.SendSimData()
            self.SendHILData()
            self.SendOutCopter()

    def SendUpdate3DMap(self, isSetSpeed: bool = False) -> None:
        """Show the map in RflySim3D, and set its speed to ``simSpeed`` if requested."""
        commands = [f"RflyChangeMapbyName {self.MapName}"]
        if isSetSpeed:
            commands.append(f"RflySetSimSpeed {self.simSpeed:g}")
        for command in commands:
            for window in range(_WINDOWS):
                address = (self.ip, self.ports.display + window)
                self.udp_socket.sendto(console(command.encode()), address)

    def fillList(self, data: Numbers, inLen: int, fill: float = 0) -> list[Any]:
        """Return ``data`` as a list of ``inLen`` numbers, cut off or filled up."""
        return fill_list(data, inLen, fill)

    # --- links ---

    def StartExtCtrl(self) -> None:
        """Open the links: receive commands of this machine and ``ip``, send the state there.

        Raises
        ------
        OSError
            When a port is taken.
        """
        self.StopExtCtrl()
        address = local_address(self.ip)
        senders = Senders([self.ip], host=address)
        try:
            for port, take in (
                (self.port - 1, self._take_command),
                (self.port2 - 1, self._take_input),
            ):
                self._listeners.append(Listener(address, port, take, senders=senders))
        except OSError:
            self.StopExtCtrl()
            raise
        self.isSendExtData = True

    def StopExtCtrl(self) -> None:
        """Close the links; a second call does nothing."""
        self.isSendExtData = False
        for listener in self._listeners:
            listener.close()
        self._listeners = []


class MultiCopterDll(ModelLoad):
    """`ModelLoad` of RflySim's multicopter, ``MulticopterNOpx4.dll``; arguments as there."""

    def __init__(
        self,
        CopterID: int = 1,
        ClassID: int = -1,
        MapName: str = DEFAULT_MAP,
        ip: str = "127.0.0.1",
        LocX: float = 0,
        LocY: float = 0,
        Yaw: float = 0,
        UdpMode: int = 0,
        useGPS: bool = False,
        GpsOrin: Sequence[float] = (0, 0, 0),
        *,
        ports: Ports = RFLYSIM_PORTS,
    ) -> None:
        start = LocX, LocY, Yaw, UdpMode, useGPS, GpsOrin
        super().__init__(
            "MulticopterNOpx4.dll", CopterID, ClassID, MapName, ip, *start, ports=ports
        )
