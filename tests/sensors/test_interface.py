"""`Sim.sensors`: what is on, rates, counts, what is refused, repeatability."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
import pyrfly.sim.sensors
from pyrfly.columns import fields_of_part
from pyrfly.protocol.bits import Effect, Sensor
from pyrfly.sim.sensor_profiles import IDEAL, PROFILES

Drifting = Callable[..., pyrfly.Sim]
Array = NDArray[np.float64]
ALL = tuple(sensor.name.lower() for sensor in Sensor if sensor.name)
MEASURED = (
    "imu_accel imu_gyro magnetometer barometer_pressure barometer_height barometer_temperature "
    "differential_pressure indicated_airspeed gps_pos gps_vel range_distance"
).split()


def test_everything_is_off_until_it_is_enabled() -> None:
    sim = pyrfly.Sim("x450", 2)
    before = sim.nbytes
    assert not sim.sensors.enabled
    with pytest.raises(AttributeError, match="sensors"):
        _ = sim.imu_accel
    sim.sensors.disable("imu")
    assert sim.nbytes == before
    sim.sensors.enable("gps", ids=2)
    assert sim.sensors_on.tolist() == [0, Sensor.GPS]
    assert not sim.environment.enabled
    sim.sensors.enable("imu", "gps")
    sim.step(200)
    sim.sensors.disable("gps", ids=1)
    assert sim.sensors_on.tolist() == [Sensor.IMU, Sensor.IMU | Sensor.GPS]
    seen = sim.gps_updates.copy()
    sim.step(1000)
    assert (sim.gps_updates - seen).tolist() == [0, 5]


def test_sensors_enable_what_they_measure() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.sensors.enable("magnetometer", ids=1)
    sim.sensors.enable("barometer", ids=2)
    assert sim.environment_effects.tolist() == [Effect.MAGNETIC, Effect.ATMOSPHERE]


def test_sensors_leave_every_bit_of_a_flight() -> None:
    sims = [pyrfly.Sim("x450", 3) for _ in range(2)]
    sims[1].sensors.enable(*ALL, profile="rflysim_noisy")
    for sim in sims:
        sim.arm()
        sim.command_position((1, 2, -10))
        sim.step(1000)
    for name in ("pos", "vel", "att", "rate", "rotor_speed"):
        np.testing.assert_array_equal(getattr(sims[0], name), getattr(sims[1], name))


def test_a_new_part_has_ideal_settings() -> None:
    sim = pyrfly.Sim("x450", 1)
    sim.enable_part("sensors")
    for sensor in IDEAL.values():
        for name, value in sensor.columns.items():
            if name not in ("range_limits", "dvl_limits", "gps_satellites"):
                assert np.unique(getattr(sim, name)).tolist() == [value], name


@pytest.mark.parametrize("profile", PROFILES)
def test_profiles_name_settings_of_the_ideal_sensor_and_keep_the_mounting(profile: str) -> None:
    for name, settings in PROFILES[profile].items():
        assert settings.columns.keys() <= IDEAL[name].columns.keys()
    sim = pyrfly.Sim("x450", 1)
    sim.enable_part("sensors")
    sim.imu_position[:] = (1, 2, 3)
    sim.imu_accel_bias[:] = 0.1
    sim.sensors.enable("imu", profile="rflysim")
    sim.sensors.enable(*ALL, profile=profile)
    assert sim.imu_position.tolist() == [[1, 2, 3]]
    assert (sim.imu_accel_bias == 0.1).all()
    assert sim.imu_frequency[0] == (190 if profile.startswith("rflysim") else 0)
    before = sim.imu_accel_noise.copy()
    sim.sensors.enable("imu", profile=None)
    np.testing.assert_array_equal(sim.imu_accel_noise, before)


def test_samples_come_at_their_rates() -> None:
    sim = pyrfly.Sim("x450", 1, sensor_rate=500)
    sim.sensors.enable(*ALL, profile="px4")
    for name in ALL:
        sim.sensors.set_rate(name, 500 / (2 + ALL.index(name)))
    sim.gps_delay[:] = 0
    counted = {name: [] for name in ALL}
    for tick in range(61):
        before = {name: getattr(sim, f"{name}_updates")[0] for name in ALL}
        sim.step()
        for name in ALL:
            if getattr(sim, f"{name}_updates")[0] > before[name]:
                counted[name].append(tick)
                assert sim.sensors.updated(name)[0]
    for k, name in enumerate(ALL):
        assert counted[name] == list(range(0, 61, 2 * (2 + k))), name


def test_vehicles_may_differ_in_what_they_have() -> None:
    """Each as alone, whatever its neighbours in a lane measure."""
    names = (*ALL, None)
    together = pyrfly.Sim("x450", len(names), dt=0.004)
    alone = []
    for k, name in enumerate(names):
        single = pyrfly.Sim("x450", 1, dt=0.004)
        single.random_vehicle[:] = k + 1
        alone.append(single)
        for sim, ids in ((single, 1), (together, k + 1)):
            sim.enable_part("sensors")
            sim.enable_part("environment")
            if name:
                sim.sensors.enable(name, ids=ids)
                sim.sensors.set_rate(name, 250 / (1 + k % 4), ids=ids)
    for sim in (*alone, together):
        sim.wind[:] = (-4, 2, 0)
        sim.step(50)
    for name in (*MEASURED, "sensors_updated", "gps_updates", "range_valid"):
        got = np.concatenate([getattr(sim, name) for sim in alone])
        assert got.tobytes() == np.ascontiguousarray(getattr(together, name)).tobytes(), name


def flown(n: int, calls: int, threads: int, seed: int, order: int = 1) -> Array:
    sim = pyrfly.Sim("x450", n, threads=threads)
    sim.sensors.enable(*ALL, profile="px4")
    sim.sensors.set_rate("gps", 25)
    sim.imu_accel_walk[:] = 0.1
    sim.random_vehicle[:] = sim.random_vehicle[::order].copy()
    sim.reset(pos=(0, 0, -30), seed=seed)
    sim.arm()
    sim.command_position((0, 0, -30))
    for _ in range(calls):
        sim.step(400 // calls)
    return np.concatenate([getattr(sim, name).reshape(n, -1) for name in MEASURED], axis=1)


def test_noise_depends_on_seed_vehicle_and_time_alone() -> None:
    """Not on the number of vehicles, their order, the threads, or the division into calls."""
    many = flown(700, 1, 4, seed=7)
    np.testing.assert_array_equal(flown(700, 100, 1, seed=7), many)
    np.testing.assert_array_equal(flown(3, 4, 1, seed=7), many[:3])
    np.testing.assert_array_equal(flown(700, 2, 2, seed=7, order=-1), many[::-1])
    assert (flown(3, 4, 1, seed=8)[:, :6] != many[:3, :6]).all()
    assert len(np.unique(many[:, 0])) == 700


def test_seed_of_some_vehicles() -> None:
    sim = pyrfly.Sim("x450", 3)
    sim.sensors.enable("imu")
    sim.random_vehicle[:] = 1
    sim.set_seed(2**64 - 1, ids=[1, 3])
    assert sim.random_seed.tolist() == [[2**32 - 1, 2**32 - 1], [0, 0], [2**32 - 1, 2**32 - 1]]
    sim.step()
    np.testing.assert_array_equal(sim.imu_accel[0], sim.imu_accel[2])
    assert (sim.imu_accel[0] != sim.imu_accel[1]).all()
    sim.reset()
    assert sim.random_seed[0, 0] == 2**32 - 1
    with pytest.raises(ValueError, match="seed: expected"):
        sim.set_seed(-1)


def test_reset_repeats_and_snapshot_continues_the_measurements() -> None:
    sim = pyrfly.Sim("x450", 5)
    sim.sensors.enable(*ALL, profile="px4")
    sim.imu_frequency[:] = 190
    sim.reset(pos=(0, 0, -30), seed=3)
    sim.step(317)
    middle = [getattr(sim, name).copy() for name in MEASURED]
    saved = sim.snapshot()
    sim.step(200)
    end = sim.hash()
    sim.restore(saved)
    sim.step(200)
    assert sim.hash() == end
    sim.reset(pos=(0, 0, -30))
    assert not sim.imu_accel.any()
    assert not sim.imu_updates.any()
    assert (sim.sensors_on == sum(Sensor)).all()
    sim.step(317)
    for name, values in zip(MEASURED, middle, strict=True):
        np.testing.assert_array_equal(getattr(sim, name), values)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.enable("lidar"), r"sensors: .*got 'lidar'"),
        (lambda s: s.enable(), r"sensors: expected some of .* got none"),
        (lambda s: s.disable("x"), "sensors: expected some of"),
        (lambda s: s.enable("imu", profile="best"), r"profile: expected 'ideal'.*got 'best'"),
        (lambda s: s.set_rate("wing", 1), r"sensor: expected 'imu'.*got 'wing'"),
        (lambda s: s.set_rate("gps", -5), r"rate: .*got -5"),
        (lambda s: s.set_rate("imu", 251), r"rate: expected at most 250 Hz.* got 251"),
        (lambda s: s.updated("wing"), "sensor: expected 'imu'"),
        (lambda s: s.enable("barometer"), "atmosphere: expected"),
    ],
)
def test_wrong_arguments_are_named(call: Callable[[Any], object], message: str) -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.pos[1, 2] = -30_000
    with pytest.raises(ValueError, match=message):
        call(sim.sensors)
    assert not sim.sensors.enabled


@pytest.mark.parametrize("rate", [0, -250.0, np.inf, "fast"])
def test_wrong_sensor_rate_is_refused(rate: Any) -> None:
    with pytest.raises(ValueError, match="sensor_rate: expected"):
        pyrfly.Sim("x450", sensor_rate=rate)


def test_rate_is_at_most_that_of_the_physics() -> None:
    sim = pyrfly.Sim("x450", 1, dt=0.002, sensor_rate=10_000)
    assert sim.sensors.rate == pytest.approx(500)


def test_lists_of_the_sensors_are_in_the_order_of_their_bits() -> None:
    assert tuple(pyrfly.sim.sensors.MEASURED) == ALL
    assert tuple(IDEAL) == ALL
    assert all(tuple(profile) == ALL for profile in PROFILES.values())


def test_the_rate_that_was_taken_is_returned() -> None:
    sim = pyrfly.Sim("x450")
    assert sim.sensors.set_rate("imu", 100) == pytest.approx(125)
    assert sim.sensors.set_rate("gps", 10) == pytest.approx(10)
    sim.sensors.enable("imu", profile=None)
    sim.step(1000)
    assert sim.imu_updates[0] == 125


def test_what_a_reset_keeps_is_in_a_profile_or_known_to_belong_to_none() -> None:
    """A setting without its line in the table of initial values would be 0 after a reset."""
    sim = pyrfly.Sim("x450")
    sim.enable_part("sensors")
    group, names = sim.groups[0], [field.name for field in fields_of_part("sensors")]
    for name in names:
        group.view(name)[...] = 3
    sim.reset()
    kept = {name for name in names if (group.view(name) == 3).all()}
    profiles = {column for settings in IDEAL.values() for column in settings.columns}
    own = {"sensors_on", "sensor_sources", "drift_period", "imu_position", "imu_misalignment"}
    own |= {"gps_antenna", "water_pressure_position", "dvl_scale", "acoustic_station"}
    assert kept - profiles - own == {
        name
        for name in names
        if name.endswith(("_bias", "_accel_scale", "_gyro_scale", "magnetometer_scale"))
        or name.startswith("pose_")
        or name in {f"{sensor}_period" for sensor in ALL}
    }
    assert profiles | own <= kept
