"""A program that sends messages of text: `TextClient`, and their ways in a stream of bytes."""

from __future__ import annotations

from collections import deque
from typing import Protocol

from pyrfly.server.text_messages import LONGEST
from pyrfly.transport.byte_streams import TcpStream

__all__ = ["Ended", "Lines", "TextClient", "Texts"]

READ_SIZE = 4096
"""Bytes that are read at once."""

MOST_PENDING = 65536
"""Bytes that wait to be sent from which on no more states are sent."""


class Ended(Exception):
    """A connection is to be closed."""


class Texts(Protocol):
    """How messages are written into a stream of bytes."""

    def feed(self, data: bytes) -> list[str | bytes]:
        """Return the messages that bytes complete.

        Raises
        ------
        Ended
            The other end does not keep to it.
        """

    def framed(self, text: str) -> bytes:
        """Return the bytes of a message; what is due besides comes first."""

    def due(self) -> bytes:
        """Return bytes that are due besides messages."""


class Lines:
    """A message is a line, of at most `LONGEST` bytes."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str | bytes]:
        """See `Texts.feed`; empty lines are none."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LONGEST:
            raise Ended
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
    waiting : deque of str or bytes
        Messages that are not executed yet.
    rates : dict of int to int
        Steps between two states, by row of the vehicle.
    """

    def __init__(self, stream: TcpStream, texts: Texts) -> None:
        self._stream, self._texts = stream, texts
        self.waiting: deque[str | bytes] = deque()
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
        try:
            self.waiting.extend(self._texts.feed(data))
        except Ended:
            self._stream.write(self._texts.due())
            return False
        return self._stream.write(self._texts.due())

    def write(self, text: str) -> bool:
        """Send a message; return False when the connection has ended."""
        return self._stream.write(self._texts.framed(text))

    @property
    def is_slow(self) -> bool:
        """Whether so much waits to be sent that no state is to be added."""
        return self._stream.pending > MOST_PENDING

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()
