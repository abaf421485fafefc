"""Payloads of the vehicles of a simulation: `Payload`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.arrays import true_or_false
from pyrfly.errors import ParameterError, brief
from pyrfly.sim.interface import PartInterface
from pyrfly.sim.selection import Selection
from pyrfly.vehicles.commands import Ids

__all__ = ["Payload"]

_LARGEST = 1e4
"""Maximum of a mass [kg], a length [m], an area, a volume, a coefficient, an inertia [kg m^2]."""

_FARTHEST = 100.0
"""Maximum of a place from the centre of mass [m]."""

_LENGTHS = ("payload_cable", "payload_length", "payload_length_sp")
"""Of the whole cable, what is out of it, and to what it is reeled."""

_SHORTEST = 0.01
"""Minimum of the cable that is out [m] (csrc/parts/payload/update.c)."""

_SHARES = 1e-9
"""What rounding may leave below 0 of a moment of inertia, over the largest one."""


class Payload(PartInterface):
    """Payloads of the vehicles: `Sim.payload`.

    A payload is fixed to its vehicle, of which it changes mass, centre of mass and inertia, or
    hangs on a cable; dropped, it falls by itself (docs/payload.md). A reset puts it back.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> sim.payload.attach(0.2, cable=2.0)
    >>> sim.reset(pos=[0, 0, -20], hover=True)
    >>> sim.sleep(1)
    >>> sim.payload_pos.round(2).tolist(), sim.payload_tension.round(2).tolist()
    ([[0.0, 0.0, -18.0]], [1.96])
    >>> sim.payload.drop().tolist()
    [True]
    """

    part = "payload"

    def _on(self) -> dict[str, int]:
        carried = self.carried()
        hangs = self._select(None).read("payload_cable") > 0
        return {
            "fixed": int((carried & ~hangs).sum()),
            "on cables": int((carried & hangs).sum()),
            "dropped": self._count("payload_dropped"),
        }

    def attach(
        self,
        mass: ArrayLike,
        *,
        place: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike | None = None,
        cable: ArrayLike = 0.0,
        drag_area: ArrayLike = 0.0,
        volume: ArrayLike = 0.0,
        friction: ArrayLike = 0.5,
        ids: Ids = None,
    ) -> None:
        """Give vehicles a payload, in place of what they have.

        Their controllers are not told; `Sim.retune` does not count it.

        Parameters
        ----------
        mass : array_like, shape (k,) or ()
            Mass [kg]; 0 takes a payload away.
        place : array_like, shape (k, 3) or (3,)
            Centre of mass of the payload, or where its cable is attached [m, FRD, from the centre
            of mass of the vehicle without it].
        inertia : array_like, shape (k, 6), (6,), (k, 3) or (3,), optional
            Inertia about its own centre of mass [kg m^2, FRD]: the matrix elements xx, yy, zz, xy,
            xz, yz, or the first three. By default, and on a cable, it is a point.
        cable : array_like, shape (k,) or ()
            Length of the cable [m]; 0: the payload is fixed to the vehicle.
        drag_area : array_like, shape (k,) or ()
            Drag coefficient times area [m^2], in the air and in the water of marine craft.
        volume : array_like, shape (k,) or ()
            Volume [m^3], of which that water has the buoyancy; by default it has none.
        friction : array_like, shape (k,) or ()
            Friction coefficient on the ground; estimated by default.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            No payload acts on a vehicle: its effects are 'plain', or its family has none.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape or range; then no vehicle gets a payload.
        """
        chosen = self._distinct(ids)
        chosen.require_extended("payload: none acts")
        columns = {
            "payload_mass": chosen.not_negative("mass", mass, "kg", _LARGEST),
            "payload_place": chosen.per_vehicle("place", place, "m", 3, _FARTHEST),
            "payload_inertia": _inertia(chosen, inertia),
            **dict.fromkeys(_LENGTHS, chosen.not_negative("cable", cable, "m", _LARGEST)),
            "payload_drag_area": chosen.not_negative("drag_area", drag_area, "m^2", _LARGEST),
            "payload_volume": chosen.not_negative("volume", volume, "m^3", _LARGEST),
            "payload_friction": chosen.not_negative("friction", friction, "1", _LARGEST),
        }
        if (columns["payload_inertia"].any(axis=1) & (columns["payload_cable"] > 0)).any():
            raise ValueError(
                "inertia: expected none of a payload on a cable, a point, got " + brief(inertia)
            )
        if len(chosen):
            self._change(lambda: self._put(chosen, columns), self.part)

    def drop(self, ids: Ids = None) -> NDArray[np.bool_]:
        """Drop the payloads that vehicles carry; they fall on from there.

        Returns
        -------
        ndarray of bool, shape (k,)
            Whether the payload of each vehicle is dropped now.

        Raises
        ------
        ParameterError
            A vehicle has no payload; then none is dropped.
        """
        chosen = self._loaded(ids)
        self._change(lambda: chosen.write("payload_dropped", 1))
        return np.ones(len(chosen), np.bool_)

    def take(self, ids: Ids = None) -> None:
        """Let vehicles carry the payloads again that they have dropped, wherever those are.

        Raises
        ------
        ParameterError
            A vehicle has no payload; then nothing is changed.
        """
        chosen = self._loaded(ids)
        self._change(lambda: self._put(chosen, {}))

    def reel(self, length: ArrayLike, speed: ArrayLike = 0.5, *, ids: Ids = None) -> None:
        """Reel cables in or out by winches.

        Parameters
        ----------
        length : array_like, shape (k,) or ()
            Length of the cable in the end [m], from 1 cm to that of the whole cable.
        speed : array_like, shape (k,) or ()
            How fast [m/s]; estimated by default.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            A vehicle has no payload; then nothing is changed.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape or range; then nothing is changed.
        """
        chosen = self._loaded(ids)
        end = chosen.not_negative("length", length, "m", _LARGEST)
        columns = {
            "payload_length_sp": end,
            "payload_reel_speed": chosen.not_negative("speed", speed, "m/s", _LARGEST),
        }
        if not ((end >= _SHORTEST) & (end <= chosen.read("payload_cable"))).all():
            raise ValueError(
                f"length: expected {_SHORTEST:g} m to that of the cable, got {brief(length)}"
            )
        self._change(lambda: chosen.write_all(columns))

    def winch(self, way: float, speed: float, copter_id: int) -> bool:
        """Reel the cable of a vehicle in or out by a way, within its length.

        Parameters
        ----------
        way : float
            Cable that is let out [m], below 0 reeled in; infinity is all of it, 0 stops the winch.
        speed : float
            How fast [m/s].
        copter_id : int
            The vehicle.

        Returns
        -------
        bool
            Whether the vehicle has a payload on a cable.
        """
        chosen = self._select(copter_id)
        if not self.loaded(copter_id)[0] or not chosen.read("payload_cable")[0] > 0:
            return False
        end = chosen.read("payload_length").astype(np.float64) + way
        self.reel(np.clip(end, _SHORTEST, chosen.read("payload_cable")), speed, ids=copter_id)
        return True

    def grip(self, takes: bool, ids: Ids = None) -> None:
        """Take or drop payloads, as a gripper that closes or opens."""
        if true_or_false("takes", takes):
            self.take(ids)
        else:
            self.drop(ids)

    def loaded(self, ids: Ids = None) -> NDArray[np.bool_]:
        """Return which vehicles have a payload, carried or dropped, shape (k,)."""
        chosen = self._select(ids)
        if not len(chosen) or not self.enabled:
            return np.zeros(len(chosen), np.bool_)
        return np.asarray(chosen.read("payload_mass") > 0)

    def carried(self, ids: Ids = None) -> NDArray[np.bool_]:
        """Return which vehicles have a payload that is not dropped, shape (k,)."""
        loaded = self.loaded(ids)
        return loaded & (self._select(ids).read("payload_dropped") == 0) if loaded.any() else loaded

    def _put(self, chosen: Selection, columns: dict[str, NDArray[np.float64]]) -> None:
        """Put payloads where they are carried."""
        chosen.write_all(columns)
        for name in ("dropped", "moves", "pos", "vel", "tension", "force", "torque"):
            chosen.write(f"payload_{name}", 0)
        for group, rows, _ in chosen:
            group.refresh(rows)

    def _loaded(self, ids: Ids) -> Selection:
        """Return vehicles to be changed that have a payload."""
        chosen = self._distinct(ids)
        if not self.loaded(ids).all():
            raise ParameterError(f"payload: ids: expected vehicles with one, got {brief(ids)}")
        return chosen


def _inertia(chosen: Selection, inertia: ArrayLike | None) -> NDArray[np.float64]:
    """Return checked moments of inertia [kg m^2], shape (k, 6)."""
    if inertia is None:
        return np.zeros((len(chosen), 6))
    width = 3 if np.shape(inertia)[-1:] == (3,) else 6
    given = chosen.per_vehicle("payload: inertia", inertia, "kg m^2", width, _LARGEST)
    found = np.zeros((len(chosen), 6))
    found[:, :width] = given
    xx, yy, zz, xy, xz, yz = found.T
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    principal = np.linalg.eigvalsh(matrix)
    slack = _SHARES * np.abs(principal).max(axis=1)
    if not (principal[:, 0] + principal[:, 1] >= principal[:, 2] - slack).all():
        raise ValueError(
            "inertia: expected that of a body, of whose principal moments none exceeds the sum of "
            f"the others, got {brief(inertia)}"
        )
    return found
