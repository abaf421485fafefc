"""``pyrfly px4``: PX4 SITL processes, with their simulator or for one that runs elsewhere."""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from pyrfly.commands.interruption import Interruption
from pyrfly.commands.processes import Process, Processes
from pyrfly.commands.px4_build import Px4Build, find_build
from pyrfly.ctrl.grid import INTERVAL, grid
from pyrfly.files import printable
from pyrfly.options import (
    add_events,
    add_px4_channels,
    add_terrain,
    enter_event_file,
    number,
    terrain_of,
    triple,
    vehicle_counts,
    whole_number,
    with_channels,
)
from pyrfly.server.arguments import add_start
from pyrfly.server.autopilot_ports import AutopilotPorts
from pyrfly.server.hil import enable_sensors
from pyrfly.server.link import Link
from pyrfly.server.link_options import px4_texts
from pyrfly.server.links.px4 import FIRST_PORT, Px4Link
from pyrfly.server.links.px4_texts import Px4TextLink
from pyrfly.server.relay import Relay, client_series
from pyrfly.server.server import Server
from pyrfly.sim import PROFILES, Sim
from pyrfly.transport import THIS_MACHINE, OptionError

__all__ = ["add_arguments", "run"]

MAXIMUM_INSTANCES = 250
"""Instances have the systems 1 to 250 of MAVLink, and ports of their own up to there."""

_WORLD = (
    *("origin", "start", "yaw", "interval", "terrain", "terrain_spacing"),
    *("terrain_picture",),
    *("sensors", "wind", "events", "px4_channels"),
)
"""Options that need --vehicles."""

_LOOK = 0.2
"""Time between two looks at the processes [s]."""

_ONBOARD, _ONBOARD_LAST, _FROM_ONBOARD = 14540, 14549, 14580
_FOREIGN = re.compile(r"(gz|sihsim|jmavsim|jsbsim|flightgear|xplane)_")
"""Airframes that start another simulator [@px4 v1.16.1 init.d-posix]."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly px4``."""
    parser.add_argument(
        "--px4-dir",
        type=Path,
        required=True,
        metavar="BUILD",
        help="PX4's sources, or the folder that it was built in, such as build/px4_sitl_default",
    )
    parser.add_argument(
        "--vehicles",
        metavar="NAME[:COUNT],...",
        help="also simulate these vehicles, one PX4 for each (see pyrfly vehicles); by default "
        "only PX4 is started, for a simulator that runs elsewhere",
    )
    _add_world(parser)
    parser.add_argument(
        "--count",
        type=whole_number(1, MAXIMUM_INSTANCES),
        metavar="N",
        help="how many PX4s (default: 1, or one for each of --vehicles)",
    )
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="airframe by name or number (default: none_iris, before 1.14 iris)",
    )
    parser.add_argument(
        "--instance",
        type=whole_number(0, MAXIMUM_INSTANCES - 1),
        default=0,
        metavar="FIRST",
        help="number of the first instance i, which connects to TCP port 4560 + i (default: 0)",
    )
    parser.add_argument(
        "--speed",
        type=number(0.1, 100, "times real time"),
        metavar="F",
        help="simulated seconds per real second, by which PX4 prolongs its timeouts (default: 1)",
    )
    _add_more(parser)


def _add_world(parser: argparse.ArgumentParser) -> None:
    """Define the options of what is simulated, `_WORLD`."""
    add_start(parser)
    add_terrain(parser)
    parser.add_argument(
        "--sensors", choices=PROFILES, help="noise of the sensors (default: px4_sih)"
    )
    parser.add_argument("--wind", type=triple, metavar="N,E,D", help="wind velocity [m/s]")
    add_events(parser)
    add_px4_channels(parser)


def _add_more(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--relay",
        action="store_true",
        help="with --vehicles: pass PX4's link for SDKs on to RflySim's ports 20100 and 20101; "
        "port 14540 is then taken",
    )
    parser.add_argument(
        "--sim-host",
        metavar="NAME",
        help="computer that the simulator runs on, if it is not this one",
    )
    parser.add_argument(
        "--param",
        type=_parameter,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter at the start; may be given more than once; PX4 1.14 and later",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("px4-sitl"),
        metavar="DIR",
        help="folder for the parameters, logs and output of the instances (default: px4-sitl)",
    )
    parser.add_argument(
        "extra", nargs="*", metavar="-- ARGUMENT", help="further arguments of each PX4"
    )


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (re.fullmatch(r"[A-Z][A-Z0-9_]{0,15}", name) and equals and value):
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE of a parameter, got {text!r}")
    return name, value


@dataclass(frozen=True)
class _Fleet:
    """What is started.

    Attributes
    ----------
    airframe : str
        Its name in this version.
    variables : dict of str to str
        Environment of each PX4.
    """

    build: Px4Build
    airframe: str
    variables: dict[str, str]
    instances: range
    out: Path
    extra: list[str]


def _fleet(options: argparse.Namespace) -> _Fleet:
    """Return what the options ask for."""
    build = find_build(options.px4_dir)
    airframe = build.airframe(options.model)
    count = options.count or 1
    if options.vehicles is None and options.relay:
        raise OptionError("relay: expected --vehicles, whose server passes messages on")
    for name in _WORLD:
        if options.vehicles is None and getattr(options, name) is not None:
            raise OptionError(f"{name}: expected --vehicles, which are simulated here")
    if options.vehicles is not None:
        count = sum(vehicle_counts(options.vehicles).values())
        _check_simulated(options, airframe, count)
    if options.instance + count > MAXIMUM_INSTANCES:
        raise OptionError(
            f"instance: expected 0 to {MAXIMUM_INSTANCES - count} for {count} vehicles, "
            f"got {options.instance}"
        )
    variables = {name: value for name, value in os.environ.items() if name != "PX4_SYS_AUTOSTART"}
    variables |= build.environment(airframe, dict(options.param))
    if options.speed is not None:
        variables["PX4_SIM_SPEED_FACTOR"] = f"{options.speed:g}"
    if options.sim_host is not None:
        variables["PX4_SIM_HOSTNAME"] = options.sim_host
    instances = range(options.instance, options.instance + count)
    return _Fleet(build, airframe, variables, instances, options.out.resolve(), options.extra)


def _check_simulated(options: argparse.Namespace, airframe: str, count: int) -> None:
    """Raise where PX4 and the vehicles that are simulated here do not fit together."""
    if options.count not in (None, count):
        raise OptionError(f"count: expected {count}, one for each vehicle, got {options.count}")
    if count > MAXIMUM_INSTANCES:
        raise OptionError(f"vehicles: expected at most {MAXIMUM_INSTANCES}, got {count}")
    if options.sim_host is not None:
        raise OptionError("sim-host: --vehicles are simulated on this computer")
    if _FOREIGN.match(airframe):
        raise OptionError(f"model: {airframe} starts a simulator of its own, without --vehicles")


def _server(options: argparse.Namespace, fleet: _Fleet) -> Server:
    """Return the simulation that the autopilots fly in."""
    first = fleet.instances.start
    sim = _simulation(options, first + 1)
    px4 = Px4Link(
        sim, first_port=FIRST_PORT + first, version=fleet.build.version, first_id=first + 1
    )
    links: list[Link] = [px4]
    try:
        links += px4_texts(sim, THIS_MACHINE, first, first + 1)
        if options.relay:
            links.append(_relay(sim, first))
        rate = options.speed if options.speed is not None else "real"
        return Server(sim, mode=None, rate=rate, links=links)
    except BaseException:
        for link in links:
            link.close()
        raise


def _simulation(options: argparse.Namespace, first_id: int) -> Sim:
    """Return the vehicles at their start."""
    sim = Sim(with_channels(vehicle_counts(options.vehicles), options.px4_channels))
    if options.origin is not None:
        sim.origin = options.origin
    if (terrain := terrain_of(options, options.origin)) is not None:
        sim.environment.set_terrain(terrain)
    if options.sensors is not None:
        enable_sensors(sim, options.sensors)
    interval = INTERVAL if options.interval is None else options.interval
    places = grid(sim.n, interval, options.start or (0.0, 0.0))[:, :2]
    (heading,) = options.yaw or (0.0,)
    sim.reset(pos=places, yaw=math.radians(heading))
    if options.wind is not None:
        sim.select().write("wind", options.wind)
    enter_event_file(options, sim, first_id)
    return sim


def _relay(sim: Sim, first: int) -> Relay:
    """Return a relay of PX4's links for SDKs to the ports of RflySim's clients."""
    port = min(_ONBOARD + first, _ONBOARD_LAST)
    autopilots = AutopilotPorts(sim.n, port, _FROM_ONBOARD + first, _ONBOARD_LAST)
    rflysim = client_series(first + 1)[-1:]
    return Relay(sim, rflysim, autopilots, first_id=first + 1)


def run(options: argparse.Namespace) -> int:
    """Start PX4s and wait until they have ended, or a signal comes; leave none behind."""
    fleet = _fleet(options)
    with Interruption(raises=False) as interruption, ExitStack() as stack:
        server = None
        if options.vehicles is not None:
            server = stack.enter_context(closing(_server(options, fleet)))
        processes = stack.enter_context(Processes(lambda: interruption.is_urgent))
        for instance in fleet.instances:
            _start(processes, fleet, instance)
        _print(fleet, server)
        said = _texts_of(server, fleet.instances.start + 1)
        if server is not None:
            server.start()
        return _watch(processes, server, said, interruption)


def _start(processes: Processes, fleet: _Fleet, instance: int) -> Process:
    folder = fleet.out / f"instance_{instance}"
    name, arguments = f"PX4 instance {instance}", fleet.build.arguments(instance, fleet.extra)
    return processes.start(name, arguments, folder, fleet.variables, folder / "console.log")


def _watch(
    processes: Processes,
    server: Server | None,
    said: SimpleQueue[str],
    interruption: Interruption,
) -> int:
    """Report what ends, connects and is said; return 1 if a process ended by itself."""
    status = 0
    connected: list[int] = []
    while interruption.signal is None and (server is None or server.running):
        for process in processes.ended():
            status = 1
            print(f"{process.name} ended with status {process.status}; its last lines, of "
                  f"{printable(process.output)}:", file=sys.stderr)  # fmt: skip
            print(*(f"  {line}" for line in process.last_lines()), sep="\n", file=sys.stderr)
        if not processes.running:
            break
        now = _connected(server)
        if now != connected:
            connected = now
            print(f"connected: {', '.join(map(str, now)) or 'none'}", flush=True)
        while not said.empty():
            print(said.get(), flush=True)
        interruption.wait(_LOOK)
    return status


def _connected(server: Server | None) -> list[int]:
    """Return the CopterIDs whose PX4 has found its simulator."""
    if server is None:
        return []
    (link,) = (link for link in server.links if isinstance(link, Px4Link))
    with server.lock:
        return link.connected


def _texts_of(server: Server | None, first_id: int) -> SimpleQueue[str]:
    """Return where the lines of what the PX4s say will be."""
    said: SimpleQueue[str] = SimpleQueue()
    for link in () if server is None else server.links:
        if isinstance(link, Px4TextLink):
            link.texts.tell = lambda row, text: said.put(f"CopterID {first_id + row}: {text}")
    return said


def _print(fleet: _Fleet, server: Server | None) -> None:
    print(f"PX4 {fleet.build.version}, {fleet.airframe}, of {printable(fleet.build.folder)}")
    print(f"{'instance':>8}{'system':>8}{'simulator':>11}{'stations':>18}{'SDKs':>18}  folder")
    for i in fleet.instances:
        station = f"{18570 + i} -> 14550"
        sdk = f"{_FROM_ONBOARD + i} -> {min(_ONBOARD + i, _ONBOARD_LAST)}"
        folder = printable(fleet.out / f"instance_{i}")
        print(f"{i:>8}{i + 1:>8}{f'TCP {FIRST_PORT + i}':>11}{station:>18}{sdk:>18}  {folder}")
    told = "simulated here" if server is not None else "waiting for a simulator"
    print(f"{len(fleet.instances)} started, {told}; Ctrl-C ends them", flush=True)
