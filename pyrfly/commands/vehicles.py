"""``pyrfly vehicles``: parameter sets as a table, their checks and their pictures."""

from __future__ import annotations

import argparse
import shutil
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent

from pyrfly.commands.logs import require_no_folder
from pyrfly.commands.progress import doing
from pyrfly.errors import ParameterWarning
from pyrfly.files import prepare_folder, printable
from pyrfly.vehicles import FAMILIES, VehicleParameters, load, names

__all__ = ["add_arguments", "run"]

SUFFIXES = (".png", ".jpg", ".webp")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly vehicles``."""
    parser.add_argument(
        "sets",
        nargs="*",
        metavar="SET",
        help="parameter sets, .toml, .sdf or .urdf files to check, or families to list; by default "
        "all packaged sets are listed",
    )
    parser.add_argument(
        "--picture",
        type=_file,
        metavar="FILE",
        help=f"what to draw all that are listed into: {', '.join(SUFFIXES)}; its folder is created",
    )


def _file(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in SUFFIXES:
        raise argparse.ArgumentTypeError(
            f"expected a file that ends in {', '.join(SUFFIXES)}, got {text!r}"
        )
    return path


def run(options: argparse.Namespace) -> int:
    """List parameter sets, or check some."""
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
        _draw([vehicle for vehicle, _ in vehicles], options.picture)
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


def _draw(vehicles: Sequence[VehicleParameters], path: Path) -> None:
    """Write a picture of a vehicle, or a page of several, and print its path."""
    from PIL import Image

    from pyrfly.view import portrait, sheet

    prepare_folder("--picture", path.parent)
    require_no_folder(path)
    with doing(f"draws {printable(path)}"):
        pixels = portrait(vehicles[0]) if len(vehicles) == 1 else sheet(vehicles)
        Image.fromarray(pixels).save(path)
    print(printable(path))
