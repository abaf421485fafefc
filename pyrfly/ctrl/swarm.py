"""RflySim's methods for many vehicles in one call."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.ctrl.link import InProcessLink
from pyrfly.ctrl.methods import Methods
from pyrfly.sim import Ids, Sim

__all__ = ["Swarm"]

Array = NDArray[np.float64]


class Swarm(Methods[Array, Array, NDArray[np.bool_]]):
    """Controls vehicles of a `pyrfly.Sim` with the methods of `pyrfly.ctrl.PX4MavCtrler`.

    A number holds for all vehicles, an array of shape (k,) has one for each; vectors have shape
    (width,) or (k, width). Attributes are arrays with k rows. The vehicles fly with the same bits
    as with one `PX4MavCtrler` for each.

    Parameters
    ----------
    sim : Sim
        The simulation.
    ids : sequence of int, optional
        The k CopterIDs; all vehicles by default.

    Attributes
    ----------
    sim : Sim
        As given.
    ids : ndarray of int, shape (k,)
        The CopterIDs.

    Examples
    --------
    >>> import numpy as np
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450", 3)
    >>> sim.reset(pos=[[0, 0, 0], [0, 3, 0], [0, 6, 0]])
    >>> swarm = Swarm(sim)
    >>> swarm.InitMavLoop()
    >>> swarm.initOffboard()
    >>> swarm.SendPosNED(0, 0, [-2, -3, -4], 0)
    >>> sim.sleep(8)
    >>> (np.round(swarm.truePosNED[:, 1:], 1) + 0.0).tolist()
    [[0.0, -2.0], [3.0, -3.0], [6.0, -4.0]]
    """

    def __init__(self, sim: Sim, ids: Ids = None) -> None:
        super().__init__()
        if not isinstance(sim, Sim):
            raise TypeError(f"sim: expected a pyrfly.Sim, got {sim!r:.80}")
        chosen = np.arange(1, sim.n + 1) if ids is None else np.atleast_1d(np.asarray(ids))
        if chosen.dtype.kind not in "iu" or chosen.ndim != 1 or not chosen.size:
            raise TypeError(f"ids: expected CopterIDs as integers, got {ids!r:.80}")
        if chosen.min() < 1 or chosen.max() > sim.n or len(np.unique(chosen)) < len(chosen):
            raise ValueError(
                f"ids: expected different CopterIDs from 1 to {sim.n}, got {ids!r:.80}"
            )
        self.sim = sim
        self.ids = chosen
        self._k = len(chosen)
        self._name = f"the Swarm of {self._k}"
        self._link = InProcessLink(sim, chosen.tolist())

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        """Return the number of vehicles and their simulation."""
        return f"<Swarm of {len(self.ids)} vehicles in {self.sim!r}>"

    def _shown(self, name: str, values: Array) -> Array:
        return values

    def _shown_scalar(self, values: Any) -> Array:
        return np.asarray(values)

    def _shown_flag(self, values: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return values
