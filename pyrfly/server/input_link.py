"""Links whose packets are like those of RflySim's own ports: `InputLink`, `named_row`."""

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

__all__ = ["InputLink", "named_row"]


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


def named_row(data: bytes, at: int, n: int, first_id: int) -> int | None:
    """Return the row of the vehicle that a packet names; None: it is none of these.

    Parameters
    ----------
    data : bytes
        The packet.
    at : int
        Where its CopterID is, an int32 [bytes].
    n : int
        Number of vehicles.
    first_id : int
        CopterID of the first one.

    Examples
    --------
    >>> from pyrfly.server.input_link import named_row
    >>> named_row(bytes([0, 0, 0, 0, 7, 0, 0, 0]), 4, 3, first_id=5)
    2
    """
    row = int.from_bytes(data[at : at + 4], "little", signed=True) - first_id
    return row if 0 <= row < n else None
