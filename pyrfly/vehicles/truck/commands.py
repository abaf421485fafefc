"""Commands of tractors with a trailer: `TruckCommands`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.errors import ParameterError, brief
from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.commands import Ids
from pyrfly.vehicles.driving import DrivingCommands

__all__ = ["TruckCommands"]

_BACKING = Setpoint.POSITION | Setpoint.YAW | Setpoint.VELOCITY | Setpoint.HEADING_FRAME


class TruckCommands(DrivingCommands):
    """Commands of the tractors with a trailer of a `pyrfly.Sim`: ``sim.truck``.

    Without ``ids`` all of them are commanded; the first axis of an array then has one row per
    vehicle. In reverse the trailer is the vehicle: headings and yaw rates of `command_speed` with a
    negative speed are those of the trailer.
    """

    def command_backing(
        self,
        pos: ArrayLike,
        yaw: ArrayLike,
        *,
        speed: ArrayLike = 1.0,
        ids: Ids = None,
    ) -> None:
        """Back the trailer along a line, until its axle is at a position.

        The line leads through the position with the heading: the vehicle follows it tail first.
        The axle stops where it has come as far as the position; ``arrived`` says whether it is
        there. A line that is missed, because the way to it was too short, is not tried again.

        Parameters
        ----------
        pos : array_like, shape (k, 3) or (3,)
            Positions of the middle of the trailer's axle [m, NED]; their heights are not used.
        yaw : array_like, shape (k,) or ()
            Headings of the trailer [rad].
        speed : array_like, shape (k,) or ()
            Maximum speed backward [m/s], above 0; the gain ``reverse_limit`` bounds it, too.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        """
        chosen = self._select(ids)
        backward = chosen.per_vehicle("speed", speed, "m/s")
        if not (backward > 0.0).all():
            raise ParameterError(f"speed: expected more than 0, got {brief(speed)}")
        columns = {
            "pos_sp": chosen.per_vehicle("pos", pos, "m", 3),
            "yaw_sp": chosen.per_vehicle("yaw", yaw, "rad"),
            "vel_sp": np.stack([-backward, 0 * backward, 0 * backward], axis=-1),
        }
        chosen.set_point(_BACKING, **columns)
