"""Parachutes of the vehicles of a simulation: `Parachute`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.arrays import true_or_false
from pyrfly.errors import ParameterError, brief
from pyrfly.sim.interface import PartInterface
from pyrfly.sim.selection import Selection
from pyrfly.vehicles.commands import Ids

__all__ = ["Parachute"]

_DENSITY = 1.225
"""Of air, standard at sea level [kg/m^3] (csrc/models/atmosphere.h)."""

_LARGEST = 1e4
"""Maximum of an area [m^2], a speed [m/s], a coefficient, a time [s] and a distance [m]."""


class Parachute(PartInterface):
    """Parachutes of the vehicles: `Sim.parachute`.

    A released parachute fills, pulls at its attachment, and lets the vehicle sink; its motors stop
    (docs/safety.md). A reset packs it again.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> sim.reset(pos=[0, 0, -100], hover=True)
    >>> sim.parachute.fit(descent=4.0)
    >>> sim.parachute.release().tolist()
    [True]
    >>> sim.sleep(10)
    >>> round(float(sim.vel[0, 2]), 1), sim.armed.tolist()
    (3.8, [0])
    """

    part = "parachute"

    def _on(self) -> dict[str, int]:
        released = self._count("parachute_released")
        return {"ready": int(self.ready().sum()), "released": released}

    def fit(
        self,
        ids: Ids = None,
        *,
        area: ArrayLike | None = None,
        descent: ArrayLike | None = None,
        drag_coefficient: ArrayLike = 0.75,
        fill: ArrayLike = 8.0,
        delay: ArrayLike = 0.5,
        attachment: ArrayLike = (0.0, 0.0, -0.1),
    ) -> None:
        """Give vehicles a parachute, packed and enabled, in place of what they have.

        Parameters
        ----------
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        area : array_like, shape (k,) or (), optional
            Area of the spread canopy [m^2].
        descent : array_like, shape (k,) or (), optional
            In place of the area the speed [m/s] of the descent at sea level with the column `mass`,
            sqrt(2 m g / (rho c S)), which the drag of the vehicle lowers; 5 by default, estimated.
        drag_coefficient : array_like, shape (k,) or ()
            c, of a flat circular canopy by default [@knacke table 5-1].
        fill : array_like, shape (k,) or ()
            Way through the air in which the canopy fills, over its diameter; of a flat circular
            canopy by default [@knacke table 5-6].
        delay : array_like, shape (k,) or ()
            Time from the release until the lines are stretched [s]; estimated by default.
        attachment : array_like, shape (k, 3) or (3,)
            Where the lines are attached [m, FRD, from the centre of mass]; estimated by default.

        Raises
        ------
        ParameterError
            No parachute acts on a vehicle: its effects are 'plain'.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape or range, or both area and descent are given. No vehicle
            gets a parachute then.
        """
        chosen = self._distinct(ids)
        chosen.require_extended("parachute: none acts")
        drag = _above_0(chosen, "drag_coefficient", drag_coefficient, "1")
        columns = {
            "parachute_area": _area(chosen, area, descent, drag),
            "parachute_drag": drag,
            "parachute_fill": chosen.not_negative("fill", fill, "1", _LARGEST),
            "parachute_delay": chosen.not_negative("delay", delay, "s", _LARGEST),
            "parachute_attachment": chosen.per_vehicle("attachment", attachment, "m", 3, _LARGEST),
        }

        def write() -> None:
            chosen.write_all(columns)
            chosen.write("parachute_enabled", 1)
            _pack(chosen)

        if len(chosen):
            self._change(write, self.part)

    def enable(self, on: bool = True, ids: Ids = None) -> None:
        """Let releases take effect, or not; what is released stays so.

        Raises
        ------
        ParameterError
            A vehicle has no parachute; then nothing is changed.
        """
        chosen, enabled = self._fitted(ids), true_or_false("on", on)
        self._change(lambda: chosen.write("parachute_enabled", int(enabled)))

    def release(self, ids: Ids = None) -> NDArray[np.bool_]:
        """Release parachutes that are enabled; the vehicles are disarmed.

        Returns
        -------
        ndarray of bool, shape (k,)
            Whether the parachute of each vehicle is released now.

        Raises
        ------
        ParameterError
            A vehicle has no parachute; then none is released.
        """
        chosen = self._fitted(ids)
        released = chosen.read("parachute_released") | chosen.read("parachute_enabled")
        self._change(lambda: chosen.write("parachute_released", released))
        return np.asarray(released != 0)

    def ready(self, ids: Ids = None) -> NDArray[np.bool_]:
        """Return which vehicles have a parachute that is enabled and not released, shape (k,)."""
        chosen = self._select(ids)
        if not len(chosen) or not self.enabled:
            return np.zeros(len(chosen), np.bool_)
        enabled, released = chosen.read("parachute_enabled"), chosen.read("parachute_released")
        fitted = chosen.read("parachute_area") > 0
        return np.asarray((enabled != 0) & (released == 0) & fitted)

    def _fitted(self, ids: Ids) -> Selection:
        """Return vehicles to be changed that have a parachute."""
        chosen = self._distinct(ids)
        if len(chosen) and not (self.enabled and (chosen.read("parachute_area") > 0).all()):
            raise ParameterError(f"parachute: ids: expected vehicles with one, got {brief(ids)}")
        return chosen


def _above_0(chosen: Selection, name: str, value: ArrayLike, unit: str) -> NDArray[np.float64]:
    found = chosen.not_negative(name, value, unit, _LARGEST)
    if not (found > 0).all():
        raise ValueError(f"{name}: expected more than 0 [{unit}], got {brief(value)}")
    return found


def _area(
    chosen: Selection,
    area: ArrayLike | None,
    descent: ArrayLike | None,
    drag: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the areas of canopies [m^2], by themselves or by a speed of descent."""
    if area is not None:
        if descent is not None:
            raise TypeError("area: expected this or descent, got both")
        return _above_0(chosen, "area", area, "m^2")
    speed = _above_0(chosen, "descent", 5.0 if descent is None else descent, "m/s")
    if not len(chosen):
        return speed
    weight = chosen.read("mass") * chosen.read("gravity")
    return np.asarray(2 * weight / (_DENSITY * drag * speed**2), np.float64)


def _pack(chosen: Selection) -> None:
    """Pack parachutes again."""
    for name in ("released", "time", "opening", "filled", "force", "torque"):
        chosen.write(f"parachute_{name}", 0)
