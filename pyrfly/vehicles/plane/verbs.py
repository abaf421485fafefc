"""Commands that planes alone execute: `PlaneVerbs`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.frames import quaternion_of_euler
from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.verbs import FamilyVerbs, Ids, Selected

__all__ = ["PlaneVerbs"]

Array = NDArray[np.float64]


def _positive(chosen: Selected, name: str, value: ArrayLike, unit: str) -> Array:
    numbers = chosen.per_vehicle(name, value, unit)
    if not (numbers > 0.0).all():
        raise ValueError(f"{name}: expected numbers above 0 [{unit}], got {value!r}")
    return numbers


def _airspeed(chosen: Selected, airspeed: ArrayLike | None) -> dict[str, Array]:
    """Return the column of an airspeed set-point, 0 for the cruise airspeed."""
    if airspeed is None:
        return {"airspeed_sp": chosen.per_vehicle("airspeed", 0.0, "m/s")}
    return {"airspeed_sp": _positive(chosen, "airspeed", airspeed, "m/s")}


class PlaneVerbs(FamilyVerbs):
    """Commands of the planes of a `pyrfly.Sim`: ``sim.plane``.

    Without ``ids`` all planes are commanded; the first axis of an array then has one row per plane.
    """

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
            The k CopterIDs; all planes by default.
        """
        chosen = self._select(ids)
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
        chosen = self._select(ids)
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
        chosen = self._select(ids)
        columns = _airspeed(chosen, airspeed)
        columns["yaw_sp"] = chosen.per_vehicle("course", course, "rad")
        z = -chosen.per_vehicle("height", height, "m")
        nowhere = np.full_like(z, math.nan)
        columns["pos_sp"] = np.stack([nowhere, nowhere, z], axis=-1)
        chosen.set_point(Setpoint.POSITION | Setpoint.YAW, **columns)

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
            columns["thrust_sp"] = np.clip(chosen.per_vehicle("thrust", thrust, "1"), 0.0, 1.0)
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
        chosen = self._select(ids)
        columns = {"rate_sp": chosen.per_vehicle("rate", rate, "rad/s", 3)}
        columns["thrust_sp"] = np.clip(chosen.per_vehicle("thrust", thrust, "1"), 0.0, 1.0)
        chosen.set_point(Setpoint.BODY_RATE | Setpoint.THRUST, **columns)
