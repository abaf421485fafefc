"""MAVLink messages as NumPy structured dtypes: `MESSAGES`, `blank`, `unpack`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.errors import brief, near_names, table_of
from pyrfly.mavlink.definitions import DEFINITIONS

__all__ = ["MESSAGES", "MESSAGES_BY_ID", "Message", "blank", "message_of", "unpack"]

_C_TYPES = {
    **{f"u{size}": f"uint{8 * size}_t" for size in (1, 2, 4, 8)},
    **{f"i{size}": f"int{8 * size}_t" for size in (1, 2, 4, 8)},
    "f4": "float",
    "f8": "double",
    "S": "char",
}
"""Names of types in a definition, which its checksum covers."""


@dataclass(frozen=True)
class Message:
    """Definition of a message.

    Attributes
    ----------
    name : str
        MAVLink's name.
    id : int
        Its identifier.
    dtype : numpy.dtype
        Its fields in the order of the wire, little-endian and without padding. Extensions are last.
        ``itemsize`` is the length of a payload of which no zeros are left out [bytes].
    crc_extra : int
        Checksum of the definition, which is a part of the checksum of each frame.
    minimum_length : int
        Length of a payload without extensions [bytes].
    fields : tuple of str
        Names of the fields in the order of the definition.
    """

    name: str
    id: int
    dtype: np.dtype[np.void]
    crc_extra: int
    minimum_length: int
    fields: tuple[str, ...]

    def record(self, payload: bytes) -> np.void:
        """Return the record of one received payload, as `unpack` does of many."""
        return cast(np.void, np.frombuffer(_padded(payload, self.dtype.itemsize), self.dtype)[0])


class _Field(NamedTuple):
    """A field of a definition; `items` is 0 unless it is an array or a text."""

    kind: str
    name: str
    items: int = 0

    @property
    def item_size(self) -> int:
        return 1 if self.kind == "S" else int(self.kind[1])

    @property
    def size(self) -> int:
        return self.item_size * max(self.items, 1)

    def dtype(self) -> tuple[str, str] | tuple[str, str, tuple[int]]:
        if self.kind == "S":
            return self.name, f"S{self.items}"
        return (
            (self.name, "<" + self.kind, (self.items,))
            if self.items
            else (self.name, "<" + self.kind)
        )

    def signed(self) -> bytes:
        """Return what the checksum of a definition covers."""
        text = f"{_C_TYPES[self.kind]} {self.name} ".encode()
        return text + bytes([self.items]) if self.items else text


def _names(word: str) -> list[str]:
    """Return the names that a word such as ``param{1..4}`` stands for."""
    parts = re.fullmatch(r"(.*)\{(\d+)\.\.(\d+)\}(.*)", word)
    if parts is None:
        return [word]
    return [f"{parts[1]}{i}{parts[4]}" for i in range(int(parts[2]), int(parts[3]) + 1)]


def _fields(text: str) -> Iterator[_Field]:
    """Yield the fields of declarations such as ``u4 time; f4 q[4] x; S16 name``."""
    for declaration in filter(None, text.split(";")):
        kind, *words = declaration.split()
        for name in (name for word in words for name in _names(word)):
            if kind[0] == "S":
                yield _Field("S", name, int(kind[1:]))
            else:
                plain, _, count = name.rstrip("]").partition("[")
                yield _Field(kind, plain, int(count or 0))


def _message(name: str, id: int, text: str) -> Message:
    declared, _, more = text.partition("|")
    fields, extensions = list(_fields(declared)), list(_fields(more))
    # The largest items first, so that a C struct has no padding; extensions were added behind them.
    ordered = sorted(fields, key=lambda field: -field.item_size)
    crc = _core.mavlink_crc(f"{name} ".encode() + b"".join(field.signed() for field in ordered))
    return Message(
        name,
        id,
        np.dtype([field.dtype() for field in ordered + extensions]),
        crc & 0xFF ^ crc >> 8,
        sum(field.size for field in fields),
        tuple(field.name for field in fields + extensions),
    )


def _messages() -> Iterator[Message]:
    for line in DEFINITIONS.replace("\n    ", " ").split("\n"):
        if line:
            head, _, text = line.partition(": ")
            name, id = head.split()
            yield _message(name, int(id), text)


MESSAGES: Mapping[str, Message] = table_of({m.name: m for m in _messages()})
"""All messages by name."""

MESSAGES_BY_ID: Mapping[int, Message] = MappingProxyType({m.id: m for m in MESSAGES.values()})
"""All messages by identifier."""


def message_of(name: str) -> Message:
    """Return a message by name.

    Raises
    ------
    ValueError
        There is none of that name.

    Examples
    --------
    >>> heartbeat = message_of("HEARTBEAT")
    >>> heartbeat.id, heartbeat.crc_extra, heartbeat.dtype.names[:2]
    (0, 50, ('custom_mode', 'type'))
    """
    try:
        return MESSAGES[name]
    except (KeyError, TypeError):  # TypeError: what has no hash
        near = near_names(str(name), MESSAGES)
        raise ValueError(f"name: expected a message such as {near}, got {brief(name)}") from None


def blank(name: str, n: int = 1) -> NDArray[np.void]:
    """Return records of a message to be filled in, all fields zero.

    Parameters
    ----------
    name : str
        A key of `MESSAGES`.
    n : int
        Number of records.

    Returns
    -------
    ndarray, shape (n,), of the message's dtype

    Raises
    ------
    ValueError
        There is no such message.

    Examples
    --------
    >>> records = blank("LOCAL_POSITION_NED", 3)
    >>> records["z"] = -10, -20, -30
    >>> records.dtype.itemsize, float(records["z"][1])
    (28, -20.0)
    """
    return np.zeros(n, message_of(name).dtype)


def unpack(name: str, payloads: Iterable[bytes]) -> NDArray[np.void]:
    """Return the records of received payloads of a message.

    Zeros that were left out at the end of a payload are 0; what is longer than the definition, as
    from a sender that knows more extensions, is cut.

    Parameters
    ----------
    name : str
        A key of `MESSAGES`.
    payloads : iterable of bytes
        The n payloads, such as `Frame.payload`.

    Returns
    -------
    ndarray, shape (n,), of the message's dtype
        Read-only.

    Raises
    ------
    ValueError
        There is no such message.

    Examples
    --------
    >>> unpack("PING", [bytes([7]), bytes([0] * 8 + [2])])[["time_usec", "seq"]].tolist()
    [(7, 0), (0, 2)]
    """
    dtype = message_of(name).dtype
    size = dtype.itemsize
    return np.frombuffer(b"".join([_padded(payload, size) for payload in payloads]), dtype)


def _padded(payload: bytes, size: int) -> bytes:
    return payload[:size].ljust(size, b"\0")
