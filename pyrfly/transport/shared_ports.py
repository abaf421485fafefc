"""Ports that are for all vehicles, and that other programs may listen on too: `SharedPorts`."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pyrfly.transport.groups import group_listener
from pyrfly.transport.ports import is_port
from pyrfly.transport.senders import Senders
from pyrfly.transport.sockets import Address, bound, dropped_by

__all__ = ["Datagram", "SharedPorts"]

_LONGEST = 2048
"""Size of the receive buffer [bytes], above that of any message: truncation changes the length."""


class Datagram(NamedTuple):
    """A received packet: kind of port, bytes, address of the sender."""

    kind: str
    data: bytes
    origin: Address


class SharedPorts:
    """Non-blocking UDP sockets by kind of port.

    Of packets to an address of this machine one of the programs that share a port gets each; those
    to a group get all.

    Parameters
    ----------
    host : str
        Address to listen on, and whose interface joins groups.
    senders : Senders
        Whose packets are taken; those of others are dropped and counted.
    """

    def __init__(self, host: str, senders: Senders) -> None:
        self._host, self._senders = host, senders
        self._foreign = 0
        self._selector = selectors.DefaultSelector()
        self._dropped = 0

    def listen(
        self, kind: str, port: int, *, unicast: bool = True, group: bool = True, option: str = ""
    ) -> None:
        """Open a port; one beyond the range of port numbers is left out.

        Parameters
        ----------
        kind : str
            Given back with its packets.
        port : int
            Port.
        unicast, group : bool
            Whether packets to the address are received, and those to RflySim's group where the
            system has one.
        option : str
            What changes the port, as of `bound`.

        Raises
        ------
        PortError
            Another program has the port for itself.
        """
        if not is_port(port):
            return
        if unicast:
            opened = bound(self._host, port, shared=True, option=option)
            opened.setblocking(False)
            self._selector.register(opened, selectors.EVENT_READ, kind)
        joined = group_listener(port, self._host) if group else None
        if joined is not None:
            self._selector.register(joined, selectors.EVENT_READ, kind)

    def receive(self, is_over: Callable[[], bool]) -> Iterator[Datagram]:
        """Yield received packets, one of each socket in turn, until there is none or no time.

        Parameters
        ----------
        is_over : callable
            Whether the time is over; looked at after each packet.
        """
        while ready := [(key.fileobj, key.data) for key, _ in self._selector.select(0)]:
            for opened, kind in ready:
                assert isinstance(opened, socket.socket)
                try:
                    data, origin = opened.recvfrom(_LONGEST)
                except OSError:  # a delayed error of the system
                    continue
                if self._senders.may(origin[0]):
                    yield Datagram(kind, data, origin)
                else:
                    self._foreign += 1
                if is_over():
                    return

    def foreign(self) -> int:
        """Return how many packets of those who may not command came since the last call."""
        count, self._foreign = self._foreign, 0
        return count

    def overflows(self) -> int:
        """Return how many packets the system has dropped since the last call, where it tells."""
        before, self._dropped = self._dropped, sum(map(dropped_by, self._opened()))
        return self._dropped - before

    def _opened(self) -> list[socket.socket]:
        keys = self._selector.get_map() or {}
        return [key.fileobj for key in keys.values() if isinstance(key.fileobj, socket.socket)]

    def close(self) -> None:
        """Close all sockets; further calls have no effect."""
        for opened in self._opened():
            opened.close()
        self._selector.close()
