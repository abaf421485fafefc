"""Vehicles that scripts of RflySim find without a server and without a `pyrfly.Sim` of their own.

A `World` has a one-vehicle `pyrfly.Sim` for each CopterID that is asked for. A `RealTimeWorld` runs
in a thread of its own, so that ``time.sleep`` in a script is all it takes for time to pass.
"""

from __future__ import annotations

import atexit
import contextlib
import sys
import threading
from time import perf_counter, sleep

from pyrfly.sim import Sim

__all__ = ["RealTimeWorld", "World", "chosen", "real_time", "use"]

SPACING = 2.0  # m to the east between vehicles of neighbouring CopterIDs (VEHICLE_INTERVAL)
_NAP = 0.002  # s between looks at the clock
_MOST_LAG = 1.0  # s that are made up for; what is later is lost


class World:
    """One-vehicle Sims by CopterID, whose time passes together.

    Attributes
    ----------
    lock : threading.RLock
        Held while vehicles are stepped; to be held while they are touched.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._sims: dict[int, Sim] = {}

    def vehicle(self, copter_id: int) -> Sim:
        """Return the Sim of a CopterID, 2 m east of that of the CopterID before."""
        with self.lock:
            if copter_id not in self._sims:
                sim = Sim(threads=1)
                sim.reset(pos=(0.0, SPACING * (copter_id - 1), 0.0))
                self._sims[copter_id] = sim
                self._joined(copter_id)
            return self._sims[copter_id]

    def find(self, copter_id: int) -> tuple[Sim, int]:
        """Return the Sim of a CopterID, and the vehicle's CopterID in there, which is 1."""
        return self.vehicle(copter_id), 1

    def look(self) -> float:
        """Note that a script looks at the time or at a vehicle; return the time [s]."""
        return perf_counter()

    def event(self) -> threading.Event:
        """Return an event that may be waited for while time passes."""
        return threading.Event()

    def advance(self, seconds: float) -> None:
        """Let simulated time pass [s], at least one step."""
        with self.lock:
            for sim in self._sims.values():
                sim.sleep(seconds)

    def _joined(self, copter_id: int) -> None:
        """Do what is to be done when there is a new vehicle."""


class RealTimeWorld(World):
    """A world whose time passes as ours does, from its first vehicle until `stop` or exit."""

    def __init__(self) -> None:
        super().__init__()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether time passes."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def closed(self) -> bool:
        """Whether no more time will pass."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Let no more time pass."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def require_may_step(self) -> None:
        """Raise a RuntimeError in any other thread than that of this world."""
        if self.running and threading.current_thread() is not self._thread:
            raise RuntimeError(
                "this vehicle is simulated in the background, in real time: time passes by itself, "
                "so use time.sleep; or give PX4MavCtrler a Sim of your own, sim="
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
            self._thread = threading.Thread(target=self._run, name="pyrfly world", daemon=True)
            self._thread.start()
            atexit.register(self.stop)

    def _run(self) -> None:
        before = perf_counter()
        while not self._stop.is_set():
            sleep(_NAP)
            now = perf_counter()
            before = max(before, now - _MOST_LAG)
            whole = int((now - before) * 1000) / 1000
            if whole > 0:
                # A script that touches a Sim itself, without the lock, may hold it just now.
                with contextlib.suppress(RuntimeError):
                    self.advance(whole)
                before += whole


_chosen: World | None = None
_real_time: RealTimeWorld | None = None


def real_time() -> RealTimeWorld:
    """Return the world of this process that runs in real time; made when first asked for."""
    global _real_time
    if _real_time is None:
        _real_time = RealTimeWorld()
    return _real_time


def chosen() -> World | None:
    """Return the world that `use` said is to be used whatever servers there are."""
    return _chosen


def use(world: World | None) -> World | None:
    """Have controllers find their vehicles in ``world`` from now on, and return the one before."""
    global _chosen
    before, _chosen = _chosen, world
    return before
