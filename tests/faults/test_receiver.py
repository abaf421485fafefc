"""Faults of the satellite receiver against closed forms of what it reports."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import Sim, wire

Array = NDArray[np.float64]


def receiving(n: int = 1, **settings: Any) -> Sim:
    """Return vehicles that fall and drift, with an ideal receiver."""
    sim = Sim("x450", n)
    sim.controllers = False
    sim.sensors.enable("gps", profile="ideal")
    for column, value in settings.items():
        setattr(sim, column, value)
    sim.reset(pos=[50, -20, -300])
    sim.vel = [4, 3, 0]
    return sim


def reports(sim: Sim, count: int) -> tuple[Array, Array, Array, Array]:
    """Return reported and true positions, and reported and true velocities, of some updates."""
    found = []
    sim.step()
    for _ in range(count):
        truth = np.concatenate([sim.pos[0], sim.vel[0]])
        sim.step()  # the sample is that of its first step's beginning
        found.append(np.concatenate([sim.gps_pos[0], truth[:3], sim.gps_vel[0], truth[3:]]))
        sim.step(3)
    whole = np.array(found)
    return whole[:, :3], whole[:, 3:6], whole[:, 6:9], whole[:, 9:]


@pytest.mark.parametrize(
    ("left", "fix", "seen", "accuracy", "level", "height"),
    [
        ({"kind": "gps_fix"}, 0, 10, (100, 100), False, False),
        ({"kind": "gps_fix", "fix": 1}, 1, 10, (100, 100), False, False),
        ({"kind": "gps_fix", "fix": 2}, 2, 10, (0.3, 100), True, False),
        ({"kind": "gps_fix", "fix": 4}, 3, 10, (0.3, 0.4), True, True),
        ({"kind": "gps_satellites"}, 0, 0, (100, 100), False, False),
        ({"kind": "gps_satellites", "satellites": 3}, 2, 3, (0.3, 100), True, False),
        ({"kind": "gps_satellites", "satellites": 4}, 3, 4, (0.3, 0.4), True, True),
        ({"kind": "gps_satellites", "satellites": 20}, 3, 10, (0.3, 0.4), True, True),
    ],
)
def test_what_has_no_fix_repeats_its_last_value(
    left: dict[str, Any],
    fix: int,
    seen: int,
    accuracy: tuple[float, float],
    level: bool,
    height: bool,
) -> None:
    sim = receiving(gps_accuracy=(0.3, 0.4), gps_satellites=10)
    sim.faults.add(**left, at=0.1, duration=0.1)
    sim.sleep(0.099)
    before, count = sim.gps_pos[0].copy(), int(sim.gps_updates[0])
    assert (sim.gps_fix[0], sim.gps_reported_satellites[0]) == (3, 10)
    sim.sleep(0.09)
    assert sim.gps_updates[0] >= count + 21
    assert (sim.gps_fix[0], sim.gps_reported_satellites[0]) == (fix, seen)
    np.testing.assert_allclose(sim.gps_reported_accuracy[0], accuracy)
    assert (sim.gps_pos[0] != before).tolist() == [level, level, height]
    sim.sleep(0.1)
    assert (sim.gps_fix[0], sim.gps_reported_satellites[0]) == (3, 10)
    np.testing.assert_allclose(sim.gps_reported_accuracy[0], (0.3, 0.4))
    assert (sim.gps_pos[0] != before).all()
    assert (sim.gps_accuracy[0].tolist(), sim.gps_satellites[0]) == ([0.3, 0.4], 10)


def test_a_velocity_bias_leaves_the_position() -> None:
    sim = receiving()
    sim.faults.add("gps_velocity", bias=[1, -2, 0.5])
    pos, true_pos, vel, true_vel = reports(sim, 20)
    np.testing.assert_allclose(pos, true_pos, atol=0.02)  # of 1 to 4 steps
    np.testing.assert_allclose(vel - true_vel, np.tile([1, -2, 0.5], (20, 1)), atol=0.04)


def test_who_is_led_away_is_off_by_the_integral_of_the_velocity() -> None:
    sims = receiving(), receiving()
    sims[0].faults.add("gps_spoof", velocity=[2, 0, -1], at=0.1)
    for sim in sims:
        sim.sleep(0.602)  # the last sample is that of 0.6 s
    off = sims[0].gps_pos[0] - sims[1].gps_pos[0]
    np.testing.assert_allclose(off, [2 * 0.5, 0, -0.5], atol=1e-9)
    np.testing.assert_allclose(sims[0].gps_vel[0] - sims[1].gps_vel[0], [2, 0, -1], atol=1e-9)


@pytest.mark.parametrize(
    "faults",
    [
        [("gps_spoof", {"velocity": [2, -1, 1], "at": 0.1, "ramp": 0.5})],
        [("gps_place", {"pos": [9, 8, -7], "at": 0.1, "ramp": 0.5})],
        [
            ("gps_place", {"pos": [9, 8, -7], "at": 0.1, "ramp": 0.9}),
            ("gps_spoof", {"velocity": [2, -1, 1], "at": 0.1, "ramp": 0.6}),
            ("gps_place", {"pos": [5, 0, -9], "at": 0.2, "ramp": 0.7}),
        ],
    ],
)
def test_reported_velocity_is_the_derivative_of_the_reported_position(
    faults: list[tuple[str, dict[str, Any]]],
) -> None:
    """Away from the ends of the ramps; central differences of updates 4 ms apart."""
    sim = receiving()
    for kind, values in faults:
        sim.faults.add(kind, **values)
    pos, _, vel, _ = reports(sim, 300)
    slope = (pos[2:] - pos[:-2]) / 0.008
    off = np.abs(slope - vel[1:-1]).max(axis=1)
    assert np.count_nonzero(off > 1e-3) <= 3 * 2 * len(faults)
    assert np.abs(vel[:20] - [4, 3, 0]).max() < 1


def test_a_fixed_place_is_reported_at_rest() -> None:
    sim = receiving()
    sim.faults.add("gps_place", pos=[9, 8, -7])
    sim.sleep(0.5)
    np.testing.assert_allclose(sim.gps_pos[0], [9, 8, -7], atol=1e-12)
    np.testing.assert_allclose(sim.gps_vel[0], 0, atol=1e-12)
    assert (sim.gps_speed[0], sim.gps_fix[0]) == (0, 3)


@pytest.mark.parametrize(("factor", "added", "fix"), [(1, 0, 3), (4, 0, 3), (8, 0, 2), (8, 5, 0)])
def test_noise_is_reported(factor: float, added: float, fix: int) -> None:
    """Eph and epv as the noise, sqrt((g e)^2 + a^2); the fix by RflySim's bounds of 2 and 4 m."""
    sim = receiving(gps_accuracy=(0.4, 0.6))
    sim.faults.add("sensor_noise", sensor="gps", factor=factor, deviation=added)
    sim.sleep(0.1)
    expected = np.hypot(factor * np.array([0.4, 0.6]), added)
    np.testing.assert_allclose(sim.gps_reported_accuracy[0], expected, rtol=1e-12)
    assert sim.gps_fix[0] == fix


def test_packets_have_the_reported_numbers() -> None:
    sim = receiving(gps_accuracy=(0.3, 0.4), gps_satellites=10)
    sim.faults.add("gps_satellites", satellites=3)
    sim.sleep(0.1)
    for name in ("HIL_GPS", "MavHILGPS", "HILGPS30d"):
        report = wire.pack(sim, name)[0]
        assert report["fix_type"] == 2
        assert report["satellites_visible"] == 3
        assert (report["eph"], report["epv"]) == (30, 10000)


def estimating(n: int = 1) -> Sim:
    sim = Sim("x450", n)
    sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile="px4")
    sim.estimator.enable()
    sim.reset(pos=[0, 0, -50], hover=True, seed=4)
    return sim


@pytest.mark.parametrize("fix", [0, 2])
def test_the_estimator_uses_no_report_without_a_fix_of_three_dimensions(fix: int) -> None:
    sim = estimating()
    sim.sleep(2.0)
    assert (sim.innovation_ages[0, :6] < 0.3).all()
    sim.faults.add("gps_fix", fix=fix, duration=3.0)
    sim.sleep(2.9)
    assert (sim.innovation_ages[0, :6] > 2.5).all()
    assert (sim.innovation_ages[0, 6:8] < 0.3).all()
    sim.sleep(0.6)
    assert (sim.innovation_ages[0, :6] < 0.3).all()


def test_an_estimator_follows_a_spoofed_receiver() -> None:
    sim = estimating(16)
    sim.faults.add("gps_spoof", velocity=[1.0, 0, 0], at=5.0, ramp=5.0)
    sim.sleep(25.0)
    off = (sim.pos_est - sim.pos).mean(axis=0)
    np.testing.assert_allclose(off, [25 - 5 - 2.5, 0, 0], atol=1.5)
    assert abs((sim.vel_est - sim.vel)[:, 0].mean() - 1) < 0.15
