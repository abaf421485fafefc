"""Vehicles without effects, whose parameters a test sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pyrfly

STILL = (
    "drag_linear drag_quadratic damping_linear damping_quadratic drag_offset "
    "ground_stiffness ground_damping ground_preload ground_friction ground_leveling "
    "ground_level_damping throttle motor_dead_zone"
).split()
ROTOR = (
    "thrust_coef torque_coef rotor_thrust_coef rotor_torque_coef rotor_inertia motor_curve"
).split()


def bare(vehicle: Any = "sdk", n: int = 1, **options: Any) -> pyrfly.Sim:
    """Return vehicles on which only gravity acts; a test sets the parameters under test.

    No rotors, drag, damping or ground, controllers off, very slow motors, at the origin.
    """
    sim = pyrfly.Sim(vehicle, n, **options)
    sim.controllers = False
    names = {field.name for field in sim.fields()}
    for name in {*STILL, *ROTOR} & names:
        getattr(sim, name)[:] = 0
    sim.motor_max[:] = 1
    sim.motor_tau[:] = 1e30
    return sim


@pytest.fixture(name="bare")
def bare_fixture() -> Callable[..., pyrfly.Sim]:
    return bare
