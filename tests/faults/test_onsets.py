"""When faults begin, grow and end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from pyrfly import Sim


def shares(sim: Sim, times: int, steps: int) -> np.ndarray:
    """Return how much of the first fault of the first vehicle acts, after every few steps."""
    found = []
    for _ in range(times):
        sim.step(steps)
        found.append(float(sim.fault_share[0, 0]))
    return np.array(found)


def test_a_fault_begins_grows_and_ends_at_its_times() -> None:
    sim = Sim("x450")
    sim.faults.add("motor", actuator=1, effectiveness=0.0, at=0.1, ramp=0.2, duration=0.5)
    t = 0.01 * np.arange(1, 81) - 0.002  # of the last update
    expected = np.clip((t - 0.1) / 0.2, 0, 1) * (t < 0.6 - 1e-9)
    np.testing.assert_allclose(shares(sim, 80, 10), expected, atol=1e-9)
    assert sim.command_factor[0, 0] == 1


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_fault_begins_at_the_update_of_its_time(precision: str) -> None:
    """Whatever the time is in binary; all of it acts then, or none."""
    sim = Sim("x450", 500, precision=precision)
    at = 0.002 * np.arange(500)
    sim.faults.add("motor", actuator=1, at=at, duration=0.002)
    for k in range(500):
        sim.step(2)
        assert sim.fault_share[:, 0].tolist() == [float(i == k) for i in range(500)]


def test_each_vehicle_has_its_own_time_and_strength() -> None:
    sim = Sim({"x450": 2, "hex_x": 1})
    sim.faults.add("motor", actuator=3, at=[0.1, 0.2, 0.3], effectiveness=[0.1, 0.2, 0.3])
    for time, expected in ((0.15, [0.1, 1, 1]), (0.25, [0.1, 0.2, 1]), (0.35, [0.1, 0.2, 0.3])):
        sim.sleep(time - sim.time)
        assert sim.command_factor[:, 2].tolist() == expected


def test_onsets_have_the_exponential_distribution() -> None:
    """P(begun after t) = 1 - exp(-r t)."""
    sim = Sim("x450", 4096)
    sim.reset(seed=7)
    sim.faults.add("motor", actuator=1, at=1.0, rate=0.5)
    sim.faults.add("motor", actuator=2, at=2.0, rate=4.0)
    sim.step(2)
    for place, start, rate in ((0, 1.0, 0.5), (1, 2.0, 4.0)):
        onsets = sim.fault_onset[:, place]
        assert stats.kstest(onsets - start, "expon", args=(0, 1 / rate)).pvalue > 1e-4
    assert abs(np.corrcoef(sim.fault_onset[:, 0], sim.fault_onset[:, 1])[0, 1]) < 5 / 64


def test_onsets_follow_the_seed_and_are_drawn_anew_by_a_reset() -> None:
    def onsets(sim: Sim, seed: int) -> list[float]:
        sim.reset(seed=seed)
        sim.step(2)
        return sim.fault_onset[:, 0].tolist()

    sim, other = Sim("x450", 3), Sim("x450", 3)
    for each in (sim, other):
        each.faults.add("motor", actuator=1, rate=1.0)
    first = onsets(sim, 1)
    assert onsets(other, 1) == first
    assert onsets(sim, 2) != first
    assert onsets(sim, 1) == first
    assert len(set(first)) == 3


def test_a_reset_of_all_repeats_what_was_drawn_and_one_of_some_draws_anew() -> None:
    """As of all random numbers, which follow from the seed, the vehicle and the time."""
    sim = Sim("x450", 3)
    sim.faults.add("motor", actuator=1, rate=1.0)

    def onsets() -> list[float]:
        sim.step(2)
        return sim.fault_onset[:, 0].tolist()

    first = onsets()
    sim.reset()
    assert onsets() == first
    sim.reset(ids=2)
    again = onsets()
    assert (again[0], again[2]) == (first[0], first[2])
    assert again[1] != first[1]


@pytest.mark.parametrize("before", [False, True])
def test_times_are_simulated_ones_and_after_a_reset_those_since_then(before: bool) -> None:
    """As of events, whether a vehicle that was reset had faults before or not."""
    sim = Sim("x450", 2)
    if before:
        sim.faults.add("wind", wind=[0, 1, 0])
    sim.sleep(0.3)
    sim.reset(ids=2)
    sim.sleep(0.1)
    sim.faults.add("motor", actuator=1, effectiveness=0.5, at=0.5)
    sim.faults.add("motor", actuator=2, effectiveness=0.5)
    sim.at(0.5, wind=[1, 0, 0])
    sim.step(2)
    assert sim.command_factor[:, 1].tolist() == [0.5, 0.5]
    sim.sleep(0.094)
    assert (sim.command_factor[:, 0].tolist(), sim.wind[:, 0].tolist()) == ([1, 1], [0, 0])
    sim.sleep(0.01)
    assert (sim.command_factor[:, 0].tolist(), sim.wind[:, 0].tolist()) == ([0.5, 0.5], [1, 1])
    at, now = (fault for fault in sim.faults.list(2) if fault.kind == "motor")
    assert (at.start, at.onset) == pytest.approx((0.5, 0.5))
    assert (now.start, now.onset) == pytest.approx((0.4, 0.4))
    sim.sleep(0.094)
    sim.reset(ids=2)  # at 0.6 s
    sim.wind = 0
    sim.sleep(0.45)
    assert sim.command_factor[1, :2].tolist() == [1, 0.5]
    sim.sleep(0.06)
    assert (sim.command_factor[1, 0], sim.wind[1, 0]) == (0.5, 1)
    assert sim.faults.list(2)[-2].onset == pytest.approx(1.1)


def test_a_vehicle_that_is_reset_alone_has_its_faults_again() -> None:
    sim = Sim("x450", 2)
    sim.faults.add("motor", actuator=1, effectiveness=0.5, at=0.1)
    sim.sleep(0.3)
    sim.reset(ids=2)
    sim.sleep(0.08)
    assert sim.command_factor[:, 0].tolist() == [0.5, 1]
    sim.sleep(0.04)
    assert sim.command_factor[:, 0].tolist() == [0.5, 0.5]


def test_a_fault_of_a_vehicle_that_flies_already_begins_now() -> None:
    sim = Sim("x450", 2)
    sim.sleep(1.0)
    sim.faults.add("motor", actuator=1, effectiveness=0.5)
    sim.faults.add("motor", actuator=2, effectiveness=0.5, at=1.5, ids=2)
    sim.step(2)
    assert sim.command_factor[:, 0].tolist() == [0.5, 0.5]
    sim.sleep(0.49)
    assert sim.command_factor[1, 1] == 1
    sim.sleep(0.02)
    assert sim.command_factor[:, 1].tolist() == [1, 0.5]


def test_clear_restores_a_vehicle_and_leaves_the_others() -> None:
    sim = Sim("x450", 2)
    sim.faults.add("motor", actuator=1, effectiveness=0.5)
    sim.faults.add("wind", wind=[1, 2, 3])
    sim.step(2)
    sim.faults.clear(2)
    sim.step(2)
    assert sim.command_factor[:, 0].tolist() == [0.5, 1]
    assert sim.fault_wind.tolist() == [[1, 2, 3], [0, 0, 0]]
    assert [fault.copter_id for fault in sim.faults.list()] == [1, 1]


def test_the_future_of_a_snapshot_has_the_same_bits() -> None:
    sim = Sim("x450", 3)
    sim.reset(pos=[0, 0, -50], hover=True, seed=3)
    sim.faults.add("motor", actuator=1, effectiveness=0.7, rate=5.0, ramp=0.2)
    sim.faults.add("actuator_jitter", actuator=2, deviation=0.05, at=0.1)
    sim.sleep(0.15)
    saved = sim.snapshot()
    sim.sleep(0.5)
    after = sim.hash()
    sim.restore(saved)
    sim.sleep(0.5)
    assert sim.hash() == after


def test_vehicles_do_not_depend_on_their_neighbours() -> None:
    def path(n: int) -> np.ndarray:
        sim = Sim("x450", n)
        sim.reset(pos=[0, 0, -50], hover=True, seed=3)
        sim.faults.add("motor", actuator=1, effectiveness=0.7, rate=5.0, ramp=0.2)
        sim.sleep(0.4)
        return np.array(sim.pos[0])

    assert path(1).tolist() == path(300).tolist()


def test_the_list_has_every_fault_as_it_is() -> None:
    sim = Sim("x450", 2)
    sim.sensors.enable("gps", profile="ideal")
    sim.faults.add("sensor_bias", sensor="gps", bias=[3, 4, 0], ids=2, at=0.5, duration=2, ramp=1)
    (fault,) = sim.faults.list()
    assert fault[:4] == (2, "sensor_bias", ("gps",), {"bias": (3, 4, 0)})
    assert math.isnan(fault.onset)
    sim.sleep(1.002)
    (fault,) = sim.faults.list()
    assert (fault.start, fault.onset, fault.duration, fault.ramp) == (0.5, 0.5, 2, 1)
    assert fault.share == pytest.approx(0.5)
    assert sim.faults_active.tolist() == [0, 1]
