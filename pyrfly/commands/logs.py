"""``pyrfly plot`` and ``pyrfly export``: saved logs as pictures and for other programs."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from pyrfly.errors import Error
from pyrfly.files import prepare_folder, printable
from pyrfly.log import EXPORTS, Log, export_log, plot_columns, plot_flight
from pyrfly.mission import Mission, read_mission
from pyrfly.options import add_geoid, triple
from pyrfly.terrain import geoid_height
from pyrfly.view.mcap import export_mcap

__all__ = [
    "add_export_arguments",
    "add_plot_arguments",
    "export",
    "load_log",
    "mission_of",
    "plot",
    "require_no_folder",
]

MCAP = "mcap"
"""Suffix of a format that is written only where it is asked for."""


def _add_log_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "log",
        type=Path,
        help="a log as .npz, .parquet, .csv, .ulg of PX4, .bin of ArduPilot, or the folder of a "
        "recording (pyrfly.log.Recorder)",
    )
    parser.add_argument("--vehicle", type=int, metavar="ID", help="CopterID of the vehicle")


def add_plot_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly plot``."""
    _add_log_arguments(parser)
    parser.add_argument("--mission", type=Path, help="the mission, to plot its path too")
    parser.add_argument(
        "--out",
        type=Path,
        help="the picture, such as .png or .pdf; by default beside the log; its folder is created",
    )


def add_export_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly export``."""
    _add_log_arguments(parser)
    parser.add_argument(
        "--format",
        choices=(*EXPORTS, MCAP),
        action="append",
        help="; ".join(f"{suffix}: {export.contents}" for suffix, export in EXPORTS.items())
        + f"; {MCAP}: for Foxglove, with what vehicles look like; "
        "may be given more than once (default: all that the log is not itself; csv of a log "
        "without positions, such as that of a sensor)",
    )
    parser.add_argument(
        "--origin",
        type=triple,
        metavar="LAT,LON,ALT",
        help="origin [deg, deg, m above the ellipsoid], instead of that of the log",
    )
    add_geoid(parser, "write altitudes above sea level instead of the ellipsoid")
    parser.add_argument("--out", type=Path, help="folder; by default that of the log; created")


def plot(options: argparse.Namespace) -> int:
    """Draw a saved log: a flight, or the columns of another one, such as that of a sensor."""
    log = load_log(options.log)
    out = options.out or options.log.with_suffix(".png")
    prepare_folder("--out", out.parent)
    require_no_folder(out)
    mission = None if options.mission is None else mission_of(log, options.mission)
    try:
        if "pos" in log.columns or mission is not None:
            plot_flight(log, mission, out, options.log.stem, copter_id=options.vehicle)
        else:
            plot_columns(log, out, options.log.stem, copter_id=options.vehicle)
    except (KeyError, ValueError) as error:
        raise Error(f"{printable(options.log)}: {error.args[0]}") from None
    print(printable(out))
    return 0


def export(options: argparse.Namespace) -> int:
    """Write a saved log for other programs."""
    log = load_log(options.log)
    origin = options.origin or log.metadata.get("origin")
    if options.geoid is not None and origin is not None:
        lat, lon, alt = origin
        origin = (lat, lon, alt - float(geoid_height(lat, lon, options.geoid)))
    folder = options.out or options.log.parent
    prepare_folder("--out", folder)
    files = _files(options, log, folder)
    with tempfile.TemporaryDirectory(prefix=".export-", dir=folder) as beside:
        try:
            for path, copter_id in files.items():
                temporary = Path(beside, path.name)
                if path.suffix == f".{MCAP}":
                    export_mcap(log, temporary, origin=origin)
                else:
                    export_log(log, temporary, origin=origin, copter_id=copter_id)
        except (KeyError, ValueError) as error:
            raise Error(f"{printable(options.log)}: {error.args[0]}") from None
        for path in files:  # all of them, or none
            shutil.move(Path(beside, path.name), path.resolve())
    for path in files:
        print(printable(path))
    return 0


def _files(options: argparse.Namespace, log: Log, folder: Path) -> dict[Path, int | None]:
    """Return the files to write, and the CopterID of each."""
    stem, found = options.log.stem, dict[Path, int | None]()
    others = [suffix for suffix in EXPORTS if options.log.suffix.lower() != f".{suffix}"]
    for suffix in options.format or (others if "pos" in log.columns else ["csv"]):
        ids = [options.vehicle]
        if suffix == "ulg" and options.vehicle is None:
            ids = log.copter_ids.tolist()
        for copter_id in ids:
            name = f"{stem}-{copter_id}" if suffix == "ulg" and len(log.copter_ids) > 1 else stem
            path = folder / f"{name}.{suffix}"
            if path.exists() and path.samefile(options.log):
                raise Error(f"--out: expected another folder than that of the log, got {path}")
            require_no_folder(path)
            found[path] = copter_id
    return found


def mission_of(log: Log, path: Path) -> Mission:
    """Return a mission where it was flown: about the origin of the log."""
    origin = log.metadata.get("origin")
    return read_mission(path, tuple(origin) if origin else None)


def require_no_folder(path: Path) -> None:
    """Raise an error where a folder has the name of an output."""
    if path.is_dir():
        raise Error(f"--out: expected a file, got {printable(path)}, a folder")


def load_log(path: Path) -> Log:
    """Return a log; raise an error, for the command line, if it cannot be read."""
    try:
        return Log.load(path)
    except OSError as error:
        raise Error(f"{printable(path)}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # its message begins with the path
        raise Error(str(error)) from None
