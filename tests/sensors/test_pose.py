"""Sensors from the pose alone, as corrected and as printed in a paper on a Pixhawk in the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.protocol.bits import Sensor

Drifting = Callable[..., pyrfly.Sim]
EULER = (10, 5, 30)  # deg: roll, pitch, yaw of the check values


def posed(drifting: Drifting, source: str, *sensors: str, **options: Any) -> pyrfly.Sim:
    """Return a vehicle at the angles of the check values, moving and turning."""
    sim = drifting(1, vel=(7, -3, 2), **options)
    sim.sensors.enable(*sensors, profile="ideal", source=source)
    x, y, z, w = Rotation.from_euler("ZYX", EULER[::-1], degrees=True).as_quat()
    sim.att[:] = (w, x, y, z)
    sim.rate[:] = (0.1, 0.2, -0.3)
    sim.pose_gravity[:] = 9.8
    sim.pose_field[:] = 5e-5
    return sim


@pytest.mark.parametrize(
    ("source", "expected"),
    [("pose", (0.8541, -1.6953, -9.6144)), ("pose_printed", (-1.5793, 1.0532, -9.6144))],
)
def test_check_values_of_the_accelerometer(
    drifting: Drifting, source: str, expected: tuple[float, ...]
) -> None:
    sim = posed(drifting, source, "imu")
    sim.step()
    np.testing.assert_allclose(sim.imu_accel[0], expected, atol=5e-5)
    np.testing.assert_allclose(sim.imu_gyro[0], (0.1, 0.2, -0.3), rtol=1e-12)


@pytest.mark.parametrize(
    ("source", "expected"),
    [("pose", (0.8627, -0.4793, 0.1612)), ("pose_printed", (0.8627, 0.4981, -0.0872))],
)
def test_check_values_of_the_magnetometer(
    drifting: Drifting, source: str, expected: tuple[float, ...]
) -> None:
    sim = posed(drifting, source, "magnetometer")
    sim.step()
    np.testing.assert_allclose(sim.magnetometer[0] / 5e-5, expected, atol=5e-5)


@pytest.mark.parametrize(
    ("source", "shares"),
    [("pose", (0.997631, 0.988200, 0.886991)), ("pose_printed", (0.994554, 0.973039, 0.758716))],
)
def test_check_values_of_the_barometer(
    drifting: Drifting, source: str, shares: tuple[float, ...]
) -> None:
    sim = drifting(3, pos=[[0, 0, -30], [0, 0, -110], [0, 0, -1010]], vel=(50, 0, 0))
    sim.sensors.enable("barometer", profile="ideal", source=source)
    sim.pose_ground[:] = -10
    sim.pose_pressure[:] = 95_000
    sim.step()
    np.testing.assert_allclose(sim.barometer_pressure / 95_000, shares, atol=5e-7)
    np.testing.assert_array_equal(sim.barometer_temperature, 288.15)


def test_the_inverse_is_the_height_of_equation_3(drifting: Drifting) -> None:
    sim = drifting(4, pos=[[0, 0, -1500], [0, 0, 0], [0, 0, -300], [0, 0, -9000]])
    sim.sensors.enable("barometer", profile="ideal", source="pose")
    sim.pose_temperature[:] = 280
    sim.step()
    ratio = sim.barometer_pressure / 101325
    height = 153.8462 * 280 * (1 - np.exp(0.190259 * np.log(ratio)))
    np.testing.assert_allclose(height, [1500, 0, 300, 9000], rtol=3e-5, atol=1e-9)


def test_it_differs_from_physics_as_documented(drifting: Drifting) -> None:
    """Physics: free fall measures nothing; the field dips; the pose knows neither."""
    kinds = ("imu", "magnetometer")
    physics = drifting(1)
    physics.sensors.enable(*kinds, profile="ideal")
    physics.step()
    np.testing.assert_allclose(physics.imu_accel[0], 0, atol=1e-12)
    assert physics.magnetometer[0, 2] > 3e-5
    pose = drifting(1)
    pose.sensors.enable(*kinds, profile="ideal", source="pose")
    pose.step()
    np.testing.assert_allclose(pose.imu_accel[0], (0, 0, -9.80665), rtol=1e-12)
    np.testing.assert_allclose(pose.magnetometer[0], (2.8e-5, 0, 0), rtol=1e-12)


def test_at_rest_and_level_it_agrees_with_physics() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.sensors.enable("imu", "barometer", profile="ideal", ids=1)
    sim.sensors.enable("imu", "barometer", profile="ideal", source="pose", ids=2)
    sim.pose_gravity[:] = sim.gravity
    sim.pose_pressure[:] = 100_725.0  # about that of the standard atmosphere at 50 m
    sim.step(1000)
    np.testing.assert_allclose(sim.imu_accel[0], sim.imu_accel[1], atol=0.02)
    np.testing.assert_allclose(sim.barometer_pressure[0], sim.barometer_pressure[1], rtol=1e-5)


def test_errors_of_a_profile_are_added_and_each_vehicle_has_its_source(drifting: Drifting) -> None:
    sim = drifting(3)
    sim.sensors.enable("imu", "gps", profile="ideal")
    sim.sensors.enable("imu", profile=None, source="pose", ids=2)
    sim.sensors.enable("imu", profile=None, source="pose_printed", ids=3)
    sim.imu_accel_bias[:] = (0.5, 0, 0)
    sim.att[:] = (np.sqrt(0.5), 0, 0, np.sqrt(0.5))
    sim.step()
    g = sim.pose_gravity[0]
    np.testing.assert_allclose(sim.imu_accel, [[0.5, 0, 0], [0.5, 0, -g], [0.5, 0, -g]], atol=1e-12)
    sim.sensors.enable("imu", profile=None)
    sim.step()
    np.testing.assert_allclose(sim.imu_accel, [[0.5, 0, 0]] * 3, atol=1e-12)


def test_an_effect_is_enabled_only_where_it_is_measured() -> None:
    sim = pyrfly.Sim("x450")
    sim.sensors.enable("magnetometer", "barometer", source="pose")
    assert not sim.environment.enabled
    assert sim.sensors_on.tolist() == [Sensor.MAGNETOMETER | Sensor.BAROMETER]


@pytest.mark.parametrize(
    ("sensors", "source", "message"),
    [
        (("imu", "gps"), "pose", "source: expected 'physics'"),
        (("range",), "pose_printed", "source: expected 'physics'"),
        (("imu",), "real", "source: expected .*physics"),
    ],
)
def test_other_sensors_and_sources_are_refused(
    sensors: tuple[str, ...], source: str, message: str
) -> None:
    sim = pyrfly.Sim("x450")
    with pytest.raises(ValueError, match=message):
        sim.sensors.enable(*sensors, source=source)
    assert not sim.sensors.enabled


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_pressure_is_positive_at_any_height(drifting: Drifting, precision: str) -> None:
    sim = drifting(2, pos=[[0, 0, -44_400], [0, 0, -500_000]], precision=precision)
    sim.sensors.enable("barometer", profile="ideal", source="pose")
    sim.step()
    assert np.isfinite(sim.barometer_pressure).all()
    assert (sim.barometer_pressure > 0).all()
