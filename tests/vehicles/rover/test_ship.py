"""The contract of vehicles, kept by one that takes a minute to get under way, as a ship does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from pyrfly.vehicles import VehicleParameters, load
from pyrfly.vehicles.driving.tuning import ACCEL_FRACTION

from .. import test_contract as contract

START = 60.0  # s


def ship() -> VehicleParameters:
    """Return a rover with so little torque that it has half of its speed after `START`."""
    base = load("husky_a200")
    columns = dict(base.columns)
    speed = 0.5 * columns["wheel_speed_max"][0] * columns["wheel_radius"][0]
    force = columns["mass"][0] * speed / START / ACCEL_FRACTION
    columns["wheel_torque"] = np.full(2, 0.5 * force * columns["wheel_radius"][0])
    return replace(base, name="ship", columns=columns)


@pytest.mark.slow
@pytest.mark.parametrize(
    "keeps",
    [
        contract.test_an_armed_vehicle_reaches_its_set_point,
        contract.test_velocities_headings_and_heading_rates_are_reached,
        contract.test_the_navigator_flies_by_rflysims_inputs,
        contract.test_a_mission_is_completed,
    ],
)
def test_a_slow_vehicle_keeps_the_contract(keeps: Callable[[VehicleParameters], None]) -> None:
    keeps(ship())
