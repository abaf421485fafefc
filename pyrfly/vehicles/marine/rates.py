"""The fastest motion of a marine craft, which an integrator step must resolve."""

from __future__ import annotations

import math

import numpy as np

from pyrfly.columns import constant_of
from pyrfly.vehicles.parameters import VehicleParameters, scalar

__all__ = ["fastest_rate"]

SPEED, TURNING = 1.5, 0.5
"""Speeds [m/s, rad/s] up to which quadratic drag is resolved; a launch at more is the user's."""

SLIP = constant_of("marine", "hull_slip_speed")
"""Speed below which the friction of a hull on the ground is a damper [m/s]."""


def fastest_rate(parameters: VehicleParameters, _effects: str) -> float:
    """Return the rate [1/s] of the fastest of thrusters, fins, drag, and contact of the hull."""
    columns = parameters.columns
    mass = scalar(columns, "mass")
    inertia = columns["inertia"][:3]
    moved, turned = mass + columns["added_mass"], inertia + columns["added_inertia"]
    length, strips = scalar(columns, "cross_flow_length"), columns["cross_flow_drag"]
    across = np.array([0.0, *(2.0 * length * strips * SPEED)])
    about = np.array([0.0, *(strips[::-1] * length**3 * (SPEED + length * TURNING) / 6.0)])
    drag = columns["drag_linear"] + 2.0 * columns["drag_quadratic"] * SPEED + across
    damping = columns["damping_linear"] + 2.0 * columns["damping_quadratic"] * TURNING + about
    servos = (1.0 / scalar(columns, "thruster_tau"), 1.0 / scalar(columns, "fin_tau"))
    flow = max(float((drag / moved).max()), float((damping / turned).max()))
    return max(*servos, flow, _contact(parameters))


def _contact(parameters: VehicleParameters) -> float:
    """Return the rate of four corners of the hull on the ground, of a dry vehicle."""
    columns = parameters.columns
    mass, inertia = scalar(columns, "mass"), columns["inertia"][:3]
    arms = 0.5 * columns["hull_size"] + np.abs(columns["hull_position"])
    levers = (arms**2).sum() - arms**2
    lightness = 1.0 / mass + float((levers / inertia).max())
    spring, damper = (4.0 * scalar(columns, f"hull_{name}") for name in ("stiffness", "damping"))
    friction = scalar(columns, "hull_grip") * mass * scalar(columns, "gravity") / SLIP
    return max(math.sqrt(spring * lightness), damper * lightness, friction * lightness)
