"""A server under more packets than it can execute."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import closing

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.server import Server
from pyrfly.server.budget import Budget
from pyrfly.server.links.configuration import ConfigurationLink
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.request_queue import MOST_WAITING
from pyrfly.transport.fleet import PORTION
from pyrfly.transport.ports import Ports

from .packets import short

N = 6


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
    out.sendto(packet, ("127.0.0.1", server.rflysim.sockets.port("command", copter_id - 1)))


class Clock:
    """A clock that goes on by a microsecond whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1e-6
        return self.now


@pytest.fixture
def timed(served):
    """Return a server with its own clock: a packet takes 10 us, its execution a millisecond."""

    def make(reading: float = 1e-5, execution: float = 1e-3) -> tuple[Sim, Server, Clock]:
        sim, server = served(rate="max")
        clock = Clock()
        server._budget = Budget(0.01, clock)
        put, act = server.rflysim.inbox.put, server.rflysim.act

        def slow_put(packets):
            clock.now += reading * len(packets)
            put(packets)

        def slow_act(action):
            clock.now += execution
            act(action)

        server.rflysim.inbox.put, server.rflysim.act = slow_put, slow_act
        return sim, server, clock

    return make


def test_a_flood_delays_neither_the_tick_nor_a_calm_vehicle(timed):
    """Five vehicles with 150 packets of several kinds each; the sixth has one a tick."""
    sim, server, clock = timed()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        for number in range(30):
            for copter_id in range(1, N):
                for packet in (
                    short(9, (number + 1) % 2, 0, 0, 0),
                    short(2, 0, 0, -2 - number, 0),
                    short(10, 5, 0, 0, 0),
                    b"junk",
                    short(9, number % 2, 0, 0, 0),
                ):
                    send(out, server, packet, copter_id)
        for tick in range(60):
            send(out, server, short(2, 0, 0, -1 - tick, 0), N)
            before = clock.now
            server.run(0.01)
            # of 6 ms, but for the portion or the action that was begun
            assert clock.now - before < 6e-3 + PORTION * 1e-5 + 1e-3
            assert sim.sil_floats[N - 1, 2] == -1 - tick
    assert sim.armed.tolist() == [1] * N
    np.testing.assert_array_equal(sim.sil_floats[: N - 1, 2], -31)
    assert server.stats["received"] == 150 * (N - 1) + 60
    assert server.stats["accepted"] == 120 * (N - 1) + 60
    assert server.stats["overflowed"] == 0


def test_a_server_without_time_serves_every_vehicle_and_keeps_the_order(timed):
    """A packet or an action takes longer than a tick: one of each vehicle in turn."""
    sim, server, _ = timed(reading=1.0, execution=1.0)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        for number in range(20):  # to the first vehicle arming, disarming, ..., arming
            send(out, server, short(9, (number + 1) % 2, 0, 0, 0), 1)
        send(out, server, short(9, 1, 0, 0, 0), 1)
        for copter_id in range(2, N + 1):
            send(out, server, short(9, 1, 0, 0, 0), copter_id)
        server.run(0.01)
        assert sim.armed.tolist() == [1] * N
        server.run(0.01)
        assert sim.armed.tolist() == [0, 1, 1, 1, 1, 1]
        server.run(0.2)
    assert sim.armed.tolist() == [1] * N
    assert server.stats["accepted"] == 21 + N - 1
    assert server.stats["replaced"] == 0


def test_commands_that_cannot_be_executed_yet_stay_in_the_buffer_of_the_system(timed):
    """None is lost, though they come faster than they are executed."""
    sim, server, _ = timed(reading=0.0, execution=1.0)
    first, later = 2 * MOST_WAITING, 101
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        for number in range(first + later):
            if number == first:
                server.run(0.01)
            send(out, server, short(9, (number + 1) % 2, 0, 0, 0), 1)
        send(out, server, short(9, 1, 0, 0, 0), 2)
        server.run(0.02)
        assert server.stats.vehicle(1)["received"] == first
        assert sim.armed[1] == 1
        server.run(0.01 * (first + later))
    assert server.stats.vehicle(1)["accepted"] == first + later
    assert server.stats["overflowed"] == 0
    assert sim.armed[0] == 1


def test_a_flood_of_frames_delays_neither_the_tick_nor_a_calm_vehicle(first_port):
    """Eight datagrams of 40 heartbeats, of 0.5 ms each; the other vehicle has one frame a tick."""
    sim = Sim("x450", 2)
    link = MavlinkLink(sim, ("mavlink_full",), first_port=first_port(2, mavlink=True))
    server = Server(sim, mode=None, rate="max", links=[link])
    clock, seen = Clock(), []
    server._budget = Budget(0.01, clock)

    def see(row: int) -> None:
        clock.now += 5e-4
        seen.append(row)

    link.autopilots.commander.silences.hear_station = see
    heartbeat = common.MAVLink_heartbeat_message(6, 8, 0, 0, 4, 3).pack(
        common.MAVLink(None, srcSystem=255)
    )
    with closing(server), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        for _ in range(8):
            out.sendto(40 * heartbeat, ("127.0.0.1", link.sockets.port("mavlink_full", 0)))
        for _ in range(40):
            out.sendto(heartbeat, ("127.0.0.1", link.sockets.port("mavlink_full", 1)))
            before = clock.now, seen.count(1)
            server.run(0.01)
            assert clock.now - before[0] < 6e-3 + 5e-4 + 1e-4  # 60 %, and the frame that was begun
            assert seen.count(1) == before[1] + 1
        assert 40 < seen.count(0) <= 320
        assert link.stats["received"] == link.stats["accepted"] == len(seen)


def test_a_flood_of_one_link_leaves_time_to_the_others(timed):
    """200 settings wait while the ports of vehicles are flooded."""
    sim, server, clock = timed(reading=1e-4)
    link = ConfigurationLink(sim, first_port=server.rflysim.sockets.series[0].port)
    server.links = (*server.links, link)
    put = link.inbox.put

    def slow_put(packets):
        clock.now += 1e-4
        put(packets)

    link.inbox.put = slow_put
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        to = ("127.0.0.1", Ports.beginning_at(server.rflysim.sockets.series[0].port).configure)
        for _ in range(200):
            out.sendto(b"junk", to)
        for _ in range(20):
            for _ in range(100):
                send(out, server, short(9, 1, 0, 0, 0), 1)
            server.run(0.01)
    assert link.stats["received"] > 5 * 20


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
