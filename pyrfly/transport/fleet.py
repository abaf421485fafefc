"""RflySim's UDP ports of a fleet: `UdpLink`.

Vehicle n listens for commands on port 20100 + 2 (n - 1) and for the inputs of its model on
30100 + 2 (n - 1); what it has to say goes to the ports one above, 20101 and 30101.

Packets go only to the peers that were named, never to whoever sent something: a forged sender
address must not make a server answer a third party.
"""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.transport.errors import OptionError, PortError
from pyrfly.transport.ports import LARGEST_PORT, RFLYSIM_PORTS
from pyrfly.transport.sockets import Address, bound, is_loopback

__all__ = ["FIRST_PORT", "Packet", "UdpLink"]

FIRST_PORT = RFLYSIM_PORTS.control
SERIES = {"command": 0, "sil": RFLYSIM_PORTS.model - RFLYSIM_PORTS.control}
"""The kinds of port, and how far above the first one their series begin."""

OUTGOING = {"state": "command", "truth": "sil"}
"""What goes out, to the port one above that of a series."""

LONGEST = 2048
"""More than any message [bytes]; what is cut off makes the length wrong anyway."""

MOST_AT_ONCE = 512
"""Packets taken in one portion, about: a flood waits, it does not stop the simulation."""

MOST_OF_ONE_PORT, LEAST_OF_ONE_PORT = 16, 2
"""Of these, from one port: the packets of one port are obeyed one after the other."""


SendTo = Callable[[memoryview, Address], int]


class Packet(NamedTuple):
    """What arrived: the row of the vehicle (CopterID - 1), the kind of port, the bytes."""

    row: int
    port: str
    data: bytes


def addresses_of(peers: Sequence[str], host: str) -> list[str]:
    """Return the peers as IPv4 addresses that can be reached from ``host``."""
    if isinstance(peers, str) or not peers:
        raise OptionError(f"peers: expected one or more addresses, got {peers!r}")
    addresses = []
    for peer in peers:
        try:
            address = socket.gethostbyname(peer)
            inside = is_loopback(socket.gethostbyname(host))
        except OSError as error:
            raise PortError(f"no address for {peer!r} or {host!r}: {error}") from None
        if inside and not is_loopback(address):
            raise OptionError(
                f"peers: {peer} cannot be reached from host {host}, "
                "the inside of this machine; give host='0.0.0.0' or an address of this machine"
            )
        addresses.append(address)
    return addresses


def _check_ports(first_port: int, n: int) -> None:
    last = first_port + max(SERIES.values()) + 2 * n - 1
    if first_port < 1 or last > LARGEST_PORT:
        raise OptionError(
            f"first_port: expected 1 to {LARGEST_PORT - last + first_port} for {n} vehicles, "
            f"got {first_port}"
        )
    if 2 * n > SERIES["sil"]:
        raise OptionError(f"RflySim's ports are for at most {SERIES['sil'] // 2} vehicles, not {n}")


class UdpLink:
    """The sockets of a fleet. Nothing here blocks.

    Parameters
    ----------
    n : int
        Number of vehicles, at most 5000.
    host : str
        Address to listen on; ``'0.0.0.0'`` for all of this machine.
    peers : sequence of str
        Where to send to: addresses or names, broadcast addresses too.
    first_port : int
        The port of the first vehicle's commands; the other ports follow from it.

    Raises
    ------
    PortError
        When a port is in use, or cannot be opened for another reason.
    OptionError
        When an argument cannot be.
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
        """Return the port on which the vehicle in ``row`` listens; that it sends to is one above.

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
        """How many packets one message makes."""
        return len(self._peers)

    def receive(self, portions: int = 1) -> list[Packet]:
        """Return packets that have arrived, those of one port in their order.

        Parameters
        ----------
        portions : int
            How many are taken from a port is bounded by 16 times this, or by 2 times this when
            all ports of a large fleet are busy; the rest waits for the next call.
        """
        ready = self._selector.select(0)
        if not ready:
            return []
        share = MOST_AT_ONCE // len(ready)
        share = portions * min(max(share, LEAST_OF_ONE_PORT), MOST_OF_ONE_PORT)
        packets: list[Packet] = []
        for key, _ in ready:
            assert isinstance(key.fileobj, socket.socket)
            row, port = key.data
            packets += [Packet(row, port, data) for data in _received(key.fileobj, share)]
        return packets

    def send(self, kind: str, messages: NDArray[Any]) -> NDArray[np.int64]:
        """Send a message of each vehicle to all peers.

        Parameters
        ----------
        kind : {'state', 'truth'}
            To the ports one above the 20100 or the 30100 series.
        messages : numpy.ndarray, shape (n,)
            Structured array, a message per vehicle.

        Returns
        -------
        numpy.ndarray, shape (n,)
            How many packets of each vehicle could not be sent.
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
        """Close all sockets; more than once does no harm."""
        if self._selector.get_map() is None:
            return
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()


def _received(source: socket.socket, most: int) -> list[bytes]:
    """Return up to ``most`` packets that wait at a socket."""
    packets: list[bytes] = []
    try:
        while len(packets) < most:
            packets.append(source.recv(LONGEST))
    except OSError:  # no more there, or an error of a packet sent before: nothing to read now
        pass
    return packets


def _sent(sendto: SendTo, message: memoryview, address: Address) -> bool:
    try:
        sendto(message, address)
    except OSError:
        return False
    return True
