"""Vehicles to be given away: `export_model`."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pyrfly.arrays import true_or_false
from pyrfly.compilers import compile_library, require_compiler
from pyrfly.errors import Error
from pyrfly.files import named_in_errors, path_of, prepare_folder, printable, replacing
from pyrfly.sim.arguments import chosen_name
from pyrfly.sim.sensor_profiles import PROFILES
from pyrfly.standalone.fmu import fmu_source, model_description
from pyrfly.standalone.header import header
from pyrfly.standalone.source import interface_source, vehicle_source
from pyrfly.standalone.text import MARK, is_export
from pyrfly.standalone.vehicle import Standalone, standalone
from pyrfly.vehicles import VehicleParameters

__all__ = ["FORMATS", "export_model"]


_FLAGS = ("-std=c11", "-ffp-contract=off", "-fvisibility=hidden")
"""Products and sums are rounded one by one, so that a vehicle has the same bits everywhere."""


def _write_source(vehicle: Standalone, folder: Path) -> list[Path]:
    """Write header and source of a vehicle into a folder."""
    texts = {f"{vehicle.name}.h": header(vehicle), f"{vehicle.name}.c": vehicle_source(vehicle)}
    for name, text in texts.items():
        with replacing(folder / name) as path:
            path.write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in texts]


def _folder(vehicle: Standalone, path: Path) -> list[Path]:
    prepare_folder("path", path)
    within = list(path.iterdir())
    names = {f"{vehicle.name}.h", f"{vehicle.name}.c"}
    own = [one for one in within if one.name in names] or within
    if not all(map(is_export, own)):
        raise Error(
            f"path: expected a new folder, an empty one or an earlier export, got "
            f"{printable(path)}, with other files"
        )
    return _write_source(vehicle, path)


@contextmanager
def _sources(vehicle: Standalone, interface: str) -> Iterator[list[Path]]:
    """Yield the sources of a vehicle and of an interface to it, in a folder for a while."""
    with tempfile.TemporaryDirectory(prefix="pyrfly-export-") as name:
        files = [one for one in _write_source(vehicle, Path(name)) if one.suffix == ".c"]
        files.append(Path(name, f"{vehicle.name}_interface.c"))
        files[-1].write_text(interface, encoding="utf-8")
        yield files


def _library(vehicle: Standalone, path: Path, *, windows: bool = False) -> list[Path]:
    """Compile a library with RflySim's functions."""
    require_compiler(windows)
    text = interface_source(vehicle, "rflysim", "Dll", "It has RflySim's model interface.")
    text += f'\nMODEL_FUNCTION const char pyrfly_export[] = "{MARK}";\n'
    with _sources(vehicle, text) as sources, replacing(path) as target:
        made = sources[0].with_name(path.name)  # a DLL has its name within
        compile_library(sources, made, options=_FLAGS, windows=windows)
        shutil.copy(made, target)
    return [path]


def _fmu(vehicle: Standalone, path: Path) -> list[Path]:
    """Write an FMU for this system, with its sources."""
    require_compiler(windows=False)
    with _sources(vehicle, fmu_source(vehicle)) as sources, replacing(path) as target:
        binary = sources[0].with_name(f"{vehicle.name}{_ENDING}")
        compile_library(sources, binary, options=_FLAGS)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.comment = MARK.encode()
            archive.writestr("modelDescription.xml", model_description(vehicle))
            archive.write(binary, f"binaries/{_platform()}/{binary.name}")
            for source in (*sources, sources[0].with_suffix(".h")):
                archive.write(source, f"documentation/sources/{source.name}")
    return [path]


_ENDING = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def _platform() -> str:
    """Return the name that FMUs have for this system."""
    machine = platform.machine().lower()
    system = {"win32": "windows", "darwin": "darwin"}.get(sys.platform, "linux")
    return f"{({'amd64': 'x86_64', 'arm64': 'aarch64'}).get(machine, machine)}-{system}"


def _shared(vehicle: Standalone, path: Path) -> list[Path]:
    if sys.platform == "win32":
        raise Error(f"path: expected .dll on Windows, got {printable(path)}")
    return _library(vehicle, path)


def _dll(vehicle: Standalone, path: Path) -> list[Path]:
    return _library(vehicle, path, windows=True)


FORMATS: dict[str, tuple[str, Callable[[Standalone, Path], list[Path]]]] = {
    "": ("a folder with a header and a source in C, without dependencies", _folder),
    ".so": ("a library with RflySim's functions, for this system", _shared),
    ".fmu": ("an FMU of FMI 3.0 for co-simulation, for this system", _fmu),
    ".dll": ("the same for Windows of 64 bits, for CopterSim, by a cross compiler", _dll),
}
"""What a model can be exported as, by the end of the name: in words, and by what."""


def _check_target(target: Path) -> None:
    """Raise an Error for a path that no export can have."""
    shown = printable(target)
    if not target.name or target.name.lower() in FORMATS:
        raise Error(f"path: expected the name of a file or folder, got {shown}")
    if target.suffix.lower() not in FORMATS:
        endings = ", ".join(filter(None, FORMATS))
        raise Error(f"path: expected the ending {endings} or none for a folder, got {shown}")
    if not target.parent.exists():
        raise Error(f"path: expected a folder that exists, got {printable(target.parent)}")
    prepare_folder("path", target.parent)
    if not target.suffix or not target.exists():
        return
    if target.is_dir():
        raise Error(f"path: expected a file, got {shown}, a folder")
    if not is_export(target):
        raise Error(f"path: expected a new file or an earlier export, got {shown}")


def export_model(
    vehicle: str | os.PathLike[str] | VehicleParameters,
    path: str | os.PathLike[str],
    *,
    controller: bool = True,
    sensors: str = "px4_sih",
) -> list[Path]:
    """Export a vehicle as a model that needs no pyrfly.

    Parameters
    ----------
    vehicle : str, os.PathLike or VehicleParameters
        A parameter set: its name, a file, or a set.
    path : str or os.PathLike
        Where: ``.so`` or ``.dll``, a library with RflySim's functions; ``.fmu``, an FMU; without an
        ending a folder with a header and a source in C. An earlier export is replaced.
    controller : bool
        Whether it has its controllers and RflySim's inputs ``inSILInts`` and ``inSILFloats``;
        otherwise the actuator commands are its inputs.
    sensors : {'px4_sih', 'px4', 'rflysim', 'rflysim_noisy', 'ideal'}
        Profile of the sensors of a library (docs/sensors.md), of which it has the white noise.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    ParameterError
        There is no such set.
    Error
        The ending is none of these, the folder that it is in is missing, something else has the
        name, there is no compiler, or it fails.
    OSError
        A file cannot be written.
    """
    target = path_of("path", path)
    with_controller = true_or_false("controller", controller)
    _check_target(target)
    _, write = FORMATS[target.suffix.lower()]
    profile = chosen_name("sensors", sensors, PROFILES)
    made = standalone(vehicle, controller=with_controller, profile=profile)
    with named_in_errors(target):
        return write(made, target)
