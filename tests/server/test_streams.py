"""Streams of set-points from the network: their end, and arming by their beginning."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import Command, Mode, Offboard
from pyrfly.server import OptionError, Server
from pyrfly.server.streams import Streams, lapsed

from .packets import short, sil, target

TIMEOUT = 0.5
ARM, POSITION, VELOCITY, ATTITUDE, ACCELERATION = 9, 2, 0, 4, 6


@pytest.fixture(scope="module")
def hovering_state():
    """Return the snapshot of a vehicle that has taken off and hovers at 5 m."""
    sim = Sim("sdk", threads=1)
    sim.enable_synthesis()
    sim.command_sil(*synthesis.take_off(0, 0, -5, armed=True))
    sim.step(10_000)
    assert sim.navigator_mode[0] == Mode.POSITION
    return sim.snapshot()


@pytest.fixture
def world(first_port, sender_to, hovering_state):
    """Return a function that makes a server of a vehicle that hovers, and its sender."""
    opened = []

    def make(hovering: bool = True, **options):
        sim = Sim("sdk", threads=1)
        first = first_port()
        server = Server(sim, **{"rate": "max", "first_port": first, **options})
        opened.append(server)
        if hovering:
            sim.restore(hovering_state)
        return sim, server, sender_to(first)

    yield make
    for server in opened:
        server.close()


@pytest.mark.parametrize(
    "packet",
    [
        short(VELOCITY, 2, 1, 0, 0.3),
        short(1, 2, 0, -0.5, 0),
        short(ACCELERATION, 1, 0, 0, 0),
        short(ATTITUDE, 0.1, 0.1, 0, 0.62),
        short(13, 2, -8, 1, 0),
        target(128, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0.62, 1),
        sil(0, int(Offboard.VELOCITY), floats=[0, 0, 0, 2, 0, 0]),
        sil(0, 0, floats=[0, 0, 0, 1800, 1500, 1600]),  # sticks
    ],
)
@pytest.mark.slow
def test_motion_lapses_to_position_hold(world, packet):
    sim, server, sender = world(timeouts={"setpoints": TIMEOUT})
    for _ in range(20):
        sender.send(packet)
        server.run(0.1)
    assert np.linalg.norm(sim.vel[0]) > 0.25 or abs(sim.rate[0, 2]) > 0.2
    assert server.stats["lapsed"] == 0
    server.run(8)
    assert server.stats["lapsed"] == 1
    np.testing.assert_allclose(sim.vel[0], 0, atol=0.02)
    np.testing.assert_allclose(sim.rate[0], 0, atol=0.02)
    place = sim.pos[0].copy()
    server.run(2)
    np.testing.assert_allclose(sim.pos[0], place, atol=0.02)


def test_a_position_target_stays(world):
    sim, server, sender = world(timeouts={"setpoints": TIMEOUT})
    sender.send(short(POSITION, 3, -2, -6, 1.0))
    server.run(7)
    np.testing.assert_allclose(sim.pos[0], (3, -2, -6), atol=0.05)
    assert sim.euler[0, 2] == pytest.approx(1.0, abs=0.02)


def test_it_lapses_after_the_time_and_not_before(world):
    sim, server, sender = world(timeouts={"setpoints": 1.2})
    for _ in range(3):
        sender.send(short(VELOCITY, 1, 0, 0, 0))
        server.run(1.1)
        assert sim.sil_ints[0, 1] & Offboard.VELOCITY
    server.run(0.12)
    assert not sim.sil_ints[0, 1] & Offboard.VELOCITY


@pytest.mark.parametrize(
    ("options", "timeout"),
    [
        ({"rate": "real"}, 0.5),
        ({"rate": 4}, 2.0),
        ({"rate": 0.1}, 0.5),
        ({"rate": "max"}, math.inf),
        ({"rate": "real", "timeouts": {"setpoints": 0}}, math.inf),
        ({"rate": "max", "timeouts": {"setpoints": 3}}, 3.0),
    ],
)
def test_the_time_is_that_of_the_client_unless_it_is_given(world, options, timeout):
    _, server, _ = world(hovering=False, **options)
    assert server.rflysim.timeout == timeout


@pytest.mark.parametrize("timeout", [-1, math.nan, math.inf])
def test_times_that_cannot_be_are_errors(timeout, first_port):
    with pytest.raises(OptionError, match="timeouts: setpoints: expected"):
        Server(Sim("sdk"), timeouts={"setpoints": timeout}, first_port=first_port())


@pytest.mark.parametrize("before", [[], [short(VELOCITY, 1, 0, 0, 0)]])
def test_a_command_with_set_points_is_no_stream(world, before):
    """Inputs of a model hold their values, also after a stream that came before."""
    sim, server, sender = world(timeouts={"setpoints": TIMEOUT})
    for packet in before:
        sender.send(packet)
        server.run(0.1)
    word = int(synthesis.BASE | Command.ARMED)
    sender.send(sil(word, int(Offboard.VELOCITY), floats=[0, 0, 0, 0, 1, 0]))
    server.run(4)
    assert sim.vel[0, 1] == pytest.approx(1.0, abs=0.05)


# --- arming


@pytest.mark.parametrize(
    ("packet", "options"),
    [
        (short(POSITION, 0, 0, -4, 0), {}),
        (short(VELOCITY, 0, 0, -1, 0), {"timeouts": {"setpoints": TIMEOUT}}),
        (short(VELOCITY, 0, 0, -1, 0), {"timeouts": {"setpoints": 0}}),
    ],
)
def test_the_first_set_point_arms(world, packet, options):
    sim, server, sender = world(hovering=False, **options)
    for _ in range(30):
        sender.send(packet)
        server.run(0.1)
    assert sim.armed[0]
    assert sim.pos[0, 2] < -1


@pytest.mark.parametrize("options", [{}, {"timeouts": {"setpoints": TIMEOUT}}])
@pytest.mark.parametrize("rewind", ["reset", "restore"])
def test_it_arms_after_time_has_been_turned_back(world, rewind, options):
    sim, server, sender = world(hovering=False, **options)
    start = sim.snapshot()
    for _ in range(2):
        sender.send(short(POSITION, 0, 0, -4, 0))
        server.run(0.5)
        assert sim.armed[0]
        if rewind == "reset":
            sim.reset()
        else:
            sim.restore(start)
        assert not sim.armed[0]
        server.run(0.02)


def test_it_does_not_if_so_set(world):
    sim, server, sender = world(hovering=False, setpoints_arm=False)
    sender.send(short(POSITION, 0, 0, -4, 0))
    server.run(1)
    assert not sim.armed[0]


@pytest.mark.parametrize(
    "packet", [short(-1, 0, 0, 0, 0), short(10, 5, 0, 0, 0), short(11, 0, 0, -5, 0), target(0xFFF)]
)
def test_what_is_no_set_point_does_not(world, packet):
    sim, server, sender = world(hovering=False, timeouts={"setpoints": TIMEOUT})
    sender.send(packet)
    server.run(1)
    assert not sim.armed[0]


def test_a_disarmed_vehicle_stays_so_until_another_stream_begins(world):
    sim, server, sender = world(hovering=False, timeouts={"setpoints": TIMEOUT})
    stream = short(POSITION, 0, 0, 0, 0)
    for repeated in range(20):
        sender.send(stream)
        if repeated == 10:
            assert sim.armed[0]
            sender.send(short(ARM, 0, 0, 0, 0))
        server.run(0.1)
    assert not sim.armed[0]
    server.run(TIMEOUT)
    sender.send(stream)
    server.run(0.1)
    assert sim.armed[0]


@pytest.mark.slow
def test_a_set_point_does_not_end_a_landing_nor_arm_after_it(world):
    sim, server, sender = world(timeouts={"setpoints": TIMEOUT})
    sender.send(sil(int(synthesis.command_word(True, Command.LAND)[0])))
    for _ in range(120):
        sender.send(short(POSITION, 0, 0, -5, 0))
        server.run(0.1)
    assert not sim.armed[0]
    assert sim.pos[0, 2] > -0.1


def test_arming_and_take_off_in_one_tick_take_off(world):
    sim, server, sender = world(hovering=False)
    sender.send(short(ARM, 1, 0, 0, 0))
    sender.send(short(11, 0, 0, -3, 0))
    server.run(5)
    assert sim.pos[0, 2] == pytest.approx(-3, abs=0.1)


ORDERS = [("take-off, stream", -2.0), ("stream, take-off", -5.0), ("take-off, inputs", -5.0)]


@pytest.mark.parametrize(("order", "height"), ORDERS, ids=[order for order, _ in ORDERS])
def test_the_beginning_of_a_stream_of_the_20100_series_ends_a_take_off(world, order, height):
    """As PX4's change to offboard; a stream that was there before the take-off does not."""
    sim, server, sender = world(hovering=False, timeouts={"setpoints": TIMEOUT})
    inputs = sil(0, int(Offboard.POSITION), floats=[0, 0, -2])
    packet = inputs if order == "take-off, inputs" else short(POSITION, 0, 0, -2, 0)
    if order == "stream, take-off":
        sender.send(packet)
        server.run(0.1)
    sender.send(short(ARM, 1, 0, 0, 0))
    sender.send(short(11, 0, 0, -5, 0))
    highest = 0.0
    for _ in range(80):
        server.run(0.1)
        sender.send(packet)
        highest = min(highest, sim.pos[0, 2])
    assert highest == pytest.approx(height, abs=0.6)
    assert sim.pos[0, 2] == pytest.approx(-2, abs=0.1)


def test_a_message_without_a_set_point_begins_a_stream_and_arms_nobody(world):
    sim, server, sender = world(hovering=False, timeouts={"setpoints": TIMEOUT})
    sender.send(short(11, 0, 0, -8, 0))
    for _ in range(5):
        sender.send(target(4095))
        server.run(0.1)
    sender.send(short(POSITION, 0, 0, -3, 0))
    server.run(0.1)
    assert sim.navigator_mode[0] == Mode.STANDBY
    assert not sim.armed[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("packet", "count"),
    [
        (short(ATTITUDE, 0, 0, 0, 1.5), 1),
        (short(ATTITUDE, 0, 0, 0, -0.1), 1),
        (short(ATTITUDE, 0, 0, 0, 1.0), 0),
        (target(7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1.2, 1), 1),
        (target(7, 0, 0, 0, 0, 0, 0, 0, 0, 0, -5, 1), 0),  # a height
        (sil(0, int(Offboard.ATTITUDE | Offboard.THRUST), floats=[0] * 15 + [2]), 1),
        (short(POSITION, 2e6, 0, -8, 0), 1),
        (short(POSITION, 9e5, math.nan, -8, 0), 0),
        (sil(0, int(Offboard.POSITION | Offboard.GLOBAL), floats=[0, 0, 60]), 1),
        (sil(0, int(Offboard.POSITION | Offboard.GLOBAL), floats=[41, 116, 60]), 0),
        (
            sil(
                *(0, int(Offboard.POSITION | Offboard.GLOBAL | Offboard.INTEGER_POSITION)),
                *(0, 0, 0, 0, -400_000_000, 1_160_000_000),
                floats=[41, 116, 60],
            ),
            1,
        ),
        (short(12, -40, 116, 60, 0), 1),  # a take-off
    ],
)
def test_numbers_beyond_their_range_are_limited_and_counted(world, packet, count):
    sim, server, sender = world()
    sender.send(packet)
    server.run(0.1)
    assert server.stats["accepted"] == 1
    assert server.stats["limited"] == count
    assert 0 <= sim.thrust_sp[0] <= 1
    assert np.abs(sim.pos_sp[0]).max() <= 1e6


# --- by themselves


def test_a_stream_ends_once() -> None:
    streams = Streams(3, 0.5)
    streams.set_points(np.array([1, 3]), 1.0)
    assert streams.ended(1.4).tolist() == []
    streams.set_points(np.array([3]), 1.3)
    assert streams.ended(1.5).tolist() == [1]
    assert streams.ended(1.6).tolist() == []
    assert streams.begins(np.array([1, 2, 3]), 1.6).tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("bits", "left"),
    [
        (Offboard.VELOCITY | Offboard.YAW_RATE | Offboard.LOCAL, 0),
        (Offboard.POSITION | Offboard.YAW | Offboard.LOCAL, None),
        (Offboard.POSITION | Offboard.FRD, None),
        (Offboard.POSITION | Offboard.VELOCITY | Offboard.YAW_RATE, Offboard.POSITION),
        (Offboard.ATTITUDE | Offboard.POSITION | Offboard.LOCAL, 0),
        (Offboard.ROLL_RATE | Offboard.THRUST, 0),
        (Offboard.YAW, 0),
    ],
)
def test_what_is_left_of_set_points(bits: int, left: int | None) -> None:
    inputs = synthesis.inputs(1)
    inputs.ints[0, 1] = bits
    inputs.floats[:] = 1.0
    ints, floats = lapsed(inputs)
    assert ints[0, 1] == (bits if left is None else left)
    assert floats[0, :3].tolist() == [1, 1, 1]


@pytest.mark.realtime
def test_in_real_time(world):
    sim, server, sender = world(hovering=False, rate="real")
    with server:
        for _ in range(100):
            sender.send(short(VELOCITY, 0, 0, -1, 0))
            time.sleep(0.02)
        assert server.stats["lapsed"] == 0
        time.sleep(1.5)
        assert server.stats["lapsed"] == 1
        with server.lock:
            assert abs(sim.vel[0, 2]) < 0.3
