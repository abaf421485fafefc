"""Quaternions and Euler angles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly.errors import ShapeError
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


@pytest.mark.parametrize(
    "given",
    ["x", None, [1, 2], np.zeros((3, 2)), [["a"] * 4], [[1], [1, 2]], 1j, int],
    ids=repr,
)
@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (yaw_of_quaternion, r"att: expected (numbers|shape \(\.\.\., 4\)) \[1\], got "),
        (euler_of_quaternion, r"att: expected (numbers|shape \(\.\.\., 4\)) \[1\], got "),
        (quaternion_of_euler, r"euler: expected (numbers|shape \(\.\.\., 3\)) \[rad\], got "),
    ],
)
def test_what_is_no_attitude_is_told(function: Any, expected: str, given: Any) -> None:
    with pytest.raises((ShapeError, TypeError), match=expected):
        function(given)


def test_attitudes_have_any_number_of_axes_and_nan_stays() -> None:
    euler = np.array([[[0.1, -0.2, 3.0], [np.nan, 0, 0]]])
    att = quaternion_of_euler(euler)
    assert att.shape == (1, 2, 4)
    np.testing.assert_allclose(euler_of_quaternion(att)[0, 0], euler[0, 0], rtol=1e-14)
    assert np.isnan(att[0, 1]).all()
