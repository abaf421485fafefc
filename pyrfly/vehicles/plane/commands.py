"""Commands that planes alone execute: `PlaneCommands`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.frames import quaternion_of_euler
from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.commands import Ids, normalized_thrust, set_rate
from pyrfly.vehicles.winged import WingedCommands

__all__ = ["PlaneCommands"]

Array = NDArray[np.float64]


class PlaneCommands(WingedCommands):
    """Commands of the planes of a `pyrfly.Sim`: ``sim.plane``.

    Without ``ids`` all planes are commanded; the first axis of an array then has one row per plane.
    """

    def command_attitude(
        self, roll: ArrayLike, pitch: ArrayLike, thrust: ArrayLike | None = None, *, ids: Ids = None
    ) -> None:
        """Set bank and pitch angles.

        Parameters
        ----------
        roll, pitch : array_like, shape (k,) or ()
            Angles [rad]. Heading and height follow from them.
        thrust : array_like, shape (k,) or (), optional
            Throttle, 0 to 1; by default the throttle controls the airspeed.
        ids : int or sequence of int, optional
            The k CopterIDs; all planes by default.
        """
        chosen = self._select(ids)
        angles = [
            chosen.per_vehicle("roll", roll, "rad"),
            chosen.per_vehicle("pitch", pitch, "rad"),
        ]
        mask, columns = Setpoint.ATTITUDE, {}
        columns["att_sp"] = quaternion_of_euler(np.stack([*angles, 0.0 * angles[0]], axis=-1))
        if thrust is not None:
            mask |= Setpoint.THRUST
            columns["thrust_sp"] = normalized_thrust(chosen, thrust)
        chosen.set_point(mask, **columns)

    def command_rate(self, rate: ArrayLike, thrust: ArrayLike, *, ids: Ids = None) -> None:
        """Set angular velocity set-points.

        Parameters
        ----------
        rate : array_like, shape (k, 3) or (3,)
            Angular velocities [rad/s, FRD].
        thrust, ids
            See `command_attitude`.
        """
        set_rate(self._select(ids), rate, thrust)
