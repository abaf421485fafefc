"""RflySim3D's part in collisions: what models and programs get, byte for byte."""

from __future__ import annotations

import contextlib
import math
import struct

import numpy as np
import pytest

from pyrfly import ParameterError, Sim
from pyrfly.rflysim.UE4CtrlAPI import UE4CtrlAPI
from pyrfly.scene import Box, Scene
from pyrfly.server import Server
from pyrfly.server.links.display import DisplayLink
from pyrfly.server.links.view import PATIENCE, ViewLink

HERE = "127.0.0.1"
WALL = Scene([Box((2, 40, 40), (11, 0, 0), name="house")])  # its face at 10 m north


def pose(copter_id: int, pos=(0.0, 0.0, -5.0), vel=(0.0, 0.0, 0.0)) -> bytes:
    """Return SOut2Simulator of a vehicle."""
    head = (123456789, copter_id, 3, 0, *vel, *[0.0] * 21, 1.5)
    return struct.pack("<4i24f7d", *head, *pos, 0, 0, 0)


def command(text: bytes, length: int = 52) -> bytes:
    return struct.pack(f"<i{length}s", 1234567890, text)


def packets(box, size: int) -> list[bytes]:
    """Return the packets of a size that have come to a socket."""
    box.settimeout(0.05)
    found: list[bytes] = []
    with contextlib.suppress(TimeoutError):
        while True:
            data = box.recv(2048)
            found += [data] if len(data) == size else []
    return found


@pytest.fixture
def view(served):
    return served(ViewLink, scene=WALL)


def test_vehicles_of_the_server_get_distances_as_their_input(view):
    view.server.run(0.1)
    assert view.sim.rebound_inputs[:, :3].tolist() == [[12345, 0, 0]] * 2
    assert view.sim.rebound_inputs[0, 9] == pytest.approx(10 - 5 - 0.2927, abs=1e-3)
    assert view.sim.rebound_inputs[0, 10:15].tolist() == [100] * 5


def test_a_wall_stops_a_vehicle_that_drifts_into_it(view):
    view.sim.reset(pos=[[9, 0, -10], [0, 30, -10]], hover=True)
    view.sim.command_velocity([[0.3, 0, 0], [0, 0, 0]])
    view.server.run(10)
    assert view.sim.pos[0, 0] < 10
    assert not view.sim.crash_id.any()


def test_two_that_meet_are_told_once(served):
    world = served(ViewLink, scene=WALL, first_id=4)
    box = world.box(world.ports.of_model(4) + 1)
    world.sim.reset(pos=[[0, 0, -20], [0, 3, -20]], hover=True)
    world.server.run(0.1)
    assert not world.sim.crash_id.any()
    world.sim.pos[1] = world.sim.pos[0] + [0, 0.5, 0]
    world.server.run(0.2)
    assert world.sim.crash_id.tolist() == [5, 4]
    assert packets(box, 12) == [struct.pack("<3i", 1234567890, 4, 5)]


def test_a_vehicle_of_another_program_gets_rays_of_60_bytes(view):
    box = view.box(view.ports.of_model(9))
    view.send(view.ports.display, pose(9, (7.0, 2.0, -5.0), (1.0, 0.0, 0.0)))
    data = packets(box, 60)[-1]
    fields = struct.unpack("<2i13f", data)
    assert fields[:3] == (1234567890, 0, 0)
    assert fields[6:12] == pytest.approx([3 - 0.3, 100, 100, 100, 100, 100], abs=1e-5)
    assert fields[12:] == (7, 2, -5)


def test_a_vehicle_of_another_program_is_hit_by_one_of_the_server(view):
    box = view.box(view.ports.of_model(9))
    view.sim.reset(pos=[[0, 0, -20], [0, 30, -20]], hover=True)
    view.sim.vel[0] = [0.5, 0, 0]
    view.send(view.ports.display, pose(9, (0.2, 0.0, -20.0), (-2.0, 0.0, 0.0)))
    fields = [struct.unpack("<2i13f", data) for data in packets(box, 60)]
    hits = [one for one in fields if one[1] == 1]
    assert len(hits) == 1
    assert hits[0][2] == 1  # as heavy, as its mass is not known
    assert hits[0][3] == pytest.approx(0.5, abs=0.2)
    assert view.sim.crash_id.tolist() == [9, 0]
    assert view.sim.rebound_impulse[0, 0] < 0


def test_others_are_forgotten_when_they_go(served):
    now = [0.0]
    world = served(ViewLink, scene=WALL, clock=lambda: now[0])
    box = world.box(world.ports.of_model(9))
    world.send(world.ports.display, pose(9))
    assert packets(box, 60)
    now[0] = PATIENCE + 1
    world.server.run(0.2)
    packets(box, 60)
    world.server.run(0.2)
    assert packets(box, 60) == []


def test_reports_of_160_bytes_come_on_request(view):
    box = view.box(view.ports.display_reply)
    view.sim.reset(pos=[[9.9, 0, -10], [0, 30, -10]], hover=True)
    view.server.run(0.1)
    assert packets(box, 160) == []
    view.send(view.ports.display, command(b"RflyReqVehicleData 1"))
    found = [struct.unpack("<4id29f20s", data) for data in packets(box, 160)]
    first = next(one for one in found if one[1] == 1)
    assert first[:4] == (1234567897, 1, 3, -1)
    assert first[8:11] == pytest.approx([9.9, 0, -10], abs=0.2)
    assert first[28] == pytest.approx(10 - first[8] - 0.2927, abs=1e-3)  # the ray north
    assert first[34].rstrip(b"\0") == b"house"
    assert {one[3] for one in found if one[1] == 2} == {0}
    view.send(view.ports.display, command(b"RflyReqVehicleData 0", 252))
    packets(box, 160)
    view.server.run(0.1)
    assert packets(box, 160) == []


def test_rflysims_client_reads_the_reports(view):
    client = UE4CtrlAPI(ports=view.ports)
    client.initUE4MsgRec()
    try:
        client.sendUE4Cmd("RflyReqVehicleData 1", 0)
        view.until(lambda: client.inReqVect)
        data = client.getUE4Data(1)
        assert (data.copterID, data.CrashType) == (1, 0)
        assert data.ray[1:5] == [100] * 4
    finally:
        client.endUE4MsgRec()


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (b"", "bad_length"),
        (bytes(168), "bad_checksum"),
        (pose(9)[:-1], "bad_length"),
        (pose(1), "bad_id"),
        (pose(0), "bad_id"),
        (pose(-3), "bad_id"),
        (pose(131072), "bad_id"),
        (pose(2**31 - 1), "bad_id"),
        (pose(9, (math.nan, 0.0, 0.0)), "not_finite"),
        (pose(9, (1e9, 0.0, 0.0)), "not_finite"),
        (pose(9, vel=(math.inf, 0.0, 0.0)), "not_finite"),
        (command(b"RflyChangeMapbyName x"), "unsupported"),
        (command(b"RflyReqVehicleData"), "unsupported"),
        (command(b"RflyReqVehicleData 2"), "unsupported"),
        (command(b"\xff" * 52), "unsupported"),
        (struct.pack("<2i17d", 1234567894, 9, *[0.0] * 17), "unsupported"),
    ],
)
def test_bad_packets_are_counted_and_make_no_vehicle(view, data, count):
    box = view.box(view.ports.of_model(9))
    view.send(view.ports.display, data)
    assert view.link.stats[count] == view.link.stats["received"] == 1
    assert packets(box, 60) == []


def test_others_are_limited_in_number(view, monkeypatch):
    monkeypatch.setattr("pyrfly.server.links.view.MOST", 2)
    view.send(view.ports.display, pose(9), pose(10), pose(11), pose(9))
    assert view.link.stats["accepted"] == 3
    assert view.link.stats["bad_id"] == 1


def test_vehicles_without_the_full_model_are_refused():
    with pytest.raises(ParameterError, match="scene: it pushes none on 'sdk'"):
        ViewLink(Sim("sdk", effects="plain"), WALL)
    with pytest.raises(TypeError, match="scene: expected Scene"):
        ViewLink(Sim("sdk"), "house.toml")


def test_a_display_asks_for_reports_again_and_again(served):
    now = [0.0]
    world = served(DisplayLink, windows=1, reports=True, clock=lambda: now[0])
    box = world.box(world.ports.display)
    for _ in range(30):
        now[0] += 0.1
        world.server.run(0.01)
    expected = command(b"RflyReqVehicleData 1")
    assert packets(box, 56) == [expected] * 2


def test_a_display_asks_for_nothing_by_itself(served):
    world = served(DisplayLink, windows=1)
    box = world.box(world.ports.display)
    world.server.run(0.1)
    assert packets(box, 56) == []


def test_both_directions_together(served):
    """A server with the scene reports to another one, whose vehicles it sees."""
    world = served(ViewLink, scene=WALL)
    other = Sim("sdk", 1)
    other.reset(pos=[[8.0, 1, -5]], hover=True)
    link = DisplayLink(other, first_port=world.ports.control, first_id=9)
    model = Server(other, rate="max", first_port=world.ports.control, first_id=9, links=[link])
    try:
        for _ in range(20):
            model.run(0.02)
            world.server.run(0.02)
        assert other.rebound_inputs[0, 9] == pytest.approx(10 - other.pos[0, 0] - 0.3, abs=0.01)
    finally:
        model.close()
    assert np.isfinite(world.sim.pos).all()
