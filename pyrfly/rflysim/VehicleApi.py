"""RflySim's `VehicleApi.Vehicle`: a point-mass vehicle with RflySim's links."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Sequence
from typing import Any

from pyrfly.ctrl.arguments import fill_list
from pyrfly.errors import assert_never
from pyrfly.frames import DEFAULT_ORIGIN, LocalFrame
from pyrfly.protocol import short_message
from pyrfly.protocol.short_message import (
    Arm,
    Cruise,
    SetPoint,
    ShortMode,
    SpeedHeight,
    TakeOff,
    TakeOffGlobal,
)
from pyrfly.rflysim.ground import DEFAULT_MAP
from pyrfly.rflysim.packets import console, pack, parse
from pyrfly.rflysim.point_mass import PointMass
from pyrfly.rflysim.vehicle_motion import clip, level_pitch, wrap
from pyrfly.rflysim.vehicle_setpoints import CIRCLE, CLIMB, CRUISE, TAXI
from pyrfly.transport import RFLYSIM_PORTS, Address, Listener, Ports, Senders, local_address, sender

__all__ = ["Vehicle"]

_WINDOWS = 3  # of RflySim3D, that a windowID below 0 means
_GROUP: Address = ("224.0.0.10", 20009)  # of RflySim3D on all computers
_MAX_CONTROL = 1e6  # of a number in a command
_MAX_PAUSE = 1.0  # s of real time that are made up for
_SET_POINTS = {
    ShortMode.VELOCITY_NED: "SendVelNED",
    ShortMode.VELOCITY_FRD: "SendVelFRD",
    ShortMode.POSITION_NED: "SendPosNED",
}
"""Methods for set-points of the 24-byte message."""


class Vehicle(PointMass):
    """A point-mass multirotor, fixed wing or car; how it moves: `PointMass`.

    `Step` moves it, without any socket. `initSimpleModel` opens its links: it receives commands of
    24 bytes, and sends its state as 52 bytes and its pose to RflySim3D.

    Parameters
    ----------
    CopterID : int
        Which vehicle.
    Vehicletype : int
        100 is a fixed wing, 50 a car, all others a multirotor; shown by RflySim3D.
    mapName : str
        Ground, and what RflySim3D is to show.
    updatefreq : float
        How often `initSimpleModel` moves the vehicle in real time [Hz]; below 1 never, then
        `ModelStep` does.
    isBroadCast : bool
        Whether the pose is sent to RflySim3D on other computers too.
    ports : Ports
        First ports of the series.

    Raises
    ------
    ValueError
        When the CopterID has no port.

    Examples
    --------
    >>> wing = Vehicle(1, 100)
    >>> wing.SendVelYawAlt(20, -50, 0)
    >>> wing.Step(30)
    >>> [round(v) for v in wing.uavVelNED], round(wing.uavPosNED[2])
    ([20, 0, 0], -50)
    """

    def __init__(
        self,
        CopterID: int = 1,
        Vehicletype: int = 3,
        mapName: str = DEFAULT_MAP,
        updatefreq: float = 100,
        isBroadCast: bool = False,
        *,
        ports: Ports = RFLYSIM_PORTS,
    ) -> None:
        ports.of_control(CopterID)
        super().__init__(Vehicletype, mapName)
        self.CopterID = CopterID
        self.mapName = mapName
        self.updatefreq = updatefreq
        self.isBroadCast = isBroadCast
        self.ports = ports
        self.isInPointMode = False
        self.uavTimeStmp = self.trueTimeStmp = 0.0
        self.uavPosGPS = [0.0] * 9
        self.startTime = 0.0
        self.lastTimeStep = -1.0
        self.SendIpPort: Address = ("127.0.0.1", ports.of_control(CopterID) + 1)
        self.udp_socket = sender()
        self._listener: Listener | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._set_origin(DEFAULT_ORIGIN if self.map.GPS is None else self.map.GPS)

    # --- helpers of RflySim ---

    def yawSat(self, yaw: float) -> float:
        """Return an angle [rad] as one from -pi to pi."""
        return wrap(yaw)

    def sat(self, inPwm: float = 0, thres: float = 1) -> float:
        """Return a number within plus and minus ``thres``."""
        return clip(inPwm, thres)

    def fixedPitchFromVel(self, vel: float) -> float:
        """Return the pitch [rad] of a wing in level flight at a speed [m/s]."""
        return level_pitch(vel)

    def enFixedWRWTO(self) -> None:
        """Do nothing, as in RflySim: a take-off always uses a runway."""

    # --- start and stop ---

    def initSimpleModel(
        self,
        intState: Sequence[float] = (0, 0, 0),
        targetIP: str = "127.0.0.1",
        GPSOrigin: Sequence[float] = DEFAULT_ORIGIN,
    ) -> None:
        """Set the vehicle to its start and open its links.

        Parameters
        ----------
        intState : sequence of 3 floats
            x, y [m, from the origin of the map] and heading [deg].
        targetIP : str
            Where its state is sent; only this machine and that one may command.
        GPSOrigin : sequence of 3 floats
            Latitude [deg], longitude [deg] and height [m] of the origin of the map.

        Raises
        ------
        OSError
            When its port is taken.
        """
        self.EndSimpleModel()
        with self._lock:
            self.restart(intState)
            self._set_origin(GPSOrigin)
        port = self.ports.of_control(self.CopterID)
        self.SendIpPort = (targetIP, port + 1)
        self.sendUE4Cmd(f"RflyChangeMapbyName {self.mapName}".encode())
        host = local_address(targetIP)
        senders = Senders([targetIP], host=host)
        self._listener = Listener(host, port, self._take, senders=senders)
        if self.updatefreq >= 1:
            self.isInPointMode = True
            self._stop.clear()
            self._thread = threading.Thread(
                target=self.SimpleModelLoop, name=f"vehicle {self.CopterID}", daemon=True
            )
            self._thread.start()

    def EndSimpleModel(self) -> None:
        """Stop moving in real time and close the link for commands; a second call does nothing."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        self.isInPointMode = False
        self.lastTimeStep = -1.0

    def _set_origin(self, origin: Sequence[float]) -> None:
        """Set the geodetic position of the map's origin, and so of the start."""
        self._frame = LocalFrame(*origin)
        self.GPSOrigin = [float(v) for v in origin]
        start = (self.intStateX, self.intStateY, self.intAlt)
        self._home = _gps_integers(self._frame, start)

    # --- time ---

    def SimpleModelLoop(self) -> None:
        """Move with real time until `EndSimpleModel`; the function of this vehicle's thread."""
        due = time.monotonic()
        while not self._stop.is_set():
            with contextlib.suppress(OSError):  # without a receiver the vehicle still moves
                self.ModelStep(time.time())
            due = max(due + 1 / self.updatefreq, time.monotonic() - 1 / self.updatefreq)
            self._stop.wait(max(0.0, due - time.monotonic()))

    def ModelStep(self, CurTime: float = -1) -> None:
        """Move to a time and send state and pose.

        Parameters
        ----------
        CurTime : float
            Time [s], the present one when below 0. The first call only starts the clock; at most
            1 s is made up for.
        """
        now = time.time() if CurTime < 0 else CurTime
        if self.lastTimeStep < 0:
            self.lastTimeStep = self.startTime = now
        passed, self.lastTimeStep = now - self.lastTimeStep, now
        if passed > 0:
            self.Step(min(passed, _MAX_PAUSE))
            self.SendUavState(now)
            self.SendOutput(now)

    # --- links ---

    def SendUavState(self, CurTime: float) -> None:
        """Send the state (``outHILStateShort``); the time is not in it."""
        with self._lock:
            rows = self._home, self.uavAngEular, self.uavPosNED, self.uavVelNED
            data = pack("outHILStateShort", *rows)
        self.udp_socket.sendto(data, self.SendIpPort)

    def SendOutput(self, CurTime: float) -> None:
        """Send the pose to RflySim3D, and take ``CurTime`` [s] as the time of the state."""
        with self._lock:
            self.uavTimeStmp = self.trueTimeStmp = CurTime
            lla = self._frame.to_lla(self.truePosNED).tolist()
            height, speed = -self.uavPosNED[2], self.uavVelNED
            seconds = CurTime - self.startTime
            self.uavPosGPS = [*lla, seconds, height, *speed, self.uavAngEular[2]]
            pose = self.truePosNED, self.trueAngEular, self.trueVelNED, self.MotorRPMS
        self.sendUE4PosNew(self.CopterID, self.Vehicletype, *pose, seconds)

    def sendUE4PosNew(
        self,
        copterID: int = 1,
        vehicleType: int = 3,
        PosE: Sequence[float] = (0, 0, 0),
        AngEuler: Sequence[float] = (0, 0, 0),
        VelE: Sequence[float] = (0, 0, 0),
        PWMs: Sequence[float] = (0,) * 8,
        runnedTime: float = -1,
        windowID: int = -1,
    ) -> None:
        """Show a vehicle in RflySim3D (``SOut2SimulatorSimpleTime``).

        Parameters
        ----------
        copterID, vehicleType : int
            Which vehicle, and its type in RflySim3D.
        PosE, AngEuler, VelE : sequence of 3 floats
            Position [m, NED], roll, pitch, yaw [rad], velocity [m/s, NED].
        PWMs : sequence of 8 floats
            Rotor speeds [rpm].
        runnedTime : float
            Time [s].
        windowID : int
            Window 0 .. ; below 0 the first three.
        """
        rows = (
            _gps_integers(self._frame, PosE),
            fill_list(PWMs, 8),
            fill_list(VelE, 3),
            fill_list(AngEuler, 3),
        )
        position = fill_list(PosE, 3)
        data = pack("SOut2SimulatorSimpleTime", copterID, vehicleType, *rows, position, runnedTime)
        self.sendBuf(data, windowID)

    def sendUE4Cmd(self, cmd: bytes, windowID: int = -1) -> None:
        """Send a console command to RflySim3D.

        Parameters
        ----------
        cmd : bytes
            The command, at most 249 bytes.
        windowID : int
            Window 0 .. ; below 0 the first three.

        Raises
        ------
        ValueError
            When the command is too long.
        """
        self.sendBuf(console(cmd), windowID)

    def sendBuf(self, buf: bytes, windowID: int = -1) -> None:
        """Send bytes to windows of RflySim3D: ``windowID``, or below 0 the first three."""
        if self.isBroadCast:
            self.udp_socket.sendto(buf, _GROUP)
        windows = range(_WINDOWS) if windowID < 0 else (windowID,)
        for window in windows:
            self.udp_socket.sendto(buf, ("127.0.0.1", self.ports.display + window))

    def _take(self, data: bytes, origin: Address) -> None:
        """Execute a command of 24 bytes; ValueError when it is dropped."""
        name, numbers = parse("command", data)
        if name == "inOffboardShortData":
            self._execute(numbers[1], numbers[2:])

    def _execute(self, mode: int, controls: Sequence[Any]) -> None:
        if not all(abs(value) <= _MAX_CONTROL for value in controls):  # false for NaN
            raise ValueError(f"controls: expected at most {_MAX_CONTROL:g}, got {controls}")
        with self._lock:
            match message := short_message.decode(mode, [controls]):
                case SetPoint(mode=known) if known in _SET_POINTS:
                    getattr(self, _SET_POINTS[known])(*controls)
                case SetPoint():
                    raise ValueError(f"ctrlMode: expected 0, 1, 2 or 9 to 13, got {mode}")
                case SpeedHeight():
                    self.SendVelYawAlt(*controls[:3])
                case Arm(on):
                    self.SendMavArm(on[0])
                case Cruise(speed, radius):
                    if speed[0]:
                        self.SendCruiseSpeed(float(speed[0]))
                    if radius[0]:
                        self.SendCruiseRadius(float(radius[0]))
                case TakeOff() if self._may_take_off():
                    self.sendMavTakeOff(*controls[:3])
                case TakeOffGlobal() if self._may_take_off():
                    self.sendMavTakeOffGPS(*controls[:3])
                case None | TakeOff() | TakeOffGlobal():
                    pass
                case _:
                    assert_never(message)

    def _may_take_off(self) -> bool:
        """Return whether a take-off is a new one: senders repeat their messages."""
        return self._on_ground and self.CurFlag not in (TAXI, CLIMB, CRUISE, CIRCLE)


def _gps_integers(frame: LocalFrame, ned: Sequence[float]) -> list[int]:
    """Return latitude, longitude [1e-7 deg] and height [mm, at most 2147 km] of a position."""
    lat, lon, alt = frame.to_lla(ned).tolist()
    return [round(lat * 1e7), round(lon * 1e7), round(clip(alt * 1e3, 2.0**31 - 1))]
