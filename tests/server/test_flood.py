"""A server under more packets than it can execute."""

from __future__ import annotations

import socket
import struct
import threading
import time

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.server import Server

N = 6


def short(mode: int, *controls: float) -> bytes:
    return struct.pack("<2i4f", 1234567890, mode, *controls)


@pytest.fixture
def served(first_port):
    """Return a function that makes a server of six vehicles."""
    opened = []

    def make(**options) -> tuple[Sim, Server]:
        sim = Sim("sdk", N, threads=1)
        sim.enable_synthesis()
        sim.reset(pos=[(0, 3 * row, 0) for row in range(N)])
        opened.append(Server(sim, first_port=first_port(N), **options))
        return sim, opened[-1]

    yield make
    for server in opened:
        server.close()


def send(out: socket.socket, server: Server, packet: bytes, copter_id: int) -> None:
    out.sendto(packet, ("127.0.0.1", server.link.first_port + 2 * (copter_id - 1)))


def test_a_server_without_time_serves_every_vehicle_and_keeps_the_order(served):
    """With a clock by which all time is over at once: one turn per tick remains."""
    sim, server = served(rate="max")
    clock = iter(range(10**9))
    server._clock = lambda: next(clock)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        for number in range(60):  # to the first vehicle arming, disarming, ..., arming
            send(out, server, short(9, (number + 1) % 2, 0, 0, 0), 1)
        send(out, server, short(9, 1, 0, 0, 0), 1)
        for copter_id in range(2, N + 1):
            send(out, server, short(9, 1, 0, 0, 0), copter_id)
        server.run(0.01)
        assert sim.armed.tolist() == [1] * N  # each had its turn
        server.run(0.01)
        assert sim.armed.tolist() == [0, 1, 1, 1, 1, 1]
        server.run(1.5)
    assert sim.armed.tolist() == [1] * N
    assert server.stats["accepted"] == 61 + N - 1
    assert server.stats["crowded_out"] == server.stats["replaced"] == 0


@pytest.mark.realtime
@pytest.mark.parametrize("kind", ["stream", "mixed"])
def test_real_time_holds_and_the_newest_set_point_counts(served, kind):
    """40,000 packets/s to six vehicles; less where the machine is busy."""
    sim, server = served(rate="real")
    stop, sent = threading.Event(), 0

    def flood() -> None:
        nonlocal sent
        others = [short(9, 1, 0, 0, 0), short(10, 5, 0, 0, 0), b"junk"] if kind == "mixed" else []
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            begin = time.perf_counter()
            while not stop.is_set():
                if sent > 40_000 * (time.perf_counter() - begin):
                    time.sleep(0.0005)
                    continue
                for packet in (short(2, 0, 0, -2 - sent % 3, 0), *others):
                    for copter_id in range(1, N + 1):
                        send(out, server, packet, copter_id)
                        sent += 1
            time.sleep(0.2)
            for copter_id in range(1, N + 1):
                send(out, server, short(2, 0, 0, -4, 0), copter_id)

    thread = threading.Thread(target=flood)
    with server:
        thread.start()
        began = time.perf_counter()
        before = server.time
        time.sleep(3)
        stop.set()
        elapsed, simulated = time.perf_counter() - began, server.time - before
        thread.join()
        time.sleep(0.5)  # until the last ones are there
        with server.lock:
            np.testing.assert_array_equal(sim.sil_floats[:, 2], -4)
    assert simulated > 0.8 * elapsed  # in one process with the sender
    assert server.stats["received"] > 3000
