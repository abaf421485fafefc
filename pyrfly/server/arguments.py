"""The options of ``pyrfly sim``: `add_arguments`; those that depend on others: `check_options`."""

from __future__ import annotations

import argparse
from pathlib import Path

from pyrfly.options import (
    add_battery,
    add_boundaries,
    add_estimator,
    add_events,
    add_params,
    add_payload,
    add_scene,
    add_terrain,
    add_until,
    number,
    numbers,
    origin,
)
from pyrfly.protocol.timeouts import TIMEOUTS
from pyrfly.server.fleet import add_libraries
from pyrfly.server.link_options import add_link_arguments
from pyrfly.server.modes import mode_names
from pyrfly.server.scripts.values import FARTHEST
from pyrfly.server.server import TICK
from pyrfly.server.timeouts import timeout_pair
from pyrfly.sim import PROFILES
from pyrfly.transport import OptionError

__all__ = ["NO_SENSORS", "add_arguments", "add_start", "check_copter_ids", "check_options"]

NO_SENSORS = "none"
"""Value of ``--sensors`` without sensors."""

LONGEST = 1e9
"""Maximum of ``--seconds``, some thirty years [s]."""

_NEEDED = {
    "ardupilot_frame": ("ardupilot",),
    "display_rate": ("display",),
    "display_reports": ("display",),
    "flightgear_vehicle": ("flightgear",),
    "lockstep": ("px4",),
    "px4_faults": ("px4",),
    "px4_version": ("px4", "px4_serial", "px4_net"),
    "px4_channels": ("px4", "px4_serial", "px4_net"),
}
"""Options that have an effect with another one alone, with one of those."""

_MAVLINK_AUTOPILOTS = ("px4", "px4_serial", "px4_net", "ardupilot")
"""Options of autopilots outside that ground stations speak to."""

_ANSWERING = "--mavlink or a MAVLink mode in which the vehicles answer themselves"
"""What options of vehicles that answer over MAVLink need."""


def add_start(parser: argparse.ArgumentParser) -> None:
    """Define the options of where vehicles start."""
    parser.add_argument(
        "--origin",
        type=origin,
        metavar="LAT,LON,ALT",
        help="GPS position of the map's origin; zurich: that of PX4's simulations (default: "
        "40.1540302,116.2593683,50, or that of a terrain map that has one)",
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
        "--script-links",
        action="store_const",
        const=True,
        help="open the links that SimMode and ComNum of the start script stand for: PX4 SITL from "
        "TCP port 4561 on, PX4 on serial ports, ArduPilot SITL; without it the vehicles' own "
        "controllers fly them",
    )
    parser.add_argument(
        "--vehicles",
        metavar="NAME[:COUNT],...",
        help="parameter sets (see pyrfly vehicles), .toml, .sdf or .urdf files, and how many of "
        "each (default: quad_x)",
    )
    add_libraries(parser)
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
    add_start(parser)
    add_terrain(parser)
    parser.add_argument(
        "--sensors",
        choices=(*PROFILES, NO_SENSORS),
        help="noise of the sensors, on the earth as RflySim has it: standard atmosphere, magnetic "
        "field, gravity of the place; none: neither (default: rflysim; with an autopilot px4_sih)",
    )
    add_estimator(parser, default=False)
    add_events(parser)
    add_boundaries(parser, "ends the program with exit status 3")
    add_until(parser, "the program where each vehicle is there, or has a fault")
    add_battery(parser)
    add_payload(parser)
    add_scene(parser)
    add_params(parser)
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FOLDER",
        help="record the flights in a new folder, for pyrfly plot and export; what ends the "
        "server, a SIGKILL too, costs at most the last 20 s",
    )
    parser.add_argument(
        "--copter-tables",
        type=Path,
        metavar="FOLDER",
        help="write CopterSim<ID>.csv of all vehicles there, for pyrfly plot; by default those are "
        "written that are in the working folder, as CopterSim does",
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
        "--allow",
        action="append",
        default=[],
        metavar="ADDRESS[/BITS]",
        help="who may command, besides this machine; may be given more than once (default: the "
        "peers)",
    )
    parser.add_argument(
        "--first-port",
        type=int,
        metavar="PORT",
        help="port of the first vehicle's commands, that of CopterID 1 with a start script "
        "(default: 20100)",
    )
    parser.add_argument(
        "--timeout",
        action="append",
        default=[],
        type=timeout_pair,
        metavar="NAME=SECONDS",
        help=f"after how long a silence an input ends, of {', '.join(TIMEOUTS)} (docs/safety.md), "
        f"0: never, except {', '.join(n for n, row in TIMEOUTS.items() if row.parameter)}; "
        "may be given for several",
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


def check_options(options: argparse.Namespace, mode: str) -> None:
    """Check options that depend on one another.

    Parameters
    ----------
    options : Namespace
        The options.
    mode : str
        The mode that is served, of an option or of a start script.

    Raises
    ------
    OptionError
        An option has no effect without another one, or two exclude each other.
    """
    for name, needed in _NEEDED.items():
        if getattr(options, name) not in (None, False) and not _given(options, needed):
            raise OptionError(f"{_named(name)}: expected none without {_any_of(needed)}")
    by_mode = mode.startswith("mavlink_")
    _check_mavlink(options, by_mode, mode)
    _check_timeouts(options, _answers(options, by_mode))


def _answers(options: argparse.Namespace, by_mode: bool) -> bool:
    """Return whether the vehicles themselves answer over MAVLink."""
    return options.mavlink is not None or (by_mode and not _given(options, _MAVLINK_AUTOPILOTS))


def _check_timeouts(options: argparse.Namespace, answers: bool) -> None:
    """Check that there are the interfaces of the time-outs that are set."""
    there = {
        "setpoints": True,
        "ardupilot": options.ardupilot is not None,
        "serial": options.serial_hil is not None,
    }
    needed = {"ardupilot": "--ardupilot", "serial": "--serial-hil"}
    for name, _ in options.timeout:
        if not there.get(name, answers):
            raise OptionError(
                f"--timeout: {name}: expected none without {needed.get(name, _ANSWERING)}"
            )


def _check_mavlink(options: argparse.Namespace, by_mode: bool, mode: str) -> None:
    """Check that no two systems of MAVLink are one vehicle, and that a key is used."""
    outside = _given(options, _MAVLINK_AUTOPILOTS)
    if outside and options.mavlink is not None:
        raise OptionError(
            f"--mavlink: expected none with {_named(outside[0])}, whose autopilot speaks MAVLink "
            "itself"
        )
    if by_mode and options.ardupilot is not None:
        raise OptionError(
            "--mode: expected udp_full or udp_simple with --ardupilot, whose autopilot speaks "
            f"MAVLink itself, got {mode}"
        )
    if options.mavlink_key is not None and not _answers(options, by_mode):
        raise OptionError(f"--mavlink-key: expected none without {_ANSWERING}")


def check_copter_ids(options: argparse.Namespace, first_id: int, n: int) -> None:
    """Check options that name a vehicle by its CopterID.

    Raises
    ------
    OptionError
        There is no such vehicle.
    """
    last_id = first_id + n - 1
    for name in ("status_of", "flightgear_vehicle"):
        copter_id = getattr(options, name)
        if copter_id is not None and not first_id <= copter_id <= last_id:
            expected = f"CopterID {first_id}" + (f" to {last_id}" if n > 1 else "")
            raise OptionError(f"{_named(name)}: expected {expected}, got {copter_id}")


def _given(options: argparse.Namespace, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if getattr(options, name) is not None]


def _any_of(names: tuple[str, ...]) -> str:
    return " or ".join(map(_named, names))


def _named(name: str) -> str:
    return f"--{name.replace('_', '-')}"
