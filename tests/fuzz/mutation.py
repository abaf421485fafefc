"""Changed inputs: `Mutator`."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Sequence

_FLOATS = (0.0, -0.0, 1.0, math.nan, math.inf, -math.inf, 1e38, -1e38, 1e-45, 1e7, 0.5)
_DOUBLES = (*_FLOATS, 1e308, 5e-324)
_WHOLE = (0, 1, -1, 127, 128, 255, 2**15 - 1, 2**16 - 1, 2**31 - 1, -(2**31), 2**30, 123450)

NUMBERS = (
    *(struct.pack("<f", number) for number in _FLOATS),
    *(struct.pack("<d", number) for number in _DOUBLES),
    *(bytes.fromhex(signaling) for signaling in ("0100807f", "010000000000f07f")),  # NaN
    *(struct.pack("<i", number) for number in _WHOLE),
    *(struct.pack("<q", number) for number in (*_WHOLE, 2**63 - 1, -(2**63))),
    *(bytes([number]) for number in (0, 1, 0x55, 0x7F, 0x80, 0xAA, 0xFD, 0xFE, 0xFF)),
)
"""Bytes of numbers at which programs go wrong."""

TEXTS = (
    *(b"0", b"-1", b"1e999", b"NaN", b"null", b"true", b"[]", b"{}", b'""', b"9" * 400),
    *(b"2147483648", b"[" * 300, b"\0", b"\xff", b"\r\n", b'"', b"%", b"!", b"(", b")", b"\\"),
)
"""The same for texts."""

LONGEST = 4096
"""Maximum length of an input [bytes]."""


class Mutator:
    """Makes new inputs of known ones.

    Parameters
    ----------
    source : random.Random
        Where chance comes from.
    words : sequence of bytes
        What is written into inputs.
    first : int
        Where numbers of four bytes begin in inputs.
    """

    def __init__(
        self, source: random.Random, words: Sequence[bytes] = NUMBERS, first: int = 0
    ) -> None:
        self._random = source
        self._words = words
        self._first = first
        self._ways = (
            *(self._flip, self._write, self._write, self._insert, self._delete),
            *(self._repeat, self._cut, self._extend),
        )

    def mutated(self, corpus: Sequence[bytes]) -> bytes:
        """Return one of some inputs, changed in up to four places, or several of them in a row."""
        chance = self._random
        data = bytearray(chance.choice(corpus))
        if chance.random() < 0.2:
            other = chance.choice(corpus)
            data[self._at(data) :] = other[chance.randrange(len(other) + 1) :]
        for _ in range(chance.choice((0, 1, 1, 1, 2, 4))):
            chance.choice(self._ways)(data)
        return bytes(data[:LONGEST])

    def random(self) -> bytes:
        """Return bytes without any order."""
        return self._random.randbytes(self._random.randrange(300))

    def _at(self, data: bytearray) -> int:
        return self._random.randrange(len(data) + 1)

    def _flip(self, data: bytearray) -> None:
        if data:
            data[self._random.randrange(len(data))] ^= 1 << self._random.randrange(8)

    def _write(self, data: bytearray) -> None:
        """Write a number over what is there, mostly where one may be."""
        word = self._random.choice(self._words)
        at = self._at(data)
        if self._random.random() < 0.7:
            at -= (at - self._first) % 4
        data[at : at + len(word)] = word

    def _insert(self, data: bytearray) -> None:
        at = self._at(data)
        data[at:at] = self._random.choice(self._words)

    def _delete(self, data: bytearray) -> None:
        at = self._at(data)
        del data[at : at + self._random.choice((1, 4, 20))]

    def _repeat(self, data: bytearray) -> None:
        begin, end = sorted((self._at(data), self._at(data)))
        data[end:end] = data[begin:end] * self._random.choice((1, 1, 30))

    def _cut(self, data: bytearray) -> None:
        del data[self._at(data) :]

    def _extend(self, data: bytearray) -> None:
        data += self._random.randbytes(self._random.choice((1, 8, 200)))
