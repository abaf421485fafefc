"""The relay: whole frames between autopilots and their clients, and to nobody else."""

from __future__ import annotations

import contextlib
import random
import socket
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.server import Server
from pyrfly.server.autopilot_ports import AutopilotPorts
from pyrfly.server.relay import AUTOPILOT, RFLYSIM, Relay, client_series
from pyrfly.transport import OptionError, PortError, Series


class End:
    """A socket of an autopilot or a client, which speaks MAVLink."""

    def __init__(self, port: int = 0, system: int = 1) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", port))
        self.socket.setblocking(False)
        self.mav = common.MAVLink(None, srcSystem=system, srcComponent=1)

    def send(self, port: int, *messages: object) -> bytes:
        data = b"".join(message.pack(self.mav) for message in messages)
        self.socket.sendto(data, ("127.0.0.1", port))
        return data

    def received(self) -> list[bytes]:
        found = []
        with contextlib.suppress(BlockingIOError):
            while True:
                found.append(self.socket.recv(65536))
        return found


def attitude(number: int = 0) -> object:
    return common.MAVLink_attitude_message(number, 0.1, 0.2, 0.3, 0, 0, 0)


HOME = common.MAVLink_home_position_message(*[0] * 6, [1, 0, 0, 0], 0, 0, 0)


@pytest.fixture
def end() -> Iterator[Callable[..., End]]:
    made: list[End] = []

    def make(*arguments: int) -> End:
        made.append(End(*arguments))
        return made[-1]

    yield make
    for one in made:
        one.socket.close()


class World:
    """A relay of n vehicles, with the ports of everyone; its autopilots are programs."""

    def __init__(self, first: int, n: int, shared: int) -> None:
        self.first, self.n = first, n
        self.sim = Sim("iris", n)
        clients = [
            Series("ground_station", first, 1, first + 3, 0, learn=True),
            Series(RFLYSIM, first + 4, 2, first + 5, 2, learn=True),
        ]
        last = self.onboard(0) + n - 1 - shared
        autopilots = AutopilotPorts(n, self.onboard(0), self.source(0), last)
        self.relay = Relay(self.sim, clients, autopilots)
        self.server = Server(self.sim, mode=None, rate="max", links=[self.relay])

    def onboard(self, row: int) -> int:
        return self.first + 10 + row

    def source(self, row: int) -> int:
        return self.first + 13 + row


@pytest.fixture
def world(first_port) -> Iterator[Callable[..., World]]:
    made: list[World] = []

    def make(n: int = 1, shared: int = 0) -> World:
        made.append(World(first_port(8), n, shared))
        return made[-1]

    yield make
    for one in made:
        one.server.close()


def test_each_autopilot_has_its_own_clients(world, end) -> None:
    it = world(2)
    autopilots = [end(it.source(row), row + 1) for row in range(2)]
    station, one, other = end(it.first + 3, 255), end(it.first + 5), end(it.first + 7)
    sent = [autopilots[row].send(it.onboard(row), attitude(row), HOME) for row in range(2)]
    it.server.run(0.01)
    assert one.received() == [sent[0]]
    assert other.received() == [sent[1]]
    assert sorted(station.received()) == sorted(sent)
    asked = one.send(it.first + 4, attitude(7))
    told = station.send(it.first + 1, attitude(8))
    it.server.run(0.01)
    assert autopilots[0].received() == [asked]
    assert autopilots[1].received() == [told]


def test_frames_and_packets_are_counted_per_side(world, end) -> None:
    it = world(2)
    autopilot, station = end(it.source(1)), end(it.first + 3)
    autopilot.send(it.onboard(1), attitude(), attitude(), attitude())
    it.server.run(0.01)
    station.send(it.first + 1, attitude(), attitude())
    it.server.run(0.01)
    counts = {name: side.vehicle(2) for name, side in it.relay.sides.items()}
    assert (counts[AUTOPILOT]["received"], counts[AUTOPILOT]["accepted"]) == (3, 3)
    assert (counts[AUTOPILOT]["sent"], counts["ground_station"]["sent"]) == (1, 1)
    assert counts["ground_station"]["received"] == 2
    assert it.relay.stats.vehicle(2)["received"] == 5
    assert it.relay.stats.vehicle(1)["received"] == 0


def test_autopilots_that_share_a_port_are_told_apart_by_theirs(world, end) -> None:
    it = world(3, shared=1)
    autopilots = [end(it.source(row), row + 1) for row in range(3)]
    clients = [end(it.first + 5 + 2 * row) for row in range(3)]
    sent = [autopilots[row].send(it.onboard(min(row, 1)), attitude(row)) for row in range(3)]
    it.server.run(0.01)
    assert [client.received() for client in clients] == [[data] for data in sent]
    asked = [clients[row].send(it.first + 4 + 2 * row, attitude(row)) for row in range(3)]
    it.server.run(0.01)
    assert [autopilot.received() for autopilot in autopilots] == [[data] for data in asked]


def test_what_does_not_come_from_an_autopilot_is_dropped(world, end) -> None:
    it = world()
    stranger, client = end(), end(it.first + 5)
    stranger.send(it.onboard(0), attitude())
    it.server.run(0.01)
    assert client.received() == []
    assert it.relay.sides[AUTOPILOT]["bad_id"] == 1
    assert stranger.received() == []


def test_only_frames_are_passed_on(world, end) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    draw = random.Random(seed)
    it = world()
    autopilot, client = end(it.source(0)), end(it.first + 5)
    good = attitude().pack(autopilot.mav)
    for port, sender in ((it.onboard(0), autopilot), (it.first + 4, client)):
        sender.socket.sendto(b"", ("127.0.0.1", port))
        sender.socket.sendto(good[:-1], ("127.0.0.1", port))
        noise = bytes(byte for byte in draw.randbytes(200) if byte not in (0xFD, 0xFE))
        sender.socket.sendto(noise + good + b"\xfd\x09", ("127.0.0.1", port))
    it.server.run(0.01)
    assert client.received() == [good]
    assert autopilot.received() == [good]
    for side in (AUTOPILOT, RFLYSIM):
        assert it.relay.sides[side]["bad_checksum"] == 3
        assert it.relay.sides[side]["accepted"] == 1


def test_long_traffic_is_split_between_frames(world, end) -> None:
    it = world()
    autopilot, client = end(it.source(0)), end(it.first + 5)
    sent = b"".join(
        autopilot.send(it.onboard(0), *[attitude(10 * k + i) for i in range(10)]) for k in range(9)
    )
    it.server.run(0.01)
    packets = client.received()
    assert b"".join(packets) == sent
    assert len(packets) > 1
    for packet in packets:
        assert len(packet) <= 1400
        assert packet[0] == 0xFD


def test_clients_of_rflysim_also_get_the_true_state(world, end) -> None:
    it = world(2)
    it.sim.reset(pos=[(1, 2, -3), (4, 5, -6)], yaw=[0.5, -0.5])
    autopilot, clients = end(it.source(1)), [end(it.first + 5), end(it.first + 7)]
    it.server.run(0.1)
    autopilot.send(it.onboard(1), HOME)
    it.server.run(0.1)
    for row, client in enumerate(clients):
        mav = common.MAVLink(None)
        found = [m for data in client.received() for m in mav.parse_buffer(data) or []]
        truth = [m for m in found if m.get_type() == "HIL_ACTUATOR_CONTROLS"]
        assert [m.time_usec for m in truth] == [20 * k for k in range(1, 11)]  # milliseconds
        assert {m.flags for m in truth} == {1234567890}
        assert {m.get_srcSystem() for m in truth} == {row + 1}
        expected = (it.sim.euler, it.sim.pos, it.sim.vel, it.sim.rate)
        np.testing.assert_allclose(
            truth[-1].controls[:12], np.concatenate([x[row] for x in expected]), atol=1e-6
        )
        knows = [m.controls[15] for m in truth]
        assert knows == ([0] * 10 if row == 0 else [0] * 5 + [1] * 5)


def test_the_ports_are_those_of_px4_and_rflysim() -> None:
    places = [(one.port, one.step, one.to, one.to_step, one.to_last) for one in client_series()]
    assert places == [
        (18570, 1, 14550, 0, None),
        (14580, 1, 14540, 1, 14549),
        (20100, 2, 20101, 2, None),
    ]
    later = [(one.port, one.to, one.to_last) for one in client_series(first_id=12)]
    assert later == [(18581, 14550, None), (14591, 14549, 14549), (20122, 20123, None)]


def test_ports_that_cannot_be_used_are_named(first_port) -> None:
    first = first_port(2)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", first))
        with pytest.raises(PortError, match=f"port {first} of 127.0.0.1"):
            AutopilotPorts(1, first, first + 1, None)
    for port, remote in ((65000, 65535), (65535, 65000), (0, 65000)):
        with pytest.raises(OptionError, match="expected ports of 1 to 65535 for 2 autopilots"):
            AutopilotPorts(2, port, remote, None)
    with pytest.raises(OptionError, match=r"last: .*got 14549"):
        AutopilotPorts(1, 14550)
    autopilots = AutopilotPorts(1, first, first + 1, None)
    same = [Series("one", first + 2, 1, None), Series("two", first + 2, 1, None)]
    with pytest.raises(OptionError, match="would be the same"):
        Relay(Sim("iris"), same, autopilots)
    AutopilotPorts(1, first, first + 1, None).close()  # the relay has closed them


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_an_autopilot_is_known_on_whatever_interface_the_server_listens(host, first_port) -> None:
    first = first_port(1)
    autopilots = AutopilotPorts(1, first, first + 1, None, host)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one, contextlib.closing(autopilots):
        one.bind(("127.0.0.1", first + 1))
        one.sendto(b"?", ("127.0.0.1", first))
        one.settimeout(10)
        assert list(autopilots.receive(autopilots.sockets[0])) == [(0, b"?")]
        assert autopilots.send(0, b"!")
        assert one.recv(9) == b"!"
