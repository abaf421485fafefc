"""Rotors of packaged multirotors follow the law of propellers, T = k rho w^2."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import Polynomial

import pyrfly
from pyrfly.vehicles import load, names


@pytest.mark.parametrize("name", names("multirotor"))
def test_thrust_is_about_that_of_the_square_of_the_speed(name: str) -> None:
    """d ln T / d ln w at hover; measured ones of Crazyflies have up to 2.2."""
    vehicle = load(name)
    columns = vehicle.columns
    coefficients = columns.get("thrust_coef", columns.get("rotor_thrust_coef"))
    assert coefficients is not None
    linear, quadratic = coefficients.reshape(2, -1)[:, 0]
    carried = float(columns["mass"][0] * columns["gravity"][0]) / vehicle.actuator_count
    speed = Polynomial([-carried, linear, quadratic]).roots().max()
    exponent = (linear + 2 * quadratic * speed) / (linear + quadratic * speed)
    assert 1.95 < exponent < 2.25


@pytest.mark.parametrize("name", ["x150", "x200", "x450", "sih_quad"])
def test_hover_at_3_km_takes_speed_and_power_by_the_root_of_the_density(name: str) -> None:
    """T = k rho w^2 and P = Q w in proportion to rho w^3, in air of 0.9091 kg/m^3 [@us76]."""
    sim = pyrfly.Sim(name, 2)
    sim.origin = 45.0, 7.0, 0.0
    sim.reset(pos=[[0, 0, -5], [0, 0, -3000]], hover=True)
    sim.environment.enable("density", ids=2)
    sim.arm()
    sim.command_position(np.array(sim.pos))
    sim.sleep(12)
    speed = sim.rotor_speed.mean(axis=1)
    torque = sim.torque_coef[:, 0] * speed + sim.torque_coef[:, 1] * speed**2
    power = torque * speed * [1.0, sim.air_density[1] / 1.225]
    root = np.sqrt(1.225 / 0.9091)
    assert speed[1] / speed[0] == pytest.approx(root, rel=2e-3)
    assert power[1] / power[0] == pytest.approx(root, rel=4e-3)
