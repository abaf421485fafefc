"""Running of a script as the program: `options`, `run_script`, `vendor_names`."""

from __future__ import annotations

import argparse
import importlib
import runpy
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
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
        "DllSimCtrlAPI", "EarthModel", "PX4MavCtrlV4", "PX4MavCtrlV4ROS", "ReqCopterSim",
        "RflyRosStart", "api",
    ),
    "swarm": ("VehicleApi",),
    "ue": ("UE4CtrlAPI", "UEMapServe"),
    "vision": ("VisionCaptureApi",),
}  # fmt: skip
"""Modules by RflySim's package; scripts import them with or without it."""

ROOTS = ("RflySim", "RflySimSDK")
"""Packages of the packages and of their modules, in newer scripts."""


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

    So does ``import RflySimSDK.ctrl.PX4MavCtrlV4``, of newer scripts. A copy of RflySim's module
    beside the script is not imported. A script's own ``api``, whose name says little, precedes; so
    do its own packages of the names of RflySim's, but for the modules and `ROOTS`.

    Parameters
    ----------
    folder : Path
        Where the script is.
    """
    ours = _modules(folder)
    for root in ROOTS:
        ours |= {f"{root}.{name}": module for name, module in _modules(folder).items()}
        ours[root] = _package(root, folder, _modules(folder))
    own = [name for name in PACKAGES if (folder / name / "__init__.py").exists()]
    own += ["api"] if (folder / "api.py").exists() else []
    for name in own:
        del ours[name]
    before = {name: sys.modules[name] for name in ours if name in sys.modules}
    sys.modules.update(ours)
    try:
        yield
    finally:
        for name in ours:
            sys.modules.pop(name, None)
        sys.modules.update(before)


def _modules(folder: Path) -> dict[str, types.ModuleType]:
    """Return pyrfly's modules by RflySim's names with and without their packages, and these."""
    found: dict[str, types.ModuleType] = {}
    for package, names in PACKAGES.items():
        modules = {name: importlib.import_module(f"pyrfly.rflysim.{name}") for name in names}
        found |= modules | {f"{package}.{name}": module for name, module in modules.items()}
        found[package] = _package(package, folder, modules)
    return found


def _package(name: str, folder: Path, modules: Mapping[str, types.ModuleType]) -> types.ModuleType:
    """Return a package of modules, which finds further ones in the folder of its name."""
    package = types.ModuleType(name, "RflySim's package, of pyrfly's modules.")
    package.__path__ = [str(folder / name)]
    vars(package).update(modules)
    return package
