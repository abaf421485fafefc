"""Servers whose CopterIDs begin with another number than 1, from the outside."""

import pkgutil
import socket
import struct
import time
from contextlib import closing

import numpy as np
import pytest

from pyrfly import Sim, wire
from pyrfly.scene import Scene
from pyrfly.server import OptionError, Server, links
from pyrfly.server.decode import decode
from pyrfly.server.heartbeat import Heartbeats
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.links.ardupilot import ArduPilotLink
from pyrfly.server.links.configuration import ConfigurationLink
from pyrfly.server.links.display import DisplayLink
from pyrfly.server.links.events import EventLink
from pyrfly.server.links.flightgear import FlightGearLink
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.page import PageLink
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.px4_hitl import Px4HitlLink
from pyrfly.server.links.px4_texts import Px4TextLink
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.server.links.serial_hil import SerialHilLink
from pyrfly.server.links.tcp import TcpLink
from pyrfly.server.links.topics import TopicLink
from pyrfly.server.links.view import ViewLink
from pyrfly.server.links.websocket import WebSocketLink
from pyrfly.server.outputs import old_truth
from pyrfly.transport.byte_streams import UdpStream

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
    with pytest.raises(OptionError, match="first_id: expected"):
        Server(Sim("sdk", 2), first_id=first_id)


LINKS = {
    "ardupilot": lambda sim, where: ArduPilotLink(sim, first_port=0, first_id=FIRST),
    "configuration": lambda sim, where: ConfigurationLink(sim, **where),
    "display": lambda sim, where: DisplayLink(sim, **where),
    "events": lambda sim, where: EventLink(sim, 0, first_id=FIRST),
    "flightgear": lambda sim, where: FlightGearLink(sim, first_id=FIRST),
    "mavlink": lambda sim, where: MavlinkLink(sim, ["mavlink_full"], **where),
    "page": lambda sim, where: PageLink(sim, 0, first_id=FIRST),
    "px4": lambda sim, where: Px4Link(sim, first_port=0, first_id=FIRST),
    "px4_hitl": lambda sim, where: Px4HitlLink(
        sim, [lambda: UdpStream("127.0.0.1")], first_id=FIRST
    ),
    "px4_texts": lambda sim, where: Px4TextLink(sim, first_instance=200, first_id=FIRST),
    "rflysim": lambda sim, where: RflySimLink(sim, "udp_full", 10, 0.5, True, **where),
    "serial_hil": lambda sim, where: SerialHilLink(sim, UdpStream("127.0.0.1"), first_id=FIRST),
    "tcp": lambda sim, where: TcpLink(sim, 0, first_id=FIRST),
    "topics": lambda sim, where: TopicLink(sim, **where),
    "websocket": lambda sim, where: WebSocketLink(sim, 0, first_id=FIRST),
    "view": lambda sim, where: ViewLink(sim, Scene([]), **where),
}


def test_all_links_are_looked_at():
    assert sorted(module.name for module in pkgutil.iter_modules(links.__path__)) == sorted(LINKS)


@pytest.mark.parametrize("name", LINKS)
def test_counts_of_a_link_are_those_of_copterids(name, first_port):
    """Of the last CopterID, and of none that the server does not have."""
    sim = Sim("x450", 2)
    sim.enable_synthesis()
    where = {"first_port": first_port(FIRST + 1, name == "mavlink"), "first_id": FIRST}
    with closing(LINKS[name](sim, where)) as link:
        link.stats.add(Count.RECEIVED, [1])
        assert link.stats.vehicle(FIRST + 1)["received"] == 1
        assert link.stats.vehicle(FIRST)["received"] == 0
        with pytest.raises(ValueError, match="copter_id: expected 5 to 6, got 2"):
            link.stats.vehicle(2)


@pytest.mark.parametrize("make", [FlightGearLink, lambda sim, **o: SerialHilLink(sim, None, **o)])
@pytest.mark.parametrize("copter_id", [1, 4, 7])
def test_links_of_one_vehicle_refuse_what_is_no_copterid(make, copter_id):
    with pytest.raises(OptionError, match=f"copter_id: expected 5 to 6, got {copter_id}"):
        make(Sim("x450", 2), copter_id=copter_id, first_id=FIRST)


def test_flightgear_shows_the_vehicle_with_the_copterid(box, standin):
    """CopterID 6, the second, which is higher."""
    sim = Sim("x450", 2)
    sim.reset(pos=[(0, 0, -20), (0, 0, -70)], hover=True)
    box.bind(("127.0.0.1", 0))
    link = FlightGearLink(sim, port=box.getsockname()[1], copter_id=FIRST + 1, first_id=FIRST)
    with closing(Server(sim, None, rate="max", first_id=FIRST, links=[link])) as server:
        server.run(0.01)
    fields = standin("flightgear").read(box.recv(2048))
    height = sim.local_frame.to_lla([0.0, 0.0, -70.0])[2]
    assert fields["altitude"] == pytest.approx(height, abs=0.5)
    assert link.stats.vehicle(FIRST + 1)["sent"] == 1
