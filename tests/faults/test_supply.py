"""Faults of the supply of the drives against batteries and commands that do the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.errors import ParameterError
from pyrfly.sim.battery_state import battery

from .test_actuators import LEVELS, VEHICLES, flown, nothing, same

COMMANDS = (*LEVELS, 0.7)
"""With the throttle of planes."""


def stiff(voltage: float) -> Callable[[Sim], None]:
    """Return a change: a battery whose voltage is this share of the full one at any load."""

    def change(sim: Sim) -> None:
        sim.power.enable(resistance=0, capacity=1e6)
        sim.battery_curve = voltage

    return change


@pytest.mark.parametrize("vehicle", VEHICLES)
@pytest.mark.parametrize("ratio", [0.9, 0.6])
def test_a_low_voltage_acts_as_a_battery_with_it(vehicle: str, ratio: float) -> None:
    faulty = flown(vehicle, lambda sim: sim.faults.add("low_voltage", ratio=ratio), COMMANDS)
    same(faulty, flown(vehicle, stiff(ratio), COMMANDS))
    assert np.abs(faulty - flown(vehicle, nothing, COMMANDS)).max() > 1e-6


@pytest.mark.parametrize("vehicle", VEHICLES)
def test_without_power_the_drives_have_no_voltage(vehicle: str) -> None:
    faulty = flown(vehicle, lambda sim: sim.faults.add("power_off"), COMMANDS)
    same(faulty, flown(vehicle, stiff(0.0), COMMANDS))


def test_a_low_voltage_scales_the_throttle_of_motors() -> None:
    """As RflySim's models scale the PWM [@rfly-safe]."""
    low = flown("x450", lambda sim: sim.faults.add("low_voltage", ratio=0.8))
    same(low, flown("x450", nothing, [0.8 * level for level in LEVELS]))


def test_a_vehicle_without_power_falls() -> None:
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -100], hover=True)
    sim.faults.add("power_off", at=0.5, duration=1.0)
    sim.step(1499)
    assert sim.rotor_speed.max() < 1
    assert sim.vel[0, 2] > 7  # 9.8 m/s without drag
    sim.step(600)
    assert sim.rotor_speed[0, :4].min() > 100


def test_a_battery_of_low_voltage_has_it_at_its_terminals() -> None:
    sim = Sim("x450")
    sim.power.enable(cells=4, avionics=0)
    sim.faults.add("low_voltage", ratio=0.75)
    sim.faults.add("low_voltage", ratio=0.8)
    sim.step(20)
    np.testing.assert_allclose(sim.battery_voltage, 0.6 * 16.8, rtol=1e-12)
    np.testing.assert_allclose(battery(sim.select()).volts, 0.6 * 16.8, rtol=1e-12)
    sim.faults.clear()
    sim.step(20)
    np.testing.assert_allclose(sim.battery_voltage, 16.8, rtol=1e-12)


def test_a_vehicle_without_battery_tells_of_a_low_voltage() -> None:
    sim = Sim("x450")
    before = battery(sim.select()).volts
    sim.faults.add("low_voltage", ratio=0.75)
    sim.step(20)
    assert battery(sim.select()).volts.tolist() == (0.75 * before).tolist()


def test_a_lost_capacity_takes_the_charge_within_the_ramp_and_for_good() -> None:
    sim = Sim("x450")
    sim.power.enable()
    sim.faults.add("low_capacity", ratio=0.25, at=1.0, ramp=2.0)
    for time, charge in ((1.0, 1.0), (2.0, 0.625), (3.1, 0.25)):
        sim.step(round((time - sim.time) * 1000))
        np.testing.assert_allclose(sim.state_of_charge, charge, atol=0.005)
    np.testing.assert_allclose(sim.battery_voltage, 4 * 3.714, atol=0.01)  # halfway, 20 to 30 %
    sim.faults.clear()
    sim.step(100)
    np.testing.assert_allclose(sim.state_of_charge, 0.25, atol=0.005)
    assert sim.charge_maximum.tolist() == [1]


def test_a_battery_with_less_charge_than_a_fault_leaves_keeps_it() -> None:
    sim = Sim("x450")
    sim.power.enable(avionics=0)
    sim.state_of_charge = 0.5
    sim.faults.add("low_capacity", ratio=0.6)
    sim.faults.add("hover_time", time=1e5)
    sim.step(20)
    assert sim.state_of_charge.tolist() == [0.5]


def test_a_hover_time_is_left_at_the_onset_and_flown_thereafter() -> None:
    sim = Sim("x450")
    sim.power.enable()
    sim.reset(pos=[0, 0, -50], hover=True)
    sim.faults.add("hover_time", time=20.0, at=1.0)
    sim.faults.add("hover_time", time=40.0, at=1.0)
    sim.sleep(1.01)
    np.testing.assert_allclose(sim.power.time_left(), 20, atol=0.05)
    charge = sim.state_of_charge * sim.battery_capacity
    np.testing.assert_allclose(charge, 20 * sim.nominal_current, rtol=5e-3)
    used, seconds = 0.0, 0
    while sim.power.time_left()[0] > 0 and seconds < 40:
        used += float(sim.battery_current[0])
        sim.sleep(1.0)
        seconds += 1
    assert 15 <= seconds <= 20  # an almost empty battery has less voltage, so takes more current
    np.testing.assert_allclose(used, 20 * sim.nominal_current, rtol=0.1)


def test_the_time_left_is_infinite_without_a_battery() -> None:
    sim = Sim("x450", 3)
    assert sim.power.time_left().tolist() == [np.inf] * 3
    sim.power.enable(endurance=100, ids=2)
    np.testing.assert_allclose(sim.power.time_left(), [np.inf, 140, np.inf])
    sim.state_of_charge = 0.5
    np.testing.assert_allclose(sim.power.time_left(ids=[3, 2]), [np.inf, 70])


@pytest.mark.parametrize(
    ("kind", "value"), [("low_capacity", {"ratio": 0.5}), ("hover_time", {"time": 9.0})]
)
def test_faults_of_charges_need_batteries(kind: str, value: dict[str, Any]) -> None:
    sim = Sim("x450", 2)
    sim.power.enable(ids=1)
    sim.faults.add(kind, ids=1, **value)
    with pytest.raises(ParameterError, match="has no battery"):
        sim.faults.add(kind, **value)
    assert len(sim.faults.list()) == 1
