"""Recordings that outlive what ends a command before its logs are written: `kept_recordings`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
        Where it is created.
    name : str
        What its name begins with.
    """
    recordings = Path(tempfile.mkdtemp(".recording", f"{name[:_NAME]}-", folder))
    try:
        yield recordings
    finally:
        kept = [path.parent for path in recordings.glob("*/chunk-000000.npz")]
        if not kept:
            shutil.rmtree(recordings, ignore_errors=True)
        for path in sorted(kept):
            print(f"what was recorded is in {printable(path)}", file=sys.stderr)
