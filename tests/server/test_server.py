"""The loop of the server, stepped deterministically: what waits at its ports when it runs."""

import math
import socket
import struct
import threading
import time
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.server import OptionError, Server, serve
from pyrfly.terrain import TerrainMap

from .packets import restart, short, sil


class Sender:
    """Sends packets to the vehicles of a server."""

    def __init__(self, first_port: int) -> None:
        self.first_port = first_port
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def command(self, packet: bytes, copter_id: int = 1) -> None:
        self.socket.sendto(packet, ("127.0.0.1", self.first_port + 2 * (copter_id - 1)))

    def inputs(self, packet: bytes, copter_id: int = 1) -> None:
        self.socket.sendto(packet, ("127.0.0.1", self.first_port + 9998 + 2 * copter_id))


@pytest.fixture
def world(first_port):
    """Return a function that makes a server as fast as possible, and a sender to it."""
    opened = []

    def make(sim: Sim, **options) -> tuple[Server, Sender]:
        first = first_port(sim.n)
        server = serve(sim, **{"rate": "max", "first_port": first, **options})
        sender = Sender(first)
        opened.extend([server, sender.socket])
        return server, sender

    yield make
    for thing in opened:
        thing.close()


def apart(n: int, **options) -> Sim:
    """Return vehicles that stand 2 m from one another."""
    sim = Sim("sdk", n, **options)
    sim.enable_synthesis()
    sim.reset(pos=[(0, 2 * row, 0) for row in range(n)])
    return sim


def test_packets_of_one_vehicle_are_executed_in_their_order(world):
    sim = apart(2)
    server, sender = world(sim)
    for number in (1, 0, 1):
        sender.command(short(9, number, 0, 0, 0), 1)
    for number in (1, 0):
        sender.command(short(9, number, 0, 0, 0), 2)
    server.run(0.01)
    assert sim.armed.tolist() == [1, 0]
    assert dict(server.stats)["accepted"] == 5


def test_the_last_of_several_setpoints_counts(world):
    """Also when a command, or another kind of set-point, comes between."""
    sim = apart(3)
    server, sender = world(sim)
    east = struct.pack("<2i4I16f32x", 3, 80, 0, 1, 7 << 3 | 7 << 6, 1, 0, 9, -5, *[0.0] * 13)
    sender.command(short(2, 1, 1, -5, 0), 1)
    sender.command(short(0, 2, 0, 0, 0), 1)
    sender.command(east, 1)
    sender.command(short(9, 1, 0, 0, 0), 1)
    sender.command(short(2, 1, 1, -5, 0), 1)
    for number in range(5):
        sender.command(short(2, number, 1, -5, 0), 2)
    sender.command(short(2, 3, 3, math.inf, 0), 2)
    server.run(0.02)  # more packets than of one tick
    assert sim.sil_floats[:2, :3].tolist() == [[1, 1, -5], [4, 1, -5]]
    assert sim.sil_ints[0, 1] == sim.sil_ints[1, 1] != 0
    assert server.stats.vehicle(2)["accepted"] == 5


@pytest.mark.slow
def test_a_vehicle_flies_to_its_target(world):
    sim = apart(3)
    server, sender = world(sim)
    sender.command(short(9, 1, 0, 0, 0), 2)
    sender.command(short(11, 0, 0, -5, 0), 2)
    server.run(7)
    np.testing.assert_allclose(sim.pos[1], (0, 2, -5), atol=0.05)
    sender.command(short(2, 3, -4, -6, 0), 2)
    server.run(8)
    np.testing.assert_allclose(sim.pos[1], (3, -2, -6), atol=0.05)
    np.testing.assert_allclose(sim.pos[[0, 2], 2], 0, atol=0.02)
    sender.inputs(sil(1 | 2 | 4 | 1 << 10, copter_id=2), 2)
    server.run(20)
    assert not sim.armed.any()
    np.testing.assert_allclose(sim.pos[1], (3, -2, 0), atol=0.1)


@pytest.mark.slow
def test_a_gps_take_off_is_to_a_geodetic_position(world):
    sim = Sim("sdk")
    server, sender = world(sim)
    lat, lon, alt = sim.local_frame.to_lla((8.0, 4.0, -6.0))
    sender.command(short(9, 1, 0, 0, 0))
    sender.command(short(12, lat, lon, alt, 0))
    server.run(14)
    # A latitude as float32 has steps of 0.4 m, a longitude of 0.8 m.
    np.testing.assert_allclose(sim.pos[0], (8, 4, -6), atol=1.0)


def test_other_actions_reach_their_columns(world):
    sim = Sim({"sdk": 2, "x450": 2})
    server, sender = world(sim)
    limits = sim.speed_limit.copy()
    sender.command(short(10, 3.5, 0, 0, 0), 3)
    sender.inputs(struct.pack("<2i20f", 1234567881, 2, -1.5, *[0.0] * 19), 2)
    packet = struct.pack("<2i28d", 1234567804, 4, *range(28))
    sender.inputs(packet, 4)
    server.run(0.01)
    limits[2] = 3.5
    np.testing.assert_array_equal(sim.speed_limit, limits)
    assert sim.terrain.tolist() == [0, -1.5, 0, 0]
    np.testing.assert_allclose(sim.pos[:, 2], [0, -1.5, 0, 0], atol=1e-6)  # stands on it
    assert server.rflysim.extension[3, 3].tolist() == list(range(28))
    assert np.count_nonzero(server.rflysim.extension) == 27


def test_a_restart_restores_the_speed_limit_of_the_start(world):
    sim = Sim({"sdk": 2, "x450": 1})
    limits = sim.speed_limit.copy()
    server, sender = world(sim)
    for number in (1, 2, 3):
        sender.command(short(10, 0.5, 0, 0, 0), number)
    server.run(0.01)
    assert sim.speed_limit.tolist() == [0.5] * 3
    for number in (2, 3):
        sender.command(restart(), number)
    server.run(0.01)
    assert sim.speed_limit.tolist() == [0.5, *limits[1:]]


def test_a_restart_resets_a_vehicle_to_its_start(world):
    sim = apart(2)
    sim.reset(pos=(5, 6, 0), yaw=1.0, ids=2)
    server, sender = world(sim)
    for copter_id in (1, 2):
        sender.command(short(9, 1, 0, 0, 0), copter_id)
        sender.command(short(2, 3, 3, -4, 0), copter_id)
    server.run(4)
    assert (sim.pos[:, 2] < -2).all()
    sender.command(restart(), 2)
    server.run(0.1)
    np.testing.assert_allclose(sim.pos[1], (5, 6, 0), atol=0.01)
    assert sim.euler[1, 2] == pytest.approx(1.0, abs=1e-3)
    assert sim.armed.tolist() == [1, 0]
    assert sim.pos[0, 2] < -2
    assert sim.time == pytest.approx(4.1)


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_stream_that_goes_on_over_a_restart_does_not_arm_again(world, goes_on):
    """Only the first set-point of a stream arms; the next stream does again."""
    sim = apart(1)
    server, sender = world(sim, timeouts={"setpoints": 0.5})

    def stream(seconds):
        for _ in range(round(seconds / 0.1)):
            sender.command(short(2, 0, 0, -3, 0))
            server.run(0.1)

    stream(2)
    assert sim.armed[0] == 1
    sender.command(restart())
    server.run(0.1 if goes_on else 0.6)
    assert sim.armed[0] == 0
    stream(1)
    assert sim.armed[0] == (0 if goes_on else 1)


def test_on_a_terrain_map_it_stands_on_the_ground_of_its_start(world):
    sim = apart(2)
    sim.environment.set_terrain(TerrainMap([[0, 0], [40, 40]], 100))  # 0.4 to the north
    sim.reset(pos=[[10, 0], [-10, 0]])
    server, sender = world(sim)
    sim.reset(pos=[-30, 0], ids=2)  # elsewhere; the height of the start is another one
    sim.home[1] = (-20, 5, 0)
    packet = struct.pack("<2i20f", 1234567881, 2, -99.0, *[0.0] * 19)
    sender.inputs(packet, 2)  # ground 99 m high
    server.run(0.1)
    assert sim.pos[1, 2] == pytest.approx(-8, abs=0.01)
    sender.command(restart(), 2)
    server.run(0.1)
    np.testing.assert_allclose(sim.pos, [(10, 0, -24), (-20, 5, -12)], atol=0.01)


def test_a_vehicle_rides_on_a_moving_object(world):
    """Elements 7 to 10 of TerrainIn15d: it moves, velocity north and east, yaw."""
    sim = apart(2)
    start = sim.pos.copy()
    server, sender = world(sim)
    for k in range(51):
        floats = [0.0] * 6 + [1.0, 2.0, -1.0, 0.02 * k]
        sender.inputs(struct.pack("<2i20f", 1234567881, 2, *floats, *[0.0] * 10), 2)
        server.run(0.05)
        if k == 20:  # it rides already
            at, time, yaw = sim.pos[1].copy(), sim.time, sim.euler[1, 2]
    seconds = sim.time - time
    np.testing.assert_allclose(sim.pos[1] - at, np.array([2, -1, 0]) * seconds, atol=1e-3)
    assert sim.euler[1, 2] - yaw == pytest.approx(0.4 * seconds, abs=0.02)
    np.testing.assert_array_equal(sim.pos[0], start[0])
    sender.command(restart(), 2)
    server.run(0.1)
    assert not sim.terrain_velocity.any()
    assert not sim.terrain_yaw_rate.any()
    np.testing.assert_allclose(sim.pos[1], start[1], atol=1e-3)


@pytest.mark.parametrize("height", [-1000.0, 2000.0])
@pytest.mark.slow
def test_no_terrain_disables_a_vehicle_for_good(world, height):
    sim = apart(3)
    sim.terrain = -5.0
    sim.reset(pos=(5, 6, -5), ids=2)
    server, sender = world(sim)
    sender.command(short(9, 1, 0, 0, 0), 3)
    sender.command(short(2, 0, 0, -8, 0), 3)
    server.run(8)
    for copter_id in (2, 3):  # one stands, one flies
        sender.inputs(struct.pack("<2i20f", 1234567881, copter_id, height, *[0.0] * 19), copter_id)
    server.run(2)
    assert sim.pos[1, 2] == pytest.approx(height, abs=0.01)
    assert abs(sim.vel[:, 2]).max() < 3
    for copter_id in (2, 3):
        sender.command(restart(), copter_id)
    server.run(0.1)
    assert sim.check().ok
    assert sim.terrain.tolist() == [-5, -5, -5]
    np.testing.assert_allclose(sim.pos[1], (5, 6, -5), atol=0.01)
    assert sim.pos[2, 2] == pytest.approx(-5, abs=0.01)
    for copter_id in (2, 3):
        sender.command(short(9, 1, 0, 0, 0), copter_id)
        sender.command(short(2, 0, 0, -4, 0), copter_id)
    server.run(5)
    np.testing.assert_allclose(sim.pos[1:, 2], -9, atol=0.1)


BAD = [
    ("bad_length", "command", b""),
    ("bad_length", "command", short(9, 1, 0, 0, 0) + b"\0"),
    ("bad_length", "inputs", bytes(3000)),
    ("bad_checksum", "command", struct.pack("<2i4f", 1234567891, 9, 1, 0, 0, 0)),
    ("bad_checksum", "command", struct.pack("<2i4I16f32x", 3, 81, 0, 1, 0, 1, *[1.0] * 16)),
    ("bad_checksum", "inputs", sil(7, 1)[4:] + bytes(4)),
    ("bad_id", "command", struct.pack("<2i4I16f32x", 3, 80, 0, 2, 0, 1, *[1.0] * 16)),
    ("bad_id", "inputs", sil(7, 1, floats=[1, 1, -5], copter_id=2)),
    ("not_finite", "command", short(9, math.nan, 0, 0, 0)),
    ("not_finite", "command", short(4, 0, 0, 0, math.nan)),
    ("not_finite", "inputs", sil(123451, floats=[math.nan])),
    ("not_finite", "command", struct.pack("<2i4I16f32x", 3, 80, 0, 1, 0, 1, *[math.inf] * 16)),
    ("not_finite", "inputs", sil(7, 1, floats=[math.nan, 1, -5])),
    ("not_finite", "inputs", struct.pack("<2i28d", 1234567897, 1, *[math.nan] * 28)),
    ("unknown", "command", short(99, 1, 0, 0, 0)),
    ("unknown", "command", struct.pack("<2i4I16f32x", 3, 80, 0, 1, 0, 99, *[1.0] * 16)),
    ("unsupported", "inputs", struct.pack("<4H4B6f", 12345, 7, 30, *[0] * 5, *[1.0] * 6)),
]


@pytest.mark.parametrize(("reason", "port", "packet"), BAD)
def test_bad_packets_are_counted_and_change_nothing(reason, port, packet, world):
    sims = [apart(2), apart(2)]
    for sim in sims:
        sim.arm()
        sim.command_position([[0, 0, -3], [0, 2, -3]])
    server, sender = world(sims[0])
    getattr(sender, port)(packet)
    server.run(0.5)
    sims[1].step(500)
    assert sims[0].hash() == sims[1].hash()
    counts = {name: n for name, n in server.stats.vehicle(1).items() if n and name != "sent"}
    assert counts == {"received": 1, reason: 1}
    assert server.stats.vehicle(2)["received"] == 0


@pytest.mark.parametrize(
    ("mode", "state_size", "per_second", "truth"),
    [("udp_full", 120, 100, 100), ("udp_simple", 52, 31, 30)],
)
def test_what_goes_out_and_how_often(mode, state_size, per_second, truth, world):
    sim = Sim("sdk")
    server, sender = world(sim, mode=mode)
    ears = []
    for port in (sender.first_port + 1, sender.first_port + 10001):
        ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        ear.bind(("127.0.0.1", port))
        ear.setblocking(False)
        ears.append(ear)
    server.run(1)
    heard = []
    for ear in ears:
        sizes = []
        try:
            while True:
                sizes.append(len(ear.recv(1000)))
        except BlockingIOError:
            heard.append(sizes)
            ear.close()
    assert heard[0] == [state_size] * per_second
    assert heard[1].count(168) == truth
    assert heard[1].count(264) == 10
    assert len(heard[1]) == truth + 10
    assert server.stats["sent"] == per_second + truth + 10


def test_30_hz_are_the_ticks_nearest_to_it(world):
    """Truth at 30 Hz in udp_simple: the time stamps are the nearest multiples of 10 ms."""
    sim = Sim("sdk")
    server, sender = world(sim, mode="udp_simple")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind(("127.0.0.1", sender.first_port + 10001))
        server.run(1)
        ear.setblocking(False)
        times = []
        while len(times) < 30:
            packet = ear.recv(1000)
            if len(packet) == 168:
                times.append(struct.unpack("<4i24f7d", packet)[28])
    np.testing.assert_allclose(times, np.round(np.arange(1, 31) / 30, 2), atol=1e-9)


def test_a_tick_is_at_least_one_step(world):
    sim = Sim("sdk", dt=0.002)
    server, _ = world(sim)
    server.run(0.1)
    assert sim.time == pytest.approx(0.1)
    assert server.time == pytest.approx(0.1)


def test_a_packet_of_no_message_is_counted(world):
    sim = Sim("sdk")
    server, sender = world(sim)
    sender.command(b"?")
    server.run(0.01)
    assert server.stats["bad_length"] == 1


# --- running


@pytest.mark.realtime
def test_in_the_background_it_keeps_to_real_time(world):
    sim = Sim("sdk")
    server, _ = world(sim, rate=2)
    began = time.monotonic()
    with server:
        assert server.running
        time.sleep(0.5)
    elapsed = time.monotonic() - began
    assert not server.running
    assert 0.8 < sim.time < 2 * elapsed + 0.05


def test_another_thread_must_not_step_meanwhile(world):
    sim = Sim("sdk")
    server, _ = world(sim, rate="real")
    with server:
        while sim.time == 0:
            time.sleep(0.001)
        with pytest.raises(RuntimeError, match="a server steps this Sim"):
            sim.step()
    sim.step()


def test_under_its_lock_a_running_sim_can_be_commanded(world):
    sim = Sim("sdk")
    server, _ = world(sim)
    with server:
        with server.lock:
            sim.arm()
            sim.command_position((0, 0, -5))
        while sim.time < 5:
            time.sleep(0.001)
        with server.lock:
            height = float(-sim.pos[0, 2])
    assert height > 4


def test_stop_ends_a_run_of_another_thread(world):
    sim = Sim("sdk")
    server, _ = world(sim, rate=0.001)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.running or sim.time == 0:
        time.sleep(0.001)
    server.stop()
    thread.join(timeout=5)
    assert not thread.is_alive()


def test_closing_ends_a_run_of_another_thread(world):
    server, _ = world(Sim("sdk"))
    errors = []

    def run() -> None:
        try:
            server.run()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while not server.running or server.time == 0:
        time.sleep(0.001)
    server.close()
    thread.join(timeout=5)
    assert not thread.is_alive()
    assert errors == []


def test_it_can_be_stopped_from_within(world):
    """By a listener, in the thread that serves."""
    sim = Sim("sdk")
    server, _ = world(sim)
    sim.add_listener(server.stop, 0.5)
    server.run(0.01)
    server.run(10)
    assert sim.time == pytest.approx(0.51)


def test_it_can_run_again_after_a_stop(world):
    sim = Sim("sdk")
    server, _ = world(sim)
    server.start()
    server.stop()
    server.stop()
    server.run(0.05)
    server.start().stop()
    assert not server.running


def test_it_does_not_run_twice_at_once_nor_when_closed(world):
    server, _ = world(Sim("sdk"))
    with server:
        with pytest.raises(RuntimeError, match="running already"):
            server.run(1)
        with pytest.raises(RuntimeError, match="running already"):
            server.start()
    server.close()
    with pytest.raises(RuntimeError, match="closed"):
        server.run(1)


def test_an_error_in_the_background_comes_out_of_stop(world, monkeypatch):
    sim = Sim("sdk")
    server, _ = world(sim)
    monkeypatch.setattr(server, "_take", lambda: 1 / 0)
    server.start()
    with pytest.raises(ZeroDivisionError):
        server.stop()


def test_closing_frees_the_ports(world):
    sim = Sim("sdk")
    server, sender = world(sim)
    with pytest.raises(OSError, match=f"port {sender.first_port} of 127.0.0.1 is in use"):
        Server(Sim("sdk"), first_port=sender.first_port)
    server.close()
    Server(Sim("sdk"), first_port=sender.first_port).close()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mode": "mavlink"}, r"mode: .*got 'mavlink'"),
        ({"rate": "fast"}, "rate: expected"),
        ({"first_port": 70000}, "first_port: expected"),
    ],
)
def test_options_that_cannot_be_are_errors(options, words):
    with pytest.raises(ValueError, match=words):
        Server(Sim("sdk"), **options)


@pytest.mark.parametrize("seconds", [-1, math.nan, "long"])
def test_times_that_cannot_be_are_errors(seconds, world):
    server, _ = world(Sim("sdk"))
    with pytest.raises((ValueError, TypeError), match="seconds: expected"):
        server.run(seconds)


def test_a_sim_has_one_server_at_a_time(first_port):
    sim = Sim("sdk")
    first = serve(sim, first_port=first_port())
    with first, pytest.raises(OptionError, match=r"sim: expected one.*a Server steps"):
        serve(sim, first_port=first_port())
    with serve(sim, first_port=first_port()) as second:
        assert second.running


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        *(("first_port", port, "1 to 54635 for 1 vehicles") for port in (None, "x", math.nan)),
        ("first_port", 54636, "1 to 54635"),  # the IMU's port would be 65536
        ("host", 5, "an address or a host name"),
        *(("peers", peers, "one or more addresses") for peers in (5, (), "127.0.0.1")),
        ("peers", (5,), "an address or a host name"),
        ("timeouts", {"setpoint": 1}, "one, such as setpoints, got 'setpoint'"),
        ("setpoints_arm", "x", "true or false"),
    ],
)
def test_a_bad_argument_is_named(name: str, value: Any, expected: str) -> None:
    with pytest.raises(OptionError, match=f"^{name}: expected {expected}"):
        Server(Sim("x450"), **{name: value})
