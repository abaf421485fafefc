"""``pyrfly sim``: a headless server from the command line."""

from __future__ import annotations

import argparse
import math
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

import numpy as np
from numpy.typing import NDArray

from pyrfly.options import add_terrain, number, numbers, terrain_of, vehicle_counts
from pyrfly.protocol.bits import Sensor
from pyrfly.server.heartbeat import Heartbeat
from pyrfly.server.notices import Notices
from pyrfly.server.outputs import OUTPUTS
from pyrfly.server.pacing import rate_of
from pyrfly.server.server import Server
from pyrfly.sim import PROFILES, Sim
from pyrfly.sim.interface import names_of
from pyrfly.transport import FIRST_PORT, FleetSockets, check_ports

__all__ = ["add_arguments", "grid", "run"]

_COLUMN = 12  # least width of the table of ports

INTERVAL = 2.0
"""Distance between neighbours at the start [m], as in RflySim's start scripts."""

FARTHEST = 1e5
"""Maximum of ``--start`` and ``--interval`` [m]."""

NO_SENSORS = "none"
"""Value of ``--sensors`` without sensors."""

LONGEST = 1e9
"""Maximum of ``--seconds``, some thirty years [s]."""


def grid(
    n: int, interval: float = INTERVAL, first: tuple[float, float] = (0.0, 0.0)
) -> NDArray[np.float64]:
    """Return positions in the square grid of RflySim's start scripts.

    Parameters
    ----------
    n : int
        Number of vehicles.
    interval : float
        Distance between neighbours [m], VEHICLE_INTERVAL.
    first : (float, float)
        North and east of the first vehicle [m], ORIGIN_POS_X and ORIGIN_POS_Y.

    Returns
    -------
    ndarray, shape (n, 3)
        Positions [m, NED]: east fastest, in rows of the square root of ``n``, rounded up.
    """
    side = math.isqrt(n - 1) + 1
    places = np.stack([*np.divmod(np.arange(n), side), np.zeros(n)], axis=-1)
    return interval * places + (*first, 0.0)


def _add_start(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--origin",
        type=numbers("latitude, longitude [deg] and height [m]", (90.0, 180.0, 1e4)),
        metavar="LAT,LON,ALT",
        help="GPS position of the map's origin (default: 40.1540302,116.2593683,50, or that of "
        "a terrain map that has one)",
    )
    parser.add_argument(
        "--start",
        type=numbers("north and east [m]", (FARTHEST, FARTHEST)),
        default=(0.0, 0.0),
        metavar="X,Y",
        help="place of the first vehicle, north and east [m], such as --start=-5,3: ORIGIN_POS_X "
        "and ORIGIN_POS_Y of RflySim's start scripts",
    )
    parser.add_argument(
        "--yaw",
        type=numbers("a heading [deg]", (360.0,)),
        default=(0.0,),
        metavar="DEG",
        help="heading of all vehicles, ORIGIN_YAW",
    )
    parser.add_argument(
        "--interval",
        type=number(0, FARTHEST, "m"),
        default=INTERVAL,
        metavar="M",
        help="distance between neighbours in the square grid, VEHICLE_INTERVAL",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly sim``."""
    parser.add_argument(
        "--vehicles",
        default="quad_x",
        metavar="NAME[:COUNT],...",
        help="parameter sets (see pyrfly vehicles) or .toml files, and how many of each",
    )
    parser.add_argument(
        "--mode",
        choices=tuple(OUTPUTS),
        default="udp_full",
        help="messages that are sent; ..._old: the true state in 200 bytes, for older clients",
    )
    _add_start(parser)
    add_terrain(parser)
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
    parser.add_argument(
        "--sensors",
        choices=(*PROFILES, NO_SENSORS),
        default="rflysim",
        help="noise of the sensors, on the earth as RflySim has it: standard atmosphere, magnetic "
        "field, gravity of the place; none: neither (default: rflysim)",
    )
    parser.add_argument(
        "--seconds", type=number(0, LONGEST, "seconds"), help="stop after this simulated time"
    )


def _add_sensors(sim: Sim, profile: str) -> None:
    """Switch on all sensors, and the earth that RflySim's models measure."""
    sim.environment.enable("atmosphere", "magnetic", "gravity")
    sim.sensors.enable(*names_of(Sensor), profile=profile)


def _print_ports(sim: Sim, sockets: FleetSockets) -> None:
    rows = [["vehicles", "set", "commands", "state", "inputs", "truth"]]
    for group in sim.groups:
        first, last = group.first_id, group.first_id + group.n - 1
        cells = [_span(first, last), group.name]
        for series in ("command", "sil"):
            low, high = sockets.port(series, first - 1), sockets.port(series, last - 1)
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
    if options.origin is not None:
        sim.origin = options.origin
    if (terrain := terrain_of(options, options.origin)) is not None:
        sim.environment.set_terrain(terrain)
    if options.sensors != NO_SENSORS:
        _add_sensors(sim, options.sensors)
    start = grid(sim.n, options.interval, options.start)
    sim.reset(pos=start[:, :2], yaw=math.radians(options.yaw[0]))
    peers = options.peer or ("127.0.0.1",)
    server = Server(
        sim,
        mode=options.mode,
        rate=rate_of(options.rate),
        host=options.host,
        peers=peers,
        first_port=options.first_port,
        setpoint_timeout=options.setpoint_timeout,
        setpoints_arm=options.setpoints_arm,
    )
    assert server.rflysim is not None
    server.rflysim.inbox.notices = Notices(sys.stderr)
    with (
        closing(server),
        closing(Heartbeat(sim.n, peers, options.host, options.first_port)),
        _until_signal(server),
    ):
        _print_ports(sim, server.rflysim.sockets)
        peers_here = server.rflysim.sockets.peers_here
        for notice in check_ports(server.rflysim.port_uses(), peers_here):
            print(f"pyrfly sim: {notice}", file=sys.stderr)
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
