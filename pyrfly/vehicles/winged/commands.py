"""Commands of vehicles that fly by wings: `WingedCommands`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.commands import FamilyCommands, Ids, Selected

__all__ = ["WingedCommands"]

Array = NDArray[np.float64]


def _airspeed(chosen: Selected, airspeed: ArrayLike | None) -> dict[str, Array]:
    """Return the column of an airspeed set-point, 0 for the cruise airspeed."""
    if airspeed is None:
        return {"airspeed_sp": chosen.per_vehicle("airspeed", 0.0, "m/s")}
    return {"airspeed_sp": chosen.positive("airspeed", airspeed, "m/s")}


class WingedCommands(FamilyCommands):
    """Commands of a family that flies by wings, which a `pyrfly.Sim` has by its name.

    Without ``ids`` all its vehicles are commanded; the first axis of an array then has one row per
    vehicle of the family.
    """

    def _winged(self, ids: Ids) -> Selected:
        """Return the chosen vehicles; a ValueError if one does not fly by wings."""
        return self._select(ids)

    def command_circle(
        self,
        centre: ArrayLike,
        radius: ArrayLike | None = None,
        airspeed: ArrayLike | None = None,
        *,
        ids: Ids = None,
    ) -> None:
        """Fly to circles and along them.

        Parameters
        ----------
        centre : array_like, shape (k, 3) or (3,)
            Centres [m, NED]; the z is that of the circle.
        radius : array_like, shape (k,) or (), optional
            Radii [m], above 0 clockwise seen from above; by default ``loiter_radius``.
        airspeed : array_like, shape (k,) or (), optional
            Airspeeds [m/s]; by default ``cruise_airspeed``.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        """
        chosen = self._winged(ids)
        columns = _airspeed(chosen, airspeed)
        columns["radius_sp"] = chosen.per_vehicle("radius", 0.0 if radius is None else radius, "m")
        if radius is not None and not (columns["radius_sp"] != 0.0).all():
            raise ValueError("radius: expected numbers other than 0 [m]")
        columns["pos_sp"] = chosen.per_vehicle("centre", centre, "m", 3)
        chosen.set_point(Setpoint.POSITION, **columns)

    def command_line(
        self,
        point: ArrayLike,
        direction: ArrayLike,
        airspeed: ArrayLike | None = None,
        *,
        ids: Ids = None,
    ) -> None:
        """Fly along lines, up or down with them.

        Parameters
        ----------
        point : array_like, shape (k, 3) or (3,)
            A point of each line [m, NED].
        direction : array_like, shape (k, 3) or (3,)
            Their directions, NED, of any length; not vertical.
        airspeed, ids
            See `command_circle`.
        """
        chosen = self._winged(ids)
        along = chosen.per_vehicle("direction", direction, "1", 3)
        horizontal = exact.norm(along[..., :2])
        if not (horizontal > 1e-6 * np.abs(along).max(axis=-1)).all():
            raise ValueError(
                "direction: expected a horizontal part, got a vertical direction or zero"
            )
        columns = _airspeed(chosen, airspeed)
        columns["pos_sp"] = chosen.per_vehicle("point", point, "m", 3)
        columns["vel_sp"] = (
            10.0 * along / horizontal[..., None]
        )  # the controllers use its direction
        chosen.set_point(Setpoint.POSITION | Setpoint.VELOCITY, **columns)

    def command_course(
        self,
        course: ArrayLike,
        height: ArrayLike,
        airspeed: ArrayLike | None = None,
        *,
        ids: Ids = None,
    ) -> None:
        """Fly on courses at heights.

        Parameters
        ----------
        course : array_like, shape (k,) or ()
            Courses over ground [rad], clockwise from north.
        height : array_like, shape (k,) or ()
            Heights above the origin of the map [m]: -z.
        airspeed, ids
            See `command_circle`.
        """
        chosen = self._winged(ids)
        columns = _airspeed(chosen, airspeed)
        columns["yaw_sp"] = chosen.per_vehicle("course", course, "rad")
        z = -chosen.per_vehicle("height", height, "m")
        nowhere = np.full_like(z, math.nan)
        columns["pos_sp"] = np.stack([nowhere, nowhere, z], axis=-1)
        chosen.set_point(Setpoint.POSITION | Setpoint.YAW, **columns)
