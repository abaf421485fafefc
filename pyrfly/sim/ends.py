"""What vehicles have come to, at which a run ends: `RUN_ENDS`, `RunEnd`, `Watch`.

A run ends where each vehicle is at one of the ends that were asked for, or at a safety boundary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import RunEnded, brief, near_names
from pyrfly.sim.boundaries import Crossing
from pyrfly.sim.selection import Selection
from pyrfly.vehicles.constants import TOUCHDOWN_SPEED, TOUCHDOWN_TIME

__all__ = [
    "CRASH_HEIGHT",
    "CRASH_SPEED",
    "END",
    "LOOK",
    "RUN_ENDS",
    "RunEnd",
    "Until",
    "Watch",
    "checked_until",
    "ground_contact",
]

Bools = NDArray[np.bool_]
Until = str | Sequence[str]

END = "end"
"""Name of the reason in the metadata of a log."""

LOOK = 0.02
"""Time between two looks at the vehicles [s]: the tick of missions and cases."""

CRASH_SPEED, CRASH_HEIGHT = 3.5, 1.2
"""Who descends faster [m/s] below this height above the ground [m] crashes
[@rfly-safe include/AutoMavCtrl.py]."""

REST_RATE, REST_TIME = 0.1, 1.0
"""Angular velocity [rad/s] and time [s] of what has come to rest, as of `TOUCHDOWN_SPEED`;
estimated."""


class _Motion(NamedTuple):
    """What all vehicles do at present; arrays of shape (n,)."""

    on_ground: Bools
    height: NDArray[np.float64]  # m, of the centre of mass above the ground
    fall: NDArray[np.float64]  # m/s, down
    speed: NDArray[np.float64]  # m/s
    turn: NDArray[np.float64]  # rad/s
    armed: Bools
    stopped: Bools  # with a fault flag
    broken: Bools  # in a collision


class Condition(NamedTuple):
    """An end of a vehicle's run.

    Attributes
    ----------
    text : str
        What the vehicle is then, for reasons.
    holds : callable
        Returns which vehicles it holds of, of a `_Motion`.
    lasts : float
        Time for which it has to hold [s].
    after_all : bool
        It counts after it did not hold: who has not taken off has not landed.
    once : bool
        It has to have held once; by default it has to hold still.
    """

    text: str
    holds: Callable[[_Motion], Bools]
    lasts: float = 0.0
    after_all: bool = True
    once: bool = False


def _crashes(now: _Motion) -> Bools:
    return np.asarray((now.fall > CRASH_SPEED) & (now.height < CRASH_HEIGHT) | now.broken)


def _rests(now: _Motion) -> Bools:
    return np.asarray((now.speed < TOUCHDOWN_SPEED) & (now.turn < REST_RATE))


RUN_ENDS: Mapping[str, Condition] = {
    "crashed": Condition("crashed", _crashes, after_all=False, once=True),
    "landed": Condition("landed", lambda now: now.on_ground, TOUCHDOWN_TIME),
    "disarmed": Condition("disarmed", lambda now: ~now.armed),
    "at_rest": Condition("at rest", _rests, REST_TIME),
}
"""Ends that a run may have, by name; where several hold, the first is told."""

_STOPPED = Condition("with a fault flag", lambda now: now.stopped, after_all=False)
"""Of every run: such a vehicle comes to nothing else."""


class RunEnd(NamedTuple):
    """Why a run has ended before its time.

    Attributes
    ----------
    reason : str
        In words, such as ``'2 landed, 1 crashed'``, or what was crossed.
    time : float
        Simulated time [s].
    vehicles : tuple of str
        What each vehicle has come to, ``text`` of an entry of `RUN_ENDS`; empty at a boundary.
    crossing : Crossing, optional
        The crossing of a safety boundary that has ended the run.
    """

    reason: str
    time: float
    vehicles: tuple[str, ...] = ()
    crossing: Crossing | None = None

    @classmethod
    def at_boundary(cls, error: RunEnded) -> RunEnd:
        """Return the end at a safety boundary, which `Sim.step` raises."""
        return cls(error.reason, error.crossing.time, crossing=error.crossing)


def checked_until(until: Until) -> tuple[str, ...]:
    """Return names of `RUN_ENDS` from one or several, in their order; a ValueError names others."""
    names = tuple(until) if isinstance(until, Iterable) and not isinstance(until, str) else (until,)
    for name in names:
        if not isinstance(name, str) or name not in RUN_ENDS:
            near = near_names(name, RUN_ENDS) if isinstance(name, str) else ", ".join(RUN_ENDS)
            raise ValueError(f"until: expected ends of runs, such as {near}, got {brief(name)}")
    return tuple(name for name in RUN_ENDS if name in names)


def ground_contact(vehicles: Selection) -> NDArray[np.float64]:
    """Return the height above the ground of the point that touches it first [m], shape (k,).

    It is 0 where contacts carry a vehicle: on a roof, on another one.
    """
    height = np.empty(len(vehicles))
    for group, rows, indices in vehicles:
        feet = group.view("contact_height")[rows] if group.has("contact_height") else 0.0
        height[indices] = group.view("terrain")[rows] - group.view("pos")[rows, 2] - feet
        if group.has("collision_supports"):
            height[indices] *= group.view("collision_supports")[rows] == 0
    return height


class Watch:
    """Looks whether the vehicles have come to the ends of a run.

    Parameters
    ----------
    vehicles : Selection
        The vehicles.
    until : str or sequence of str
        Names of `RUN_ENDS`.

    Raises
    ------
    ValueError
        There is no such end, or none at all.
    """

    def __init__(self, vehicles: Selection, until: Until) -> None:
        names = checked_until(until)
        if not names:
            raise ValueError(f"until: expected ends of runs, of {', '.join(RUN_ENDS)}, got none")
        self._vehicles = vehicles
        now = _motion_of(vehicles)
        conditions = (_STOPPED, *(RUN_ENDS[name] for name in names))
        self._watched = [_Watched(condition, now) for condition in conditions]
        self._at = np.zeros((len(conditions), len(vehicles)), np.bool_)

    def look(self, time: float) -> RunEnd | None:
        """Look at the vehicles at a time [s]; return the end of the run once all are at one."""
        now = _motion_of(self._vehicles)
        self._at = np.stack([watched.look(now, time) for watched in self._watched])
        if not self._at.any(axis=0).all():
            return None
        ends = tuple(self.end_of(row) for row in range(len(self._vehicles)))
        reason = ", ".join(f"{count} {text}" for text, count in Counter(ends).items())
        return RunEnd(reason, time, ends)

    def end_of(self, row: int) -> str:
        """Return what a vehicle had come to at the last `look`; "" if it goes on."""
        at = self._at[:, row]
        return self._watched[int(at.argmax())].condition.text if at.any() else ""


class _Watched:
    """A condition, and since when it holds of each vehicle."""

    def __init__(self, condition: Condition, now: _Motion) -> None:
        self.condition = condition
        holds = condition.holds(now)
        self._begun = ~holds if condition.after_all else np.ones_like(holds)
        self._since = np.full(len(holds), np.inf)

    def look(self, now: _Motion, time: float) -> Bools:
        """Return which vehicles are at this end."""
        holds = self.condition.holds(now)
        self._begun |= ~holds
        counts = holds & self._begun
        self._since[counts & np.isinf(self._since)] = time
        if not self.condition.once:
            self._since[~counts] = np.inf
        return np.asarray(time - self._since >= self.condition.lasts - 0.5 * LOOK)


def _motion_of(vehicles: Selection) -> _Motion:
    vel, pos = vehicles.read("vel"), vehicles.read("pos")
    contact, on_ground = ground_contact(vehicles), np.empty(len(vehicles), np.bool_)
    broken = np.zeros(len(vehicles), np.bool_)
    for group, rows, indices in vehicles:
        on_ground[indices] = group.abilities.kind.landed(contact[indices], vel[indices])
        if group.has("crashed"):
            broken[indices] = group.view("crashed")[rows] != 0
    return _Motion(
        on_ground=on_ground,
        height=vehicles.read("terrain") - pos[:, 2],
        fall=vel[:, 2],
        speed=np.linalg.norm(vel, axis=1),
        turn=np.linalg.norm(vehicles.read("rate"), axis=1),
        armed=vehicles.read("armed") != 0,
        stopped=vehicles.read("status") != 0,
        broken=broken,
    )
