"""Lidars of RflySim's Config.json: their rays, limits and mounting; what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly.errors import UnsupportedError
from pyrfly.rflysim.cameras import VisionSensorReq, described
from pyrfly.rflysim.lidars import lidar_of

LIMITS = [200, 0.05, -45, 45, -20, 20]


def sensor(**values: Any) -> VisionSensorReq:
    usual = {"TypeID": 20, "DataWidth": 900, "DataHeight": 32, "otherParams": LIMITS}
    return VisionSensorReq(**usual | values)


@pytest.mark.parametrize("kind", [20, 21])
def test_a_turning_lidar_has_the_resolution_of_span_over_number(kind: int) -> None:
    lidar = lidar_of(sensor(TypeID=kind))
    forward, right, down = np.moveaxis(lidar.directions, -1, 0)
    azimuth, elevation = np.degrees(np.arctan2(right, forward)), np.degrees(np.arcsin(-down))
    np.testing.assert_allclose(azimuth[3], -45 + 90 / 900 * np.arange(900), atol=1e-12)
    np.testing.assert_allclose(elevation[:, 7], -20 + 40 / 32 * np.arange(32), atol=1e-12)
    assert (lidar.minimum, lidar.maximum, lidar.noise) == (0, 200, 0)


def test_a_depth_camera_has_the_field_of_view_and_limits_of_uint16() -> None:
    camera = lidar_of(
        sensor(TypeID=2, DataWidth=640, DataHeight=480, CameraFOV=90, otherParams=[0.3] + [0] * 15)
    )
    assert camera.shape == (480, 640)
    assert (camera.minimum, camera.maximum) == (0.3, 65.535)
    forward, right, _ = camera.directions[240, -1]
    assert right / forward == pytest.approx(1 - 1 / 640)
    assert lidar_of(sensor(TypeID=2, otherParams=[0.3, 12, 0.001])).maximum == 12


def test_mounting_is_in_metres_and_degrees_or_a_quaternion() -> None:
    half = np.sqrt(0.5)
    down = lidar_of(sensor(SensorPosXYZ=[0.1, 0, -0.3], SensorAngEular=[0, -90, 0]))
    np.testing.assert_allclose(down.position, [0.1, 0, -0.3])
    np.testing.assert_allclose(down.attitude, [half, 0, -half, 0], atol=1e-15)
    turned = lidar_of(sensor(EularOrQuat=1, SensorAngQuat=[half, 0, 0, half]), noise=0.05)
    np.testing.assert_allclose(turned.attitude, [half, 0, 0, half], atol=1e-15)
    assert turned.noise == 0.05


def test_a_file_may_have_comments(tmp_path: Path) -> None:
    file = tmp_path / "Config.json"
    file.write_text(
        '{"VisionSensors": [ // all "sensors"\n'
        '{"TypeID": 20, "name": "a // b \\" //", "DataWidth": 90, // of a ring\n'
        '"DataHeight": 4, "otherParams": [30, 0, -180, 180, 0, 20, 0, 0]}]}'
    )
    (read,) = described(str(file))
    assert lidar_of(read).shape == (4, 90)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"TypeID": 23}, "TypeID: expected one of 2, 20, 21, got 23"),
        ({"TargetMountType": 2}, "TargetMountType: expected 0, .* got 2"),
        ({"DataWidth": 0}, "DataWidth: expected 1 to 65535, got 0"),
        ({"DataHeight": 7.5}, "DataHeight: expected 1 to 65535, got 7.5"),
        ({"otherParams": [200, 0]}, "otherParams: expected at least 6 numbers"),
        ({"otherParams": [0, "far"]}, "otherParams: "),
        ({"SensorAngEular": [0, np.nan, 0]}, "SensorAngEular: expected finite"),
        ({"SensorPosXYZ": [0, 1]}, "position: expected 3 numbers"),
        ({"TypeID": 2, "CameraFOV": 180}, "fov: expected above 0"),
    ],
)
def test_what_is_no_lidar_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises((UnsupportedError, ValueError, TypeError), match=message):
        lidar_of(sensor(**values))
