"""Serial link of a hardware-in-the-loop simulation of a quadrotor [@pixhawk-hil tables 1, 2].

A frame is the header 0xAA55, a type and a length of one byte each, that many bytes of parameters,
and a CRC of two bytes over type, length and parameters. The model sends attitude, position and
angular velocity, the controller the speeds of four motors. `encode` makes a frame, a `SerialParser`
finds frames in a stream of bytes.

The source gives neither byte orders, nor the start value of the CRC, nor the type of the numbers,
nor units: they are `SerialOptions`, and the units below are assumptions.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal, NamedTuple

from pyrfly.errors import brief
from pyrfly.protocol.crc16 import Crc16

__all__ = ["Kind", "Message", "Order", "SerialOptions", "SerialParser", "encode"]

Order = Literal["big", "little"]
"""Order of the bytes of a number."""

HEADER = 0xAA55


class Kind(IntEnum):
    """Types of frames; integers of 32 bits count the units in braces."""

    ATTITUDE = 1
    """Roll, pitch, yaw [rad] {1e-6 rad}."""
    POSITION = 2
    """Longitude, latitude [deg] {1e-7 deg}, height [m, up] {1e-3 m}."""
    RATES = 3
    """Angular velocity [rad/s, FRD] {1e-6 rad/s}."""
    MOTOR_SPEEDS = 4
    """Speeds of the four motors [1/min], whole numbers of 16 bits."""


_UNITS = {
    Kind.ATTITUDE: (1e6, 1e6, 1e6),
    Kind.POSITION: (1e7, 1e7, 1e3),
    Kind.RATES: (1e6, 1e6, 1e6),
    Kind.MOTOR_SPEEDS: (1.0, 1.0, 1.0, 1.0),
}
"""Integers per unit, of each number."""

_FLOAT32 = (2.0 - 2.0**-23) * 2.0**127
_RANGES = {"f": (-_FLOAT32, _FLOAT32), "i": (-(2**31), 2**31 - 1), "H": (0, 2**16 - 1)}
"""Ranges of numbers, by their type in `struct`."""


def _check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    if value not in choices:
        raise ValueError(f"{name}: expected one of {', '.join(choices)}, got {brief(value)}")


@dataclass(frozen=True)
class SerialOptions:
    """What the source leaves open; both ends have to agree on it.

    Attributes
    ----------
    crc : Crc16
        Variant of the check.
    header_order : {'big', 'little'}
        Order of the header's bytes: AA 55, as printed, or 55 AA.
    number_order : {'little', 'big'}
        Byte order of the parameters.
    crc_order : {'little', 'big'}
        Byte order of the check.
    numbers : {'float32', 'int32'}
        Type of all parameters but motor speeds. A longitude as float32 resolves about 1 m.
    """

    crc: Crc16 = Crc16.REFLECTED_0000
    header_order: Order = "big"
    number_order: Order = "little"
    crc_order: Order = "little"
    numbers: Literal["float32", "int32"] = "float32"

    def __post_init__(self) -> None:
        if not isinstance(self.crc, Crc16):
            raise TypeError(f"crc: expected a Crc16, got {brief(self.crc)}")
        for name in ("header_order", "number_order", "crc_order"):
            _check_choice(name, getattr(self, name), ("big", "little"))
        _check_choice("numbers", self.numbers, ("float32", "int32"))

    @property
    def header(self) -> bytes:
        """The two bytes that begin a frame."""
        return HEADER.to_bytes(2, self.header_order)

    def number_type(self, kind: Kind) -> str:
        """Return the type in `struct` of the numbers of a frame: f, i or H."""
        return "H" if kind is Kind.MOTOR_SPEEDS else self.numbers[0]

    def layout(self, kind: Kind) -> struct.Struct:
        """Return the layout of the parameters of a frame."""
        order = "<" if self.number_order == "little" else ">"
        return struct.Struct(f"{order}{len(_UNITS[kind])}{self.number_type(kind)}")


_DEFAULT = SerialOptions()


class Message(NamedTuple):
    """Contents of a frame.

    Attributes
    ----------
    kind : Kind
        Its type.
    values : tuple of float
        Its numbers, in the units of the type.
    """

    kind: Kind
    values: tuple[float, ...]


def encode(kind: int, values: Sequence[float], options: SerialOptions = _DEFAULT) -> bytes:
    """Return a frame.

    Parameters
    ----------
    kind : Kind
        Its type.
    values : sequence of float
        Its numbers, in the units of the type; whole numbers are rounded to even.
    options : SerialOptions
        Formats.

    Returns
    -------
    bytes
        The frame.

    Raises
    ------
    ValueError
        The type is unknown, the count of the numbers is wrong, one is not finite or does not fit.

    Examples
    --------
    >>> encode(Kind.MOTOR_SPEEDS, [5000, 5000, 5100, 4900]).hex(" ")
    'aa 55 04 08 88 13 88 13 ec 13 24 13 09 c1'
    """
    kind = Kind(kind)
    if len(values) != len(_UNITS[kind]):
        raise ValueError(f"values: expected {len(_UNITS[kind])} numbers, got {brief(list(values))}")
    number_type = options.number_type(kind)
    numbers = [float(value) for value in values]
    if number_type != "f":
        numbers = [_whole(number * u) for number, u in zip(numbers, _UNITS[kind], strict=True)]
    low, high = _RANGES[number_type]
    if not all(low <= number <= high for number in numbers):
        raise ValueError(f"values: expected finite numbers that fit, got {brief(list(values))}")
    parameters = options.layout(kind).pack(*numbers)
    body = bytes([kind, len(parameters)]) + parameters
    return options.header + body + options.crc.of(body).to_bytes(2, options.crc_order)


def _whole(number: float) -> float:
    """Return the nearest whole number, ties to even, or a non-finite number."""
    return round(number) if math.isfinite(number) else number


@dataclass
class SerialParser:
    """Finds the frames in a stream of bytes.

    A header that no valid frame follows is skipped by one byte, and the search goes on in what
    seemed to be its frame: no valid frame is lost to bytes before it. At most 17 bytes wait for the
    next call.

    Attributes
    ----------
    options : SerialOptions
        Formats.
    accepted : int
        Number of frames that `feed` has returned.
    bad_crc : int
        Number of frames with a wrong check.
    bad_length : int
        Number of headers with a type whose length is another one.
    unknown_type : int
        Number of headers with a type that is not one of `Kind`.
    not_finite : int
        Number of frames with NaN or infinity, which are dropped.
    skipped : int
        Number of bytes that belong to no frame.

    Examples
    --------
    >>> parser = SerialParser()
    >>> frame = encode(Kind.ATTITUDE, [0.5, -0.25, 2.0])
    >>> parser.feed(b"noise" + frame[:7]), parser.feed(frame[7:])
    ([], [Message(kind=<Kind.ATTITUDE: 1>, values=(0.5, -0.25, 2.0))])
    >>> parser.skipped
    5
    """

    options: SerialOptions = _DEFAULT
    accepted: int = 0
    bad_crc: int = 0
    bad_length: int = 0
    unknown_type: int = 0
    not_finite: int = 0
    skipped: int = 0
    _waiting: bytes = field(default=b"", repr=False)

    def feed(self, data: bytes | bytearray | memoryview) -> list[Message]:
        """Return the frames that received bytes complete, in their order."""
        stream = self._waiting + bytes(data)
        header = self.options.header
        found: list[Message] = []
        at = 0
        while (start := stream.find(header, at)) >= 0:
            self.skipped += start - at
            at = start
            length = self._length(stream[at + 2 : at + 4])
            if length is None:
                at = self._skip(at)
            elif at + length > len(stream):
                break
            else:
                at = self._take(stream, at, length, found)
        else:
            # a first byte of a header at the end may be completed by the next call
            rest = len(stream) - stream.endswith(header[:1], at)
            self.skipped += rest - at
            at = rest
        self._waiting = stream[at:]
        return found

    def _skip(self, at: int) -> int:
        self.skipped += 1
        return at + 1

    def _length(self, head: bytes) -> int | None:
        """Return the length of a frame with this type and length, or of what is there of them.

        None, and counted, if there is no such frame.
        """
        if not head:
            return 4
        if head[0] not in _UNITS:
            self.unknown_type += 1
            return None
        kind = Kind(head[0])
        length = self.options.layout(kind).size
        if len(head) > 1 and head[1] != length:
            self.bad_length += 1
            return None
        return length + 6

    def _take(self, stream: bytes, at: int, length: int, found: list[Message]) -> int:
        """Append the message of a complete frame, if it is valid; return where to go on."""
        body, check = stream[at + 2 : at + length - 2], stream[at + length - 2 : at + length]
        if self.options.crc.of(body) != int.from_bytes(check, self.options.crc_order):
            self.bad_crc += 1
            return self._skip(at)
        kind = Kind(body[0])
        values = self.options.layout(kind).unpack(body[2:])
        if self.options.number_type(kind) != "f":
            values = tuple(value / unit for value, unit in zip(values, _UNITS[kind], strict=True))
        if all(map(math.isfinite, values)):
            self.accepted += 1
            found.append(Message(kind, values))
        else:
            self.not_finite += 1
        return at + length
