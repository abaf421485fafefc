"""A program that sends messages of text: `TextClient`, and their ways in a stream of bytes."""

from __future__ import annotations

from collections import deque
from typing import Protocol

from pyrfly.server.text_messages import LONGEST
from pyrfly.transport.byte_streams import TcpStream

__all__ = ["Lines", "TextClient", "Texts"]

READ_SIZE = 4096
"""Bytes that are read at once."""

MOST_PENDING = 65536
"""Bytes that wait to be sent from which on no more states are sent."""


class Texts(Protocol):
    """How messages are written into a stream of bytes.

    Attributes
    ----------
    over : bool
        Whether the connection is to be closed: the other end wants it, or does not keep to it.
    """

    @property
    def over(self) -> bool:
        """See above."""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the messages that bytes complete."""

    def framed(self, text: str) -> bytes:
        """Return the bytes of a message; what is due besides comes first."""

    def due(self) -> bytes:
        """Return bytes that are due besides messages."""


class Lines:
    """A message is a line, of at most `LONGEST` bytes."""

    def __init__(self) -> None:
        self.over, self._rest = False, b""

    def feed(self, data: bytes) -> list[bytes]:
        """See `Texts.feed`; empty lines are none."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.over = len(self._rest) > LONGEST
        return [line for line in lines if line.strip()]

    def framed(self, text: str) -> bytes:
        """See `Texts.framed`."""
        return text.encode() + b"\n"

    def due(self) -> bytes:
        """See `Texts.due`: none."""
        return b""


class TextClient:
    """A connection of a program.

    Parameters
    ----------
    stream : TcpStream
        The connection.
    texts : Texts
        How its messages are written.

    Attributes
    ----------
    waiting : deque of bytes
        Messages that are not executed yet.
    rates : dict of int to int
        Steps between two states, by row of the vehicle.
    """

    def __init__(self, stream: TcpStream, texts: Texts) -> None:
        self._stream, self._texts = stream, texts
        self.waiting: deque[bytes] = deque()
        self.rates: dict[int, int] = {}

    def fileno(self) -> int:
        """Return the file of the connection."""
        return self._stream.fileno()

    def read(self) -> bool:
        """Read once what has arrived, if nothing waits; return False when it has ended."""
        if self.waiting:
            return True
        data = self._stream.read(READ_SIZE)
        if data is None:
            return False
        self.waiting.extend(self._texts.feed(data))
        return self._stream.write(self._texts.due())

    def write(self, text: str) -> bool:
        """Send a message; return False when the connection has ended."""
        return self._stream.write(self._texts.framed(text))

    @property
    def is_over(self) -> bool:
        """Whether it is to be closed, as all its messages are executed."""
        return self._texts.over and not self.waiting

    @property
    def is_slow(self) -> bool:
        """Whether so much waits to be sent that no state is to be added."""
        return self._stream.pending > MOST_PENDING

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()
