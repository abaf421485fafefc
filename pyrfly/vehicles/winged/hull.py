"""Wings and landings of vehicles that fly by wings, for their hulls."""

from __future__ import annotations

from math import sqrt

__all__ = ["TAIL_CHORD", "TAIL_SPAN", "THICKNESS", "landing_speed"]

THICKNESS = 0.12
"""Thickness of a wing over its chord, estimated: usual airfoils have 9 % to 15 %."""

TAIL_SPAN, TAIL_CHORD = 0.25, 0.6
"""Span of the tailplane and chord of the tail over those of the wing, estimated."""

FOOT, POUND_FORCE = 0.3048, 4.4482216152605  # m, N


def landing_speed(weight: float, area: float) -> float:
    """Return the descent speed [m/s] from which a landing gear fails.

    That of a design landing is 4.4 (W/S)^(1/4) ft/s, W/S in pounds per square foot, within 7 and
    10 ft/s [@far-23 473]; a gear has 1.44 times its energy in reserve [@far-23 727]. That small
    planes and bellies are made alike is estimated.

    Parameters
    ----------
    weight : float
        Weight [N].
    area : float
        Area of the wings [m^2].
    """
    loading = weight / area * FOOT * FOOT / POUND_FORCE
    design = min(max(4.4 * sqrt(sqrt(loading)), 7.0), 10.0)
    return 1.2 * design * FOOT
