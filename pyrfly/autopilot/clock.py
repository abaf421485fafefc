"""Simulated time of vehicles that are reset meanwhile: `Clock`."""

from __future__ import annotations

from pyrfly.sim import Sim

__all__ = ["Clock"]


class Clock:
    """Time of a `Sim` that never decreases.

    Time-outs and rates of messages need it: `Sim.reset` of all vehicles sets the time of the `Sim`
    to 0.

    Parameters
    ----------
    sim : Sim
        The simulation.

    Attributes
    ----------
    resets : int
        Number of times that `now` found the time of the `Sim` set back.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> clock = Clock(sim)
    >>> sim.step(1000)
    >>> before = clock.now
    >>> sim.reset()
    >>> sim.step(500)
    >>> before, clock.now, clock.resets
    (1.0, 1.5, 1)
    """

    def __init__(self, sim: Sim) -> None:
        self._sim = sim
        self._last = sim.time
        self._before = 0.0  # duration of the runs that resets ended
        self.resets = 0

    @property
    def now(self) -> float:
        """The time [s]."""
        time = self._sim.time
        if time < self._last:
            self._before += self._last
            self.resets += 1
        self._last = time
        return self._before + time
