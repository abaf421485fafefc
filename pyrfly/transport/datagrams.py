"""Datagrams of many UDP sockets, sent and received in one call: `SocketSet`.

In C where the core has it (``csrc/net``), else by Python's sockets, as on Windows.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.transport.sockets import Address

__all__ = [
    "BUFFER",
    "Datagrams",
    "Numbers",
    "Received",
    "Routes",
    "SocketSet",
    "address_from",
    "address_number",
]

BUFFER = 2048
"""Maximum size of a received datagram [bytes], above that of any message; longer ones are cut."""

Numbers = NDArray[np.int64]

_send = getattr(_core, "net_send", None)
_receive = getattr(_core, "net_receive", None)
_refused = getattr(_core, "net_refused", None)

_IP_RECVERR = 11
"""Linux' option of a socket that keeps which of its packets were refused."""


def address_number(address: Address) -> int:
    """Return an IPv4 address and its port as one number: the address times 65536, plus the port.

    Examples
    --------
    >>> from pyrfly.transport.datagrams import address_from, address_number
    >>> hex(address_number(("127.0.0.1", 20100)))
    '0x7f0000014e84'
    >>> address_from(0x7F0000014E84)
    ('127.0.0.1', 20100)
    """
    ip, port = address
    return int.from_bytes(socket.inet_aton(ip), "big") << 16 | port


def address_from(number: int) -> Address:
    """Return the address of an `address_number`."""
    return socket.inet_ntoa((number >> 16).to_bytes(4, "big")), number & 0xFFFF


class Routes(NamedTuple):
    """Sockets and destinations of rows.

    Attributes
    ----------
    sockets : numpy.ndarray, shape (n,)
        Number of the socket that sends for a row.
    first : numpy.ndarray, shape (n + 1,)
        Row r has the destinations ``first[r]`` to ``first[r + 1] - 1``.
    to : numpy.ndarray, shape (m,)
        Destinations, each an `address_number`.
    """

    sockets: Numbers
    first: Numbers
    to: Numbers

    def counts(self, rows: Numbers) -> Numbers:
        """Return the number of destinations of rows."""
        counts: Numbers = self.first[rows + 1] - self.first[rows]
        return counts


class Datagrams(NamedTuple):
    """Datagrams to send.

    Attributes
    ----------
    rows : numpy.ndarray, shape (k,)
        Row of each.
    starts, lengths : numpy.ndarray, shape (k,)
        Where its bytes are in ``data``.
    data : bytes-like
        The bytes, as such.
    """

    rows: Numbers
    starts: Numbers
    lengths: Numbers
    data: bytes | bytearray | memoryview


class Received(NamedTuple):
    """Received datagrams.

    Attributes
    ----------
    sockets : numpy.ndarray, shape (k,)
        Number of the socket of each.
    origins : numpy.ndarray, shape (k,)
        Who sent it, an `address_number`.
    datas : list of bytes
        Its bytes, at most `BUFFER`.
    """

    sockets: Numbers
    origins: Numbers
    datas: list[bytes]


class SocketSet:
    """UDP sockets that send and receive together, without waiting.

    Parameters
    ----------
    sockets : sequence of socket.socket
        Of IPv4 and without blocking; closed by `close`.
    capacity : int
        Maximum number of datagrams that are received at once.
    """

    def __init__(self, sockets: Sequence[socket.socket], capacity: int) -> None:
        self.sockets = sockets
        self.capacity = capacity
        self._descriptors = np.array([opened.fileno() for opened in sockets], dtype=np.int32)
        self._slots = np.zeros((capacity if _receive else 0, BUFFER), dtype=np.uint8)
        self._columns = np.zeros((3, len(self._slots)), dtype=np.int64)

    def send(self, routes: Routes, datagrams: Datagrams) -> Numbers:
        """Send datagrams to all destinations of their rows, those of a row in their order.

        Returns
        -------
        numpy.ndarray, shape (k,)
            Number of packets of each that the system did not take.
        """
        if _send is None:
            return self._send_plainly(routes, datagrams)
        failures: Numbers = _send(self._descriptors[routes.sockets], *routes[1:], *datagrams)
        return failures

    def _send_plainly(self, routes: Routes, datagrams: Datagrams) -> Numbers:
        failures = np.zeros(len(datagrams.rows), dtype=np.int64)
        data = memoryview(datagrams.data)
        places = zip(*(column.tolist() for column in datagrams[:3]), strict=True)
        for number, (row, start, length) in enumerate(places):
            opened = self.sockets[routes.sockets[row]]
            for to in routes.to[routes.first[row] : routes.first[row + 1]].tolist():
                failures[number] += not _sent(opened, data[start : start + length], to)
        return failures

    def keep_refusals(self, numbers: Numbers) -> None:
        """Let the system keep for `refused` which packets of these sockets nobody listened to."""
        if sys.platform == "linux":
            for number in numbers.tolist():
                self.sockets[number].setsockopt(socket.IPPROTO_IP, _IP_RECVERR, 1)

    def refused(self, numbers: Numbers, capacity: int) -> Numbers:
        """Return destinations at which nobody listened to packets of these sockets.

        Parameters
        ----------
        numbers : numpy.ndarray, shape (k,)
            Sockets of `keep_refusals`.
        capacity : int
            Maximum number of destinations, each an `address_number`.
        """
        found = np.empty(capacity, dtype=np.int64)
        return found[: _refused(self._descriptors[numbers], found) if _refused else 0]

    def receive(self, numbers: Numbers, each: int) -> Received:
        """Receive at most ``each`` datagrams of the sockets with these numbers.

        Those of a socket come in their order. All together must not be more than the capacity.
        """
        if _receive is None:
            return self._receive_plainly(numbers, each)
        columns = tuple(self._columns)
        count = _receive(self._descriptors[numbers], each, self._slots, *columns)
        indices, lengths, origins = (column[:count] for column in columns)
        slots = self._slots.data.cast("B")
        places = zip(range(0, count * BUFFER, BUFFER), lengths.tolist(), strict=True)
        datas = [bytes(slots[start : start + length]) for start, length in places]
        return Received(numbers[indices], origins.copy(), datas)

    def _receive_plainly(self, numbers: Numbers, each: int) -> Received:
        found: list[tuple[int, int, bytes]] = []
        for number in numbers.tolist():
            for _ in range(each):
                try:
                    data, origin = self.sockets[number].recvfrom(BUFFER)
                except OSError:  # none is there, or a delayed error of a sent one
                    break
                found.append((number, address_number(origin), data))
        sockets = np.array([number for number, _, _ in found], dtype=np.int64)
        origins = np.array([origin for _, origin, _ in found], dtype=np.int64)
        return Received(sockets, origins, [data for _, _, data in found])

    def close(self) -> None:
        """Close the sockets."""
        for opened in self.sockets:
            opened.close()


def _sent(source: socket.socket, data: memoryview, to: int) -> bool:
    try:
        source.sendto(data, address_from(to))
    except OSError:
        return False
    return True
