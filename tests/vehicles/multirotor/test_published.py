"""The laws that RflySim publishes, selected by ``Sim(compatibility="rflysim")``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly import vehicles
from pyrfly.vehicles import VehicleParameters
from pyrfly.vehicles.multirotor.published import published

MULTIROTORS = [vehicles.load(name) for name in vehicles.names("multirotor")]


@pytest.mark.parametrize("vehicle", MULTIROTORS, ids=lambda vehicle: vehicle.name)
def test_only_ground_and_rotor_moments_change(vehicle: VehicleParameters) -> None:
    laws = published(vehicle)
    changed = {
        name for name in vehicle.columns if (laws.columns[name] != vehicle.columns[name]).any()
    }
    forces = {"ground_stiffness", "ground_damping", "ground_friction"}
    assert {"published_laws"} <= changed <= forces | {"published_laws"}
    for name, newton in zip(sorted(forces), (200, 50, 200), strict=True):
        assert laws.columns[name] * laws.columns["mass"] == pytest.approx(newton)
    assert len(laws.airframes) == len(vehicle.airframes)
    assert all(airframe.columns["published_laws"] == 1 for airframe in laws.airframes)


def test_the_physical_laws_are_the_default() -> None:
    assert pyrfly.Sim("sdk").published_laws[0] == 0
    assert (pyrfly.Sim({"sdk": 1, "mixed": 1}, compatibility="rflysim").published_laws == 1).all()


@pytest.mark.parametrize("wrong", ["RflySim", "", 1, True])
def test_other_values_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="compatibility: expected"):
        pyrfly.Sim("sdk", compatibility=wrong)


@pytest.mark.parametrize("name", ["sdk", "hex_x", "x450"])
def test_it_flies_and_lands(name: str) -> None:
    sim = pyrfly.Sim(name, compatibility="rflysim")
    sim.arm()
    sim.command_position([2, -1, -5], yaw=1.0)
    sim.sleep(15)
    np.testing.assert_allclose(sim.pos[0], [2, -1, -5], atol=0.05)
    assert sim.euler[0, 2] == pytest.approx(1.0, abs=0.02)
    sim.command_velocity([0, 0, 0.8])
    sim.sleep(10)
    sim.arm(False)
    sim.sleep(5)
    np.testing.assert_allclose(sim.pos[0, 2], 0, atol=0.01)
    assert sim.check().ok


def test_a_step_must_resolve_its_last_band() -> None:
    """1000 N s/m of a 32 g vehicle decay in 32 us."""
    with pytest.raises(ValueError, match=r"dt: expected at most 7\.97\d?e-05 s"):
        pyrfly.Sim("cf2x_l250", compatibility="rflysim")
