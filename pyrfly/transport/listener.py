"""A thread that listens on one UDP port: `Listener`."""

from __future__ import annotations

import threading
from collections.abc import Callable

from pyrfly.transport.sockets import Address, bound, join_group

__all__ = ["Listener"]

_WAIT = 0.1  # s between checks whether to stop
_MAXIMUM_DATAGRAM = 65535  # bytes


class Listener:
    """Daemon thread that receives the datagrams of one port and calls a function with each.

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
    ) -> None:
        self._socket = bound(address, port, shared=shared)
        if group:
            join_group(self._socket, group)
        self._socket.settimeout(_WAIT)
        self.port: int = self._socket.getsockname()[1]
        self.rejected = 0
        self._take = take
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"UDP {self.port}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                data, origin = self._socket.recvfrom(_MAXIMUM_DATAGRAM)
            except TimeoutError:
                continue
            except OSError:  # a reset by a closed peer, reported on some systems
                self._stop.wait(_WAIT)
                continue
            try:
                self._take(data, origin)
            except (ValueError, ArithmeticError):
                self.rejected += 1

    def close(self) -> None:
        """Stop the thread and close the port; further calls have no effect."""
        self._stop.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        self._socket.close()
