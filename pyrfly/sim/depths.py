"""Heights beside attitudes, as RflySim's clients send them to what dives: `with_depths`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyrfly.protocol.faults import faults_in
from pyrfly.protocol.synthesis import DOWN, OFFBOARD, Inputs, Offboard

if TYPE_CHECKING:
    from pyrfly.sim.simulation import Sim
    from pyrfly.vehicles.commands import Ids

__all__ = ["with_depths"]

_BITS = int(Offboard.ATTITUDE | Offboard.POSITION)


def with_depths(sim: Sim, given: Inputs, ids: Ids) -> Inputs:
    """Return inputs of vehicles in which the height beside an attitude is a depth of what dives.

    Its sign does not count, as clients do not know which vehicle theirs is.

    Parameters
    ----------
    sim : Sim
        The simulation of the vehicles.
    given : Inputs
        Of k vehicles.
    ids : int or sequence of int
        Their CopterIDs.
    """
    tilted = (given.ints[:, OFFBOARD] & _BITS == _BITS) & (faults_in(given.ints) == 0)
    if not tilted.any():
        return given
    floats = given.floats.copy()
    for group, _, indices in sim.select(ids):
        if group.abilities.kind.dives:
            downs = floats[indices, DOWN]
            floats[indices, DOWN] = np.where(tilted[indices], np.abs(downs), downs)
    return Inputs(given.ints, floats)
