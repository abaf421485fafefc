"""``pyrfly sim``: a headless server from the command line."""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from pyrfly.files import printable
from pyrfly.options import add_terrain, number, numbers, terrain_of, vehicle_counts
from pyrfly.protocol.bits import Sensor
from pyrfly.server.links.configuration import ConfigurationLink
from pyrfly.server.modes import mode_names, served
from pyrfly.server.notices import Notices
from pyrfly.server.pacing import rate_of
from pyrfly.server.script_variables import Variable
from pyrfly.server.server import Server
from pyrfly.server.start_places import starts
from pyrfly.server.start_script import read_start_script, rflysim_name
from pyrfly.server.start_settings import (
    Note,
    StartSettings,
    start_settings,
)
from pyrfly.server.start_values import FARTHEST
from pyrfly.sim import PROFILES, Sim
from pyrfly.sim.interface import names_of
from pyrfly.transport import FleetSockets, OptionError, check_ports, is_loopback
from pyrfly.vehicles import load

__all__ = ["add_arguments", "run"]

_COLUMN = 12  # least width of the table of ports

_HERE = "127.0.0.1"

_OVERRIDING = {
    "DLLModel": "vehicles", "VehicleNum": "vehicles", "ComNum": "vehicles",
    "CLASS_3D_ID": "vehicles", "UE4_MAP": "terrain", "UDPSIMMODE": "mode", "IS_BROADCAST": "peer",
    "UDP_START_PORT": "first_port", "ORIGIN_POS_X": "start", "ORIGIN_POS_Y": "start",
    "ORIGIN_YAW": "yaw", "VEHICLE_INTERVAL": "interval", "PosXX": "start",
}  # fmt: skip
"""Options that go before variables of start scripts, whose notes then say nothing."""

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
        help="parameter sets (see pyrfly vehicles) or .toml files, and how many of each "
        "(default: quad_x)",
    )
    parser.add_argument(
        "--mode",
        type=mode_names,
        action="extend",
        metavar="MODE",
        help="protocol, by name or by RflySim's number: udp_full (the default, 0), udp_simple (1); "
        "..._old: the true state in 200 bytes, for older clients; not available yet: mavlink_full "
        "(2), _simple, _nosend, _nogps, _vision (6)",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly sim``."""
    _add_fleet(parser)
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
        first, last = group.first_id - 1, group.first_id + group.n - 2
        cells = [_span(sockets.first_id + first, sockets.first_id + last), group.name]
        for series in ("command", "sil"):
            low, high = sockets.port(series, first), sockets.port(series, last)
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


def _settings(options: argparse.Namespace) -> StartSettings:
    """Return what the script and the variables of the command line ask for."""
    given: dict[str, str] = {}
    scripts = []
    for argument in options.start_script:
        if match := re.fullmatch(r"([A-Za-z_]\w*)=(.*)", argument, re.DOTALL):
            given[match[1]] = match[2]
        else:
            scripts.append(Path(argument))
    if len(scripts) > 1:
        raise OptionError(f"expected one start script, got {', '.join(map(printable, scripts))}")
    if scripts:
        settings = read_start_script(scripts[0], given)
    else:
        settings = start_settings(
            {rflysim_name(name): Variable(text, 0) for name, text in given.items()}
        )
    if options.start_script:
        settings = _without_far_peers(options, settings)
        _print_settings(options, settings, printable(scripts[0]) if scripts else "")
    return settings


def _without_far_peers(options: argparse.Namespace, settings: StartSettings) -> StartSettings:
    """Return the settings without peers that the address of the server does not reach.

    A script does not open the server to other computers, only the option ``--host`` does.
    """
    far = [peer for peer in settings.peers if not is_loopback(peer)]
    if not far or not is_loopback(options.host):
        return settings
    text = f"{', '.join(far)}: nothing is sent to other computers without --host 0.0.0.0"
    near = tuple(peer for peer in settings.peers if peer not in far)
    return replace(settings, peers=near, notes=(*settings.notes, Note("IS_BROADCAST", text)))


def _print_settings(options: argparse.Namespace, settings: StartSettings, source: str) -> None:
    """Print what was taken from a script, and what it asks for that is not here."""
    last = settings.first_id + settings.count - 1
    north, east = settings.origin
    where = f"{settings.interval:g} m apart from ({north:g}, {east:g}) at {settings.yaw:g} deg"
    if settings.places:
        where = f"{len(settings.places)} places"
    fleet = f"CopterID {_span(settings.first_id, last)}, {settings.vehicle}, {where}"
    print(f"from {source or 'variables'}: {fleet}, {settings.mode.label}")
    for note in settings.notes:
        if getattr(options, _OVERRIDING.get(note.variable, ""), None) is None:
            print(f"  {note}")


def _with_options(options: argparse.Namespace, settings: StartSettings) -> StartSettings:
    """Return the settings with what the options say instead."""
    if options.start is not None or options.interval is not None:
        settings = replace(settings, places=())
    if options.start is not None:
        settings = replace(settings, origin=options.start)
    if options.interval is not None:
        settings = replace(settings, interval=options.interval)
    if options.yaw is not None:
        yaw = options.yaw[0]
        turned = tuple(place._replace(yaw=yaw) for place in settings.places)
        settings = replace(settings, yaw=yaw, places=turned)
    if options.first_port is not None:
        settings = replace(settings, first_port=options.first_port)
    return replace(settings, peers=tuple(options.peer or settings.peers or (_HERE,)))


def _built(options: argparse.Namespace, settings: StartSettings) -> Sim:
    """Return the vehicles at their start."""
    if options.vehicles is not None:
        sim = Sim(vehicle_counts(options.vehicles))
    elif settings.display_class is not None:
        parameters = replace(load(settings.vehicle), uav_type=settings.display_class)
        sim = Sim(parameters, settings.count)
    else:
        sim = Sim(settings.vehicle, settings.count)
    sim.enable_synthesis()
    if options.origin is not None:
        sim.origin = options.origin
    if (terrain := terrain_of(options, options.origin)) is not None:
        sim.environment.set_terrain(terrain)
    if options.sensors != NO_SENSORS:
        _add_sensors(sim, options.sensors)
    pos, yaw = starts(settings, sim.n)
    sim.reset(pos=pos, yaw=yaw)
    return sim


def run(options: argparse.Namespace) -> int:
    """Serve until a signal, or until the time is up."""
    settings = _with_options(options, _settings(options))
    mode = served(options.mode or [settings.mode.label])
    sim = _built(options, settings)
    peers, first_port, first_id = settings.peers, settings.first_port, settings.first_id
    with ExitStack() as opened:
        configuration = ConfigurationLink(sim, options.host, peers, first_port, first_id)
        opened.callback(configuration.close)
        server = Server(
            sim,
            mode=mode,
            rate=rate_of(options.rate),
            host=options.host,
            peers=peers,
            first_port=first_port,
            setpoint_timeout=options.setpoint_timeout,
            setpoints_arm=options.setpoints_arm,
            first_id=first_id,
            links=[configuration],
        )
        opened.callback(server.close)
        assert server.rflysim is not None
        configuration.join(server.rflysim)
        notices = Notices(sys.stderr, first_id)
        server.rflysim.inbox.notices = configuration.inbox.notices = notices
        opened.enter_context(_until_signal(server))
        _print_ports(sim, server.rflysim.sockets)
        peers_here = server.rflysim.sockets.peers_here
        for notice in check_ports(server.rflysim.port_uses(), peers_here):
            print(f"pyrfly sim: {notice}", file=sys.stderr)
        noun = "vehicle" if sim.n == 1 else "vehicles"
        print(
            f"serving {sim.n} {noun} on {options.host}, {mode}, rate {options.rate}; Ctrl-C stops",
            flush=True,
        )
        server.run(options.seconds)
    print(f"stopped after {server.time:.2f} s of simulated time")
    if server.late:
        print(f"fell behind the rate {server.late} times")
    print(server.stats)
    return 0
