"""Vehicles that scripts of RflySim find without a server and without a `pyrfly.Sim` of their own.

A `World` has a one-vehicle `pyrfly.Sim` for each CopterID that is requested. A `RealTimeWorld`
advances in a thread of its own, while a script waits in ``time.sleep``.
"""

from __future__ import annotations

import atexit
import contextlib
import sys
import threading
from collections.abc import Mapping
from time import perf_counter, sleep
from typing import NamedTuple

from pyrfly.ctrl.grid import INTERVAL, grid, growing_grid
from pyrfly.sim import Sim
from pyrfly.vehicles import VehicleParameters, load

__all__ = ["RealTimeWorld", "Start", "World", "chosen", "in_grid", "prepare", "real_time", "use"]

_NAP = 0.002  # s between two steps
_MAX_LAG = 1.0  # s that are made up for; a longer delay is lost


class Start(NamedTuple):
    """Of a vehicle: its parameter set, north and east of the map centre [m], heading [rad]."""

    vehicle: VehicleParameters
    north: float
    east: float
    yaw: float = 0.0


def in_grid(vehicles: Mapping[str, int] | None) -> dict[int, Start]:
    """Return vehicles by CopterID on RflySim's square grid.

    Parameters
    ----------
    vehicles : mapping of str to int or None
        Parameter sets and their numbers of vehicles, with CopterIDs from 1 in this order.

    Raises
    ------
    ParameterError
        There is no such set.
    """
    counts = {load(name): count for name, count in (vehicles or {}).items()}
    sets = [parameters for parameters, count in counts.items() for _ in range(count)]
    places = grid(len(sets))[:, :2].tolist() if sets else []
    placed = zip(sets, places, strict=True)
    return {i: Start(one, *place) for i, (one, place) in enumerate(placed, 1)}


class World:
    """One-vehicle Sims by CopterID that advance together.

    Parameters
    ----------
    fleet : mapping of int to Start, optional
        Vehicles by CopterID; others have the set ``sdk`` and stand on a grid that grows, beside the
        fleet.

    Attributes
    ----------
    lock : threading.RLock
        Held while vehicles are stepped; to be held while they are read or written.
    flies_on : bool
        Whether flights that a script has begun go on after its end.
    """

    flies_on = False

    def __init__(self, fleet: Mapping[int, Start] | None = None) -> None:
        self.lock = threading.RLock()
        self._fleet = dict(fleet or {})
        self._sims: dict[int, Sim] = {}

    def vehicle(self, copter_id: int) -> Sim:
        """Return the Sim of a CopterID."""
        with self.lock:
            if copter_id not in self._sims:
                start = self._fleet.get(copter_id) or self._start(copter_id)
                sim = Sim(start.vehicle, threads=1)
                sim.environment.enable("magnetic")  # for uavMag
                sim.reset(pos=(start.north, start.east, 0.0), yaw=start.yaw)
                self._sims[copter_id] = sim
                self._joined(copter_id)
            return self._sims[copter_id]

    def _start(self, copter_id: int) -> Start:
        """Return the start of a vehicle that is not of the fleet."""
        if not self._fleet:
            return Start(load("sdk"), *growing_grid(copter_id))
        east = max(start.east for start in self._fleet.values()) + INTERVAL * copter_id
        return Start(load("sdk"), 0.0, east)

    @property
    def copter_ids(self) -> list[int]:
        """CopterIDs of the fleet, and those that were requested."""
        with self.lock:
            return sorted({*self._fleet, *self._sims})

    def find(self, copter_id: int) -> tuple[Sim, int]:
        """Return the Sim of a CopterID, and the vehicle's CopterID in there, which is 1."""
        return self.vehicle(copter_id), 1

    def look(self) -> float:
        """Note that a script reads the time or a vehicle; return the time [s]."""
        return perf_counter()

    def advance(self, seconds: float) -> None:
        """Advance simulated time [s], at least one step."""
        with self.lock:
            for sim in self._sims.values():
                sim.sleep(seconds)

    def _joined(self, copter_id: int) -> None:
        """Prepare for a new vehicle; does nothing here."""


class RealTimeWorld(World):
    """Sims that advance in real time, from the first vehicle until `stop` or exit."""

    flies_on = True

    def __init__(self, fleet: Mapping[int, Start] | None = None) -> None:
        super().__init__(fleet)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether time advances."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def closed(self) -> bool:
        """Whether time will not advance again."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Stop advancing time."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def require_may_step(self) -> None:
        """Raise a RuntimeError in any thread but the one that steps."""
        if self.running and threading.current_thread() is not self._thread:
            raise RuntimeError(
                "this vehicle is simulated in the background, in real time: use time.sleep, or "
                "pass a Sim of your own to PX4MavCtrler, sim="
            )

    def _joined(self, copter_id: int) -> None:
        self._sims[copter_id].hand_over(self)
        if self._thread is None:
            print(
                f"pyrfly: no server for CopterID {copter_id}, so its vehicle is simulated in this "
                "process, in real time",
                file=sys.stderr,
                flush=True,
            )
            self._thread = threading.Thread(target=self._run, name="pyrfly simulation", daemon=True)
            self._thread.start()
            atexit.register(self.stop)

    def _run(self) -> None:
        before = perf_counter()
        while not self._stop.is_set():
            sleep(_NAP)
            now = perf_counter()
            before = max(before, now - _MAX_LAG)
            whole = int((now - before) * 1000) / 1000
            if whole > 0:
                # A script that reads a Sim itself, without the lock, may hold it just now.
                with contextlib.suppress(RuntimeError):
                    self.advance(whole)
                before += whole


_chosen: World | None = None
_real_time: RealTimeWorld | None = None


def real_time() -> RealTimeWorld:
    """Return the Sims of this process that advance in real time; made at the first call."""
    global _real_time
    if _real_time is None:
        _real_time = RealTimeWorld()
    return _real_time


def prepare(fleet: Mapping[int, Start]) -> None:
    """Choose the vehicles of `real_time`, before its first call; see `World`."""
    global _real_time
    _real_time = RealTimeWorld(fleet)


def chosen() -> World | None:
    """Return what `use` selected, if anything; it precedes servers."""
    return _chosen


def use(world: World | None) -> World | None:
    """Let controllers find their vehicles in ``world`` from now on; return the one before."""
    global _chosen
    before, _chosen = _chosen, world
    return before
