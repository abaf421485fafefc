"""Vehicles of other programs, by the packets that RflySim3D gets."""

import socket

import numpy as np
import pytest

from pyrfly import Sim, wire
from pyrfly.transport import OptionError
from pyrfly.view.codec import decode_frame, decode_world
from pyrfly.view.live import SimSource
from pyrfly.view.packets import PacketSource, Window
from pyrfly.view.world import Line, World


@pytest.fixture
def sim():
    sim = Sim({"aerosonde": 1, "x450": 2, "otter": 1})
    sim.enable_synthesis()
    sim.reset(pos=[[0, 0, -30], [3, 0, -5], [3, 4, -6], [9, 9, 0]], yaw=[0.1, 0.2, -2.0, 3.0])
    sim.arm()
    sim.step(200)
    return sim


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def source(first_port, clock):
    source = PacketSource(first_port=first_port(), clock=clock)
    yield source
    source.close()


def send(source, packets):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for packet in packets:
            sender.sendto(packet.tobytes(), ("127.0.0.1", source.port))
    source.take()


def test_vehicles_are_seen_as_they_are(sim, source):
    send(source, wire.pack(sim, "SOut2Simulator"))
    world, frame, truth = source.world(), source.frame(), SimSource(sim).frame()
    assert [(group.name, group.ids.tolist()) for group in world.groups] == [
        *[("aerosonde", [1]), ("x450", [2, 3]), ("otter", [4])]
    ]
    np.testing.assert_allclose(frame.pos, truth.pos, atol=1e-6)
    same = np.abs((frame.att * truth.att).sum(axis=1))
    np.testing.assert_allclose(same, 1.0, atol=1e-5)
    np.testing.assert_allclose(frame.displayed, truth.displayed, rtol=1e-5, atol=1e-5)
    assert frame.time == pytest.approx(0.2, abs=0.01)


def test_sets_can_be_named(sim, first_port):
    source = PacketSource({"hex_x": 2}, first_port=first_port())
    send(source, wire.pack(sim, "SOut2Simulator"))
    groups = [(group.name, group.ids.tolist()) for group in source.world().groups]
    assert groups == [("hex_x", [1, 2]), ("x450", [3]), ("otter", [4])]
    source.close()


def test_world_is_another_one_with_another_vehicle_alone(sim, source):
    packets = wire.pack(sim, "SOut2Simulator")
    window = Window(source)
    assert decode_world(window.world[1]).count == 0
    number, message = window.newest(0)
    assert decode_frame(message).pos.shape == (0, 3)
    assert window.newest(number) is None
    for sent, worlds in ((packets[:2], 2), (packets[:2], 2), (packets[2:3], 3)):
        send(source, sent)
        assert source.worlds == worlds
    window.take()
    assert window.world[0] == 3
    number, message = window.newest(0)
    assert window.newest(number) is None
    assert message.startswith(b"pyrfly")


def test_silent_vehicles_are_not_shown(sim, source, clock):
    packets = wire.pack(sim, "SOut2Simulator")
    send(source, packets)
    clock.now += 6
    send(source, packets[1:2])
    there = np.isfinite(source.frame().pos).all(axis=1)
    assert there.tolist() == [False, True, False, False]


def test_a_vehicle_that_falls_silent_is_taken_off_the_page_and_then_the_list(sim, source, clock):
    packets = wire.pack(sim, "SOut2Simulator")
    window = Window(source)
    send(source, packets)
    window.take()
    number, _ = window.newest(0)
    clock.now += 6
    window.take()
    number, message = window.newest(number)  # though no packet has come
    assert np.isnan(decode_frame(message).pos).all()
    clock.now += 30
    window.take()
    assert source.world().count == 4  # nobody is there who could take their place
    send(source, packets[1:2])
    clock.now += 1
    window.take()
    assert [group.ids.tolist() for group in decode_world(window.world[1]).groups] == [[2]]
    assert np.isfinite(decode_frame(window.newest(number)[1]).pos).all()


def test_a_program_that_begins_anew_begins_the_time_anew(sim, source, clock):
    packets = wire.pack(sim, "SOut2Simulator")
    packets["runnedTime"] = [90.0, 90.0, 91.0, 90.0]
    send(source, packets)
    assert source.frame().time == 91.0
    packets["runnedTime"] -= 0.5  # overtaken on their way
    send(source, packets[:1])
    assert source.world().count == 4
    packets["runnedTime"] = 0.3
    send(source, packets[1:])
    assert source.frame().time == pytest.approx(0.3)
    assert sorted(n for group in source.world().groups for n in group.ids) == [2, 3, 4]


def test_a_vehicle_can_become_one_of_another_family(sim, source):
    packets = wire.pack(sim, "SOut2Simulator")
    send(source, packets)
    assert [group.name for group in source.world().groups] == ["aerosonde", "x450", "otter"]
    packets["vehicleType"][0] = packets["vehicleType"][3]
    send(source, packets[:1])
    assert [(g.name, g.ids.tolist()) for g in source.world().groups] == [
        ("otter", [1, 4]),
        ("x450", [2, 3]),
    ]


def test_surroundings_are_drawn_with_the_vehicles(sim, first_port):
    path = Line("mission", np.zeros((2, 3)), (1, 2, 3))
    source = PacketSource(first_port=first_port(), surroundings=World((), water=2.0, lines=(path,)))
    send(source, wire.pack(sim, "SOut2Simulator"))
    world = source.world()
    assert (world.count, world.water, world.lines) == (4, 2.0, (path,))
    source.close()


def test_other_packets_are_dropped(sim, source):
    packets = wire.pack(sim, "SOut2Simulator")
    lost, far, nameless = packets[:1].copy(), packets[:1].copy(), packets[:1].copy()
    lost["PosE"], far["PosE"], nameless["copterID"] = np.nan, 1e9, 0
    other = packets[:1].copy()
    other["checksum"] = 7
    junk = np.frombuffer(b"x" * 176, np.uint8)
    send(source, [lost, far, nameless, other, junk, np.zeros(0, np.uint8)])
    assert (source.number, source.worlds) == (1, 0)


def test_first_free_port_is_taken(first_port):
    port = first_port()
    first = PacketSource(first_port=port)
    second = PacketSource(first_port=port)
    assert second.port in (first.port, first.port + 1)
    for source in (first, second):
        source.close()


def test_allowed_are_those_that_reach_it():
    with pytest.raises(OptionError, match="allow"):
        PacketSource(allow=["192.0.2.1"])
