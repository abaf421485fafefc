"""The true state in messages of MAVLink, as CopterSim sends it to clients: `TruthCopy`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly import mavlink
from pyrfly.autopilot.telemetry import TRUTH_FLAGS
from pyrfly.mavlink import Datagrams, FrameWriter
from pyrfly.sim import Sim

__all__ = ["RATE", "TruthCopy"]

RATE = 50.0
"""How often it is sent [Hz]; CopterSim's own rate is not published."""

_COMPONENT = 25
"""MAV_COMP_ID_USER1: the autopilot is another component, which numbers its own frames."""

_MAXIMUM_SYSTEM = 255
"""Highest identifier of a system; vehicles beyond it, which have ports of their own, begin anew."""

_KNOWN = 15
"""Channel that tells whether the autopilot knows its position."""


class TruthCopy:
    """Packs HIL_ACTUATOR_CONTROLS with flags 1234567890, whose channels are the true state.

    Channels 0 to 2 are roll, pitch, yaw [rad], 3 to 5 the position [m, NED], 6 to 8 the velocity
    [m/s, NED], 9 to 11 the angular velocity [rad/s, FRD]; channel 15 is 1 when the autopilot knows
    its position. ``time_usec`` has milliseconds [@rfly-sdk].

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
        sim = self._sim
        records = mavlink.blank("HIL_ACTUATOR_CONTROLS", sim.n)
        records["time_usec"] = round(sim.time * 1e3)
        truth = (sim.euler, sim.pos, sim.vel, sim.rate)
        records["controls"][:, :12] = np.concatenate(truth, axis=1)
        records["controls"][:, _KNOWN] = known
        records["flags"] = TRUTH_FLAGS
        self._writer.add("HIL_ACTUATOR_CONTROLS", records)
        return self._writer.take()
