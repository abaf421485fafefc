"""RflySim's collision inputs over UDP: what they do, and how clients are told."""

from __future__ import annotations

import contextlib
import random
import struct

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.autopilot.truth import carried_truth
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.server import Server
from pyrfly.server.orders import CollisionInputs


def hit(by: int, copter_id: int = -1) -> bytes:
    """Return Ue4Coll20d: a hit of what stands."""
    return struct.pack("<2i20f", 1234567880, copter_id, 12345, by, *[0.0] * 18)


def rays(copter_id: int, ray=(9.0,) * 6) -> bytes:
    return struct.pack("<2i13f", 1234567890, copter_id, 1.0, 0, 0, 0, *ray, 0, 0, 0)


def waiting(box) -> list[bytes]:
    """Return the packets that have come to a socket."""
    found: list[bytes] = []
    box.settimeout(0.05)
    with contextlib.suppress(TimeoutError):
        while True:
            found.append(box.recv(2048))
    return found


@pytest.mark.parametrize("packet", [hit(7), rays(7)])
def test_a_hit_is_told_once_on_the_port_of_the_truth(served, packet):
    world = served(None, first_id=3)
    box = world.box(world.ports.of_model(4) + 1)  # of CopterID 4
    for _ in range(3):
        world.send(world.ports.of_model(4), packet)
    crashes = [data for data in waiting(box) if len(data) == 12]
    assert crashes == [struct.pack("<3i", 1234567890, 4, 7)]
    assert world.sim.crash_id.tolist() == [0, 7]


def test_the_simple_mode_has_a_notice_of_52_bytes(served):
    world = served(None, mode="udp_simple")
    box = world.box(world.ports.control + 1)
    world.send(world.ports.model, hit(9))
    notices = [data for data in waiting(box) if data[:4] == struct.pack("<i", 1234567892)]
    assert notices == [struct.pack("<4i9f", 1234567892, 0, 9, 0, *[0.0] * 9)]


def test_the_full_mode_has_the_id_in_one_state(served):
    world = served(None)
    box = world.box(world.ports.control + 1)
    world.send(world.ports.model, hit(9))
    heads = [struct.unpack_from("<2i", data) for data in waiting(box) if len(data) == 120]
    assert heads.count((9, 112)) == 1
    assert heads.count((-1, 112)) == len(heads) - 1


@pytest.mark.parametrize("mode", ["udp_full", "udp_simple"])
def test_a_controller_knows_what_its_vehicle_has_hit(served, mode):
    world = served(None, mode=mode)
    mav = PX4MavCtrler(1, first_port=world.ports.control)
    mav.InitMavLoop(["udp_full", "udp_simple"].index(mode))
    try:
        world.until(lambda: mav.connected)
        assert (mav.isVehicleCrash, mav.isVehicleCrashID) == (False, -10)
        world.send(world.ports.model, hit(5))
        world.until(lambda: mav.isVehicleCrash)
        assert mav.isVehicleCrashID == 5
    finally:
        mav.endMavLoop()


def test_a_controller_of_mavlink_knows_it_by_the_truth(served):
    world = served(None, mode="mavlink_full")
    mav = PX4MavCtrler(1, first_port=world.ports.control)
    mav.InitTrueDataLoop()
    try:
        world.until(lambda: mav.trueTimeStmp)
        world.send(world.ports.model, hit(5))
        world.until(lambda: mav.isVehicleCrash)
        assert mav.isVehicleCrashID == 5
    finally:
        mav.EndTrueDataLoop()


def test_the_truth_that_mavlink_carries_names_it_for_half_a_second():
    sim = Sim("x450", 3)
    sim.rebound.put([12345, 5, *[0] * 18], ids=2)
    sim.sleep(0.1)
    known = np.array([True, True, False])
    found = carried_truth(sim, 0, known)
    assert found["mode"].tolist() == [0, 2, 0]
    assert found["controls"][:, 15].tolist() == [1, 5, 0]
    sim.sleep(0.5)
    assert carried_truth(sim, 0, known)["mode"].tolist() == [0, 0, 0]


def test_after_a_reset_the_next_hit_is_told_again(served):
    world = served(None)
    box = world.box(world.ports.model + 1)
    world.send(world.ports.model, hit(9))
    world.sim.reset(ids=1)
    world.server.run(0.05)
    world.send(world.ports.model, hit(9))
    assert sum(len(data) == 12 for data in waiting(box)) == 2


def test_distances_after_a_hit_in_one_tick_do_not_hide_it(served):
    world = served(None)
    world.send(world.ports.model, *[rays(0)] * 3, hit(6), *[rays(1, (2.0,) * 6)] * 3)
    assert world.sim.crash_id[0] == 6
    assert world.sim.rebound_inputs[0, 9:15].tolist() == [2] * 6


def test_vehicles_without_the_full_model_refuse_them(first_port):
    sim = Sim("sdk", effects="plain")
    server = Server(sim, rate="max", first_port=first_port(1))
    try:
        server.rflysim.act(CollisionInputs(np.array([1]), np.ones((1, 20))))
        assert server.stats["refused"] == 1
    finally:
        server.close()


def test_random_bytes_of_these_lengths_never_harm_a_vehicle(served):
    """Of both packets, with the right checksum: finite numbers or none at all."""
    world, dice = served(None), random.Random(31)
    for length, checksum in ((60, 1234567890), (88, 1234567880)):
        for size in (*[length] * 40, 0, 3, length - 1, length + 1):
            data = (struct.pack("<i", checksum) + dice.randbytes(length))[:size]
            world.out.sendto(data.ljust(size, b"\0"), ("127.0.0.1", world.ports.model))
    world.server.run(0.5)
    assert not world.sim.status.any()
    assert world.server.rflysim.stats["received"] == 88
    world.sim.enable_part("rebound")
    assert abs(world.sim.rebound_inputs).max() <= 1e6
