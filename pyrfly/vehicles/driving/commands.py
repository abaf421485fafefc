"""Commands of vehicles that drive on a plane: `DrivingCommands`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.commands import FamilyCommands, Ids, heading

__all__ = ["DrivingCommands"]


class DrivingCommands(FamilyCommands):
    """Commands of a family of vehicles that drive, which a `pyrfly.Sim` has by its name.

    Without ``ids`` all its vehicles are commanded; the first axis of an array then has one row per
    vehicle of the family.
    """

    def command_speed(
        self,
        speed: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        ids: Ids = None,
    ) -> None:
        """Drive with forward speeds.

        Parameters
        ----------
        speed : array_like, shape (k,) or ()
            Forward speeds [m/s]; negative: backwards.
        yaw : array_like, shape (k,) or (), optional
            Headings [rad]; without one the vehicle does not steer.
        yaw_rate : array_like, shape (k,) or (), optional
            Yaw rates [rad/s], clockwise seen from above.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        """
        chosen = self._select(ids)
        mask, columns = heading(chosen, yaw, yaw_rate)
        forward = chosen.per_vehicle("speed", speed, "m/s")
        columns["vel_sp"] = np.stack([forward, 0 * forward, 0 * forward], axis=-1)
        chosen.set_point(mask | Setpoint.VELOCITY | Setpoint.HEADING_FRAME, **columns)
