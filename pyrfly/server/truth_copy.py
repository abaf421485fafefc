"""The true state in messages of MAVLink, as CopterSim sends it to clients: `TruthCopy`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.telemetry import carried_truth
from pyrfly.mavlink import Datagrams, FrameWriter
from pyrfly.sim import Sim

__all__ = ["RATE", "TruthCopy"]

RATE = 50.0
"""How often it is sent [Hz]; CopterSim's own rate is not published."""

_COMPONENT = 25
"""MAV_COMP_ID_USER1: the autopilot is another component, which numbers its own frames."""

_MAXIMUM_SYSTEM = 255
"""Highest identifier of a system; vehicles beyond it, which have ports of their own, begin anew."""


class TruthCopy:
    """Packs the true state in HIL_ACTUATOR_CONTROLS: `pyrfly.autopilot.telemetry.carried_truth`.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    first_id : int
        CopterID of the first vehicle, which is its system.
    """

    def __init__(self, sim: Sim, first_id: int = 1) -> None:
        self._sim = sim
        systems = (first_id - 1 + np.arange(sim.n)) % _MAXIMUM_SYSTEM + 1
        self._writer = FrameWriter(systems, _COMPONENT)

    def packed(self, known: NDArray[np.bool_]) -> Datagrams:
        """Return a message of each vehicle.

        Parameters
        ----------
        known : ndarray of bool, shape (n,)
            Whose autopilot knows its position.
        """
        records = carried_truth(self._sim, round(self._sim.time * 1e3), known)
        self._writer.add("HIL_ACTUATOR_CONTROLS", records)
        return self._writer.take()
