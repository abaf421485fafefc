"""Servers whose CopterIDs begin with another number than 1, from the outside."""

import socket
import struct
import time
from contextlib import closing

import numpy as np
import pytest

from pyrfly import Sim, wire
from pyrfly.server import OptionError, Server
from pyrfly.server.decode import decode
from pyrfly.server.heartbeat import Heartbeats
from pyrfly.server.link_stats import LinkStats
from pyrfly.server.outputs import old_truth

FIRST = 5


@pytest.fixture
def box():
    """Return a socket that does not wait for ever."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        opened.settimeout(20)
        yield opened


@pytest.fixture
def server(first_port):
    sim = Sim("sdk", 2)
    made = Server(sim, rate="max", first_port=first_port(FIRST + 1), first_id=FIRST)
    with closing(made):
        yield made


def first_port_of(server: Server) -> int:
    return server.rflysim.sockets.port("command", 0) - 2 * (FIRST - 1)


def test_state_and_truth_come_from_the_ports_of_their_copterids(server, box):
    """CopterID 6 is the second vehicle: 20101 + 2 * 5, as by RflySim's table."""
    truth = first_port_of(server) + 10001 + 2 * 5
    box.bind(("127.0.0.1", truth))
    server.run(0.02)
    for _ in range(2):
        packet, (_, port) = box.recvfrom(2048)
        assert port == truth - 1
        assert len(packet) in (168, 264)  # SOut2Simulator, outCopterStruct
        assert struct.unpack_from("<i", packet, 4) == (6,)


def test_commands_are_for_the_named_copterid_alone(server, box):
    """A set-point for 5 on 5's port arms it; one for 1 there is for another vehicle."""
    packet = wire.blank("inHILCMDData")
    packet["modes"], packet["flags"] = 0b110111111000, 1  # a position
    packet["ctrls"][0, 2] = -3
    port = first_port_of(server) + 2 * (FIRST - 1)
    for copter_id in (1, 2, FIRST):
        packet["copterID"] = copter_id
        box.sendto(packet.tobytes(), ("127.0.0.1", port))
    time.sleep(0.05)
    server.run(0.05)
    assert server.rflysim.stats.vehicle(FIRST)["accepted"] == 1
    assert server.rflysim.stats.vehicle(FIRST)["bad_id"] == 2
    assert server.sim.armed.tolist() == [1, 0]


def test_imu_ports_count_copterids(server, box):
    box.bind(("127.0.0.1", first_port_of(server) + 10900 + FIRST))  # 31000 + 6 - 1
    request = wire.blank("imuReqCopterSim")
    request["freq"] = 100
    port = first_port_of(server) + 10000 + 2 * FIRST
    box.sendto(request.tobytes(), ("127.0.0.1", port))
    time.sleep(0.05)
    server.run(0.1)
    packet, sender = box.recvfrom(2048)
    assert len(packet) == wire.dtype("imuDataCopter").itemsize
    assert sender == ("127.0.0.1", port)


@pytest.mark.parametrize(
    ("named", "accepted"), [(0, True), (-1, True), (5, True), (1, False), (4, False), (6, False)]
)
def test_packets_of_inputs_name_copterids_or_none(named, accepted):
    records = wire.blank("PX4SILIntFloat")
    records["CopterID"] = named
    orders = decode("PX4SILIntFloat", records, np.array([1]), first_id=FIRST)
    assert bool(orders.actions) == accepted
    assert records["CopterID"][0] == named  # the caller's


def test_packed_structures():
    sim = Sim("sdk", 3)
    assert wire.pack(sim, "SOut2Simulator", first_id=7)["copterID"].tolist() == [7, 8, 9]
    assert wire.pack(sim, "SOut2Simulator", [3, 1], first_id=7)["copterID"].tolist() == [9, 7]
    assert old_truth(sim, 7)["copterID"].tolist() == [7, 8, 9]


def test_heartbeats(first_port, box):
    first = first_port(1)
    box.bind(("127.0.0.1", first - 95))
    heartbeats = Heartbeats(2, first_port=first, first_id=FIRST)
    heartbeats.send(heartbeats.due())
    received = [struct.unpack_from("<2i", box.recv(100))[1] for _ in range(2)]
    heartbeats.close()
    assert received == [5, 6]


def test_counts():
    stats = LinkStats(2, FIRST)
    stats.add(0, [1])
    assert stats.vehicle(6) != stats.vehicle(5)
    with pytest.raises(ValueError, match="copter_id: expected 5 to 6, got 1"):
        stats.vehicle(1)


@pytest.mark.parametrize("first_id", [0, -1, 5000, 1.0, True, "5"])
def test_other_first_ids_are_refused(first_id):
    with pytest.raises(OptionError, match=r"first_id: expected 1 to 4999 for 2 vehicles, got"):
        Server(Sim("sdk", 2), first_id=first_id)
