"""PX4's link for a camera, by which it is heard: ports, and who is listened to."""

from __future__ import annotations

import contextlib
import random
import socket
from collections.abc import Callable, Iterator

import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.server import Server
from pyrfly.server.link_options import px4_texts
from pyrfly.server.links.px4_texts import Px4TextLink
from pyrfly.transport import PortError

Bound = Callable[[int], socket.socket]


@pytest.fixture
def bound() -> Iterator[Bound]:
    with contextlib.ExitStack() as opened:

        def bind(port: int) -> socket.socket:
            one = opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            one.bind(("127.0.0.1", port))
            one.settimeout(5)
            return one

        yield bind


@pytest.fixture
def listening() -> Iterator[Px4TextLink]:
    """Return the link of two vehicles."""
    for _ in range(50):
        with contextlib.suppress(PortError):
            link = Px4TextLink(Sim("iris", 2), first_instance=random.randrange(20, 240), first_id=7)
            break
    yield link
    link.close()


def test_each_px4_is_heard_at_its_port(listening: Px4TextLink, bound: Bound) -> None:
    """PX4's start script: 14280 + instance to 14030 + instance."""
    said: list[tuple[int, str]] = []
    listening.texts.tell = lambda row, line: said.append((row, line))
    (first, _), *_ = (one.getsockname()[::-1] for one in listening._ports.sockets)
    mav = common.MAVLink(None, srcSystem=8, srcComponent=1)
    messages = [
        common.MAVLink_heartbeat_message(2, 12, 81, 0, 3, 3),
        common.MAVLink_statustext_message(4, b"Preflight Fail: no GPS"),
    ]
    px4, stranger = bound(first + 251), bound(0)
    data = b"".join(message.pack(mav) for message in messages)
    for one in (px4, stranger):
        one.sendto(data, ("127.0.0.1", first + 1))
    with contextlib.closing(Server(Sim("iris", 2), None, rate="max", links=[listening])) as server:
        server.run(0.02)
        assert said == [(1, "PX4: Preflight Fail: no GPS")]
        assert listening.stats.vehicle(8)["accepted"] == 2
        assert listening.stats["bad_id"] == 1
        assert px4.recv(2048)[0] == 0xFD  # a HEARTBEAT, without which PX4 sends no texts


def test_a_port_in_use_is_told_and_no_more(
    listening: Px4TextLink, capsys: pytest.CaptureFixture[str]
) -> None:
    port = listening._ports.sockets[0].getsockname()[1]
    assert list(px4_texts(Sim("iris"), "127.0.0.1", port - 14030, 1)) == []
    assert f"what PX4 says is not printed: port {port}" in capsys.readouterr().err


def test_px4s_are_told_what_fails_where_that_is_asked_for(bound: Bound) -> None:
    sim = Sim("iris", 2)
    for _ in range(50):
        with contextlib.suppress(PortError):
            instance = random.randrange(20, 240)
            link = Px4TextLink(sim, first_instance=instance, first_id=7, tell_faults=True)
            break
    px4 = bound(14280 + instance + 1)
    with contextlib.closing(Server(sim, None, rate="max", links=[link])) as server:
        sim.faults.add("motor", ids=2, actuator=3, at=0.1)
        server.run(0.3)
    (message,) = common.MAVLink(None).parse_buffer(px4.recv(512))
    assert (message.get_type(), message.command) == ("COMMAND_LONG", 420)
    assert (message.param1, message.param2, message.param3) == (101, 1, 3)
    assert message.target_system == instance + 2
    assert link.stats.vehicle(8)["sent"] == 1
