"""Discovery and settings, from the outside: RflySim's clients, and bytes."""

from __future__ import annotations

import math
import socket
import struct
import sys

import pytest

from pyrfly.ctrl import PX4MavCtrler
from pyrfly.rflysim.DllSimCtrlAPI import DllSimCtrlAPI
from pyrfly.rflysim.ReqCopterSim import ReqCopterSim
from pyrfly.server.links.configuration import ConfigurationLink
from pyrfly.server.notices import Notices
from pyrfly.transport import GROUP, group_sender

HERE = "127.0.0.1"


@pytest.fixture
def world(served):
    """Return two vehicles with CopterIDs 1 and 2, whose heartbeats are frequent."""
    return served(ConfigurationLink, period=0.02)


@pytest.fixture
def client(world):
    """Return RflySim's client, which has found the vehicles."""
    found = ReqCopterSim(listen_s=0, ports=world.ports)
    found.listen_s = 0.0
    world.until(lambda: (found.updateSimMsg(), len(found.getSimIpList()) == 2)[1])
    yield found
    found.close()


def start_of(world, row: int) -> list[float]:
    return [*world.sim.pos[row].tolist(), math.degrees(world.sim.euler[row, 2])]


def test_vehicles_are_found_by_their_heartbeats(client):
    assert sorted(client.getSimIpList()) == [(1, HERE), (2, HERE)]


def test_heartbeats_count_copterids(served):
    world = served(ConfigurationLink, first_id=5)
    box = world.box(world.ports.heartbeat)
    world.server.run(0.01)
    numbers = [struct.unpack("<2i3q", box.recv(100)) for _ in range(2)]
    assert [(checksum, copter_id) for checksum, copter_id, *_ in numbers] == [
        (123456789, 5), (123456789, 6),
    ]  # fmt: skip
    assert world.link.stats.vehicle(6)["sent"] == 1


def test_heartbeats_come_once_a_second_of_real_time(served):
    """However fast simulated time goes."""
    world = served(ConfigurationLink, n=1)
    world.server.run(5)
    assert world.link.stats["sent"] <= 1 + world.server.sim.time


def test_clients_put_vehicles_to_their_start(world, client):
    client.sendReSimXYyaw(2, [-7, 8, 90])
    world.server.run(0.05)
    assert start_of(world, 1) == pytest.approx([-7, 8, 0, 90], abs=0.01)
    assert start_of(world, 0) == pytest.approx([5, 0, 0, 0], abs=0.01)
    client.sendReSimXyzRPYaw(1, [1, 2, -30], [0, 0, -45])
    world.server.run(0.02)
    assert start_of(world, 0) == pytest.approx([1, 2, -30, -45], abs=0.05)
    lat, lon, _ = world.sim.local_frame.to_lla((100.0, 50.0, 0.0)).tolist()
    client.sendReGPSPos(2, lat, lon, 10)
    world.server.run(0.05)
    assert start_of(world, 1) == pytest.approx([100, 50, 0, 10], abs=0.05)
    assert world.server.stats["refused"] == 0


def test_a_vehicle_is_restarted_where_it_was_placed(world, client):
    client.sendReSimXYyaw(1, [-7, 8, 90])
    world.server.run(0.05)
    world.send(world.ports.control, struct.pack("<2i", 987654321, -1))
    assert start_of(world, 0) == pytest.approx([-7, 8, 0, 90], abs=0.01)


def test_clients_move_the_origin(world, client):
    client.sendReGPSOrin(1, [-33.5, 151.25, 70])
    world.server.run(0.05)
    assert world.sim.origin == (-33.5, 151.25, 70)


def test_both_kinds_of_coordinates_hold_all_the_time(world, client):
    client.sendEnGpsMode(1)
    client.sendReSimXYyaw(1, [2, 3, 0])
    client.sendEnXyMode(1)
    world.server.run(0.05)
    assert start_of(world, 0)[:2] == pytest.approx([2, 3], abs=0.01)
    assert world.server.stats["unsupported"] == world.server.stats["refused"] == 0


def test_the_mode_stays_and_another_is_refused(world, client):
    client.sendReSimUdpMode(1, 0)
    world.server.run(0.05)
    assert world.server.stats["refused"] == 0
    client.sendReSimUdpMode(2, 2)
    world.server.run(0.05)
    assert world.server.rflysim.mode == "udp_full"
    assert world.server.stats.vehicle(2)["refused"] > 0
    assert world.server.stats.vehicle(1)["refused"] == 0


def test_a_mavlink_mode_is_a_mode(served):
    world = served(ConfigurationLink, mode="mavlink_full")
    for mode in (2, 0):
        message = struct.pack("<2i4b4x4f2d", 1234567, 2, 0, 0, 0, mode, *[0.0] * 6)
        world.send(world.ports.configure, message)
    assert world.server.stats.vehicle(2)["refused"] == 1


def test_models_are_not_changed(world, client):
    client.sendReSimDllName(1, "quad")
    client.sendReSimDllIdx(1, 3)
    client.sendReSimMapIdx(1, 3)
    world.server.run(0.05)
    assert world.server.stats["unsupported"] == 6  # to the port of settings, and to the vehicle's
    client.sendReSimMapName(1, "NoSuchMap")
    world.server.run(0.05)
    assert world.server.stats["refused"] > 0


def test_settings_also_come_to_the_port_of_a_vehicle(served):
    world = served()  # without a link for the port of settings
    port = world.ports.of_model(2)
    message = struct.pack("<2i4b4x4f2d", 1234567, 2, 0, 1, 0, -1, 0, 0, 0, 90, 3, 4)
    world.send(port, message)
    assert start_of(world, 1) == pytest.approx([3, 4, 0, 90], abs=0.01)
    world.send(world.ports.of_model(1), message)
    assert world.server.stats.vehicle(1)["bad_id"] == 1


def test_a_flying_vehicle_that_is_placed_has_no_set_point_left(world):
    mav = [struct.pack("<2i4f", 1234567890, 2, 0, 0, -5, 0)] * 2
    world.send(world.ports.of_control(1), *mav)
    world.server.run(3)
    assert world.sim.pos[0, 2] < -0.5
    message = struct.pack("<2i4b4x4f2d", 1234567, 1, 0, 1, 0, -1, 0, 0, 0, 0, 3, 4)
    world.send(world.ports.configure, message)
    assert start_of(world, 0) == pytest.approx([3, 4, 0, 0], abs=0.01)
    assert world.sim.armed[0] == 0
    world.send(world.ports.of_control(1), *mav)  # the first set-point of a stream arms
    assert world.sim.armed[0] == 1


def test_settings_for_other_simulators_are_dropped(world):
    for copter_id in (3, 0, -1):
        message = struct.pack("<2i4b4x4f2d", 1234567, copter_id, 0, 1, 0, -1, *[0.0] * 6)
        world.send(world.ports.configure, message)
    assert world.link.stats["bad_id"] == 3
    assert start_of(world, 0)[0] == pytest.approx(5, abs=0.01)


def test_settings_of_the_group_are_received(world):
    message = struct.pack("<2i4b4x4f2d", 1234567, 1, 0, 1, 0, -1, 0, 0, 0, 0, 3, 4)
    with group_sender(HERE) as out:
        try:
            out.sendto(message, (GROUP, world.ports.configure))
        except OSError:
            pytest.skip("no multicast on the loopback interface")
    world.server.run(0.05)
    assert start_of(world, 0) == pytest.approx([3, 4, 0, 0], abs=0.01)


def test_a_heartbeat_is_sent_on_request(served):
    world = served(ConfigurationLink, period=3600)
    box = world.box(world.ports.heartbeat)
    world.server.run(0.01)
    for _ in range(2):
        box.recv(100)
    world.send(world.ports.of_model(2), struct.pack("<2i", 123450, 90))
    assert struct.unpack("<2i3q", box.recv(100))[1::3] == (2, 2)  # CopterID, HeartCount
    message = struct.pack("<2i4b4x4f2d", 1234567, 1, 1, 0, 0, -1, *[0.0] * 6)
    world.send(world.ports.configure, message)
    assert struct.unpack("<2i3q", box.recv(100))[1::3] == (1, 2)


def test_the_origin_is_sent_on_request(served):
    world = served(first_id=3)
    box = world.box(world.ports.of_model(4) + 1)
    for _ in range(5):
        world.send(world.ports.of_model(4), struct.pack("<2i", 123450, 91))
    data = box.recv(2048)
    while len(data) != 32:
        data = box.recv(2048)
    assert data == struct.pack("<2i3d", 1234567890, 4, *world.sim.origin)


def test_without_heartbeats_a_request_for_one_is_refused(served):
    world = served()
    world.send(world.ports.of_model(2), struct.pack("<2i", 123450, 90))
    assert world.server.stats.vehicle(2)["refused"] == 1


def test_who_is_no_peer_is_not_sent_the_state(world, monkeypatch):
    message = struct.pack("<2i4b4x4f2d", 1234567, 2, 1, 0, 0, -1, *[0.0] * 6)
    monkeypatch.setattr("pyrfly.server.links.configuration.is_own_address", lambda _: False)
    world.send(world.ports.configure, message)
    assert world.link.stats["refused"] == 0  # the peer 127.0.0.1
    monkeypatch.setattr(world.link, "_peers", frozenset(["192.0.2.7"]))
    world.send(world.ports.configure, message)
    assert world.link.stats.vehicle(2)["refused"] == 1


def test_start_signals_go_to_those_who_wait_and_are_noted(served, monkeypatch):
    """By PX4MavCtrler's own methods, over the group on the loopback interface."""
    world = served(ConfigurationLink)
    monkeypatch.setattr("pyrfly.ctrl.methods.messages.START_PORT", world.ports.start)
    mav = PX4MavCtrler(1, sim=world.sim)

    def post(data: bytes, ip: str, port: int) -> None:
        with group_sender(HERE) as out:
            out.sendto(data, (ip, port))

    monkeypatch.setattr(PX4MavCtrler, "_post", staticmethod(post))
    try:
        mav.sendStartMsg(2)
    except OSError:
        pytest.skip("no multicast on the loopback interface")
    world.server.run(0.05)
    assert world.link.started.tolist() == [False, True]
    mav.sendStartMsg()
    world.server.run(0.05)
    assert world.link.started.tolist() == [True, True]


def test_a_start_signal_to_the_address_is_left_to_clients(served):
    world = served(ConfigurationLink)
    box = world.box(world.ports.start)
    world.send(world.ports.start, struct.pack("<3i", 1234567890, 1, -1))
    assert len(box.recv(100)) == 12
    assert not world.link.started.any()


def test_numbers_of_users_are_kept_where_asked_for(served):
    world = served(ConfigurationLink, custom_data=True)
    dll = DllSimCtrlAPI(1, ports=world.ports)
    dll.sendCustomData(2, list(range(16)), port=world.ports.custom)
    dll.sendCustomData(0, [7] * 16, port=world.ports.custom)
    dll.udp_socket.close()
    world.server.run(0.05)
    assert world.link.custom.tolist() == [[7.0] * 16, list(map(float, range(16)))]


def test_the_port_of_users_is_theirs_by_default(served):
    world = served(ConfigurationLink)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.bind((HERE, world.ports.custom))


def test_what_is_dropped_is_told_by_name(world, capsys):
    world.link.inbox.notices = Notices(sys.stderr)
    world.send(world.ports.configure, struct.pack("<4i48s", 1234567895, 1, 1, -1, b"quad"), b"x")
    text = capsys.readouterr().err
    assert "CptSimCMD: dropped: known, but without effect here" in text
    assert "a packet of 1 bytes was dropped" in text


def test_settings_are_executed_in_their_order(world):
    for x in range(100):
        message = struct.pack("<2i4b4x4f2d", 1234567, 1, 0, 1, 0, -1, 0, 0, 0, 0, x / 20, 4)
        world.out.sendto(message, (HERE, world.ports.configure))
    world.until(lambda: world.sim.pos[0, 0] == pytest.approx(4.95, abs=0.005))
    assert world.link.stats["received"] == world.link.stats["accepted"] == 100


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what it dropped")
def test_packets_that_the_system_drops_are_counted(world):
    for _ in range(2000):
        world.out.sendto(bytes(48), (HERE, world.ports.configure))
    stats = world.link.stats
    world.until(lambda: stats["received"] + stats["overflowed"] == 2000)
    assert stats["overflowed"] > 0
    assert stats["bad_checksum"] == stats["received"]


def test_without_multicast_the_link_serves_its_address(served, monkeypatch):
    monkeypatch.setattr("pyrfly.transport.shared_ports.group_listener", lambda *_: None)
    world = served(ConfigurationLink)
    message = struct.pack("<2i4b4x4f2d", 1234567, 1, 0, 1, 0, -1, 0, 0, 0, 0, 3, 4)
    world.send(world.ports.configure, message)
    assert start_of(world, 0)[:2] == pytest.approx([3, 4], abs=0.01)


def test_ports_are_told(served):
    link = served(ConfigurationLink, custom_data=True).link
    ports = {use.name: (use.port - link.heartbeats.port + 20005) for use in link.port_uses()}
    assert ports == {"settings": 20002, "heartbeats": 20005, "custom data": 50000}


def test_without_rflysims_modes_settings_hold_too(served):
    world = served(ConfigurationLink, mode=None)
    message = struct.pack("<2i4b4x4f2d", 1234567, 1, 0, 1, 0, 1, 0, 0, 0, 0, 3, 4)
    world.send(world.ports.configure, message)
    assert start_of(world, 0)[:2] == pytest.approx([3, 4], abs=0.01)
    assert world.link.stats.vehicle(1)["refused"] == 1  # mode 1 of no link
