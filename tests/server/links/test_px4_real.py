"""Flights of a real PX4 SITL: PYRFLY_PX4_DIR names its sources or the folder it was built in.

``PYRFLY_PX4_DIR=~/PX4-Autopilot pytest -n 0 -m realtime tests/server/links/test_px4_real.py``
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pymavlink import mavutil
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.commands.processes import Processes
from pyrfly.commands.px4_build import find_build
from pyrfly.server import Server
from pyrfly.server.hil import enable_sensors
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.px4_texts import Px4TextLink

pytestmark = [
    pytest.mark.slow,
    pytest.mark.realtime,
    pytest.mark.skipif("PYRFLY_PX4_DIR" not in os.environ, reason="PYRFLY_PX4_DIR is not set"),
]

OFFBOARD, AUTO, MISSION = 6, 4, 4  # PX4's main modes, and a sub-mode of AUTO
PREARM_CHECK = 0x10000000  # of SYS_STATUS
POSITION = 0b110111111000  # type_mask: position alone
# Of a position [m]: about what the receiver says of itself, 0.9 m and vertically 1.78 m, by which
# PX4 weighs it.
HORIZONTAL, VERTICAL = 1.0, 2.0
ACCURACY = (HORIZONTAL, HORIZONTAL, VERTICAL)


class Station:
    """A client at PX4's link for SDKs, with a heartbeat and a stream of set-points."""

    def __init__(self, instance: int) -> None:
        self.link = mavutil.mavlink_connection(
            f"udpin:127.0.0.1:{14540 + instance}", source_system=255, source_component=190
        )
        self.system = instance + 1
        self.target: np.ndarray | None = None
        self.texts: list[str] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._stream, daemon=True)
        assert self.link.wait_heartbeat(timeout=30) is not None
        self._thread.start()

    def _stream(self) -> None:
        for number in itertools.count():
            if self._stop.wait(0.05):
                return
            if number % 20 == 0:
                self.link.mav.heartbeat_send(6, 8, 0, 0, 4)
            if self.target is not None:
                self.link.mav.set_position_target_local_ned_send(
                    *(0, self.system, 1, 1, POSITION, *self.target, 0, 0, 0, 0, 0, 0, 0, 0)
                )

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.link.close()

    def wait(self, kinds: str, condition: Callable[[object], object], seconds: float) -> object:
        """Return the first message of some kinds that meets a condition."""
        types = [*kinds.split(), "STATUSTEXT"]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.link.recv_match(type=types, blocking=True, timeout=1)
            if message is None or message.get_srcSystem() != self.system:
                continue
            if message.get_type() == "STATUSTEXT":
                self.texts.append(message.text)
            if message.get_type() in kinds and condition(message):
                return message
        raise AssertionError(f"no {kinds} as expected in {seconds} s; PX4 said {self.texts}")

    def command(self, number: int, *params: float) -> None:
        padded = (*params, *[0.0] * (7 - len(params)))
        self.link.mav.command_long_send(self.system, 1, number, 0, *padded)
        ack = self.wait("COMMAND_ACK", lambda m: m.command == number, 5)
        assert ack.result == 0, (number, ack, self.texts)

    def switch(self, main: int, sub: int = 0) -> None:
        """Switch the mode, as soon as PX4 does that: a mission is checked first."""
        for _ in range(5):
            padded = (1, main, sub, 0, 0, 0, 0)
            self.link.mav.command_long_send(self.system, 1, common.MAV_CMD_DO_SET_MODE, 0, *padded)
            with contextlib.suppress(AssertionError):
                self.wait("HEARTBEAT", lambda m: m.custom_mode == main << 16 | sub << 24, 3)
                return
        raise AssertionError(f"no mode {main}, {sub}; PX4 said {self.texts}")

    def until_armed(self, armed: bool, seconds: float) -> None:
        self.wait("HEARTBEAT", lambda m: bool(m.base_mode & 128) == armed, seconds)

    def reach(self, target: tuple[float, float, float], seconds: float = 20) -> None:
        """Fly to a position [m, NED] with set-points."""
        self.target = np.array(target, float)
        self.wait(
            "LOCAL_POSITION_NED",
            lambda m: math.dist((m.x, m.y, m.z), target) < 0.5,
            seconds,
        )

    def upload(self, items: list[tuple[int, float, float, float]]) -> None:
        """Upload a mission of commands at latitudes, longitudes [deg], heights over home [m]."""
        self.link.mav.mission_count_send(self.system, 1, len(items))
        while True:
            # PX4 begins with MISSION_REQUEST, and goes on with MISSION_REQUEST_INT
            told = self.wait("MISSION_REQUEST MISSION_REQUEST_INT MISSION_ACK", lambda _: True, 5)
            if told.get_type() == "MISSION_ACK":
                assert told.type == 0, (told, self.texts)
                return
            command, lat, lon, height = items[told.seq]
            self.link.mav.mission_item_int_send(
                *(self.system, 1, told.seq, 6, command, int(told.seq == 0), 1),
                *(0, 0, 0, math.nan, round(lat * 1e7), round(lon * 1e7), height),
            )


def free_instance() -> int:
    """Return the number of an instance whose ports are free."""
    for instance in range(1, 9):
        try:
            with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
                tcp.bind(("127.0.0.1", 4560 + instance))
                udp.bind(("127.0.0.1", 14540 + instance))
            with socket.socket(type=socket.SOCK_DGRAM) as udp:
                udp.bind(("127.0.0.1", 14580 + instance))
        except OSError:
            continue
        return instance
    raise AssertionError("no free ports")


def vehicle(name: str) -> Sim:
    sim = Sim(name)
    sim.enable_synthesis()
    enable_sensors(sim)
    sim.gps_walk[:] = 0  # what PX4 knows of its position can be compared with the truth
    return sim


@contextlib.contextmanager
def flight(
    sim: Sim, folder: Path, model: str | None = None, **parameters: str
) -> Iterator[Station]:
    """Start the simulation, PX4, which is told of faults, and a station, until PX4 can be armed."""
    build = find_build(Path(os.environ["PYRFLY_PX4_DIR"]).expanduser())
    instance = free_instance()
    link = Px4Link(sim, first_port=4560 + instance, version=build.version)
    texts = Px4TextLink(sim, first_instance=instance, tell_faults=True)
    with Server(sim, mode=None, links=[link, texts]) as server, Processes() as processes:
        process = processes.start(
            *("PX4", build.arguments(instance), folder),
            {**os.environ, **build.environment(build.airframe(model), parameters)},
            folder / "console.log",
        )
        station = Station(instance)
        try:
            station.wait(
                "SYS_STATUS",
                lambda m: build.version < "1.14" or m.onboard_control_sensors_health & PREARM_CHECK,
                60,
            )
            station.wait("HOME_POSITION", lambda m: True, 60)
            yield station
        finally:
            station.close()
            print(build.version, dict(link.stats), "late", server.late)
            print(*process.last_lines(40), sep="\n")


@pytest.fixture
def flying(tmp_path: Path) -> Iterator[tuple[Sim, Station]]:
    """Start a flight of a quadrotor."""
    sim = vehicle("iris")
    with flight(sim, tmp_path) as station:
        yield sim, station


def test_px4_takes_off_flies_a_square_a_mission_and_lands(flying: tuple[Sim, Station]) -> None:
    sim, station = flying
    home = station.wait("HOME_POSITION", lambda m: True, 10)
    station.command(common.MAV_CMD_NAV_TAKEOFF, -1, 0, 0, *[math.nan] * 4)
    station.command(common.MAV_CMD_COMPONENT_ARM_DISARM, 1)
    station.wait("LOCAL_POSITION_NED", lambda m: m.z < home.z - 2, 30)
    assert sim.armed[0] == 1
    assert sim.pos[0, 2] < -0.5

    station.target = np.array([0.0, 0, -4])
    time.sleep(0.5)
    station.switch(OFFBOARD)
    for corner in ((0, 0, -4), (5, 0, -4), (5, 5, -4), (0, 5, -4), (0, 0, -4)):
        station.reach(corner)
        assert (np.abs(sim.pos[0] - corner) < ACCURACY).all(), (sim.pos[0], corner)

    degree = 6378137.0 * math.pi / 180
    lat, lon = home.latitude * 1e-7, home.longitude * 1e-7
    east = 1 / (degree * math.cos(math.radians(lat)))
    points = [(8.0, 0.0), (8.0, 8.0), (0.0, 0.0)]
    items = [(16, lat + x / degree, lon + y * east, 6.0) for x, y in points]
    station.upload([*items, (21, lat, lon, 0.0)])
    station.switch(AUTO, MISSION)
    station.target = None
    for seq, point in enumerate(points):
        station.wait("MISSION_ITEM_REACHED", lambda m, seq=seq: m.seq == seq, 40)
        np.testing.assert_allclose(sim.pos[0, :2], point, atol=HORIZONTAL + 2)  # acceptance radius
    station.until_armed(False, 60)
    assert sim.armed[0] == 0
    assert (np.abs(sim.pos[0]) < ACCURACY).all(), sim.pos[0]
    assert sim.check().ok


FAILS, LASTS = 40.0, 10.0  # s


def hover(sim: Sim, station: Station) -> None:
    """Hover 15 m above the start, by set-points, before the fault begins."""
    station.command(common.MAV_CMD_NAV_TAKEOFF, -1, 0, 0, *[math.nan] * 4)
    station.command(common.MAV_CMD_COMPONENT_ARM_DISARM, 1)
    station.wait("LOCAL_POSITION_NED", lambda m: m.z < -2, 60)
    station.target = np.array([0.0, 0, -15])
    time.sleep(0.5)
    station.switch(OFFBOARD)
    station.reach((0, 0, -15), 60)
    assert sim.time < FAILS


def until(sim: Sim, station: Station, end: float) -> None:
    station.wait("HEARTBEAT", lambda _: sim.time > end, 300)


@pytest.mark.parametrize("mode", ["0", "1"])
def test_px4_flies_a_hexarotor_on_without_a_motor_if_told_and_set_to(
    tmp_path: Path, mode: str
) -> None:
    sim = vehicle("hex_x")
    sim.faults.add("motor", actuator=1, at=FAILS)
    with flight(sim, tmp_path, "6011", FD_ACT_EN="1", CA_FAILURE_MODE=mode) as station:
        hover(sim, station)
        until(sim, station, FAILS + 12)
        assert any("Motor failure detected" in text for text in station.texts)
        assert (sim.pos[0, 2] < -10) == (mode == "1"), sim.pos


def test_px4_without_gps_descends_until_it_is_back(tmp_path: Path) -> None:
    sim = vehicle("iris")
    sim.faults.add("sensor_dropout", sensor="gps", at=FAILS, duration=LASTS)
    with flight(sim, tmp_path) as station:
        hover(sim, station)
        until(sim, station, FAILS + LASTS)
        assert any("Failsafe activated" in text for text in station.texts)
        assert -14 < sim.pos[0, 2] < -2
        until(sim, station, FAILS + LASTS + 12)
        assert sim.pos[0] == pytest.approx([0, 0, -15], abs=3)
