"""Ports that cannot be opened: the error names port and option, and no other port stays open."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from pyrfly import Sim
from pyrfly.scene import Scene
from pyrfly.server import Link, PortError
from pyrfly.server.links.ardupilot import ArduPilotLink
from pyrfly.server.links.configuration import ConfigurationLink
from pyrfly.server.links.display import DisplayLink
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.server.links.topics import TopicLink
from pyrfly.server.links.view import ViewLink

HERE = "127.0.0.1"
N = 2

# Makes the link of two vehicles at a first port; its ports, of which the last is taken; the option.
LINKS: dict[str, tuple[Callable[[Sim, int], Link], Callable[[int], list[int]], str]] = {
    "rflysim": (
        lambda sim, port: RflySimLink(sim, "udp_full", 10, 0.5, True, first_port=port),
        lambda port: [port, port + 2, port + 10000, port + 10002],
        "first_port (--first-port)",
    ),
    "mavlink": (
        lambda sim, port: MavlinkLink(sim, first_port=port),
        lambda port: [port - 1530, port - 1529, port - 5520, port - 5519],
        "first_port (--first-port)",
    ),
    "px4": (
        lambda sim, port: Px4Link(sim, first_port=port),
        lambda port: [port, port + 1],
        "first_port of PX4 (--px4)",
    ),
    "ardupilot": (
        lambda sim, port: ArduPilotLink(sim, first_port=port),
        lambda port: [port, port + 10],
        "first_port of ArduPilot (--ardupilot)",
    ),
    "configuration": (
        lambda sim, port: ConfigurationLink(sim, first_port=port, custom_data=True),
        lambda port: [port - 98, port + 29900],
        "first_port (--first-port)",
    ),
    "display": (
        lambda sim, port: DisplayLink(sim, first_port=port),
        lambda port: [port - 94],
        "first_port (--first-port)",
    ),
    "topics": (
        lambda sim, port: TopicLink(sim, first_port=port),
        lambda port: [port + 20000, port + 20002],
        "first_port (--first-port)",
    ),
    "view": (
        lambda sim, port: ViewLink(sim, Scene([]), first_port=port),
        lambda port: [port - 90],
        "first_port (--first-port)",
    ),
}


@pytest.fixture
def first(first_port) -> int:
    """Return a first port at which those of all links are free."""
    return first_port(N, mavlink=True)


def opened(kind: socket.SocketKind, port: int) -> socket.socket:
    taken = socket.socket(socket.AF_INET, kind)
    try:
        taken.bind((HERE, port))
    except OSError:
        taken.close()
        raise
    if kind == socket.SOCK_STREAM:
        taken.listen()
    return taken


@pytest.fixture
def taken() -> Iterator[Callable[[socket.SocketKind, int], None]]:
    """Return a function that takes a port."""
    with ExitStack() as stack:
        yield lambda kind, port: stack.enter_context(opened(kind, port)) and None


@pytest.mark.parametrize("name", LINKS)
def test_the_error_names_the_port_and_what_changes_it(name, first, taken):
    made, ports, option = LINKS[name]
    kind = socket.SOCK_STREAM if name == "px4" else socket.SOCK_DGRAM
    *others, last = ports(first)
    taken(kind, last)
    with pytest.raises(PortError) as error:
        made(Sim("x450", N), first)
    assert f"port {last} of {HERE}" in str(error.value)
    assert str(error.value).endswith(f"; {option} changes it")
    for port in others:
        opened(kind, port).close()


@pytest.mark.parametrize("name", LINKS)
def test_ports_are_free_again_after_the_end(name, first):
    made, ports, _ = LINKS[name]
    kind = socket.SOCK_STREAM if name == "px4" else socket.SOCK_DGRAM
    link = made(Sim("x450", N), first)
    for port in ports(first):
        with pytest.raises(OSError, match="in use"):
            opened(kind, port)
    link.close()
    link.close()
    for port in ports(first):
        opened(kind, port).close()
