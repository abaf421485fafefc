"""A MAVLink link of vehicles that answer as PX4: `Channel`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pyrfly import mavlink
from pyrfly.arrays import rows_where
from pyrfly.autopilot import identity, storage
from pyrfly.autopilot.clock import Clock
from pyrfly.autopilot.commander import Commander
from pyrfly.autopilot.commands import COMMANDS as EXECUTED
from pyrfly.autopilot.commands import INJECT_FAILURE, Command, Commands, command_of
from pyrfly.autopilot.flight_modes import FlightMode, flight_mode
from pyrfly.autopilot.local_origins import FARTHEST
from pyrfly.autopilot.mission_flight import MissionFlight
from pyrfly.autopilot.mission_progress import MissionProgress
from pyrfly.autopilot.mission_transfer import MissionTransfer
from pyrfly.autopilot.offboard import SET_POINTS
from pyrfly.autopilot.parameters import ParameterLink, Parameters
from pyrfly.autopilot.reply import Message, Reply
from pyrfly.autopilot.sticks import Sticks
from pyrfly.autopilot.telemetry import SOME_SEND, STREAMS
from pyrfly.autopilot.telemetry_snapshot import TelemetrySnapshot
from pyrfly.errors import brief, near_names
from pyrfly.mavlink import Datagrams, Frame, FrameWriter
from pyrfly.mavlink.constants import ModeFlag, Result, Severity, VehicleType
from pyrfly.mavlink.modes import modes
from pyrfly.mission.checks import MAX_DISTANCE, SPEEDS
from pyrfly.protocol.bits import FaultyLink
from pyrfly.sim import Sim
from pyrfly.sim.link_faults import Fate, LinkFaults

__all__ = ["COMMANDS", "Channel", "Taken", "Vehicles"]

Rows = NDArray[np.intp]

COMPONENT = 1
"""Component identifier of an autopilot."""

_NOBODY = (0, 0)  # identifiers of no sender

_NAMES = tuple(STREAMS)
_IDS = {mavlink.message_of(name).id: index for index, name in enumerate(_NAMES)}
_ORIGIN = _NAMES.index("GPS_GLOBAL_ORIGIN")
_SHORTEST, _LONGEST = 0.004, 2147.0  # s between two messages of a stream; an int32 of microseconds
_SERVICE_PERIOD = 0.05  # s between two looks at what the services of all vehicles have to send
_NEVER = math.inf
_REQUEST, _SET_INTERVAL, _GET_INTERVAL = 512, 511, 510
_OLD_REQUESTS = {519: 300, 520: 148}  # MAV_CMD of PROTOCOL_VERSION and AUTOPILOT_VERSION


class Taken(NamedTuple):
    """What became of a frame.

    Attributes
    ----------
    verdict : str
        ``'accepted'``, ``'unsupported'``, ``'bad_id'`` (for another system or component);
        ``'held'`` or ``'replaced'``: a set-point that is kept until `Autopilots.use_set_points`,
        the second in place of an earlier one; ``'late'`` and ``'lost'``: by a fault of the link.
    forward : bool
        Whether the other links of the vehicle get the frame, too.
    """

    verdict: str
    forward: bool = False


class Vehicles(Protocol):
    """What a channel needs of the vehicles, `pyrfly.autopilot.Autopilots`."""

    sim: Sim
    clock: Clock
    system_ids: Rows
    parameters: Parameters
    commander: Commander
    commands: Commands

    def mission(self, row: int) -> MissionFlight:
        """Return mission, fence and rally points of a vehicle."""

    def moment(self) -> TelemetrySnapshot:
        """Return the state of the vehicles now."""

    def tell(self, row: int, reply: Reply) -> None:
        """Send a message of a vehicle over all links."""

    def hold_set_point(self, row: int, name: str, record: np.void) -> bool:
        """Keep a set-point until it is used; return whether it replaces an earlier one."""

    def catch_up(self, row: int) -> None:
        """Take what waits of a vehicle: its set-point, its mission."""


class _Services(NamedTuple):
    """What a vehicle does for the stations of one link."""

    parameters: ParameterLink
    missions: MissionTransfer
    progress: MissionProgress


class Channel:
    """Messages between all vehicles and the stations of one kind of link.

    Made by `Autopilots.open`. It keeps how often each vehicle sends which message, and what waits
    to be sent; it has no socket.

    Parameters
    ----------
    autopilots : Vehicles
        The vehicles.
    rates : mapping of str to float
        Messages of `STREAMS` and how often they are sent at first [Hz of simulated time].
    key : bytes, optional
        To sign with, 32 bytes.

    Raises
    ------
    ValueError
        ``rates`` names no message of `STREAMS`.
    """

    def __init__(
        self, autopilots: Vehicles, rates: Mapping[str, float], key: bytes | None = None
    ) -> None:
        n = len(autopilots.system_ids)
        _check_streams(rates)
        self._autopilots = autopilots
        self._default = np.array([_period(rates.get(name, 0.0)) for name in _NAMES])
        self._periods = np.tile(self._default[:, None], (1, n))
        self._due = np.zeros((len(_NAMES), n))
        self._writer = FrameWriter(autopilots.system_ids, COMPONENT, key)
        self._requested: dict[int, set[int]] = {}  # rows, by stream
        self._answers: dict[tuple[int, float, int], Sequence[Reply]] = {}  # by row and request
        self._services: dict[int, _Services] = {}
        self._services_due = 0.0
        self._received: LinkFaults[Frame] = LinkFaults(autopilots.sim)
        self._sent: LinkFaults[bytes] = LinkFaults(autopilots.sim)

    # --- sending

    def send(self, row: int, reply: Reply) -> None:
        """Append a message of a vehicle to what waits."""
        records = mavlink.blank(reply.name, 1)
        for field, value in reply.fields.items():
            records[field] = value.encode() if isinstance(value, str) else value
        self._writer.add(reply.name, records, np.array([row]))

    def packed(self, snapshot: TelemetrySnapshot) -> Datagrams:
        """Return what waits, and what is due of a snapshot."""
        time = self._autopilots.clock.now
        for index in rows_where(np.asarray((self._due <= time + 1e-9).any(axis=1))):
            rows = np.flatnonzero(self._due[index] <= time + 1e-9)
            late = self._due[index, rows] < time - self._periods[index, rows]
            base = np.where(late, time, self._due[index, rows])
            self._due[index, rows] = base + self._periods[index, rows]
            rows = rows[np.isfinite(self._periods[index, rows])]
            self._add(snapshot, _NAMES[index], rows)
        self._send_requested(snapshot)
        if time >= self._services_due:
            self._services_due = time + _SERVICE_PERIOD
            self._send_services(time)
        packed = self._writer.take()
        if not self._sent.act:
            return packed
        datagrams = ((row, bytes(data)) for row, data in packed)
        return Datagrams.of(self._sent.over(FaultyLink.TELEMETRY, datagrams))

    def _send_requested(self, snapshot: TelemetrySnapshot) -> None:
        """Send what was requested, once to however many of the same requests."""
        for index in sorted(self._requested):
            self._add(snapshot, _NAMES[index], np.array(sorted(self._requested[index])))
        self._requested.clear()
        for (row, _, _), replies in self._answers.items():
            for reply in replies:
                self.send(row, reply)
        self._answers.clear()

    def _send_services(self, time: float) -> None:
        for row, services in self._services.items():
            for service in services:
                for reply in service.due(time):
                    self.send(row, reply)

    def _add(self, snapshot: TelemetrySnapshot, name: str, rows: Rows) -> None:
        if name in SOME_SEND:
            rows = rows[SOME_SEND[name](snapshot)[rows]]
        if len(rows):
            records = STREAMS[name](snapshot)
            whole = len(rows) == len(records)
            self._writer.add(name, records if whole else records[rows], None if whole else rows)

    # --- receiving

    def take(self, row: int, frame: Frame) -> Taken:
        """Do what a frame to a vehicle requests, if it gets through; see `take_late`."""
        if self._received.act and not _injects_failure(frame):
            fate = self._received.send(row, _LINKS.get(frame.name, FaultyLink.STATION), frame)
            if fate is not Fate.PASSES:
                return Taken(fate.name.lower())
        return self._take(row, frame)

    def take_late(self) -> None:
        """Do what frames request that a fault has delayed, but for passing them on."""
        for row, frame in self._received.arrived():
            self._take(row, frame)

    def _take(self, row: int, frame: Frame) -> Taken:
        if not frame.known:
            return Taken("unsupported")
        if frame.name in SET_POINTS:
            return self._take_set_point(row, frame)
        message: Message = frame.message()
        target = getattr(message, "target_system", getattr(message, "target", 0))
        own = int(self._autopilots.system_ids[row])
        if target not in (0, own):
            return Taken("bad_id", forward=True)
        if getattr(message, "target_component", 0) not in (0, COMPONENT):
            return Taken("bad_id")
        if (frame.system_id, frame.component_id) in ((own, COMPONENT), _NOBODY):
            return Taken("bad_id")
        handler = _HANDLERS.get(frame.name)
        if handler is None:
            return Taken("unsupported", forward=target == 0)
        handler(self, row, message)
        return Taken("accepted", forward=frame.name == "HEARTBEAT")

    def _take_set_point(self, row: int, frame: Frame) -> Taken:
        record = frame.record()
        if record["target_system"] not in (0, int(self._autopilots.system_ids[row])):
            return Taken("bad_id", forward=True)
        if record["target_component"] not in (0, COMPONENT):
            return Taken("bad_id")
        replaces = self._autopilots.hold_set_point(row, frame.name, record)
        return Taken("replaced" if replaces else "held")

    def _serve(self, row: int, message: Message) -> None:
        """Answer about parameters and missions."""
        time = self._services_due = self._autopilots.clock.now
        services = self._services_of(row)
        for reply in services.parameters.handle(message, time):
            if message.get_type() == "PARAM_SET":
                self._autopilots.tell(row, reply)
            else:
                self.send(row, reply)
        for reply in services.missions.handle(message, time):
            self.send(row, reply)

    def _services_of(self, row: int) -> _Services:
        if row not in self._services:
            autopilots, system = self._autopilots, int(self._autopilots.system_ids[row])
            store = autopilots.mission(row).store
            self._services[row] = _Services(
                ParameterLink(autopilots.parameters, row, system),
                MissionTransfer(store, system),
                MissionProgress(store),
            )
        return self._services[row]

    def _command(self, row: int, message: Message) -> None:
        self._autopilots.catch_up(row)
        command = command_of(message)
        if command.number in _CHANNEL_COMMANDS:
            result = _CHANNEL_COMMANDS[command.number](self, row, command)
        elif command.number in _OLD_REQUESTS:
            number = float(_OLD_REQUESTS[command.number])
            result = self._request(row, command._replace(params=(number, 0.0)))
        else:
            result = self._autopilots.commands.execute(row, command)
        fields: dict[str, object] = {
            "command": command.number,
            "result": int(result),
            "progress": 255,  # not known
            "target_system": message.get_srcSystem(),
            "target_component": message.get_srcComponent(),
        }
        self.send(row, Reply("COMMAND_ACK", fields))

    # --- which messages are sent

    def _request(self, row: int, command: Command) -> Result:
        """Send a message once."""
        number, index = command.params[:2]
        replies: dict[float, Callable[[], Sequence[Reply]]] = {
            148: lambda: [identity.autopilot_version(row + 1)],
            300: lambda: [identity.protocol_version()],
            435: lambda: identity.available_modes(int(index) if 0 <= index < 256 else -1),
            42: lambda: [self._autopilots.mission(row).store.mission_current()],
        }
        if number in replies:
            found = replies[number]()
            if found:
                self._answers[row, number, int(index) if number == 435 else 0] = found
            return Result.ACCEPTED if found else Result.DENIED
        if number in _IDS:
            self._requested.setdefault(_IDS[int(number)], set()).add(row)
            return Result.ACCEPTED
        return Result.UNSUPPORTED

    def _set_interval(self, row: int, command: Command) -> Result:
        """Change how often a message is sent: -1 never, 0 as at first, else microseconds.

        An interval that the vehicle cannot have, or cannot tell, becomes the nearest that it can.
        """
        number, interval = command.params[:2]
        if number not in _IDS:
            return Result.UNSUPPORTED
        if not (interval in (-1.0, 0.0) or 0 < interval < math.inf):
            return Result.DENIED
        index = _IDS[int(number)]
        wanted = min(max(interval * 1e-6, _SHORTEST), _LONGEST)
        period = self._default[index] if interval == 0 else wanted
        self._periods[index, row] = _NEVER if interval < 0 else period
        self._due[index, row] = self._autopilots.clock.now
        return Result.ACCEPTED

    def _get_interval(self, row: int, command: Command) -> Result:
        """Tell how often a message is sent; 0 is MAVLink's word for one that is no stream."""
        number = command.params[0]
        if not 0 <= number < 2**16:
            return Result.DENIED
        known = number in _IDS
        period = self._periods[_IDS[int(number)], row] if known else 0.0
        interval = -1 if period == _NEVER else round(period * 1e6)
        fields: dict[str, object] = {"message_id": int(number), "interval_us": interval}
        self.send(row, Reply("MESSAGE_INTERVAL", fields))
        return Result.ACCEPTED if known else Result.UNSUPPORTED

    # --- other messages

    def _heartbeat(self, row: int, message: Message) -> None:
        if message.type == VehicleType.GCS:
            self._autopilots.commander.silences.hear_station(row)

    def _set_mode(self, row: int, message: Message) -> None:
        self._autopilots.catch_up(row)
        if message.base_mode & ModeFlag.CUSTOM_MODE_ENABLED:
            mode: FlightMode | None = flight_mode(*modes(message.custom_mode))
            if mode is not None:
                self._autopilots.commander.set_mode(row, mode)

    def _sticks(self, row: int, message: Message) -> None:
        sticks = Sticks.of(message.x, message.y, message.z, message.r)
        self._autopilots.commander.move_sticks(row, sticks)

    def _radio(self, row: int, message: Message) -> None:
        """Take roll, pitch, throttle and yaw of a radio, each 1000 to 2000 us."""
        pulses = [getattr(message, f"chan{number}_raw") for number in range(1, 5)]
        if all(900 <= pulse <= 2100 for pulse in pulses):
            roll, pitch, throttle, yaw = (min(max(p, 1000), 2000) - 1500 for p in pulses)
            sticks = Sticks.of(2 * pitch, 2 * roll, throttle + 500, 2 * yaw)
            self._autopilots.commander.move_sticks(row, sticks)

    def _ping(self, row: int, message: Message) -> None:
        if message.target_system == 0:  # a request, not an answer
            fields: dict[str, object] = {
                "time_usec": message.time_usec,
                "seq": message.seq,
                "target_system": message.get_srcSystem(),
                "target_component": message.get_srcComponent(),
            }
            self.send(row, Reply("PING", fields))

    def _timesync(self, row: int, message: Message) -> None:
        if message.tc1 == 0:
            now = round(self._autopilots.sim.time * 1e9)
            self.send(row, Reply("TIMESYNC", {"tc1": now, "ts1": message.ts1}))

    def _follow_target(self, row: int, message: Message) -> None:
        """Take what is followed; one that is not on this map has no position."""
        lat, lon = message.lat * 1e-7, message.lon * 1e-7
        pos = np.full(3, math.nan)
        if abs(lat) <= 90.0 and abs(lon) <= 180.0 and math.isfinite(message.alt):
            pos = np.asarray(self._autopilots.sim.local_frame.to_ned((lat, lon, message.alt)))
        if not np.abs(pos).max() <= MAX_DISTANCE:
            pos = np.full(3, math.nan)
        vel = np.array(message.vel, np.float64)
        vel[~(np.abs(vel) <= SPEEDS[1])] = math.nan
        self._autopilots.commander.requests.see_target(row, pos, vel)

    def _set_origin(self, row: int, message: Message) -> None:
        """Set the origin of the local frame, and tell the one that it has then."""
        lla = message.latitude * 1e-7, message.longitude * 1e-7, message.altitude * 1e-3
        if not self._autopilots.commander.origins.set(row, lla):
            far = f"{FARTHEST / 1e3:g} km"
            self._autopilots.commander.say(
                row, Severity.CRITICAL, f"Origin refused: expected a place within {far}"
            )
        self._requested.setdefault(_ORIGIN, set()).add(row)

    def _answer_storage(self, row: int, message: Message) -> None:
        for reply in storage.answers(message):
            self.send(row, reply)

    def _nothing(self, row: int, message: Message) -> None:
        """Take a message that asks for nothing."""


_CHANNEL_COMMANDS: Mapping[int, Callable[[Channel, int, Command], Result]] = MappingProxyType(
    {
        _REQUEST: Channel._request,
        _SET_INTERVAL: Channel._set_interval,
        _GET_INTERVAL: Channel._get_interval,
    }
)

COMMANDS = EXECUTED.keys() | _CHANNEL_COMMANDS.keys() | _OLD_REQUESTS.keys()
"""MAV_CMD of all commands that a vehicle knows."""

_HANDLERS: Mapping[str, Callable[[Channel, int, Any], None]] = MappingProxyType(
    {
        "COMMAND_INT": Channel._command,
        "COMMAND_LONG": Channel._command,
        "FOLLOW_TARGET": Channel._follow_target,
        "HEARTBEAT": Channel._heartbeat,
        "MANUAL_CONTROL": Channel._sticks,
        "PING": Channel._ping,
        "SET_GPS_GLOBAL_ORIGIN": Channel._set_origin,
        "RC_CHANNELS_OVERRIDE": Channel._radio,
        "SET_MODE": Channel._set_mode,
        "SYSTEM_TIME": Channel._nothing,
        "TIMESYNC": Channel._timesync,
        **dict.fromkeys(
            (
                *("PARAM_REQUEST_LIST", "PARAM_REQUEST_READ", "PARAM_SET"),
                *("MISSION_ACK", "MISSION_CLEAR_ALL", "MISSION_COUNT", "MISSION_ITEM"),
                *("MISSION_ITEM_INT", "MISSION_REQUEST", "MISSION_REQUEST_INT"),
                *("MISSION_REQUEST_LIST", "MISSION_SET_CURRENT"),
            ),
            Channel._serve,
        ),
        **dict.fromkeys(
            (
                *("FILE_TRANSFER_PROTOCOL", "LOG_ERASE", "LOG_REQUEST_DATA"),
                *("LOG_REQUEST_END", "LOG_REQUEST_LIST", "SERIAL_CONTROL"),
            ),
            Channel._answer_storage,
        ),
    }
)
"""What each message does."""


_LINKS: Mapping[str, FaultyLink] = MappingProxyType(
    {
        **dict.fromkeys(("MANUAL_CONTROL", "RC_CHANNELS_OVERRIDE"), FaultyLink.RC),
        **dict.fromkeys(SET_POINTS, FaultyLink.SETPOINTS),
    }
)
"""The link of the vehicle by which a message comes; all others: that of the station."""


def _injects_failure(frame: Frame) -> bool:
    """Return whether a frame injects a failure, which is no matter of the vehicle's links."""
    commands = frame.known and frame.name in ("COMMAND_LONG", "COMMAND_INT")
    return commands and int(frame.record()["command"]) == INJECT_FAILURE


def _check_streams(rates: Mapping[str, float]) -> None:
    for name in rates:
        if name not in STREAMS:
            near = near_names(name, STREAMS, otherwise="ATTITUDE")
            raise ValueError(f"rates: expected streams such as {near}, got {brief(name)}")


def _period(rate: float) -> float:
    return 1.0 / rate if rate > 0 else _NEVER
