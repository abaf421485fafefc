"""Several faults of a vehicle: what they do does not depend on the order in which they came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.columns import fields_of_part
from pyrfly.protocol.bits import FaultySensor
from pyrfly.sim.fault_kinds import KINDS, VECTORS

Entry = tuple[str, int]
"""A kind, and which of its two sets of values."""

SEEN = (
    *("pos", "vel", "att", "rate", "imu_accel", "imu_gyro", "gps_pos", "gps_vel", "gps_fix"),
    *("barometer_pressure", "pos_output", "att_output", "wind_variation", "state_of_charge"),
    *("imu_updates", "gps_updates"),
)


def entries_of(kind: str, which: int, sensor: str) -> dict[str, Any]:
    """Return arguments of one of two faults of a kind."""
    row = KINDS[kind]
    of_gps = not row.sensors & FaultySensor[sensor.upper()]
    items = {"actuator": 1, "link": "rc", "sensor": "gps" if of_gps else sensor}
    found: dict[str, Any] = {row.of: items[row.of]} if row.of else {}
    for name, value in row.values.items():
        number = np.clip((0.3, 0.12)[which], value.minimum, value.maximum)
        narrow = row.of == "sensor" and not FaultySensor[items["sensor"].upper()] & VECTORS
        vector = [(1, -0.5, 0.25), (-1, -0.5, 2)][which]
        found[name] = number if value.width == 1 or narrow else number * np.array(vector)
    ramp = {"ramp": (0.4, 0.2)[which]} if row.grows else {}
    return {**found, **ramp, "at": (0.03, 0.05)[which]}


def fleet(n: int, **options: Any) -> Sim:
    """Return vehicles with everything that may fail, of which all do the same."""
    sim = Sim("x450", n, **options)
    sim.environment.enable("atmosphere", "magnetic")
    sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile="px4")
    sim.power.enable()
    sim.estimator.enable()
    sim.reset(pos=[0, 0, -30], hover=True, seed=1)
    sim.random_vehicle = 1
    return sim


@pytest.mark.slow
@pytest.mark.parametrize("sensor", ["gyroscope", "gps", "barometer"])
def test_two_faults_do_the_same_in_either_order(sensor: str) -> None:
    """All pairs of kinds at once: the first half of the vehicles has them in one order."""
    pairs = list(combinations_with_replacement([k for k in KINDS if k != "sensor_scale"], 2))
    if sensor != "gps":
        pairs = list(combinations_with_replacement(KINDS, 2))
    forward: list[tuple[Entry, Entry]] = [((a, 0), (b, 1)) for a, b in pairs]
    orders = [*forward, *[(second, first) for first, second in forward]]
    sim = fleet(len(orders))
    for place in (0, 1):
        entered: dict[Entry, list[int]] = {}
        for copter_id, order in enumerate(orders, start=1):
            entered.setdefault(order[place], []).append(copter_id)
        for (kind, which), ids in entered.items():
            sim.faults.add(kind, ids=ids, **entries_of(kind, which, sensor))
    sim.sleep(0.3)
    of_places = {f"fault_{name}" for name in _OF_PLACES} | {"faults_active"}
    effects = {field.name for field in fields_of_part("faults")} - of_places
    for name in [*effects, *SEEN]:
        values = np.asarray(getattr(sim, name), float).reshape(len(orders), -1)
        one, other = values[: len(pairs)], values[len(pairs) :]
        unlike = ~np.isclose(one, other, rtol=1e-9, atol=1e-9).all(axis=1)
        assert not unlike.any(), (name, [pairs[k] for k in np.flatnonzero(unlike)])


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_fault_does_the_same_beside_vehicles_with_others(precision: str) -> None:
    """Each vehicle has another kind, so that vehicles of a lane do; then they change places."""

    def flown(kinds: Sequence[str]) -> np.ndarray:
        sim = fleet(len(kinds), precision=precision)
        for copter_id, kind in enumerate(kinds, start=1):
            sim.faults.add(kind, ids=copter_id, **entries_of(kind, 0, "gyroscope"))
        sim.sleep(0.3)
        names = [*(field.name for field in fields_of_part("faults")), *SEEN]
        rows = [np.asarray(getattr(sim, name), float).reshape(len(kinds), -1) for name in names]
        return np.concatenate(rows, axis=1)

    kinds = list(KINDS)
    np.testing.assert_array_equal(flown(kinds[5:] + kinds[:5]), np.roll(flown(kinds), -5, axis=0))


_OF_PLACES = (
    *("start", "rate", "duration", "ramp", "strength", "onset", "share", "kind", "items"),
    "source",
)


def winds(n: int, *entered: Mapping[str, Any]) -> Sim:
    sim = Sim("x450", n)
    for arguments in entered:
        sim.faults.add(**arguments)
    sim.step(2)
    return sim


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([3, 0, 0], [4, 0, 0], [5, 0, 0]),
        ([3, 0, 0], [-3, 0, 0], [3 * 2**0.5, 0, 0]),
        ([0, 3, 0], [0, -3, 0], [3 * 2**0.5, 0, 0]),
        ([0, -4, 0], [0, 1, 0], [0, -(17**0.5), 0]),
        ([3, 0, 0], [0, 4, 0], [3, 4, 0]),
    ],
)
def test_variances_of_turbulence_add_whatever_the_directions_are(
    one: list[float], other: list[float], expected: list[float]
) -> None:
    """The speed of the wind is in proportion to the intensity; north if directions cancel."""
    entered = [{"kind": "turbulence", "wind": wind} for wind in (one, other)]
    np.testing.assert_allclose(winds(1, *entered).turbulent_wind[0], expected, atol=1e-12)


def test_the_time_of_noise_is_the_mean_by_variances() -> None:
    """The integral of the correlation of a sum of processes."""
    entered = [
        {"kind": "wind_noise", "deviation": deviation, "time": time}
        for deviation, time in ((1.0, 0.5), (2.0, 0.1), (2.0, 0.0))
    ]
    sim = winds(1, *entered)
    assert sim.wind_deviation[0] == pytest.approx(3.0)
    assert sim.wind_time[0] == pytest.approx((1 * 0.5 + 4 * 0.1) / 9)


def test_of_values_that_stick_the_mean_holds() -> None:
    sim = winds(
        1,
        {"kind": "actuator_stuck", "actuator": (1, 2), "value": 0.2},
        {"kind": "actuator_stuck", "actuator": 2, "value": 0.6},
        {"kind": "actuator_bias", "actuator": 2, "bias": 1.0},
    )
    np.testing.assert_allclose(sim.command_offset[0, :3], [0.2, 0.4, 0])
    assert sim.command_factor[0, :3].tolist() == [0, 0, 1]


def test_of_places_the_mean_holds_and_is_led_away() -> None:
    sim = Sim("x450")
    sim.controllers = False
    sim.sensors.enable("gps", profile="ideal")
    sim.reset(pos=[50, -20, -300])
    sim.faults.add("gps_spoof", velocity=[2, 0, 0])
    sim.faults.add("gps_place", pos=[10, 0, -20], ramp=1.0)
    sim.faults.add("gps_place", pos=[0, 20, -40], ramp=0.5)
    sim.sleep(0.25)
    sim.step()
    s, r, t = np.array([0.25, 0.5]), np.array([1.0, 2.0]), 0.25  # shares, their rates
    q = np.array([[10, 0, -20], [0, 20, -40.0]])
    k, dk = (1 - s).prod(), -r[0] * (1 - s[1]) - r[1] * (1 - s[0])
    mean, moving = s @ q / s.sum(), (r @ q - r.sum() * (s @ q) / s.sum()) / s.sum()
    np.testing.assert_allclose(sim.receiver_pos[0], (1 - k) * mean + [2 * t, 0, 0], rtol=1e-9)
    expected = (1 - k) * moving - dk * mean + [2, 0, 0]
    np.testing.assert_allclose(sim.receiver_vel[0], expected, rtol=1e-9)
    np.testing.assert_allclose([sim.receiver_factor[0], sim.receiver_factor_rate[0]], [k, dk])
    sim.sleep(1.0)
    sim.step()
    np.testing.assert_allclose(sim.gps_pos[0], [5 + 2 * sim.time, 10, -30], atol=0.01)
    np.testing.assert_allclose(sim.gps_vel[0], [2, 0, 0], atol=1e-9)
