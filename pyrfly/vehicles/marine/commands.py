"""Commands of marine craft: `MarineCommands`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.commands import FamilyCommands, Ids, heading

__all__ = ["MarineCommands"]


class MarineCommands(FamilyCommands):
    """Commands of the marine craft of a `pyrfly.Sim`: ``sim.marine``.

    Without ``ids`` all of them are commanded; the first axis of an array then has one row per
    vehicle.
    """

    def command_speed(
        self,
        speed: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        depth: ArrayLike = 0.0,
        ids: Ids = None,
    ) -> None:
        """Go ahead with speeds over ground, and what glides at depths.

        Parameters
        ----------
        speed : array_like, shape (k,) or ()
            Speeds ahead [m/s]; negative: astern.
        yaw : array_like, shape (k,) or (), optional
            Headings [rad]; without one the vehicle keeps from turning.
        yaw_rate : array_like, shape (k,) or (), optional
            Yaw rates [rad/s], clockwise seen from above.
        depth : array_like, shape (k,) or ()
            z [m, NED] that vehicles hold by their pitch, such as a torpedo with fins; those with
            thrusters for it hold the speed down, 0.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        """
        chosen = self._select(ids)
        mask, columns = heading(chosen, yaw, yaw_rate)
        forward = chosen.per_vehicle("speed", speed, "m/s")
        down = chosen.per_vehicle("depth", depth, "m")
        columns["vel_sp"] = np.stack([forward, 0 * forward, 0 * forward], axis=-1)
        columns["pos_sp"] = np.stack([0 * forward, 0 * forward, down], axis=-1)
        chosen.set_point(mask | Setpoint.VELOCITY | Setpoint.HEADING_FRAME, **columns)
