"""`Sim.power`: defaults, settings, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyrfly


def test_everything_is_off_until_it_is_enabled() -> None:
    sim = pyrfly.Sim("x450", 2)
    before = sim.nbytes
    assert not sim.power.enabled
    with pytest.raises(AttributeError, match="power"):
        _ = sim.battery_voltage
    sim.power.disable()
    assert sim.nbytes == before
    sim.power.enable(ids=2)
    assert sim.battery_on.tolist() == [0, 1]


@pytest.mark.parametrize(("model", "nominal"), [("lipo", 3.9), ("rflysim", 3.7)])
def test_defaults_follow_the_power_of_hover(model: str, nominal: float) -> None:
    """Charge for 1.4 times 900 s of hover, 0.02 ohm A h per cell."""
    sim = pyrfly.Sim({"x450": 1, "cf2x_l250": 1})
    sim.power.enable(battery_model=model)
    weight, arm, speed = 1.8446 * 9.8, 0.030556, 357.35  # N, torque per thrust [m], rad/s
    hover = np.array([weight * arm * speed, 4.3838]) / 0.75
    np.testing.assert_allclose(sim.battery_full_voltage, [16.8, 4.2])
    np.testing.assert_allclose(sim.avionics_power, 0.03 * hover, rtol=1e-3)
    charge = 1.4 * 900 * 1.03 * hover / (nominal * np.array([4, 1]))
    np.testing.assert_allclose(sim.battery_capacity, charge, rtol=1e-3)
    expected = 0.02 * np.array([4, 1]) / (charge / 3600)
    total = sim.battery_resistance + sim.polarization_resistance
    np.testing.assert_allclose(total, expected, rtol=1e-3)
    assert sim.polarization_resistance.any() == (model == "lipo")


def test_the_nominal_voltage_is_the_mean_over_the_charge_of_an_endurance() -> None:
    sim = pyrfly.Sim("x450", 1000)
    sim.power.enable(cells=1, resistance=0, avionics=0)
    sim.state_of_charge[:] = np.linspace(1 - 1 / 1.4, 1, 1000)
    sim.step()
    assert sim.battery_voltage.mean() == pytest.approx(3.9, abs=0.01)


def test_settings_are_those_given_and_survive_a_reset() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.power.enable(cells=[3, 6], capacity=2, resistance=[0, 0.1], efficiency=0.9, avionics=7)
    sim.reset()
    np.testing.assert_allclose(sim.battery_full_voltage, [12.6, 25.2])
    assert sim.battery_capacity.tolist() == [7200, 7200]
    assert sim.battery_resistance.tolist() == [0, 0.1]
    np.testing.assert_allclose(sim.polarization_resistance, [0, 0.0627])
    assert sim.drive_efficiency.tolist() == [0.9, 0.9]
    assert sim.avionics_power.tolist() == [7, 7]
    np.testing.assert_array_equal(sim.battery_voltage, sim.battery_full_voltage)


@pytest.mark.parametrize(
    "refill", [lambda sim: sim.reset(ids=1), lambda sim: sim.power.recharge(1)]
)
def test_batteries_are_full_again(refill: Callable[[pyrfly.Sim], None]) -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.power.enable(capacity=0.1, avionics=100)
    sim.step(3000)
    used = sim.state_of_charge[1]
    assert used < 0.95
    refill(sim)
    assert sim.state_of_charge.tolist() == [1, used]
    assert sim.battery_energy[0] == sim.battery_polarization[0] == 0
    assert sim.battery_polarization[1] > 0
    assert sim.battery_voltage[0] == 16.8


def test_hover_starts_with_a_full_battery_whatever_was_left() -> None:
    sim = pyrfly.Sim("x450")
    sim.power.enable()
    sim.state_of_charge[:] = 0
    sim.step(10)
    assert sim.voltage_ratio[0] == 0
    sim.reset(pos=(0, 0, -5), hover=True)
    sim.step(2000)
    assert abs(sim.pos[0, 2] + 5) < 0.01


def test_trim_and_linear_models_are_those_of_the_present_voltage() -> None:
    sim = pyrfly.Sim("x450")
    full = sim.trim().inputs["throttle"]
    sim.power.enable(resistance=0)
    sim.state_of_charge[:] = 0.5
    sim.step()
    ratio = float(sim.voltage_ratio[0])
    assert ratio == pytest.approx(3.793 / 4.2)
    np.testing.assert_allclose(sim.trim().inputs["throttle"] * ratio, full, rtol=1e-6)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"capacity": 0}, r"capacity: .*got 0"),
        ({"endurance": -1}, r"endurance: expected more than 0 \[s\]"),
        ({"cells": 2.5}, r"cells: expected whole numbers"),
        ({"cells": 0}, r"cells: expected more than 0"),
        ({"efficiency": 1.1}, "efficiency: expected"),
        ({"resistance": [0.1, -0.1]}, r"resistance: expected at least 0 \[ohm\]"),
        ({"avionics": np.inf}, r"avionics: expected finite"),
        ({"capacity": 1, "endurance": 60}, "endurance: expected"),
        ({"battery_model": "lead"}, "battery_model: expected one of .*'lipo'.*, got 'lead'"),
        ({"capacity": [1, 2, 3]}, r"capacity: expected shape \(2,\)"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], message: str) -> None:
    sim = pyrfly.Sim("x450", 2)
    with pytest.raises(ValueError, match=message):
        sim.power.enable(**settings)
    assert not sim.power.enabled
