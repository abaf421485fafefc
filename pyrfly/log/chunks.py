"""Recordings on disk, chunk by chunk: `ChunkFolder`, `read_chunks`.

A recording is a folder that NumPy alone can read: ``header.npz`` with ``header`` (JSON) and
``copter_ids``, and ``chunk-000000.npz``, ``chunk-000001.npz``, ... with ``time`` and the columns of
consecutive samples. Each file is written under a temporary name and moved, so that all chunks are
complete, whatever ends the recording.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.files import replacing
from pyrfly.log.columns import header_text

__all__ = ["ChunkFolder", "read_arrays", "read_chunks"]

Arrays = dict[str, NDArray[Any]]

_HEADER = "header.npz"
_CHUNK = "chunk-{:06d}.npz"


class ChunkFolder:
    """Folder of a recording that is being written.

    Parameters
    ----------
    folder : Path
        Created; an existing one must be empty.
    fields : iterable of Field
        The columns.
    copter_ids : ndarray, shape (n,)
        CopterIDs of the vehicles.
    metadata : dict
        Saved as JSON.

    Raises
    ------
    FileExistsError
        The folder is not empty.
    TypeError
        ``metadata`` contains a value that JSON cannot represent.
    """

    def __init__(
        self,
        folder: Path,
        fields: Iterable[Field],
        copter_ids: NDArray[np.int64],
        metadata: dict[str, Any],
    ) -> None:
        self._fields = tuple(fields)
        self._copter_ids = copter_ids
        header = header_text(self._fields, metadata)
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise FileExistsError(f"folder: expected a new or an empty one, got {str(folder)!r}")
        self.path = folder
        self.count = 0
        self._write_header(header)

    def describe(self, metadata: dict[str, Any]) -> None:
        """Replace the metadata, if they have changed."""
        header = header_text(self._fields, metadata)
        if header != self._header:
            self._write_header(header)

    def _write_header(self, header: str) -> None:
        arrays = {"header": np.array(header), "copter_ids": self._copter_ids}
        _write(self.path / _HEADER, arrays)
        self._header = header

    def append(self, chunk: Arrays) -> None:
        """Write the next chunk: ``time`` and the columns of some samples."""
        _write(self.path / _CHUNK.format(self.count), chunk)
        self.count += 1


def _write(file: Path, arrays: Arrays) -> None:
    with replacing(file) as temporary, temporary.open("wb") as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]


def read_arrays(file: Path) -> Arrays:
    """Return the arrays of an ``.npz`` file, without unpickling.

    Raises
    ------
    BadZipFile
        It is another kind of file.
    ValueError
        It is not a regular file, or an array is damaged, or one of Python objects.
    """
    if file.exists() and not file.is_file():  # a device has no end, and a FIFO no beginning
        raise ValueError("a regular file")
    # numpy.load would take another kind of file for a pickle, and advise to trust it
    with file.open("rb") as stream, NpzFile(stream, allow_pickle=False) as arrays:
        return {name: _array(arrays, name) for name in arrays}


def _array(arrays: NpzFile, name: str) -> NDArray[Any]:
    try:
        return arrays[name]
    except ValueError:  # its message may have the same advice
        raise ValueError(f"{name}: an array that is damaged, or of Python objects") from None


def _read_chunk(file: Path) -> Arrays:
    """Return the arrays of a chunk; raise a ValueError that names it if it is damaged."""
    try:
        return read_arrays(file)
    except OSError:
        raise
    except Exception as error:  # zipfile, zlib, lzma and NumPy have one for every damage
        raise ValueError(f"whole chunks, got a damaged {file.name}: {error}") from None


def read_chunks(folder: Path) -> tuple[Arrays, set[str]]:
    """Return the arrays of a recording, and the names of those that chunks have.

    Raises
    ------
    ValueError
        A chunk is missing or damaged, or chunks differ in their arrays.
    """
    whole = read_arrays(folder / _HEADER)
    files = sorted(folder.glob("chunk-*.npz"))
    expected = [_CHUNK.format(number) for number in range(len(files))]
    if not files or [file.name for file in files] != expected:
        raise ValueError(f"chunks from {_CHUNK.format(0)} without a gap in {folder}")
    chunks = [_read_chunk(file) for file in files]
    names = set(chunks[0])
    if any(set(chunk) != names for chunk in chunks):
        raise ValueError(f"chunks of the same columns in {folder}")
    for name in names:
        # the parts of a column are dropped as soon as they are joined
        whole[name] = np.concatenate([chunk.pop(name) for chunk in chunks])
    return whole, names
