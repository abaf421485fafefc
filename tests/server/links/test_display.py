"""RflySim3D: what it gets, byte for byte, and what it sends back."""

from __future__ import annotations

import contextlib
import struct
import time
from dataclasses import replace

import pytest

from pyrfly import Sim
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.rflysim.UE4CtrlAPI import UE4CtrlAPI
from pyrfly.server import OptionError
from pyrfly.server.links.display import DisplayLink
from pyrfly.transport import GROUP, group_listener, group_sender
from pyrfly.vehicles import load

HERE = "127.0.0.1"


def poses(box, count: int) -> list[tuple]:
    """Return the next true states that a window gets."""
    found = []
    while len(found) < count:
        data = box.recv(2048)
        if len(data) == 168:
            found.append(struct.unpack("<4i24f7d", data))
    return found


class Clock:
    """Real time that is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_every_window_gets_the_true_state_of_every_vehicle(served):
    world = served(DisplayLink, first_id=4)
    windows = [world.box(world.ports.display + number) for number in range(3)]
    world.server.run(0.01)
    for box in windows:
        first, second = poses(box, 2)
        assert first[:3] == (123456789, 4, 3)
        assert second[:3] == (123456789, 5, 3)
        assert second[29:32] == pytest.approx((5, 3, 0), abs=1e-3)
        assert second[28] == pytest.approx(0.01)


def test_the_class_in_the_view_is_the_type_of_the_vehicle(served):
    world = served(DisplayLink, vehicles=replace(load("x450"), uav_type=100))
    box = world.box(world.ports.display)
    world.server.run(0.01)
    assert poses(box, 1)[0][2] == 100


@pytest.mark.parametrize(
    ("n", "options", "rate"), [(4, {}, 100), (5, {}, 33.3), (1, {"rate": 20.0}, 20)]
)
def test_rates_are_those_of_simulated_time(served, n, options, rate):
    clock = Clock()
    world = served(DisplayLink, n=n, windows=1, clock=clock, **options)
    box = world.box(world.ports.display)
    for _ in range(30):
        clock.now += 1
        world.server.run(0.01)
    times = [struct.unpack_from("<d", data, 112)[0] for data in drained(box)]
    times = sorted(set(times))
    assert len(times) == pytest.approx(0.3 * rate, abs=1)


def test_in_real_time_there_are_no_more_than_can_be_shown(served):
    clock = Clock()
    world = served(DisplayLink, n=1, windows=1, clock=clock, mode=None)
    world.box(world.ports.display)
    world.server.run(5)  # in no time
    assert world.link.stats["sent"] == 1
    clock.now = 1.0
    world.server.run(0.01)
    assert world.link.stats["sent"] == 2


def test_actuators_are_shown_once_they_are_set(served):
    world = served(DisplayLink)
    box = world.box(world.ports.display)
    world.sim.enable_part("free_outputs")
    world.sim.display_outputs[1] = range(16)
    world.server.run(0.01)
    data = [box.recv(2048) for _ in range(3)]
    assert [len(packet) for packet in data] == [168, 168, 144]
    assert struct.unpack("<2i17d", data[2]) == (1234567894, 2, 0.01, *range(16))


def test_the_group_is_sent_to_where_it_is_asked_for(served):
    world = served(DisplayLink, multicast=True)
    listener = group_listener(world.ports.display_group, HERE)
    if listener is None:
        pytest.skip("no multicast on the loopback interface")
    with listener:
        listener.setblocking(True)
        listener.settimeout(20)
        world.server.run(0.01)
        assert [pose[1] for pose in poses(listener, 2)] == [1, 2]


def test_on_the_loopback_interface_the_group_would_be_the_same_again(served):
    world = served(DisplayLink)
    listener = group_listener(world.ports.display_group, HERE)
    if listener is None:
        pytest.skip("no multicast on the loopback interface")
    with listener:
        world.server.run(0.02)
        time.sleep(0.05)
        with pytest.raises(BlockingIOError):
            listener.recv(10)


@pytest.mark.parametrize("rate", [0, -1, "fast", True])
def test_other_rates_are_refused(served, rate):
    with pytest.raises(ValueError, match=r"rate: expected at least 0.001 Hz, got"):
        served(DisplayLink, rate=rate)


@pytest.mark.parametrize("windows", [-1, 101, 1.5, True])
def test_other_numbers_of_windows_are_refused(served, windows):
    with pytest.raises(OptionError, match="windows: expected 0 to 100, got"):
        served(DisplayLink, windows=windows)


def test_with_low_ports_nothing_is_shown():
    link = DisplayLink(Sim("x450"), first_port=50, multicast=True)
    link.give(0)
    link.flush()
    assert link.stats["sent"] == link.stats["send_errors"] == 0
    link.close()
    link.close()


# --- what comes back


def report(copter_id: int, crash_type: int) -> bytes:
    head = (1234567897, copter_id, 3, crash_type, 1.5)
    return struct.pack("<4id29f20s", *head, *[0.0] * 29, b"Wall")


@pytest.fixture
def world(served):
    return served(DisplayLink)


def test_clients_are_told_once_what_a_vehicle_has_hit(served, first_port):
    world = served(DisplayLink, mode="udp_full")
    state, truth = (
        world.box(port + 1) for port in (world.ports.of_control(2), world.ports.of_model(2))
    )
    world.server.run(0.05)
    for _ in range(5):  # as long as they touch
        world.send(world.ports.display_reply, report(2, 1))
    crashes = [data for data in drained(truth) if len(data) == 12]
    assert crashes == [struct.pack("<3i", 1234567890, 2, 1)]
    told = [struct.unpack_from("<i", data)[0] for data in drained(state)]
    assert sorted(told)[-2:] == [-1, 1]
    assert world.link.crashes == 1
    assert world.link.hit.tolist() == [-1, 1]


def drained(box) -> list[bytes]:
    """Return all packets that have come."""
    box.setblocking(False)
    found: list[bytes] = []
    with contextlib.suppress(BlockingIOError):
        while True:
            found.append(box.recv(2048))
    return found


def test_in_udp_simple_there_is_a_notice(served):
    world = served(DisplayLink, mode="udp_simple")
    state = world.box(world.ports.of_control(1) + 1)
    world.server.run(0.1)
    world.send(world.ports.display_reply, report(1, -1))
    notices = [data for data in drained(state) if struct.unpack_from("<i", data)[0] == 1234567892]
    assert notices == [struct.pack("<4i9f", 1234567892, 0, 0, 0, *[0.0] * 9)]


def test_in_mavlink_modes_the_port_of_the_true_state_tells_it(served):
    world = served(DisplayLink, mode="mavlink_full")
    truth = world.box(world.ports.of_model(1) + 1)
    world.server.run(0.05)
    world.send(world.ports.display_reply, report(1, 2))
    crashes = [data for data in drained(truth) if len(data) == 12]
    assert crashes == [struct.pack("<3i", 1234567890, 1, 2)]


def test_ports_are_told(served):
    world = served(DisplayLink, windows=2)
    ports = {use.name: use.port - world.ports.control for use in world.link.port_uses()}
    assert ports == {"window 0": -90, "window 1": -89, "reports": -94}


@pytest.mark.parametrize("mode", ["udp_full", "udp_simple"])
def test_a_controller_knows_of_a_crash(served, mode):
    world = served(DisplayLink, mode=mode)
    mav = PX4MavCtrler(1, first_port=world.ports.control)
    mav.InitMavLoop(["udp_full", "udp_simple"].index(mode))
    try:
        world.until(lambda: mav.connected)
        assert not mav.isVehicleCrash
        world.send(world.ports.display_reply, report(1, 2))
        world.until(lambda: mav.isVehicleCrash)
        assert mav.isVehicleCrashID == 2
    finally:
        mav.endMavLoop()


def test_the_ground_is_no_crash_and_a_second_one_counts(world):
    for kind in (-2, 0, 2, 2, 0, 2, -1):
        world.send(world.ports.display_reply, report(1, kind))
    assert world.link.crashes == 3
    assert world.link.hit.tolist() == [0, -1]


def test_inputs_come_for_the_vehicle_that_they_name(served):
    world = served(DisplayLink, first_id=3)
    rays = struct.pack("<2i13f", 1234567890, 4, *range(13))
    words = struct.pack("<10i20f", 1234567897, 3, 7, *[0] * 7, *[0.0] * 20)
    world.send(world.ports.display_reply, rays, words)
    assert world.sim.rebound_inputs[1, :4].tolist() == [12345, 0, 0, 10]
    assert world.sim.rebound_inputs[0].tolist() == [0] * 20
    assert world.sim.armed.tolist() == [1, 0]


@pytest.mark.parametrize("copter_id", [0, -1, 9])
def test_inputs_for_no_vehicle_are_dropped(world, copter_id):
    words = struct.pack("<10i20f", 1234567897, copter_id, 7, *[0] * 7, *[0.0] * 20)
    world.send(world.ports.display_reply, words, report(copter_id, 1))
    assert world.link.stats["bad_id"] == world.link.stats["received"] == 2
    assert not world.sim.armed.any()
    assert world.link.crashes == 0


def test_replies_for_other_programs_are_unsupported(world):
    packets = [
        struct.pack("<2i16fd", 1234567891, 1, *[0.0] * 17),
        struct.pack("<2i16fd32s", 1234567891, 0, *[0.0] * 17, b"Tree"),
        struct.pack("<5i11fd", 1234567891, 0, 1, 480, 640, *[0.0] * 12),
    ]
    world.send(world.ports.display_reply, *packets, b"abc", bytes(160))
    stats = world.link.stats
    assert (stats["unsupported"], stats["bad_length"], stats["bad_checksum"]) == (3, 1, 1)


def test_reports_of_the_group_reach_programs_and_the_server(served):
    """UE4CtrlAPI listens on the same port; only it gets what is sent to the address."""
    world = served(DisplayLink)
    view = UE4CtrlAPI(ports=world.ports)
    view.initUE4MsgRec()
    try:
        world.out.sendto(report(1, 2), (HERE, world.ports.display_reply))
        world.until(lambda: view.inReqVect or world.link.crashes)
        before = world.link.crashes
        with group_sender(HERE) as out:
            try:
                out.sendto(report(1, -1), (GROUP, world.ports.display_reply))
            except OSError:
                pytest.skip("no multicast on the loopback interface")
        world.until(lambda: world.link.hit[0] == 0)
        assert world.link.crashes == before + 1
    finally:
        view.endUE4MsgRec()
