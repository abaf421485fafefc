"""``pyrfly sim``: a headless server from the command line."""

from __future__ import annotations

import argparse
import math
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import shown
from pyrfly.server.outputs import OUTPUTS
from pyrfly.server.pacing import rate_of
from pyrfly.server.server import Server
from pyrfly.sim import Sim
from pyrfly.transport import FIRST_PORT, MAXIMUM_FLEET, OptionError

__all__ = ["add_arguments", "grid", "run", "vehicle_counts"]

ALIASES = {"quad_x": "sdk"}
"""Names of vehicles beside those of the parameter sets."""

_COLUMN = 12  # least width of the table of ports

INTERVAL = 2.0
"""Distance between neighbours at the start [m], as in RflySim's start scripts."""


LONGEST = 1e9
"""Maximum of ``--seconds``, some thirty years [s]."""


def vehicle_counts(text: str) -> dict[str, int]:
    """Return the numbers of vehicles by parameter set from ``NAME[:COUNT][,NAME[:COUNT]]...``.

    Raises
    ------
    OptionError
        When the text has another form, a set occurs twice, or there are too many vehicles.
    """
    counts: dict[str, int] = {}
    for part in text.split(","):
        name, colon, number = part.strip().partition(":")
        short = number.isascii() and number.isdigit() and len(number) <= 9
        count = int(number) if short else 0
        if not name or (colon and count < 1):
            raise OptionError(
                f"vehicles: expected NAME or NAME:COUNT, COUNT at least 1, got {shown(part)}"
            )
        name = ALIASES.get(name, name)
        if name in counts:
            raise OptionError(f"vehicles: expected each set once, got {name!r} twice")
        counts[name] = count if colon else 1
    if sum(counts.values()) > MAXIMUM_FLEET:
        raise OptionError(
            f"vehicles: expected at most {MAXIMUM_FLEET} in all, got {sum(counts.values())}"
        )
    return counts


def grid(n: int) -> NDArray[np.float64]:
    """Return positions (n, 3) [m, NED] in the square grid of RflySim's start scripts."""
    side = math.isqrt(n - 1) + 1
    positions = np.zeros((n, 3))
    positions[:, 0], positions[:, 1] = np.divmod(np.arange(n), side)
    return positions * INTERVAL


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds <= LONGEST:
        raise argparse.ArgumentTypeError(f"expected 0 to {LONGEST:g} seconds, got {shown(text)}")
    return seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly sim``."""
    parser.add_argument(
        "--vehicles",
        default="quad_x",
        metavar="NAME[:COUNT],...",
        help="parameter sets (see pyrfly vehicles) or .toml files, and how many of each",
    )
    parser.add_argument(
        "--mode", choices=tuple(OUTPUTS), default="udp_full", help="messages that are sent"
    )
    parser.add_argument(
        "--rate", default="real", help="real, max, or simulated seconds per real second"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on; 0.0.0.0: from other machines too"
    )
    parser.add_argument(
        "--peer",
        action="append",
        metavar="ADDRESS",
        help="send to this address; may be given more than once (default: 127.0.0.1)",
    )
    parser.add_argument(
        "--first-port",
        type=int,
        default=FIRST_PORT,
        metavar="PORT",
        help="port of the first vehicle's commands",
    )
    parser.add_argument(
        "--setpoint-timeout",
        type=float,
        metavar="SECONDS",
        help="simulated time after which set-points of a stream lapse, 0: never (default: 0.5 s)",
    )
    parser.add_argument(
        "--setpoints-arm",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="whether the first set-point of a stream arms a vehicle",
    )
    parser.add_argument("--seconds", type=_seconds, help="stop after this simulated time")


def _print_ports(sim: Sim, server: Server) -> None:
    rows = [["vehicles", "set", "commands", "state", "inputs", "truth"]]
    for group in sim.groups:
        first, last = group.first_id, group.first_id + group.n - 1
        cells = [_span(first, last), group.name]
        for series in ("command", "sil"):
            low, high = server.link.port(series, first - 1), server.link.port(series, last - 1)
            cells += [_span(low, high), _span(low + 1, high + 1)]
        rows.append(cells)
    widths = [max(_COLUMN, *map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        print("  ".join(map(str.ljust, cells, widths)).rstrip())


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


@contextmanager
def _until_signal(server: Server) -> Iterator[None]:
    """End the block at SIGINT, also where a shell had it ignored, and at SIGTERM.

    A running server stops after its tick, so that its counts add up.
    """

    def handle(*_: object) -> None:
        if not server.running:
            raise KeyboardInterrupt
        server.stop()

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run(options: argparse.Namespace) -> int:
    """Serve until a signal, or until the time is up."""
    sim = Sim(vehicle_counts(options.vehicles))
    sim.enable_synthesis()
    sim.reset(pos=grid(sim.n))
    server = Server(
        sim,
        mode=options.mode,
        rate=rate_of(options.rate),
        host=options.host,
        peers=options.peer or ("127.0.0.1",),
        first_port=options.first_port,
        setpoint_timeout=options.setpoint_timeout,
        setpoints_arm=options.setpoints_arm,
    )
    with closing(server), _until_signal(server):
        _print_ports(sim, server)
        noun = "vehicle" if sim.n == 1 else "vehicles"
        print(
            f"serving {sim.n} {noun} on {options.host}, {options.mode}, rate {options.rate}; "
            "Ctrl-C stops",
            flush=True,
        )
        server.run(options.seconds)
    print(f"stopped after {server.time:.2f} s of simulated time")
    if server.late:
        print(f"fell behind the rate {server.late} times")
    print(server.stats)
    return 0
