"""Commands of marine craft: `MarineCommands`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.commands import FamilyCommands, Ids, heading, set_attitude

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
        depth: ArrayLike | None = None,
        ids: Ids = None,
    ) -> None:
        """Go ahead with speeds over ground, and what dives at depths.

        Parameters
        ----------
        speed : array_like, shape (k,) or ()
            Speeds ahead [m/s]; negative: astern.
        yaw : array_like, shape (k,) or (), optional
            Headings [rad]; without one the vehicle keeps from turning.
        yaw_rate : array_like, shape (k,) or (), optional
            Yaw rates [rad/s], clockwise seen from above.
        depth : array_like, shape (k,) or (), optional
            z [m, NED] that what dives holds; without it the vertical speed is held at 0.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        """
        chosen = self._select(ids)
        mask, columns = heading(chosen, yaw, yaw_rate)
        forward = chosen.per_vehicle("speed", speed, "m/s")
        columns["vel_sp"] = np.stack([forward, 0 * forward, 0 * forward], axis=-1)
        if depth is not None:
            mask |= Setpoint.POSITION
            down = chosen.per_vehicle("depth", depth, "m")
            columns["pos_sp"] = np.stack([0 * forward, 0 * forward, down], axis=-1)
        chosen.set_point(mask | Setpoint.VELOCITY | Setpoint.HEADING_FRAME, **columns)

    def command_attitude(self, att: ArrayLike, thrust: ArrayLike, *, ids: Ids = None) -> None:
        """Hold attitudes, as far as thrusters and fins tilt a vehicle, and go ahead.

        Parameters
        ----------
        att : array_like, shape (k, 4) or (4,)
            Quaternions, scalar first, FRD to NED; normalized here.
        thrust : array_like, shape (k,) or ()
            Speeds ahead over ``speed_limit``, limited to 0 to 1.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        """
        set_attitude(self._select(ids), att, thrust)
