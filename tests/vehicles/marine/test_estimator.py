"""What marine craft know of themselves by their sensors, and hold with it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly

Array = NDArray[np.float64]
SEED = 20261127
IN_WATER = ("imu", "magnetometer", "water_pressure", "dvl", "acoustic")
PRESSURE_ALONE = ("imu", "magnetometer", "water_pressure")
QUANTITIES = ("attitude", "velocity", "position")


def estimating(name: str, n: int, sensors: tuple[str, ...], depth: float = 0.0) -> pyrfly.Sim:
    """Return armed vehicles on their estimate in a current, with biases by the filter's prior."""
    sim = pyrfly.Sim(name, n, dt=0.002)
    sim.sensors.enable(*sensors)
    sim.environment.set_water(0.0, depth=40.0)
    sim.environment.set_current([0.2, 0.1, 0.0])
    sim.estimator.enable(fly=True)
    draws = np.random.default_rng(SEED)
    sim.imu_gyro_bias[:] = draws.normal(0, sim.gyro_bias_deviation[0], (n, 3))
    sim.imu_accel_bias[:] = draws.normal(0, sim.accel_bias_deviation[0], (n, 3))
    sim.reset(pos=np.tile([0.0, 0.0, depth], (n, 1)), seed=SEED)
    sim.arm()
    return sim


def rms(errors: Array) -> Array:
    """Return the root mean square over vehicles."""
    return np.asarray(np.sqrt((errors**2).mean(axis=0)))


def hold(sim: pyrfly.Sim, depth: float) -> None:
    sim.command_position(np.tile([0.0, 0.0, depth], (sim.n, 1)))


def test_an_rov_holds_depth_within_the_noise_and_its_position() -> None:
    """The noise of the pressure is 2 mm of water, that of a fix 0.18 m at 10 m."""
    sim = estimating("bluerov2_heavy", 8, IN_WATER, depth=10.0)
    hold(sim, 10.0)
    sim.sleep(15)
    errors, estimates, nees = [], [], []
    for _ in range(30):
        sim.sleep(0.5)
        errors.append(sim.pos - [0.0, 0.0, 10.0])
        estimates.append(sim.pos - sim.pos_est)
        nees.append([sim.estimator.nees(quantity) for quantity in QUANTITIES])
    held, known = rms(np.concatenate(errors)), rms(np.concatenate(estimates))
    assert held[2] < 0.01
    assert known[2] < 0.002  # below the noise of a sample
    assert (held[:2] < 0.12).all()
    assert (known[:2] < 0.12).all()
    assert (np.mean(nees, axis=(0, 2)) < 5).all()  # 3 of a consistent filter


def test_an_auv_reckons_its_way_by_its_doppler_log() -> None:
    """From its last fix on, at the surface; its satellites are lost at depth."""
    sim = estimating("remus100", 8, ("imu", "magnetometer", "water_pressure", "dvl", "gps"))
    sim.sleep(8)
    assert (sim.gps_fix == 3).all()
    begin = sim.pos - sim.pos_est
    sim.marine.command_speed(1.5, yaw=1.0, depth=6.0)
    sim.sleep(80)
    assert not sim.gps_fix.any()
    way = np.linalg.norm(sim.pos[:, :2], axis=1)
    assert (way > 90).all()
    drift = np.linalg.norm((sim.pos - sim.pos_est - begin)[:, :2], axis=1)
    assert (drift < 0.005 * way).all()
    np.testing.assert_allclose(sim.pos[:, 2], 6.0, atol=0.2)
    np.testing.assert_allclose(sim.pos_est[:, 2], sim.pos[:, 2], atol=0.01)
    for quantity in QUANTITIES:
        assert sim.estimator.nees(quantity).mean() < 6, quantity


def test_without_a_doppler_log_the_position_is_lost_under_water_but_not_the_depth() -> None:
    sim = estimating("bluerov2_heavy", 8, PRESSURE_ALONE, depth=8.0)
    sim.estimator.enable(fly=False)
    hold(sim, 8.0)
    sim.sleep(25)
    errors = rms(sim.pos - sim.pos_est)
    assert np.linalg.norm(errors[:2]) > 2.0
    assert errors[2] < 0.01
    expected = sim.estimator.standard_deviation("position")[0]
    assert (errors[:2] < 2 * expected[:2]).all()


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("bluerov2_heavy", 60),
        pytest.param("bluerov2_heavy", 600, marks=pytest.mark.slow),
        pytest.param("bluerov2", 600, marks=pytest.mark.slow),
    ],
)
def test_depth_is_held_by_pressure_alone(name: str, seconds: int) -> None:
    """A velocity that is only summed up would be wrong by 10 m/s, and the vehicle pursue it."""
    sim = estimating(name, 2, PRESSURE_ALONE, depth=8.0)
    hold(sim, 8.0)
    sim.sleep(10)
    for _ in range(seconds // 5):
        sim.sleep(5)
        assert np.abs(sim.pos[:, 2] - 8.0).max() < 0.1
        assert np.abs(sim.pos[:, 2] - sim.pos_est[:, 2]).max() < 0.02
        assert np.abs(sim.vel[:, :2]).max() < 2.0


@pytest.mark.slow
def test_a_torpedo_keeps_its_depth_by_pressure_alone() -> None:
    sim = estimating("remus100", 4, PRESSURE_ALONE)
    sim.marine.command_speed(1.5, yaw=1.0, depth=8.0)
    sim.sleep(160)  # fins dive at the speed that it has
    for _ in range(44):
        sim.sleep(10)
        assert np.abs(sim.pos[:, 2] - 8.0).max() < 0.1
        assert np.abs(np.hypot(*sim.vel[:, :2].T) - 1.5).max() < 0.8


@pytest.mark.parametrize("others", [(), ("dvl",)])
def test_the_head_of_waves_is_not_taken_for_depth(others: tuple[str, ...]) -> None:
    """Their pressure changes as by 0.1 m of depth while a vehicle stays where it is."""
    sim = estimating("bluerov2_heavy", 4, (*PRESSURE_ALONE, *others), depth=1.0)
    sim.environment.set_waves(0.5, 4.0, seed=3)
    hold(sim, 1.0)
    sim.sleep(15)
    heads, errors = [], []
    for _ in range(50):
        sim.sleep(0.5)
        heads.append(sim.wave_head.copy())
        errors.append((sim.pos - sim.pos_est)[:, 2])
    head, error = rms(np.concatenate(heads)), rms(np.concatenate(errors))
    assert head > 0.08
    assert error < (0.1 if others else 0.7) * head


def test_a_boat_holds_its_place_by_satellites() -> None:
    sim = estimating("otter", 6, ("imu", "magnetometer", "gps"))
    sim.environment.set_waves(0.4, 5.0, seed=2)
    hold(sim, 0.0)
    sim.sleep(30)
    errors = []
    for _ in range(20):
        sim.sleep(0.5)
        errors.append(sim.pos)
    held = rms(np.concatenate(errors))
    assert (sim.gps_fix == 3).all()
    assert (held[:2] < 1.5).all()  # a receiver that drifts by 1 m


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_what_came_back_after_an_outage_is_used_again(precision: str) -> None:
    sim = pyrfly.Sim("bluerov2_heavy", 4, dt=0.002, precision=precision)
    sim.sensors.enable(*IN_WATER)
    sim.environment.set_water(0.0, depth=40.0)
    sim.estimator.enable(fly=True)
    sim.reset(pos=np.tile([0.0, 0.0, 8.0], (4, 1)), seed=SEED)
    sim.arm()
    hold(sim, 8.0)
    sim.faults.add("sensor_dropout", sensor=("dvl", "water_pressure"), at=5.0, duration=6.0)
    sim.sleep(10)
    assert (sim.innovation_ages[:, 8:12] > 4.5).all()
    sim.sleep(9)
    assert (sim.innovation_ages[:, 8:12] < 0.3).all()
    assert (rms(sim.pos - sim.pos_est) < 0.3).all()
    assert (abs(sim.pos[:, 2] - 8.0) < 0.05).all()


def test_a_depth_that_jumps_is_not_used_until_it_stays() -> None:
    sim = estimating("bluerov2_heavy", 4, IN_WATER[:-1], depth=10.0)
    sim.sleep(3)
    sim.faults.add("sensor_bias", sensor="water_pressure", bias=20_000.0, at=4.0)
    sim.sleep(5)
    assert (abs(sim.pos_est[:, 2] - sim.pos[:, 2]) < 0.1).all()
    sim.sleep(5)
    np.testing.assert_allclose(sim.pos_est[:, 2] - sim.pos[:, 2], 2.0, atol=0.1)
