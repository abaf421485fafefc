"""Running of a script as the program: `options`, `run_script`."""

from __future__ import annotations

import argparse
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

from pyrfly.errors import Error
from pyrfly.options import vehicle_counts
from pyrfly.rflysim.vendor_names import vendor_names
from pyrfly.vehicles import load

__all__ = ["options", "run_script"]


def options(program: str, arguments: Sequence[str]) -> argparse.Namespace:
    """Return ``vehicles``, ``script`` and the ``arguments`` of the script."""
    parser = argparse.ArgumentParser(prog=program)
    parser.add_argument(
        "--vehicles",
        type=_vehicles,
        metavar="NAME[:COUNT],...",
        help="parameter sets of CopterIDs from 1, as for pyrfly sim; all others are sdk",
    )
    parser.add_argument("script", help="path of the script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the script gets itself")
    given = parser.parse_args(arguments)
    if not Path(given.script).is_file():
        parser.error(f"script: expected a file, got {given.script!r}")
    return given


def _vehicles(text: str) -> dict[str, int]:
    """Return the checked value of the option ``--vehicles``."""
    try:
        counts = vehicle_counts(text)
        for name in counts:
            load(name)
    except Error as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return counts


def run_script(given: argparse.Namespace) -> None:
    """Run the script of `options`, for which RflySim's modules have their own names."""
    folder = Path(given.script).resolve().parent
    with (
        patch.object(sys, "argv", [given.script, *given.arguments]),
        patch.object(sys, "path", [str(folder), *sys.path]),
        vendor_names(folder),
    ):
        runpy.run_path(given.script, run_name="__main__")
