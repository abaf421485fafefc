"""Flights on the estimate: to a square and back to the ground, with sensors off or broken."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.frames import euler_of_quaternion
from pyrfly.protocol import synthesis
from pyrfly.sim.estimator import ERROR_STATES
from pyrfly.wire import pack

Estimating = Callable[..., pyrfly.Sim]

SQUARE = ((10, 0), (10, 10), (0, 10), (0, 0))


GYRO_LIMIT = 0.4  # rad/s


def with_short_gyroscope(vehicle: str) -> pyrfly.Sim:
    """Return two vehicles that estimate their state, of which the first one relies on it."""
    sim = pyrfly.Sim(vehicle, 2)
    sim.sensors.enable("imu", profile="px4")
    sim.estimator.enable(fly=True)
    sim.estimator.enable(fly=False, ids=2)
    sim.imu_gyro_limit[:] = GYRO_LIMIT
    sim.reset()
    sim.arm()
    return sim


def on_ground(sim: pyrfly.Sim) -> None:
    sim.reset(pos=[0, 0, 0], seed=11)


@pytest.mark.parametrize("profile", ["px4", "rflysim"])
def test_vehicles_take_off_fly_a_square_and_land(estimating: Estimating, profile: str) -> None:
    sim = estimating(4, profile=profile, fly=True)
    on_ground(sim)
    sim.enable_synthesis()
    armed, zero = np.ones(4, bool), np.zeros(4)
    sim.command_sil(*synthesis.arm(armed))
    sim.command_sil(*synthesis.take_off(zero, zero, zero - 10, armed=armed))
    sim.step(15_000)
    for corner in SQUARE:
        sim.navigator_goal[:, :2] = corner
        sim.step(8000)
        np.testing.assert_allclose(sim.pos[:, :2] - corner, 0, atol=4)
        np.testing.assert_allclose(sim.pos_est[:, :2] - corner, 0, atol=1)
    sim.command_sil(*synthesis.land(zero, zero))
    sim.step(30_000)
    assert sim.check().ok
    assert not sim.armed.any()
    np.testing.assert_allclose(sim.pos[:, :2], 0, atol=4)
    np.testing.assert_allclose(sim.pos[:, 2], 0, atol=0.1)
    sunk = sim.pos_est[:, 2]
    assert np.abs(sunk).max() > 0.01  # the estimated height of the ground is not the true one


@pytest.mark.slow
@pytest.mark.parametrize(
    ("vehicle", "profile", "rate", "tilt"),
    [
        ("x450", "px4", 3, 1),
        ("x500", "px4", 3, 1),
        ("x150", "px4", 3, 1),
        ("x450", "rflysim", 0.3, 0.05),
        ("x450", "rflysim_noisy", 5.5, 0.6),
    ],
)
def test_vehicles_hover_calmly(
    estimating: Estimating, vehicle: str, profile: str, rate: float, tilt: float
) -> None:
    """Real vehicles with PX4 show a few degrees per second."""
    sim = estimating(8, vehicle=vehicle, profile=profile, fly=True)
    sim.step(10_000)
    rates, tilts = [], []
    for _ in range(2500):
        sim.step(4)
        rates.append(np.degrees(sim.rate))
        tilts.append(np.degrees(sim.euler[:, :2]))
    assert (np.sqrt(np.mean(np.square(rates), axis=(0, 1))) < rate).all()
    assert (np.sqrt(np.mean(np.square(tilts), axis=(0, 1))) < tilt).all()


@pytest.mark.slow
@pytest.mark.parametrize("arm", [(0, 0, 0.1), (0.2, 0.1, -0.1)])
def test_a_gyroscope_of_small_range_does_not_rock_vehicles(
    estimating: Estimating, arm: tuple[float, float, float]
) -> None:
    """Errors of the start ask for 5 rad/s, and the gyroscope of RflySim ends at 4.36."""
    sim = estimating(64, profile="rflysim", fly=True)
    sim.imu_position[:] = arm
    sim.reset(pos=[0, 0, -20], hover=True, seed=1)
    largest = 0.0
    for _ in range(100):
        sim.step(20)
        largest = max(largest, float(np.abs(sim.rate).max()))
    assert 3 < largest < 4.36
    sim.step(6000)
    assert np.abs(sim.rate).max() < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("vehicle", ["sdk", "x450", "x500", "x150"])
def test_no_command_turns_them_faster_than_the_gyroscope_measures(
    estimating: Estimating, vehicle: str, seed: int
) -> None:
    """That of RflySim ends at 4.36 rad/s; they may turn at 5."""
    sim = estimating(24, profile="rflysim", fly=True, vehicle=vehicle, seed=seed)
    sim.step(5000)
    fastest = tilt = 0.0
    for change in range(40):
        to = [3 if change % 2 else -3, 1.5 if change % 4 < 2 else -1.5, 0]
        sim.command_velocity(np.tile(to, (sim.n, 1)))
        for _ in range(20):
            sim.step(25)
            fastest = max(fastest, np.abs(sim.rate).max())
            tilt = max(tilt, np.abs(sim.euler[:, :2]).max())
    assert fastest < 4.36
    assert np.degrees(tilt) < 50


@pytest.mark.parametrize(
    ("vehicle", "family"),
    [
        ("x450", "multirotor"),
        ("blade_360", "helicopter"),
        ("aerosonde", "plane"),
        ("gz_standard_vtol", "gazebo_blocks"),
    ],
)
def test_commanded_rates_are_those_that_the_gyroscope_measures(vehicle: str, family: str) -> None:
    sim = with_short_gyroscope(vehicle)
    getattr(sim, family).command_rate([2, -2, 0.1], 0.5)
    sim.step(100)
    np.testing.assert_allclose(sim.rate_command[0], [0.7 * GYRO_LIMIT, -0.7 * GYRO_LIMIT, 0.1])
    np.testing.assert_allclose(sim.rate_command[1], [2, -2, 0.1])


def test_commanded_yaw_rates_of_rovers_are_those_that_the_gyroscope_measures() -> None:
    sim = with_short_gyroscope("rover_differential")
    sim.rover.command_speed(0.5, yaw_rate=1)
    sim.step(100)
    np.testing.assert_allclose(sim.yaw_rate_command, [0.7 * GYRO_LIMIT, 1])


@pytest.mark.parametrize("tau", [0.25, 1.0])
def test_output_follows_a_correction_in_its_time(estimating: Estimating, tau: float) -> None:
    """A lag of first order: the estimate has nothing but the IMU, and moves alike."""
    sim = estimating(3, sensors=("imu",))
    sim.step()
    for name in ("pos", "vel", "vertical", "att"):
        getattr(sim, f"{name}_output_tau")[:] = tau
    half = 0.005  # rad, about the down axis
    sim.pos_est[0] += [1, 2, -1]
    sim.vel_est[1] += [0.1, 0, 0.2]
    w, x, y, z = sim.att_est[2]
    sim.att_est[2] = [w - half * z, x - half * y, y + half * x, z + half * w]
    sim.step(round(1000 * tau))
    rest = np.exp(-1)
    position, velocity = sim.pos_est - sim.pos_output, sim.vel_est - sim.vel_output
    np.testing.assert_allclose(position[0], np.multiply([1, 2, -1], rest), rtol=0.02)
    np.testing.assert_allclose(velocity[1], np.multiply([0.1, 0, 0.2], rest), rtol=0.02, atol=1e-9)
    yaw = euler_of_quaternion(sim.att_est)[:, 2] - euler_of_quaternion(sim.att_output)[:, 2]
    np.testing.assert_allclose(yaw, [0, 0, 2 * half * rest], rtol=0.02, atol=1e-6)


@pytest.mark.slow
def test_without_a_receiver_the_estimate_drifts_and_says_so(estimating: Estimating) -> None:
    sim = estimating(100, fly=True)
    sim.step(20_000)
    sim.sensors.disable("gps")
    before = sim.estimator.standard_deviation("position")[:, :2].mean()
    sim.step(60_000)
    after = sim.estimator.standard_deviation("position")[:, :2].mean()
    errors = sim.estimator.errors[:, ERROR_STATES["position"]]
    assert after > 5 * before
    assert 0.5 * after < np.sqrt((errors[:, :2] ** 2).mean()) < 2 * after
    assert np.abs(errors[:, 2]).max() < 5  # the barometer holds the height
    assert sim.check().ok
    sim.sensors.enable("gps", profile=None)
    sim.step(20_000)
    assert np.abs(sim.estimator.errors[:, ERROR_STATES["position"]]).max() < 5


def test_an_outage_of_a_second_does_not_throw_vehicles(estimating: Estimating) -> None:
    """The drift that returns is the one that was lost, so that the estimate steps by little."""
    sim = estimating(8, fly=True)
    sim.step(20_000)
    sim.sensors.disable("gps")
    sim.step(1000)
    sim.sensors.enable("gps", profile=None)
    tilt = 0.0
    for _ in range(100):
        sim.step(20)
        tilt = max(tilt, np.degrees(np.abs(sim.euler[:, :2]).max()))
    assert tilt < 30, tilt


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("imu_accel_bias", np.nan),
        ("imu_gyro_bias", np.inf),
        ("magnetometer_bias", np.nan),
        ("barometer_bias", np.nan),
        ("gps_noise", np.nan),
        ("gps_vel_noise", np.inf),
        ("barometer_noise", np.nan),
    ],
)
def test_what_is_not_finite_is_not_used(estimating: Estimating, column: str, value: float) -> None:
    sim = estimating(2, fly=True)
    sim.step(4000)
    kept = getattr(sim, column).copy()
    getattr(sim, column)[:] = value
    sim.step(12 if column.startswith("imu") else 400)
    getattr(sim, column)[:] = kept
    sim.step(4000)
    assert sim.check().ok
    assert np.isfinite(sim.error_covariance).all()
    assert np.abs(sim.estimator.errors[:, :9]).max() < 3
    assert np.abs(sim.pos - [0, 0, -20]).max() < 4


@pytest.mark.parametrize("fly", [False, True])
def test_state_that_is_sent_is_the_estimate_where_it_is_flown_on(
    estimating: Estimating, fly: bool
) -> None:
    sim = estimating(2, fly=fly)
    on_ground(sim)
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    sim.step(5000)
    home = sim.home[0]
    pos, vel, att, rate = (
        (sim.pos_output, sim.vel_output, sim.att_output, sim.rate_est)
        if fly
        else (sim.pos, sim.vel, sim.att, sim.rate)
    )
    np.testing.assert_array_equal(mav.truePosNED, sim.pos[0])
    np.testing.assert_array_equal(mav.uavPosNED, pos[0] - home)
    np.testing.assert_array_equal(mav.uavVelNED, vel[0])
    np.testing.assert_array_equal(mav.uavAngRate, rate[0])
    euler = euler_of_quaternion(att)
    np.testing.assert_allclose(mav.uavAngEular, euler[0], atol=1e-12)
    sent = pack(sim, "outHILStateShort")
    np.testing.assert_allclose(sent["localPos"], pos - sim.home, atol=1e-6)
    np.testing.assert_allclose(sent["localVel"], vel, atol=1e-6)
    np.testing.assert_allclose(sent["AngEular"], euler, atol=1e-6)
    shown = pack(sim, "SOut2Simulator")
    np.testing.assert_allclose(shown["PosE"], sim.pos, atol=1e-9)


@pytest.mark.parametrize("profile", ["rflysim", "rflysim_noisy"])
def test_they_land_in_severe_turbulence(profile: str) -> None:
    """A barometer without noise, whose static port reads wrong by the airspeed."""
    sim = pyrfly.Sim("sdk", 4)
    sim.wind[:] = [4, 0, 0]
    sim.environment.set_turbulence("severe")
    sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile=profile)
    sim.estimator.enable(fly=True)
    sim.reset(pos=[0, 0, -5], hover=True, seed=1)
    sim.enable_synthesis()
    sim.command_sil(*synthesis.land(np.zeros(4), np.zeros(4)))
    errors = []
    for _ in range(400):
        sim.step(50)
        errors.append(sim.estimator.errors[:, ERROR_STATES["velocity"]][:, 2])
    assert not sim.armed.any()
    assert np.sqrt(np.mean(np.square(errors))) < (0.05 if profile == "rflysim" else 0.2)
