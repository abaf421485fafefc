"""The vehicles of a server in a browser: `PageLink`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from pyrfly.server.budget import Budget
from pyrfly.server.link import Link, steps_at
from pyrfly.server.link_stats import LinkStats
from pyrfly.sim import Sim
from pyrfly.transport import THIS_MACHINE, PortUse
from pyrfly.transport.ports import PAGE_PORT

__all__ = ["PageLink"]

NOTES = 1.0
"""Real time between two reports of health and links [s]."""

RATE = 50.0
"""How often it is asked whether a page can have another frame [Hz]."""


class PageLink(Link):
    """Shows all vehicles in a page, which can pause the server and step it by a tick.

    The page is served by a process of its own, so that the server does not wait for it.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    port : int
        TCP port.
    host : str
        Address to listen on.
    first_id : int
        CopterID of the first vehicle.
    allow : sequence of str
        Who may connect besides this machine.
    rate : float, optional
        Simulated seconds per real second that the page shows.

    Attributes
    ----------
    links : sequence of Link
        Those whose counts, and whose uploaded missions, the page shows; can be set.

    Raises
    ------
    MissingExtraError
        Without ``pip install 'pyrfly[view]'``.
    PortError
        The port is not free.
    """

    name = "page"

    def __init__(
        self,
        sim: Sim,
        port: int = PAGE_PORT,
        host: str = THIS_MACHINE,
        first_id: int = 1,
        allow: Sequence[str] = (),
        rate: float | None = None,
    ) -> None:
        from pyrfly.server.uploaded_lines import UploadedLines  # what few servers need
        from pyrfly.view.screen import Screen

        self.stats = LinkStats(sim.n, first_id)
        self._sim, self._steps = sim, steps_at(RATE, sim.dt)
        self.links: Sequence[Link] = ()
        self._next_notes = 0.0
        self._uploads = UploadedLines()
        self._screen = Screen(
            sim,
            pace=rate,
            open=False,
            port=port,
            host=host,
            allow=allow,
            commands=("pause", "step"),
            first_id=first_id,
        )

    @property
    def url(self) -> str:
        """Address of the page."""
        return self._screen.url

    def port_uses(self) -> list[PortUse]:
        """See `Link.port_uses`."""
        return [PortUse("page", urlsplit(self.url).port or 0, listens=True)]

    def where(self) -> list[str]:
        """See `Link.where`."""
        return [f"{self.name}: {self.url}"]

    def take(self, budget: Budget) -> None:
        """See `Link.take`: what pages have asked for."""
        self.pauses = self._screen.paused and not self._screen.take_step()

    def due(self, step: int) -> int:
        """See `Link.due`."""
        return step + self._steps - step % self._steps

    def give(self, step: int) -> None:
        """See `Link.give`."""
        if self._screen.due or self._screen.paused:
            self._screen.show()
        if (now := time.monotonic()) >= self._next_notes:
            self._next_notes = now + NOTES
            self._screen.tell(self._notes())
            if (lines := self._uploads.news(self.links)) is not None:
                self._screen.draw(lines)

    def _notes(self) -> list[str]:
        """Return what a page tells besides: the health of the vehicles, counts of the links."""
        counts = [f"{link.name}: {link.stats}" for link in self.links if link is not self]
        return [*self._sim.check().text.splitlines(), *counts]

    def close(self) -> None:
        """See `Link.close`."""
        self._screen.close()
