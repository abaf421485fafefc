"""Topics of a PX4 with a module of the user's: ports 40100 and 40101."""

from __future__ import annotations

import math
import struct
import warnings

import pytest
from pymavlink.dialects.v20 import common

from pyrfly.ctrl import PX4MavCtrler
from pyrfly.server.budget import Budget
from pyrfly.server.links.topics import TopicLink

EIGHT = [float(number) for number in range(1, 9)]


def rfly_ctrl(copter_id: int, values=range(1, 17), mode: int = 1) -> bytes:
    return struct.pack("<2i2I16f", 1234567896, copter_id, mode, 1, *values)


def target(values=EIGHT) -> bytes:
    link = common.MAVLink(None, srcSystem=1)
    return common.MAVLink_actuator_control_target_message(5, 0, values).pack(link)


def topic(world) -> list[list[float]]:
    return world.sim.autopilot_inputs[:, 24:].tolist()


def port_of(world, copter_id: int) -> int:
    return world.ports.topic + 2 * (copter_id - 1)


@pytest.fixture
def world(served):
    return served(TopicLink)


def test_what_px4_would_publish_is_an_input_of_the_model(world):
    world.send(port_of(world, 2), rfly_ctrl(2))
    assert topic(world) == [[0] * 8, EIGHT]
    assert not world.sim.autopilot_inputs[:, 6:24].any()
    assert world.server.rflysim.topics[1, 0].tolist() == list(range(1, 17))


def test_rflysims_client_sends_it_to_the_inputs_of_the_model(served):
    world = served(first_id=2)
    world.send(world.ports.of_model(3), rfly_ctrl(3), rfly_ctrl(3, mode=201))
    assert topic(world) == [[0] * 8, EIGHT]
    assert world.server.rflysim.topics[1, :, 0].tolist() == [1, 0, 1]


def test_mavlinks_message_for_it_is_taken(world):
    world.send(port_of(world, 1), target())
    assert topic(world) == [EIGHT, [0] * 8]
    stats = world.link.stats.vehicle(1)
    assert (stats["received"], stats["accepted"]) == (1, 1)


def test_frames_for_which_there_is_no_time_wait(world):
    world.out.sendto(19 * target() + target(EIGHT[::-1]), ("127.0.0.1", port_of(world, 1)))
    without_time = Budget(0.01)
    for _ in range(3):
        world.link.take(without_time)
    assert world.link.stats["received"] == 3
    world.server.run(0.05)
    assert world.link.stats["received"] == 20
    assert topic(world) == [EIGHT[::-1], [0] * 8]


def test_other_messages_and_numbers_are_counted(world):
    beat = common.MAVLink_heartbeat_message(6, 8, 0, 0, 0, 3).pack(common.MAVLink(None))
    bad = target([math.nan, *EIGHT[1:]])
    world.send(port_of(world, 1), beat, bad, rfly_ctrl(2), rfly_ctrl(1, mode=7), b"abc")
    stats = world.link.stats.vehicle(1)
    names = ("unsupported", "not_finite", "bad_id", "unknown", "bad_length")
    assert [stats[name] for name in names] == [1] * 5
    assert stats["received"] == 5


def test_a_signaling_nan_is_no_warning(world):
    """NumPy warns when it converts one."""
    frame = bytearray(target())
    frame[18:22] = bytes.fromhex("0100807f")  # the first of the numbers
    crc = common.x25crc(bytes(frame[1:-2]) + bytes([181])).crc
    frame[-2:] = crc.to_bytes(2, "little")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        world.send(port_of(world, 1), bytes(frame))
    assert world.link.stats["not_finite"] == 1


def test_it_is_sent_from_when_there_is_one(world):
    box = world.box(port_of(world, 2) + 1)
    world.server.run(0.1)
    world.send(port_of(world, 2), rfly_ctrl(2))
    found = struct.unpack("<2id8f", box.recv(2048))
    assert found[:2] == (1234567898, 2)
    assert found[2] == pytest.approx(0.1, abs=0.06)
    assert found[3:] == tuple(EIGHT)
    world.sim.autopilot_inputs[1, 24:] = 0
    while any(struct.unpack("<2id8f", box.recv(2048))[3:]):
        world.server.run(0.02)
    assert world.link.stats.vehicle(1)["sent"] == 0


def test_a_controller_gets_it(world):
    mav = PX4MavCtrler(1, first_port=world.ports.control)
    mav.InitMavLoop(0)
    mav.InitTrueDataLoop()
    try:
        mav.sendPX4UorbRflyCtrl(list(range(1, 17)))
        world.until(lambda: mav.px4ext.controls == EIGHT)
        assert (mav.px4ext.checksum, mav.px4ext.CopterID) == (1234567898, 1)
    finally:
        mav.EndTrueDataLoop()
        mav.endMavLoop()
