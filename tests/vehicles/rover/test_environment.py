"""The environment of rovers, which is that of all families."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly


def test_a_rover_has_the_air_of_any_vehicle_at_its_place() -> None:
    """Same place, number and wind: the same values to the last bit, whatever the family."""
    sim = pyrfly.Sim({"x450": 1, "rover": 1})
    sim.controllers = False
    sim.select().write("wind", (4, 3, 0))
    sim.environment.enable("density", "shear", "magnetic", "gravity")
    sim.environment.set_turbulence("severe")
    sim.environment.set_gust((0, 2, 0), rise=0.01)
    sim.select().write("random_vehicle", 5)
    sim.step()
    for name in ("wind_variation", "air_density", "magnetic_field", "normal_gravity"):
        quad, rover = getattr(sim, name)
        np.testing.assert_array_equal(quad, rover)
        assert np.all(quad)


def test_a_rover_in_free_fall_accelerates_by_normal_gravity() -> None:
    sim = pyrfly.Sim("rover", 2)
    sim.origin = (80, 0, 0)
    sim.reset(pos=(0, 0, -100))
    sim.environment.enable("gravity", ids=1)
    sim.environment.set_turbulence("severe")
    sim.step(100)
    assert sim.vel[0, 2] == pytest.approx(0.1 * sim.normal_gravity[0], rel=1e-6)
    assert sim.vel[1, 2] == pytest.approx(0.1 * sim.gravity[1], rel=1e-12)
    assert sim.vel[0, 2] != sim.vel[1, 2]
    np.testing.assert_array_equal(sim.vel[:, :2], 0)


def test_a_rover_has_no_rotors() -> None:
    sim = pyrfly.Sim("rover")
    sim.environment.enable("ground_effect")
    sim.step(5)
    assert sim.ground_effect.tolist() == [1]
    with pytest.raises(pyrfly.ParameterError, match=r"set_rotor_air: .* has no rotors"):
        sim.environment.set_rotor_air(1e-4, 0)
    with pytest.raises(pyrfly.ParameterError, match=r"motors: .* has no rotors"):
        sim.motors.enable()


def test_a_rover_is_in_the_jet_of_a_multirotor_and_has_none() -> None:
    sim = pyrfly.Sim({"rover": 2, "x450": 1})
    sim.environment.enable("downwash")
    sim.reset(pos=[[0, 0, 0], [0, 0, -5], [0, 0, -3]])
    sim.groups[1].rotor_speed[:] = 500
    sim.environment.refresh()
    assert sim.downwash[0, 2] > 5
    assert sim.environment.wind[0, 2] == sim.downwash[0, 2]
    assert not sim.downwash[1:].any()
    assert sim.disk_area.tolist()[:2] == [0, 0]
    assert not sim.rotor_jet[:2].any()
