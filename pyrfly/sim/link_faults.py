"""What faults of links let through: `LinkFaults`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.bits import FaultyLink
from pyrfly.sim.simulation import Sim

__all__ = ["Fate", "LinkFaults"]

T = TypeVar("T")

_MOST = 1000
"""Packets that are on their way over a link of a vehicle; more get lost."""


class Fate(Enum):
    """What becomes of a packet."""

    PASSES = 0
    LATE = 1
    LOST = 2


class LinkFaults(Generic[T]):
    """Loses and delays packets over links of vehicles, as their faults at present say.

    Each who receives from a link, or sends over it, asks for what becomes of its packets. Whether
    the n-th packet of a vehicle and link gets lost, of those while a share of them does, follows
    from the seed of the vehicle, and begins anew when the simulation does.

    Parameters
    ----------
    sim : Sim
        The vehicles.

    Examples
    --------
    >>> import pyrfly
    >>> from pyrfly.protocol.bits import FaultyLink
    >>> sim = pyrfly.Sim("x450")
    >>> sim.faults.add("link_delay", link="telemetry", delay=0.1)
    >>> sim.sleep(0.01)
    >>> links = LinkFaults(sim)
    >>> links.send(0, FaultyLink.TELEMETRY, b"late")
    <Fate.LATE: 1>
    >>> sim.sleep(0.1)
    >>> list(links.arrived())
    [(0, b'late')]
    """

    def __init__(self, sim: Sim) -> None:
        self._sim = sim
        self._time = -1.0  # of the last look
        self._act = False
        self._lost = np.zeros(sim.n, np.uint32)
        self._delay = self._share = np.zeros((sim.n, len(FaultyLink)))
        self._late: dict[tuple[int, int], deque[tuple[float, T]]] = {}
        self._random: dict[tuple[int, int], np.random.Generator] = {}

    @property
    def act(self) -> bool:
        """Whether a link of a vehicle has a fault, or something is on its way over one."""
        self._look()
        return self._act or bool(self._late)

    def send(self, row: int, link: FaultyLink, packet: T) -> Fate:
        """Return what becomes of a packet over a link of the vehicle in a row.

        What is late is kept for `arrived`; it does not overtake what was sent before.
        """
        if not self.act:
            return Fate.PASSES
        key = row, int(link).bit_length() - 1
        if self._lost[row] & link or self._draws_loss(key):
            return Fate.LOST
        before, due = self._late.get(key, ()), self._time + float(self._delay[key])
        if due <= self._time and not before:
            return Fate.PASSES
        if len(before) >= _MOST:
            return Fate.LOST
        waiting = self._late.setdefault(key, deque())
        waiting.append((max(due, waiting[-1][0]) if waiting else due, packet))
        return Fate.LATE

    def arrived(self) -> Iterator[tuple[int, T]]:
        """Yield row and packet of what was late and has arrived, in the order of each link."""
        self._look()
        for key in list(self._late):
            waiting = self._late[key]
            while waiting and waiting[0][0] <= self._time + 1e-9:
                yield key[0], waiting.popleft()[1]
            if not waiting:
                del self._late[key]

    def over(self, link: FaultyLink, packets: Iterable[tuple[int, T]]) -> list[tuple[int, T]]:
        """Return what arrives by a link, late packets first, of rows and packets that are sent."""
        found = list(self.arrived())
        found += [(row, p) for row, p in packets if self.send(row, link, p) is Fate.PASSES]
        return found

    def _look(self) -> None:
        """Take over what faults do, once at a time."""
        time, before = self._sim.time, self._time
        if time == before:
            return
        self._time = time
        if time < before:
            self._late.clear()
            self._random.clear()
        self._act = self._sim.faults.enabled and self._read()

    def _read(self) -> bool:
        chosen = self._sim.select()
        self._lost = chosen.read("links_lost")
        self._delay, self._share = chosen.read("link_delay"), chosen.read("packet_loss")
        return any(bool(values.any()) for values in (self._lost, self._delay, self._share))

    def _draws_loss(self, key: tuple[int, int]) -> bool:
        """Return whether the share of packets that get lost takes this one."""
        share = self._share[key]
        if share <= 0:
            return False
        if key not in self._random:
            self._random[key] = np.random.default_rng(self._entropy(*key))
        return bool(self._random[key].random() < share)

    def _entropy(self, row: int, link: int) -> list[int]:
        seed: NDArray[np.uint32] = self._sim.select(row + 1).read("random_seed")
        return [*seed.ravel().tolist(), row + 1, link]
