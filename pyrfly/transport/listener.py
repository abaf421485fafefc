"""Threads that listen on UDP ports: `Listener`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from pyrfly.transport.senders import Senders
from pyrfly.transport.sockets import Address, bound, join_group, wake

__all__ = ["Listener"]

_WAIT = 0.1  # s between checks whether to stop
_MAXIMUM_DATAGRAM = 65535  # bytes


class Listener:
    """Receives the datagrams of one port in a daemon thread and calls a function with each.

    Parameters
    ----------
    address : str
        Interface to listen on.
    port : int
        Port, 0 for any free one.
    take : callable
        Called with each datagram and the address of its sender. A ValueError or ArithmeticError
        rejects the datagram.
    shared : bool
        Allow other programs to listen on the port too.
    group : str
        Multicast group to join, if any.
    together : bool
        Share the port with other listeners of this program that do so; each gets all datagrams.
    senders : Senders, optional
        Whose datagrams are taken; by default everybody's. Those of others count as rejected.

    Attributes
    ----------
    port : int
        The port.
    rejected : int
        Number of rejected datagrams.

    Raises
    ------
    PortError
        The port is in use or cannot be opened; an OSError.
    """

    def __init__(
        self,
        address: str,
        port: int,
        take: Callable[[bytes, Address], object],
        *,
        shared: bool = False,
        group: str = "",
        together: bool = False,
        senders: Senders | None = None,
    ) -> None:
        self.rejected = 0
        self._senders = senders
        self._take = take
        where = _Where(address, port, shared, group)
        with _opening:
            receiver = _together.get(where) if together else None
            self._receiver = receiver if receiver is not None else _Receiver(where)
            if together:
                _together[where] = self._receiver
            self.port = self._receiver.port
            self._receiver.add(self)

    def offer(self, data: bytes, origin: Address) -> None:
        """Take a datagram, or count it as rejected."""
        if self._senders is not None and not self._senders.may(origin[0]):
            self.rejected += 1
            return
        try:
            self._take(data, origin)
        except (ValueError, ArithmeticError):
            self.rejected += 1

    def close(self) -> None:
        """Receive no more, and close the port if no other listens; further calls do nothing."""
        with _opening:
            if (
                self._receiver.remove(self)
                and _together.get(self._receiver.where) is self._receiver
            ):
                del _together[self._receiver.where]


class _Where(NamedTuple):
    """What a port is opened with, as `Listener` has it."""

    address: str
    port: int
    shared: bool
    group: str


class _Receiver:
    """An open port with its thread, and those who listen."""

    def __init__(self, where: _Where) -> None:
        self.where = where
        self._socket = bound(where.address, where.port, shared=where.shared)
        if where.group:
            join_group(self._socket, where.group)
        self._socket.settimeout(_WAIT)
        self.port: int = self._socket.getsockname()[1]
        self._listeners: list[Listener] = []
        self._lock = threading.RLock()  # held while a datagram is taken
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"UDP {self.port}", daemon=True)
        self._thread.start()

    def add(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.append(listener)

    def remove(self, listener: Listener) -> bool:
        """Remove a listener, which takes nothing from now on; return whether the port is closed."""
        with self._lock:
            if listener in self._listeners:
                self._listeners.remove(listener)
            if self._listeners:
                return False
        self._stop.set()
        if threading.current_thread() is not self._thread:
            if not self.where.shared:
                wake(self._socket)
            self._thread.join()
        self._socket.close()
        return True

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                data, origin = self._socket.recvfrom(_MAXIMUM_DATAGRAM)
            except TimeoutError:
                continue
            except OSError:  # a reset by a closed peer, reported on some systems
                self._stop.wait(_WAIT)
                continue
            with self._lock:
                for listener in tuple(self._listeners):
                    listener.offer(data, origin)


_opening = threading.RLock()
_together: dict[_Where, _Receiver] = {}
