"""Logs from untrusted sources: `opened`, and limits of what a file may expand to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL
from pathlib import Path
from typing import IO

from pyrfly.files import named_in_errors

__all__ = ["opened", "require_size"]

_SMALL, _EXPANSION = 100_000_000, 100
"""Bytes that any file may expand to, and how many of a larger one for each of its own. Ours expand
to none; those that others have compressed do."""


@contextmanager
def opened(file: Path) -> Iterator[IO[bytes]]:
    """Open a regular file; an OSError of the block that is of damage becomes a ValueError.

    A damaged file sends its reader to a place before its begin, or has what Arrow cannot expand.
    """
    if file.exists() and not file.is_file():  # a device has no end, and a FIFO no beginning
        raise ValueError("a regular file")
    try:
        with named_in_errors(file), file.open("rb") as stream:
            yield stream
    except OSError as error:
        if error.errno not in (None, EINVAL):
            raise
        raise ValueError("a file that is not damaged") from None


def require_size(file: Path, size: int) -> None:
    """Raise a ValueError if a file expands to more bytes than one of its size may."""
    most = max(_SMALL, _EXPANSION * file.stat().st_size)
    if size > most:
        raise ValueError(f"arrays of at most {most / 1e6:.0f} MB, got {size / 1e6:.0f} MB")
