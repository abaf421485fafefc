"""Axes of ROS against rotation matrices and plain cases."""

from __future__ import annotations

import numpy as np
import pytest
from pyrfly_ros import frames
from scipy.spatial.transform import Rotation

from pyrfly.frames import quaternion_of_euler

# Axes of ROS in ours [@ros REP 103].
ENU_OF_NED = np.array([[0, 1, 0], [1, 0, 0], [0, 0, -1]])
FLU_OF_FRD = np.diag([1, -1, -1])
VECTORS = np.random.default_rng(7).normal(size=(20, 3))
TURNS = Rotation.random(20, random_state=8)


def test_vectors_are_those_of_the_matrices() -> None:
    np.testing.assert_allclose(frames.swapped(VECTORS), VECTORS @ ENU_OF_NED.T)
    np.testing.assert_allclose(frames.flipped(VECTORS), VECTORS @ FLU_OF_FRD.T)


@pytest.mark.parametrize("turned", [frames.swapped, frames.flipped])
def test_vectors_come_back(turned) -> None:
    np.testing.assert_array_equal(turned(turned(VECTORS)), VECTORS)


def test_orientations_are_those_of_the_matrices() -> None:
    att = TURNS.as_quat()[:, [3, 0, 1, 2]]
    found = Rotation.from_quat(frames.orientation(att)).as_matrix()
    np.testing.assert_allclose(found, ENU_OF_NED @ TURNS.as_matrix() @ FLU_OF_FRD, atol=1e-12)
    np.testing.assert_allclose(frames.attitude(frames.orientation(att)), att, atol=1e-12)


@pytest.mark.parametrize(
    ("heading", "yaw"), [(0.0, np.pi / 2), (np.pi / 2, 0.0), (np.pi, -np.pi / 2), (0.3, 1.2707963)]
)
def test_headings_from_north_are_yaws_from_east(heading: float, yaw: float) -> None:
    """A level vehicle: REP 103 has yaw 0 in the east, positive to the left."""
    half = yaw / 2
    level = np.array([0, 0, np.sin(half), np.cos(half)])
    found = frames.orientation(quaternion_of_euler([0, 0, heading]))
    assert abs(found @ level) == pytest.approx(1)
    assert np.cos(frames.heading(level) - heading) == pytest.approx(1)


def test_signs_of_roll_and_pitch() -> None:
    """Heading east: a roll to the right is positive in both, nose up is a negative pitch of ROS."""
    att = quaternion_of_euler([[0.2, 0, np.pi / 2], [0, 0.2, np.pi / 2]])
    angles = Rotation.from_quat(frames.orientation(att)).as_euler("xyz")
    np.testing.assert_allclose(angles, [[0.2, 0, 0], [0, -0.2, 0]], atol=1e-12)
