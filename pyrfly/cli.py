"""The command line: the program ``pyrfly`` and its commands."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import warnings
from collections.abc import Sequence
from errno import ENOSPC
from pathlib import Path
from textwrap import indent
from typing import Any

from pyrfly import _core, bench
from pyrfly.commands import (
    animate,
    campaign,
    case,
    columns,
    compare,
    completion,
    dash,
    demo,
    export_model,
    fly,
    identify,
    logs,
    mixer,
    model,
    portraits,
    px4,
    view,
)
from pyrfly.errors import Error, ParameterWarning
from pyrfly.log import EXPORTS
from pyrfly.options import Parser, attach_negative, warnings_told
from pyrfly.server import command_line
from pyrfly.server.command_line import MoreLinks, no_more_links
from pyrfly.vehicles import FAMILIES, VehicleParameters, load, names

__all__ = ["main"]

BAD_INPUT = 2
INTERRUPTED = 130  # as shells report the end by SIGINT
NOT_READ = 141  # as shells report the end by SIGPIPE

WELCOME = """\
pyrfly simulates unmanned vehicles.  Three things to try:

  pyrfly demo       shows vehicles of all families in a browser
  pyrfly fly        flies a mission, and writes its log and a plot
  pyrfly sim        serves vehicles to scripts for RflySim, QGroundControl and PX4

pyrfly --help lists all commands, pyrfly COMMAND --help the options of one.
"""


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="pyrfly", description="Simulate unmanned vehicles.")
    parser.add_argument("--version", action="version", version=f"pyrfly {_core.version}")
    commands = parser.add_subparsers(dest="command", metavar="command")
    parser.set_defaults(run=_welcome)

    zoo = commands.add_parser("demo", help="show vehicles of all families on their rounds")
    demo.add_arguments(zoo)
    zoo.set_defaults(run=demo.run)

    flight = commands.add_parser("fly", help="fly a mission; writes a log and a plot")
    fly.add_arguments(flight)
    flight.set_defaults(run=fly.run)

    cases = commands.add_parser("case", help="fly test cases with faults, and say which pass")
    case.add_arguments(cases)
    cases.set_defaults(run=case.run)

    _add_logs(commands)

    runs = commands.add_parser("campaign", help="fly many runs over parameters, seeds, missions")
    campaign.add_arguments(runs)

    serve = commands.add_parser("sim", help="serve vehicles over RflySim's UDP ports")
    command_line.add_arguments(serve)
    serve.set_defaults(run=command_line.run)

    autopilots = commands.add_parser("px4", help="start PX4 SITL, with vehicles or without")
    px4.add_arguments(autopilots)
    autopilots.set_defaults(run=px4.run)

    mixing = commands.add_parser("mixer", help="show what a PX4 mixer file makes of controls")
    mixer.add_arguments(mixing)
    mixing.set_defaults(run=mixer.run)

    measure = commands.add_parser("bench", help="measure speed")
    bench.add_arguments(measure)
    measure.set_defaults(run=bench.run)

    _add_vehicles(commands)
    _add_models(commands)

    functions = commands.add_parser("matlab", help="print the folder of the functions for MATLAB")
    functions.set_defaults(run=_matlab)

    every = commands.add_parser("columns", help="list every column of all vehicles, as Markdown")
    every.set_defaults(run=columns.run)

    shells = commands.add_parser("completion", help="print code with which a shell completes")
    completion.add_arguments(shells)
    shells.set_defaults(run=completion.run)
    return parser


def _welcome(_: argparse.Namespace) -> int:
    print(WELCOME, end="")
    return 0


def _add_logs(commands: Any) -> None:
    """Add the commands for saved logs."""
    picture = commands.add_parser("plot", help="draw a saved log")
    logs.add_plot_arguments(picture)
    picture.set_defaults(run=logs.plot)

    shown = commands.add_parser("view", help="show vehicles in a browser: of a log, or a zoo")
    view.add_arguments(shown)
    shown.set_defaults(run=view.run)

    plots = commands.add_parser("dash", help="plot what a script or a server shows in a browser")
    dash.add_arguments(plots)
    plots.set_defaults(run=dash.run)

    moving = commands.add_parser("animate", help="write a saved log as a moving picture")
    animate.add_arguments(moving)
    moving.set_defaults(run=animate.run)

    table = commands.add_parser("export", help=f"write a saved log as {', '.join(EXPORTS)}")
    logs.add_export_arguments(table)
    table.set_defaults(run=logs.export)

    parameters = commands.add_parser("identify", help="parameters of a vehicle from a flight")
    identify.add_arguments(parameters)
    parameters.set_defaults(run=identify.run)

    pair = commands.add_parser("compare", help="say how much two logged flights differ")
    compare.add_arguments(pair)
    pair.set_defaults(run=compare.run)


def _add_vehicles(commands: Any) -> None:
    """Add the command for parameter sets."""
    vehicles = commands.add_parser("vehicles", help="list parameter sets, or check one")
    vehicles.add_argument(
        "sets",
        nargs="*",
        metavar="SET",
        help="parameter sets, .toml, .sdf or .urdf files to check, or families to list; by default "
        "all packaged sets are listed",
    )
    portraits.add_argument(vehicles)
    vehicles.set_defaults(run=_vehicles)


def _add_models(commands: Any) -> None:
    """Add the commands for models: vehicles given away, and one's own."""
    exported = commands.add_parser("export-model", help="write a vehicle as C source or a library")
    export_model.add_arguments(exported)
    exported.set_defaults(run=export_model.run)

    models = commands.add_parser("model", help="make, compile and test a model of one's own")
    model.add_arguments(models)


def _vehicles(options: argparse.Namespace) -> int:
    families = [one for one in options.sets or FAMILIES if one in FAMILIES]
    checked = [one for one in options.sets if one not in FAMILIES]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ParameterWarning)  # the table below says it
        vehicles = [(load(name), False) for family in families for name in names(family)]
        vehicles += [(load(name), True) for name in checked]
    width = max(len(vehicle.name) for vehicle, _ in vehicles) + 4
    print(f"{'name':{width}}{'actuators':>9}{'mass [kg]':>11}  title")
    for name, family in FAMILIES.items():
        members = [(vehicle, check) for vehicle, check in vehicles if vehicle.family == name]
        if members:
            print(f"{name}: {family.abilities.kind.doing}")
        for vehicle, check in members:
            _print_vehicle(vehicle, width)
            if check:
                _print_checks(vehicle)
    if options.picture is not None:
        portraits.draw([vehicle for vehicle, _ in vehicles], options.picture)
    return 0


def _matlab(options: argparse.Namespace) -> int:
    print(Path(__file__).parent / "matlab")
    return 0


def _print_vehicle(vehicle: VehicleParameters, width: int) -> None:
    """Print a line of the table, on a terminal as wide as that."""
    mass = float(vehicle.columns["mass"][0])
    moving = [one for one in FAMILIES[vehicle.family].actuators(vehicle) if one.high > one.low]
    line = f"  {vehicle.name:{width - 2}}{len(moving):>9}{mass:>11.4g}  {vehicle.title}"
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else len(line)
    print(line if len(line) <= room else f"{line[: room - 3]}...")


def _print_checks(vehicle: VehicleParameters) -> None:
    """Print the numbers that tell whether a set makes sense."""
    for airframe in vehicle.airframes or (vehicle,):
        if vehicle.airframes:
            print(f"  airframe {airframe.name}")
        for quantity in FAMILIES[airframe.family].plausibility(airframe):
            usual = f"usual {quantity.low:g} to {quantity.high:g}"
            verdict = "" if quantity.usual else "  UNUSUAL"
            print(f"  {quantity.name:44}{quantity.value:>9.4g}  {usual}{verdict}")
        print(indent(f"collides with\n{indent(str(airframe.hull), '  ')}", "  "))


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options; start scripts and their variables may also stand between options."""
    parser = _parser()
    completion.complete(parser)
    options, further = parser.parse_known_args(attach_negative(arguments))
    words = getattr(options, "start_script", None)
    if further and (words is None or any(word.startswith("-") for word in further)):
        parser.error(f"unrecognized arguments: {' '.join(further)}")
    if words is not None:
        words.extend(further)
    return options


def main(argv: Sequence[str] | None = None, more_links: MoreLinks = no_more_links) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments; by default those of the process.
    more_links : callable
        Makes links that ``pyrfly sim`` has besides those of its options, see
        `pyrfly.server.command_line.MoreLinks`.

    Returns
    -------
    int
        Exit status: 0, 1 if a flight was not completed, 2 for invalid input, 130 or 143 after
        SIGINT or SIGTERM, 141 if the reader of the output has ended, as ``head`` does.
    """
    program = "pyrfly"
    try:
        try:
            options = _parsed(sys.argv[1:] if argv is None else argv)
            options.more_links = more_links
            program += f" {options.command or ''}".rstrip()
            with warnings_told(program):
                status: int = options.run(options)
        finally:
            _flush_output()  # here, where an error can be handled, not at the very end
    except BrokenPipeError:
        _discard_output()
        return NOT_READ
    except (Error, OSError, MemoryError) as error:
        reason = str(error) or "not enough memory"
        if isinstance(error, OSError) and error.errno == ENOSPC and error.filename is None:
            reason = f"standard output: {reason}"
        print(f"{program}: error: {reason}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return INTERRUPTED
    return status


def _flush_output() -> None:
    """Write what is buffered; where nothing is, no call is made, so that none can be blocked."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _discard_output() -> None:
    """Discard what is still buffered, so that the interpreter does not try to write it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
