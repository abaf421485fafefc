"""Logs from untrusted sources: `opened`, limits of what a file may expand to, `quiet` numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.files import named_in_errors

__all__ = ["Ending", "opened", "quiet", "require_size"]

_SMALL, _EXPANSION = 100_000_000, 100
"""Bytes that any file may expand to, and how many of a larger one for each of its own. Ours expand
to none; those that others have compressed do."""

_AGAIN = 1000
"""Times that a reader may meet the end of a file from one place; estimated."""


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


class Ending:
    """A stream whose reader comes to an end.

    pyulog 1.3 steps back behind a message of the kind 0, without end where the file is cut off
    in it. Such a reader meets the end of the file again and again at the same place.

    Parameters
    ----------
    stream : binary stream
        The stream.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._ends: Counter[int] = Counter()
        self.seek, self.tell, self.close = stream.seek, stream.tell, stream.close

    def read(self, size: int) -> bytes:
        """Read bytes; an OSError as of damage if the end was met here too often before."""
        data = self._stream.read(size)
        if len(data) < size:
            place = self._stream.tell() - len(data)
            self._ends[place] += 1
            if self._ends[place] > _AGAIN:
                raise OSError(EINVAL, "a reader that does not end")
        return data


def require_size(file: Path, size: int) -> None:
    """Raise a ValueError if a file expands to more bytes than one of its size may."""
    most = max(_SMALL, _EXPANSION * file.stat().st_size)
    if size > most:
        raise ValueError(f"arrays of at most {most / 1e6:.0f} MB, got {size / 1e6:.0f} MB")


def quiet(values: NDArray[Any]) -> NDArray[Any]:
    """Return numbers without signaling NaN, which arithmetic with them would warn of."""
    if values.dtype.kind != "f" or not (unknown := np.isnan(values)).any():
        return values
    return np.where(unknown, values.dtype.type(np.nan), values)
