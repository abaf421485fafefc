"""Motors, inertia and centre of mass of multirotors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim, load
from pyrfly.identify import identify
from pyrfly.identify.parameters import with_values
from pyrfly.vehicles.multirotor.identifying import recipe, with_free_rotors

from ...identify.changes import changed
from ...identify.conftest import flown


@pytest.mark.slow
def test_a_set_that_is_far_off_becomes_that_of_the_vehicle_and_flies(tmp_path: Path) -> None:
    log = flown("x450", 8)
    factors = {"inertia": 1.6, "motor_tau": 1.6, "motor_curve": 0.85, "drag_linear": 1.5}
    start = changed(tmp_path / "start.toml", "x450", factors)
    found = identify(log, start)
    truth = with_free_rotors(load("x450"))
    table = {one.name: one for one in recipe().parameters(truth, frozenset())}
    for name in ("inertia_zz", "motor_tau", "motor_curve_2", "torque_coef_2"):
        assert found[name].value == pytest.approx(table[name].start, rel=0.01), name
    found.save(tmp_path / "mine.toml")
    sim = Sim(tmp_path / "mine.toml")
    sim.arm()
    sim.command_position([3, 0, -10])
    sim.sleep(15)
    assert np.abs(sim.pos - [3, 0, -10]).max() < 0.1


@pytest.mark.slow
def test_a_shifted_centre_of_mass_is_found_and_moves_the_rotors(tmp_path: Path) -> None:
    params = with_free_rotors(load("x450"))
    shift = [p for p in recipe().parameters(params, frozenset()) if p.name == "centre_of_mass_x"]
    vehicle = with_values(params, shift, {"centre_of_mass_x": 0.01})
    found = identify(flown(vehicle, 8), "x450")
    assert found["centre_of_mass_x"].value == pytest.approx(0.01, abs=1e-4)
    found.save(tmp_path / "mine.toml")
    places = load(tmp_path / "mine.toml").columns["rotor_position"].reshape(3, 4)
    np.testing.assert_allclose(places[0].mean(), -0.01, atol=1e-4)
