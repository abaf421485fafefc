"""What the checks of the failsafes look at: `CheckContext`."""

from __future__ import annotations

from typing import NamedTuple

from pyrfly.autopilot.clock import Clock
from pyrfly.autopilot.failsafe_findings import Findings
from pyrfly.autopilot.parameters import Parameters
from pyrfly.autopilot.vehicles import Vehicles
from pyrfly.sim import Sim

__all__ = ["CheckContext"]


class CheckContext(NamedTuple):
    """Vehicles that are checked, and where it is noted.

    Attributes
    ----------
    sim : Sim
        The vehicles.
    vehicles : Vehicles
        Their modes.
    parameters : Parameters
        Their PX4 parameters.
    findings : Findings
        What is noted.
    clock : Clock
        Time.
    """

    sim: Sim
    vehicles: Vehicles
    parameters: Parameters
    findings: Findings
    clock: Clock
