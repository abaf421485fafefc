"""The command line: ``pyrfly fly``, ``pyrfly sim``, ``pyrfly bench``, ``pyrfly vehicles``."""

from __future__ import annotations

import argparse
import math
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from pyrfly import _core, bench
from pyrfly.columns import command_columns
from pyrfly.errors import Error, ParameterWarning
from pyrfly.log import FORMATS, Log, Recorder
from pyrfly.mission import DEMO, FlightResult, Mission, fly_mission, read_mission, summary_table
from pyrfly.server import command_line
from pyrfly.sim import Sim
from pyrfly.vehicles import FAMILIES, VehicleParameters, load, names

__all__ = ["main"]

COLUMNS = ("pos", "vel", "att", "rate", "pos_sp", "vel_sp", "setpoint_mask")
"""Columns logged by ``pyrfly fly``, besides the actuator commands."""

START_SPREAD = 0.5
"""Maximum distance of the start of a seeded flight from home, north and east [m]."""

FAILED, BAD_INPUT = 1, 2


def _seed(text: str) -> int:
    seed = int(text)
    if not 0 <= seed < 2**64:
        raise argparse.ArgumentTypeError(f"expected 0 to 2^64 - 1, got {text}")
    return seed


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pyrfly", description="Simulate unmanned vehicles.")
    parser.add_argument("--version", action="version", version=f"pyrfly {_core.version}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")

    fly = commands.add_parser("fly", help="fly a mission; writes a log and a plot")
    fly.add_argument(
        "mission",
        nargs="?",
        type=Path,
        default=DEMO,
        help="a QGroundControl .plan or a .csv of waypoints; by default the packaged demo",
    )
    fly.add_argument(
        "--vehicle", default="x450", help="a parameter set (see pyrfly vehicles) or a .toml file"
    )
    fly.add_argument(
        "--seed",
        type=_seed,
        help=f"start with a random heading, up to {START_SPREAD} m north and east of home",
    )
    fly.add_argument(
        "--out", type=Path, default=Path("flights"), help="folder for log and plot; created"
    )
    fly.add_argument("--format", choices=FORMATS, default="npz", help="format of the log")
    fly.add_argument("--no-plot", action="store_true", help="write the log only")
    fly.set_defaults(run=_fly)

    serve = commands.add_parser("sim", help="serve vehicles over RflySim's UDP ports")
    command_line.add_arguments(serve)
    serve.set_defaults(run=command_line.run)

    measure = commands.add_parser("bench", help="measure speed")
    bench.add_arguments(measure)
    measure.set_defaults(run=bench.run)

    vehicles = commands.add_parser("vehicles", help="list parameter sets, or check one")
    vehicles.add_argument(
        "sets",
        nargs="*",
        metavar="SET",
        help="parameter sets or .toml files to check; by default all packaged sets are listed",
    )
    vehicles.set_defaults(run=_vehicles)
    return parser


def _vehicles(options: argparse.Namespace) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ParameterWarning)  # the table below says it
        vehicles = [load(name) for name in options.sets or names()]
    width = max(len(vehicle.name) for vehicle in vehicles) + 2
    print(f"{'name':{width}}{'family':12}{'actuators':>9}{'mass [kg]':>11}{'trim':>7}  title")
    for vehicle in vehicles:
        mass = float(vehicle.columns["mass"][0])
        trim = FAMILIES[vehicle.family].trim(vehicle)
        print(
            f"{vehicle.name:{width}}{vehicle.family:12}{vehicle.actuator_count:>9}{mass:>11.4g}"
            f"{trim:>7.3f}  {vehicle.title}"
        )
        if options.sets:
            _print_checks(vehicle)
    return 0


def _print_checks(vehicle: VehicleParameters) -> None:
    """Print the numbers that tell whether a set makes sense."""
    for airframe in vehicle.airframes or (vehicle,):
        if vehicle.airframes:
            print(f"  airframe {airframe.name}")
        for quantity in FAMILIES[airframe.family].sense(airframe):
            usual = f"usual {quantity.low:g} to {quantity.high:g}"
            verdict = "" if quantity.usual else "  UNUSUAL"
            print(f"  {quantity.name:44}{quantity.value:>9.4g}  {usual}{verdict}")


def _sim_at_start(vehicle: str, seed: int | None) -> Sim:
    sim = Sim(vehicle)
    if seed is not None:
        north, east, yaw = 2 * _core.uniform(seed, 0, 0, 1, 1, 3)[0] - 1
        pos = (START_SPREAD * north, START_SPREAD * east, 0.0)
        sim.reset(pos=pos, yaw=math.pi * yaw, seed=seed)
    return sim


def _write(log: Log, mission: Mission, options: argparse.Namespace) -> list[Path]:
    """Write log and plot; return their paths."""
    stem = options.out / f"{options.mission.stem}-{Path(options.vehicle).stem}"
    paths = [Path(f"{stem}.{options.format}")]
    log.save(paths[0])
    if not options.no_plot:
        from pyrfly.log import plot_flight

        paths.append(Path(f"{stem}.png"))
        title = f"{options.mission.stem}, flown by {Path(options.vehicle).stem}"
        plot_flight(log, mission, paths[1], title)
    return paths


def _fly(options: argparse.Namespace) -> int:
    mission = read_mission(options.mission)
    sim = _sim_at_start(options.vehicle, options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    recorder = Recorder(sim, [*COLUMNS, *command_columns(sim.groups[0].parameters.c_type)])
    result: FlightResult = fly_mission(sim, mission, recorder=recorder)
    log = recorder.log()
    log.metadata.update(mission=options.mission.name, seed=options.seed, completed=result.completed)
    paths = _write(log, mission, options)
    print(summary_table(result))
    for path in paths:
        print(path)
    return 0 if result.completed else FAILED


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments; by default those of the process.

    Returns
    -------
    int
        Exit status: 0, 1 if a flight was not completed, 2 for invalid input.
    """
    options = _parser().parse_args(argv)
    try:
        status: int = options.run(options)
    except (Error, OSError, MemoryError) as error:
        reason = str(error) or "not enough memory"
        print(f"pyrfly {options.command}: error: {reason}", file=sys.stderr)
        return BAD_INPUT
    return status
