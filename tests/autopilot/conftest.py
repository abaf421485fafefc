"""Messages as they arrive: packed and parsed by pymavlink."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common as mavlink

import pyrfly
from pyrfly.autopilot import Autopilots, FlightMode
from pyrfly.autopilot.offboard import Verdict
from pyrfly.mavlink import FrameParser
from pyrfly.vehicles import FAMILIES, names
from pyrfly.vehicles.kinds import Kind

NAN = math.nan
OWN = object()
"""Stands for the system identifier of the vehicle that a message is for."""


def as_received(name: str, fields: dict[str, Any], system: int, component: int) -> Any:
    """Return a message after its way over a link; only complete and valid fields can be packed."""
    made = getattr(mavlink, f"MAVLink_{name.lower()}_message")
    values = {k: v.encode() if isinstance(v, str) else v for k, v in fields.items()}
    assert set(values) == set(made.fieldnames)
    packed = made(**values).pack(mavlink.MAVLink(None, srcSystem=system, srcComponent=component))
    (message,) = mavlink.MAVLink(None).parse_buffer(packed)
    return message


def quaternion(roll: float, pitch: float, yaw: float) -> tuple[float, ...]:
    """Return the quaternion of angles [rad], scalar first, as in any textbook."""
    cr, sr = math.cos(roll / 2), math.sin(roll / 2)
    cp, sp = math.cos(pitch / 2), math.sin(pitch / 2)
    cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )


@pytest.fixture
def decoded() -> Callable[..., Any]:
    """Return a function that makes a received message of a `Reply` of vehicle 1."""

    def of_reply(reply: Any, system: int = 1, component: int = 1) -> Any:
        return as_received(reply.name, reply.fields, system, component)

    return of_reply


@pytest.fixture
def sent() -> Callable[..., Any]:
    """Return a function that makes a received message of a station, to vehicle 1 by default."""

    def message(name: str, station: tuple[int, int] = (255, 190), **fields: Any) -> Any:
        if not name.startswith("PARAM"):
            fields.setdefault("mission_type", 0)
        if name == "MISSION_SET_CURRENT":
            del fields["mission_type"]
        return as_received(name, {"target_system": 1, "target_component": 1} | fields, *station)

    return message


class Station:
    """Vehicles as PX4s, and a station that talks to them over a link without a socket.

    Messages are packed and parsed by pymavlink.
    """

    def __init__(
        self,
        vehicles: Any = "x450",
        n: int | None = None,
        rates: Any = None,
        pos: Any = None,
        **options: Any,
    ) -> None:
        self.sim = pyrfly.Sim(vehicles, n, dt=0.002)
        self.rows = range(self.sim.n)
        if pos is not None:
            self.sim.reset(pos=pos)
        self.autopilots = Autopilots(self.sim, **options)
        self.commander = self.autopilots.commander
        self.channel = self.autopilots.open(rates or {})
        self.parameters = self.autopilots.parameters
        self.received: list[tuple[float, int, Any]] = []
        self.each_tick: list[Callable[[], object]] = []
        self.verdicts: Counter[tuple[int, Verdict]] = Counter()  # on set-points
        self.source = mavlink.MAVLink(None, srcSystem=255, srcComponent=190)
        self._send: Callable[[], object] = lambda: None
        self._frames = FrameParser()
        self._parser = mavlink.MAVLink(None)

    def system(self, row: int) -> int:
        return int(self.autopilots.system_ids[row])

    def send(self, name: str, *fields: Any, row: int = 0) -> Any:
        """Send a message with its fields in the order of its definition; return what it became."""
        made = getattr(mavlink, f"MAVLink_{name.lower()}_message")(*fields)
        (frame,) = self._frames.feed(made.pack(self.source))
        return self.channel.take(row, frame)

    def collect(self) -> None:
        """Receive what waits."""
        for row, data in self.channel.packed(self.autopilots.moment()):
            for message in self._parser.parse_buffer(bytes(data)) or []:
                self.received.append((self.sim.time, row, message))

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.02)):
            for call in self.each_tick:
                call()
            self.sim.step(10)
            rows, verdicts = self.autopilots.use_set_points()
            self.verdicts.update(zip(rows.tolist(), map(Verdict, verdicts.tolist()), strict=True))
            self.autopilots.update()
            self.collect()

    def until(self, condition: Callable[[], object], seconds: float = 60.0) -> float:
        """Run until a condition holds; return how long it took [s]."""
        start = self.sim.time
        while not condition():
            assert self.sim.time - start < seconds
            self.run(0.02)
        return self.sim.time - start

    def all(self, name: str, row: int = 0) -> list[Any]:
        return [m for _, r, m in self.received if r == row and m.get_type() == name]

    def texts(self, row: int = 0) -> list[str]:
        """Return what a vehicle has said, each text put together from its parts."""
        found: list[str] = []
        for message in self.all("STATUSTEXT", row):
            if message.chunk_seq:
                found[-1] += message.text
            else:
                found.append(message.text)
        return found

    def command(self, number: int, *params: float, row: int = 0, component: int = 1) -> int | None:
        """Send a COMMAND_LONG; return the result of its only ACK."""
        seven = [*params, *[0.0] * (7 - len(params))]
        return self._acked(number, row, "COMMAND_LONG", component, number, 0, *seven)

    def command_int(
        self, number: int, *params: float, frame: int = 0, place: Any = (0, 0, 0.0), row: int = 0
    ) -> int | None:
        """Send a COMMAND_INT with parameters 1 to 4 and x, y, z; return the result."""
        four = [*params, *[0.0] * (4 - len(params))]
        lat, lon, alt = place
        return self._acked(
            *(number, row, "COMMAND_INT", 1, frame, number, 0, 0, *four, lat, lon, alt)
        )

    def _acked(self, number: int, row: int, name: str, component: int, *fields: Any) -> int | None:
        self.collect()
        before = len(self.received)
        self.send(name, self.system(row), component, *fields, row=row)
        self.collect()
        acks = [
            m for _, r, m in self.received[before:] if (m.get_type(), r) == ("COMMAND_ACK", row)
        ]
        if not acks:
            return None
        (ack,) = acks
        assert (ack.command, ack.target_system, ack.target_component) == (number, 255, 190)
        result: int = ack.result
        return result

    # --- often needed

    def mode(self, row: int = 0) -> str:
        return FlightMode(int(self.commander.mode[row])).name

    def height(self, row: int = 0) -> float:
        return float(self.sim.terrain[row] - self.sim.pos[row, 2])

    def set(self, name: str, *values: float) -> None:
        """Set a parameter: one value of all vehicles, or one of each."""
        for row in self.rows:
            self.parameters.set(row, name, values[row % len(values)])

    def in_air(self, height: float = 5.0) -> Station:
        """Let all vehicles take off and hold above their places."""
        self.set("MIS_TAKEOFF_ALT", height)
        self.set("MPC_TKO_SPEED", 3.0)
        self.each(22, -1, 0, 0, NAN, NAN, NAN, NAN)
        self.each(400, 1)
        self.until(lambda: (self.commander.mode == FlightMode.HOLD).all())
        self.run(1.5)
        return self

    def place(self, north: float, east: float, height: float) -> tuple[float, float, float]:
        """Return latitude, longitude [deg] and altitude [m] of a point of the local frame."""
        lat, lon, alt = self.sim.local_frame.to_lla(np.array([north, east, -height]))
        return float(lat), float(lon), float(alt)

    def place_int(self, north: float, east: float, height: float) -> tuple[int, int, float]:
        lat, lon, alt = self.place(north, east, height)
        return round(lat * 1e7), round(lon * 1e7), alt

    def each(self, number: int, *params: float) -> None:
        """Send a COMMAND_LONG to all vehicles, which accept it."""
        assert [self.command(number, *params, row=row) for row in self.rows] == [0] * self.sim.n

    def modes(self) -> list[str]:
        return [self.mode(row) for row in self.rows]

    def always(self, name: str, *fields: Any) -> None:
        """Send a message to all vehicles at 10 Hz from now on.

        `OWN` in the fields is the identifier of each vehicle.
        """
        self.release()
        made = getattr(mavlink, f"MAVLink_{name.lower()}_message")
        frames = []
        for row in self.rows:
            own = [self.system(row) if field is OWN else field for field in fields]
            (frame,) = self._frames.feed(made(*own).pack(self.source))
            frames.append((row, frame))
        ticks = itertools.count()
        self._send = lambda: [self.channel.take(*frame) for frame in frames]
        self.each_tick.append(lambda: next(ticks) % 5 or self._send())

    def steer(self, *xyzr: int) -> None:
        """Hold the sticks of all vehicles from now on."""
        self.always("MANUAL_CONTROL", OWN, *xyzr, 0)

    def set_point(self, *fields: float, mask: int, frame: int = 1) -> None:
        """Send set-points to all vehicles from now on: SET_POSITION_TARGET_LOCAL_NED."""
        numbers = [*fields, *[0.0] * (11 - len(fields))]
        self.always("SET_POSITION_TARGET_LOCAL_NED", 0, OWN, 1, frame, mask, *numbers)

    def release(self) -> None:
        """Send nothing any more, after a last time."""
        self._send()
        self._send = lambda: None
        self.each_tick.clear()


@pytest.fixture
def station() -> Callable[..., Station]:
    """Return a function that makes vehicles with a station, see `Station`."""
    return Station


@pytest.fixture(scope="session")
def airborne() -> Station:
    """Return a vehicle in flight to which anything may be sent."""
    return Station().in_air(5.0)


def sets_without_hover() -> list[str]:
    """Return a set of each family whose vehicles fly by wings or drive alone."""
    sets = [names(family)[0] for family in FAMILIES]
    kinds = {name: pyrfly.Sim(name).groups[0].abilities.kind for name in sets}
    return [name for name in sets if kinds[name] in (Kind.WINGED, Kind.DRIVES)]
