"""Links whose packets are like those of RflySim's own ports: `InputLink`."""

from __future__ import annotations

import math
from collections.abc import Callable

from pyrfly.server.execution import Executor
from pyrfly.server.inbox import Inbox
from pyrfly.server.link import Link
from pyrfly.server.link_stats import LinkStats
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.server.orders import Action
from pyrfly.server.starts import Starts
from pyrfly.sim import Sim

__all__ = ["InputLink"]


class InputLink(Link):
    """A link for inputs and settings of vehicles, beside that of RflySim's modes.

    Parameters
    ----------
    sim : Sim
        The vehicles; gets the synthesis columns if it has none yet.
    first_id : int
        CopterID of the first vehicle.
    starts : Starts, optional
        Where vehicles are put back to; by default where they are now.

    Attributes
    ----------
    inbox : Inbox
        What was received and is not executed yet; reports dropped packets.
    act : callable
        Executes what packets request.
    """

    def __init__(self, sim: Sim, first_id: int, starts: Starts | None = None) -> None:
        sim.enable_synthesis()
        self.stats = LinkStats(sim.n, first_id)
        self.inbox = Inbox(self.stats, sim.n, first_id)
        executor = Executor(sim, self.stats, math.inf, setpoints_arm=False, starts=starts)
        self.act: Callable[[Action], None] = executor.act

    def join(self, link: RflySimLink) -> None:
        """Let the link of RflySim's modes execute what packets request.

        Its streams of set-points then know of it, and its clients are told what they are to know.
        """
        self.act = link.act
