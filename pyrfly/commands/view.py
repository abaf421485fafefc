"""``pyrfly view``: vehicles in a browser, of a log or flying at once."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from pyrfly.commands.animate import add_camera, log_source
from pyrfly.commands.interruption import ending_at_signals
from pyrfly.commands.logs import add_log, load_log
from pyrfly.commands.tour import Tour
from pyrfly.commands.zoo import Zoo
from pyrfly.errors import Error, import_extra
from pyrfly.files import printable
from pyrfly.log import Log
from pyrfly.mission import read_mission
from pyrfly.options import add_terrain, number, terrain_of, vehicle_counts, whole_number
from pyrfly.scene import read_scene
from pyrfly.transport import OptionError
from pyrfly.transport.ports import MAXIMUM_PORT
from pyrfly.vehicles import load
from pyrfly.view import View, replay
from pyrfly.view.draping import with_lines
from pyrfly.view.missions import mission_lines
from pyrfly.view.packets import PacketSource, Window
from pyrfly.view.running import announced
from pyrfly.view.screen import open_browser, tried_ports
from pyrfly.view.surroundings import ground_of_map, mesh_of_scene
from pyrfly.view.world import World

__all__ = ["add_arguments", "run"]

TAKE = 1 / 60
"""Time between two looks for packets [s]."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly view``."""
    add_log(parser, otherwise="vehicles of all families fly at once")
    _add_page(parser)
    add_camera(parser)
    parser.add_argument(
        "--connect",
        action="store_true",
        help="show the vehicles of RflySim's CopterSim, or of pyrfly sim --display, as a window of "
        "RflySim3D would, on the first free port from 20010",
    )
    parser.add_argument(
        "--vehicles",
        metavar="NAME[:COUNT],...",
        help="parameter sets that fly at once, in place of all families; with --connect those of "
        "the vehicles, in the order of CopterIDs (default: by the vehicleType of their packets)",
    )
    parser.add_argument(
        "--mission",
        type=Path,
        metavar="FILE",
        help="the mission of a log, or of the vehicles of --connect, whose path is drawn, too",
    )
    add_terrain(parser)
    parser.add_argument(
        "--scene",
        type=Path,
        metavar="FILE",
        help="what stands around the vehicles of --connect, which do not tell: a .toml or a mesh; "
        "--terrain: likewise; logs have theirs",
    )
    parser.add_argument(
        "--speed",
        type=number(1e-3, 1e4, "times"),
        default=1.0,
        help="times real time, of what flies at once (default: 1)",
    )


def _add_page(parser: argparse.ArgumentParser) -> None:
    """Define where the page is, and who may see it."""
    parser.add_argument(
        "--port",
        type=whole_number(0, MAXIMUM_PORT),
        metavar="PORT",
        help="TCP port; 0: any (default: the first of 20190 to 20199 that is free)",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on; 0.0.0.0: from other machines too"
    )
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="ADDRESS[/BITS]",
        help="who may connect, besides this machine; may be given more than once",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="open no browser, and only print the address"
    )


def run(options: argparse.Namespace) -> int:
    """Show vehicles until a signal ends it."""
    import_extra("websockets", "view", "pyrfly view")
    _check(options)
    with contextlib.suppress(KeyboardInterrupt), ending_at_signals():
        if options.connect:
            _watch(options)
        elif options.log is None:
            _fly(options)
        else:
            _play(options, load_log(options.log))
    return 0


def _check(options: argparse.Namespace) -> None:
    """Raise an OptionError for options that do not go together."""
    if options.connect and options.log is not None:
        raise OptionError("--connect: expected no log beside it")
    if not options.connect:
        for name in ("terrain", "scene"):
            if getattr(options, name) is not None:
                raise OptionError(f"--{name}: expected --connect: a log has its own")
        if options.vehicles is not None and options.log is not None:
            raise OptionError("--vehicles: expected no log beside it: a log has its own")
        if options.mission is not None and options.log is None:
            raise OptionError("--mission: expected a log, or --connect")


def _announce(options: argparse.Namespace, url: str) -> None:
    print(f"{url}  (Ctrl-C ends)", flush=True)
    if not options.no_browser:
        open_browser(url)


def _fly(options: argparse.Namespace) -> None:
    """Let vehicles of chosen sets fly, or the zoo."""
    counts = _counts(options)
    flown = Zoo() if counts is None else Tour(counts)
    with View(
        flown.sim,
        options.camera,
        pace=options.speed,
        open=False,
        port=options.port,
        host=options.host,
        allow=options.allow,
        title=options.vehicles or "Vehicles of all families",
    ) as view:
        _announce(options, view.url)
        while not view.closed:
            flown.step()


def _play(options: argparse.Namespace, log: Log) -> None:
    """Serve a page with a log."""
    from pyrfly.view.service import Still  # which imports the extra

    source = log_source(log, options.mission)
    try:
        page = replay(source, fps=20.0, camera=options.camera, title=options.log.name)
    except ValueError as error:
        raise Error(f"{printable(options.log)}: {error}") from None

    asyncio.run(_serve(options, Still(page.html)))


async def _serve(options: argparse.Namespace, shown: Any) -> None:
    from pyrfly.view.service import Service

    service = Service(shown, tried_ports(options.port), options.host, options.allow)
    await service.start()
    with announced(service.url):
        _announce(options, service.url)
        while True:
            if isinstance(shown, Window):
                shown.take()
            await asyncio.sleep(TAKE)


def _watch(options: argparse.Namespace) -> None:
    """Show vehicles of other programs."""
    counts = _counts(options)
    for name in counts or ():
        load(name)  # raises where there is none
    around = _surroundings(options)
    with closing(PacketSource(counts, options.host, options.allow, surroundings=around)) as source:
        print(
            f"listens on port {source.port} as a window of RflySim3D; vehicles appear with their "
            "first packets"
        )
        asyncio.run(_serve(options, Window(source)))


def _counts(options: argparse.Namespace) -> dict[str, int] | None:
    """Return the vehicles of --vehicles."""
    return None if options.vehicles is None else vehicle_counts(options.vehicles)


def _surroundings(options: argparse.Namespace) -> World:
    """Return what is drawn besides vehicles of other programs."""
    terrain = terrain_of(options)
    scene = None if options.scene is None else read_scene(options.scene)
    mission = None if options.mission is None else read_mission(options.mission)
    around = World(
        (),
        None if terrain is None else ground_of_map(terrain),
        None if scene is None else mesh_of_scene(scene),
    )
    return around if mission is None else with_lines(around, mission_lines(mission, np.zeros(3)))
