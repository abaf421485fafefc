"""Saved logs as arguments of commands, and what they write of them."""

from __future__ import annotations

import argparse
from pathlib import Path

from pyrfly.commands.progress import doing
from pyrfly.errors import Error
from pyrfly.files import printable
from pyrfly.log import Log
from pyrfly.mission import Mission, read_mission

__all__ = ["add_log_arguments", "load_log", "mission_of", "require_no_folder"]


def add_log_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the log and the vehicle in it."""
    parser.add_argument(
        "log",
        type=Path,
        help="a log as .npz, .parquet, .csv, .ulg of PX4, .bin of ArduPilot, or the folder of a "
        "recording (pyrfly.log.Recorder)",
    )
    parser.add_argument("--vehicle", type=int, metavar="ID", help="CopterID of the vehicle")


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
        with doing(f"reads {printable(path)}"):
            return Log.load(path)
    except OSError as error:
        raise Error(f"{printable(path)}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # its message begins with the path
        raise Error(str(error)) from None
