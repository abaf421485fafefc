"""The vehicle that flies a mission and its pilot, those of its kind: `vehicle_of`, `pilot_of`."""

from __future__ import annotations

from typing import Any

from pyrfly.mission.base_pilot import BasePilot
from pyrfly.mission.fixed_wing import FixedWing
from pyrfly.mission.fixed_wing_pilot import FixedWingPilot
from pyrfly.mission.mission import Mission
from pyrfly.mission.pilot import Pilot
from pyrfly.mission.vehicle import Simulator, Speeds, Vehicle
from pyrfly.mission.vtol import Vtol
from pyrfly.mission.vtol_pilot import VtolPilot

__all__ = ["pilot_of", "vehicle_of"]


def vehicle_of(sim: Simulator, copter_id: int, speeds: Speeds | None = None) -> Vehicle:
    """Return a vehicle of a simulation, that of its kind.

    Parameters
    ----------
    sim : Simulator
        Its simulation.
    copter_id : int
        Its CopterID.
    speeds : Speeds, optional
        How fast one that hovers shall climb and descend; PX4's defaults without.
    """
    kind = sim.select(copter_id).abilities[0].kind
    if kind.circles:
        return FixedWing(sim, copter_id)
    if kind.transitions:
        return Vtol(sim, copter_id, speeds or Speeds())
    return Vehicle(sim, copter_id, speeds or Speeds())


def pilot_of(vehicle: Vehicle, mission: Mission, **options: Any) -> BasePilot:
    """Return the pilot of a vehicle, that of its kind; the options are those of `BasePilot`."""
    if isinstance(vehicle, FixedWing):
        return FixedWingPilot(vehicle, mission, **options)
    if isinstance(vehicle, Vtol):
        return VtolPilot(vehicle, mission, **options)
    return Pilot(vehicle, mission, **options)
