"""Tethers of vehicles in water: `Tether`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.sim.interface import PartInterface
from pyrfly.sim.selection import Selection
from pyrfly.sim.water import in_water
from pyrfly.vehicles.commands import Ids

__all__ = ["Tether"]

_SHORTEST, _LONGEST = 0.1, 1e4  # m
_FARTHEST = 1e6  # m, of an anchor
_FASTEST = 100.0  # m/s, of an anchor
_RADIUS = 100.0  # m, of a place on a vehicle
_HEAVIEST = 1e4  # N/m
_STIFFEST = 1e9  # N


class Tether(PartInterface):
    """Tethers of the vehicles in water: `Sim.tether`.

    A tether is a cable from an anchor, such as a ship, to a vehicle. It has drag in the current,
    weight or buoyancy, and a length, beyond which it holds the vehicle (docs/models.md). Settings
    and results are columns of the `Sim`: write ``tether_anchor`` and ``tether_anchor_vel`` to move
    the anchor with a ship, ``tether_length`` to pay cable out.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("bluerov2_heavy")
    >>> sim.tether.attach(50.0, anchor=[0, 0, 1])
    >>> sim.reset(pos=[30, 0, 20])
    >>> sim.environment.set_current([0.5, 0, 0])
    >>> sim.sleep(0.1)
    >>> bool(sim.tether_force[0, 0] > 0), bool(sim.tether_tension[0] > 1)
    (True, True)
    """

    part = "tether"

    def _on(self) -> dict[str, int]:
        return {"attached": self._count("tether_length")}

    def attach(
        self,
        length: ArrayLike,
        *,
        anchor: ArrayLike = (0.0, 0.0, 0.0),
        anchor_vel: ArrayLike = (0.0, 0.0, 0.0),
        place: ArrayLike = (0.0, 0.0, 0.0),
        diameter: ArrayLike = 0.0076,
        weight: ArrayLike = 0.0,
        stiffness: ArrayLike = 20e3,
        damping: ArrayLike = 0.05,
        drag: ArrayLike = (1.2, 0.01),
        ids: Ids = None,
    ) -> None:
        """Give vehicles a tether, in place of what they have.

        The defaults are those of a neutrally buoyant tether of small ROVs of 7.6 mm; stiffness,
        damping and drag coefficients are estimated. A short and stiff tether yields more than its
        stiffness says where a period of ``environment_rate`` is not well below the root of the
        vehicle's mass over ``stiffness / length``.

        Parameters
        ----------
        length : array_like, shape (k,) or ()
            Length of the cable [m], from 0.1.
        anchor : array_like, shape (k, 3) or (3,)
            Its other end [m, NED].
        anchor_vel : array_like, shape (k, 3) or (3,)
            Ground velocity of that end [m/s, NED], for the drag and the damping of the cable: the
            anchor itself is where ``tether_anchor`` says.
        place : array_like, shape (k, 3) or (3,)
            Where it is attached to the vehicle [m, FRD, from the centre of mass].
        diameter : array_like, shape (k,) or ()
            Diameter [m].
        weight : array_like, shape (k,) or ()
            Weight in water per length [N/m]; below 0 the cable floats.
        stiffness : array_like, shape (k,) or ()
            Tension per strain [N], over 0.
        damping : array_like, shape (k,) or ()
            Time [s] in which a rate of the strain gives as much tension as that strain.
        drag : array_like, shape (k, 2) or (2,)
            Drag coefficients across and along the cable.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles in water by default.

        Raises
        ------
        ParameterError
            A vehicle is not in water.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape or range; then no vehicle gets a tether.
        """
        chosen = in_water(self._select, ids, "tether.attach")
        chosen.require_distinct()
        columns = {
            "tether_length": chosen.within("length", length, "m", _SHORTEST, _LONGEST),
            "tether_stiffness": chosen.positive("stiffness", stiffness, "N", _STIFFEST),
            "tether_anchor": chosen.per_vehicle("anchor", anchor, "m", 3, _FARTHEST),
            "tether_anchor_vel": chosen.per_vehicle("anchor_vel", anchor_vel, "m/s", 3, _FASTEST),
            "tether_place": chosen.per_vehicle("place", place, "m", 3, _RADIUS),
            "tether_diameter": chosen.not_negative("diameter", diameter, "m", _RADIUS),
            "tether_weight": chosen.within("weight", weight, "N/m", -_HEAVIEST, _HEAVIEST),
            "tether_damping": chosen.not_negative("damping", damping, "s", 1.0),
            "tether_drag": chosen.within("drag", drag, "1", 0.0, _RADIUS, 2),
        }
        self._change(lambda: _put(chosen, columns), self.part)

    def detach(self, ids: Ids = None) -> None:
        """Take the tethers of vehicles away; those without have none then, either."""
        chosen = self._distinct(ids)
        if self.enabled:
            self._change(lambda: _put(chosen, {"tether_length": np.zeros(len(chosen))}))


def _put(chosen: Selection, columns: dict[str, NDArray[np.float64]]) -> None:
    """Write columns, and let the tethers pull by them at once."""
    chosen.write_all(columns)
    for group, rows, _ in chosen:
        group.refresh(rows)
