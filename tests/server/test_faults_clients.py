"""A client that is killed: each mode has its rule for vehicles whose client is gone.

The clients are processes, which write nothing more once they are killed.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.protocol import synthesis
from pyrfly.server import Server
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.rflysim import RflySimLink

from ..waiting import until

HEIGHT = 4.0
TIMEOUT = 30.0

# A program that sends packets, given as hexadecimal digits, to a port until it is killed.
SENDER = """
import itertools, socket, sys, time
box = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for packet in itertools.cycle(map(bytes.fromhex, sys.argv[2:])):
    box.sendto(packet, ("127.0.0.1", int(sys.argv[1])))
    time.sleep(0.001)
"""


@pytest.fixture
def run() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Return a function that starts a Python program with arguments."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: object) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen([sys.executable, *map(str, arguments)]))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def hovering() -> Sim:
    """Return a vehicle that hovers, armed."""
    sim = Sim("x450")
    sim.enable_synthesis()
    sim.reset(pos=(0, 0, 0))
    sim.command_sil(*synthesis.take_off([0], [0], [-HEIGHT], armed=[True]))
    sim.sleep(7)
    assert sim.pos[0, 2] == pytest.approx(-HEIGHT, abs=0.3)
    return sim


def serve(server: Server, happened: Callable[[], object]) -> None:
    """Run a server at about real time until something has happened."""
    end = time.monotonic() + TIMEOUT
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        server.run(0.02)
        time.sleep(0.02)


def killed(process: subprocess.Popen[bytes], server: Server) -> None:
    """Kill a client and let the server take in what it had sent."""
    process.kill()
    process.wait()
    server.run(0.01)


@pytest.mark.slow
def test_set_points_of_udp_lapse_and_the_position_is_held(run, first_port):
    sim, first = hovering(), first_port()
    link = RflySimLink(sim, "udp_full", 10, 0.5, True, first_port=first)
    with_velocity = bytes.fromhex("d2029649 00000000") + np.array([4, 0, 0, 0], "<f4").tobytes()
    server = Server(sim, mode=None, rate="max", links=[link])
    try:
        client = run("-c", SENDER, first, with_velocity.hex())
        serve(server, lambda: sim.vel[0, 0] > 3)
        assert link.stats["lapsed"] == 0
        killed(client, server)
        server.run(0.4)
        assert link.stats["lapsed"] == 0
        assert sim.vel[0, 0] > 3
        server.run(0.2)
        assert link.stats["lapsed"] == 1
        server.run(8)
        assert np.abs(sim.vel).max() < 0.05
        assert sim.pos[0, 2] == pytest.approx(-HEIGHT, abs=0.3)
        assert sim.armed[0] == 1
    finally:
        server.close()


POSCTL, OFFBOARD = 3 << 16, 6 << 16


@pytest.mark.slow
def test_offboard_over_mavlink_ends_in_position_mode(run, first_port):
    """As PX4 v1.16.1 does without a remote control, 1 s after the last set-point."""
    sim = Sim("x450")
    sim.reset(pos=(0, 0, 0))
    first = first_port(1, mavlink=True)
    link = MavlinkLink(sim, ("onboard",), first_port=first)
    port = next(use.port for use in link.port_uses() if use.listens)
    mav = common.MAVLink(None, srcSystem=255)
    packets = [
        common.MAVLink_set_position_target_local_ned_message(
            *(0, 1, 1, 1, 0xDC7, 0, 0, 0, 2, 0, -2, 0, 0, 0, 0, 0)
        ),
        common.MAVLink_command_long_message(1, 1, 176, 0, 1, 6, 0, 0, 0, 0, 0),
        common.MAVLink_command_long_message(1, 1, 400, 0, 1, 0, 0, 0, 0, 0, 0),
    ]
    server = Server(sim, mode=None, rate="max", links=[link])
    commander = link.autopilots.commander
    try:
        client = run("-c", SENDER, port, *(packet.pack(mav).hex() for packet in packets))
        serve(server, lambda: sim.pos[0, 2] < -1.5)
        assert commander.mode[0] == OFFBOARD
        killed(client, server)
        server.run(0.8)
        assert commander.mode[0] == OFFBOARD
        server.run(0.5)
        assert commander.mode[0] == POSCTL
        server.run(6)
        assert sim.armed[0] == 1
        assert np.abs(sim.vel).max() < 0.1
    finally:
        server.close()


# A program that answers every HIL_SENSOR on its connections, until it is killed.
PX4 = """
import selectors, socket, sys
from pyrfly.server.bench_clients import control_frame
selector = selectors.DefaultSelector()
for port in map(int, sys.argv[1:]):
    selector.register(socket.create_connection(("127.0.0.1", port)), selectors.EVENT_READ)
while True:
    for key, _ in selector.select():
        data = key.fileobj.recv(65536)
        while len(data) > 12 and len(data) >= data[1] + 12:
            if data[7] == 107:
                key.fileobj.sendall(control_frame(data[10:18]))
            data = data[data[1] + 12 :]
"""


@pytest.mark.slow
def test_without_its_px4_a_vehicle_is_disarmed_and_the_others_go_on(run):
    sim = Sim("x450", 2)
    sim.reset(pos=[(0, 0, 0), (0, 9, 0)])
    link = Px4Link(sim, first_port=0)
    server = Server(sim, mode=None, rate="max", links=[link])
    server.start()
    try:
        clients = [run("-c", PX4, port) for port in link.ports]
        until(lambda: (sim.armed == 1).all() and (sim.throttle[:, 0] > 0).all())
        clients[0].kill()
        clients[0].wait()
        until(lambda: link.connected == [2])
        stepped = server.time
        until(lambda: server.time > stepped + 0.5)
        with server.lock:
            assert sim.armed.tolist() == [0, 1]
            assert (sim.throttle[0] == 0).all()
            assert (sim.throttle[1] > 0).all()
        clients[1].send_signal(signal.SIGSTOP)  # it hangs: simulated time waits for it
        time.sleep(0.3)
        stepped = server.time
        time.sleep(0.2)
        assert server.time == stepped
        server.stop()  # which does not wait for it
    finally:
        server.close()
