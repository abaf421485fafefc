"""Hover: thrust, weight and motor curve of whole parameter sets against published numbers."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import pyrfly
from pyrfly import vehicles
from pyrfly.vehicles.multirotor.hover import hover_throttle, steady_rotor_speed


def hovering(name: str, throttle: float) -> pyrfly.Sim:
    """Return a level vehicle in still air, its motors at the steady speed of the throttle."""
    sim = pyrfly.Sim(name)
    sim.controllers = False
    count = sim.groups[0].parameters.actuator_count
    sim.pos[:, 2] = -100
    sim.throttle[:, :count] = throttle
    sim.rotor_speed[:, :count] = steady_rotor_speed(vehicles.load(name), throttle)
    return sim


@pytest.mark.parametrize("name", vehicles.names("multirotor"))
def test_every_set_hovers_at_its_hover_throttle(name: str) -> None:
    sim = hovering(name, hover_throttle(vehicles.load(name)))
    np.testing.assert_allclose(sim.accel[0], 0, atol=1e-9)
    np.testing.assert_allclose(sim.angular_accel[0, :2], 0, atol=1e-9)
    sim.step(1000)
    np.testing.assert_allclose(sim.pos[0], [0, 0, -100], atol=1e-8)
    np.testing.assert_allclose(sim.rotor_speed.max(axis=1), sim.rotor_speed[:, 0])


# Hover throttle of the published model, published or derived by hand.
PUBLISHED = {
    "cs2019": (0.6085, 1e-4),  # ModelParam_BattHoverThr 0.609; (557.142 + 141.4) / 1148
    "sih_quad": (0.4903, 1e-4),  # m g / (4 T_max) = 9.80665 / 20
    "x450": (0.2720, 1e-4),  # 4 (10.3223 u + 1.7118) = 1.8446 * 9.8
    "x200": (0.2771, 1e-4),  # 4 (4.0568 u + 1.3730) = 1.0192 * 9.8
    "x150": (0.5328, 1e-4),  # 4 (1.4874 u - 0.0147) = 0.3175 * 9.8
    "sdk": (0.5309, 1e-4),  # (sqrt(1.515 * 9.8 / 4 / 1.681e-5) - 22.83) / 842.1
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_hover_throttle_is_the_published_one(name: str) -> None:
    throttle, tolerance = PUBLISHED[name]
    assert abs(hover_throttle(vehicles.load(name)) - throttle) < tolerance
    sim = hovering(name, throttle)
    assert abs(sim.accel[0, 2]) < 10 * 9.81 * tolerance


def test_2019_set_hovers_at_the_rotor_speed_of_its_model() -> None:
    """[@rfly-exp e2/e2.3/Init.m] starts its rotors at 557.142 rad/s, which carries 1.4 kg."""
    sim = hovering("cs2019", 0.0)
    sim.rotor_speed[:] = 557.142
    assert abs(sim.accel[0, 2]) < 1e-4


# [@drone-models] mass [kg], k1 and k2 of thrust = k1 n + k2 n^2 per motor [N, rpm]
CRAZYFLIES = {
    "cf2x_l250": (0.0319, -5.382e-7, 2.4583e-10),
    "cf2x_p250": (0.0318, -3.620e-7, 1.6061e-10),
    "cf2x_t350": (0.0379, -7.167e-7, 2.9401e-10),
    "cf21b_500": (0.04338, -3.133e-7, 4.4074e-10),
}


@pytest.mark.parametrize("name", CRAZYFLIES)
def test_crazyflies_hover_at_the_speed_their_thrust_curve_gives(name: str) -> None:
    mass, k1, k2 = CRAZYFLIES[name]
    weight = mass * 9.81 / 4
    rpm = (-k1 + np.sqrt(k1**2 + 4 * k2 * weight)) / (2 * k2)
    sim = hovering(name, 0.0)
    sim.rotor_speed[:] = rpm * pi / 30
    assert abs(sim.accel[0, 2]) < 9.81 * 2e-4  # the published coefficients have four digits
    sim = hovering(name, hover_throttle(vehicles.load(name)))
    np.testing.assert_allclose(sim.rotor_speed[0] * 30 / pi, rpm, rtol=2e-4)
