"""Commands that multirotors alone execute: `MultirotorVerbs`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pyrfly import exact
from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.verbs import Ids, Select, frame_bit, heading

__all__ = ["MultirotorVerbs"]


class MultirotorVerbs:
    """Commands for the multirotors of a `pyrfly.Sim`, which has them as ``sim.multirotor``.

    Without ``ids`` all multirotors are commanded, and the first axis of an array counts them alone.

    Parameters
    ----------
    select : callable
        Returns the multirotors with some CopterIDs, all for None.
    """

    def __init__(self, select: Select) -> None:
        self._select = select

    def command_acceleration(
        self,
        acc: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        frame: str = "ned",
        ids: Ids = None,
    ) -> None:
        """Fly with accelerations ``acc`` [m/s^2]; arguments as in `command_velocity`."""
        chosen = self._select(ids)
        mask, columns = heading(chosen, yaw, yaw_rate)
        mask |= Setpoint.ACCELERATION | frame_bit(frame)
        columns["acc_sp"] = chosen.per_vehicle("acc", acc, "m/s^2", 3)
        chosen.set_point(mask, **columns)

    def command_attitude(self, att: ArrayLike, thrust: ArrayLike, *, ids: Ids = None) -> None:
        """Hold attitudes.

        Parameters
        ----------
        att : array_like, shape (k, 4) or (4,)
            Quaternions, scalar first, FRD to NED; normalised here.
        thrust : array_like, shape (k,) or ()
            Collective thrust as a share of the most, 0 to 1.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        """
        chosen = self._select(ids)
        quaternion = chosen.per_vehicle("att", att, "1", 4)
        largest = np.abs(quaternion).max(axis=-1, keepdims=True)
        if not (largest > 1e-6).all():
            raise ValueError("att: expected quaternions, got one of length 0")
        quaternion = quaternion / largest  # so that no square overflows
        norm = exact.norm(quaternion)[..., None]
        share = np.clip(chosen.per_vehicle("thrust", thrust, "1"), 0.0, 1.0)
        mask = Setpoint.ATTITUDE | Setpoint.THRUST
        chosen.set_point(mask, att_sp=quaternion / norm, thrust_sp=share)

    def command_rate(self, rate: ArrayLike, thrust: ArrayLike, *, ids: Ids = None) -> None:
        """Hold body rates (k, 3) or (3,) [rad/s, FRD]; ``thrust`` as in `command_attitude`."""
        chosen = self._select(ids)
        share = np.clip(chosen.per_vehicle("thrust", thrust, "1"), 0.0, 1.0)
        body_rate = chosen.per_vehicle("rate", rate, "rad/s", 3)
        mask = Setpoint.BODY_RATE | Setpoint.THRUST
        chosen.set_point(mask, rate_sp=body_rate, thrust_sp=share)
