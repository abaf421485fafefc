"""A controller on the serial link of a HIL simulation, over a pair of pseudo terminals."""

from __future__ import annotations

import math
import os
import select
import struct
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.protocol.serial_packets import SerialOptions
from pyrfly.server import OptionError, Server
from pyrfly.server.links.serial_hil import SerialHilLink
from pyrfly.transport.byte_streams import SerialStream

from ...waiting import until

pytest.importorskip("serial")

RPM = 30 / math.pi


class Controller:
    """The end of the line that drives; its clock is what the link takes for real time."""

    def __init__(self, module) -> None:
        self.module = module
        self.file, other = os.openpty()
        self.stream = SerialStream(os.ttyname(other))
        os.close(other)
        self.now = 0.0

    def send(self, speeds: list[int]) -> None:
        os.write(self.file, self.module.motor_frame(speeds))

    def received(self) -> bytes:
        found = []
        while select.select([self.file], [], [], 0)[0]:
            found.append(os.read(self.file, 65536))
        return b"".join(found)

    def frames(self) -> list[tuple[int, bytes]]:
        return self.module.frames_in(self.received())

    def unplug(self) -> None:
        if self.file >= 0:
            os.close(self.file)
        self.file = -1


World = tuple[Sim, SerialHilLink, Server, Controller]
Make = Callable[..., World]


@pytest.fixture
def world(standin) -> Iterator[Make]:
    """Return a function that makes vehicles, of which one has a controller, and their server."""
    opened: list[tuple[Server, Controller]] = []

    def make(vehicles: str = "x450", n: int = 1, **options) -> World:
        sim = Sim(vehicles, n)
        controller = Controller(standin("serial_controller"))
        link = SerialHilLink(sim, controller.stream, clock=lambda: controller.now, **options)
        server = Server(sim, mode=None, rate="max", links=[link])
        opened.append((server, controller))
        return sim, link, server, controller

    yield make
    for server, controller in opened:
        server.close()
        controller.unplug()


def served(server: Server, link: SerialHilLink, count: str, value: int) -> None:
    until(lambda: server.run(0.01) or link.stats[count] >= value)


# --- what is sent


def test_the_controller_gets_the_true_state(world: Make) -> None:
    sim, _, server, controller = world(n=2, copter_id=2)
    sim.reset(pos=[(0, 0, -20), (100, 50, -30)], yaw=1, hover=True)
    server.run(0.1)
    latest = dict(controller.frames())
    floats = {kind: struct.unpack("<3f", parameters) for kind, parameters in latest.items()}
    np.testing.assert_allclose(floats[1], sim.euler[1], atol=1e-6)
    lat, lon, height = sim.local_frame.to_lla(sim.pos[1])
    np.testing.assert_allclose(floats[2], (lon, lat, height), rtol=1e-7)
    np.testing.assert_allclose(floats[3], sim.rate[1], atol=1e-6)


@pytest.mark.parametrize(("rate", "expected"), [(50, 50), (100, 100), (400, 500), (1, 1)])
def test_frames_are_sent_at_the_rate_in_whole_steps(world: Make, rate: float, expected) -> None:
    _, link, server, controller = world(rate=rate)
    kinds = []
    for _ in range(10):
        server.run(0.1)
        kinds += [kind for kind, _ in controller.frames()]
    assert kinds == [1, 2, 3] * expected
    assert link.stats["sent"] == 3 * expected


def test_formats_are_options(world: Make) -> None:
    sim, _, server, controller = world(options=SerialOptions(number_order="big", numbers="int32"))
    sim.reset(pos=(0, 0, -20), yaw=0.5, hover=True)
    server.run(0.02)
    frame = controller.received()[:18]
    assert frame[:4] == b"\xaa\x55\x01\x0c"
    assert struct.unpack(">3i", frame[4:16])[2] == pytest.approx(500000, abs=20)


def test_states_do_not_pile_up_for_a_controller_that_does_not_read() -> None:
    class Stuck:
        """A line that takes 100 bytes, and no more."""

        pending = 0
        written = 0

        def __init__(self) -> None:
            self.file, self.other = os.pipe()

        def fileno(self) -> int:
            return self.file

        def read(self) -> bytes | None:
            return b""

        def write(self, data: bytes | memoryview) -> bool:
            self.written += len(data)
            self.pending = max(0, self.written - 100)
            return True

        def close(self) -> None:
            os.close(self.file)
            os.close(self.other)

    sim, stuck = Sim("x450"), Stuck()
    link = SerialHilLink(sim, stuck)
    with Server(sim, mode=None, rate="max", links=[link]) as server:
        server.stop()
        server.run(1)
        assert link.stats["sent"] == 6
        assert link.stats["send_errors"] >= 140
        assert stuck.written == 108


# --- motor speeds


@pytest.mark.parametrize("vehicles", ["x450", "iris", "sdk", "cs2019", "quad_plus", "x150"])
def test_rotors_turn_at_the_speeds_of_the_controller(world: Make, vehicles: str) -> None:
    sim, link, server, controller = world(vehicles)
    fastest = np.polyval(sim.motor_curve[0][::-1], sim.motor_max[0]) * RPM
    speeds = [round(share * fastest) for share in (0.4, 0.5, 0.6, 0.9)]
    controller.send(speeds)
    served(server, link, "accepted", 1)
    assert sim.armed[0] == 1
    server.run(0.8)  # it tips over, and is disarmed then
    np.testing.assert_allclose(sim.rotor_speed[0, :4] * RPM, speeds, rtol=1e-3)


def test_speeds_beyond_the_range_are_its_ends_and_0_stops(world: Make) -> None:
    sim, link, server, controller = world()
    sim.motor_curve[:] = (80, 900, 0, 0)
    sim.motor_dead_zone[:], sim.motor_max[:] = 0.1, 1
    controller.send([0, 1, 5000, 65535])
    served(server, link, "accepted", 1)
    server.run(0.8)
    expected = [0, 170, 5000 / RPM, 980]
    np.testing.assert_allclose(sim.rotor_speed[0], expected, rtol=1e-4, atol=1e-3)


def test_a_vehicle_climbs_with_more_than_its_weight_and_sinks_with_less(world: Make) -> None:
    sim, _, server, controller = world()
    linear, quadratic = 4 * sim.thrust_coef[0]
    hover = max(np.roots([quadratic, linear, -sim.mass[0] * sim.gravity[0]])) * RPM
    climbs = []
    for share in (1.02, 0.98):
        controller.send([round(share * hover)] * 4)
        server.run(2)
        climbs.append(-sim.vel[0, 2])
    assert climbs[0] > 0.3
    assert climbs[1] < climbs[0] - 0.3


def test_motors_stop_when_the_controller_is_lost_and_go_on_when_it_is_back(world: Make) -> None:
    sim, link, server, controller = world(n=2)
    controller.send([3000] * 4)
    served(server, link, "accepted", 1)
    controller.now = 0.4
    server.run(2)
    assert link.connected
    assert sim.armed.tolist() == [1, 0]
    assert (sim.rotor_speed[0] * RPM > 2900).all()
    controller.now = 0.6
    server.run(3)
    assert not link.connected
    assert sim.armed[0] == 0
    assert (sim.rotor_speed[0] * RPM < 30).all()
    assert link.stats["lapsed"] == 1
    controller.send([4000] * 4)
    served(server, link, "accepted", 2)
    server.run(2)
    np.testing.assert_allclose(sim.rotor_speed[0] * RPM, 4000, rtol=1e-3)


def test_a_cable_that_is_pulled_stops_the_motors_and_not_the_server(world: Make) -> None:
    sim, link, server, controller = world()
    controller.send([3000] * 4)
    served(server, link, "accepted", 1)
    controller.unplug()
    until(lambda: server.run(0.05) or not link.connected)
    server.run(1)
    assert sim.armed[0] == 0
    assert link.stats["lapsed"] == 1
    before = sim.time
    server.run(1)
    assert sim.time == pytest.approx(before + 1)


# --- what is dropped


def test_what_is_no_frame_of_motor_speeds_counts(world: Make) -> None:
    sim, link, server, controller = world()
    frame = controller.module.frame
    good = controller.module.motor_frame([3000] * 4)
    noise = [
        frame(1, struct.pack("<3f", 0, 0, 0)),
        frame(2, struct.pack("<3f", 0, math.nan, 0)),
        frame(7, b"abc"),
        frame(4, b"abc"),
        good[:-1] + bytes([good[-1] ^ 1]),
        b"noise",
        good[:7],
    ]
    os.write(controller.file, b"".join(noise))
    server.run(0.05)
    assert sim.armed[0] == 0
    os.write(controller.file, good[7:])
    served(server, link, "accepted", 1)
    expected = {
        "received": 6,
        "accepted": 1,
        "unsupported": 1,
        "not_finite": 1,
        "unknown": 1,
        "bad_length": 1,
        "bad_checksum": 1,
    }
    assert {name: link.stats[name] for name in expected} == expected


class Line:
    """A connection that has what a test puts there."""

    pending = 0

    def __init__(self) -> None:
        self.file, self.other = os.pipe()

    def fileno(self) -> int:
        return self.file

    def read(self) -> bytes | None:
        return os.read(self.file, 65536)

    def write(self, data: bytes | memoryview) -> bool:
        return True

    def close(self) -> None:
        os.close(self.file)
        os.close(self.other)


# --- options


@pytest.mark.parametrize(
    ("vehicles", "options", "message"),
    [
        ("hex_x", {}, "with 4 rotors, .* got 1, hex_x, which has 6"),
        ("x450", {"copter_id": 2}, "copter_id: expected 1 to 1, got 2"),
        ("x450", {"rate": 0}, "rate: expected up to 1000 Hz, got 0"),
        ("x450", {"rate": 1001}, "rate: expected up to 1000 Hz, got 1001"),
        ("x450", {"rate": math.nan}, "rate: expected up to 1000 Hz, got nan"),
        ("x450", {"timeout": 0}, r"timeout: .*got 0"),
    ],
)
def test_an_option_that_is_not_valid_is_an_error(vehicles: str, options, message: str) -> None:
    line = Line()
    with pytest.raises(OptionError, match=message):
        SerialHilLink(Sim(vehicles), line, **options)
    line.close()
