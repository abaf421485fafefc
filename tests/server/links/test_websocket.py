"""RflySim's verbs over WebSocket, and the page for browsers."""

from __future__ import annotations

import json
import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from pyrfly import Sim
from pyrfly.errors import MissingExtraError
from pyrfly.server.links.websocket import WebSocketLink
from pyrfly.server.text_messages import LONGEST
from pyrfly.server.verbs import VERBS

pytest.importorskip("websockets", reason="pip install 'pyrfly[websocket]'")

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri


@pytest.fixture
def world(served):
    return served(
        lambda sim, first_port, first_id: WebSocketLink(sim, 0, first_id=first_id), n=2, first_id=5
    )


class Connection:
    """Bytes to and from the port."""

    def __init__(self, world) -> None:
        self.world = world
        self.socket = socket.create_connection(("127.0.0.1", world.link.port), timeout=5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        world.server.run(0.01)

    def passed(self, data: bytes, seconds: float = 0.02) -> tuple[bytes, bool]:
        """Send bytes; return what comes then, and whether the connection has ended."""
        if data:
            self.socket.sendall(data)
        self.world.server.run(seconds)
        found = b""
        self.socket.setblocking(False)
        try:
            while more := self.socket.recv(65536):
                found += more
        except BlockingIOError:
            return found, False
        except ConnectionError:
            pass
        return found, True


class Program(Connection):
    """The other end of WebSocket, by the package's own client."""

    def __init__(self, world, origin: str | None = None, host: str | None = None) -> None:
        super().__init__(world)
        url = f"ws://127.0.0.1:{world.link.port}/"
        self.protocol = ClientProtocol(parse_uri(url), origin=origin)
        request = self.protocol.connect()
        if host is not None:
            del request.headers["Host"]
            request.headers["Host"] = host
        self.protocol.send_request(request)
        (response,) = self.heard()
        self.status = response.status_code

    def heard(self, seconds: float = 0.02) -> list:
        data, self.ended = self.passed(b"".join(self.protocol.data_to_send()), seconds)
        if data:
            self.protocol.receive_data(data)
        return self.protocol.events_received()

    def send(self, message: dict, seconds: float = 0.02) -> list[dict]:
        self.protocol.send_text(json.dumps(message).encode())
        return [json.loads(bytes(frame.data)) for frame in self.heard(seconds)]


@pytest.fixture
def connect(world) -> Iterator[Callable[..., Program]]:
    with ExitStack() as opened:

        def make(*args, kind=Program, **options):
            made = kind(world, *args, **options)
            opened.enter_context(made.socket)
            return made

        yield make


def test_verbs_are_executed_and_answered(world, connect):
    program = connect()
    assert program.send({"SendMavArm": [1], "id": 6, "seq": 3}) == [{"seq": 3}]
    assert world.sim.armed.tolist() == [0, 1]
    (refused,) = program.send({"SendMavArm": [1, 1]})
    assert "SendMavArm: expected" in refused["error"]


def test_states_are_sent(connect):
    states = connect().send({"state": 50}, 0.1)
    assert [state["CopterID"] for state in states] == [5, 6] * 5


def test_parts_of_a_message_are_put_together(world, connect):
    program = connect()
    program.protocol.send_text(b'{"SendMav', fin=False)
    program.heard()
    program.protocol.send_continuation(b'Arm": [1]}', fin=True)
    program.heard()
    assert world.sim.armed.tolist() == [1, 0]


def test_what_comes_right_before_the_end_is_executed(world, connect):
    program = connect()
    program.protocol.send_text(b'{"SendMavArm": [1]}')
    program.protocol.send_close()
    program.heard()
    assert world.sim.armed[0]
    assert program.ended
    assert program.protocol.state is State.CLOSING  # of TCP, the rest


def test_a_ping_is_answered(connect):
    program = connect()
    program.protocol.send_ping(b"?")
    (frame,) = program.heard()
    assert (frame.opcode, bytes(frame.data)) == (Opcode.PONG, b"?")


@pytest.mark.parametrize("parts", [1, 5])
def test_a_message_that_is_too_long_ends_the_connection(parts, world, connect):
    program = connect()
    part = b" " * (LONGEST // parts + 1)
    for index in range(parts):
        opcode = Opcode.CONT if index else Opcode.TEXT
        data = Frame(opcode, part, fin=index == parts - 1).serialize(mask=True)
        _, ended = program.passed(data)
    assert ended
    assert not world.link._clients


@pytest.mark.parametrize("data", [b"[1]", b"nothing", b"{" * 4000, b"\xff"])
def test_what_is_no_object_ends_the_connection(data, connect):
    program = connect()
    program.protocol.send_text(data)
    program.heard()
    assert program.ended


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        (None, None, 101),
        ("http://127.0.0.1:{port}", None, 101),
        ("http://localhost:{port}", "localhost:{port}", 101),
        ("http://example.org", None, 403),
        ("http://example.org:{port}", "example.org:{port}", 403),
        ("null", None, 403),
        ("https://127.0.0.1:{port}", None, 403),
    ],
)
def test_pages_of_other_servers_are_refused(origin, host, status, world, connect):
    """Also where a name of theirs means this machine."""
    named = [text and text.format(port=world.link.port) for text in (origin, host)]
    program = connect(*named)
    assert program.status == status
    assert program.ended == (status != 101)


def test_a_browser_gets_the_page(connect):
    data, ended = connect(kind=Connection).passed(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    head, _, page = data.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert f"Content-Length: {len(page)}".encode() in head
    assert ended
    verbs = re.findall(rb'data-verb="(\w+)"', page)
    assert len(verbs) == 4
    assert {verb.decode() for verb in verbs} <= VERBS.keys()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GET /other HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"404"),
        (b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", b"4"),
        (b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nHost: a\r\nHost: b\r\n\r\n", b"4"),
        (b"GET /" + b"a" * 10_000, b"414"),
        (b'{"SendMavArm": [1]}\r\n\r\n', b""),
    ],
)
def test_other_requests_are_refused(data, status, world, connect):
    found, ended = connect(kind=Connection).passed(data, 0.05)
    assert found.startswith(b"HTTP/1.1 " + status if status else b"")
    assert ended
    assert not world.sim.armed.any()


def test_without_the_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "websockets", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pyrfly\[websocket\]'"):
        WebSocketLink(Sim("x450"), 0)
