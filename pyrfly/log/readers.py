"""What logs are, by suffix, and what reads them: `READERS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pyrfly.log.chunks import read_log
from pyrfly.log.read_dataflash import dataflash_series, read_dataflash
from pyrfly.log.read_tables import read_csv, read_parquet
from pyrfly.log.read_ulog import read_ulog, ulog_series
from pyrfly.log.series import FlightData

__all__ = ["FOLDER", "LOG_FILES", "READERS", "Reader", "suffix_of"]

FOLDER = "/"
"""In place of a suffix, of the folder of a recording."""


class Reader(NamedTuple):
    """What reads a kind of log.

    Attributes
    ----------
    kind : str
        What it is, as errors call it.
    named : str
        The same in the list of all, `LOG_FILES`.
    read : callable
        Returns columns at common times, with their fields and the metadata.
    series : callable, optional
        Returns columns each at the times of its own samples, where the log has such.
    """

    kind: str
    named: str
    read: Callable[[Path], Any]
    series: Callable[[Path], FlightData] | None = None


READERS: Mapping[str, Reader] = {
    ".npz": Reader("an .npz file of Log.save", ".npz", read_log),
    ".parquet": Reader("a .parquet table of a Log", ".parquet", read_parquet),
    ".csv": Reader("a .csv table of a Log", ".csv", read_csv),
    ".ulg": Reader("a ULog file", ".ulg of PX4", read_ulog, ulog_series),
    ".bin": Reader(
        "a DataFlash log of ArduPilot", ".bin of ArduPilot", read_dataflash, dataflash_series
    ),
    FOLDER: Reader("a folder of a Recorder", "the folder of a recording", read_log),
}
"""By suffix."""

_NAMED = [reader.named for reader in READERS.values()]

LOG_FILES = f"{', '.join(_NAMED[:-1])}, or {_NAMED[-1]}"
"""All of them, for help and errors."""


def suffix_of(path: Path) -> str:
    """Return the key of a path in `READERS`, which it may lack."""
    return FOLDER if path.is_dir() else path.suffix.lower()
