"""Running of a script as the program: `options`, `run_script`, `vendor_names`."""

from __future__ import annotations

import argparse
import importlib
import runpy
import sys
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from pyrfly.errors import Error
from pyrfly.options import vehicle_counts
from pyrfly.rflysim import cameras
from pyrfly.vehicles import load

__all__ = ["PACKAGES", "options", "run_script", "vendor_names"]

PACKAGES = {
    "ctrl": (
        "DllSimCtrlAPI", "EarthModel", "PX4MavCtrlV4", "PX4MavCtrlV4ROS", "ReqCopterSim", "api",
    ),
    "swarm": ("VehicleApi",),
    "ue": ("UE4CtrlAPI", "UEMapServe"),
    "vision": ("VisionCaptureApi",),
}  # fmt: skip
"""Modules by RflySim's package; scripts import them with or without it."""


def options(program: str, arguments: Sequence[str]) -> argparse.Namespace:
    """Return ``vehicles``, ``cameras``, ``script`` and the ``arguments`` of the script."""
    parser = argparse.ArgumentParser(prog=program)
    parser.add_argument(
        "--vehicles",
        type=_vehicles,
        metavar="NAME[:COUNT],...",
        help="parameter sets of CopterIDs from 1, as for pyrfly sim; all others are sdk",
    )
    parser.add_argument(
        "--cameras",
        choices=cameras.CHOICES,
        default="empty",
        help="there are none: calls of VisionCaptureApi succeed and no image arrives (the "
        "default), or they are an error",
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
        cameras.chosen(given.cameras),
        patch.object(sys, "argv", [given.script, *given.arguments]),
        patch.object(sys, "path", [str(folder), *sys.path]),
        vendor_names(folder),
    ):
        runpy.run_path(given.script, run_name="__main__")


@contextmanager
def vendor_names(folder: Path) -> Iterator[None]:
    """Let ``import PX4MavCtrlV4``, ``import ctrl.PX4MavCtrlV4`` and so on find pyrfly's modules.

    A copy of RflySim's module beside the script is not imported. A script's own ``api``, whose name
    says little, precedes; so do its own packages of the names of RflySim's, but for the modules.

    Parameters
    ----------
    folder : Path
        Where the script is.
    """
    ours: dict[str, types.ModuleType] = {}
    for package, names in PACKAGES.items():
        if not (folder / package / "__init__.py").exists():
            ours[package] = types.ModuleType(package, "RflySim's package, of pyrfly's modules.")
            ours[package].__path__ = [str(folder / package)]
        for name in names:
            module = importlib.import_module(f"pyrfly.rflysim.{name}")
            ours[f"{package}.{name}"] = module
            if package in ours:
                setattr(ours[package], name, module)
            if name != "api" or not (folder / "api.py").exists():
                ours[name] = module
    before = {name: sys.modules[name] for name in ours if name in sys.modules}
    sys.modules.update(ours)
    try:
        yield
    finally:
        for name in ours:
            sys.modules.pop(name, None)
        sys.modules.update(before)
