"""Planes at the links of a server: RflySim's packets, its control API over the network, PX4."""

from __future__ import annotations

import math
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim, wire
from pyrfly.cli import main
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.protocol.px4_channels import VERSIONS, channels_of, hitl_scales
from pyrfly.server import Server
from pyrfly.server.links.px4 import Px4Link
from pyrfly.vehicles import FAMILIES

from ...server.standins.px4 import Px4
from .aloft import CRUISE, NAME, airspeed, course, fly, is_circled

RADIUS = float(Sim(NAME).groups[0].loiter_radius[0])
ARM, POS_NED, CRUISE_MODE, TAKE_OFF, TAKE_OFF_GPS, SPEED_HEIGHT = 9, 2, 10, 11, 12, 13
GLIDE, LAND, LOITER, IDLE = 292, 8192, 12288, 16384


# --- packets --------------------------------------------------------------------------------------


class Sender:
    """A program that knows RflySim's packets and sockets alone."""

    def __init__(self, server: Server, first_port: int) -> None:
        self._server = server
        self._first_port = first_port
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def _send(self, row: int, data: bytes) -> None:
        self._socket.sendto(data, ("127.0.0.1", self._first_port + 2 * row))

    def short(self, row: int, mode: int, *controls: float) -> None:
        """Send the message of 24 bytes."""
        self._send(row, struct.pack("<2i4f", 1234567890, mode, *controls))

    def full(self, row: int, mask: int, *numbers: float) -> None:
        """Send the message of 120 bytes, in MAV_FRAME 1."""
        values = [*numbers, *[0.0] * (16 - len(numbers))]
        packet = wire.blank("inHILCMDData")
        packet["copterID"], packet["modes"], packet["flags"] = row + 1, mask, 1
        packet["ctrls"][0] = values
        self._send(row, packet[0].tobytes())

    def run(self, seconds: float = 0.01) -> None:
        self._server.run(seconds)

    def stream(self, seconds: float, send: Callable[[], object]) -> None:
        """Send for a time, often enough that the stream does not end."""
        for _ in range(round(seconds / 0.3)):
            send()
            self._server.run(0.3)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def served(first_port: Callable[[int], int]) -> Iterator[Callable[..., tuple[Sim, Sender]]]:
    """Return a function that serves planes, which fly if so wanted, and a sender."""
    opened: list[Any] = []

    def make(n: int = 1, flies: bool = True) -> tuple[Sim, Sender]:
        first = first_port(n)
        sim = Sim(NAME, n, dt=0.002)
        server = Server(
            sim, "udp_simple", rate="max", first_port=first, timeouts={"setpoints": 0.5}
        )
        sender = Sender(server, first)
        opened.extend([server, sender])
        if flies:
            for row in range(n):
                sender.short(row, ARM, 1, 0, 0, 0)
            sender.run()
            fly(sim)
        return sim, sender

    yield make
    for thing in opened:
        thing.close()


@pytest.mark.slow
def test_messages_of_positions_speeds_courses_and_radii(served: Any) -> None:
    """Short ones of a position, of a course and of a body velocity that ends, a full one."""
    sim, sender = served(4)
    sender.short(0, CRUISE_MODE, 0, 140, 0, 0)
    sender.run()
    sender.short(0, CRUISE_MODE, 27, 0, 0, 0)
    sender.run()
    assert (sim.loiter_radius[0], sim.cruise_airspeed[0]) == (140, 27)

    def lasting() -> None:
        sender.short(0, POS_NED, 250, 50, -120, 0)
        sender.short(1, SPEED_HEIGHT, 27, -130, -2.0, 0)
        sender.full(2, 448, 0, 0, -110, 1.2, 26, 0, 0, 0, 0, 1.2)

    def all_messages() -> None:
        lasting()
        sender.short(3, 0, 25, 0, 0, 0)

    sender.stream(5, all_messages)
    sender.stream(1, lasting)
    place = sim.pos[3].copy()
    sender.stream(44, lasting)
    assert course(sim, 1) == pytest.approx(-2.0, abs=0.02)
    assert course(sim, 2) == pytest.approx(1.2, abs=0.02)
    np.testing.assert_allclose(sim.pos[1:3, 2], [-130, -110], atol=2)
    assert airspeed(sim, 1) == pytest.approx(27, abs=1)
    assert np.hypot(*(sim.pos[3, :2] - place[:2])) < 2.2 * RADIUS
    assert sim.pos[3, 2] == pytest.approx(place[2], abs=3)
    is_circled(sim, (250, 50, -120), 140, 27)
    sender.short(0, CRUISE_MODE, 24, 1e30, 0, 0)
    sender.run()
    assert (sim.loiter_radius[0], sim.cruise_airspeed[0]) == (1000, 24)  # PX4's highest radius


@pytest.mark.slow
def test_messages_take_off(served: Any) -> None:
    """Two short ones, and a full one, which does not arm."""
    sim, sender = served(3, flies=False)
    lat, lon, alt = sim.local_frame.to_lla(np.array([0.0, 0.0, -45.0])).tolist()
    sender.stream(2, lambda: sender.full(2, 4096, 0, 0, -40))
    assert not sim.armed[2]
    np.testing.assert_allclose(sim.pos[2], 0, atol=0.01)
    for row in range(3):
        sender.short(row, ARM, 1, 0, 0, 0)
    sender.run()
    sender.short(0, TAKE_OFF, 0, 0, -45, 0)
    sender.short(1, TAKE_OFF_GPS, lat, lon, alt, 0)

    def lasting() -> None:
        for row in range(2):
            sender.short(row, -1, 0, 0, 0, 0)  # which requests nothing
        sender.full(2, 4096, 0, 0, -40)

    sender.run()
    sender.stream(25, lasting)
    np.testing.assert_allclose(sim.pos[:, 2], [-45, -45, -40], atol=2)
    np.testing.assert_allclose([course(sim, row) for row in range(2)], 0, atol=0.03)


@pytest.mark.slow
def test_full_messages_of_kinds_of_positions(served: Any) -> None:
    sim, sender = served()
    sender.stream(45, lambda: sender.full(0, LOITER, 300, 0, -120))
    is_circled(sim, (300, 0, -120), RADIUS)
    sender.stream(3, lambda: sender.full(0, GLIDE, 300, 0, -120))
    assert sim.propeller_throttle[0] == 0
    assert sim.vel[0, 2] > 1
    sender.stream(2, lambda: sender.full(0, IDLE, 300, 0, -120))
    np.testing.assert_allclose(sim.euler[0, :2], 0, atol=0.04)
    for _ in range(2):
        sender.full(0, LAND, 0, 0, 0)
        sender.run()
    assert sim.navigator_mode[0] == 5  # approach


def test_packets_for_the_3d_view_have_type_propeller_and_deflections() -> None:
    sim = Sim({"x450": 1, NAME: 1})
    sim.groups[1].propeller_speed[:] = 500
    sim.groups[1].surface_angle[:] = (0.1, -0.2, 0.05, 0)
    packet = wire.pack(sim, "SOut2Simulator")[1]
    assert packet["vehicleType"] == 100
    expected = [500 * 60 / math.tau, 0.1, -0.2, 0.05, 0, 0, 0, 0]
    np.testing.assert_allclose(packet["MotorRPMS"], expected, rtol=1e-6)


def test_a_fleet_is_served_by_name(capsys: Any, first_port: Callable[[int], int]) -> None:
    first = first_port(2)
    options = ["--vehicles", f"{NAME}:2", "--first-port", str(first), "--seconds", "0"]
    assert main(["sim", *options]) == 0
    assert NAME in capsys.readouterr().out


# --- the control API over the network -------------------------------------------------------------


def until(reached: Callable[[], object]) -> None:
    """Wait for something that another thread brings about."""
    end = time.monotonic() + 60
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.01)


MODES = {"udp_full": 0, "udp_simple": 1, "mavlink_full": 2}


@pytest.mark.realtime
@pytest.mark.parametrize("mode", MODES)
def test_the_control_api_flies_it_over_the_network(
    mode: str, first_port: Callable[..., int]
) -> None:
    first = first_port(1, mavlink=True)
    sim = Sim(NAME, dt=0.002)
    with Server(sim, mode, 12.0, first_port=first):
        mav = PX4MavCtrler(1, first_port=first)
        mav.InitMavLoop(MODES[mode])
        until(lambda: bool(mav.isPX4Ekf3DFixed))
        if mode == "mavlink_full":
            mav.sendTakeoffMode(-40)
        else:
            mav.SendMavArm(1)
            mav.sendMavTakeOff(0, 0, -40)
        until(lambda: mav.uavPosNED[2] < -35)
        mav.SendCruiseSpeed(27)
        mav.SendCruiseRadius(150)
        mav.initOffboard()
        mav.SendVelYawAlt(27, 1.0, -60)
        until(lambda: abs(course(sim) - 1.0) < 0.03 and abs(mav.uavPosNED[2] + 60) < 3)
        mav.SendPosNED(300, 0, -70, 0)
        until(lambda: on_circle(mav.uavPosNED, (300, 0, -70), 150))
        assert sim.cruise_airspeed[0] == 27
        mav.SendPosNEDExt(300, 0, -70, 4)
        until(lambda: sim.propeller_throttle[0] == 0)
        mav.SendPosNEDExt(0, 0, 0, 2)
        until(lambda: sim.navigator_mode[0] == 5)
        mav.endMavLoop()


def on_circle(pos: Any, centre: tuple[float, ...], radius: float) -> bool:
    way = np.subtract(pos, centre)
    return bool(abs(np.hypot(way[0], way[1]) - radius) < 3 and abs(way[2]) < 2)


# --- PX4 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_channels_of_px4(version: str) -> None:
    """Right aileron, elevator, rudder, left flap, motor of airframe 1030 and of plane_sitl."""
    airframe = FAMILIES["plane"].px4_airframe
    assert channels_of(airframe, 5, version) == (6, 7, 2, 3, 4)
    if version in VERSIONS[:2]:  # in hardware in the loop: 0 to 1 for channel 3 alone
        gains = [scale.gain for scale in hitl_scales(airframe, (False,) * 4 + (True,), version)]
        assert gains == [1, 1, 1, 2, 0.5]


def test_controls_of_px4_reach_surfaces_and_motor() -> None:
    sim = Sim(NAME)
    link = Px4Link(sim, first_port=0, version="1.16")
    with (
        closing(Server(sim, mode=None, rate="max", links=[link])) as server,
        socket.create_connection(("127.0.0.1", link.ports[0]), timeout=20) as px4,
    ):
        controls = [0.0, 0.0, 0.3, 0.0, 0.7, -0.1, 0.1, -0.2, 0.0, *[0.0] * 7]
        message = common.MAVLink_hil_actuator_controls_message(0, controls, 129, 0)
        px4.sendall(message.pack(common.MAVLink(None, srcSystem=1, srcComponent=1)))
        end = time.monotonic() + 30
        while not link.stats["accepted"]:
            assert time.monotonic() < end
            server.run(0.01)
        np.testing.assert_allclose(sim.surface_command[0], [0.1, -0.2, 0.3, 0], atol=1e-6)
        assert sim.propeller_throttle[0] == pytest.approx(0.7)


class Wing(Px4):
    """A stand-in that integrates the gyroscope; holds heading, bank and pitch, by PX4's signs."""

    def _step(self, m: Any) -> Any:
        dt = (m.time_usec - self.times[-1]) * 1e-6 if self.times else 0.0
        self.times.append(m.time_usec)
        e = self.estimate
        p, q, r = m.xgyro, m.ygyro, m.zgyro
        e.roll += dt * (p + math.tan(e.pitch) * (q * math.sin(e.roll) + r * math.cos(e.roll)))
        e.pitch += dt * (q * math.cos(e.roll) - r * math.sin(e.roll))
        e.yaw += dt * r
        self.armed = len(self.times) > 100
        controls = np.zeros(16)
        if self.armed:
            flies = np.hypot(*e.vel) > 22
            roll = 0.6 * (0.3 * -e.yaw * flies - e.roll) - 0.05 * p
            controls[5], controls[6] = -roll, roll
            controls[7] = 1.5 * (math.radians(8) * flies - e.pitch) - 0.2 * q
            controls[2] = -(e.yaw + 0.3 * r) * (not flies)
            controls[4] = 1.0
        return np.clip(controls, -1, 1)


@pytest.mark.slow
def test_a_stand_in_for_px4_takes_off_and_keeps_its_attitude() -> None:
    sim = Sim(NAME, dt=0.002)
    link = Px4Link(sim, first_port=0)
    server = Server(sim, mode=None, rate="max", links=[link])
    with closing(server), Wing(link.ports[0]):
        end = time.monotonic() + 30
        while link.connected != [1]:
            assert time.monotonic() < end
            server.run(0.01)
        server.run(14)
        assert sim.armed[0]
        assert sim.pos[0, 2] < -10
        assert abs(sim.euler[0, 0]) < 0.05
        assert sim.euler[0, 1] == pytest.approx(math.radians(8), abs=0.05)
        assert abs(course(sim)) < 0.1
        assert airspeed(sim) > CRUISE - 5
