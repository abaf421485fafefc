"""What RflySim3D and ground stations are told of vehicles of blocks."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly import wire
from pyrfly.autopilot.identity import vehicle_types


@pytest.mark.parametrize(
    ("name", "shown", "mav_type"),
    [("gz_plane", 100, 1), ("gz_standard_vtol", 130, 22), ("gz_tailsitter", 120, 20)],
)
def test_its_class_and_type_are_those_of_its_kind(name: str, shown: int, mav_type: int) -> None:
    """MAV_TYPE FIXED_WING, VTOL_STANDARD and VTOL_TAILSITTER_QUADROTOR."""
    sim = pyrfly.Sim(name)
    assert wire.pack(sim, "SOut2Simulator")["vehicleType"].tolist() == [shown]
    assert vehicle_types(sim).tolist() == [mav_type]


def test_the_3d_packets_show_motors_and_joints() -> None:
    """Motors [1/min] from the first place on, joints [rad] from the last one back."""
    sim = pyrfly.Sim("gz_standard_vtol")
    sim.reset(pos=[0, 0, -50])
    motors, joints = int(sim.motor_count[0]), int(sim.joint_count[0])
    assert motors + joints <= 8
    sim.motor_speed[0, :motors] = 100.0 + np.arange(motors)
    sim.joint_angle[0, :joints] = 0.1 * (1 + np.arange(joints))
    packet = wire.pack(sim, "SOut2Simulator")["MotorRPMS"][0]
    np.testing.assert_allclose(packet[:motors], (100 + np.arange(motors)) * 30 / np.pi, rtol=1e-6)
    np.testing.assert_allclose(packet[::-1][:joints], 0.1 * (1 + np.arange(joints)), rtol=1e-6)
