"""Servers with RflySim's modes and further links, for the tests of these."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable, Iterator

import pytest

from pyrfly import Sim
from pyrfly.server import Server
from pyrfly.transport import Ports

HERE = "127.0.0.1"


class World:
    """Vehicles, their server, and a socket that speaks to it."""

    def __init__(
        self, first_port, link=None, n: int = 2, first_id: int = 1, vehicles="x450", **options
    ) -> None:
        """``link`` makes a link from the simulation and the options of its ports."""
        mode = options.pop("mode", "udp_full")
        self.sim = Sim(vehicles, n)
        self.sim.reset(pos=[(5.0, 3.0 * row) for row in range(n)])
        first = first_port(n + first_id, mavlink=str(mode).startswith("mavlink"))
        self.ports = Ports.beginning_at(first)
        where = {"first_port": first, "first_id": first_id}
        self.link = None if link is None else link(self.sim, **where, **options)
        links = [] if self.link is None else [self.link]
        self.server = Server(self.sim, mode, rate="max", links=links, **where)
        self._boxes = contextlib.ExitStack()
        self.out = self.box(0)

    def box(self, port: int) -> socket.socket:
        """Return a socket that listens on a port, any for 0."""
        opened = self._boxes.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        opened.bind((HERE, port))
        opened.settimeout(20)
        return opened

    def send(self, port: int, *packets: bytes) -> None:
        """Send packets to a port, and let the server take them."""
        for packet in packets:
            self.out.sendto(packet, (HERE, port))
        self.server.run(0.05)

    def until(self, condition: Callable[[], object]) -> None:
        """Run the server until a condition holds."""
        end = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < end
            self.server.run(0.01)
            time.sleep(0.001)

    def close(self) -> None:
        self.server.close()
        self._boxes.close()


@pytest.fixture
def served(first_port) -> Iterator[Callable[..., World]]:
    """Return a function that makes a `World`, closed at the end."""
    made: list[World] = []

    def make(*arguments, **options) -> World:
        made.append(World(first_port, *arguments, **options))
        return made[-1]

    yield make
    for world in made:
        world.close()
