"""Sensors of a wrong rate: samples are counted, and have their ages."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.protocol.bits import FaultySensor
from pyrfly.sim.interface import names_of

SENSORS = names_of(FaultySensor)
COUNTERS = {name: "imu" if name in SENSORS[:2] else name for name in SENSORS}


def sensing(period: int = 2) -> Sim:
    """Return a vehicle with ideal sensors, which sample at every second update of 4 ms."""
    sim = Sim("x450")
    sim.controllers = False
    sim.environment.enable("atmosphere", "magnetic")
    sim.sensors.enable(*set(COUNTERS.values()), profile="ideal")
    for name in set(COUNTERS.values()):
        setattr(sim, f"{name}_period", period)
    sim.reset(pos=[0, 0, -300])
    return sim


@pytest.mark.parametrize(("factor", "interval"), [(3.0, 6), (0.5, 1), (0.01, 1), (1.26, 3)])
@pytest.mark.parametrize("sensor", SENSORS)
def test_samples_are_as_far_apart_as_the_factor_says(
    sensor: str, factor: float, interval: int
) -> None:
    sim = sensing()
    sim.faults.add("sensor_rate", sensor=sensor, period_factor=factor, duration=0.48)
    sim.sleep(0.48)
    counts = {name: int(getattr(sim, f"{name}_updates")[0]) for name in COUNTERS.values()}
    assert counts.pop(COUNTERS[sensor]) == 120 / interval
    assert set(counts.values()) == {60}
    sim.sleep(0.48)
    later = int(getattr(sim, f"{COUNTERS[sensor]}_updates")[0])
    assert later - 120 / interval == pytest.approx(60, abs=3)


def test_an_imu_has_one_rate() -> None:
    sim = sensing(1)
    sim.faults.add("sensor_rate", sensor=("accelerometer", "gyroscope"), period_factor=3.0)
    sim.sleep(0.24)
    assert sim.imu_updates[0] == 20


@pytest.mark.parametrize("factors", [(3.0, None), (None, 3.0), (0.5, None), (3.0, 0.5)])
@pytest.mark.parametrize("delay", [0.0, 0.012, 0.02, 0.028])
def test_reports_of_the_receiver_are_as_old_as_its_delay(
    factors: tuple[float | None, float | None], delay: float
) -> None:
    """Before, between and after changes of the rate, by positions on a straight line."""
    sim = Sim("x450")
    sim.controllers = False
    sim.environment.enable("gravity")
    sim.sensors.enable("gps", profile="ideal")
    sim.gps_period, sim.gps_delay = 4, delay
    sim.reset(pos=[0, 0, -300])
    for factor, start in zip(factors, (0.2, 0.5), strict=True):
        if factor is not None:
            sim.faults.add(
                "sensor_rate", sensor="gps", period_factor=factor, at=start, duration=0.3
            )
    seen, ages = 0, []
    times: dict[int, float] = {}
    for k in range(300):
        times[k] = float(sim.pos[0, 2])
        sim.step(4)
        if sim.gps_updates[0] != seen:
            seen = int(sim.gps_updates[0])
            sampled = next(j for j, z in times.items() if z == sim.gps_pos[0, 2])
            ages.append((k - sampled) * 0.004)
    np.testing.assert_allclose(ages, delay, atol=1e-9)
    assert len(ages) > 30


def test_an_estimator_follows_a_slow_receiver() -> None:
    sim = Sim("x450", 8)
    sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile="px4")
    sim.estimator.enable()
    sim.reset(pos=[0, 0, -50], hover=True, seed=2)
    sim.faults.add("sensor_rate", sensor="gps", period_factor=3.0, at=2.0, duration=8.0)
    sim.command_velocity([5, 0, 0])
    sim.sleep(20.0)
    assert sim.estimator.nees("position").mean() < 9
    assert np.abs(sim.pos_est - sim.pos).max() < 6
