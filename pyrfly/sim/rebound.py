"""RflySim's collisions of the vehicles of a simulation: `Rebound`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import brief
from pyrfly.sim.interface import PartInterface
from pyrfly.sim.selection import Selection
from pyrfly.vehicles.commands import Ids

__all__ = ["HIT", "INPUTS", "LARGEST", "MARKER", "Rebound"]

INPUTS = 20
"""Numbers of the input inFloatsCollision."""

MARKER = 12345.0
"""First of them, within 1, where they count."""

HIT = 0.5
"""The second of them is above this where something was hit."""

LARGEST = 1e6
"""Maximum magnitude of them: of a distance [m], a velocity [m/s], a CopterID."""


class Rebound(PartInterface):
    """RflySim's collisions: `Sim.rebound`.

    A 3D view reports what a vehicle has hit and how far obstacles are; the vehicle is pushed away
    from walls, thrown back where it hits something, and then has lost three motors
    (docs/protocol.md) [@rfly-collision 3.1]. Without reports nothing happens. A reset clears
    all of it.

    Examples
    --------
    A vehicle flies north at 10 m/s into a tree:

    >>> import pyrfly
    >>> sim = pyrfly.Sim("sdk")
    >>> sim.reset(pos=[0, 0, -50], hover=True)
    >>> sim.vel = [10, 0, 0]
    >>> sim.rebound.put([12345, 7] + 18 * [0])
    >>> sim.sleep(0.05)
    >>> bool(sim.vel[0, 0] < 4), sim.crash_id.tolist()
    (True, [7])
    """

    part = "rebound"

    def _on(self) -> dict[str, int]:
        everybody = self._select(None)
        return {
            "reports": int(np.count_nonzero(_count(everybody.read("rebound_inputs")))),
            "crashed": int(np.count_nonzero(everybody.read("crash_id"))),
        }

    def put(self, values: ArrayLike, ids: Ids = None, *, hold: ArrayLike = 1.0) -> None:
        """Give vehicles the input inFloatsCollision.

        Parameters
        ----------
        values : array_like, shape (k, 20) or (20,)
            In this order: 12345; what was hit, its CopterID, or at most 0.5 for the scenery; above
            0 for a thing that moves, with (this number)^2 times the mass of the vehicle; position
            of the vehicle in the 3D view [m, NED]; velocity of what was hit [m/s, NED]; distances
            to obstacles in the north, south, west, east, up and down [m], below 0: overlap; five
            numbers without a meaning. Without the 12345 they do not count.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        hold : array_like, shape (k,) or ()
            Time for which these and later values of a vehicle count [s]: a view that ended does
            not push for ever. A hit acts once, in the next step, also where distances follow before
            it. By default estimated.

        Raises
        ------
        ParameterError
            The rules do not act on a vehicle: its effects are 'plain'.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape, is not finite or out of its range. After any of these
            nothing is changed.
        """
        chosen = self._distinct(ids)
        chosen.require_reached("rebound: no rule acts")
        inputs = chosen.per_vehicle("values", values, "SI", INPUTS).reshape(-1, INPUTS)
        if not (np.abs(inputs) <= LARGEST).all():
            raise ValueError(f"values: expected magnitudes up to {LARGEST:g}, got {brief(values)}")
        columns: dict[str, ArrayLike] = {
            "rebound_inputs": self._with_hits(inputs, chosen),
            "rebound_hold": chosen.not_negative("hold", hold, "s", LARGEST),
            "rebound_age": 0,
        }
        if len(chosen):
            self._change(lambda: chosen.write_all(columns), self.part)

    def _with_hits(self, inputs: NDArray[np.float64], chosen: Selection) -> NDArray[np.float64]:
        """Return inputs with the hits that no step has taken in yet, where there is no new one."""
        if not self.enabled or not len(chosen):
            return inputs
        before = chosen.read("rebound_inputs").astype(np.float64)
        waiting = (chosen.read("rebound_age") == 0) & (before[:, 1] > HIT) & _count(before)
        kept = waiting & (inputs[:, 1] <= HIT) & _count(inputs)
        inputs[kept, 1:9] = before[kept, 1:9]
        return inputs


def _count(inputs: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(np.abs(inputs[:, 0] - MARKER) < 1)
