"""A headless server that speaks RflySim's protocols for the vehicles of a `pyrfly.Sim`.

One thread looks after all vehicles: `Server` runs the loop, `pyrfly.transport` has the sockets,
`pyrfly.server.commands` says what packets ask for, `pyrfly.server.pacing` keeps to real time, and
`pyrfly.server.link_stats` counts. A further link is a module of `pyrfly.transport` with the same
three functions as ``fleet.py``: ``receive`` what has come, ``send`` a message of each vehicle,
``close``.
"""

from __future__ import annotations

from typing import Any

from pyrfly.server.link_stats import LinkStats
from pyrfly.server.server import Server
from pyrfly.sim import Sim
from pyrfly.transport import OptionError, PortError

__all__ = ["LinkStats", "OptionError", "PortError", "Server", "serve"]


def serve(sim: Sim, **options: Any) -> Server:
    """Return a `Server`, not yet running, for the vehicles of ``sim``; the options are its own."""
    return Server(sim, **options)
