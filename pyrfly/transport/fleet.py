"""RflySim's UDP ports of a fleet: `UdpLink`.

Vehicle n receives commands on port 20100 + 2 (n - 1) and inputs of its model on
30100 + 2 (n - 1); it sends to the ports one above, 20101 and 30101.

Packets are sent only to the configured peers, never to the sender of a packet: a forged sender
address must not make a server send to a third party.
"""

from __future__ import annotations

import selectors
import socket
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
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

MAXIMUM_FLEET = SERIES["sil"] // 2
"""Maximum number of vehicles: two ports of each series per vehicle."""

OUTGOING = {"state": "command", "truth": "sil"}
"""Kinds of sent messages, and the series whose ports are one below their destinations."""

BUFFER = 2048
"""Size of the receive buffer [bytes], above that of any message: truncation changes the length."""

PER_TURN = 8
"""Packets that are read from a port before the next one gets its turn."""

SO_MEMINFO, MEMORY_FIELDS, DROPS = 55, "=9I", 8
"""Linux' option of a socket that has its counts, their format, and where the lost packets are."""


SendTo = Callable[[memoryview, Address], int]


class Packet(NamedTuple):
    """A received packet: row of the vehicle (CopterID - 1), kind of port, bytes."""

    row: int
    port: str
    data: bytes


def _address(option: str, name: str) -> str:
    """Return the IPv4 address of an address or host name."""
    if not name:
        raise OptionError(f"{option}: expected an address or a host name, got {name!r}")
    try:
        return socket.gethostbyname(name)
    except (OSError, ValueError) as error:  # ValueError: a name that cannot be encoded
        raise PortError(f"{option}: no address for {shown(name)}: {error}") from None


def addresses_of(peers: Sequence[str], host: str) -> list[str]:
    """Return the peers as IPv4 addresses that can be reached from ``host``."""
    if isinstance(peers, str) or not peers:
        raise OptionError(f"peers: expected one or more addresses, got {peers!r}")
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


def _check_ports(first_port: int, n: int) -> None:
    last = first_port + max(SERIES.values()) + 2 * n - 1
    if first_port < 1 or last > MAXIMUM_PORT:
        raise OptionError(
            f"first_port: expected 1 to {MAXIMUM_PORT - last + first_port} for {n} vehicles, "
            f"got {first_port}"
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
        Port of the commands of the first vehicle; the other ports follow from it.

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
    ) -> None:
        _check_ports(first_port, n)
        self.n = n
        self.first_port = first_port
        self._selector = selectors.DefaultSelector()
        self._begin = 0
        self._crowded: list[selectors.SelectorKey] = []
        self._drops: dict[tuple[int, str], int] = {}
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
        self._selector.register(opened, selectors.EVENT_READ, (row, series))
        return opened.sendto, [(peer, port + 1) for peer in self._peers]

    def port(self, series: str, row: int) -> int:
        """Return the port on which a vehicle listens; it sends to the port one above.

        Parameters
        ----------
        series : {'command', 'sil'}
            The 20100 series or the 30100 series.
        row : int
            CopterID - 1.
        """
        return self.first_port + SERIES[series] + 2 * row

    @property
    def peer_count(self) -> int:
        """Number of packets sent per message."""
        return len(self._peers)

    def receive(self, expired: Callable[[], bool]) -> list[Packet]:
        """Return received packets, those of one port in their order.

        Ports are read in turns, `PER_TURN` packets of each, until they are empty or the time is
        over, but at least one turn. The next call begins with the port where this one ended.

        Parameters
        ----------
        expired : callable
            Whether the time is over.
        """
        ready = [key for key, _ in self._selector.select(0)]
        self._crowded.clear()
        packets: list[Packet] = []
        first = True
        while ready and (first or not expired()):
            begin = self._begin % len(ready)
            full = []
            for index, key in enumerate(ready[begin:] + ready[:begin]):
                if not first and expired():
                    self._begin = begin + index
                    return packets
                row, port = key.data
                datas = _received(key.fileobj, PER_TURN)
                packets += [Packet(row, port, data) for data in datas]
                if len(datas) == PER_TURN:
                    full.append(key)
            if first:
                self._crowded.extend(full)
            ready, first = full, False
        return packets

    def overflows(self) -> Iterator[tuple[int, int]]:
        """Yield row and number of packets that the system dropped because they were not read.

        Only of ports that had many in the last call of `receive`, and only where the system tells.
        """
        for key in self._crowded:
            now = _dropped(key.fileobj)
            before, self._drops[key.data] = self._drops.get(key.data, 0), now
            if now > before:
                yield key.data[0], now - before

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
        size = messages.itemsize
        data = memoryview(messages.tobytes())
        failures = np.zeros(self.n, dtype=np.int64)
        for row, (sendto, addresses) in enumerate(self._senders[OUTGOING[kind]]):
            message = data[row * size : (row + 1) * size]
            for address in addresses:
                failures[row] += not _sent(sendto, message, address)
        return failures

    def close(self) -> None:
        """Close all sockets; further calls have no effect."""
        if self._selector.get_map() is None:
            return
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()


def _dropped(source: Any) -> int:
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


def _received(source: Any, maximum: int) -> list[bytes]:
    """Return at most ``maximum`` received packets of a socket."""
    packets: list[bytes] = []
    try:
        while len(packets) < maximum:
            packets.append(source.recv(BUFFER))
    except OSError:  # no more packets, or a delayed error of a sent packet
        pass
    return packets


def _sent(sendto: SendTo, message: memoryview, address: Address) -> bool:
    try:
        sendto(message, address)
    except OSError:
        return False
    return True
