"""Recordings that outlive what ends a command before its logs are written: `kept_recordings`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pyrfly.files import printable

__all__ = ["kept_recordings"]

_NAME = 40
"""Characters of a name that a folder begins with."""


@contextmanager
def kept_recordings(folder: Path, name: str) -> Iterator[Path]:
    """Yield a new folder for recordings (`pyrfly.log.Recorder`), which the block removes.

    It does so when their logs are written. Else it is kept and named, where something was recorded;
    a SIGKILL keeps it, too.

    Parameters
    ----------
    folder : Path
        Where it is created, as this itself is if there is none, and removed where it stays empty.
    name : str
        What its name begins with.
    """
    with _made(folder):
        recordings = Path(tempfile.mkdtemp(".recording", f"{name[:_NAME]}-", folder))
        try:
            yield recordings
        finally:
            kept = [path.parent for path in recordings.glob("*/chunk-000000.npz")]
            if not kept:
                shutil.rmtree(recordings, ignore_errors=True)
            for path in sorted(kept):
                print(f"what was recorded is in {printable(path)}", file=sys.stderr)


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Create a folder and those above it; at the end remove what is new of them and empty."""
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        for path in new:
            with suppress(OSError):  # there is something in it, or it was never made
                path.rmdir()
