"""Saved logs as arguments of commands, and what they write of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyrfly.commands.progress import doing
from pyrfly.errors import Error
from pyrfly.files import printable
from pyrfly.log import Log
from pyrfly.log.log import LAST_ID
from pyrfly.log.readers import LOG_FILES
from pyrfly.mission import Mission, read_mission
from pyrfly.options import number, whole_number

__all__ = [
    "LONGEST",
    "add_copter_id",
    "add_log",
    "add_span",
    "load_log",
    "mission_of",
    "reading",
    "require_no_folder",
]

LONGEST = 1e12
"""Largest time of a log [s]."""


def add_log(parser: argparse.ArgumentParser, otherwise: str = "") -> None:
    """Define the log, which may be left out if it is said what is done then."""
    parser.add_argument(
        "log",
        type=Path,
        nargs="?" if otherwise else None,
        help=f"a log as {LOG_FILES}{otherwise and f'; without, {otherwise}'}",
    )


def add_copter_id(
    parser: argparse.ArgumentParser, option: str = "--copter-id", default: str = "the first"
) -> None:
    """Define which vehicle of a log is meant."""
    parser.add_argument(
        option,
        type=whole_number(1, LAST_ID),
        metavar="ID",
        help=f"CopterID of the vehicle in the log (default: {default})",
    )


def add_span(parser: argparse.ArgumentParser, what: str) -> None:
    """Define which part of the time of a log is used, as ``begin`` and ``end``."""
    for option, name, which in (("--from", "begin", "first"), ("--to", "end", "last")):
        parser.add_argument(
            option,
            dest=name,
            type=number(-LONGEST, LONGEST, "s"),
            metavar="S",
            help=f"{which} time {what} [s]",
        )


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
    with reading(path), doing(f"reads {printable(path)}"):
        return Log.load(path)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn errors of what reads a path, or a file that it leads to, into those of commands."""
    try:
        yield
    except OSError as error:
        file = path if error.filename is None else Path(error.filename)
        raise Error(f"{printable(file)}: cannot be read: {error.strerror or error}") from None
    except Error:
        raise
    except ValueError as error:  # its message begins with the path
        raise Error(str(error)) from None
