"""Rovers measure as every vehicle does."""

from __future__ import annotations

import numpy as np

import pyrfly


def test_imu_of_a_driving_rover_measures_its_motion() -> None:
    sim = pyrfly.Sim({"rover": 2}, sensor_rate=1000)
    sim.sensors.enable("imu", "range", profile="ideal")
    sim.arm()
    sim.command_velocity((2, 0, 0), yaw_rate=0.5, frame="frd")
    fastest = 0.0
    for _ in range(100):
        sim.step(19)
        force, rate = sim.specific_force, sim.rate.copy()
        sim.step()
        np.testing.assert_allclose(sim.imu_accel, force, rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(sim.imu_gyro, rate)
        fastest = max(fastest, abs(force[:, 0]).max())
    assert fastest > 0.3
    np.testing.assert_allclose(sim.imu_accel[:, 2], -sim.gravity, rtol=1e-3)


def test_rover_and_multirotor_in_one_simulation() -> None:
    sim = pyrfly.Sim({"x450": 1, "rover": 1})
    sim.sensors.enable("imu", "magnetometer", "barometer", "airspeed", "gps", "range")
    sim.step(400)
    for name in ("imu", "magnetometer", "barometer", "airspeed", "gps", "range"):
        assert (sim.select().read(f"{name}_updates") > 0).all(), name
    np.testing.assert_allclose(sim.select().read("imu_accel")[:, 2], -9.8, atol=0.6)
