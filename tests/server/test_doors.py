"""One rule for all ports: who may command."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack, closing

import pytest

from pyrfly import Sim
from pyrfly.scene import Scene
from pyrfly.server import Server
from pyrfly.server.budget import Budget
from pyrfly.server.links.ardupilot import ArduPilotLink
from pyrfly.server.links.configuration import ConfigurationLink
from pyrfly.server.links.display import DisplayLink
from pyrfly.server.links.events import EventLink
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.server.links.tcp import TcpLink
from pyrfly.server.links.topics import TopicLink
from pyrfly.server.links.view import ViewLink
from pyrfly.server.relay import Relay, client_series

HERE = "127.0.0.1"
KEY = bytes(range(32))
DOORS = {
    "ardupilot": lambda sim, first, **o: ArduPilotLink(sim, first_port=0, **o),
    "configuration": lambda sim, first, **o: ConfigurationLink(
        sim, first_port=first, custom_data=True, **o
    ),
    "display": lambda sim, first, **o: DisplayLink(sim, first_port=first, **o),
    "events": lambda sim, first, **o: EventLink(sim, first - 90, **o),
    "mavlink": lambda sim, first, **o: MavlinkLink(sim, ["mavlink_full"], first_port=first, **o),
    "relay": lambda sim, first, **o: Relay(sim, client_series(1, first)[-1:], **o),
    "rflysim": lambda sim, first, **o: RflySimLink(
        sim, "udp_full", 10, 0.5, True, first_port=first, **o
    ),
    "topics": lambda sim, first, **o: TopicLink(sim, first_port=first, **o),
    "view": lambda sim, first, **o: ViewLink(sim, Scene([]), first_port=first, **o),
}
"""Links that take packets of other programs by UDP."""


def knock(link, address: str) -> int:
    """Send a packet from an address to every port of a link; return how many were refused."""
    ports = [port for use in link.port_uses() if use.listens for port in use.ports]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.bind((address, 0))
        for port in ports:
            out.sendto(b"?", (HERE, port))
    for _ in ports:  # at least one is read at a time
        link.take(Budget(1.0))
    assert link.stats["received"] == len(ports) > 0
    return link.stats["bad_sender"]


@pytest.mark.parametrize("name", DOORS)
def test_another_computer_commands_over_no_port(name, first_port, other_computer):
    sim = Sim("x450", 2)
    sim.enable_synthesis()
    with closing(DOORS[name](sim, first_port(2))) as link:
        assert knock(link, other_computer) == link.stats["received"]


@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize(
    "named", [{"peers": ["127.0.0.9"]}, {"allow": ["127.0.0.8/29"]}], ids=["peers", "allow"]
)
def test_who_is_named_commands_over_all_ports(name, named, first_port, other_computer):
    sim = Sim("x450", 2)
    sim.enable_synthesis()
    with closing(DOORS[name](sim, first_port(2, mavlink=name == "mavlink"), **named)) as link:
        assert knock(link, other_computer) == 0


@pytest.mark.parametrize(("allow", "connected"), [([], []), (["127.0.0.9"], [1])])
def test_another_computer_connects_by_tcp_if_it_is_allowed(allow, connected, other_computer):
    sim = Sim("iris")
    with closing(Px4Link(sim, first_port=0, allow=allow)) as link, ExitStack() as opened:
        client = opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
        client.bind((other_computer, 0))
        client.connect((HERE, link.ports[0]))
        end = time.monotonic() + 10
        while not (link.connected or link.stats["bad_sender"]) and time.monotonic() < end:
            link.serve()
        assert link.connected == connected
        assert link.stats["bad_sender"] == 1 - len(connected)


@pytest.mark.parametrize(("allow", "taken"), [([], False), (["127.0.0.9"], True)])
def test_another_computer_sends_text_if_it_is_allowed(allow, taken, other_computer):
    sim = Sim("x450")
    with closing(TcpLink(sim, 0, allow=allow)) as link, ExitStack() as opened:
        client = opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
        client.bind((other_computer, 0))
        client.connect((HERE, link.port))
        client.sendall(b'{"SendMavArm": [1]}\n')
        end = time.monotonic() + 10
        while not link.stats["received"] and time.monotonic() < end:
            link.take(Budget(1.0))
        assert bool(sim.armed[0]) == taken
        assert link.stats["bad_sender"] == 1 - taken


def test_with_a_key_the_ports_without_one_are_for_this_machine_alone(first_port, other_computer):
    sim = Sim("x450")
    first = first_port(1, mavlink=True)
    with closing(
        Server(sim, "mavlink_full", first_port=first, allow=[other_computer], key=KEY)
    ) as server:
        assert knock(server.rflysim, other_computer) == 1
        assert knock(server.mavlink, other_computer) == 0


def test_a_flood_from_another_computer_leaves_this_one_its_turn(first_port, other_computer):
    sim = Sim("x450")
    first = first_port(1)
    with closing(Server(sim, first_port=first, rate="max")) as server, ExitStack() as opened:
        far, near = (
            opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in range(2)
        )
        far.bind((other_computer, 0))
        for _ in range(100):
            far.sendto(b"?", (HERE, first))
        near.sendto(b"!", (HERE, first))
        server.run(0.1)
        counts = server.rflysim.stats
        assert counts["received"] == 101
        assert (counts["bad_sender"], counts["bad_length"]) == (100, 1)
