"""RflySim's `ReqCopterSim`: finds simulators by their heartbeats, and sets them up."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import sys
import time
from collections.abc import Sequence

from pyrfly.ctrl import background
from pyrfly.rflysim.packets import pack, parse
from pyrfly.transport import RFLYSIM_PORTS, Address, Ports, bound, join_group
from pyrfly.wire import Rejected

__all__ = ["ReqCopterSim", "RflyTimeStmp"]

tarIpAddr = ""
"""Address to send requests to for a simulator without heartbeat, besides this computer."""

_GROUP = "224.0.0.10"
_LOOPBACK = "127.0.0.1"
_SEND_HEARTBEAT = 90  # of a Ue4Req
_LOCAL_POSITION, _GPS_ORIGIN, _GPS_POSITION, _GPS_MODE, _XY_MODE = 1, 2, 3, 4, 5  # of isXyYaw
_MODEL, _MAP = 1, 2  # of dllOrMap
_LONGEST_NAME = 48
_NAP = 0.02  # s between looks at what was received


class RflyTimeStmp:
    """A heartbeat.

    Parameters
    ----------
    iv : sequence of 5
        Checksum, CopterID, start and present time [ms since 1970], number of the heartbeat.

    Attributes
    ----------
    checksum, copterID, HeartCount : int
        As given.
    SysStartTime, SysCurrentTime : float
        As given, in [s].
    isCopterSimOnPC : bool
        Whether it came from this computer.
    tarIP : str
        Where it came from.
    """

    def __init__(self, iv: Sequence[float]) -> None:
        self.isCopterSimOnPC = False
        self.tarIP = _LOOPBACK
        self.Update(iv)

    def Update(self, iv: Sequence[float]) -> None:
        """Update from the numbers of another heartbeat."""
        checksum, copter_id, start, now, count = iv
        self.checksum, self.copterID, self.HeartCount = int(checksum), int(copter_id), int(count)
        self.SysStartTime, self.SysCurrentTime = start / 1000, now / 1000


class ReqCopterSim:
    """Finds simulators and sends them settings.

    In simulated time it listens for a simulated time, and finds the vehicles of the run,
    or CopterID 1 where it names none.

    Parameters
    ----------
    listen_s : float
        How long to listen to heartbeats [s], before the constructor and `updateSimMsg` return.
    bind : str
        Interface to listen on. On the loopback interface only simulators of this computer are
        received, and settings are sent to each by itself; on others, such as ``"0.0.0.0"``, the
        multicast group 224.0.0.10 is used too.
    ports : Ports
        First ports of the series.

    Attributes
    ----------
    RflyTimeVect : list of RflyTimeStmp
        Last heartbeat of each vehicle.
    Iplist : list of (int, str)
        CopterID and address of each.
    hostIp : str
        Address of this computer.
    isFalseMulti : bool
        Whether settings are sent to each simulator, without the multicast group.

    Raises
    ------
    PortError
        When the heartbeat port cannot be listened on; an OSError.
    """

    def __init__(
        self,
        *,
        listen_s: float = 3.0,
        bind: str = _LOOPBACK,
        ports: Ports = RFLYSIM_PORTS,
    ) -> None:
        self.listen_s = listen_s
        self.ports = ports
        self.RflyTimeVect: list[RflyTimeStmp] = []
        self.Iplist: list[tuple[int, str]] = []
        self._requested: set[int] = set()
        self._has_told = False
        self.udp_time = bound(bind, ports.heartbeat, shared=True)
        self.udp_time.setblocking(False)
        loopback = ipaddress.ip_address(bind).is_loopback
        self.isFalseMulti = loopback or not join_group(self.udp_time, _GROUP)
        self.hostIp = self.getLocalIp()
        self.updateSimMsg()

    def close(self) -> None:
        """Free the port."""
        self.udp_time.close()

    # --- addresses ---

    def getLocalIp(self) -> str:
        """Return the address of this computer on its network, 127.0.0.1 without one."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("10.254.254.254", 1))  # sends nothing: looks up the route
            except OSError:
                return _LOOPBACK
            return str(probe.getsockname()[0])

    def getHostIP(self) -> str:
        """Return the address of this computer."""
        return self.hostIp

    def isValidIp(self, address: str) -> bool:
        """Return whether a text is an IPv4 address."""
        with contextlib.suppress(ValueError):
            return bool(ipaddress.IPv4Address(address))
        return False

    def isIpLocal(self, IP: str) -> bool:
        """Return whether an address is one of this computer."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind((IP, 0))
            except OSError:
                return False
            return True

    # --- heartbeats ---

    def updateSimMsg(self) -> None:
        """Listen to heartbeats for ``listen_s``."""
        end = time.monotonic() + self.listen_s
        while True:
            self._take_received()
            left = end - time.monotonic()
            if left <= 0:
                break
            time.sleep(min(left, _NAP))  # so that simulated time passes, where it does
        self.Iplist = [(stamp.copterID, stamp.tarIP) for stamp in self.RflyTimeVect]
        received = {copter_id for copter_id, _ in self.Iplist}
        self.Iplist += [(i, _LOOPBACK) for i in self._of_the_run() if i not in received]

    def _of_the_run(self) -> list[int]:
        """Return CopterIDs of a run in simulated time; 1 where it names none, with a line."""
        world = background.chosen()
        if world is None or world.copter_ids:
            return [] if world is None else world.copter_ids
        if not self._has_told:
            self._has_told = True
            print(
                "pyrfly: ReqCopterSim finds CopterID 1 alone, since the run names no vehicles: "
                "--vehicles sdk:4 are four",
                file=sys.stderr,
                flush=True,
            )
        return [1]

    def _take_received(self) -> None:
        """Accept what has been received."""
        while True:
            try:
                data, origin = self.udp_time.recvfrom(65535)
            except BlockingIOError:
                return
            except ConnectionError:  # of a packet that was sent
                continue
            with contextlib.suppress(Rejected):
                self._take(data, origin)

    def _take(self, data: bytes, origin: Address) -> None:
        """Accept a heartbeat; one from this computer is preferred to those from others."""
        _, numbers = parse("heartbeat", data)
        here = self.isIpLocal(origin[0])
        stamp = next((s for s in self.RflyTimeVect if s.copterID == numbers[1]), None)
        if stamp is None:
            stamp = RflyTimeStmp(numbers)
            self.RflyTimeVect.append(stamp)
        elif stamp.isCopterSimOnPC and not here:
            return
        stamp.Update(numbers)
        stamp.isCopterSimOnPC, stamp.tarIP = here, _LOOPBACK if here else origin[0]

    def getSimIpList(self) -> list[tuple[int, str]]:
        """Return CopterID and address of every vehicle whose heartbeat was received."""
        return self.Iplist

    def getSimIpID(self, CopterID: int = 1) -> str:
        """Return the address of the simulator of a vehicle.

        When no heartbeat of it was received, this computer, and `tarIpAddr` if set, get one request
        for it, and `updateSimMsg` is called again; then the result is `tarIpAddr`, or else
        127.0.0.1.

        Parameters
        ----------
        CopterID : int
            Which vehicle.
        """
        if not self._received(CopterID) and CopterID > 0 and CopterID not in self._requested:
            self._requested.add(CopterID)
            request = pack("Ue4Req", _SEND_HEARTBEAT)
            for ip in (_LOOPBACK, self._elsewhere()):
                self._send_to(request, ip, self.ports.of_model(CopterID))
            self.updateSimMsg()
        return self._received(CopterID) or self._elsewhere() or _LOOPBACK

    def _received(self, copter_id: int) -> str:
        return next((ip for number, ip in self.Iplist if number == copter_id), "")

    def _elsewhere(self) -> str:
        return tarIpAddr if self.isValidIp(tarIpAddr) else ""

    def _send_to(self, data: bytes, ip: str, port: int) -> None:
        if ip:
            with contextlib.suppress(OSError):  # not reachable: as if it had not answered
                self.udp_time.sendto(data, (ip, port))

    # --- settings ---

    def _send(self, data: bytes, copter_id: int, ip: str) -> None:
        """Send a setting to the group; without one to a simulator, and to a vehicle's own port.

        Several simulators of one computer share the port of settings, so that only one would get
        what is sent there to an address.
        """
        if not self.isFalseMulti:
            self.udp_time.sendto(data, (_GROUP, self.ports.configure))
            return
        self.udp_time.sendto(data, (ip, self.ports.configure))
        if copter_id > 0:
            self.udp_time.sendto(data, (ip, self.ports.of_model(copter_id)))

    def sendReCopterSim(
        self,
        CopterID: int = 1,
        isReqIP: int = 1,
        UDP_mode: int = -1,
        isXyYaw: int = 0,
        xyYaw: Sequence[float] = (0, 0, 0),
        isZRP: int = 0,
        zRollPitch: Sequence[float] = (0, 0, 0),
        otherParams: Sequence[int] = (0, 0, 0, 0),
    ) -> None:
        """Send settings of a vehicle.

        Parameters
        ----------
        CopterID : int
            Which vehicle.
        isReqIP : int
            Above 0: its state is to be sent to this computer.
        UDP_mode : int
            Its UDP mode; below 0 the present one stays.
        isXyYaw : int
            What ``xyYaw`` is: 0 nothing, 1 x, y [m] and yaw [deg] of the start, 2 latitude,
            longitude [deg] and height [m] of the map's origin, 3 latitude, longitude, yaw [deg] of
            the start; 4 and 5 switch to GPS and to xy coordinates.
        xyYaw : sequence of 3 floats
            See ``isXyYaw``.
        isZRP : int
            Above 0: ``zRollPitch`` holds; else the vehicle starts level on the ground.
        zRollPitch : sequence of 3 floats
            NED z [m], roll, pitch [deg] of the start.
        otherParams : sequence of 4 ints
            Spare, 0 to 255.

        Raises
        ------
        ValueError
            When a number does not fit the message.
        """
        ip = self.getSimIpID(CopterID)
        request = -1 if isReqIP == 0 else isReqIP
        if request > 0 and ip == _LOOPBACK:
            request = 0  # it sends to this computer already
        x, y, yaw = xyYaw
        flags = [request, isXyYaw, isZRP, UDP_mode]
        pose = [*zRollPitch, yaw, x, y]
        data = pack("reCopterSimMsg", CopterID, flags, list(otherParams), pose)
        self._send(data, CopterID, ip)

    def sendReDllMap(
        self, CopterID: int = 0, dllOrMap: int = -1, index: int = -1, name: str | bytes = ""
    ) -> None:
        """Change the model or the map of a vehicle.

        Parameters
        ----------
        CopterID : int
            Which vehicle; -1 all, 0 none.
        dllOrMap : int
            1 its model, 2 its map, else nothing.
        index : int
            Number of the model or map; below 0 ``name`` counts.
        name : str or bytes
            Name of it, at most 48 bytes.

        Raises
        ------
        ValueError
            When a number or the name does not fit the message.
        """
        text = name.encode() if isinstance(name, str) else name
        if len(text) > _LONGEST_NAME:
            raise ValueError(f"name: expected at most {_LONGEST_NAME} bytes, got {len(text)}")
        data = pack("CptSimCMD", CopterID, dllOrMap, index, text)
        everyone = {ip for _, ip in self.Iplist} or {self._elsewhere() or _LOOPBACK}
        for ip in {self.getSimIpID(CopterID)} if CopterID > 0 else everyone:
            self._send(data, CopterID, ip)

    def sendReSimDllName(self, CopterID: int = 1, name: str = "") -> None:
        """Change a vehicle to the model of a name."""
        self.sendReDllMap(CopterID, _MODEL, -1, name)

    def sendReSimDllIdx(self, CopterID: int = 1, index: int = -1) -> None:
        """Change a vehicle to the model of a number."""
        self.sendReDllMap(CopterID, _MODEL, index)

    def sendReSimMapName(self, CopterID: int = 1, name: str = "") -> None:
        """Change a vehicle to the map of a name."""
        self.sendReDllMap(CopterID, _MAP, -1, name)

    def sendReSimMapIdx(self, CopterID: int = 1, index: int = -1) -> None:
        """Change a vehicle to the map of a number."""
        self.sendReDllMap(CopterID, _MAP, index)

    def sendReSimIP(self, CopterID: int = 1) -> None:
        """Request that the state of a vehicle is sent to this computer."""
        self.sendReCopterSim(CopterID)

    def sendReSimUdpMode(self, CopterID: int = 1, UDP_mode: int = -1) -> None:
        """Change the UDP mode of a vehicle."""
        self.sendReCopterSim(CopterID, -1, UDP_mode)

    def sendReSimXYyaw(self, CopterID: int = 1, xyYaw: Sequence[float] = (0, 0, 0)) -> None:
        """Set the start of a vehicle: x, y [m, NED] and yaw [deg]."""
        self.sendReCopterSim(CopterID, -1, -1, _LOCAL_POSITION, xyYaw)

    def sendReGPSOrin(self, CopterID: int = 1, LLA: Sequence[float] = (0, 0, 0)) -> None:
        """Set the origin of the map: latitude [deg], longitude [deg], height [m]."""
        self.sendReCopterSim(CopterID, -1, -1, _GPS_ORIGIN, LLA)

    def sendReGPSPos(
        self, CopterID: int = 1, lat: float = 0, lon: float = 0, yaw: float = 0
    ) -> None:
        """Set the start of a vehicle: latitude, longitude and yaw [deg]."""
        self.sendReCopterSim(CopterID, -1, -1, _GPS_POSITION, (lat, lon, yaw))

    def sendEnGpsMode(self, CopterID: int = 1) -> None:
        """Switch a simulator to latitude and longitude."""
        self.sendReCopterSim(CopterID, -1, -1, _GPS_MODE)

    def sendEnXyMode(self, CopterID: int = 1) -> None:
        """Switch a simulator to x and y."""
        self.sendReCopterSim(CopterID, -1, -1, _XY_MODE)

    def sendReSimXyzRPYaw(
        self,
        CopterID: int = 1,
        Xyz: Sequence[float] = (0, 0, 0),
        RPYaw: Sequence[float] = (0, 0, 0),
    ) -> None:
        """Set the start of a vehicle: x, y, z [m, NED] and roll, pitch, yaw [deg]."""
        (x, y, z), (roll, pitch, yaw) = Xyz, RPYaw
        self.sendReCopterSim(CopterID, -1, -1, _LOCAL_POSITION, (x, y, yaw), 1, (z, roll, pitch))
