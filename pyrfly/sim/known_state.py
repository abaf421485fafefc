"""What vehicles know of their motion, the truth or an estimate: `KnownState`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.sim.group import Group

__all__ = ["KnownState"]

_ESTIMATES = {"pos": "pos_output", "vel": "vel_output", "att": "att_output", "rate": "rate_est"}
"""Columns of the motion, and those that vehicles that fly on an estimate know in their place."""

_BEGUN = 1  # bit of ``estimator_state``


class KnownState:
    """State that vehicles know, such as `Sim.known`: the estimate, of those that fly on it.

    The same as control loops know (``load_known_state`` in csrc/vehicles/control.h): the truth
    until an `Estimator` flies a vehicle and its estimate has begun. Whoever decides for a vehicle,
    such as the pilot of a mission, reads it here; what physics decides, such as contact with the
    ground, is read from the columns of the truth.

    Parameters
    ----------
    read : callable
        Returns a column of vehicles by its name.
    groups : sequence of Group
        The groups of the simulation.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> bool((sim.known.pos == sim.pos).all())
    True
    """

    def __init__(self, read: Callable[[str], NDArray[Any]], groups: Sequence[Group]) -> None:
        self._column = read
        self._groups = groups

    @property
    def pos(self) -> NDArray[Any]:
        """Position [m, NED], shape (k, 3)."""
        return self.read("pos")

    @property
    def vel(self) -> NDArray[Any]:
        """Ground velocity [m/s, NED], shape (k, 3)."""
        return self.read("vel")

    @property
    def att(self) -> NDArray[Any]:
        """Attitude quaternion, scalar first, FRD to NED, shape (k, 4)."""
        return self.read("att")

    @property
    def terrain(self) -> NDArray[Any]:
        """Ground below, z [m, NED], shape (k,).

        Heights above ground are sensed, so that it is believed to be where that height is true.
        """
        ground = self._column("terrain")
        if not self.estimated:
            return ground
        below: NDArray[Any] = ground + (self.pos - self._column("pos"))[:, 2]
        return below

    @property
    def estimated(self) -> bool:
        """Whether vehicles may know an estimate: they have the columns of the estimator."""
        return self._groups[-1].batch.has("estimator")  # of which parts are enabled last

    def read(self, name: str) -> NDArray[Any]:
        """Return ``pos``, ``vel``, ``att`` or ``rate`` as it is known; not to be written."""
        true = self._column(name)
        if not self.estimated:
            return true
        flown = (self._column("estimator_on") != 0) & (self._column("flies_on_estimate") != 0)
        flown &= (self._column("estimator_state").astype(np.int64) & _BEGUN) != 0
        known: NDArray[Any] = np.where(flown[:, None], self._column(_ESTIMATES[name]), true)
        return known
