"""A real PX4 SITL in the loop, and a station that commands it: `flight`, `Station`."""

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
from pymavlink import mavutil
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.commands.processes import Processes
from pyrfly.commands.px4_build import Px4Build
from pyrfly.server import Server
from pyrfly.server.hil import enable_sensors
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.px4_texts import Px4TextLink

OFFBOARD, AUTO, MISSION = 6, 4, 4  # PX4's main modes, and a sub-mode of AUTO
PREARM_CHECK = 0x10000000  # of SYS_STATUS
POSITION = 0b110111111000  # type_mask: position alone


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
    build: Px4Build, sim: Sim, folder: Path, model: str | None = None, **parameters: str
) -> Iterator[Station]:
    """Start the simulation, PX4, which is told of faults, and a station, until PX4 can be armed."""
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
