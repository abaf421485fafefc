"""What vehicles of blocks look like: motors where sets have them, which tilt with their joints."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.vehicles import FAMILIES, names
from pyrfly.vehicles.drawing import SPIN, TURN
from pyrfly.vehicles.gazebo_blocks.parts import rows

every_set = pytest.mark.parametrize("name", names("gazebo_blocks"))


def rotors_of(name: str) -> list:
    parts = FAMILIES["gazebo_blocks"].drawing(pyrfly.load(name)).parts
    return [part for part in parts if any(joint.kind == SPIN for joint in part.joints)]


@every_set
def test_each_motor_is_where_the_set_has_it(name: str) -> None:
    columns = pyrfly.load(name).columns
    rotors = rotors_of(name)
    assert [part.joints[0].actuator for part in rotors] == list(range(len(rotors)))
    hubs, axes = (rows(columns, "motor", one) for one in ("position", "axis"))
    np.testing.assert_allclose([part.at for part in rotors], hubs)
    np.testing.assert_allclose([part.joints[0].axis for part in rotors], axes, atol=1e-9)


@pytest.mark.parametrize("name", ["tri_y_servo_plus", "tri_y_servo_minus"])
def test_a_motor_tilts_to_where_the_model_pushes(name: str) -> None:
    sim = pyrfly.Sim(name, 2, dt=1e-5)
    sim.controllers = False
    sim.reset(pos=[0, 0, -50])
    sim.motor_speed[:, :3] = 500.0
    sim.joint_angle[1, 0] = 0.3
    sim.step(1)
    pushed = sim.specific_force[1] - sim.specific_force[0]
    (tail,) = (part for part in rotors_of(name) if len(part.joints) == 2)
    _, tilt = tail.joints
    assert tilt.kind == TURN
    angle = tilt.gain * sim.joint_angle[1, 0] * np.array(tilt.axis)
    axis = np.array(tail.joints[0].axis)
    drawn = Rotation.from_rotvec(angle).apply(axis) - axis
    np.testing.assert_allclose(
        drawn / np.linalg.norm(drawn), pushed / np.linalg.norm(pushed), atol=0.02
    )


@pytest.mark.parametrize("name", ["gz_standard_vtol", "tri_y_servo_plus", "gz_plane"])
def test_a_motor_turns_against_its_torque_on_the_vehicle(name: str) -> None:
    rotors = rotors_of(name)
    sim = pyrfly.Sim(name, 1 + len(rotors), dt=1e-5)
    sim.controllers = False
    sim.reset(pos=[0, 0, -50])
    sim.motor_speed[:, : len(rotors)] = 300.0
    for i in range(len(rotors)):
        sim.motor_speed[1 + i, i] = 400.0
    sim.step(1)
    inertia = sim.inertia[0, :3]
    for i, part in enumerate(rotors):
        spin = part.joints[0]
        force = sim.mass[0] * (sim.specific_force[1 + i] - sim.specific_force[0])
        moment = inertia * (sim.angular_accel[1 + i] - sim.angular_accel[0])
        torque = (moment - np.cross(spin.at, force)) @ spin.axis
        assert spin.gain * torque < 0, part.name
