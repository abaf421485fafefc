"""Helicopters as PX4s and at the links of a server: type, channels, missions, RflySim's API."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim, wire
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.protocol.px4_channels import VERSIONS, channels_of
from pyrfly.protocol.synthesis import Command, inputs
from pyrfly.server import OptionError, Server
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.serial_hil import SerialHilLink
from pyrfly.vehicles import FAMILIES

SET = "blade_360"


@pytest.fixture
def offboard() -> tuple[Sim, PX4MavCtrler]:
    """Return a helicopter that is armed and in offboard, with its controller."""
    sim = Sim(SET)
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    mav.SendMavArm(1)
    mav.initOffboard()
    return sim, mav


def test_its_type_is_a_helicopter(station: Callable[..., Any]) -> None:
    s = station(SET, rates={"HEARTBEAT": 1.0})
    s.run(0.02)
    assert s.all("HEARTBEAT")[0].type == common.MAV_TYPE_HELICOPTER == 4
    assert s.parameters.get(0, "MAV_TYPE") == 4
    assert s.parameters.get(0, "MPC_XY_VEL_MAX") == pytest.approx(s.sim.speed_limit[0])


@pytest.mark.parametrize("version", VERSIONS)
def test_its_channels_are_those_of_px4(version: str) -> None:
    """Motor, tail, servos; of mixers, before 1.14, motor, three servos, tail."""
    expected = (0, 4, 1, 2, 3, 5) if version in ("1.12", "1.13") else (0, 1, 2, 3, 4, 5)
    assert channels_of(FAMILIES["helicopter"].px4_airframe, 6, version) == expected


def test_px4_drives_its_actuators() -> None:
    sim = Sim(SET)
    link = Px4Link(sim, first_port=0)
    address = ("127.0.0.1", link.ports[0])
    with (
        closing(Server(sim, mode=None, rate="max", links=[link])) as server,
        socket.create_connection(address, timeout=20) as px4,
    ):
        controls = [0.9, -0.2, 0.3, -0.4, 0.5, 0.6, *[0.0] * 10]
        message = common.MAVLink_hil_actuator_controls_message(0, controls, 129, 0)
        px4.sendall(message.pack(common.MAVLink(None, srcSystem=1, srcComponent=1)))
        end = time.monotonic() + 30
        while not link.stats["accepted"]:
            assert time.monotonic() < end
            server.run(0.01)
        commanded = [*sim.engine_throttle, *sim.tail_command, *sim.swash_command[0]]
        np.testing.assert_allclose(commanded, controls[:6], atol=1e-6)


def test_the_serial_link_needs_rotors() -> None:
    with pytest.raises(OptionError, match=r"with 4 rotors, .* blade_360, which has none"):
        SerialHilLink(Sim(SET), None)


def test_the_3d_packets_show_rotors_and_servos() -> None:
    sim = Sim(SET)
    sim.reset(pos=[0, 0, -10], hover=True)
    packet = wire.pack(sim, "SOut2Simulator")[0]
    assert packet["vehicleType"] == 110
    rpms = packet["MotorRPMS"]
    np.testing.assert_allclose(rpms[:2], [2100, 4.66 * 2100], rtol=1e-5)
    np.testing.assert_allclose(rpms[2:5], np.pi / 4 * sim.swash_position[0, :3], rtol=1e-5)


@pytest.mark.slow
def test_rflysims_api_flies_it(offboard: tuple[Sim, PX4MavCtrler]) -> None:
    sim, mav = offboard
    mav.SendPosNED(4, -3, -5, 1.0)
    sim.sleep(20)
    np.testing.assert_allclose(mav.uavPosNED, [4, -3, -5], atol=0.1)
    assert mav.uavAngEular[2] == pytest.approx(1.0, abs=0.02)
    mav.SendVelNED(1, 0.5, 0, 0)
    sim.sleep(6)
    np.testing.assert_allclose(sim.vel[0], [1, 0.5, 0], atol=0.1)
    mav.SendVelFRD(2, 0, -0.5, 0)
    sim.sleep(6)
    yaw = sim.euler[0, 2]
    np.testing.assert_allclose(sim.vel[0], [2 * np.cos(yaw), 2 * np.sin(yaw), -0.5], atol=0.15)
    mav.sendMavLand(sim.pos[0, 0], sim.pos[0, 1], 0)
    sim.sleep(60)
    assert sim.armed[0] == 0
    assert abs(sim.pos[0, 2]) < 0.01


def test_external_actuator_commands_replace_those_of_the_controllers() -> None:
    """RflySim's inPWMs, in the order of the actuators, while inSILInts says so."""
    sim = Sim(SET)
    sim.enable_synthesis()
    ints, floats = inputs(1)
    ints[0, 0] = Command.ENABLE | Command.ARMED
    sim.command_sil(ints, floats)
    commanded = [0.8, 0.1, 0.2, 0.3, -0.1, 0.0]
    sim.engine_throttle[:], sim.tail_command[:] = commanded[:2]
    sim.swash_command[:] = commanded[2:]
    sim.sleep(0.1)
    assert sim.engine_throttle[0] == pytest.approx(0.8)
    np.testing.assert_allclose(sim.swash_command[0], commanded[2:])
    ints[0, 0] |= Command.SIL
    sim.command_sil(ints, floats)
    sim.sleep(0.1)
    assert sim.engine_throttle[0] != pytest.approx(0.8)
