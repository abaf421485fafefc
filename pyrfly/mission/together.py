"""Vehicles that are read and commanded together, once a tick: `Together`."""

from __future__ import annotations

import math
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import MissionError
from pyrfly.mission.vehicle import Columns, Motion, Payload, Vector
from pyrfly.sim import Sim
from pyrfly.vehicles.commands import Ids

__all__ = ["SetPoint", "Together"]


class _Motion(NamedTuple):
    """Motion of vehicles; see `pyrfly.mission.vehicle.Motion`."""

    pos: NDArray[Any]
    vel: NDArray[Any]
    att: NDArray[Any]


class SetPoint(NamedTuple):
    """A set-point of one vehicle; ``acc`` is None for those that drive."""

    pos: Vector
    yaw: float | None
    yaw_rate: float | None
    vel: Vector | None
    acc: Vector | None
    backward: bool = False

    @property
    def numbers(self) -> tuple[Any, ...]:
        """All but the direction."""
        return self[:-1]

    @property
    def finite(self) -> bool:
        """Whether all its numbers are."""
        vectors = (part for part in (self.pos, self.vel, self.acc) if part is not None)
        angles = (part for part in (self.yaw, self.yaw_rate) if part is not None)
        return all(map(math.isfinite, (*chain(*vectors), *angles)))


class Together:
    """What vehicles of a `Sim` see of it: their `pyrfly.mission.vehicle.Simulator`.

    It reads the state of all once, and commands the set-points of all at once, so that a vehicle
    more costs little.

    Parameters
    ----------
    sim : Sim
        The vehicles.

    Attributes
    ----------
    time, pos, vel, att, known, terrain, status
        As they were when `read` was called.
    """

    def __init__(self, sim: Sim) -> None:
        self._sim = sim
        self._set_points: dict[int, SetPoint] = {}  # to be written, by CopterID
        self.read()

    def read(self) -> None:
        """Read the state of all vehicles."""
        sim = self._sim
        self.time = sim.time
        self.pos, self.vel, self.att = _motion(sim)
        self.known: Motion = _motion(sim.known) if sim.known.estimated else self
        self.terrain: NDArray[Any] = np.array(sim.terrain, np.float64)
        self.status: NDArray[Any] = np.array(sim.status)

    def write(self) -> None:
        """Command the set-points that were given since the last call."""
        alike: dict[tuple[bool, ...], list[int]] = {}  # of one direction, that lack the same
        for copter_id, point in self._set_points.items():
            lacks = (part is None for part in point.numbers)
            alike.setdefault((point.backward, *lacks), []).append(copter_id)
        for (backward, *_), ids in alike.items():
            points = [self._set_points[copter_id].numbers for copter_id in ids]
            if len(ids) == 1:  # which is selected and commanded faster
                self._command(ids[0], backward, *points[0])
                continue
            columns = zip(*points, strict=True)
            given = (None if part[0] is None else np.array(part) for part in columns)
            self._command(ids, backward, *given)
        self._set_points.clear()

    def _command(
        self, ids: Ids, backward: bool, pos: Any, yaw: Any, yaw_rate: Any, vel: Any, acc: Any
    ) -> None:
        self._sim.command_position(
            pos, yaw, yaw_rate=yaw_rate, vel=vel, acc=acc, backward=backward, ids=ids
        )

    @property
    def n(self) -> int:
        """Number of vehicles."""
        return self._sim.n

    @property
    def dt(self) -> float:
        """Step [s]."""
        return self._sim.dt

    @property
    def origin(self) -> tuple[float, float, float]:
        """Latitude [deg], longitude [deg], height [m] of the origin of the local frame."""
        return self._sim.origin

    @origin.setter
    def origin(self, lla: tuple[float, float, float]) -> None:
        self._sim.origin = lla

    @property
    def payload(self) -> Payload:
        """Payloads of the vehicles."""
        return self._sim.payload

    def select(self, ids: int) -> Columns:
        """Return vehicles, to read their limits and to write set-points of a fixed wing."""
        return self._sim.select(ids)

    def arm(self, on: bool = True, ids: int | None = None) -> None:
        """Arm or disarm vehicles."""
        self._sim.arm(on, ids=ids)

    def enable_synthesis(self) -> None:
        """Enable the navigators."""
        self._sim.enable_synthesis()

    def command_sil(self, ints: ArrayLike, floats: ArrayLike, *, ids: int | None = None) -> None:
        """Command navigators at once, in place of a set-point of one vehicle in this tick."""
        if ids is not None:
            self._set_points.pop(ids, None)
        self._sim.command_sil(ints, floats, ids=ids)

    def step(self, n: int = 1) -> None:
        """Take ``n`` steps."""
        self._sim.step(n)

    def command_position(
        self,
        pos: Vector,
        yaw: float | None = None,
        *,
        yaw_rate: float | None = None,
        vel: Vector | None = None,
        acc: Vector | None = None,
        backward: bool = False,
        ids: int | None = None,
    ) -> None:
        """Keep a set-point of one vehicle for the next `write`."""
        if ids is not None:
            self.keep(ids, SetPoint(pos, yaw, yaw_rate, vel, acc, backward))

    def keep(self, copter_id: int, point: SetPoint) -> None:
        """Keep a set-point of a vehicle; raise a MissionError if it is not finite."""
        if not point.finite:
            raise MissionError("set-point: expected finite numbers")
        self._set_points[copter_id] = point


def _motion(of: Motion) -> _Motion:
    """Return a copy of a motion, as it is now."""
    return _Motion(*(np.array(part, np.float64) for part in (of.pos, of.vel, of.att)))
