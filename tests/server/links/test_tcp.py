"""RflySim's verbs as lines of JSON over TCP."""

from __future__ import annotations

import io
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from pyrfly.server.links import tcp
from pyrfly.server.links.tcp import MOST_CLIENTS, MOST_MESSAGES, TcpLink
from pyrfly.server.notices import Notices
from pyrfly.server.text_client import MOST_PENDING
from pyrfly.server.text_messages import LONGEST


@pytest.fixture
def world(served):
    """Vehicles of CopterIDs 5 to 7 with a TCP port."""
    return served(
        lambda sim, first_port, first_id: TcpLink(sim, 0, first_id=first_id), n=3, first_id=5
    )


class Program:
    """A program that is connected."""

    def __init__(self, world) -> None:
        self.world = world
        self.socket = socket.create_connection(("127.0.0.1", world.link.port), timeout=5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def send(self, data: bytes | dict, seconds: float = 0.01) -> None:
        if isinstance(data, dict):
            data = json.dumps(data).encode() + b"\n"
        self.socket.sendall(data)
        self.world.server.run(seconds)

    def heard(self) -> list[dict]:
        """Return what has come."""
        self.socket.setblocking(False)
        try:
            while data := self.socket.recv(65536):
                self.rest += data
        except BlockingIOError:
            pass
        *lines, self.rest = self.rest.split(b"\n")
        return [json.loads(line) for line in lines]

    def is_closed(self) -> bool:
        self.socket.settimeout(5)
        try:
            return self.socket.recv(65536) == b""
        except ConnectionError:
            return True


@pytest.fixture
def connect(world) -> Iterator[Callable[[], Program]]:
    with ExitStack() as opened:

        def make() -> Program:
            program = Program(world)
            opened.enter_context(program.socket)
            world.server.run(0.01)
            return program

        yield make


@pytest.mark.slow
def test_a_vehicle_flies_by_verbs(world, connect):
    program = connect()
    program.send({"initOffboard": [], "id": 6})
    program.send({"SendPosNED": [1, 2, -3, 0.5], "id": 6}, 8)
    program.send({"state": 10, "id": 6}, 0.11)
    (state,) = program.heard()
    assert state["CopterID"] == 6
    assert state["isArmed"] is True
    assert state["time"] == pytest.approx(world.sim.time, abs=0.11)
    assert state["uavPosNED"] == pytest.approx([1, 2, -3], abs=0.1)
    assert state["truePosNED"] == pytest.approx([6, 5, -3], abs=0.1)
    assert state["uavAngEular"][2] == pytest.approx(0.5, abs=0.05)
    assert world.sim.armed.tolist() == [0, 1, 0]
    program.send({"sendMavLand": [1, 2, 0], "id": 6}, 12)
    assert not world.sim.armed.any()


def test_a_message_without_id_is_for_the_first_vehicle(world, connect):
    connect().send({"SendMavArm": [1]})
    assert world.sim.armed.tolist() == [1, 0, 0]


def test_messages_are_answered_where_asked(connect):
    program = connect()
    program.send({"SendMavArm": [1], "seq": 7})
    program.send({"SendMavArm": [1]})
    program.send({"SendMavArm": [1, 2], "seq": 8})
    program.send({"SendMavArms": [1]})
    answered, refused, unknown = program.heard()
    assert answered == {"seq": 7}
    assert refused["seq"] == 8
    assert refused["error"].startswith("SendMavArm: expected a list of (isArm)")
    assert unknown["error"].startswith("expected one of initOffboard, ")


def test_states_come_at_their_rate_until_ended(connect):
    program = connect()
    program.send({"state": 50}, 0.1)
    assert [state["CopterID"] for state in program.heard()] == [5, 6, 7] * 5
    program.send({"state": 0, "id": 6}, 0.02)
    assert [state["CopterID"] for state in program.heard()] == [5, 7]
    program.send({"state": 0}, 0.1)
    assert program.heard() == []


@pytest.mark.parametrize(
    "data",
    [
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" + b'{"SendMavArm": [1]}\n',
        b'[1]\n{"SendMavArm": [1]}\n',
        b'{"SendMavArm": [NaN]}\n{"SendMavArm": [1]}\n',
        b"\xff\xfe\n" + b'{"SendMavArm": [1]}\n',
        b"[" * 4000 + b'\n{"SendMavArm": [1]}\n',
        b"9" * 4096 + b'\n{"SendMavArm": [1]}\n',
    ],
    ids=["http", "list", "NaN", "no utf-8", "deep", "digits"],
)
def test_what_is_no_object_ends_the_connection(data, world, connect):
    program = connect()
    program.send(data, 0.02)
    assert not world.sim.armed.any()
    assert program.is_closed() or program.is_closed()  # after the error
    assert world.link.stats["unknown"] == 1


def test_a_line_that_does_not_end_ends_the_connection(world, connect):
    program = connect()
    program.send(b" " * (LONGEST + 2), 0.05)
    assert program.is_closed()


def test_a_flood_waits_and_leaves_others_their_turn(world, connect):
    flood, other = connect(), connect()
    flood.socket.sendall(b'{"SendMavArm": [0], "id": 6}\n' * 10_000)
    other.send({"SendMavArm": [1], "id": 5}, 0.05)
    assert world.sim.armed.tolist() == [1, 0, 0]
    assert world.link.stats["received"] <= 6 * MOST_MESSAGES


def test_there_are_not_too_many_programs(world, connect):
    programs = [connect() for _ in range(MOST_CLIENTS)]
    assert connect().is_closed()
    programs[0].socket.close()
    world.server.run(0.02)
    connect().send({"SendMavArm": [1]})
    assert world.sim.armed[0]


def test_a_program_that_does_not_read_gets_no_more_states(world, connect, monkeypatch):
    program = connect()
    (client,) = world.link._clients
    monkeypatch.setattr(type(client._stream), "pending", MOST_PENDING + 1)
    program.send({"state": 100}, 0.1)
    assert program.heard() == []
    assert world.link.stats["send_errors"] == 30


def test_the_first_message_that_is_dropped_is_told(world, connect):
    world.link.inbox.notices = Notices(out := io.StringIO(), range(5, 8))
    program = connect()
    program.send({"nothing": []})
    program.send({"nothing": []})
    assert out.getvalue().count("tcp: ") == 1


def test_the_server_tells_the_port(world):
    assert world.link.where() == [f"tcp commands: listens on TCP port {world.link.port}"]
    assert tcp.PORT == 20180
