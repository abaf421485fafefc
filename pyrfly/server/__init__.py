"""A headless server that speaks RflySim's protocols for the vehicles of a `pyrfly.Sim`.

One thread serves all vehicles. In the order of a tick: `pyrfly.transport` has the sockets, `inbox`
keeps what arrives, which `decode` (with `command_packets` and `input_packets`) turns into `orders`,
until `server` executes them in `turns`; `streams` ends set-points that are no longer sent;
`outputs` packs what is sent, and `measurements` has when what clients requested is due; `pacing`
holds the rate, `link_stats` counts, and `notices` reports what is dropped first. `heartbeat` lets
clients find the vehicles. A further link is a module of `pyrfly.transport` with the functions of
``fleet.py``: ``receive`` what has arrived, ``overflows`` that were lost, ``send`` a message of each
vehicle or of some, ``close``.
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
