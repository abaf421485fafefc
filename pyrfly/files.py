"""Files from untrusted sources, and whole files or none: `read_regular`, `replacing`."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["is_regular", "printable", "read_regular", "readable", "replacing"]


def printable(path: Path) -> str:
    """Return a path on one line: names may contain line breaks or undecodable bytes."""
    text = str(path)
    return text if text.isprintable() else repr(text)


def readable(text: str) -> str:
    """Return a text from a file name that can be printed: undecodable bytes are escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def is_regular(path: Path) -> bool:
    """Return whether there is a regular file of this name, which may be any text."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long, or with a null character
        return False


def read_regular(path: Path, maximum: int) -> bytes:
    """Return the bytes of a file.

    Parameters
    ----------
    path : Path
        The file.
    maximum : int
        Maximum size [bytes].

    Raises
    ------
    ValueError
        It cannot be read, is not a regular file, or is larger. The message does not name it.
    """
    try:
        irregular = path.exists() and not path.is_file()
        if not irregular:
            with path.open("rb") as stream:
                data = stream.read(maximum + 1)
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror or 'unknown error'}") from None
    except ValueError as error:  # a path with a null character
        raise ValueError(f"cannot be read: {error}") from None
    if irregular:
        raise ValueError("expected a regular file")
    if len(data) > maximum:
        raise ValueError(f"expected at most {maximum / 1e6:g} MB, got more")
    return data


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside a file; at the end of the block it replaces the file.

    After an exception, such as of a full disk, the temporary file is removed and a former file is
    as it was. A file of the name is complete at any time, also after a crash of the system.
    """
    target = path.resolve()  # not the link, if it is one
    stem = target.stem[:40]  # so that it is not too long where the other name is not
    temporary = target.with_name(f".{stem}-{secrets.token_hex(4)}{target.suffix}")
    try:
        yield temporary
        with temporary.open("rb+") as stream:
            os.fsync(stream.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
