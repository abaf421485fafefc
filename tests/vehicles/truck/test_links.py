"""A tractor with a trailer at the links: RflySim's inputs and 3D view, PX4, ArduPilot."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim, wire
from pyrfly.protocol.px4_channels import VERSIONS, channels_of
from pyrfly.protocol.synthesis import Command
from pyrfly.vehicles import FAMILIES

from ..conftest import commands_of_ardupilot


def test_rflysims_input_pwms_are_traction_and_steering() -> None:
    """Right forward is clockwise, left too where it goes backward; the trailer goes along."""
    sim = Sim("truck_trailer", 2)
    sim.enable_synthesis()
    sim.command_sil(command=int(Command.ENABLE | Command.ARMED))  # without SIL: inPWMs
    assert sim.groups[0].actuators == ("traction", "steer")
    sim.traction[:], sim.steer[:] = [0.4, -0.4], [0.5, -0.5]
    before = sim.trailer_pos[:, 0].copy()
    sim.sleep(4)
    moved = sim.trailer_pos[:, 0] - before
    assert sim.vel_body[0, 0] > 0.5 > -0.5 > sim.vel_body[1, 0]
    assert moved[0] > 0.5 > -0.5 > moved[1]
    assert (sim.rate[:, 2] > 0.005).all()


def test_packets_for_the_3d_view_have_wheels_steering_and_the_angle_at_the_hitch() -> None:
    sim = Sim("truck_trailer")
    sim.arm()
    sim.truck.command_speed(3.0, yaw_rate=0.1)
    sim.sleep(6)
    (packet,) = wire.pack(sim, "SOut2Simulator")
    rolling = float(sim.vel_body[0, 0]) / float(sim.wheel_radius[0]) * 60 / np.pi / 2
    np.testing.assert_allclose(packet["MotorRPMS"][:4], rolling, rtol=0.02)
    expected = [sim.steering[0], sim.hitch_angle[0], 0, 0]
    np.testing.assert_allclose(packet["MotorRPMS"][4:], expected, rtol=1e-6)
    assert sim.steering[0] > 0 > sim.hitch_angle[0]  # the trailer follows to the right


@pytest.mark.parametrize("version", VERSIONS)
def test_traction_and_steering_are_channels_6_and_1_of_px4(version: str) -> None:
    assert channels_of(FAMILIES["truck"].px4_airframe, 2, version) == (5, 0)


@pytest.mark.parametrize("frame", [None, "ackermann"])
def test_throttle_and_steering_are_outputs_3_and_1_of_ardupilot(frame: str | None) -> None:
    found = commands_of_ardupilot("truck_trailer", frame)
    np.testing.assert_allclose(found[:3], [-0.6, -1, 0])
