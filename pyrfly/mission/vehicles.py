"""The vehicle that flies a mission, that of its kind: `vehicle_of`."""

from __future__ import annotations

from pyrfly.mission.fixed_wing import FixedWing
from pyrfly.mission.vehicle import Simulator, Speeds, Vehicle
from pyrfly.mission.vtol import Vtol

__all__ = ["vehicle_of"]


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
