"""The arrays of a glTF file: `Arrays`."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import SceneError
from pyrfly.scene.gltf_file import MAXIMUM_BYTES, Entry

__all__ = ["Arrays"]

_FLOAT = {5126: "<f4"}
_WHOLE = {5121: "u1", 5123: "<u2", 5125: "<u4"}
_LARGEST_STRIDE = 252  # bytes [@gltf 3.6.2]


class _Kind(NamedTuple):
    """What an array has to be: columns by the name of its type, and dtypes by their number."""

    columns: dict[str, int]
    dtypes: dict[int, str]


_SHARES = {number: _WHOLE[number] for number in (5121, 5123)} | _FLOAT  # of the largest number
_NUMBERS = _Kind({"SCALAR": 1}, _WHOLE)
_KINDS = {
    "POSITION": _Kind({"VEC3": 3}, _FLOAT),
    "TEXCOORD": _Kind({"VEC2": 2}, _SHARES),
    "COLOR": _Kind({"VEC3": 3, "VEC4": 4}, _SHARES),
}


class _Layout(NamedTuple):
    """Where an array lies in its view of a buffer [bytes]."""

    view: Entry
    offset: int
    stride: int
    rows: int
    columns: int
    dtype: np.dtype[Any]


class Arrays:
    """The accessors of a glTF file, which are views of its buffers; these are read once.

    Parameters
    ----------
    document : Entry
        The JSON.
    binary : bytes or None
        The buffer within a GLB.
    read : callable
        Returns the file that a ``uri`` names.
    """

    def __init__(self, document: Entry, binary: bytes | None, read: Callable[[str], bytes]) -> None:
        self._document, self._binary, self._read = document, binary, read
        self._buffers: dict[int, bytes] = {}

    def count(self, user: Entry, key: str) -> int:
        """Return the rows of the array that a field names."""
        return self._layout(user, key, _kind_of(key)).rows

    def array(self, user: Entry, key: str) -> NDArray[Any]:
        """Return the array that a field names: places, colours (n, columns) or numbers (n, 1)."""
        view, offset, stride, count, columns, dtype = self._layout(user, key, _kind_of(key))
        data, start = self._viewed(view)
        shape, strides = (count, columns), (stride, dtype.itemsize)
        return np.ndarray(shape, dtype, data, start + offset if count else 0, strides)

    def data(self, user: Entry) -> bytes:
        """Return the bytes that an entry has by a view of a buffer or by the name of a file."""
        if "bufferView" not in user.fields:
            return self._named(user)
        number = user.whole("bufferView", len(self._document.rows("bufferViews")))
        view = self._document.entry("bufferViews", number)
        view.whole("byteLength", MAXIMUM_BYTES + 1)
        data, start = self._viewed(view)
        return data[start : start + view.fields["byteLength"]]

    def _viewed(self, view: Entry) -> tuple[bytes, int]:
        """Return the buffer of a view, and where that begins in it."""
        number = view.whole("buffer", len(self._document.rows("buffers")))
        if number not in self._buffers:
            self._buffers[number] = self._buffer(number)
        data = self._buffers[number]
        start, length = view.whole("byteOffset", MAXIMUM_BYTES, 0), view.fields["byteLength"]
        if start + length > len(data):
            raise view.error("byteLength", f"bytes of a buffer of {len(data)} from {start}")
        return data, start

    def _layout(self, user: Entry, key: str, kind: _Kind) -> _Layout:
        number = user.whole(key, len(self._document.rows("accessors")))
        accessor = self._document.entry("accessors", number)
        if "sparse" in accessor.fields:
            raise accessor.error("sparse", "none")
        named = accessor.fields.get("type")
        columns = kind.columns.get(named, 0) if isinstance(named, str) else 0
        if not columns:
            raise accessor.error("type", f"{' or '.join(kind.columns)} of {key}")
        component = accessor.whole("componentType", 1 << 16)
        if component not in kind.dtypes:
            raise accessor.error(
                "componentType", f"one of {', '.join(map(str, kind.dtypes))} of {key}"
            )
        dtype = np.dtype(kind.dtypes[component])
        view = self._document.entry(
            "bufferViews", accessor.whole("bufferView", len(self._document.rows("bufferViews")))
        )
        size = dtype.itemsize * columns
        stride = view.whole("byteStride", _LARGEST_STRIDE + 1, size)
        if stride < size:
            raise view.error("byteStride", f"at least {size}")
        offset = accessor.whole("byteOffset", MAXIMUM_BYTES, 0)
        count = accessor.whole("count", MAXIMUM_BYTES)
        needed = offset + (count - 1) * stride + size if count else 0
        if needed > view.whole("byteLength", MAXIMUM_BYTES + 1):
            raise view.error("byteLength", f"the {needed} bytes of accessor {number}")
        return _Layout(view, offset, stride, count, columns, dtype)

    def _buffer(self, number: int) -> bytes:
        buffer = self._document.entry("buffers", number)
        inside = self._binary if number == 0 and buffer.fields.get("uri") is None else None
        data = self._named(buffer) if inside is None else inside
        length = buffer.whole("byteLength", MAXIMUM_BYTES + 1)
        if length > len(data):
            raise SceneError(f"{buffer.where}expected {length} bytes, got {len(data)}")
        return data

    def _named(self, user: Entry) -> bytes:
        """Return the bytes of what the ``uri`` of an entry names, or is."""
        uri = user.fields.get("uri")
        if not isinstance(uri, str):
            raise user.error("uri", "the name of a file")
        if uri.startswith("data:"):
            return _decoded(user, uri)
        try:
            return self._read(uri)
        except ValueError as error:
            raise SceneError(f"{user.where}{error}") from None


def _kind_of(key: str) -> _Kind:
    return _KINDS.get(key.partition("_")[0], _NUMBERS)


def _decoded(buffer: Entry, uri: str) -> bytes:
    head, _, text = uri.partition(",")
    try:
        if head.endswith(";base64"):
            return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        pass
    raise buffer.error("uri", "data in base64")
