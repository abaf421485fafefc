"""Where and how a hull floats: `Floating`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.parameters import scalar

__all__ = ["Floating", "why_not_afloat"]

Array = NDArray[np.float64]

_DIVES = 0.05
"""Share of the hull that is dry at rest below which it is under water as it moves, estimated."""


_ANGLES = 181
"""Angles up to 90 degrees at which righting arms are looked at."""


class Floating(NamedTuple):
    """A hull of ``csrc/models/buoyancy.h`` at rest in still water.

    Attributes
    ----------
    mass, density : float
        Of the vehicle [kg] and of the water [kg/m^3].
    volume, area : float
        Of the whole hull [m^3], and of the water plane [m^2].
    spread : tuple of float
        Distances of its corners to the sides and ahead [m], of roll and pitch.
    corners, offset, height : float
        z of the corners [m, FRD], immersed height of one at the surface, height of the hull [m].
    """

    mass: float
    density: float
    volume: float
    area: float
    spread: tuple[float, float]
    corners: float
    offset: float
    height: float

    @classmethod
    def of(cls, columns: Mapping[str, Array]) -> Floating:
        """Return that of parameter columns."""
        area, height = scalar(columns, "buoyancy_area"), scalar(columns, "buoyancy_height")
        ahead, aside = columns["buoyancy_spread"].tolist()
        return cls(
            mass=scalar(columns, "mass"),
            density=scalar(columns, "water_density"),
            volume=area * height,
            area=area,
            spread=(aside, ahead),
            corners=float(columns["buoyancy_position"][2]),
            offset=scalar(columns, "buoyancy_offset"),
            height=height,
        )

    @property
    def displaced(self) -> float:
        """Volume that carries the vehicle [m^3], at most that of the hull."""
        return min(self.mass / self.density, self.volume)

    @property
    def reserve(self) -> float:
        """Share of the hull that is dry at rest; below 0 it sinks."""
        return 1.0 - self.mass / (self.density * self.volume)

    @property
    def dives(self) -> bool:
        """Whether it is under water as it moves."""
        return self.reserve < _DIVES

    @property
    def is_under_water(self) -> bool:
        """Whether it is neutral within a thousandth: wholly under water at rest."""
        return self.reserve < 1e-3

    @property
    def rest_height(self) -> float:
        """Height of the centre of mass above the water [m]."""
        return self.corners + self.offset - self.displaced / self.area

    @property
    def metacentric_heights(self) -> tuple[float, float]:
        """Metacentric heights of roll and pitch [m]; under water that of the buoyancy alone."""
        inertia = 0.0 if self.is_under_water else self.area / self.displaced
        roll, pitch = (inertia * spread**2 - self.corners for spread in self.spread)
        return roll, pitch

    def largest_righting_arm(self, spread: float) -> float:
        """Return the largest righting arm GZ [m] up to 90 degrees, about the axis of a spread.

        Of two prisms of ``csrc/models/buoyancy.h``, which carry the vehicle at each angle.
        """
        mean = self.displaced / self.area
        angles = np.linspace(0.0, 0.5 * np.pi, _ANGLES)
        apart = np.minimum(spread * np.sin(angles), min(mean, self.height - mean))
        arms = np.cos(angles) * spread * apart / mean - np.sin(angles) * self.corners
        return float(arms.max())


def why_not_afloat(of: Floating) -> tuple[str, str]:
    """Return which entry makes a hull sink or capsize, and why; empty texts of one that floats."""
    if of.reserve < -1e-9:
        return "mass", (
            f"expected a hull that floats, of at most {of.volume * of.density:.6g} kg, as "
            f"buoyancy_area and buoyancy_height displace, got {of.mass:.6g} kg"
        )
    for axis, height in zip(("roll", "pitch"), of.metacentric_heights, strict=True):
        if height <= 0.0:
            return "buoyancy_position", (
                f"expected a hull that floats upright, got a metacentric height of {height:.4g} m "
                f"in {axis} with this buoyancy_spread"
            )
    if of.dives and of.corners >= 0.0:
        return "buoyancy_position", (
            "expected a hull that is upright under water, whose buoyancy is above its centre of "
            f"mass, got {of.corners:.4g} m below"
        )
    return "", ""
