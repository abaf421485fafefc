"""Files from untrusted sources, and whole files or none: `read_regular`, `decoded`, `replacing`."""

from __future__ import annotations

import codecs
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyrfly.errors import Error, brief

__all__ = [
    "decoded",
    "is_regular",
    "named_in_errors",
    "path_of",
    "prepare_folder",
    "printable",
    "read_regular",
    "readable",
    "replacing",
]


def path_of(name: str, path: str | os.PathLike[str]) -> Path:
    """Return an argument as a path; raise a TypeError that names it where it is none."""
    try:
        return Path(path)
    except TypeError:
        raise TypeError(f"{name}: expected a str or a path, got {brief(path)}") from None


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


def decoded(data: bytes, errors: str = "strict") -> str:
    """Return the text of a file in UTF-8, or in what its byte-order mark says: UTF-8 or UTF-16.

    Parameters
    ----------
    data : bytes
        The file.
    errors : str
        What becomes of other bytes, as of `bytes.decode`.

    Raises
    ------
    UnicodeDecodeError
        There are other bytes, and ``errors`` is ``'strict'``; a ValueError.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors)
    return data.decode("utf-8-sig", errors)


def prepare_folder(name: str, folder: Path) -> None:
    """Create a folder for outputs, and check that files can be written into it.

    Parameters
    ----------
    name : str
        The option that names it, for messages.
    folder : Path
        The folder.

    Raises
    ------
    Error
        There is a file of its name, or of that of a folder that it is in.
    OSError
        It cannot be created or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise Error(f"{name}: expected a folder, got {printable(folder)}, a file") from None
    with tempfile.TemporaryFile(dir=folder):
        pass


@contextmanager
def named_in_errors(path: Path) -> Iterator[None]:
    """Let an OSError of the block that names no file name this one.

    The system names a file that it cannot open, but not one that it cannot write to, as on a full
    disk.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None:
            error.args = (f"{printable(path)}: {error}",)
        elif error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside a file; at the end of the block it replaces the file.

    An OSError names the file.

    After an exception, such as of a full disk, the temporary file is removed and a former file is
    as it was. A file of the name is complete at any time, also after a crash of the system.
    """
    target = path.resolve()  # not the link, if it is one
    stem = target.stem[:40]  # so that it is not too long where the other name is not
    temporary = target.with_name(f".{stem}-{secrets.token_hex(4)}{target.suffix}")
    try:
        with named_in_errors(path):
            yield temporary
            with temporary.open("rb+") as stream:
                os.fsync(stream.fileno())
            temporary.replace(target)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename == str(temporary):
            error.filename = str(path)  # the name that was asked for
        temporary.unlink(missing_ok=True)
        raise
