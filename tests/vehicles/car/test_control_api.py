"""RflySim's control API on cars, and their links to autopilots."""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.mixers import MixedActuators, Mixer, parse
from pyrfly.protocol.px4_channels import VERSIONS, channels_of
from pyrfly.protocol.synthesis import Command
from pyrfly.server import Server
from pyrfly.server.links.px4 import Px4Link
from pyrfly.vehicles import FAMILIES, load

from ...autopilot.uploads import LAND, SPEED, at, do, start, upload
from ..conftest import commands_of_ardupilot

Offboard = Callable[..., tuple[Sim, PX4MavCtrler]]

STEERED = (
    b"M: 1\nS: 0 2 10000 10000 0 -10000 10000\n"
    + b"Z:\n" * 4
    + b"M: 1\nS: 0 3 10000 10000 0 -10000 10000\n"
)
"""Yaw on output 0 and throttle on output 5, as PX4's SITL numbers them."""


@pytest.fixture
def offboard() -> Offboard:
    """Make a car that is armed and in offboard."""

    def make(name: str = "rover_ackermann") -> tuple[Sim, PX4MavCtrler]:
        sim = Sim(name)
        mav = PX4MavCtrler(1, sim=sim)
        mav.InitMavLoop()
        mav.SendMavArm(1)
        mav.initOffboard()
        return sim, mav

    return make


def test_positions_are_driven_to_with_their_headings(offboard: Offboard) -> None:
    sim, mav = offboard()
    mav.SendPosNED(5, 3, -8, 1.0)
    sim.sleep(20)
    np.testing.assert_allclose(mav.uavPosNED, [5, 3, 0], atol=0.1)
    assert mav.uavAngEular[2] == pytest.approx(1.0, abs=0.02)


def test_velocities_are_turned_to(offboard: Offboard) -> None:
    sim, mav = offboard()
    mav.SendVelNED(0, 1, 0, 0)
    sim.sleep(6)
    np.testing.assert_allclose(mav.uavVelNED, [0, 1, 0], atol=0.02)
    mav.SendVelFRD(-0.5, 0, 0, 0.3)
    sim.sleep(4)
    assert np.linalg.norm(sim.vel[0]) == pytest.approx(0.5, abs=0.02)
    assert sim.vel_body[0, 0] < 0 < sim.rate[0, 2]
    assert sim.rate[0, 2] == pytest.approx(0.3, abs=0.02)
    assert sim.sil_refused[0] == 0


def test_ground_speed_is_that_of_going_somewhere(offboard: Offboard) -> None:
    sim, mav = offboard()
    mav.SendGroundSpeed(0.7)
    mav.SendPosNED(30, 0, 0)
    sim.sleep(5)
    assert mav.uavVelNED[0] == pytest.approx(0.7, abs=0.02)


def test_ground_speeds_are_as_high_as_those_of_cars(offboard: Offboard) -> None:
    sim, mav = offboard()
    mav.SendGroundSpeed(45)
    sim.sleep(0.1)
    assert sim.speed_limit[0] == 45


def test_a_take_off_is_readiness_and_a_landing_a_stop(offboard: Offboard) -> None:
    sim, mav = offboard()
    mav.sendMavTakeOff(0, 0, 0)
    sim.sleep(2)
    assert np.linalg.norm(sim.pos[0]) < 1e-6
    mav.SendVelFRD(1, 0, 0, 0)
    sim.sleep(3)
    mav.sendMavLand(0, 0, 0)
    sim.sleep(20)
    assert not sim.armed[0]
    assert np.abs(sim.vel).max() < 1e-3


@pytest.mark.parametrize("version", VERSIONS)
def test_traction_and_steering_are_channels_6_and_1_of_px4(version: str) -> None:
    assert channels_of(FAMILIES["car"].px4_airframe, 2, version) == (5, 0)


def test_px4s_mixer_drives_and_steers() -> None:
    sim = Sim("rover_ackermann", 2)
    sim.controllers = False
    sim.arm()
    MixedActuators(sim, Mixer(parse(STEERED))).command(thrust=[0.5, -0.5], yaw=[0.4, 0.4])
    np.testing.assert_allclose(sim.traction, [0.5, -0.5])
    np.testing.assert_allclose(sim.steer, [0.4, 0.4])
    sim.step(1500)
    assert sim.rate[0, 2] > 0.1
    assert sim.vel_body[1, 0] < -0.1 > sim.rate[1, 2]


@pytest.mark.parametrize("channels", [None, (1, 0)])
def test_px4s_controls_drive_ahead_and_to_the_right(channels: tuple[int, int] | None) -> None:
    """Both above 0, as its module rover_ackermann has them [@px4 v1.16.1 AckermannActControl.cpp].

    Airframe 1060 has the throttle on channel 5, and 10045 of PX4's own simulator on 1.
    """
    vehicle = load("rover_ackermann")
    sim = Sim(vehicle if channels is None else vehicle.with_px4_channels(channels))
    link = Px4Link(sim, first_port=0)
    controls = [0.0] * 16
    controls[0], controls[5 if channels is None else 1] = 0.4, 0.3
    message = common.MAVLink_hil_actuator_controls_message(0, controls, 129, 0)
    with (
        closing(Server(sim, mode=None, rate="max", links=[link])) as server,
        socket.create_connection(("127.0.0.1", link.ports[0]), timeout=20) as px4,
    ):
        px4.sendall(message.pack(common.MAVLink(None, srcSystem=1, srcComponent=1)))
        end = time.monotonic() + 30
        while not link.stats["accepted"]:
            assert time.monotonic() < end
            server.run(0.01)
        server.run(2.0)
    np.testing.assert_allclose([sim.traction[0], sim.steer[0]], [0.3, 0.4], atol=1e-6)
    assert sim.vel_body[0, 0] > 0.3
    assert sim.rate[0, 2] > 0.05


@pytest.mark.parametrize("frame", [None, "ackermann"])
def test_throttle_and_steering_are_outputs_3_and_1_of_ardupilot(frame: str | None) -> None:
    found = commands_of_ardupilot("rover_ackermann", frame)
    np.testing.assert_allclose(found[:3], [-0.6, -1, 0])


def test_its_type_is_a_ground_rover(station: Any) -> None:
    s = station("rover_ackermann", rates={"HEARTBEAT": 1.0})
    s.run(0.02)
    assert s.all("HEARTBEAT")[0].type == common.MAV_TYPE_GROUND_ROVER
    assert s.parameters.get(0, "NAV_ACC_RAD") == 0.5
    limit = float(s.sim.speed_limit[0])
    assert s.parameters.get(0, "RO_SPEED_LIM") == pytest.approx(limit)


@pytest.mark.slow
def test_a_mission_of_a_station_has_speeds(station: Any) -> None:
    """DO_CHANGE_SPEED before each of two waypoints, then a landing, where it stops."""
    s = station("rover_ackermann")
    legs = ((0.6, (8, 0, 0)), (1.3, (8, 14, 0)))
    items = [item for speed, place in legs for item in (do(SPEED, 1, speed, -1), at(*place))]
    upload(s, [*items, at(8, 14, 0, LAND)])
    start(s)
    fastest = [0.0, 0.0]

    def done() -> bool:
        later = int(s.sim.pos[0, 0] > 6)
        fastest[later] = max(fastest[later], float(np.linalg.norm(s.sim.vel[0])))
        return not s.sim.armed[0]

    s.until(done, 120)
    assert fastest[0] < 0.8 < 1.1 < fastest[1] < 1.5
    np.testing.assert_allclose(s.sim.pos[0, :2], [8, 14], atol=0.5)


@pytest.mark.parametrize("name", ["rover_ackermann", "bmw_320i", "bmw_320i_slip"])
def test_rflysims_input_pwms_are_traction_and_steering(name: str) -> None:
    sim = Sim(name, 2, dt=0.002)
    sim.enable_synthesis()
    sim.command_sil(command=int(Command.ENABLE | Command.ARMED))  # without SIL: inPWMs
    assert sim.groups[0].actuators == ("traction", "steer")
    sim.traction[:], sim.steer[:] = [0.2, -0.2], [0.3, -0.3]
    sim.sleep(1.5)
    assert sim.vel_body[0, 0] > 0.3 > -0.3 > sim.vel_body[1, 0]
    assert (sim.rate[:, 2] > 0.02).all()  # right forward, and left backward, are clockwise


def test_packets_for_the_3d_view_have_wheels_and_steering() -> None:
    sim = Sim("f1tenth")
    sim.arm()
    sim.car.command_speed(3.0, yaw_rate=0.5)
    sim.sleep(3)
    rpm = sim.wheel_speed[0] * 60 / math.tau
    np.testing.assert_allclose(sim.displayed_actuators[0, :4], rpm.repeat(2), rtol=1e-12)
    assert sim.displayed_actuators[0, 4] == sim.steering[0] > 0
    assert sim.groups[0].uav_type == 50
