"""Quaternions and Euler angles."""

from __future__ import annotations

import numpy as np

from pyrfly.frames import euler_of_quaternion, quaternion_of_euler, yaw_of_quaternion
from pyrfly.sim import Sim


def test_euler_angles_are_those_of_the_core() -> None:
    rng = np.random.default_rng(7)
    sim = Sim("x450", 50)
    att = rng.normal(size=(50, 4))
    sim.att[:] = att / np.linalg.norm(att, axis=-1, keepdims=True)
    euler = euler_of_quaternion(np.array(sim.att))
    np.testing.assert_allclose(euler, sim.euler, atol=1e-9)
    back = quaternion_of_euler(euler)
    np.testing.assert_allclose(
        back * np.sign((back * sim.att).sum(-1))[:, None], sim.att, atol=1e-9
    )
    np.testing.assert_array_equal(yaw_of_quaternion(sim.att), euler[:, 2])
