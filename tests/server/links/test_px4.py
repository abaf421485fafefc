"""PX4 SITL over TCP: lockstep, loss and return of the autopilot, against a stand-in."""

from __future__ import annotations

import math
import socket
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.rflysim.ReqCopterSim import ReqCopterSim
from pyrfly.server import PortError, Server
from pyrfly.server.links.configuration import ConfigurationLink
from pyrfly.server.links.px4 import READ_SIZE, Px4Link
from pyrfly.server.starts import Starts
from pyrfly.transport import Ports

from ...waiting import until

Make = Callable[..., tuple[Sim, Px4Link, Server]]


@pytest.fixture
def world() -> Iterator[Make]:
    """Return a function that makes vehicles with open ports for autopilots, and their server."""
    opened: list[Server] = []

    def make(n: int = 1, vehicles: str = "iris", **options) -> tuple[Sim, Px4Link, Server]:
        sim = Sim(vehicles, n)
        sim.reset(pos=[(0, 4 * row, 0) for row in range(n)])
        link = Px4Link(sim, first_port=0, **options)
        opened.append(Server(sim, mode=None, rate="max", links=[link]))
        return sim, link, opened[-1]

    yield make
    for server in opened:
        server.close()


def joined(server: Server, link: Px4Link, *copter_ids: int) -> None:
    """Run until these vehicles, and no others, have an autopilot."""
    until(lambda: server.run(0.01) or link.connected == list(copter_ids))


@pytest.mark.slow
def test_an_autopilot_flies_by_what_the_sensors_measure(world: Make, standin) -> None:
    sim, link, server = world()
    with standin("px4").Px4(link.ports[0], arm_after=0.5, height=1.5) as px4:
        joined(server, link, 1)
        server.run(7)
    assert sim.armed[0] == 1
    assert -sim.pos[0, 2] == pytest.approx(1.5, abs=0.3)
    assert np.hypot(*sim.pos[0, :2]) < 1.5
    assert px4.estimate.height == pytest.approx(-sim.pos[0, 2], abs=0.2)


def test_every_message_is_answered_before_time_goes_on(world: Make, standin) -> None:
    module = standin("px4")
    _, link, server = world()
    with module.Px4(link.ports[0]) as px4:
        joined(server, link, 1)
        server.run(1)
        counts = link.stats
        until(lambda: len(px4.times) == counts["sent"])
    # the first ones get no answer; then each gets one, and the last is on its way
    answers = len(px4.times) - module.START_UP
    assert 0 <= counts["accepted"] - answers <= 2  # an interval and a heartbeat besides
    assert set(np.diff(px4.times)) == {4000}
    assert px4.counts["HIL_GPS"] == pytest.approx(len(px4.times) * 0.004 * 8, abs=2)
    assert px4.counts["HIL_STATE_QUATERNION"] == pytest.approx(len(px4.times) / 2, abs=2)
    assert {fields & 0x3F for fields in px4.fields} == {0x3F}  # whole groups: the stand-in checks


def test_time_stands_still_while_an_answer_is_missing_and_the_server_can_be_stopped(
    world: Make, standin
) -> None:
    sim, link, server = world()
    with standin("px4").Px4(link.ports[0]) as px4, server:
        until(lambda: link.stats["accepted"] > 5)
        px4.answers = False
        time.sleep(0.2)
        before = sim.time
        time.sleep(0.3)
        assert sim.time == before
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 5


@pytest.mark.slow
def test_a_vehicle_whose_autopilot_dies_is_disarmed_and_starts_anew_with_the_next(
    world: Make, standin
) -> None:
    sim, link, server = world(2)
    px4 = standin("px4")
    with px4.Px4(link.ports[1], arm_after=0.4, height=2):
        joined(server, link, 2)
        server.run(4)
    assert sim.armed.tolist() == [0, 1]
    assert sim.pos[1, 2] < -0.5
    joined(server, link)
    assert sim.armed.tolist() == [0, 0]
    server.run(2)
    with px4.Px4(link.ports[1], arm_after=1e9):
        joined(server, link, 2)
        np.testing.assert_allclose(sim.pos[1], [0, 4, 0], atol=0.05)
        server.run(0.5)
    np.testing.assert_array_equal(sim.pos[0, :2], [0, 0])


@pytest.mark.slow
def test_the_autopilot_of_one_vehicle_leaves_the_others_alone(world: Make, standin) -> None:
    sim, link, server = world(2)
    with standin("px4").Px4(link.ports[0], arm_after=0.4, height=1):
        joined(server, link, 1)
        sim.arm(ids=2)
        sim.command_position([0, 4, -3], ids=2)
        server.run(4)
    assert sim.pos[1, 2] == pytest.approx(-3, abs=0.3)
    assert sim.armed.tolist() == [1, 1]
    assert link.stats.vehicle(2)["sent"] == 0


@pytest.mark.slow
def test_a_motor_that_fails_ends_the_flight_of_its_vehicle(world: Make, standin) -> None:
    sim, link, server = world(2)
    px4 = standin("px4")
    with (
        px4.Px4(link.ports[0], arm_after=0.4, height=3),
        px4.Px4(link.ports[1], arm_after=0.4, height=3),
    ):
        joined(server, link, 1, 2)
        server.run(5)
        sim.faults.add("motor", ids=2, actuator=1)
        server.run(2)
    assert sim.pos[0, 2] == pytest.approx(-3, abs=0.5)
    assert sim.pos[1, 2] > -1


class Client:
    """A connection that sends what it is told."""

    def __init__(self, port: int) -> None:
        self.mav = common.MAVLink(None, srcSystem=1, srcComponent=1)
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)

    def send(self, message: object) -> None:
        self.socket.sendall(message.pack(self.mav))

    def controls(self, controls: list[float], flags: int = 0, time_usec: int = 0) -> None:
        self.send(common.MAVLink_hil_actuator_controls_message(time_usec, controls, 129, flags))


@pytest.fixture
def client() -> Iterator[Callable[[int], Client]]:
    made: list[Client] = []

    def connect(port: int) -> Client:
        made.append(Client(port))
        return made[-1]

    yield connect
    for one in made:
        one.socket.close()


def served(server: Server, link: Px4Link, count: str, value: int) -> None:
    until(lambda: server.run(0.01) or link.stats[count] >= value)


class Clock:
    """Real time, which a test sets."""

    now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.slow
def test_an_autopilot_that_starts_up_has_real_time_in_the_mean(world: Make, client) -> None:
    """Each wait is longer than the 4 ms between two messages, as those of the system are."""
    clock = Clock()
    sim, link, server = world(clock=clock)

    def serve(seconds: float) -> None:
        clock.now += 5e-3

    server._poller.serve = serve
    client(link.ports[0])
    joined(server, link, 1)
    until(lambda: server.run(0.01) or link.stats["sent"] > 0)
    began, before = clock.now, sim.time
    server.run(2)
    assert clock.now - began == pytest.approx(sim.time - before, abs=0.02)
    clock.now += 5.0  # a delay is not made up for at once
    began, before = clock.now, sim.time
    server.run(2)
    assert 2 - 0.12 <= clock.now - began <= 2.02


def test_what_one_autopilot_sends_does_not_delay_the_others(world: Make, client) -> None:
    """Each has sent a megabyte of heartbeats; a serving takes its time, and then another's turn."""
    _, link, server = world(3)
    clients = [client(port) for port in link.ports]
    joined(server, link, 1, 2, 3)
    heartbeat = common.MAVLink_heartbeat_message(1, 1, 1, 1, 1, 3).pack(clients[0].mav)
    for one in clients:
        one.socket.setblocking(False)
        with suppress(BlockingIOError):
            one.socket.send(heartbeat * 50_000)
    until(lambda: link.stats["received"] > 0 or link.serve())
    before = link.stats.per_vehicle("received")
    for _ in range(30):
        link._receive(lambda: True)
    handled = link.stats.per_vehicle("received") - before
    assert handled.tolist() == pytest.approx([10 * READ_SIZE / len(heartbeat)] * 3, abs=2)


def test_an_autopilot_without_lockstep_is_not_waited_for(world: Make, client) -> None:
    sim, link, server = world()
    client(link.ports[0]).controls([0.5] * 4 + [0.0] * 12)
    served(server, link, "accepted", 1)
    before = sim.time
    server.run(1)
    assert sim.time == pytest.approx(before + 1)
    np.testing.assert_array_equal(sim.throttle[0], 0.5)


def test_values_that_are_not_finite_count_and_rest(world: Make, client) -> None:
    sim, link, server = world()
    client(link.ports[0]).controls([0.5, math.nan, math.inf, 0.25] + [0.0] * 12)
    served(server, link, "not_finite", 1)
    server.run(0.1)
    assert sim.throttle[0].tolist() == [0.5, 0, 0, 0.25]
    assert sim.check().ok


def test_a_signaling_nan_is_no_warning(world: Make, client) -> None:
    """NumPy warns when it converts one."""
    sim, link, server = world()
    one = client(link.ports[0])
    frame = bytearray(
        common.MAVLink_hil_actuator_controls_message(0, [0.5] * 16, 129, 0).pack(one.mav)
    )
    frame[26:30] = bytes.fromhex("0100807f")  # the first of the controls
    crc = common.x25crc(bytes(frame[1:-2]) + bytes([47])).crc
    frame[-2:] = crc.to_bytes(2, "little")
    one.socket.sendall(frame)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        served(server, link, "not_finite", 1)
        server.run(0.1)
    assert sim.throttle[0].tolist() == [0, 0.5, 0.5, 0.5]


def test_what_is_no_message_for_a_simulator_counts_as_such(world: Make, client) -> None:
    _, link, server = world()
    one = client(link.ports[0])
    one.socket.sendall(b"\xfd" + bytes(range(100)))
    one.send(common.MAVLink_attitude_message(0, 0, 0, 0, 0, 0, 0))
    one.send(common.MAVLink_command_long_message(0, 0, 511, 0, math.nan, 0, 0, 0, 0, 0, 0))
    one.controls([0.0] * 16)
    served(server, link, "accepted", 1)
    assert link.stats["unsupported"] == 2
    assert link.connected == [1]


@pytest.mark.parametrize("interval", [3e38, 1e30, -1.0, 1e-30])
def test_intervals_of_any_size_are_accepted(interval: float, world: Make, client) -> None:
    _, link, server = world()
    one = client(link.ports[0])
    one.send(common.MAVLink_command_long_message(0, 0, 511, 0, 115, interval, 0, 0, 0, 0, 0))
    one.controls([0.0] * 16)
    served(server, link, "accepted", 2)
    server.run(0.1)
    assert link.connected == [1]


def test_a_vehicle_returns_to_where_a_setting_placed_it(client, first_port) -> None:
    port = first_port(6)
    sim = Sim("iris", 2)
    starts = Starts(sim)
    link = Px4Link(sim, first_port=0, first_id=5, starts=starts)
    server = Server(
        sim,
        rate="max",
        first_port=port,
        first_id=5,
        links=[ConfigurationLink(sim, first_port=port, first_id=5), link],
        starts=starts,
    )
    request = ReqCopterSim(listen_s=0, ports=Ports.beginning_at(port))
    with closing(server), closing(request):
        gone = client(link.ports[1])
        joined(server, link, 6)
        gone.socket.close()
        joined(server, link)
        request.sendReSimXYyaw(6, [7, 8, 90])
        until(lambda: server.run(0.01) or sim.pos[1, 0] == 7)
        sim.reset(pos=(7, 8, -5), yaw=0.1, ids=2)
        client(link.ports[1]).controls([0.0] * 16)
        joined(server, link, 6)
        served(server, link, "accepted", 1)
        assert link.stats.vehicle(6)["accepted"] == 1
    assert sim.pos[1, 2] == 0
    assert math.degrees(sim.euler[1, 2]) == pytest.approx(90)


def test_a_new_connection_takes_the_place_of_one_that_hangs(world: Make, client) -> None:
    _, link, server = world()
    old = client(link.ports[0])
    old.controls([0.0] * 16)
    served(server, link, "accepted", 1)
    new = client(link.ports[0])
    new.controls([0.0] * 16)
    served(server, link, "accepted", 2)
    old.socket.settimeout(20)
    while old.socket.recv(65536):
        pass


def test_a_port_in_use_is_named_with_what_changes_it() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            PortError, match=rf"TCP port {port} .*; first_port of PX4 \(--px4\) changes it"
        ):
            Px4Link(Sim("iris"), first_port=port)


def test_the_truth_has_the_units_of_its_message(world: Make) -> None:
    sim, link, _ = world()
    sim.reset(pos=(10, -20, -30), yaw=0.5)
    sim.vel[:] = (1, -2, 3)
    sim.wind[:] = (0, 4, 0)
    link._source.request_truth(0, 4000)
    datagrams, _ = link._source.packed(0, np.array([0]))
    mav = common.MAVLink(None)
    messages = {m.get_type(): m for _, data in datagrams for m in mav.parse_buffer(bytes(data))}
    truth = messages["HIL_STATE_QUATERNION"]
    lat, lon, alt = sim.local_frame.to_lla(np.array([10.0, -20, -30]))
    assert (truth.lat, truth.lon) == (round(lat * 1e7), round(lon * 1e7))
    assert truth.alt == round(alt * 1000)
    assert (truth.vx, truth.vy, truth.vz) == (100, -200, 300)
    assert truth.true_airspeed == round(100 * math.sqrt(1 + 36 + 9))
    np.testing.assert_allclose(
        truth.attitude_quaternion, [math.cos(0.25), 0, 0, math.sin(0.25)], atol=1e-6
    )


def test_free_ports_are_told_one_by_one() -> None:
    with closing(Px4Link(Sim("iris", 3), first_port=0)) as link:
        (line,) = link.where()
        assert all(str(port) in line for port in link.ports)


def test_airspeeds_of_the_truth_have_gusts_and_the_density(world: Make) -> None:
    sim, link, _ = world()
    sim.origin = (*sim.origin[:2], 4500.0)
    sim.environment.set_gust((-6.0, 0, 0), rise=0.1, hold=100.0)
    sim.step(round(0.5 / sim.dt))
    sim.vel[:], sim.wind[:] = (10, 0, 0), (-4, 0, 0)
    link._source.request_truth(0, 4000)
    datagrams, _ = link._source.packed(0, np.array([0]))
    mav = common.MAVLink(None)
    messages = {m.get_type(): m for _, data in datagrams for m in mav.parse_buffer(bytes(data))}
    truth = messages["HIL_STATE_QUATERNION"]
    assert truth.true_airspeed == 2000
    density = (1 - 6.5e-3 * 4500 / 288.15) ** 4.2559  # over that at sea level [@us76]
    assert truth.ind_airspeed == pytest.approx(2000 * math.sqrt(density), rel=2e-3)
