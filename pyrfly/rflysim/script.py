"""Running of a script as the program: `options`, `fleet`, `run_script`, `vendor_names`."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import importlib
import runpy
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from pyrfly.ctrl.background import Start, in_grid
from pyrfly.errors import CommandWarning, Error, ParameterWarning, near_names
from pyrfly.files import printable
from pyrfly.options import Parser, vehicle_counts, warnings_told
from pyrfly.rflysim import cameras
from pyrfly.server.scripts.places import starts
from pyrfly.server.scripts.reader import read_start_script
from pyrfly.server.scripts.settings import Note
from pyrfly.transport import OptionError
from pyrfly.vehicles import load

__all__ = ["PACKAGES", "fleet", "options", "run_script", "show_error", "vendor_names"]

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

_OF_VEHICLES = {"DLLModel", "VehicleNum", "ComNum", "CLASS_3D_ID"}
"""Variables that ``--vehicles`` precedes, whose notes then say nothing."""

_OF_LINKS = {"SimMode", "PX4SitlFrame", "ComNum", "UDPSIMMODE", "IS_BROADCAST", "IsSysID"}
"""Variables of a simulator's links, of which a run of a script has none."""

_MOST_TOLD = 20

ROOTS = ("RflySim", "RflySimSDK")
"""Packages of the packages and of their modules, in newer scripts."""


def options(program: str, arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options, ``script``, the ``arguments`` of the script, and the `fleet`."""
    parser = Parser(prog=program)
    parser.add_argument(
        "--vehicles",
        type=_vehicles,
        metavar="NAME[:COUNT],...",
        help="parameter sets of CopterIDs from 1, as for pyrfly sim; all others are sdk",
    )
    parser.add_argument(
        "--start-script",
        type=Path,
        metavar="FILE",
        help="start script of RflySim, such as SITLRun.bat, whose vehicles are started at their "
        "places; it is read and not executed",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="variable of the start script, such as VehicleNum=4; may be given more than once",
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
    with warnings_told("pyrfly"):
        return _checked(parser, arguments)


def _checked(parser: Parser, arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options; end the program where they make no sense."""
    given = parser.parse_args(arguments)
    if not Path(given.script).is_file():
        beside = (file.name for file in Path(given.script).parent.glob("*.py"))
        near = near_names(Path(given.script).name, beside, "the path of one")
        parser.error(f"script: expected a file, got {given.script!r}; try {near}")
    if given.set and given.start_script is None:
        parser.error("--set: expected none without --start-script")
    if wrong := [text for text in given.set if "=" not in text]:
        parser.error(f"--set: expected NAME=VALUE, got {wrong[0]!r}")
    try:
        given.fleet = fleet(given)
    except OptionError as error:
        parser.error(str(error))
    return given


def _vehicles(text: str) -> dict[str, int]:
    """Return the checked value of the option ``--vehicles``."""
    try:
        counts = vehicle_counts(text)
        for name in counts:
            load(name)
    except Error as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("vehicle: ")) from None
    return counts


def fleet(given: argparse.Namespace) -> dict[int, Start]:
    """Return the vehicles of `options` by CopterID.

    They are those of a start script, where one is given; ``--vehicles`` are other ones on its grid,
    or without one on RflySim's. Start scripts beside the script that are not used are told.
    """
    if given.start_script is None:
        _tell_of_start_scripts(Path(given.script).resolve().parent)
        return in_grid(given.vehicles)
    variables = dict(text.partition("=")[::2] for text in given.set)
    settings = read_start_script(given.start_script, variables)
    counts = given.vehicles or {settings.vehicle: settings.count}
    sets = [one for name, count in counts.items() for one in [load(name)] * count]
    pos, yaw = starts(settings, len(sets))
    last = settings.first_id + len(sets) - 1
    print(
        f"pyrfly: from {given.start_script.name}: CopterID {settings.first_id} to {last}, "
        f"{', '.join(counts)}, {settings.mode.label}",
        file=sys.stderr,
    )
    silent = _OF_LINKS | (_OF_VEHICLES if given.vehicles else set())
    notes = list(settings.notes)
    if settings.library is not None:
        name = printable(settings.library)
        text = f"{name}: pyrfly sim alone flies libraries; the vehicles are {settings.vehicle}"
        notes.append(Note("DLLModel", text))
    for note in notes:
        if note.variable not in silent:
            print(f"  {note}", file=sys.stderr)
    ids = range(settings.first_id, last + 1)
    places = zip(ids, sets, pos.tolist(), yaw.tolist(), strict=True)
    return {i: Start(one, north, east, turn) for i, one, (north, east), turn in places}


def _tell_of_start_scripts(folder: Path) -> None:
    """Tell of start scripts in a folder, which are read only where they are given."""
    for file in sorted({*folder.glob("*.bat"), *folder.glob("*.sh")})[:_MOST_TOLD]:
        with contextlib.suppress(OptionError):
            read_start_script(file)
            print(
                f"pyrfly: {file.name} is not used; --start-script {file.name} starts its vehicles",
                file=sys.stderr,
            )


def run_script(given: argparse.Namespace) -> None:
    """Run the script of `options`, for which RflySim's modules have their own names."""
    folder = Path(given.script).resolve().parent
    with (
        cameras.chosen(given.cameras),
        patch.object(sys, "argv", [given.script, *given.arguments]),
        patch.object(sys, "path", [str(folder), *sys.path]),
        vendor_names(folder),
        warnings_told("pyrfly", CommandWarning, ParameterWarning, places=True),
    ):
        try:
            runpy.run_path(given.script, run_name="__main__")
        except ModuleNotFoundError as error:
            _tell_of_modules(error.name or "")
            raise


def show_error(
    kind: type[BaseException], error: BaseException, trace: types.TracebackType | None
) -> None:
    """Show an error as Python does, without what runs the script: for ``sys.excepthook``."""
    first = trace
    while first is not None and first.tb_frame.f_globals.get("__spec__") is not None:
        first = first.tb_next
    trace = first or trace
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


def _tell_of_modules(name: str) -> None:
    """Tell which of RflySim's modules a script meant by a name that there is not."""
    last = name.rpartition(".")[2]
    near = difflib.get_close_matches(last, [one for names in PACKAGES.values() for one in names])
    if near:
        print(f"pyrfly: there is no module {last}; try {', '.join(near)}", file=sys.stderr)


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
