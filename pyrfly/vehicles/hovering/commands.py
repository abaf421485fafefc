"""Commands of vehicles that hover on one thrust: `HoveringCommands`."""

from __future__ import annotations

from numpy.typing import ArrayLike

from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.commands import (
    FamilyCommands,
    Ids,
    Selected,
    frame_bit,
    heading,
    set_attitude,
    set_rate,
)

__all__ = ["HoveringCommands"]


class HoveringCommands(FamilyCommands):
    """Commands of a family of vehicles that hover, which a `pyrfly.Sim` has by its name.

    Without ``ids`` all its vehicles are commanded; the first axis of an array then has one row per
    vehicle of the family.
    """

    def _able(self, ids: Ids) -> Selected:
        """Return the chosen vehicles; a ValueError if one has no controllers."""
        return self._select(ids)

    def command_acceleration(
        self,
        acc: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        frame: str = "ned",
        ids: Ids = None,
    ) -> None:
        """Set acceleration set-points ``acc`` [m/s^2]; arguments as in `command_velocity`."""
        chosen = self._able(ids)
        mask, columns = heading(chosen, yaw, yaw_rate)
        mask |= Setpoint.ACCELERATION | frame_bit(frame)
        columns["acc_sp"] = chosen.per_vehicle("acc", acc, "m/s^2", 3)
        chosen.set_point(mask, **columns)

    def command_attitude(self, att: ArrayLike, thrust: ArrayLike, *, ids: Ids = None) -> None:
        """Set attitude set-points.

        Parameters
        ----------
        att : array_like, shape (k, 4) or (4,)
            Quaternions, scalar first, FRD to NED; normalized here.
        thrust : array_like, shape (k,) or ()
            Normalized collective thrust, limited to 0 to 1.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        """
        set_attitude(self._able(ids), att, thrust)

    def command_rate(self, rate: ArrayLike, thrust: ArrayLike, *, ids: Ids = None) -> None:
        """Set angular velocity set-points.

        Parameters
        ----------
        rate : array_like, shape (k, 3) or (3,)
            Angular velocities [rad/s, FRD].
        thrust, ids
            See `command_attitude`.
        """
        set_rate(self._able(ids), rate, thrust)
