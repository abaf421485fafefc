"""Vehicles to be given away: `export_model`."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from pyrfly.arrays import true_or_false
from pyrfly.errors import Error
from pyrfly.files import named_in_errors, path_of, prepare_folder, printable, replacing
from pyrfly.standalone.compilers import compile_library, require_compiler
from pyrfly.standalone.header import header
from pyrfly.standalone.source import interface_source, vehicle_source
from pyrfly.standalone.vehicle import Standalone, standalone
from pyrfly.vehicles import VehicleParameters

__all__ = ["FORMATS", "export_model"]


def _write_source(vehicle: Standalone, folder: Path) -> list[Path]:
    """Write header and source of a vehicle into a folder."""
    texts = {f"{vehicle.name}.h": header(vehicle), f"{vehicle.name}.c": vehicle_source(vehicle)}
    for name, text in texts.items():
        with replacing(folder / name) as path:
            path.write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in texts]


def _folder(vehicle: Standalone, path: Path) -> list[Path]:
    prepare_folder("path", path)
    return _write_source(vehicle, path)


def _library(vehicle: Standalone, path: Path, *, windows: bool = False) -> list[Path]:
    """Compile a library with RflySim's functions."""
    require_compiler(windows)
    with tempfile.TemporaryDirectory(prefix="pyrfly-export-") as name:
        folder = Path(name)
        sources = [one for one in _write_source(vehicle, folder) if one.suffix == ".c"]
        text = interface_source(vehicle, "rflysim", "Dll", "It has RflySim's model interface.")
        sources.append(folder / f"{vehicle.name}_rflysim.c")
        sources[-1].write_text(text, encoding="utf-8")
        with replacing(path) as target:
            compile_library(sources, target, windows=windows)
    return [path]


def _shared(vehicle: Standalone, path: Path) -> list[Path]:
    if sys.platform == "win32":
        raise Error(f"path: expected .dll on Windows, got {printable(path)}")
    return _library(vehicle, path)


def _dll(vehicle: Standalone, path: Path) -> list[Path]:
    return _library(vehicle, path, windows=True)


FORMATS: dict[str, tuple[str, Callable[[Standalone, Path], list[Path]]]] = {
    "": ("a folder with a header and a source in C, without dependencies", _folder),
    ".so": ("a library with RflySim's functions, for this system", _shared),
    ".dll": ("the same for Windows of 64 bits, for CopterSim, by a cross compiler", _dll),
}
"""What a model can be exported as, by the end of the name: in words, and by what."""


def export_model(
    vehicle: str | os.PathLike[str] | VehicleParameters,
    path: str | os.PathLike[str],
    *,
    controller: bool = True,
) -> list[Path]:
    """Export a vehicle as a model that needs no pyrfly.

    Parameters
    ----------
    vehicle : str, os.PathLike or VehicleParameters
        A parameter set: its name, a file, or a set.
    path : str or os.PathLike
        Where: ``.so`` or ``.dll``, a library with RflySim's functions; without an ending a folder
        with a header and a source in C.
    controller : bool
        Whether it has its controllers and RflySim's inputs ``inSILInts`` and ``inSILFloats``;
        otherwise the actuator commands are its inputs.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    ParameterError
        There is no such set.
    Error
        The ending is none of these, there is no compiler, or it fails.
    OSError
        A file cannot be written.
    """
    target = path_of("path", path)
    with_controller = true_or_false("controller", controller)
    if target.suffix.lower() not in FORMATS:
        raise Error(
            f"path: expected the ending .so, .dll or none for a folder, got {printable(target)}"
        )
    if target.suffix and target.is_dir():
        raise Error(f"path: expected a file, got {printable(target)}, a folder")
    _, write = FORMATS[target.suffix.lower()]
    made = standalone(vehicle, controller=with_controller)
    prepare_folder("path", target.parent)
    with named_in_errors(target):
        return write(made, target)
