"""Vehicles as PX4s over UDP, with pymavlink as the other end."""

from __future__ import annotations

import contextlib
import math
import random
import socket
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from pymavlink import mavutil
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.mavlink.signing import timestamp_now
from pyrfly.server import OptionError, PortError, Server
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.transport.destinations import PROBE

NAN = math.nan
UNSET = 2**31 - 1
FIRST = 20100
POSITION, VELOCITY = 0b101111111000, 0b110111000111


def is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_offset(n: int) -> int:
    """Return what may be added to the ports of a fleet."""
    for _ in range(100):
        offset = 2 * random.randrange(-5000, 4500)
        ports = [*range(14540, 14551), *range(14580, 14580 + n), *range(18570, 18570 + n)]
        ports += range(FIRST, FIRST + 2 * n)
        if all(is_free(port + offset) for port in ports):
            return offset
    raise RuntimeError("no free ports")


class Client:
    """A program that talks to one vehicle or to several over a UDP port."""

    def __init__(self, world: World, address: str, system: int = 255, component: int = 190) -> None:
        self.world = world
        self.link = mavutil.mavlink_connection(
            address, source_system=system, source_component=component, dialect="common"
        )
        self.received: list[Any] = []

    @property
    def mav(self) -> Any:
        """The packer of pymavlink, which the first frame of MAVLink 2 replaces."""
        return self.link.mav

    def poll(self) -> None:
        while (message := self.link.recv_match(blocking=False)) is not None:
            self.received.append(message)

    def all(self, name: str, system: int | None = None) -> list[Any]:
        return [
            m for m in self.received if m.get_type() == name and system in (None, m.get_srcSystem())
        ]

    def last(self, name: str) -> Any:
        return next((m for m in reversed(self.received) if m.get_type() == name), None)

    def wait(self, name: str, seconds: float = 5.0, **fields: Any) -> Any:
        """Run until a new message comes that has these fields."""
        begin = len(self.received)

        def found() -> Any:
            for m in self.received[begin:]:
                if m.get_type() == name and all(getattr(m, k) == v for k, v in fields.items()):
                    return m
            return None

        return self.world.until(found, seconds)

    def quiet(self) -> None:
        """Ask for fewer messages, as each takes pymavlink its time."""
        for number in (30, 31, 32, 33, 36, 83, 85, 105, 331):
            assert self.command(511, number, 200_000) == 0

    def command(self, number: int, *params: float, system: int = 1) -> int:
        """Send a COMMAND_LONG; return the result."""
        self.mav.command_long_send(system, 1, number, 0, *params, *[0.0] * (7 - len(params)))
        result: int = self.wait("COMMAND_ACK", command=number).result
        return result


class World:
    """Vehicles, their server and clients, stepped together in this thread."""

    def __init__(
        self, vehicles: Any = "x450", n: int = 1, rate: Any = "max", **options: Any
    ) -> None:
        self.sim = Sim(vehicles, n, dt=0.002)
        self.sim.reset(pos=[(0, 5 * k) for k in range(n)])
        self.offset = free_offset(n)
        self.link = MavlinkLink(
            self.sim, first_port=FIRST + self.offset, **{"patience": math.inf} | options
        )
        self.server = Server(self.sim, mode=None, rate=rate, links=[self.link])
        self.clients: list[Client] = []

    def client(self, port: int, kind: str = "udpin", **options: Any) -> Client:
        """Return a program on a port of this machine, or one that sends to a port."""
        client = Client(self, f"{kind}:127.0.0.1:{port + self.offset}", **options)
        self.clients.append(client)
        return client

    def run(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / 0.02))):
            self.server.run(0.02)
            for client in self.clients:
                client.poll()

    def until(self, condition: Callable[[], Any], seconds: float = 60.0) -> Any:
        """Run until a condition holds, for a simulated time; return its value."""
        end = self.sim.time + seconds
        while not (value := condition()):
            assert self.sim.time < end
            self.run(0.02)
        return value

    def close(self) -> None:
        self.server.close()
        for client in self.clients:
            client.link.close()


@pytest.fixture
def world() -> Iterator[Callable[..., World]]:
    """Return a function that makes a `World`."""
    made: list[World] = []

    def make(*args: Any, **options: Any) -> World:
        made.append(World(*args, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def place(world: World, north: float, east: float, height: float) -> tuple[int, int, float]:
    lat, lon, alt = world.sim.local_frame.to_lla(np.array([north, east, -height]))
    return round(float(lat) * 1e7), round(float(lon) * 1e7), float(alt)


def taken_off(world: World, station: Client, height: float = 4.0, system: int = 1) -> None:
    name = b"MIS_TAKEOFF_ALT"
    station.mav.param_set_send(system, 1, name, height, common.MAV_PARAM_TYPE_REAL32)
    assert station.wait("PARAM_VALUE").param_value == height
    assert station.command(22, -1, 0, 0, NAN, NAN, NAN, NAN, system=system) == 0
    assert station.command(400, 1, system=system) == 0
    sim, row = world.sim, system - 1
    world.until(lambda: abs(sim.pos[row, 2] + height) < 0.1)


def test_the_system_time_is_that_of_the_computer_at_the_start(world: Callable[..., World]) -> None:
    before = time.time()
    w = world()
    after = time.time()
    m = w.client(14540).wait("SYSTEM_TIME")
    since_start = 1e-6 * m.time_unix_usec - 1e-3 * m.time_boot_ms
    assert before - 0.01 <= since_start <= after + 0.01


# --- whole flights -----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_flight_with_a_ground_station(world: Callable[..., World]) -> None:
    """Parameters, arming, take-off, goto, mission, return and landing."""
    w = world()
    station = w.client(14550)
    beat = station.wait("HEARTBEAT")
    assert (beat.get_srcSystem(), beat.type, beat.autopilot) == (1, 2, 12)
    station.quiet()
    station.mav.param_set_send(1, 1, b"RTL_RETURN_ALT", 6.0, common.MAV_PARAM_TYPE_REAL32)
    assert station.wait("PARAM_VALUE").param_value == 6.0
    station.mav.param_request_read_send(1, 1, b"SYS_AUTOSTART", -1)
    value = station.wait("PARAM_VALUE")
    assert value.param_id == "SYS_AUTOSTART"
    taken_off(w, station)
    station.wait("HEARTBEAT", custom_mode=4 << 16 | 3 << 24)
    lat, lon, alt = place(w, 6, 2, 5)
    station.mav.command_int_send(1, 1, 0, 192, 0, 0, -1, 1, 0, NAN, lat, lon, alt)
    assert station.wait("COMMAND_ACK").result == 0
    w.until(lambda: np.linalg.norm(w.sim.pos[0] - (6, 2, -5)) < 0.1)
    w.run(1)
    m = station.last("GLOBAL_POSITION_INT")
    assert (m.lat, m.lon) == pytest.approx((lat, lon), abs=20)

    items = [place(w, 6, 8, 5), place(w, 0, 8, 5)]
    station.mav.mission_count_send(1, 1, len(items), 0)
    for seq, (lat, lon, alt) in enumerate(items):
        w.until(
            lambda seq=seq: (
                any(m.seq == seq for m in station.all("MISSION_REQUEST_INT"))
                or any(m.seq == seq for m in station.all("MISSION_REQUEST"))
            ),
            5,
        )
        station.mav.mission_item_int_send(
            1, 1, seq, 5, 16, int(seq == 0), 1, 0, 0, 0, NAN, lat, lon, alt, 0
        )
    assert station.wait("MISSION_ACK").type == 0
    assert station.command(176, 1, 4, 4) == 0
    station.wait("MISSION_ITEM_REACHED", 30, seq=0)
    station.wait("MISSION_ITEM_REACHED", 30, seq=1)
    np.testing.assert_allclose(w.sim.pos[0], [0, 8, -5], atol=0.6)

    assert station.command(20) == 0
    station.wait("EXTENDED_SYS_STATE", 60, landed_state=common.MAV_LANDED_STATE_ON_GROUND)
    w.until(lambda: not w.sim.armed[0], 10)
    np.testing.assert_allclose(w.sim.pos[0], [0, 0, 0], atol=0.3)
    stats = w.link.stats
    assert stats["accepted"] == stats["received"] > 10
    assert stats["sent"] > 100


@pytest.mark.slow
def test_a_flight_with_an_sdk(world: Callable[..., World]) -> None:
    """Positions and velocities in mode Offboard, and a landing."""
    w = world()
    sdk = w.client(14540, system=245)
    sdk.wait("HEARTBEAT")
    sdk.quiet()
    taken_off(w, sdk)

    def fly(seconds: float, mask: int, *numbers: float, frame: int = 1) -> None:
        fields = (*numbers, *[0.0] * (11 - len(numbers)))
        for _ in range(round(seconds / 0.1)):
            sdk.mav.set_position_target_local_ned_send(0, 1, 1, frame, mask, *fields)
            w.run(0.1)

    fly(0.2, POSITION, 3, 0, -5)
    assert sdk.command(176, 1, 6) == 0
    fly(7, POSITION, 3, 0, -5)
    m = sdk.last("LOCAL_POSITION_NED")
    assert (m.x, m.y, m.z) == pytest.approx((3, 0, -5), abs=0.1)
    fly(3, VELOCITY, 0, 0, 0, 0, 1.5, 0, frame=8)
    m = sdk.last("LOCAL_POSITION_NED")
    assert (m.vx, m.vy) == pytest.approx((0, 1.5), abs=0.15)
    assert sdk.command(21) == 0
    w.until(lambda: not w.sim.armed[0], 40)
    assert sdk.last("STATUSTEXT").text == "Disarmed by landing"


@pytest.mark.slow
def test_a_flight_faster_than_real_time_in_the_background(world: Callable[..., World]) -> None:
    """A client in real time, the simulation at eight times that."""
    w = world(rate=8, patience=8.0)
    station = w.client(14550)
    w.server.start()
    link = station.link
    assert link.recv_match(type="HEARTBEAT", blocking=True, timeout=10) is not None
    for number, first in ((22, -1), (400, 1)):
        link.mav.command_long_send(1, 1, number, 0, first, 0, 0, NAN, NAN, NAN, NAN)
        ack = link.recv_match(
            type="COMMAND_ACK",
            condition=f"COMMAND_ACK.command=={number}",
            blocking=True,
            timeout=10,
        )
        assert ack.result == 0
    up = "LOCAL_POSITION_NED.z<-2.3"
    assert link.recv_match(type="LOCAL_POSITION_NED", condition=up, blocking=True, timeout=20)
    link.mav.command_long_send(1, 1, 21, 0, *[0] * 7)
    down = "HEARTBEAT.base_mode<128"
    assert link.recv_match(type="HEARTBEAT", condition=down, blocking=True, timeout=30)


# --- ports -------------------------------------------------------------------------------------


def test_the_ports_are_those_of_px4() -> None:
    offset = free_offset(12)
    kinds = ("ground_station", "onboard", "mavlink_full")
    link = MavlinkLink(Sim("x450", 12), kinds, first_port=FIRST + offset)
    try:
        uses = {use.name: [port - offset for port in use.ports] for use in link.port_uses()}
    finally:
        link.close()
    assert uses["ground_station"] == list(range(18570, 18582))
    assert uses["from ground_station"] == [14550]
    assert uses["onboard"] == list(range(14580, 14592))
    assert uses["from onboard"][:10] == list(range(14540, 14550))
    assert uses["mavlink_full"] == list(range(20100, 20124, 2))
    assert uses["from mavlink_full"] == list(range(20101, 20125, 2))


@pytest.mark.slow
def test_every_vehicle_has_a_port_for_its_sdk(world: Callable[..., World]) -> None:
    w = world(n=3)
    sdks = [w.client(14540 + k, system=245) for k in range(3)]
    w.run(1.1)
    for k, sdk in enumerate(sdks, start=1):
        assert {m.get_srcSystem() for m in sdk.all("HEARTBEAT")} == {k}
    taken_off(w, sdks[1], system=2)
    assert w.sim.armed.tolist() == [0, 1, 0]


def test_one_port_hears_all_vehicles(world: Callable[..., World]) -> None:
    w = world(n=3, first_id=5)
    station = w.client(14550)
    w.run(0.1)
    assert {m.get_srcSystem() for m in station.all("HEARTBEAT")} == {5, 6, 7}


def test_a_station_on_another_port_is_answered_there(world: Callable[..., World]) -> None:
    w = world()
    other = w.client(18570, "udpout")
    w.run(0.3)
    assert other.received == []
    other.mav.heartbeat_send(6, 8, 0, 0, 4)
    other.wait("HEARTBEAT")
    assert other.command(512, 148) == 0
    assert other.last("AUTOPILOT_VERSION") is not None


def test_a_port_in_use_is_named() -> None:
    offset = free_offset(1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 18570 + offset))
        with pytest.raises(PortError, match=rf"{18570 + offset}.*first_port"):
            MavlinkLink(Sim("x450"), first_port=FIRST + offset)


@pytest.mark.parametrize(
    "kinds", [(), ("telepathy",), ("onboard", "onboard"), ("mavlink_full", "mavlink_simple")]
)
def test_kinds_that_are_none(kinds: tuple[str, ...]) -> None:
    with pytest.raises(OptionError, match="kinds: expected"):
        MavlinkLink(Sim("x450"), kinds)


# --- several links -----------------------------------------------------------------------------


def test_heartbeats_are_passed_on_between_links(world: Callable[..., World]) -> None:
    w = world()
    station, sdk = w.client(14550), w.client(14540, system=1, component=191)
    w.run(0.1)
    sdk.mav.heartbeat_send(common.MAV_TYPE_ONBOARD_CONTROLLER, 8, 0, 0, 4)
    beat = station.wait("HEARTBEAT", type=common.MAV_TYPE_ONBOARD_CONTROLLER)
    assert beat.get_srcComponent() == 191
    w.run(0.1)
    assert not [m for m in sdk.all("HEARTBEAT") if m.get_srcComponent() == 191]


def test_frames_for_others_are_passed_on_and_have_no_effect(world: Callable[..., World]) -> None:
    w = world()
    station, sdk = w.client(14550), w.client(14540, system=245)
    w.run(0.1)
    station.mav.command_long_send(245, 190, 400, 0, 1, *[0.0] * 6)
    m = sdk.wait("COMMAND_LONG")
    assert (m.target_system, m.command, m.get_srcSystem()) == (245, 400, 255)
    station.mav.set_position_target_local_ned_send(0, 9, 1, 1, POSITION, *[0.0] * 11)
    w.run(0.1)
    assert w.link.stats["bad_id"] == 2
    assert station.command(176, 1, 6) == 1
    assert w.sim.armed[0] == 0


def test_a_parameter_set_over_one_link_is_told_on_the_other(world: Callable[..., World]) -> None:
    w = world()
    station, sdk = w.client(14550), w.client(14540, system=245)
    w.run(0.1)
    sdk.mav.param_set_send(1, 1, b"RTL_RETURN_ALT", 44.0, common.MAV_PARAM_TYPE_REAL32)
    assert station.wait("PARAM_VALUE").param_value == 44.0


@pytest.mark.parametrize("mode", ["mavlink_full", "mavlink_simple", "mavlink_nosend"])
def test_the_modes_of_rflysim(world: Callable[..., World], mode: str) -> None:
    w = world(n=2, kinds=(mode,))
    clients = [w.client(20101 + 2 * k) for k in range(2)]
    w.run(1.02)
    for k, client in enumerate(clients, start=1):
        kinds = {m.get_type() for m in client.received}
        assert {m.get_srcSystem() for m in client.all("HEARTBEAT")} == {k}
        truth = len(client.all("HIL_ACTUATOR_CONTROLS"))
        rate = {"mavlink_full": 50, "mavlink_simple": 10, "mavlink_nosend": 0}[mode]
        assert truth == pytest.approx(rate, abs=2)
        assert (kinds == {"HEARTBEAT"}) == (mode == "mavlink_nosend")
    taken_off(w, clients[1], height=1.5, system=2)


@pytest.mark.slow
def test_a_reset_of_the_vehicles_while_the_server_runs(world: Callable[..., World]) -> None:
    w = world(n=2)
    station = w.client(14550)
    station.wait("HEARTBEAT")
    station.quiet()
    taken_off(w, station)
    w.sim.reset(pos=[(10, 0), (10, 5)])
    station.received.clear()
    w.run(3)
    for system in (1, 2):
        assert len(station.all("HEARTBEAT", system)) == pytest.approx(3, abs=1)
    assert station.last("HEARTBEAT").base_mode == 29
    taken_off(w, station)
    np.testing.assert_allclose(w.sim.pos[0], [10, 0, -4], atol=0.15)


# --- signatures --------------------------------------------------------------------------------


def test_signed_frames_are_taken_and_others_are_not(world: Callable[..., World]) -> None:
    key = bytes(range(32))
    w = world(key=key)
    station = w.client(14550)
    w.run(1.1)
    plain = station.last("HEARTBEAT")
    assert plain.get_header().incompat_flags & 1  # the vehicle signs
    station.mav.command_long_send(1, 1, 400, 0, 1, *[0.0] * 6)
    w.run(0.1)
    assert w.link.stats["unsigned"] == 1
    assert w.sim.armed[0] == 0

    station.link.setup_signing(key, sign_outgoing=True)
    assert station.command(400, 1) == 0
    assert w.sim.armed[0] == 1

    raw: list[bytes] = []
    station.mav.file = type("Tap", (), {"write": staticmethod(raw.append)})()
    station.mav.command_long_send(1, 1, 400, 0, 0, *[0.0] * 6)
    (frame,) = raw
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        to = ("127.0.0.1", 18570 + w.offset)
        tampered = bytearray(frame)
        tampered[-1] ^= 1
        sender.sendto(tampered, to)
        w.run(0.1)
        assert w.sim.armed[0] == 1
        sender.sendto(frame, to)
        w.run(0.1)
        assert w.sim.armed[0] == 0
        sender.sendto(frame, to)  # a recorded one
        w.run(0.1)
    assert w.link.stats["unsigned"] == 3


@pytest.mark.parametrize("key", [None, bytes(32)])
@pytest.mark.parametrize("port", [FIRST, 18570])
def test_rflysims_packet_puts_a_vehicle_back_to_its_start(
    world: Callable[..., World], key: bytes | None, port: int
) -> None:
    w = world(n=2, key=key, kinds=("ground_station", "mavlink_full"))
    w.sim.reset(pos=[(0, 0, -5), (0, 5, -5)], hover=True)
    w.run(0.1)
    step = 2 if port == FIRST else 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        packet = struct.pack("<2i", 987654321, -1)
        sender.sendto(packet, ("127.0.0.1", port + step + w.offset))
        w.run(0.1)
    restarted = key is None and port == FIRST
    assert w.sim.armed.tolist() == [1, 0 if restarted else 1]
    assert (w.sim.pos[:, 2] == 0).tolist() == [False, restarted]
    count = "accepted" if restarted else "unsigned" if port == FIRST else "bad_length"
    assert w.link.stats.vehicle(2)[count] == 1


def test_a_signed_frame_is_accepted_by_one_port_of_a_vehicle(world: Callable[..., World]) -> None:
    key = bytes(range(32))
    w = world(n=2, key=key, kinds=("ground_station", "onboard", "mavlink_full"))

    def frame(system: int, stamp: int) -> bytes:
        mav = common.MAVLink(None, srcSystem=255, srcComponent=190)
        mav.signing.secret_key, mav.signing.sign_outgoing = key, True
        mav.signing.timestamp = stamp
        message = common.MAVLink_command_long_message(system, 1, 401, 0, *[0.0] * 7)
        packed: bytes = message.pack(mav)
        return packed

    now = timestamp_now()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for port in (18570, 14580, FIRST, 18570):
            sender.sendto(frame(1, now), ("127.0.0.1", port + w.offset))
            w.run(0.02)
        stats = w.link.stats
        assert (stats["accepted"], stats["unsigned"]) == (1, 3)
        # of frames to two vehicles, which are read in any order, none is taken for a recorded one
        for k, system in ((1, 2), (2, 1), (3, 1), (4, 2)):
            sender.sendto(frame(system, now + k), ("127.0.0.1", 18570 + system - 1 + w.offset))
        w.run(0.02)
    assert (stats["accepted"], stats["unsigned"]) == (5, 3)


def test_a_key_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        MavlinkLink(Sim("x450"), key=b"short", first_port=FIRST + free_offset(1))


# --- bad input ---------------------------------------------------------------------------------


def test_each_fault_has_its_count(world: Callable[..., World]) -> None:
    w = world()
    mav = common.MAVLink(None, srcSystem=255, srcComponent=190)
    right = common.MAVLink_command_long_message(1, 1, 400, 0, 1, *[0.0] * 6).pack(mav)
    wrong = bytearray(right)
    wrong[-1] ^= 0xFF

    def set_point(frame: int, mask: int, x: float, system: int = 1) -> bytes:
        fields = (0, system, 1, frame, mask, x, *[0.0] * 10)
        made: bytes = common.MAVLink_set_position_target_local_ned_message(*fields).pack(mav)
        return made

    expected = {
        "bad_checksum": bytes(wrong),
        "bad_length": b"\x00garbage",
        "bad_id": set_point(1, POSITION, 0.0, system=2),
        "unsupported": common.MAVLink_attitude_message(0, 0, 0, 0, 0, 0, 0).pack(mav),
        "not_finite": set_point(1, POSITION, math.inf),
        "unknown": set_point(3, POSITION, 0.0),
    }
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for count, data in expected.items():
            sender.sendto(data, ("127.0.0.1", 18570 + w.offset))
            w.run(0.02)
            assert w.link.stats[count] == 1, count
        assert w.link.stats["accepted"] == 0
        # several frames of a datagram count each
        ok = set_point(1, POSITION, 0.0)
        sender.sendto(ok + ok + right, ("127.0.0.1", 18570 + w.offset))
        w.run(0.02)
    stats = w.link.stats
    assert (stats["accepted"], stats["replaced"]) == (3, 1)
    assert stats["received"] == len(expected) + 3


@pytest.mark.slow
def test_a_flood_of_set_points_leaves_the_newest(world: Callable[..., World]) -> None:
    w = world()
    sdk = w.client(14540, system=245)
    sdk.wait("HEARTBEAT")
    sdk.quiet()
    taken_off(w, sdk)
    for step in range(20):
        for k in range(20):
            sdk.mav.set_position_target_local_ned_send(
                0, 1, 1, 1, POSITION, k - 19, 0, -4, *[0.0] * 8
            )
        w.run(0.1)
        if step == 1:
            assert sdk.command(176, 1, 6) == 0
    np.testing.assert_allclose(w.sim.pos[0], [0, 0, -4], atol=0.1)
    assert w.link.stats["replaced"] > 300


@pytest.mark.slow
@pytest.mark.parametrize("further", [14551, 14539], ids=["ground_station", "onboard"])
def test_vehicles_of_one_identifier_send_to_different_ports(further: int) -> None:
    w = World("x450", 300, first_id=7)
    assert "from CopterID 262 on port" in w.link.notice()
    assert f"port {further + w.offset} (" in w.link.notice()
    parser, found = common.MAVLink(None), {}
    first = 14550 if further == 14551 else 14549
    for port in (first, further):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as program:
            program.bind(("127.0.0.1", port + w.offset))
            program.setblocking(False)
            pairs: set[tuple[int, int]] = set()
            # where nobody listened it looks again after PROBE, in real time
            end = time.monotonic() + 100 * PROBE
            while len(pairs) <= 20 and time.monotonic() < end:
                w.run(1.0)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        data, (_, origin) = program.recvfrom(2048)
                        systems = {m.get_srcSystem() for m in parser.parse_buffer(data) or []}
                        # what pymavlink does not know has no sender
                        pairs |= {(origin, system) for system in systems - {0}}
            found[port] = pairs
    w.close()
    for pairs in found.values():
        assert len(pairs) == len({system for _, system in pairs}) > 20
    assert not found[first] & found[further]


def test_up_to_255_vehicles_there_is_nothing_to_tell_of_ports(world: Callable[..., World]) -> None:
    assert world().link.notice() == ""
