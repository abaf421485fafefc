"""A headless server that speaks RflySim's protocols for the vehicles of a `pyrfly.Sim`.

One thread serves all vehicles: `server` has the loop, which knows no protocol. A `link` is a way to
connect to it; `links` has one per file, and each is imported from its file. `link_poller` serves
those that cannot wait for the next tick, `pacing` holds the rate, `budget` limits the time for
packets, `link_stats` counts them.

RflySim's UDP modes, in the order of a tick: `pyrfly.transport` has the sockets, `inbox` keeps what
arrives, which `decode` (with `command_packets` and `input_packets`) turns into `orders`, until
`execution` executes them in the order of `request_queue`; `streams` ends set-points that are no
longer sent; `outputs` packs what is sent, at rates of its own or when clients request it;
`notices` reports what is dropped first. `heartbeat` lets clients find the vehicles,
`setting_packets` and `settings` place them; an `input_link` is a link beside these for such
packets.

`scripts` reads RflySim's start scripts and says what their variables mean, `modes` which modes of
the command line are served. It tells by `status` how the server does, waits for no reader with
`text_output`, and ends by `end_signals`.
"""

from __future__ import annotations

from typing import Any

from pyrfly.server.budget import Budget
from pyrfly.server.link import Link, steps_at
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.server import Server
from pyrfly.sim import Sim
from pyrfly.transport import OptionError, PortError

__all__ = [
    "Budget",
    "Count",
    "Link",
    "LinkStats",
    "OptionError",
    "PortError",
    "Server",
    "serve",
    "steps_at",
]


def serve(sim: Sim, **options: Any) -> Server:
    """Return a `Server`, not yet running, for the vehicles of ``sim``; the options are its own."""
    return Server(sim, **options)
