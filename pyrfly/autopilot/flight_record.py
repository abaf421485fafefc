"""Take-offs, flights and landings of the vehicles: `FlightRecord`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.arrays import rows_where
from pyrfly.autopilot.clock import Clock
from pyrfly.autopilot.parameters import Parameters
from pyrfly.sim import Sim
from pyrfly.sim.ends import ground_contact

__all__ = ["FlightRecord", "FlightTimes"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]

LANDED_TIME = 0.3
"""Time at rest on the ground after which a vehicle has landed [s]; estimated."""


class FlightTimes(NamedTuple):
    """The last flights of vehicles, each shape (n,).

    Attributes
    ----------
    armed, took_off, landed : ndarray of float
        How long ago that was [s]; NaN where it has not been.
    number : ndarray of int
        Number of flights before the present one, which disarming ends.
    """

    armed: Array
    took_off: Array
    landed: Array
    number: NDArray[np.int64]


class FlightRecord:
    """What the vehicles of a `Sim` have flown since they were armed.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    parameters : Parameters
        Their PX4 parameters.
    clock : Clock
        Time.
    on_surface : ndarray of bool, shape (n,)
        Which of them never leave the ground: they have landed when they are disarmed.

    Attributes
    ----------
    landed : ndarray of bool, shape (n,)
        Whether each vehicle is at rest on the ground.
    """

    def __init__(self, sim: Sim, parameters: Parameters, clock: Clock, on_surface: Bools) -> None:
        n = sim.n
        self.landed = np.ones(n, np.bool_)
        kinds = [(group.abilities.kind, group.n) for group in sim.groups]
        ends = np.cumsum([n for _, n in kinds]).tolist()
        self._kinds = [(kind, slice(e - n, e)) for (kind, n), e in zip(kinds, ends, strict=True)]
        self._sim = sim
        self._parameters = parameters
        self._clock = clock
        self._on_surface = on_surface
        self._armed_at = np.full(n, math.nan)
        self._took_off_at = np.full(n, math.nan)  # since it was armed
        self._flights_made = np.zeros(n, np.int64)
        self._flew = np.zeros(n, np.bool_)  # since it was armed
        self._rest_since = np.full(n, -math.inf)  # at rest on the ground

    @property
    def time_armed(self) -> Array:
        """Time since each vehicle was armed [s], NaN before, shape (n,)."""
        return np.asarray(self._clock.now - self._armed_at)

    @property
    def time_in_air(self) -> Array:
        """Time since its take-off [s], NaN before and on the ground, shape (n,)."""
        flown = self._clock.now - self._took_off_at
        return np.where(self.landed, math.nan, flown)

    def times(self) -> FlightTimes:
        """Return when the last flight of each vehicle was, and the number of those before."""
        now = self._clock.now
        landed = np.where(self._flew & self.landed, self._rest_since, math.nan)
        landed[~np.isfinite(landed)] = math.nan
        return FlightTimes(
            now - self._armed_at, now - self._took_off_at, now - landed, self._flights_made
        )

    def has_landed(self, row: int) -> bool:
        """Return whether a vehicle has flown since it was armed, and rests on the ground now."""
        return bool(self._flew[row]) and math.isfinite(self._rest_since[row])

    def begin(self, row: int) -> None:
        """Note that a vehicle was armed."""
        self._armed_at[row], self._flew[row] = self._clock.now, False
        self._took_off_at[row] = math.nan

    def end(self, row: int) -> None:
        """Note that a vehicle was disarmed."""
        self._flights_made[row] += 1

    def restart(self, row: int) -> None:
        """Begin anew with a vehicle that was put back to its start."""
        self._rest_since[row] = -math.inf

    def update(self, armed: Bools) -> list[int]:
        """Find who rests on the ground; return the armed rows that took off or landed."""
        sim, time = self._sim, self._clock.now
        height, vel = ground_contact(sim.select()), sim.vel
        resting = np.concatenate([kind.landed(height[at], vel[at]) for kind, at in self._kinds])
        self._rest_since[~resting] = math.inf
        self._rest_since[resting & (self._rest_since == math.inf)] = time
        rested = resting & ((time - self._rest_since >= LANDED_TIME) | ~armed)
        before = self.landed.copy()
        self.landed[:] = np.where(self._on_surface, ~armed, rested)
        off = armed & ~resting
        self._took_off_at[off & ~self._flew] = time
        self._flew |= off
        changed: list[int] = rows_where(armed & ~self._on_surface & (before != self.landed))
        return changed

    def overdue(self, armed: Bools) -> dict[int, str]:
        """Return who is to be disarmed, as it has landed or does not take off: why, by row."""
        waiting = armed & self.landed
        if not waiting.any():
            return {}
        get = self._parameters.column
        rests = self._clock.now - np.fmax(self._rest_since, self._armed_at)
        limit = np.where(self._flew, get("COM_DISARM_LAND"), get("COM_DISARM_PRFLT"))
        over = waiting & (limit > 0) & (rests >= limit)
        return {
            row: "landing" if self._flew[row] else "auto preflight disarming"
            for row in rows_where(over)
        }
