"""Vehicles without effects, whose parameters a test sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly

Array = NDArray[np.float64]

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


def rotors(sim: pyrfly.Sim, positions: Array, axes: Array, directions: Array) -> None:
    """Set the first rotors of a vehicle with geometry in columns; the others stay absent."""
    width = sim.rotor_speed.shape[1]
    for column, rows in (("rotor_position", positions), ("rotor_axis", axes)):
        for i, row in enumerate(np.asarray(rows, dtype=float)):
            getattr(sim, column)[:, i::width] = row
    sim.rotor_direction[:, : len(directions)] = directions


def coefficients(sim: pyrfly.Sim, thrust: tuple[float, float], torque: tuple[float, float]) -> None:
    """Set the linear and the quadratic coefficient of every rotor."""
    if sim.groups[0].batch.type_name == "quad_x":
        sim.thrust_coef[:] = thrust
        sim.torque_coef[:] = torque
        return
    width = sim.rotor_speed.shape[1]
    sim.rotor_thrust_coef[:] = np.repeat(thrust, width)
    sim.rotor_torque_coef[:] = np.repeat(torque, width)


@pytest.fixture(name="bare")
def bare_fixture() -> Callable[..., pyrfly.Sim]:
    return bare
