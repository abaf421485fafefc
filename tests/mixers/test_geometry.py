"""Geometries against the pseudo-inverse of the matrix of the motors' forces and moments."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly.mixers import GEOMETRIES

R2, R3 = 0.707107, 0.866025
CCW, CW = 1.0, -1.0

# Forward and right position, rotation direction, and where it is not 0 the height of the motor
# [@px4 v1.12.3 MultirotorMixer/geometries]. The moment per thrust is 0.05 m unless it is below.
MOTORS: dict[str, list[tuple[float, ...]]] = {
    "2-": [(0, 1, CW), (0, -1, CW)],
    "3y": [(0.5, R3, CW), (0.5, -R3, CW), (-1, 0, CW)],
    "4+": [(0, 1, CCW), (0, -1, CCW), (1, 0, CW), (-1, 0, CW)],
    "4dc": [
        (0.1155, 0.245, CCW),
        (-0.1875, -0.1875, CCW),
        (0.1155, -0.245, CW),
        (-0.1875, 0.1875, CW),
    ],
    "4h": [(R2, R2, CW), (-R2, -R2, CW), (R2, -R2, CCW), (-R2, R2, CCW)],
    "4s": [(0.105, 0.13, CCW), (-0.105, -0.0552, CCW), (0.105, -0.13, CW), (-0.105, 0.0552, CW)],
    "4w": [
        (0.1515, 0.245, CCW),
        (-0.1515, -0.1875, CCW),
        (0.1515, -0.245, CW),
        (-0.1515, 0.1875, CW),
    ],
    "4x": [(R2, R2, CCW), (-R2, -R2, CCW), (R2, -R2, CW), (-R2, R2, CW)],
    "4xcw": [(R2, R2, CCW), (-R2, R2, CW), (-R2, -R2, CCW), (R2, -R2, CW)],
    "4y": [(0.2, 0.2, CCW), (-0.2, 0, CCW, 0.1), (0.2, -0.2, CW), (-0.2, 0, CW, -0.1)],
    "6+": [
        (1, 0, CW),
        (-1, 0, CCW),
        (-0.5, -R3, CW),
        (0.5, R3, CCW),
        (0.5, -R3, CCW),
        (-0.5, R3, CW),
    ],
    "6c": [
        (x, y, direction)
        for x, y in ((0.5, 0.866), (-1, 0), (0.5, -0.866))
        for direction in (CW, CCW)
    ],
    "6t": [
        (x, y, direction)
        for x, y in ((0.729, 0.684), (-1, 0), (0.729, -0.684))
        for direction in (CW, CCW)
    ],
    "6x": [
        (0, 1, CW),
        (0, -1, CCW),
        (R3, -0.5, CW),
        (-R3, 0.5, CCW),
        (R3, 0.5, CCW),
        (-R3, -0.5, CW),
    ],
    "8+": [
        (1, 0, CW),
        (-1, 0, CW),
        (R2, R2, CCW),
        (-R2, R2, CCW),
        (R2, -R2, CCW),
        (-R2, -R2, CCW),
        (0, -1, CW),
        (0, 1, CW),
    ],
    "8c": [
        (R2, R2, CCW),
        (R2, -R2, CW),
        (-R2, -R2, CCW),
        (-R2, R2, CW),
        (R2, -R2, CCW),
        (R2, R2, CW),
        (-R2, R2, CCW),
        (-R2, -R2, CW),
    ],
    "8cw": [
        (0.3746066, 0.927184, CCW),
        (0.3746066, -0.927184, CW),
        (-0.62932, -0.777146, CCW),
        (-0.62932, 0.777146, CW),
        (0.3746066, -0.927184, CCW),
        (0.3746066, 0.927184, CW),
        (-0.62932, 0.777146, CCW),
        (-0.62932, -0.777146, CW),
    ],
    "8x": [
        (0.9238795, 0.3826834, CW),
        (-0.9238795, -0.3826834, CW),
        (0.3826834, 0.9238795, CCW),
        (-0.9238795, 0.3826834, CCW),
        (0.9238795, -0.3826834, CCW),
        (-0.3826834, -0.9238795, CCW),
        (0.3826834, -0.9238795, CW),
        (-0.3826834, 0.9238795, CW),
    ],
}
MOTORS["6m"] = MOTORS["6x"]
MOTORS["6a"] = [(x, y, -direction) for x, y, direction in MOTORS["6x"]]

MOMENTS = {"2-": 0.0, "3y": 0.0, "4dc": 0.01, "4s": 0.01}


def rows_of(key: str) -> NDArray[np.float64]:
    """Return roll, pitch, yaw and thrust of each motor by the documented rule, axes upwards."""
    x, y, direction = np.array([motor[:3] for motor in MOTORS[key]]).T
    ones = np.ones_like(x)
    effect = np.array([-y, x, MOMENTS.get(key, 0.05) * direction, ones])
    mix = np.linalg.pinv(effect).T
    norms = np.linalg.norm(mix[:2], axis=1)
    scales = np.array(
        [norms.max() / np.sqrt(len(x) / 2)] * 2 + [np.abs(mix[2]).max(), mix[3].mean()]
    )
    scales[scales < 1e-3] = 1.0
    return np.asarray((mix / scales[:, None]).T)


@pytest.mark.parametrize("key", sorted(MOTORS))
def test_rows_are_the_normalized_pseudo_inverse(key: str) -> None:
    np.testing.assert_allclose(GEOMETRIES[key], rows_of(key), atol=2e-6)


def test_all_geometries_but_those_with_tilted_motors_are_computed_here() -> None:
    assert set(GEOMETRIES) - set(MOTORS) == {"4vt", "4x1p"}


@pytest.mark.parametrize("key", sorted(GEOMETRIES))
def test_an_axis_alone_changes_no_other_one(key: str) -> None:
    """The sums of products are those of a matrix with orthogonal rows; not of tilted motors."""
    roll, pitch, yaw, thrust = np.array(GEOMETRIES[key]).T
    if key == "4vt":
        assert abs(roll.sum()) + abs(yaw.sum()) < 1e-6
        return
    assert np.abs([roll.sum(), pitch.sum(), yaw.sum()]).max() < 1e-5
    assert thrust.sum() == pytest.approx(np.count_nonzero(thrust), abs=1e-5)
    assert abs(roll @ pitch) < 1e-5


def test_a_pusher_is_not_a_part_of_hover() -> None:
    assert GEOMETRIES["4x1p"][4] == (0, 0, 0, 0)
    rolls = np.array(GEOMETRIES["4x1p"][:4])[:, 0]
    # the norm is that of five motors, so the gains are larger by sqrt(5 / 4)
    np.testing.assert_allclose(rolls, np.array(GEOMETRIES["4x"])[:, 0] * np.sqrt(1.25), atol=1e-6)
