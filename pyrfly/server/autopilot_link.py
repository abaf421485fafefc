"""Links whose programs fly the vehicles, one each: `AutopilotLink`."""

from __future__ import annotations

import selectors
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from pyrfly.server.actuators import Actuators
from pyrfly.server.link import Link
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.starts import Starts
from pyrfly.sim import Sim
from pyrfly.sim.copter_data import SimulationMode

__all__ = ["AutopilotLink"]

A = TypeVar("A")


class AutopilotLink(Link, Generic[A]):
    """A link on which vehicles have autopilots ``A``, which command their actuators.

    Parameters
    ----------
    sim : Sim
        The vehicles, which get the synthesis columns.
    clock : callable
        As ``time.monotonic``.
    first_id : int
        CopterID of the first vehicle.
    starts : Starts, optional
        Where vehicles are put back to; by default where they are now.

    Attributes
    ----------
    simulation_mode : SimulationMode
        What models are told of where the autopilots are.
    """

    simulation_mode = SimulationMode.SITL

    _actuators: Actuators

    def __init__(
        self, sim: Sim, clock: Callable[[], float], first_id: int, starts: Starts | None
    ) -> None:
        sim.enable_synthesis()
        self.stats = LinkStats(sim.n, first_id)
        self._sim, self._first_id, self._clock = sim, first_id, clock
        self._starts = starts or Starts(sim)
        self._autopilots: dict[int, A] = {}
        self._flown: set[int] = set()
        self._selector = selectors.DefaultSelector()

    @property
    def connected(self) -> list[int]:
        """CopterIDs of the vehicles that have an autopilot."""
        return [row + self._first_id for row in self.rows]

    @property
    def rows(self) -> list[int]:
        """Rows of these vehicles, sorted."""
        found = self._autopilots.items()
        return sorted(row for row, autopilot in found if self._is_there(autopilot))

    def fileno(self) -> int | None:
        """See `Link.fileno`."""
        find = getattr(self._selector, "fileno", None)
        return None if find is None else int(find())

    def is_ready(self) -> bool:
        """See `Link.is_ready`: whether no autopilot is waited for."""
        return all(map(self._may_go_on, self._autopilots.values()))

    def prepare(self) -> None:
        """See `Link.prepare`."""
        self.stats.add(Count.REFUSED, self._actuators.write())

    def _is_there(self, autopilot: A) -> bool:
        return True

    def _may_go_on(self, autopilot: A) -> bool:
        """Return whether an autopilot is not waited for."""
        return True

    def _take_over(self, row: int) -> None:
        """Give a vehicle to an autopilot; it goes back to its start if it has had one."""
        if row in self._flown:
            self._starts.restart(np.array([row + 1]))
        self._flown.add(row)
        self._actuators.take_over(row)

    def _lapse(self, row: int) -> None:
        """Disarm a vehicle whose autopilot says nothing any more."""
        self._actuators.release(row)
        self.stats.add(Count.LAPSED, row)
