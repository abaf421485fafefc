"""Serve 100 mixed vehicles over several links for a long simulated time, as fast as possible.

    python tests/soak/run.py            24 h of simulated time
    python tests/soak/run.py 1          an hour

Every simulated second some vehicles are armed, started, sent away and landed over MAVLink, the wind
changes by the port of events, and every port gets random bytes. Each simulated quarter of an hour a
line is printed. No number may become infinite, no memory, file or thread be kept, and no link
fall silent. The seed is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import threading
import time
from contextlib import closing
from pathlib import Path

import numpy as np

from pyrfly import Sim, mavlink
from pyrfly.mavlink import FrameWriter
from pyrfly.server import Server
from pyrfly.server.links.configuration import ConfigurationLink
from pyrfly.server.links.display import DisplayLink
from pyrfly.server.links.events import EventLink
from pyrfly.server.links.topics import TopicLink

HERE = "127.0.0.1"
FLEET = {"x450": 40, "hex_x": 20, "aerosonde": 15, "rover_differential": 15, "blade_360": 10}
FIRST, EVENTS = 21100, 21000
HOUR, PART, TURN = 3600.0, 900.0, 1.0
SETTLED = 2
"""Parts after which memory should not grow any more."""

GROWTH = 32 << 20
"""Maximum memory that is kept after those [bytes]."""

ARM, TAKE_OFF, LAND, REPOSITION = 400, 22, 21, 192
RANDOM = 20
"""Random packets per turn."""


class Clients:
    """What speaks to the vehicles."""

    def __init__(self, source: random.Random, server: Server) -> None:
        self._source = source
        self._out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._writer = FrameWriter([255], 190)
        uses = [use for link in server.links for use in link.port_uses() if use.listens]
        self._ports = [port for use in uses for port in use.ports]
        self._n = server.sim.n

    def speak(self) -> None:
        """Send what a turn has."""
        for _ in range(8):
            self._command(self._source.randrange(self._n))
        wind = [self._source.uniform(-5, 5), self._source.uniform(-5, 5), 0.0]
        event = {"ids": [1 + self._source.randrange(self._n)], "wind": wind}
        self._send(json.dumps(event).encode(), EVENTS)
        for _ in range(RANDOM):
            data = self._source.randbytes(self._source.randrange(300))
            self._send(data, self._source.choice(self._ports))

    def _command(self, row: int) -> None:
        message = mavlink.blank("COMMAND_LONG")
        message["target_system"], message["target_component"] = row % 255 + 1, 1
        message["command"] = self._source.choice([ARM, ARM, TAKE_OFF, TAKE_OFF, LAND, REPOSITION])
        message["param1"] = 1
        message["param7"] = 30
        self._writer.add("COMMAND_LONG", message)
        for _, data in self._writer.take():
            self._send(bytes(data), FIRST + 2 * row)

    def _send(self, data: bytes, port: int) -> None:
        self._out.sendto(data, (HERE, port))

    def close(self) -> None:
        """Close the socket."""
        self._out.close()


def kept() -> tuple[int, int, int]:
    """Return memory [bytes], open files and threads of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    files = len(list(Path("/proc/self/fd").iterdir()))
    return pages * os.sysconf("SC_PAGE_SIZE"), files, threading.active_count()


def check(server: Server, before: dict[str, int]) -> dict[str, int]:
    """Raise an AssertionError for what must not be; return what links have received and sent."""
    assert np.isfinite(server.sim.pos).all(), "a position is not finite"
    assert server.sim.check().ok, str(server.sim.check())
    now = {f"{link.name} {name}": link.stats[name] for link in server.links
           for name in ("received", "sent")}  # fmt: skip
    for what in ("mavlink received", "mavlink sent", "rflysim received", "events received"):
        assert now[what] > before.get(what, 0), f"{what}: no more"
    return now


def soak(hours: float, seed: int) -> None:
    """Serve for some hours of simulated time."""
    source = random.Random(seed)
    sim = Sim(FLEET)
    sim.reset(pos=[(10.0 * (row // 10), 10.0 * (row % 10)) for row in range(sim.n)])
    sim.sensors.enable("imu", "gps", profile="px4")
    where = {"first_port": FIRST}
    links = [EventLink(sim, EVENTS), ConfigurationLink(sim, **where), DisplayLink(sim, **where),
             TopicLink(sim, **where)]  # fmt: skip
    began, used = time.monotonic(), time.process_time()
    base, counts = None, {}
    with (
        closing(Server(sim, "mavlink_full", rate="max", links=links, **where)) as server,
        closing(Clients(source, server)) as clients,
    ):
        for part in range(1, max(1, round(hours * HOUR / PART)) + 1):
            while server.time < part * PART - TURN / 2:
                clients.speak()
                server.run(TURN)
            counts = check(server, counts)
            memory, files, threads = kept()
            if part == SETTLED:
                base = memory, files, threads
            if base is not None:
                assert memory <= base[0] + GROWTH, f"memory: {memory - base[0]} bytes more"
                assert (files, threads) == base[1:], f"{files} files, {threads} threads"
            speed = server.time / (time.monotonic() - began)
            share = (time.process_time() - used) / server.time
            print(
                f"{server.time / HOUR:.2f} h, {speed:.1f} x real time, {60 * share:.0f} min of a "
                f"core per hour, {memory >> 20} MiB, "
                f"{files} files, {threads} threads, {counts['mavlink received']} MAVLink frames",
                flush=True,
            )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hours", nargs="?", type=float, default=24.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    soak(options.hours, options.seed)


if __name__ == "__main__":
    main()
