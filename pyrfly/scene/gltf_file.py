"""The JSON of a glTF file, whose entries are asked for by what they must be: `document_of`."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

from pyrfly.errors import SceneError, brief

__all__ = ["MAXIMUM_BYTES", "Entry", "document_of"]

MAXIMUM_BYTES = 512_000_000
"""Maximum size of a file, and of all buffers of a glTF file [bytes]."""

_MAXIMUM_JSON = 100_000_000  # bytes
_MOST_VALUES = 3_000_000  # of the JSON: each takes up to 200 bytes of memory
_HEADER = struct.Struct("<4sII")  # magic, version, length
_CHUNK = struct.Struct("<II")  # length, type
_JSON, _BINARY = 0x4E4F534A, 0x004E4942


class Entry:
    """An object of the JSON, and where it is for messages, such as ``nodes: entry 3: ``."""

    __slots__ = ("fields", "where")

    def __init__(self, where: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise SceneError(f"{where}expected an object, got {brief(value)}")
        self.where, self.fields = where, value

    def error(self, key: str, expected: str) -> SceneError:
        """Return an error that names the field, what was expected and what came."""
        got = brief(self.fields[key]) if key in self.fields else "nothing"
        return SceneError(f"{self.where}{key}: expected {expected}, got {got}")

    def rows(self, key: str) -> list[Any]:
        """Return a list; an empty one where there is none."""
        value = self.fields.get(key, [])
        if not isinstance(value, list):
            raise self.error(key, "a list")
        return value

    def entry(self, key: str, number: int) -> Entry:
        """Return an object of a list."""
        return Entry(f"{self.where}{key}: entry {number}: ", self.rows(key)[number])

    def part(self, key: str) -> Entry:
        """Return an object, an empty one where there is none."""
        return Entry(f"{self.where}{key}: ", self.fields.get(key, {}))

    def whole(self, key: str, below: int, default: int | None = None) -> int:
        """Return a whole number of 0 or more; without a default it has to be there."""
        value = self.fields.get(key, default)
        if type(value) is not int or not 0 <= value < below:
            raise self.error(key, f"a whole number, 0 or more and less than {below}")
        return value

    def numbers(self, key: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """Return finite numbers, as many as the default has."""
        if key not in self.fields:
            return default
        value = self.rows(key)
        if len(value) != len(default) or not all(map(_finite, value)):
            raise self.error(key, f"{len(default)} finite numbers")
        return tuple(map(float, value))


def _finite(value: Any) -> bool:
    if type(value) is int:
        return abs(value) < 1 << 63
    return type(value) is float and math.isfinite(value)


def document_of(data: bytes, ending: str) -> tuple[Entry, bytes | None]:
    """Return the JSON of a ``.gltf`` or ``.glb``, and the buffer that the latter has in it.

    Raises
    ------
    SceneError
        It is no glTF, or larger than may be.
    """
    text, binary = (data, None) if ending == ".gltf" else _chunks(data)
    if len(text) > _MAXIMUM_JSON:
        raise SceneError(f"expected at most {_MAXIMUM_JSON / 1e6:g} MB of JSON, got more")
    if sum(map(text.count, (b",", b"[", b"{"))) > _MOST_VALUES:
        raise SceneError(f"expected at most {_MOST_VALUES} values of JSON, got more")
    try:
        return Entry("", json.loads(text)), binary
    except RecursionError:
        raise SceneError("expected JSON, got one nested too deep") from None
    except json.JSONDecodeError as error:
        raise SceneError(f"expected JSON: {error}") from None
    except UnicodeDecodeError:
        raise SceneError("expected JSON in UTF-8") from None
    except SceneError:
        raise
    except ValueError:  # Python's limit of digits
        raise SceneError("expected JSON, got a number with too many digits") from None


def _chunks(data: bytes) -> tuple[bytes, bytes | None]:
    """Return the JSON and the buffer of a GLB."""
    if len(data) < _HEADER.size + _CHUNK.size:
        raise SceneError(f"expected the header of a GLB, got {len(data)} bytes")
    magic, version, length = _HEADER.unpack_from(data)
    if magic != b"glTF" or version != 2:
        raise SceneError("expected the header of a GLB of version 2")
    if length != len(data):
        raise SceneError(f"expected a GLB of {length} bytes by its header, got {len(data)}")
    text, end = _chunk(data, _HEADER.size, _JSON)
    if text is None:
        raise SceneError("expected JSON as the first chunk of a GLB")
    binary, _ = _chunk(data, end, _BINARY)
    return text, binary


def _chunk(data: bytes, start: int, kind: int) -> tuple[bytes | None, int]:
    """Return a chunk, None where it is of another kind, and where it ends."""
    first = start + _CHUNK.size
    if first > len(data):
        return None, len(data)
    length, found = _CHUNK.unpack_from(data, start)
    if first + length > len(data):
        raise SceneError(f"expected a chunk of {length} bytes, got {len(data) - first}")
    return data[first : first + length] if found == kind else None, first + length
