"""``pyrfly export``: a saved log for other programs."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from pyrfly.commands.logs import add_copter_id, add_log, load_log, require_no_folder
from pyrfly.commands.progress import Progress
from pyrfly.errors import Error
from pyrfly.files import prepare_folder, printable
from pyrfly.log import EXPORTS, Log, export_log
from pyrfly.options import add_geoid, triple
from pyrfly.terrain import geoid_height

__all__ = ["add_arguments", "run"]

MCAP = "mcap"
"""Suffix of a format that is written only where it is asked for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly export``."""
    add_log(parser)
    add_copter_id(parser)
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


def run(options: argparse.Namespace) -> int:
    """Write a saved log for other programs."""
    log = load_log(options.log)
    origin = options.origin or log.metadata.get("origin")
    if options.geoid is not None and origin is not None:
        lat, lon, alt = origin
        origin = (lat, lon, alt - float(geoid_height(lat, lon, options.geoid)))
    folder = options.out or options.log.parent
    prepare_folder("--out", folder)
    files = _files(options, log, folder)
    beside = tempfile.TemporaryDirectory(prefix=".export-", dir=folder)
    with beside, Progress() as progress:
        try:
            for path, copter_id in files.items():
                progress.show(f"writes {printable(path)}")
                temporary = Path(beside.name, path.name)
                if path.suffix == f".{MCAP}":
                    from pyrfly.view.mcap import export_mcap  # what few need

                    export_mcap(log, temporary, origin=origin)
                else:
                    export_log(log, temporary, origin=origin, copter_id=copter_id)
        except (KeyError, ValueError) as error:
            raise Error(f"{printable(options.log)}: {error.args[0]}") from None
        for path in files:  # all of them, or none
            shutil.move(Path(beside.name, path.name), path.resolve())
    for path in files:
        print(printable(path))
    return 0


def _files(options: argparse.Namespace, log: Log, folder: Path) -> dict[Path, int | None]:
    """Return the files to write, and the CopterID of each."""
    stem, found = options.log.stem, dict[Path, int | None]()
    others = [suffix for suffix in EXPORTS if options.log.suffix.lower() != f".{suffix}"]
    for suffix in options.format or (others if "pos" in log.columns else ["csv"]):
        ids = [options.copter_id]
        if suffix == "ulg" and options.copter_id is None:
            ids = log.copter_ids.tolist()
        for copter_id in ids:
            name = f"{stem}-{copter_id}" if suffix == "ulg" and len(log.copter_ids) > 1 else stem
            path = folder / f"{name}.{suffix}"
            if path.exists() and path.samefile(options.log):
                raise Error(f"--out: expected another folder than that of the log, got {path}")
            require_no_folder(path)
            found[path] = copter_id
    return found
