"""What a `Server` needs of a way to connect to its vehicles: `Link`, `steps_at`."""

from __future__ import annotations

from pyrfly.server.budget import Budget
from pyrfly.server.link_stats import LinkStats
from pyrfly.server.models import Models
from pyrfly.sim.arguments import checked_rate
from pyrfly.transport import PortUse, span

__all__ = ["NEVER", "Link", "steps_at"]

NEVER = 2**62
"""A step that does not come."""


class Link:
    """A way to connect to the vehicles of a `Server`; `pyrfly.server.links` has one per file.

    A link opens its sockets when it is made, and the server closes it. In each tick the server
    calls `take` once, then until the end of the tick `give` at every step that is `due`, and
    `flush` at last. Before each of these parts of a tick it waits until all links are `is_ready`,
    and calls `prepare`. While it waits, for that or for its rate, it calls `serve` whenever
    `fileno` can be read.

    All but `flush` are called by one thread that holds the lock of the server. A link overrides the
    methods that it needs; ``docs/adding-a-link.md`` has an example.

    Attributes
    ----------
    name : str
        In reports, such as ``'rflysim'``.
    stats : LinkStats
        Packets of each vehicle.
    pauses : bool
        Whether simulated time is to stand.
    """

    name: str
    stats: LinkStats
    pauses = False

    def port_uses(self) -> list[PortUse]:
        """Return what the ports of the link are for."""
        return []

    def where(self) -> list[str]:
        """Return where other programs find the link, a line for each series of ports."""
        return [
            f"{self.name} {use.name}: {'listens on' if use.listens else 'sends to'} "
            f"{span('port', use.ports)}"
            for use in self.port_uses()
        ]

    def join_models(self, models: Models) -> None:
        """Take what joins models with autopilots, before the server begins."""

    def take(self, budget: Budget) -> None:
        """Read what has arrived and do what it requests, as long as there is time for it."""

    def prepare(self) -> None:
        """Do what comes right before the vehicles are stepped, when all links are ready."""

    def due(self, step: int) -> int:
        """Return the next step after ``step`` at which there is something to `give`."""
        return NEVER

    def give(self, step: int) -> None:
        """Pack what is due at a step; send it where an answer to it is waited for."""

    def flush(self) -> None:
        """Send what was packed."""

    def fileno(self) -> int | None:
        """Return the file that can be read when `serve` has something to do; None: there is none.

        It is the same as long as the link is open.
        """
        return None

    def serve(self) -> None:
        """Do what cannot wait for the next tick, without waiting."""

    def is_ready(self) -> bool:
        """Return whether the simulation may go on; False while an answer is missing."""
        return True

    def close(self) -> None:
        """Close the sockets; further calls have no effect."""


def steps_at(rate: float, dt: float) -> int:
    """Return the whole number of steps of ``dt`` [s] between two messages at a rate [Hz].

    Raises
    ------
    ValueError
        The rate is below 0.001 Hz.

    Examples
    --------
    >>> steps_at(50.0, 0.001)
    20
    """
    return max(1, round(1 / (checked_rate("rate", rate) * dt)))
