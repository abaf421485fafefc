"""What vehicles look like, and where: `Appearance`, `appearance_of`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyrfly.sim.hulls import lift_of, standing_height
from pyrfly.vehicles import VehicleParameters, family_named

if TYPE_CHECKING:
    from pyrfly.vehicles.drawing import Drawing

__all__ = ["Appearance", "appearance_of"]


class Appearance(NamedTuple):
    """What a vehicle looks like.

    Attributes
    ----------
    drawing : Drawing
        Its parts, from the centre of mass.
    lift : float
        Height of the centre of mass above the origin of the vehicle, in its axes [m].
    rise : float
        Height of the origin over its ``pos``, straight up [m].
    """

    drawing: Drawing
    lift: float
    rise: float


def appearance_of(parameters: VehicleParameters) -> Appearance:
    """Return what vehicles of a parameter set look like."""
    family = family_named(parameters.family)
    hull = family.hull(parameters)
    if family.afloat is None:
        rise = standing_height(parameters, hull)
    else:
        rise = float(parameters.columns[family.afloat(parameters).rise][0])
    return Appearance(family.drawing(parameters), lift_of(parameters, hull), rise)
