"""Whether the numbers of a plane make sense together."""

from __future__ import annotations

from math import atan2, exp, pi, sqrt

import numpy as np

from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plane.performance import Performance
from pyrfly.vehicles.plausibility import Quantity

__all__ = ["quantities"]

# Usual ranges, estimated: those of the packaged sets, widened for gliders and racers.
LOADING = (1.0, 60.0)
ASPECT_RATIO = (2.0, 30.0)
CHORD = (0.8, 1.35)
LIFT_SLOPE = (0.6, 1.25)
SPAN_EFFICIENCY = (0.5, 1.05)
PARASITIC_DRAG = (0.008, 0.2)
STATIC_MARGIN = (0.01, 0.6)
OVER_STALL = (1.1, 3.0)
GLIDE_RATIO = (2.0, 40.0)
THROTTLE = (0.1, 0.95)
EXCESS = (0.05, 3.0)
EFFICIENCY = (0.3, 0.9)
HELIX_ANGLE = (0.04, 0.5)
GYRATION = (0.04, 0.3)
LAG = (0.005, 0.2)
LANDING_LOAD = (1.0, 12.0)
DAMPING_RATIO = (0.15, 1.0)

SINK_RATE = 2.13
"""The least sink rate [m/s] for which a landing gear is designed [@far-23 473]."""


def quantities(parameters: VehicleParameters) -> list[Quantity]:
    """Return the numbers that tell whether a set makes sense."""
    of = Performance(parameters.columns)
    return [
        *_wing(of),
        *_flight(of),
        *_propeller(parameters),
        *_handling(parameters, of),
        *_gear(of),
    ]


def _wing(of: Performance) -> list[Quantity]:
    """Return those of its wing, whose lift and induced drag follow from its span.

    The slope is that of a wing without sweep [@beard-mclain chapter 4]; a span efficiency of 1 is
    that of an elliptic lift.
    """
    area, span = of.number("wing_area"), of.number("wing_span")
    ratio = span * span / area
    slope = pi * ratio / (1.0 + sqrt(1.0 + ratio * ratio / 4.0))
    found = [
        Quantity("wing loading [kg/m^2]", of.number("mass") / area, *LOADING),
        Quantity("aspect ratio", ratio, *ASPECT_RATIO),
        Quantity("chord over area per span", of.number("wing_chord") * span / area, *CHORD),
        Quantity(
            "lift slope over that of its aspect ratio",
            of.number("lift_coef", 1) / slope,
            *LIFT_SLOPE,
        ),
    ]
    induced = of.number("induced_drag")
    if induced > 0.0:
        efficiency = 1.0 / (pi * ratio * induced)
        found.append(Quantity("span efficiency", efficiency, *SPAN_EFFICIENCY))
    return [
        *found,
        Quantity("drag coefficient without lift", of.number("drag_coef"), *PARASITIC_DRAG),
        Quantity(
            "static margin over chord",
            -of.number("pitch_coef", 1) / of.number("lift_coef", 1),
            *STATIC_MARGIN,
        ),
    ]


def _flight(of: Performance) -> list[Quantity]:
    """Return those of level flight at the rated airspeed."""
    rated = of.number("rated_airspeed")
    return [
        Quantity("rated over stall airspeed", rated / of.stall, *OVER_STALL),
        Quantity("lift over drag", of.weight / of.level(rated).drag, *GLIDE_RATIO),
        Quantity("throttle", of.throttle(rated), *THROTTLE),
        Quantity(
            "excess thrust at full throttle over weight", of.climb(1.0, rated) / rated, *EXCESS
        ),
    ]


def _propeller(parameters: VehicleParameters) -> list[Quantity]:
    """Return the best efficiency T V / (Q w) of its propeller while it pulls."""
    thrust, torque = (
        np.polynomial.Polynomial(parameters.columns[f"propeller_{name}"])
        for name in ("thrust", "torque")
    )
    end = float(parameters.columns["propeller_advance_limit"][0])
    ratios = np.linspace(0.0, end, 401)[1:]
    pulling = np.logical_and.accumulate(thrust(ratios) > 0.0)
    given = ratios * thrust(ratios) / (2.0 * pi)
    taken = torque(ratios)
    with np.errstate(divide="ignore"):
        efficiency = np.where(taken > 0.0, given / taken, np.inf)[pulling]
    best = float(efficiency.max(initial=0.0))
    return [Quantity("best efficiency of the propeller", best, *EFFICIENCY)]


def _handling(parameters: VehicleParameters, of: Performance) -> list[Quantity]:
    """Return those of its turns: ailerons, moments of inertia, servos."""
    columns = parameters.columns
    span, mass = of.number("wing_span"), of.number("mass")
    servos = len(columns["surface_centre"])
    travels = np.abs(columns["surface_travel"]).reshape(2, servos).min(axis=0)
    aileron = float(np.abs(columns["surface_mix"][:servos] * travels).sum())
    # steady roll, p b / (2 V): the moment of the ailerons against the damping
    helix = of.number("roll_coef", 4) * aileron / -of.number("roll_coef", 2)
    return [
        Quantity("helix angle of a roll, p b / (2 V) [rad]", helix, *HELIX_ANGLE),
        *(
            Quantity(
                f"{name} radius of gyration over span", sqrt(float(j) / mass) / span, *GYRATION
            )
            for name, j in zip(("roll", "pitch", "yaw"), columns["inertia"][:3], strict=True)
        ),
        Quantity("time constant of the servos [s]", of.number("servo_tau"), *LAG),
    ]


def _gear(of: Performance) -> list[Quantity]:
    """Return the peak load of a level landing on three damped springs while the wing carries.

    A mass on a spring with the damping ratio d, which meets it with the speed V, has the largest
    deceleration f V w, w that of its oscillation without damping: f = exp(-d a / r) with r the root
    of 1 - d^2 and the angle a of r (1 - 4 d^2) and d (3 - 4 d^2), and 2 d at the touch from 0.5 on.
    """
    mass = of.number("mass")
    rate = sqrt(3.0 * of.number("gear_stiffness") / mass)
    ratio = 3.0 * of.number("gear_damping") / (2.0 * rate * mass)
    share = 2.0 * ratio
    if ratio < 0.5:
        root = sqrt(1.0 - ratio * ratio)
        angle = atan2(root * (1.0 - 4.0 * ratio * ratio), ratio * (3.0 - 4.0 * ratio * ratio))
        share = exp(-ratio * angle / root)
    load = share * SINK_RATE * rate / of.number("gravity")
    return [
        Quantity(f"load over weight of a landing with {SINK_RATE} m/s", load, *LANDING_LOAD),
        Quantity("damping ratio of the landing gear", ratio, *DAMPING_RATIO),
    ]
