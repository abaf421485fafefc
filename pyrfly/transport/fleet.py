"""RflySim's UDP ports of a fleet: `UdpLink`.

Vehicle n receives commands on port 20100 + 2 (n - 1) and inputs of its model on
30100 + 2 (n - 1); it sends to the ports one above, 20101 and 30101, and what its IMU measures to
31000 + n - 1.

Packets are sent only to the configured peers, never to the sender of a packet: a forged sender
address must not make a server send to a third party.
"""

from __future__ import annotations

import selectors
import socket
import struct
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import shown
from pyrfly.transport.errors import OptionError, PortError
from pyrfly.transport.ports import MAXIMUM_PORT, RFLYSIM_PORTS
from pyrfly.transport.sockets import Address, bound, is_loopback

__all__ = ["FIRST_PORT", "MAXIMUM_FLEET", "Packet", "UdpLink"]

FIRST_PORT = RFLYSIM_PORTS.control
SERIES = {"command": 0, "sil": RFLYSIM_PORTS.model - RFLYSIM_PORTS.control}
"""Kinds of port, and the offset of their series from the first port."""

_IMU = RFLYSIM_PORTS.imu - RFLYSIM_PORTS.control
"""Offset of the ports that measurements of the IMU are sent to."""

MAXIMUM_FLEET = SERIES["sil"] // 2
"""Maximum number of vehicles: two ports of each series per vehicle."""

OUTGOING = {"state": "command", "truth": "sil"}
"""Kinds of sent messages, and the series whose ports are one below their destinations."""

BUFFER = 2048
"""Size of the receive buffer [bytes], above that of any message: truncation changes the length."""

PORTION = 256
"""Maximum number of packets that are received at once."""

ASKED = 16
"""Ports whose lost packets are counted at once: 0.1 s for 160 ports at 100 Hz."""

SO_MEMINFO, MEMORY_FIELDS, DROPS = 55, "=9I", 8
"""Linux' option of a socket that has its counts, their format, and where the lost packets are."""


SendTo = Callable[[memoryview, Address], int]


class Packet(NamedTuple):
    """A received packet: row of the vehicle, kind of port, bytes."""

    row: int
    port: str
    data: bytes


class _Port:
    """A socket of a vehicle, and the number of the last packet that was read from it."""

    __slots__ = ("counted", "last", "row", "series", "socket")

    def __init__(self, row: int, series: str, opened: socket.socket) -> None:
        self.row, self.series, self.socket = row, series, opened
        self.last = self.counted = 0  # the second: lost packets

    def read(self) -> bytes | None:
        """Return a packet; None if there is none, or a delayed error of a sent one."""
        try:
            return self.socket.recv(BUFFER)
        except OSError:
            return None


def _address(option: str, name: str) -> str:
    """Return the IPv4 address of an address or host name."""
    if not isinstance(name, str) or not name:
        raise OptionError(f"{option}: expected an address or a host name, got {shown(name)}")
    try:
        return socket.gethostbyname(name)
    except (OSError, ValueError) as error:  # ValueError: a name that cannot be encoded
        raise PortError(f"{option}: no address for {shown(name)}: {error}") from None


def addresses_of(peers: Sequence[str], host: str) -> list[str]:
    """Return the peers as IPv4 addresses that can be reached from ``host``."""
    if isinstance(peers, str) or not isinstance(peers, Collection) or not len(peers):
        raise OptionError(f"peers: expected one or more addresses, got {shown(peers)}")
    inside = is_loopback(_address("host", host))
    addresses = []
    for peer in peers:
        address = _address("peers", peer)
        if inside and not is_loopback(address):
            raise OptionError(
                f"peers: {peer} cannot be reached from host {host}, the loopback interface; "
                "set host='0.0.0.0' or an address of this machine"
            )
        addresses.append(address)
    return addresses


def _check_ports(first_port: int, n: int, first_id: int) -> None:
    whole = isinstance(first_id, (int, np.integer)) and not isinstance(first_id, bool)
    if not whole or not 1 <= first_id <= max(1, MAXIMUM_FLEET - n + 1):
        raise OptionError(
            f"first_id: expected 1 to {max(1, MAXIMUM_FLEET - n + 1)} for {n} vehicles, "
            f"got {shown(first_id)}"
        )
    last_id = first_id + n - 1
    last = max(max(SERIES.values()) + 2 * last_id - 1, _IMU + last_id - 1)
    whole = isinstance(first_port, (int, np.integer)) and not isinstance(first_port, bool)
    if not whole or not 1 <= first_port <= MAXIMUM_PORT - last:
        raise OptionError(
            f"first_port: expected 1 to {MAXIMUM_PORT - last} for {n} vehicles, "
            f"got {shown(first_port)}"
        )
    if n > MAXIMUM_FLEET:
        raise OptionError(
            f"n: expected at most {MAXIMUM_FLEET} vehicles, the range of RflySim's ports, got {n}"
        )


class UdpLink:
    """Non-blocking UDP sockets of a fleet.

    Parameters
    ----------
    n : int
        Number of vehicles, at most 5000.
    host : str
        Address to listen on; ``'0.0.0.0'`` for all interfaces.
    peers : sequence of str
        Destinations: addresses or host names, including broadcast addresses.
    first_port : int
        Port of the commands of CopterID 1; the other ports follow from it.
    first_id : int
        CopterID of the first vehicle.

    Raises
    ------
    PortError
        A port is in use or cannot be opened.
    OptionError
        An argument is invalid.
    """

    def __init__(
        self,
        n: int,
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_port: int = FIRST_PORT,
        first_id: int = 1,
    ) -> None:
        _check_ports(first_port, n, first_id)
        self.n = n
        self.first_id = first_id
        self.first_port = first_port
        self._selector = selectors.DefaultSelector()
        self._reads = 0
        self._used: dict[_Port, None] = {}  # since their lost packets were counted
        self._peers = addresses_of(peers, host)
        self._senders: dict[str, list[tuple[SendTo, list[Address]]]] = {}
        try:
            for series in SERIES:
                self._senders[series] = [self._open(host, series, row) for row in range(n)]
        except BaseException:
            self.close()
            raise

    def _open(self, host: str, series: str, row: int) -> tuple[SendTo, list[Address]]:
        port = self.port(series, row)
        opened = bound(host, port)
        opened.setblocking(False)
        self._selector.register(opened, selectors.EVENT_READ, _Port(row, series, opened))
        return opened.sendto, [(peer, port + 1) for peer in self._peers]

    def port(self, series: str, row: int) -> int:
        """Return the port on which a vehicle listens; it sends to the port one above.

        Parameters
        ----------
        series : {'command', 'sil'}
            The 20100 series or the 30100 series.
        row : int
            CopterID - `first_id`.
        """
        return self.first_port + SERIES[series] + 2 * (self.first_id - 1 + row)

    @property
    def peer_count(self) -> int:
        """Number of packets sent per message."""
        return len(self._peers)

    def receive(
        self, expired: Callable[[], bool], is_held: Callable[[int], bool]
    ) -> Iterator[list[Packet]]:
        """Yield received packets, at most `PORTION` at once, those of one port in their order.

        Ports are read in turns, a packet of each, until they are empty or the time is over, but at
        least one packet. The port that was not read for the longest time comes first, also in the
        next call. What is not read stays in the buffers of the system.

        Parameters
        ----------
        expired : callable
            Whether the time is over.
        is_held : callable
            Whether the ports of a row are not to be read now.
        """
        ready = deque(sorted(self._ready(), key=lambda port: port.last))
        self._used.update(dict.fromkeys(ready))
        packets: list[Packet] = []
        begin = self._reads
        while ready and (self._reads == begin or not expired()):
            port = ready.popleft()
            if is_held(port.row) or (data := port.read()) is None:
                continue
            self._reads += 1
            port.last = self._reads
            ready.append(port)
            packets.append(Packet(port.row, port.series, data))
            if len(packets) == PORTION:
                yield packets
                packets = []
        if packets:
            yield packets

    def _ready(self) -> list[_Port]:
        """Return the ports that have packets."""
        return [key.data for key, _ in self._selector.select(0)]

    def overflows(self, maximum: int | None = ASKED) -> Iterator[tuple[int, int]]:
        """Yield row and number of packets that the system dropped because they were not read.

        Only where the system tells; each time of at most ``maximum`` ports that had packets, in
        turns.
        """
        for port in list(islice(self._used, maximum)):
            del self._used[port]
            before, port.counted = port.counted, _dropped(port.socket)
            if port.counted > before:
                yield port.row, port.counted - before

    def send(self, kind: str, messages: NDArray[Any]) -> NDArray[np.int64]:
        """Send a message of each vehicle to all peers.

        Parameters
        ----------
        kind : {'state', 'truth'}
            Destination: the ports one above the 20100 or the 30100 series.
        messages : numpy.ndarray, shape (n,)
            Structured array, one message per vehicle.

        Returns
        -------
        numpy.ndarray, shape (n,)
            Number of packets of each vehicle that could not be sent.
        """
        return _sent_all(self._senders[OUTGOING[kind]], messages)

    def send_measured(self, rows: NDArray[np.intp], messages: NDArray[Any]) -> NDArray[np.int64]:
        """Send measurements of some vehicles to the ports for them of all peers.

        Parameters
        ----------
        rows : numpy.ndarray, shape (k,)
            CopterID - `first_id` of each.
        messages : numpy.ndarray, shape (k,)
            Structured array, one message per row.

        Returns
        -------
        numpy.ndarray, shape (k,)
            Number of packets of each row that could not be sent.
        """
        first = self.first_port + _IMU + self.first_id - 1
        senders = [
            (self._senders["sil"][row][0], [(peer, first + row) for peer in self._peers])
            for row in rows.tolist()
        ]
        return _sent_all(senders, messages)

    def close(self) -> None:
        """Close all sockets; further calls have no effect."""
        if self._selector.get_map() is None:
            return
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()


def _dropped(source: socket.socket) -> int:
    """Return how many packets of a socket the system has dropped since it was opened."""
    if sys.platform != "linux":
        return 0
    try:
        size = struct.calcsize(MEMORY_FIELDS)
        fields = struct.unpack(
            MEMORY_FIELDS, source.getsockopt(socket.SOL_SOCKET, SO_MEMINFO, size)
        )
    except (OSError, struct.error):
        return 0
    return int(fields[DROPS])


def _sent_all(
    senders: Sequence[tuple[SendTo, list[Address]]], messages: NDArray[Any]
) -> NDArray[np.int64]:
    """Send one message by each sender; return how many of its packets could not be sent."""
    size = messages.itemsize
    data = memoryview(messages.tobytes())
    failures = np.zeros(len(senders), dtype=np.int64)
    for row, (sendto, addresses) in enumerate(senders):
        message = data[row * size : (row + 1) * size]
        for address in addresses:
            failures[row] += not _sent(sendto, message, address)
    return failures


def _sent(sendto: SendTo, message: memoryview, address: Address) -> bool:
    try:
        sendto(message, address)
    except OSError:
        return False
    return True
