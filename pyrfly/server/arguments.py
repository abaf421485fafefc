"""The options of ``pyrfly sim``: `add_arguments`."""

from __future__ import annotations

import argparse
from pathlib import Path

from pyrfly.options import add_terrain, number, numbers
from pyrfly.server.link_options import add_link_arguments
from pyrfly.server.modes import mode_names
from pyrfly.server.server import TICK
from pyrfly.server.start_values import FARTHEST
from pyrfly.sim import PROFILES

__all__ = ["NO_SENSORS", "add_arguments"]

NO_SENSORS = "none"
"""Value of ``--sensors`` without sensors."""

LONGEST = 1e9
"""Maximum of ``--seconds``, some thirty years [s]."""


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
        metavar="X,Y",
        help="place of the first vehicle, north and east [m], such as --start=-5,3: ORIGIN_POS_X "
        "and ORIGIN_POS_Y of RflySim's start scripts",
    )
    parser.add_argument(
        "--yaw",
        type=numbers("a heading [deg]", (360.0,)),
        metavar="DEG",
        help="heading of all vehicles, ORIGIN_YAW",
    )
    parser.add_argument(
        "--interval",
        type=number(0, FARTHEST, "m"),
        metavar="M",
        help="distance between neighbours in the square grid, VEHICLE_INTERVAL (default: 2)",
    )


def _add_fleet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "start_script",
        nargs="*",
        metavar="SCRIPT | NAME=VALUE",
        help="start script of RflySim whose fleet is started, such as SITLRun.bat, and variables "
        "of start scripts, such as TOTOAL_COPTER=4; they go before those of the script, and the "
        "options before both",
    )
    parser.add_argument(
        "--vehicles",
        metavar="NAME[:COUNT],...",
        help="parameter sets (see pyrfly vehicles), .toml or .sdf files, and how many of each "
        "(default: quad_x)",
    )
    parser.add_argument(
        "--mode",
        type=mode_names,
        action="extend",
        metavar="MODE",
        help="protocol, by name or by RflySim's number: udp_full (the default, 0), udp_simple (1); "
        "..._old: the true state in 200 bytes, for older clients; mavlink_full (2), _simple, "
        "_nosend, _nogps, _vision (6): the vehicles answer as PX4, also as with --mavlink",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly sim``."""
    _add_fleet(parser)
    _add_start(parser)
    add_terrain(parser)
    parser.add_argument(
        "--sensors",
        choices=(*PROFILES, NO_SENSORS),
        help="noise of the sensors, on the earth as RflySim has it: standard atmosphere, magnetic "
        "field, gravity of the place; none: neither (default: rflysim; with an autopilot px4_sih)",
    )
    parser.add_argument(
        "--events",
        type=Path,
        metavar="FILE",
        help="changes of columns at simulated times: a .toml file of tables [[events]] with the "
        "arguments of Sim.at, such as time = 5, wind = [8, 0, 0]",
    )
    _add_network(parser)
    add_link_arguments(parser)
    _add_pace(parser)


def _add_network(parser: argparse.ArgumentParser) -> None:
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
        metavar="PORT",
        help="port of the first vehicle's commands, that of CopterID 1 with a start script "
        "(default: 20100)",
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


def _add_pace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rate", default="real", help="real, max, or simulated seconds per real second"
    )
    parser.add_argument(
        "--tick",
        type=number(1e-4, 1, "s"),
        default=TICK,
        metavar="SECONDS",
        help="simulated time between two receptions of packets (default: 0.01)",
    )
    parser.add_argument(
        "--json-status",
        action="store_true",
        help="write the state of the server as JSON, a line a second; everything else goes to the "
        "standard error",
    )
    parser.add_argument(
        "--status-of", type=int, metavar="ID", help="tell the counts of this CopterID, too"
    )
    parser.add_argument(
        "--seconds", type=number(0, LONGEST, "seconds"), help="stop after this simulated time"
    )
