"""RflySim's control class `PX4MavCtrler`.

Names, order and defaults of arguments, and units are those of RflySim's ``PX4MavCtrlV4``
[@rfly-sdk]. Positions that are commanded, and ``uavPosNED``, are relative to the take-off point,
which is the position of the vehicle when ``InitMavLoop`` is called; ``truePosNED`` and
``uavGlobalPos`` are in the frame of the `Sim`, whose origin is RflySim's map centre. Angles are in
radians unless said otherwise; quaternions are scalar first, FRD to NED.
"""

from __future__ import annotations

import math
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.ctrl import ending
from pyrfly.ctrl.arguments import integer
from pyrfly.ctrl.data3d import Data3D
from pyrfly.ctrl.earth_model import EarthModel
from pyrfly.ctrl.link import Link, Place, connect, parsed_com, remote_link
from pyrfly.ctrl.link.com import Kind, is_serial
from pyrfly.ctrl.link.mavlink_receiver import TRUTH
from pyrfly.ctrl.link.protocols import (
    MavlinkMessages,
    Measurements,
    Placement,
    RemoteTelemetry,
    lacks,
)
from pyrfly.ctrl.live import LiveList
from pyrfly.ctrl.methods.attributes import flag, vector
from pyrfly.ctrl.methods.messages import Messages
from pyrfly.ctrl.vendor_types import PX4ExtMsg
from pyrfly.sim import Sim
from pyrfly.transport import RFLYSIM_PORTS

__all__ = ["FIRST_PORT", "PX4MavCtrler"]

FIRST_PORT = RFLYSIM_PORTS.control
"""Port of CopterID 1; the next has two more [@rfly-sdk]."""

MAX_ID = 10000  # a first argument above it is a port
MESSAGES = {0: {"HILStateData": True}, 1: {"HILStateSimple": True, "PX4Ekf3DFixed": True}}
"""What ``hasMsgDict`` has by UDPMode; `ALL_MESSAGES` in the others."""

WITHOUT_MODEL = {"uavMag", "uavVibr", "batInfo"}
"""Attributes that UDP modes do not carry."""

FAILSAFE = "Failsafe"  # in what PX4 says when it executes one

NO_CRASH = -10  # RflySim's first value of isVehicleCrashID

ALL_MESSAGES = dict.fromkeys(
    "ATTITUDE LOCAL_POSITION_NED GLOBAL_POSITION_INT HOME_POSITION HEARTBEAT TrueDataRec".split(),
    True,
)


class PX4MavCtrler(Messages):
    """Controls one vehicle with RflySim's methods.

    Where the vehicle is follows from the arguments: in ``sim``; at a serial port or a UDP address,
    where ``Com`` says so; behind RflySim's UDP ports, where ``ip`` is another machine or a server
    has the vehicle's port here; or else in a background simulation of this process in real time,
    which starts with the first such vehicle.

    Behind RflySim's ports ``InitMavLoop(0)`` and ``InitMavLoop(1)`` are for servers in RflySim's
    UDP modes. ``InitMavLoop(2)``, its default, to ``InitMavLoop(6)`` are for those in MAVLink modes
    and for PX4 behind CopterSim, and need ``pip install 'pyrfly[mavlink]'``. Methods then send the
    MAVLink messages of RflySim's, and attributes are what PX4 sends.

    With ``sim``, time advances in ``sim.step`` and ``sim.sleep`` only. Set-points take effect at
    the next of 100 updates per second of simulated time, everything else at once.

    Vectors are lists that are changed in place at each of these updates, so that a script may hold
    one and see it change; ``list(mav.uavPosNED)`` stays as it is. Attributes that change in flight
    can be set, until the next update.

    Parameters
    ----------
    ID : int or str
        CopterID of the vehicle, from 1; above 10000 its port, 20100 + 2 (CopterID - 1). The name
        of a serial port is ``Com``, as in older versions.
    ip : str
        Address of the simulator, or of the vehicle.
    Com : str
        Kind of link: ``'udp'``; a serial port, as ``'COM3'``, ``'/dev/ttyUSB0'`` or
        ``'COM3:115200'``, with ``pip install 'pyrfly[mavlink,serial]'``; ``'Direct'`` or
        ``'Direct:15551'``, UDP to a vehicle that answers to where frames come from. RflySim's
        'redis' does not exist here.
    port : int
        UDP port of the vehicle; 0 is 20100 + 2 (CopterID - 1). Of a serial port the rate [baud],
        57600 for 0.
    simulinkDLL : bool
        Of older versions; without effect, as its methods are always available.
    sim : Sim, optional
        The simulation that the vehicle is in.
    CopterID : int, optional
        In place of ``ID``.
    first_port : int
        In place of RflySim's 20100; the other series of ports move with it.

    Attributes
    ----------
    CopterID : int
        Of the vehicle.
    ip, Com, port
        As given.
    sim : Sim or None
        The simulation that the vehicle is in, if it is in this process.
    UDPMode : int
        What ``InitMavLoop`` was called with, 2 before.
    startTime : float
        When ``InitMavLoop`` was called, as ``time.time`` [s].
    hasMsgDict, trigMsgVect : dict, list
        Which messages were received; those named in the second set ``hasMsgEvent``.
    hasMsgEvent, trueMsgEvent, netEvent, uavEvent : threading.Event
        Set whenever a new state is there.
    hasTrueDataRec : bool
        Whether ``InitTrueDataLoop`` was called.
    isFailsafeEn, FailsafeInfo : bool, str or None
        Whether PX4 has sent a STATUSTEXT of a failsafe since ``InitMavLoop``, and the last one; in
        MAVLink modes.
    uavMsg : object
        Message of pymavlink that came last, in MAVLink modes; 0 before.
    nId, truegyro, truemag : int
        0, RflySim's first value.
    geo : EarthModel
        Conversions of coordinates.

    Raises
    ------
    ValueError, TypeError
        When ``sim`` has no such vehicle, or an argument is not as above.
    UnsupportedError
        For one of RflySim's links that do not exist here.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> mav = PX4MavCtrler(1, sim=sim)
    >>> mav.InitMavLoop()
    >>> mav.SendMavArm(True)
    >>> mav.sendMavTakeOff(0, 0, -5)
    >>> sim.sleep(8)
    >>> mav.initOffboard()
    >>> mav.SendVelFRD(1, 0, 0, 0)
    >>> sim.sleep(5)
    >>> bool(mav.uavPosNED[0] > 3)
    True
    """

    def __init__(
        self,
        ID: int | str = 1,
        ip: str = "127.0.0.1",
        Com: str = "udp",
        port: int = 0,
        simulinkDLL: bool = False,
        *,
        sim: Sim | None = None,
        CopterID: int | None = None,
        first_port: int = FIRST_PORT,
    ) -> None:
        super().__init__()
        if isinstance(ID, str) and is_serial(ID):
            Com, ID = ID, 1
        com = parsed_com(Com, integer("port", port))
        if sim is not None and not isinstance(sim, Sim):
            raise TypeError(f"sim: expected a pyrfly.Sim, got {sim!r:.80}")
        if sim is not None and com.kind is not Kind.UDP:
            raise ValueError(f"Com: expected 'udp', as the vehicle is in sim, got {Com!r}")
        number = integer("CopterID", ID if CopterID is None else CopterID)
        if number > MAX_ID and com.kind is Kind.UDP:
            number = (number - first_port) // 2 + 1
        if number < 1 or (sim is not None and number > sim.n):
            expected = "at least 1" if sim is None else f"1 to {sim.n}"
            raise ValueError(
                f"CopterID: expected {expected}, got {ID if CopterID is None else CopterID!r}"
            )
        self.CopterID = number
        self.ip = ip
        self.Com = Com
        given = 0 if com.kind is Kind.SERIAL else com.number
        self.port = given or first_port + 2 * (number - 1)
        if not 0 < self.port < 2**16:
            raise ValueError(f"port: expected 1 to 65535, got {self.port}")
        self._k = None
        self._name = f"CopterID {number}"
        self._place = Place(com, ip, self.port, number)
        self._link, self.sim, self._world = connect(sim, self._place)
        self.startTime = time.time()
        self.geo = EarthModel()
        # By name; those that nobody holds any more disappear.
        self._held: weakref.WeakValueDictionary[str, LiveList] = weakref.WeakValueDictionary()
        self._data: Callable[[], Data3D | None] = lambda: None
        self.isFailsafeEn = False
        self.FailsafeInfo: str | None = None
        self.nId = self.truegyro = self.truemag = 0

    def __repr__(self) -> str:
        """Return the CopterID, and where the vehicle is."""
        where = f"on UDP port {self.port} of {self.ip}"
        if self.sim is not None:
            where = f"in {self.sim!r}"
        elif self._place.com.kind is Kind.SERIAL:
            where = f"on {self._place.com.device}"
        return f"<PX4MavCtrler of CopterID {self.CopterID} {where}>"

    # --- RflySim's own simple model

    def initPointMassModel(self, intAlt: float = 0, intState: Sequence[float] = (0, 0, 0)) -> None:
        """Put the vehicle on the ground, take control of it, and track set-points.

        RflySim then moves a point mass; here the vehicle keeps its full model. In process only.

        Parameters
        ----------
        intAlt : float
            Down coordinate of the ground [m].
        intState : sequence of float
            North and east [m], and heading [deg].
        """
        link = self._link
        if not isinstance(link, Placement):
            raise lacks("initPointMassModel", Placement)
        north, east, yaw = self._vector("intState", intState, "m, m, deg", 3)[0]
        down = self._one("intAlt", intAlt, "m")
        link.place((north, east, down), math.radians(yaw))
        self.InitMavLoop(self.UDPMode)
        self.initOffboard()

    def EndPointMassModel(self) -> None:
        """Release control, as ``endMavLoop`` does."""
        self.endMavLoop()

    # --- attributes

    @flag
    def isPX4Ekf3DFixed(self) -> NDArray[np.bool_]:
        """Whether position is known: in process, as soon as `connected`."""
        return np.array([self._connected and self._link.fixed])

    @property
    def isVehicleCrash(self) -> bool:
        """Whether the vehicle has collided; can be set, to forget a collision."""
        self._look()
        return self._link.crash_id >= 0

    @isVehicleCrash.setter
    def isVehicleCrash(self, crashed: bool) -> None:
        if not crashed:
            self._link.crash_id = NO_CRASH
        elif not self.isVehicleCrash:
            self._link.crash_id = 0

    @property
    def isVehicleCrashID(self) -> int:
        """CopterID of the vehicle it collided with; -10 for none; can be set."""
        return self._link.crash_id

    @isVehicleCrashID.setter
    def isVehicleCrashID(self, copter_id: int) -> None:
        self._link.crash_id = integer("isVehicleCrashID", copter_id)

    @property
    def yaw(self) -> float:
        """Heading of the set-point that was set last [rad]; 0 without one."""
        return 0.0 if self._heading is None else float(self._heading[0])

    @property
    def the_connection(self) -> Any:
        """What scripts send messages of pymavlink by, in MAVLink modes; else None.

        ``the_connection.mav`` is pymavlink's object with its ``..._send`` methods,
        ``the_connection.target_system`` and ``target_component`` are those of the vehicle. What it
        receives are the attributes of the vehicle, and `uavMsg`.
        """
        link = self._link
        return link.connection if isinstance(link, MavlinkMessages) else None

    @vector
    def uavMag(self) -> NDArray[np.float64]:
        """Magnetic field [gauss, FRD]; zeros in UDP modes."""
        link = self._link
        return link.instruments.magnetic if isinstance(link, Measurements) else np.zeros((1, 3))

    @vector
    def uavVibr(self) -> NDArray[np.float64]:
        """PX4's three levels of vibration, in MAVLink modes; else zeros."""
        link = self._link
        return link.instruments.vibration if isinstance(link, Measurements) else np.zeros((1, 3))

    @vector
    def batInfo(self) -> NDArray[np.float64]:
        """Charge [%] and voltage, as PX4 reports it of the first cell [mV]; zeros in UDP modes."""
        link = self._link
        return link.instruments.battery if isinstance(link, Measurements) else np.zeros((1, 2))

    @property
    def link_counts(self) -> dict[str, int]:
        """How many MAVLink frames were taken and dropped, by reason; empty in other modes.

        ``received``, ``malformed``, ``foreign`` of other vehicles, ``rejected`` for numbers that
        cannot be, and ``refused`` commands.
        """
        link = self._link
        return dict(link.counts) if isinstance(link, MavlinkMessages) else {}

    @vector
    def trueSimulinkData(self) -> NDArray[np.float64]:
        """The model's 32 free outputs (outCopterData), over UDP after ``InitTrueDataLoop``."""
        link = self._link
        return np.array([link.free_outputs if isinstance(link, RemoteTelemetry) else [0.0] * 32])

    @property
    def px4ext(self) -> PX4ExtMsg:
        """Message that a module of the user in PX4 sent last; in process there is none."""
        message, link = PX4ExtMsg(), self._link
        if isinstance(link, RemoteTelemetry) and link.px4ext is not None:
            record = link.px4ext.record
            message.checksum, message.CopterID = int(record["checksum"]), int(record["CopterID"])
            message.runnedTime = float(record["runnedTime"])
            message.controls = record["controls"].tolist()
        return message

    @property
    def out3Ddata(self) -> Data3D:
        """The vehicle's true state as RflySim's `Data3D`, which is kept up to date."""
        self._look()
        data = self._data()
        if data is None:
            data = Data3D()
            self._data = weakref.ref(data)
        self._fill(data)
        return data

    # --- inside

    def _link_of(self, mode: int) -> Link:
        return self._link if self.sim is not None else remote_link(self._place, mode, self._link)

    def _on_arrival(self, link: Link) -> Callable[[], object]:
        self.startTime = time.time()
        self.isFailsafeEn = False
        if isinstance(link, MavlinkMessages):
            link.on_message(self._message_arrived)
            return self._truth_arrived
        return self._arrived

    def _opened(self) -> None:
        if self.hasTrueDataRec and isinstance(self._link, RemoteTelemetry):
            self._link.listen_to_truth(True)  # which another link did before
        if self.sim is None or (self._world is not None and self._world.flies_on):
            ending.expect(self._link)

    def _arrived(self) -> None:
        self._refresh()
        news = MESSAGES.get(self.UDPMode, ALL_MESSAGES)
        self.hasMsgDict.update(news)
        if not news.keys().isdisjoint(self.trigMsgVect):
            self.hasMsgEvent.set()
        self.netEvent.set()
        self.uavEvent.set()
        self.trueMsgEvent.set()

    def _truth_arrived(self) -> None:
        """Show a packet beside MAVLink, of the true state."""
        self._refresh()
        self.trueMsgEvent.set()

    def _message_arrived(self, name: str, message: Any) -> None:
        """Show a message of MAVLink."""
        self.uavMsg = message
        self._refresh()
        if name == "STATUSTEXT" and FAILSAFE in message.text:
            self.isFailsafeEn, self.FailsafeInfo = True, message.text.strip()
        if self.setMsgDict(name):
            self.hasMsgEvent.set()
        self.uavEvent.set()
        if name == "LOCAL_POSITION_NED":
            self.netEvent.set()
        elif name == TRUTH:
            self.trueMsgEvent.set()

    def _refresh(self) -> None:
        """Bring what scripts hold up to date; what they wrote stays where there is no model."""
        if self._written:
            stay = set() if isinstance(self._link, Measurements) else WITHOUT_MODEL
            for name in self._written.keys() - stay:
                self._written.pop(name, None)
        for name, held in list(self._held.items()):
            held[:] = getattr(type(self), name).read(self)[0].tolist()
        data = self._data()
        if data is not None:
            self._fill(data)

    def _fill(self, data: Data3D) -> None:
        """Write the true state."""
        state = self._link.truth
        data.CopterID, data.vehicleType = self.CopterID, int(state.vehicle_type[0])
        data.runnedTime = float(state.time[0])
        data.VelE, data.PosE = state.vel[0].tolist(), state.pos[0].tolist()
        data.AngEuler, data.AngQuatern = state.euler[0].tolist(), state.att[0].tolist()
        data.MotorRPMS = state.rpm[0].tolist()
        data.AccB, data.RateB = state.accel[0].tolist(), state.rate[0].tolist()
        data.PosGPS = state.lla[0].tolist()

    def _write(self, name: str, value: object) -> None:
        self._written[name] = value

    def _shown(self, name: str, values: NDArray[np.float64]) -> list[float]:
        self._look()
        held = self._held.get(name)
        if held is None:
            held = self._held[name] = LiveList(self._look)
        held[:] = values[0].tolist()
        return held

    def _shown_scalar(self, values: Any) -> Any:
        self._look()
        return values[0].item()

    def _shown_flag(self, values: NDArray[np.bool_]) -> bool:
        self._look()
        return bool(values[0])

    def _look(self) -> None:
        """Note that a script reads the vehicle, and perhaps only waits."""
        if self._world is not None:
            self._world.look()
