"""Vehicles that are point masses with a position loop, and missions that they fly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.frames import DEFAULT_ORIGIN
from pyrfly.mission import FlightResult, Land, Mission, MissionItem, TakeOff, fly_mission
from pyrfly.vehicles.abilities import Abilities, Limits
from pyrfly.vehicles.kinds import Kind

GRAVITY = 9.81
ABILITIES = Abilities(kind=Kind.HOVERS, limits=Limits(climb="climb_limit", descent="descent_limit"))


class Rows:
    """Selected vehicles of `PointMasses`."""

    def __init__(self, sim: PointMasses, ids: int) -> None:
        self._sim, self._rows = sim, np.atleast_1d(ids) - 1

    def read(self, name: str) -> NDArray[Any]:
        chosen: NDArray[Any] = getattr(self._sim, name)[self._rows]
        return chosen

    @property
    def abilities(self) -> list[Abilities]:
        return [ABILITIES]

    def write(self, name: str, values: ArrayLike) -> None:
        getattr(self._sim, name)[self._rows] = values


class PointMasses:
    """Vehicles that are point masses under a critically damped position loop."""

    def __init__(self, n: int = 1, dt: float = 0.02) -> None:
        self.n, self.dt, self.time = n, dt, 0.0
        self.origin = DEFAULT_ORIGIN
        self.pos: NDArray[Any] = np.zeros((n, 3))
        self.vel: NDArray[Any] = np.zeros((n, 3))
        self.att: NDArray[Any] = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
        self.terrain: NDArray[Any] = np.zeros(n)
        self.status: NDArray[Any] = np.zeros(n, dtype=np.uint32)
        self.arrived: NDArray[Any] = np.zeros(n)
        self.speed_limit: NDArray[Any] = np.full(n, 30.0)
        self.descent_limit: NDArray[Any] = np.full(n, 5.0)
        self.climb_limit: NDArray[Any] = np.full(n, 10.0)
        self.accel_limit: NDArray[Any] = np.full(n, 8.0)
        self.armed = np.zeros(n, dtype=bool)
        self.drag = 0.0  # 1/s, a force the loop does not know of
        self.aim = np.zeros((n, 3))
        self.aim_vel = np.zeros((n, 3))
        self.aim_acc = self.acc_sp = np.zeros((n, 3))
        self.aim_yaw = np.zeros(n)
        self.commands: list[tuple[float, NDArray[Any], NDArray[Any], float]] = []
        self.arming: list[tuple[float, bool]] = []

    def select(self, ids: int) -> Rows:
        return Rows(self, ids)

    def arm(self, on: bool = True, ids: int | None = None) -> None:
        self.armed[np.atleast_1d(ids) - 1] = on
        self.arming.append((self.time, on))

    def command_position(
        self,
        pos: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        vel: ArrayLike | None = None,
        acc: ArrayLike | None = None,
        backward: bool = False,
        ids: int | None = None,
    ) -> None:
        rows = np.atleast_1d(ids) - 1
        self.aim[rows], self.aim_vel[rows], self.aim_acc[rows] = pos, vel, acc
        self.aim_yaw[rows] = yaw
        self.commands.append((self.time, np.array(pos), np.array(vel), float(np.asarray(yaw))))

    def enable_synthesis(self) -> None:
        raise NotImplementedError

    def command_sil(self, ints: ArrayLike, floats: ArrayLike, *, ids: int | None = None) -> None:
        raise NotImplementedError

    def step(self, n: int = 1) -> None:
        for _ in range(n):
            pull = 9.0 * (self.aim - self.pos) + 6.0 * (self.aim_vel - self.vel) + self.aim_acc
            fall = np.array((0.0, 0.0, GRAVITY))
            acc = np.where(self.armed[:, None], np.clip(pull, -6.0, 6.0), fall)
            self.vel += (acc - self.drag * self.vel) * self.dt
            self.pos += self.vel * self.dt
            down = self.pos[:, 2] > self.terrain
            self.pos[down, 2] = self.terrain[down]
            self.vel[down] = 0.0
            half = 0.5 * self.aim_yaw
            self.att[:, 0], self.att[:, 3] = np.cos(half), np.sin(half)
            self.time += self.dt


class Probe:
    """A recorder that calls a function."""

    def __init__(self, sample: Callable[[], None]) -> None:
        self.sample = sample


def fly(*items: MissionItem, sim: PointMasses | None = None, speed: float = 5.0) -> FlightResult:
    return fly_mission(sim or PointMasses(), Mission(items, cruise_speed=speed))


UP = TakeOff((0.0, 0.0, -4.0))
DOWN = Land((0.0, 0.0, 0.0))
