"""Long steps and slow control loops: every set holds a hover and reaches a position."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import Sim, load, names
from pyrfly.sim.group import LARGEST_PRODUCT
from pyrfly.vehicles import FAMILIES
from pyrfly.vehicles.loops import LoopPeriods
from pyrfly.vehicles.multirotor import tuning

FAMILY = FAMILIES["multirotor"]
SETS = names("multirotor")
NO_YAW_CONTROL = {"tri_y_minus", "tri_y_plus"}


def longest_step(name: str, integrator: str) -> float:
    rate = FAMILY.fastest_rate(load(name), "full")
    return min(0.999 * LARGEST_PRODUCT[integrator] / rate, FAMILY.longest_periods.inner)


CASES = ["rk4", "euler", "slow", "slow rate loop", "slow attitude loop", "slow velocity loop"]


def options(name: str, case: str) -> dict[str, Any]:
    if case in LARGEST_PRODUCT:
        return {"dt": longest_step(name, case), "integrator": case}
    fastest = np.array([100.0, 200.0, 200.0])
    slow = {"slow": [0, 1, 2], "slow rate loop": [2], "slow attitude loop": [1]}.get(case, [0])
    rates = fastest.copy()
    rates[slow] = 1 / np.array(FAMILY.longest_periods)[slow]
    return {"dt": 0.005, "control_rates": tuple(rates)}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", SETS)
@pytest.mark.slow
def test_a_step_ends_at_rest(name: str, case: str) -> None:
    sim = Sim(name, **options(name, case))
    sim.reset(pos=[0, 0, -10], hover=name not in NO_YAW_CONTROL)
    sim.arm()
    goal = np.array([4.0, 2.0, -8.0])
    sim.command_position(goal, yaw=0.5)
    sim.run(30)
    worst_rate = worst_error = 0.0
    for _ in range(20):
        sim.step()
        worst_rate = max(worst_rate, float(np.abs(sim.rate[0, :2]).max()))
        worst_error = max(worst_error, float(np.abs(sim.pos[0] - goal).max()))
        if name not in NO_YAW_CONTROL:
            worst_rate = max(worst_rate, float(np.abs(sim.rate[0, 2])))
    assert worst_rate < 1e-3
    assert worst_error < 1e-2
    assert name in NO_YAW_CONTROL or abs(sim.euler[0, 2] - 0.5) < 1e-3


@pytest.mark.parametrize("period", [0.002, 0.008, 0.0138, 0.025])
@pytest.mark.parametrize("name", SETS)
def test_the_yaw_rate_loop_has_a_gain_margin_of_two(name: str, period: float) -> None:
    """The lead of the rotors' inertia, sampled: unstable for b (1 + g) > 2, g the gain."""
    parameters = load(name)
    columns = parameters.columns
    periods = LoopPeriods(0.01, max(0.004, period), period)
    gains = FAMILY.gains(columns, parameters.c_type, periods)
    rotors = tuning._rotors(columns, parameters.c_type, float(columns["mass"][0] * 9.8))
    lead = rotors.inertia[rotors.present].sum() / rotors.torque_slope[rotors.present].sum()
    gain = gains["rate_p"][2] / columns["inertia"][2] * lead
    share = 1 - np.exp(-period / columns["motor_tau"].min())
    assert 2 * gain < 2 / share - 1


def test_at_the_default_rates_nothing_is_limited() -> None:
    for name in SETS:
        parameters = load(name)
        fast = FAMILY.gains(parameters.columns, parameters.c_type, LoopPeriods(0.01, 1e-9, 1e-9))
        for column, values in FAMILY.gains(parameters.columns, parameters.c_type).items():
            np.testing.assert_array_equal(values, fast[column], f"{name} {column}")
