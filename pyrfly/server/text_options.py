"""Links that take commands as text: their options of ``pyrfly sim``, and what they open."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from pyrfly.options import whole_number
from pyrfly.server.link import Link
from pyrfly.server.links.tcp import PORT, TcpLink
from pyrfly.server.links.websocket import PORT as WEB_PORT
from pyrfly.server.links.websocket import WebSocketLink
from pyrfly.server.starts import Starts
from pyrfly.sim import Sim
from pyrfly.transport.ports import MAXIMUM_PORT

__all__ = ["add_text_arguments", "text_links"]


def add_text_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of links that take commands as text."""
    parser.add_argument(
        "--tcp",
        type=whole_number(1, MAXIMUM_PORT),
        nargs="?",
        const=PORT,
        metavar="PORT",
        help=f"take RflySim's verbs as lines of JSON on this TCP port, {PORT} by default",
    )
    parser.add_argument(
        "--websocket",
        type=whole_number(1, MAXIMUM_PORT),
        nargs="?",
        const=WEB_PORT,
        metavar="PORT",
        help=f"take them as messages of WebSocket, and show a page, on this port, {WEB_PORT} by "
        "default",
    )


def text_links(
    options: argparse.Namespace,
    sim: Sim,
    host: str,
    first_id: int,
    peers: Sequence[str],
    allow: Sequence[str],
    starts: Starts,
) -> Iterator[Link]:
    """Yield the links that options ask for; the other arguments are those of the links."""
    if options.tcp is not None:
        yield TcpLink(sim, options.tcp, host, first_id, peers, allow, starts)
    if options.websocket is not None:
        yield WebSocketLink(sim, options.websocket, host, first_id, peers, allow, starts)
