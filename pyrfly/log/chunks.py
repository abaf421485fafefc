"""Logs on disk, also chunk by chunk: `ChunkFolder`, `read_log`.

A recording is a folder that NumPy alone can read: ``header.npz`` with ``header`` (JSON) and
``copter_ids``, and ``chunk-000000.npz``, ``chunk-000001.npz``, ... with ``time`` and the columns of
consecutive samples. Each file is written under a temporary name and moved, so that all chunks are
complete, whatever ends the recording.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.files import replacing
from pyrfly.log.columns import FAULT_COLUMNS, fields_of, header_text
from pyrfly.log.untrusted import opened, require_size

__all__ = ["ChunkFolder", "read_log", "write_arrays"]

Arrays = dict[str, NDArray[Any]]
Fields = dict[str, Field]

_HEADER = "header.npz"
_CHUNK = "chunk-{:06d}.npz"
_AXES = ("time", "copter_ids")


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
        self._copter_ids = copter_ids
        header = header_text(fields, metadata)
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise FileExistsError(f"folder: expected a new or an empty one, got {str(folder)!r}")
        self.path = folder
        self.count = 0
        self._write_header(header)

    def describe(self, fields: Iterable[Field], metadata: dict[str, Any]) -> None:
        """Replace columns and metadata, if they have changed."""
        header = header_text(fields, metadata)
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
    with replacing(file) as temporary:
        write_arrays(temporary, arrays)


def write_arrays(file: Path, arrays: Arrays) -> None:
    """Write an ``.npz`` file; texts, of which NumPy has four bytes a character, are compressed."""
    with ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            member = ZipInfo(f"{name}.npy")
            member.compress_type = ZIP_DEFLATED if array.dtype.kind == "U" else ZIP_STORED
            with archive.open(member, "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)


def read_log(path: Path) -> tuple[Fields, dict[str, Any], Arrays]:
    """Return fields, metadata and arrays of a saved log or of the folder of a recording.

    Only what the header names is read, without unpickling.

    Raises
    ------
    BadZipFile
        It is another kind of file.
    KeyError
        An array is missing.
    ValueError
        It is not a regular file; an array or the header is damaged, of Python objects, or larger
        than its file can be; a chunk is missing, or chunks differ in their arrays.
    """
    if path.is_dir():
        return _read_folder(_recording_in(path))
    with _opened(path) as found:
        fields, metadata = _header_of(found)
        return fields, metadata, {name: _array(found, name) for name in (*_AXES, *fields)}


def _recording_in(folder: Path) -> Path:
    """Return a folder with a header: this one, or the only one in it, as an ended flight leaves."""
    if (folder / _HEADER).exists():
        return folder
    inside = [header.parent for header in folder.glob(f"*/{_HEADER}")]
    if len(inside) != 1:
        raise ValueError(f"{_HEADER} in {folder}, or in one folder in it, got {len(inside)}")
    return inside[0]


def _read_folder(folder: Path) -> tuple[Fields, dict[str, Any], Arrays]:
    with _opened(folder / _HEADER) as found:
        fields, metadata = _header_of(found)
        copter_ids = _array(found, "copter_ids")
    files = sorted(folder.glob("chunk-*.npz"))
    expected = [_CHUNK.format(number) for number in range(len(files))]
    if not files:
        raise ValueError(f"at least one chunk, got none in {folder}: it ended before the first")
    if [file.name for file in files] != expected:
        raise ValueError(f"chunks from {_CHUNK.format(0)} without a gap in {folder}")
    chunks = [_read_chunk(file, ("time", *fields)) for file in files]
    for name in FAULT_COLUMNS:
        _complete(chunks, name)
    # the header may be ahead of the chunks of a recording that was killed
    fields = {name: field for name, field in fields.items() if name in chunks[0]}
    names = ("time", *fields)
    # the parts of a column are dropped as soon as they are joined
    arrays = {name: np.concatenate([chunk.pop(name) for chunk in chunks]) for name in names}
    return fields, metadata, {**arrays, "copter_ids": copter_ids}


def _complete(chunks: Sequence[Arrays], name: str) -> None:
    """Put zeros into chunks before the first one with a column."""
    first = next((chunk[name] for chunk in chunks if name in chunk), None)
    if first is not None:
        for chunk in chunks:
            shape = chunk["time"].shape[:1] + first.shape[1:]
            chunk.setdefault(name, np.broadcast_to(np.zeros((), first.dtype), shape))


def _read_chunk(file: Path, names: Sequence[str]) -> Arrays:
    """Return the arrays of a chunk; raise a ValueError that names it if it is damaged.

    It may lack columns of faults, which come with the first fault.
    """
    try:
        with _opened(file) as found:
            if not set(names) - set(FAULT_COLUMNS) <= set(found) <= set(names):
                raise ValueError(f"expected {', '.join(names)}, got {', '.join(found)}")
            return {name: _array(found, name) for name in found}
    except OSError:
        raise
    except Exception as error:  # zipfile, zlib, lzma and NumPy have one for every damage
        raise ValueError(f"whole chunks, got a damaged {file.name}: {error}") from None


def _header_of(found: NpzFile) -> tuple[Fields, dict[str, Any]]:
    header = json.loads(str(_array(found, "header")))
    return fields_of(header), header["metadata"]


@contextmanager
def _opened(file: Path) -> Iterator[NpzFile]:
    """Open an ``.npz`` file; what it expands to is limited by its size."""
    # numpy.load would take another kind of file for a pickle, and advise to trust it
    with opened(file) as stream, _npz(stream) as found:
        assert found.zip is not None
        require_size(file, sum(member.file_size for member in found.zip.infolist()))
        yield found


def _npz(stream: IO[bytes]) -> NpzFile:
    try:
        return NpzFile(stream, allow_pickle=False)
    except BadZipFile:
        stream.seek(0)
        if stream.read(2) != b"PK":
            raise
        raise ValueError("a whole file, got a damaged one, or a part of one") from None


def _array(found: NpzFile, name: str) -> NDArray[Any]:
    if name not in found:
        raise KeyError(name)
    try:
        array: NDArray[Any] = found[name]
    except ValueError:  # its message may have the advice to unpickle
        raise ValueError(f"{name}: an array that is damaged, or of Python objects") from None
    return array
