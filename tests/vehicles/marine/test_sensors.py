"""What sensors measure in water."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly import ParameterError
from pyrfly.frames import quaternion_of_euler
from pyrfly.protocol.bits import Sensor
from pyrfly.vehicles import names

from .conftest import under_way

Array = NDArray[np.float64]
IN_WATER = ("water_pressure", "dvl", "acoustic")
AIR = 101325.0  # Pa, ISO 2533
SEED = 20261127


def sensing(
    name: str = "bluerov2_heavy",
    n: int = 1,
    pos: Any = (0, 0, 20),
    profile: str = "ideal",
    dt: float = 0.004,
) -> pyrfly.Sim:
    """Return vehicles at places in water of 100 m, by default with an update of sensors a step."""
    sim = under_way(name, n, dt=dt)
    sim.sensors.enable(*IN_WATER, profile=profile)
    sim.reset(pos=np.broadcast_to(pos, (n, 3)), seed=SEED)
    return sim


@pytest.mark.parametrize("name", names("marine"))
def test_water_pressure_is_that_of_the_column_above(name: str) -> None:
    sim = sensing(name, 3, dt=0.002)
    sim.environment.set_water(7.0)
    sim.pos[:, 2] = [-6.0, 0.0, 50.0]
    depth = sim.pos[:, 2] - sim.rest_height + 7.0
    sim.step()
    expected = AIR + sim.water_density * sim.gravity * depth
    np.testing.assert_allclose(sim.water_pressure, expected, rtol=1e-9)
    np.testing.assert_allclose(sim.water_pressure_depth, depth, rtol=1e-9)


def test_water_pressure_is_measured_where_its_sensor_is() -> None:
    sim = sensing(n=40)
    rng = np.random.default_rng(3)
    place = rng.uniform(-0.4, 0.4, (40, 3))
    sim.water_pressure_position[:] = place
    sim.att[:] = quaternion_of_euler(rng.uniform(-1.5, 1.5, (40, 3)))
    turned = Rotation.from_quat(sim.att[:, [1, 2, 3, 0]]).apply(place)
    depth = sim.pos[:, 2] - sim.rest_height + turned[:, 2]
    sim.step()
    np.testing.assert_allclose(sim.water_pressure_depth, depth, rtol=1e-9)


def test_water_pressure_has_noise_bias_and_steps() -> None:
    """A step d adds d^2 / 12 to the variance of noise that is wider."""
    n = 20_000
    sim = sensing(n=n, profile="px4")
    sim.water_pressure_bias[: n // 2] = 500.0
    true = AIR + float((sim.water_density * sim.gravity * (20 - sim.rest_height))[0])
    sim.step()
    assert not (sim.water_pressure % 10).any()
    halves = sim.water_pressure.reshape(2, -1) - true
    np.testing.assert_allclose(halves.mean(axis=1), [500.0, 0.0], atol=0.8)
    np.testing.assert_allclose(halves.std(axis=1), np.sqrt(20**2 + 10**2 / 12), rtol=0.03)


def test_out_of_the_water_there_is_standard_air_and_nothing_else() -> None:
    sim = pyrfly.Sim({"otter": 1, "x450": 1}, dt=0.002)
    sim.controllers = False
    sim.sensors.enable(*IN_WATER, profile="ideal")
    sim.reset(pos=[[0, 0, -20], [3, 0, -20]])
    sim.step()
    everyone = sim.select()
    assert everyone.read("water_pressure").tolist() == [AIR, AIR]
    for column in ("water_pressure_depth", "dvl_valid", "acoustic_valid"):
        assert everyone.read(column).tolist() == [0, 0], column


@pytest.mark.parametrize("name", names("marine"))
def test_what_floats_sees_the_bottom_and_is_heard(name: str) -> None:
    sim = sensing(name, pos=(0, 0, 0), dt=0.002)
    sim.dvl_limits[:] = (0.05, 1000)
    sim.step(2)
    assert sim.dvl_valid.tolist() == sim.acoustic_valid.tolist() == [1]
    assert sim.dvl_altitude[0] == pytest.approx(100 + sim.rest_height[0], rel=1e-3)


def test_doppler_log_measures_the_velocity_over_the_bottom_in_the_body() -> None:
    sim = sensing(n=30)
    rng = np.random.default_rng(4)
    sim.environment.set_current([0.7, -0.4, 0.0])
    angles = rng.uniform(-0.5, 0.5, (30, 3))
    sim.att[:] = quaternion_of_euler(angles)
    sim.vel[:] = vel = rng.uniform(-1, 1, (30, 3))
    sim.dvl_scale[:] = 1.01
    over = 80 + sim.rest_height
    sim.step()
    body = Rotation.from_euler("ZYX", angles[:, ::-1]).inv().apply(vel)
    np.testing.assert_allclose(sim.dvl_vel, 1.01 * body, rtol=1e-9)
    np.testing.assert_allclose(sim.dvl_altitude, over / np.cos(angles[:, :2]).prod(1), rtol=1e-9)
    assert sim.dvl_valid.all()


@pytest.mark.parametrize(
    ("height", "tilt", "speed", "locked"),
    [
        (10, 0, 0, True),
        (49.9, 0, 0, True),
        (50.1, 0, 0, False),
        (48, 20, 0, False),  # 51.1 m along the axis
        (46, 20, 0, True),
        (0.06, 0, 0, True),
        (0.04, 0, 0, False),
        (10, 29, 0, True),
        (10, 31, 0, False),
        (10, 180, 0, False),
        (10, 0, 1.99, True),
        (10, 0, 2.01, False),
    ],
)
def test_doppler_log_loses_the_bottom(
    height: float, tilt: float, speed: float, locked: bool
) -> None:
    sim = sensing(profile="px4")
    sim.vel[:] = (0.3, 0.0, 0.0)
    sim.pos[:, 2] = 90
    sim.step()
    seen = sim.dvl_vel.copy()
    assert sim.dvl_valid.all()
    sim.pos[:, 2] = 100 - height + sim.rest_height
    half = np.radians(tilt) / 2
    sim.att[:] = (np.cos(half), np.sin(half), 0, 0)
    sim.vel[:] = (speed, 0, 0)
    sim.dvl_period[:] = 1
    sim.sensor_next[:] = 0
    sim.step()
    assert sim.dvl_valid.tolist() == [locked]
    assert (sim.dvl_vel == seen).all() != locked


@pytest.mark.parametrize("speed", [0.0, 0.2, 1.5])
def test_noise_of_the_doppler_log_grows_with_the_speed(speed: float) -> None:
    n = 20_000
    sim = sensing(n=n, pos=(0, 0, 80), profile="px4")
    sim.vel[:] = (0.6 * speed, -0.8 * speed, 0)
    sim.step()
    errors = sim.dvl_vel - [0.6 * speed, -0.8 * speed, 0]
    expected = np.hypot(0.001, 0.01 * speed)
    np.testing.assert_allclose(errors.std(axis=0), expected, rtol=0.025)
    np.testing.assert_allclose(errors.mean(axis=0), 0, atol=4 * expected / np.sqrt(n))
    assert abs(np.corrcoef(errors.T) - np.eye(3)).max() < 0.03


def test_noise_of_an_acoustic_position_grows_with_the_distance() -> None:
    n = 20_000
    sim = sensing(n=2 * n, profile="px4")
    sim.acoustic_station[:] = (10, 0, 2)
    sim.pos[:n] = (10, 0, 5)
    sim.pos[n:] = (310, 400, 2)
    pos = sim.pos.copy()
    sim.step()
    errors = (sim.acoustic_pos - pos).reshape(2, n, 3)
    expected = np.hypot(0.05, np.radians(1) * np.array([3, 500]))
    np.testing.assert_allclose(errors.std(axis=1) / expected[:, None], 1, atol=0.025)
    np.testing.assert_allclose(sim.acoustic_accuracy[[0, n]], expected, rtol=1e-9)


def test_the_station_hears_as_far_as_it_does() -> None:
    sim = sensing(n=3, profile="px4")
    sim.acoustic_station[:] = (0, 0, 20)
    sim.pos[:, 0] = [999, 1001, 0]
    sim.pos[2, 2] = -1  # in the air
    sim.step()
    assert sim.acoustic_valid.tolist() == [1, 0, 0]
    assert not sim.acoustic_pos[1:].any()


def test_satellites_are_lost_under_water_and_found_again_after_a_while() -> None:
    sim = under_way("bluerov2_heavy", 2, dt=0.004)
    sim.sensors.enable("gps", profile="px4_sih")
    fixes = []
    for depth in (0.0, 0.05, 0.2, 20.0, 0.0):
        for _ in range(3):
            sim.pos[:] = [[0, 0, depth], [0, 0, 0]]
            sim.step(25)
            fixes.append(int(sim.gps_fix[0]))
            assert sim.gps_reported_satellites[0] == (10 if fixes[-1] else 0)
    for _ in range(10):
        sim.pos[:] = 0
        sim.step(25)
        fixes.append(int(sim.gps_fix[0]))
    dives, emerges = fixes.index(0, 3), 12  # samples are 8 a second, looked at 10 times
    assert fixes[1:dives] == [3] * (dives - 1)
    assert dives in (6, 7, 8)
    back = fixes.index(3, dives)
    assert 10 <= back - emerges <= 12  # 1 s after the last sample under water
    assert set(fixes[back:]) == {3}
    assert sim.gps_fix[1] == 3


def test_waves_over_the_antenna_take_the_fix() -> None:
    sim = under_way("bluerov2_heavy", dt=0.004)
    sim.environment.set_waves(2.0, 5.0, seed=3)
    sim.sensors.enable("gps", profile="ideal")
    fixes, under = [], []
    for _ in range(400):
        sim.pos[:] = 0  # held where it floats in calm water
        sim.vel[:] = 0
        sim.step(5)
        fixes.append(int(sim.gps_fix[0]))
        under.append(-float(sim.wave_height[0]) > 0.1)
    wrong = [fix == 3 for fix in fixes[1:]] == np.array(under[:-1])
    assert 0.2 < np.mean(under) < 0.8
    assert np.mean(wrong) < 0.06  # but about its crossings


def test_compass_measures_under_water_what_it_does_above() -> None:
    sim = under_way("bluerov2_heavy", 2, dt=0.004)
    sim.sensors.enable("magnetometer", profile="ideal")
    sim.reset(pos=[[0, 0, 0], [0, 0, 50]])
    sim.step(2)
    assert np.linalg.norm(sim.magnetometer[0]) > 2e-5
    np.testing.assert_allclose(sim.magnetometer[1], sim.magnetometer[0], rtol=1e-4)


def test_all_sensors_are_those_that_a_vehicle_can_use() -> None:
    sim = pyrfly.Sim({"otter": 1, "remus100": 2, "x450": 1})
    sim.sensors.enable_all("ideal", ids=[1, 2, 4])
    on = sim.select().read("sensors_on")
    in_water = Sensor.WATER_PRESSURE | Sensor.DVL | Sensor.ACOUSTIC
    every = ~Sensor(0)
    assert on.tolist() == [every & ~in_water, every, 0, every & ~in_water]


MEASURED = {"water_pressure": "water_pressure", "dvl": "dvl_vel", "acoustic": "acoustic_pos"}


def measured(sensor: str, *faults: tuple[str, dict[str, Any]], steps: int = 60) -> Array:
    sim = sensing(pos=(3, 4, 70))
    sim.vel[:] = (0.4, 0.3, -0.2)
    sim.enable_part("faults")
    for kind, values in faults:
        sim.faults.add(kind, sensor=sensor, **values)
    found = []
    for _ in range(steps):
        sim.step()
        found.append(np.atleast_1d(getattr(sim, MEASURED[sensor])[0]).copy())
    return np.array(found)


@pytest.mark.parametrize("sensor", IN_WATER)
def test_faults_of_sensors_are_those_of_what_measures_in_water(sensor: str) -> None:
    plain = measured(sensor)
    bias: Any = 0.5 if sensor == "water_pressure" else [0.5, 1.0, 1.5]
    biased = measured(sensor, ("sensor_bias", {"bias": bias}))
    np.testing.assert_allclose(biased - plain, np.broadcast_to(bias, plain.shape), atol=1e-9)
    frozen = measured(sensor, ("sensor_freeze", {"at": 0.1}))
    assert (frozen[30:] == frozen[30]).all()
    assert (plain[31:] != plain[30]).any()
    late = measured(sensor, ("sensor_delay", {"delay": 0.04}))
    np.testing.assert_array_equal(late[15:], plain[5:-10])
    if sensor != "acoustic":
        twice = measured(sensor, ("sensor_scale", {"factor": 2.0}))
        np.testing.assert_allclose(twice, 2 * plain, rtol=1e-9)


@pytest.mark.parametrize("sensor", IN_WATER)
def test_a_sensor_in_water_that_drops_out_takes_no_samples(sensor: str) -> None:
    sim = sensing()
    sim.faults.add("sensor_dropout", sensor=sensor, at=0.1, duration=0.1)
    counts = []
    for _ in range(3):
        sim.sleep(0.1)
        counts.append(int(getattr(sim, f"{sensor}_updates")[0]))
    assert counts[1] <= counts[0] + 1
    assert counts[2] >= counts[1] + 23
    for other in set(IN_WATER) - {sensor}:
        assert getattr(sim, f"{other}_updates")[0] >= 74


@pytest.mark.parametrize("sensor", IN_WATER)
def test_noise_of_a_fault_is_added(sensor: str) -> None:
    n = 8000
    sim = sensing(n=n, pos=(0, 0, 80))
    sim.faults.add("sensor_noise", sensor=sensor, deviation=0.3)
    sim.step(2)
    values = getattr(sim, MEASURED[sensor]).reshape(n, -1)
    np.testing.assert_allclose(values.std(axis=0) / 0.3, 1, atol=0.04)


def test_a_position_has_no_scale_and_a_fault_needs_its_sensor() -> None:
    sim = under_way("bluerov2_heavy")
    sim.sensors.enable("acoustic")
    with pytest.raises(ValueError, match="sensor: expected some of"):
        sim.faults.add("sensor_scale", sensor="acoustic", factor=2.0)
    with pytest.raises(ParameterError, match="has no dvl"):
        sim.faults.add("sensor_bias", sensor="dvl", bias=[1, 0, 0])


def test_values_may_be_given() -> None:
    sim = sensing()
    sim.sensors.give("dvl", dvl_vel=[1, 2, 3], dvl_altitude=4.0, dvl_valid=1)
    sim.sensors.give("acoustic", acoustic_pos=[5, 6, 7])
    sim.step(2)
    assert sim.dvl_vel.tolist() == [[1, 2, 3]]
    assert sim.acoustic_pos.tolist() == [[5, 6, 7]]
    sim.sensors.enable("dvl", profile=None)
    sim.step()
    assert sim.dvl_vel[0, 0] != 1
