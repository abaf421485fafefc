"""The pilot of a vehicle: `pilot_of`."""

from __future__ import annotations

from typing import Any

from pyrfly.mission.base_pilot import BasePilot
from pyrfly.mission.fixed_wing import FixedWing
from pyrfly.mission.fixed_wing_pilot import FixedWingPilot
from pyrfly.mission.mission import Mission
from pyrfly.mission.pilot import Pilot
from pyrfly.mission.vehicle import Vehicle
from pyrfly.mission.vtol import Vtol
from pyrfly.mission.vtol_pilot import VtolPilot

__all__ = ["pilot_of"]


def pilot_of(vehicle: Vehicle, mission: Mission, **options: Any) -> BasePilot:
    """Return the pilot of a vehicle, that of its kind; the options are those of `BasePilot`."""
    if isinstance(vehicle, FixedWing):
        return FixedWingPilot(vehicle, mission, **options)
    if isinstance(vehicle, Vtol):
        return VtolPilot(vehicle, mission, **options)
    return Pilot(vehicle, mission, **options)
