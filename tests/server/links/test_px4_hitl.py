"""PX4 in hardware in the loop, against a stand-in over a pseudo-terminal or UDP."""

from __future__ import annotations

import contextlib
import math
import os
import random
import socket
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.server import Server
from pyrfly.server.links.px4_hitl import LOSS, MAXIMUM_BACKLOG, Px4HitlLink
from pyrfly.server.relay import AUTOPILOT, Relay
from pyrfly.transport import OptionError, PortError, Series
from pyrfly.transport.byte_streams import SerialStream, UdpStream

REQUEST = 512  # MAV_CMD_REQUEST_MESSAGE, of the link itself

TICK = 0.01


class Board:
    """A serial port with a name of its own, as in ``/dev/serial/by-id``, and what is plugged in."""

    def __init__(self, path: Path, pilot) -> None:
        self.path, self.pilot = path, pilot
        self.near = -1
        self.plug()

    def plug(self) -> None:
        self.near, far = os.openpty()
        os.set_blocking(self.near, False)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(far))
        self.far = far  # open until there is a reader, or else there is an end of file

    def unplug(self) -> None:
        self.path.unlink()
        os.close(self.near)
        os.close(self.far)
        self.near = -1

    def read(self) -> bytes:
        try:
            return os.read(self.near, 65536)
        except BlockingIOError:
            return b""

    def exchange(self) -> None:
        if self.near >= 0:
            self.write(self.pilot.exchange(self.read(), TICK))

    def write(self, data: bytes) -> None:
        assert os.write(self.near, data) == len(data)


class World:
    """Vehicles, their link, and boards whose time is that of the simulation."""

    def __init__(self, sim: Sim, link: Px4HitlLink, server: Server, boards: list[Board]) -> None:
        self.sim, self.link, self.server, self.boards = sim, link, server, boards

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK)):
            self.server.run(TICK)
            for board in self.boards:
                board.exchange()


@pytest.fixture
def world(tmp_path: Path, standin) -> Iterator[Callable[..., World]]:
    """Return a function that makes vehicles with boards at serial ports."""
    if not hasattr(os, "openpty"):
        pytest.skip("no pseudo-terminals here")
    made: list[World] = []

    def make(n: int = 1, vehicles: str = "iris", clients=None, pilot=None, **options) -> World:
        sim = Sim(vehicles, n)
        sim.reset(pos=[(0, 4 * row, 0) for row in range(n)])
        relay = Relay(sim, clients) if clients else None
        boards = [
            Board(tmp_path / f"board{row}", standin("px4").Hitl(**(pilot or {})))
            for row in range(n)
        ]
        streams = [partial(SerialStream, str(board.path)) for board in boards]
        clock = lambda: float(sim.time)  # noqa: E731
        link = Px4HitlLink(sim, streams, relay, clock=clock, **options)
        links = [link] if relay is None else [link, relay]
        made.append(World(sim, link, Server(sim, mode=None, rate="max", links=links), boards))
        return made[-1]

    yield make
    for one in made:
        one.server.close()
        for board in one.boards:
            with contextlib.suppress(OSError):
                board.unplug()


@pytest.mark.slow
def test_an_autopilot_flies_by_what_the_sensors_measure(world) -> None:
    it = world(pilot={"arm_after": 0.5, "height": 1.5})
    it.run(7)
    assert it.sim.armed[0] == 1
    assert -it.sim.pos[0, 2] == pytest.approx(1.5, abs=0.3)
    assert np.hypot(*it.sim.pos[0, :2]) < 1.5
    assert it.link.in_hil == [1]


@pytest.mark.slow
def test_the_messages_have_the_rates_of_the_sensors(world) -> None:
    it = world(truth_rate=50)
    it.run(4)
    counts = it.boards[0].pilot.counts
    assert counts["HIL_SENSOR"] == pytest.approx(1000, abs=5)
    assert counts["HIL_STATE_QUATERNION"] == pytest.approx(200, abs=5)
    assert counts["HIL_GPS"] == pytest.approx(32, abs=2)
    assert counts["HEARTBEAT"] == pytest.approx(4, abs=1)
    assert set(np.diff(it.boards[0].pilot.times)) == {4000}
    assert it.link.stats["accepted"] == pytest.approx(800, abs=10)
    assert it.link.stats["bad_checksum"] == it.link.stats["send_errors"] == 0


def test_an_autopilot_without_hil_flies_nothing_and_is_told_apart(world) -> None:
    it = world(2, pilot={"arm_after": 0.3})
    it.boards[1].pilot.hil = False
    it.run(1.1)
    assert it.link.connected == [1, 2]
    assert it.link.in_hil == [1]
    assert it.sim.armed.tolist() == [1, 0]


def test_without_controls_the_actuators_rest_until_they_come_back(world) -> None:
    it = world(pilot={"arm_after": 0.3})
    it.run(0.5)
    assert it.sim.armed[0] == 1
    board, it.boards = it.boards[0], []
    it.run(LOSS - 0.05)
    assert (it.sim.armed[0], it.link.stats["lapsed"]) == (1, 0)
    it.run(0.1)
    assert (it.sim.armed[0], it.link.stats["lapsed"]) == (0, 1)
    it.run(1)
    assert it.link.stats["lapsed"] == 1
    it.boards = [board]
    it.run(0.1)
    assert it.sim.armed[0] == 1


@pytest.mark.slow
def test_a_port_that_vanishes_is_opened_again(world) -> None:
    it = world(2, pilot={"arm_after": 0.3})
    it.run(0.5)
    it.boards[1].unplug()
    it.run(0.1)
    assert it.link.connected == [1]
    assert it.sim.armed.tolist() == [1, 0]
    it.run(1)
    it.boards[1].plug()
    it.run(1.1)
    assert it.link.connected == [1, 2]
    assert it.sim.armed.tolist() == [1, 1]
    assert it.link.stats.vehicle(2)["lapsed"] == 0


@pytest.mark.slow
def test_an_autopilot_that_starts_anew_finds_its_vehicle_at_its_start(world, standin) -> None:
    it = world(pilot={"arm_after": 0.3, "height": 2})
    it.run(3)
    assert it.sim.pos[0, 2] < -0.2
    it.boards[0].pilot = standin("px4").Hitl(arm_after=1e9)
    it.run(0.5)
    np.testing.assert_allclose(it.sim.pos[0], 0, atol=0.05)
    assert it.sim.armed[0] == 0


def test_garbage_between_the_frames_costs_nothing_but_the_broken_ones(world) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    draw = random.Random(seed)
    it = world(pilot={"arm_after": 0.3})
    accepted = 0
    for _ in range(50):
        it.server.run(TICK)
        board = it.boards[0]
        data = board.pilot.exchange(board.read(), TICK)
        board.write(draw.randbytes(draw.randrange(40)))
        cut = draw.randrange(len(data) + 1)  # half of a frame now, half later
        board.write(data[:cut])
        it.server.run(TICK)
        board.write(data[cut:])
        accepted += data.count(b"\x5d\x00\x00")
    it.server.run(2 * TICK)
    assert it.link.stats["accepted"] > 50
    assert it.link.stats["not_finite"] == 0
    assert it.sim.check().ok


def controls(values: list[float], time: int = 1_000_000) -> bytes:
    message = common.MAVLink_hil_actuator_controls_message(time, values, 128 + 32 + 1, 0)
    return message.pack(common.MAVLink(None, srcSystem=1, srcComponent=1))


def test_values_that_are_not_finite_count_and_rest(world) -> None:
    it = world()
    it.boards[0].write(controls([0.5, math.nan, math.inf, 0.25] + [0.0] * 12))
    it.server.run(0.1)
    assert it.sim.throttle[0].tolist() == [0.5, 0, 0, 0.25]
    assert it.link.stats["not_finite"] == 1
    assert it.sim.check().ok


def test_a_clock_of_any_value_is_taken(world) -> None:
    it = world()
    it.boards[0].write(controls([0.5] * 16, time=2**64 - 1))
    for _ in range(50):
        it.server.run(0.1)
        if it.link.stats["accepted"]:
            break
    assert it.sim.throttle[0].tolist() == [0.5] * 4
    assert it.link.stats["accepted"] == 1


@pytest.mark.parametrize(("version", "expected"), [("1.12", 0.75), ("1.16", 0.5)])
def test_a_tricopter_before_1_14_has_another_scale(world, version: str, expected: float) -> None:
    it = world(vehicles="tri_y_plus", version=version)
    it.boards[0].write(controls([0.5] * 3 + [0.0] * 13))
    end = time.monotonic() + 20  # the system hands on what a terminal gets when it has the time
    while not it.sim.throttle[0].any() and time.monotonic() < end:
        it.server.run(TICK)
    np.testing.assert_allclose(it.sim.throttle[0, :3], expected)


@pytest.mark.slow
def test_a_port_that_takes_nothing_gets_whole_messages_when_it_does_again(world) -> None:
    it = world()
    board, it.boards = it.boards[0], []
    for _ in range(300):  # 60 kB, more than a terminal holds
        it.server.run(TICK)
        board.write(controls([0.0] * 16, round(it.sim.time * 1e6)))
    assert it.link.stats["send_errors"] > 0
    assert it.link._autopilots[0].stream.pending <= MAXIMUM_BACKLOG + 300
    mav = common.MAVLink(None)
    mav.robust_parsing = True
    kinds = set()
    for _ in range(50):
        it.server.run(TICK)
        while data := board.read():
            kinds |= {message.get_type() for message in mav.parse_buffer(data) or []}
    assert kinds == {"HIL_SENSOR", "HIL_GPS", "HEARTBEAT"}
    assert it.link.connected == [1]


def test_controls_arrive_by_udp(standin) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as board:
        board.bind(("127.0.0.1", 0))
        board.settimeout(5)
        sim = Sim("iris")
        stream = UdpStream("127.0.0.1", board.getsockname()[1])
        clock = lambda: float(sim.time)  # noqa: E731
        link = Px4HitlLink(sim, [lambda: stream], clock=clock)
        pilot = standin("px4").Hitl(arm_after=0.2)
        with contextlib.closing(Server(sim, mode=None, rate="max", links=[link])) as server:
            for _ in range(50):
                server.run(TICK)
                data = b"".join(_waiting(board))
                if told := pilot.exchange(data, TICK):
                    board.sendto(told, ("127.0.0.1", stream.port))
        assert pilot.counts["HIL_SENSOR"] > 100
        assert link.stats["accepted"] > 80
        assert sim.armed[0] == 1


def test_nothing_counts_as_sent_before_a_board_without_a_port_has_sent(standin) -> None:
    sim, stream = Sim("iris"), UdpStream("127.0.0.1")
    link = Px4HitlLink(sim, [lambda: stream], clock=lambda: float(sim.time))
    pilot = standin("px4").Hitl(arm_after=0.2)
    with contextlib.closing(Server(sim, mode=None, rate="max", links=[link])) as server:
        server.run(0.1)
        assert (link.stats["sent"], link.stats["send_errors"]) == (0, 0)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as board:
            board.bind(("127.0.0.1", 0))
            told = b""
            for _ in range(20):
                told = told or pilot.exchange(b"", TICK)
            board.sendto(told, ("127.0.0.1", stream.port))
            server.run(0.1)
            assert link.stats["sent"] == sum(1 for _ in _waiting(board)) > 10


def _waiting(board: socket.socket) -> Iterator[bytes]:
    board.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            yield board.recv(65536)


def test_everything_else_is_relayed(world, first_port) -> None:
    first = first_port(2)
    clients = [Series("sdk", first, 1, first + 2, 1)]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.bind(("127.0.0.1", first + 2))
        client.settimeout(5)
        it = world(clients=clients)
        relay = it.server.links[1]
        it.run(1.5)
        mav = common.MAVLink(None)
        heard = [m.get_type() for data in _waiting(client) for m in mav.parse_buffer(data) or []]
        assert set(heard) == {"HEARTBEAT", "HOME_POSITION"}
        assert relay.sides["sdk"]["sent"] >= 2
        command = common.MAVLink_command_long_message(1, 1, 400, 0, 1, 0, 0, 0, 0, 0, 0)
        client.sendto(command.pack(mav), ("127.0.0.1", first))
        it.run(0.1)
        others = [m for m in it.boards[0].pilot.others if m.get_type() == "COMMAND_LONG"]
        assert [m.command for m in others if m.command != REQUEST] == [400]
        assert relay.sides[AUTOPILOT]["sent"] == 1


def test_ports_that_cannot_be_opened_are_named_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(PortError, match=r"serial port .*nothing cannot be opened"):
        Px4HitlLink(Sim("iris"), [partial(SerialStream, str(tmp_path / "nothing"))])


@pytest.mark.parametrize(
    ("streams", "options", "words"),
    [
        ([], {}, r"streams: .*got 0"),
        ([None, None], {}, r"streams: .*got 2"),
        ([None], {"truth_rate": -1}, "truth_rate: expected 0 to 1000"),
        ([None], {"truth_rate": math.nan}, "truth_rate: expected 0 to 1000"),
        ([None], {"version": "1.11"}, "version: expected one of 1.12"),
    ],
)
def test_arguments_are_checked(streams: list, options: dict, words: str) -> None:
    with pytest.raises((OptionError, ValueError), match=words):
        Px4HitlLink(Sim("iris"), streams, **options)
