"""What pyulog makes of the formats of a ULog file, before it does: `expanded_size`.

A type may have arrays of other types, so that few bytes can describe any number of fields, each of
which pyulog makes an object with a name, once per topic that is logged.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

__all__ = ["expanded_size"]

_FIELD = 1000  # bytes that pyulog and NumPy have for a field, beside its name; measured: 900
_INDEX = 8  # letters around the name of a type in that of its field, such as "[65535]."
_DEEPEST = 16  # types in one another; PX4's are in one, at most
_HEAD = 3  # bytes of the size and kind of a message, and those before the name of a topic


class _Expanded(NamedTuple):
    """Fields and types that a type has inside, itself included, letters of their names, depth."""

    parts: int
    letters: int
    depth: int


_BASIC = _Expanded(1, 0, 0)


def expanded_size(data: bytes, formats: Mapping[str, Any]) -> int:
    """Return the bytes that the fields of the logged topics of a ULog file take, at most.

    Parameters
    ----------
    data : bytes
        The file.
    formats : mapping of str to pyulog.ULog.MessageFormat
        Its types by name.

    Raises
    ------
    ValueError
        A type contains others very deeply, or itself.
    """
    known: dict[str, _Expanded] = {}
    size = 0
    for topic in _logged_topics(data, formats):
        found = _expanded(topic, formats, known, 0)
        size += found.parts * _FIELD + found.letters
    return size


def _logged_topics(data: bytes, formats: Mapping[str, Any]) -> Iterable[str]:
    """Yield the topics of all messages that may tell of one, at any place.

    pyulog goes on in a damaged file where it finds a message again; here each place counts.
    """
    for found in re.finditer(b"A", data):
        kind = found.start()
        if kind < _HEAD - 1:
            continue
        (size,) = struct.unpack_from("<H", data, kind - 2)
        name = data[kind + 1 + _HEAD : kind + 1 + size]
        topic = name.decode("utf-8", "ignore")
        if topic in formats:
            yield topic


def _expanded(
    name: str, formats: Mapping[str, Any], known: dict[str, _Expanded], level: int
) -> _Expanded:
    """Return what a type expands to; each is looked at once."""
    if name in known or name not in formats:  # pyulog ends at one that there is not
        return known.get(name, _BASIC)
    parts, letters, depth = 1, 0, 0
    for kind, count, field in formats[name].fields if level < _DEEPEST else ():
        inner = _expanded(kind, formats, known, level + 1)
        times = max(1, count)
        parts += times * inner.parts
        letters += times * (inner.letters + inner.parts * (len(field) + _INDEX))
        depth = max(depth, inner.depth)
    if max(level, depth) >= _DEEPEST:
        raise ValueError(f"types in one another up to {_DEEPEST} deep, got more in {name[:80]!r}")
    known[name] = _Expanded(parts, letters, depth + 1)
    return known[name]
