"""ArduPilot's JSON backend over UDP: lockstep, restarts and losses, against a stand-in."""

from __future__ import annotations

import json
import math
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.server import OptionError, PortError, Server
from pyrfly.server.links.ardupilot import ArduPilotLink

from ...waiting import until

Make = Callable[..., tuple[Sim, ArduPilotLink, Server]]

LOW, HALF = [1000] * 4, [1500] * 4


@pytest.fixture
def world() -> Iterator[Make]:
    """Return a function that makes vehicles with open ports for ArduPilot, and their server."""
    opened: list[Server] = []

    def make(n: int = 1, vehicles="x450", **options) -> tuple[Sim, ArduPilotLink, Server]:
        sim = Sim(vehicles, n) if isinstance(vehicles, str) else Sim(vehicles)
        sim.reset(pos=[(0, 4 * row, 0) for row in range(sim.n)])
        options = {"clock": lambda: 0.0, **options}  # so that none is gone on a busy machine
        link = ArduPilotLink(sim, first_port=0, **options)
        opened.append(Server(sim, mode=None, rate="max", links=[link]))
        return sim, link, opened[-1]

    yield make
    for server in opened:
        server.close()


class Client:
    """An ArduPilot with its socket."""

    def __init__(self, autopilot, port: int) -> None:
        self.autopilot = autopilot
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.address = ("127.0.0.1", port)

    def exchange(self, pwm: list[int] = LOW, frames: int = 1) -> dict[str, list[float]]:
        """Do frames; return what the last answer has."""
        for _ in range(frames):
            self.autopilot.exchange(self.socket, self.address, pwm, resend=20)
        return self.autopilot.received

    def send(self, pwm: list[int] = LOW) -> None:
        """Send the packet of the present frame."""
        self.socket.sendto(self.autopilot.servo_packet(pwm), self.address)

    def answer(self, seconds: float = 20) -> bytes | None:
        """Return the next answer, or None if none comes."""
        self.socket.settimeout(seconds)
        try:
            return self.socket.recv(65000)
        except TimeoutError:
            return None


@pytest.fixture
def client(standin) -> Iterator[Callable[..., Client]]:
    made: list[Client] = []

    def connect(port: int, frame_rate: int = 400, **options) -> Client:
        autopilot = standin("ardupilot").ArduPilot(frame_rate, **options)
        made.append(Client(autopilot, port))
        return made[-1]

    yield connect
    for one in made:
        one.socket.close()


def stamp(answer: bytes | None) -> float:
    assert answer is not None
    return float(json.loads(answer)["timestamp"])


def flown(sim: Sim, one: Client, frames: int, height: float = 3) -> None:
    """Fly to a height and hover."""
    trim = 0.5  # the stand-in corrects it
    for _ in range(frames):
        one.exchange(one.autopilot.hover(height, trim))


# --- flight and lockstep


@pytest.mark.slow
def test_an_autopilot_takes_off_and_hovers(world: Make, client) -> None:
    sim, link, server = world()
    hover = float(sim.trim().inputs["throttle"][0, 0])
    one = client(link.ports[0])
    with server:
        for _ in range(3200):
            one.exchange(one.autopilot.hover(5.0, hover))
    assert sim.armed[0] == 1
    assert -sim.pos[0, 2] == pytest.approx(5, abs=0.1)
    assert np.hypot(*sim.pos[0, :2]) < 0.5
    assert one.autopilot.time == pytest.approx(8)
    assert one.autopilot.resets_seen == 0


@pytest.mark.parametrize("frame_rate", [50, 300, 400, 1000, 1200, 65535])
def test_time_advances_by_what_each_frame_asks_for(world: Make, client, frame_rate: int) -> None:
    sim, link, server = world()
    one = client(link.ports[0], frame_rate)
    with server:
        one.send()
        stamps = [stamp(one.answer())]
        begin = sim.time
        for frame in range(1, 120):
            one.autopilot.frame_count += 1
            one.send()
            stamps.append(stamp(one.answer()))
            time_of_frames = sim.time - begin
            assert abs(time_of_frames - frame / frame_rate) <= sim.dt + 1e-9
    np.testing.assert_allclose(stamps, np.arange(1, 121) / frame_rate, rtol=1e-12)


def test_time_stands_still_between_frames_and_the_server_can_be_stopped(
    world: Make, client
) -> None:
    sim, link, server = world()
    one = client(link.ports[0])
    with server:
        one.exchange(frames=10)
        before = sim.time
        time.sleep(0.2)
        assert sim.time == before
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 5


def test_without_an_autopilot_time_goes_on(world: Make) -> None:
    sim, link, server = world()
    server.run(1)
    assert sim.time == pytest.approx(1)
    assert link.connected == []


def test_several_autopilots_wait_for_each_other(world: Make, client) -> None:
    _sim, link, server = world(2)
    slow, fast = client(link.ports[0], 100), client(link.ports[1], 400)
    with server:
        slow.send()
        slow.answer()
        fast.send()
        until(lambda: link.connected == [1, 2])
        assert fast.answer(0.2) is None  # time is where the slow one has left it
        slow.autopilot.frame_count += 1
        slow.send()
        assert fast.answer() is not None
        for _ in range(3):  # 4 frames of one are 1 of the other
            assert slow.answer(0.1) is None
            fast.autopilot.frame_count += 1
            fast.send()
            assert fast.answer() is not None
        assert slow.answer() is not None
    assert link.stats["sent"] == 6


# --- what ArduPilot is told


def test_the_state_is_the_true_one_from_home(world: Make, client) -> None:
    sim, link, server = world(2)
    one = client(link.ports[1])
    with server:
        flown(sim, one, 600)
    told = one.autopilot.received
    np.testing.assert_allclose(told["position"], sim.pos[1] - (0, 4, 0), atol=1e-12)
    np.testing.assert_array_equal(told["velocity"], sim.vel[1])
    np.testing.assert_array_equal(told["quaternion"], sim.att[1])
    np.testing.assert_array_equal(told["gyro"], sim.rate[1])
    np.testing.assert_array_equal(told["accel_body"], sim.specific_force[1])


def test_wind_battery_and_rotors_are_told_where_they_are(world: Make, client) -> None:
    sim, link, server = world()
    sim.power.enable()
    sim.wind[:] = (3, -4, 0)
    one = client(link.ports[0])
    with server:
        one.send(HALF)
        line = one.answer()
        for _ in range(200):
            one.autopilot.frame_count += 1
            one.send(HALF)
            line = one.answer()
    assert line is not None
    told = json.loads(line)
    assert told["velocity_wind"] == [3, -4, 0]
    assert told["airspeed"] == pytest.approx(np.linalg.norm(sim.vel[0] - (3, -4, 0)))
    np.testing.assert_allclose(told["motor"]["rpm"], sim.rotor_speed[0] * 60 / (2 * math.pi))
    assert min(told["motor"]["rpm"]) > 1000
    assert told["battery"] == {
        "voltage": pytest.approx(sim.battery_voltage[0]),
        "current": pytest.approx(sim.battery_current[0]),
    }


def test_a_state_that_is_not_finite_is_not_sent_and_does_not_stop_the_others(
    world: Make, client
) -> None:
    sim, link, server = world(2, clock=lambda: clock[0])
    clock = [0.0]
    ill, well = client(link.ports[0]), client(link.ports[1])
    with server:
        ill.exchange()
        with server.lock:
            sim.wind[0] = math.nan
        ill.send()
        until(lambda: link.stats["send_errors"] == 1)
        well.send()
        clock[0] = 3.0
        assert well.answer() is not None


# --- outputs


def test_the_vehicle_is_armed_from_the_first_packet_on(world: Make, client) -> None:
    sim, link, server = world(2)
    one = client(link.ports[1], 100)
    with server:
        one.exchange([1250, 1500, 1000, 2000], frames=3)
    assert sim.armed.tolist() == [0, 1]
    np.testing.assert_allclose(sim.throttle, [[0] * 4, [0.25, 0.5, 0, 1]])


@pytest.mark.parametrize("outputs", [16, 32])
@pytest.mark.parametrize(
    ("frame", "order"),
    [(None, [0, 1, 2, 3]), ("quad_x", [0, 1, 2, 3]), ("quad_cw_x", [0, 2, 3, 1])],
)
def test_outputs_go_to_the_rotors_of_the_frame(
    world: Make, client, frame, order: list[int], outputs: int
) -> None:
    sim, link, server = world(frames=frame)
    one = client(link.ports[0], 100, outputs=outputs)
    with server:
        one.exchange([1100, 1200, 1300, 1400], frames=3)
    np.testing.assert_allclose(sim.throttle[0], [0.1 * (1 + output) for output in order])


def test_each_vehicle_may_have_a_frame_of_its_own(world: Make, client) -> None:
    fleet = {"hex_coax": 2, "x450": 1}
    sim, link, server = world(vehicles=fleet, frames=["y6f", None, "quad_bf_x"])
    clients = [client(port, 100) for port in link.ports]
    pulses = [1000 + 100 * k for k in range(6)]
    for one in clients:
        one.send(pulses)
    with server:
        for _ in range(3):
            for one in clients:
                one.answer()
            for one in clients:
                one.autopilot.frame_count += 1
                one.send(pulses)
    coaxial, quad = sim.groups
    np.testing.assert_allclose(coaxial.throttle[0, :6], [0.4, 0.1, 0.3, 0, 0.5, 0.2])
    np.testing.assert_allclose(coaxial.throttle[1, :6], [0, 0.1, 0.2, 0.3, 0.4, 0.5])
    np.testing.assert_allclose(quad.throttle[0], [0.1, 0.2, 0.3, 0])


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ("quad_plus", "frames: .*expected one of the layout quad_x, got quad_plus"),
        ("quadx", "frames: .*unknown name 'quadx'; try .*quad_x"),
        (["quad_x"], "frames: expected"),
    ],
)
def test_a_frame_that_does_not_fit_is_an_error(frames, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        ArduPilotLink(Sim("x450", 2), first_port=0, frames=frames)


# --- restarts and losses


def test_a_restarted_autopilot_begins_at_the_start_at_time_0(world: Make, client) -> None:
    sim, link, server = world(2)
    one, other = client(link.ports[0], 100), client(link.ports[1], 100)
    both = one, other
    for each in both:  # the world would not wait for one that it does not know yet
        each.send(each.autopilot.hover(3, 0.7))
    with server:
        for each in both:
            each.autopilot.receive(each.answer())
        for _ in range(99):
            for each in both:
                each.send(each.autopilot.hover(3, 0.7))
            for each in both:
                each.autopilot.receive(each.answer())
        before = sim.pos.copy()
        assert (before[:, 2] < -0.5).all()
        one.autopilot.restart()
        one.send()
        other.send(other.autopilot.hover(3, 0.7))
        answers = one.answer(), other.answer()
    assert stamp(answers[0]) == pytest.approx(0.01)
    assert stamp(answers[1]) == pytest.approx(1.01)
    np.testing.assert_allclose(json.loads(answers[0])["position"], 0, atol=0.01)
    np.testing.assert_allclose(sim.pos[1], before[1], atol=0.1)
    assert sim.time > 1
    one.autopilot.receive(answers[0])
    assert one.autopilot.resets_seen == 0


def test_another_autopilot_at_the_same_port_begins_at_the_start(world: Make, client) -> None:
    sim, link, server = world()
    with server:
        one = client(link.ports[0])
        flown(sim, one, 400)
        assert sim.pos[0, 2] < -0.3
        other = client(link.ports[0])
        other.autopilot.frame_count = 5000  # packets before were sent when nobody listened
        told = other.exchange()
    assert told["timestamp"] == [1 / 400]
    np.testing.assert_allclose(told["position"], 0, atol=0.01)


def test_a_lost_answer_is_given_again_without_a_step(world: Make, client) -> None:
    sim, link, server = world()
    one = client(link.ports[0])
    with server:
        one.exchange(frames=5)
        one.send()
        first, before = one.answer(), sim.time
        one.send()
        assert one.answer() == first
        assert sim.time == before
        one.autopilot.receive(first)
        assert one.exchange()["timestamp"] == [pytest.approx(7 / 400)]


def test_a_flight_with_lost_answers_is_the_same_flight(world: Make, client) -> None:
    positions = []
    for loses in (False, True):
        _sim, link, server = world()
        one = client(link.ports[0])
        with server:
            one.exchange(frames=4)
            for frame in range(300):
                one.send(one.autopilot.hover(3, 0.6))
                answer = one.answer()
                if loses and frame % 7 == 0:
                    one.send(one.autopilot.hover(3, 0.6))
                    answer = one.answer()
                one.autopilot.receive(answer)
        positions.append(one.autopilot.received["position"])
        assert one.autopilot.time == pytest.approx(304 / 400)
    assert positions[0] == positions[1]


def test_a_packet_that_waits_with_its_repetition_is_answered_once(world: Make, client) -> None:
    _, link, server = world()
    one = client(link.ports[0])
    for _ in range(3):  # nobody listens yet
        one.send()
    with server:
        assert stamp(one.answer()) == 1 / 400
        assert one.answer(0.2) is None
    assert link.stats["accepted"] == 3
    assert link.stats["sent"] == 1


def test_a_repetition_while_time_waits_for_another_autopilot_has_no_answer_of_its_own(
    world: Make, client
) -> None:
    _, link, server = world(2)
    one, other = client(link.ports[0], 500), client(link.ports[1], 500)
    with server:
        one.send()
        one.answer()
        other.send()
        until(lambda: link.stats["received"] == 2)
        other.send()
        until(lambda: link.stats["received"] == 3)
        one.autopilot.frame_count += 1
        one.send()
        assert other.answer() is not None
        assert other.answer(0.2) is None


@pytest.mark.parametrize(("options", "seconds"), [({}, 2.0), ({"timeout": 5.0}, 5.0)])
def test_an_autopilot_that_is_gone_is_not_waited_for_and_may_come_back(
    world: Make, client, options, seconds
) -> None:
    clock = [0.0]
    sim, link, server = world(2, clock=lambda: clock[0], **options)
    one, other = client(link.ports[0], 500), client(link.ports[1], 500)
    with server:
        one.exchange(HALF, frames=30)
        other.send()
        assert other.answer(0.2) is None
        clock[0] = seconds - 0.1
        assert other.answer(0.2) is None
        assert sim.armed.tolist() == [1, 1]
        clock[0] = seconds + 0.1
        assert other.answer() is not None
        other.autopilot.frame_count += 1
        for _ in range(20):
            other.exchange()
        assert link.connected == [2]
        assert sim.armed.tolist() == [0, 1]
        np.testing.assert_array_equal(sim.throttle[0], 0)
        assert link.stats.vehicle(1)["lapsed"] == 1
        one.send(HALF)
        until(lambda: link.connected == [1, 2])
        other.send()
        assert stamp(one.answer()) == pytest.approx(31 / 500)
        assert other.answer() is not None
    np.testing.assert_array_equal(sim.throttle[0], 0.5)


# --- what is dropped


def test_packets_that_are_none_are_counted_and_not_answered(world: Make, client) -> None:
    sim, link, server = world()
    one = client(link.ports[0])
    good = one.autopilot.servo_packet(LOW)
    bad = [b"", b"x" * 39, good + b"x", b"{}\n", b"x" * 2000]
    with server:
        for packet in [*bad, b"\0" * 40, good[:2] + b"\0\0" + good[4:]]:
            one.socket.sendto(packet, one.address)
        until(lambda: link.stats["received"] == 7)
        assert one.answer(0.1) is None
        one.exchange()
    expected = {"received": 8, "bad_length": 5, "bad_checksum": 1, "not_finite": 1, "accepted": 1}
    assert {name: link.stats[name] for name in expected} == expected
    assert link.stats["sent"] == 1
    assert sim.check().ok


def test_a_peer_that_the_host_cannot_reach_is_an_error() -> None:
    with pytest.raises(OptionError, match=r"peers: 192\.0\.2\.7 cannot be reached from host 127"):
        ArduPilotLink(Sim("x450"), first_port=0, peers=["192.0.2.7"])


# --- ports


def test_ports_are_ten_apart() -> None:
    sim = Sim("x450", 3)
    for first in range(20000, 60000, 37):  # until all three are free
        try:
            link = ArduPilotLink(sim, first_port=first)
        except PortError:
            continue
        link.close()
        assert link.ports == (first, first + 10, first + 20)
        assert [list(use.ports) for use in link.port_uses()] == [list(link.ports)]
        return


def test_a_port_in_use_is_named_and_the_others_are_closed() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(PortError, match=f"port {port} of 127.0.0.1 is in use"):
            ArduPilotLink(Sim("x450", 2), first_port=port - 10)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as first:
            first.bind(("127.0.0.1", port - 10))


def test_ports_beyond_the_last_one_are_an_error() -> None:
    with pytest.raises(OptionError, match=r"ArduPilot: .*got 65540"):
        ArduPilotLink(Sim("x450", 2), first_port=65530)


def test_free_ports_are_told_one_by_one() -> None:
    with closing(ArduPilotLink(Sim("x450", 3), first_port=0, first_id=5)) as link:
        assert [port for use in link.port_uses() for port in use.ports] == list(link.ports)
