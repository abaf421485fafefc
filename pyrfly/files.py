"""Files from untrusted sources, and whole files or none.

`read_regular`, `toml_document`, `replacing`.
"""

from __future__ import annotations

import codecs
import errno
import os
import re
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyrfly.errors import Error, brief

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

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
    "toml_document",
]

MAXIMUM_LINE = 2000
"""Maximum length of a line of a TOML file."""

MOST_PARTS = 32
"""Maximum number of parts of a dotted key of TOML, each of which takes a table."""


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


def toml_document(data: bytes) -> dict[str, Any]:
    """Return the document of the bytes of a TOML file, in a time in proportion to its length.

    Raises
    ------
    ValueError
        It is none; the message does not name it.
    """
    try:
        text = decoded(data)
        for number, line in enumerate(text.splitlines(), start=1):
            if len(line) > MAXIMUM_LINE:  # the time to parse a key grows with its length squared
                raise ValueError(f"line {number} has more than {MAXIMUM_LINE} characters")
            if _parts_of_keys(line) > MOST_PARTS:
                raise ValueError(f"line {number} has a key of more than {MOST_PARTS} parts")
        return tomllib.loads(text)
    except ValueError as error:  # also bytes that are not UTF-8, and integers of 4300 digits
        raise ValueError(f"not a TOML file: {error}") from None
    except RecursionError:
        raise ValueError("not a TOML file: too many nested values") from None


def _parts_of_keys(line: str) -> int:
    """Return at most how many parts a key of a line has: one that gets a value, or a head."""
    head, *values = line.split("#")[0].split("=")
    keys = [re.split(r"[{,]", text)[-1] for text in (head, *values[:-1])] if values else []
    if head.lstrip().startswith("[") and "," not in head:
        keys.append(head)
    return 1 + max((key.count(".") for key in keys), default=0)


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

    An OSError names the file; a device or a pipe of its name is one, and stays.

    After an exception, such as of a full disk, the temporary file is removed and a former file is
    as it was. A file of the name is complete at any time, also after a crash of the system.
    """
    target = path.resolve()  # not the link, if it is one
    stem = target.stem[:40]  # so that it is not too long where the other name is not
    temporary = target.with_name(f".{stem}-{secrets.token_hex(4)}{target.suffix}")
    if target.exists() and not (target.is_file() or target.is_dir()):
        raise FileExistsError(errno.EEXIST, "Not a regular file", str(path))
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
