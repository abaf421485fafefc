"""Where the packets of a series of ports go: `Destinations`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyrfly.transport.datagrams import Numbers, Routes, address_number

__all__ = ["Destinations"]

_LOOPBACK = 127  # the first byte of the addresses of the loopback interface


class Destinations:
    """Peers of the vehicles of a series, fixed ones and those learnt from packets.

    Parameters
    ----------
    sockets : numpy.ndarray, shape (n,)
        Number of the socket that sends for each vehicle.
    peers : sequence of str
        IPv4 addresses of the fixed peers.
    ports : numpy.ndarray, shape (n,), optional
        Their port for each vehicle; None: nothing is sent to them.
    inside : bool
        Whether packets come from the loopback interface only.
    own : set of int
        Ports of this program, which are never learnt.
    """

    def __init__(
        self,
        sockets: Numbers,
        peers: Sequence[str],
        ports: Numbers | None,
        inside: bool,
        own: set[int],
    ) -> None:
        self._sockets = sockets
        self._peers = np.array([address_number((peer, 0)) for peer in peers], dtype=np.int64)
        fixed = self._peers[None, :0] if ports is None else self._peers[None, :] + ports[:, None]
        self._addresses = np.zeros((len(sockets), fixed.shape[1] + 1), dtype=np.int64)
        self._addresses[:, :-1] = fixed
        self._inside = inside
        self._own = own
        self._routes: Routes | None = None

    def routes(self) -> Routes:
        """Return the destinations of each vehicle: the peers, and who was learnt."""
        if self._routes is None:
            known = self._addresses != 0
            first = np.zeros(len(known) + 1, dtype=np.int64)
            np.cumsum(known.sum(axis=1), out=first[1:])
            self._routes = Routes(self._sockets, first, self._addresses[known])
        return self._routes

    def routes_to(self, rows: Numbers, ports: Numbers) -> Routes:
        """Return routes of one row for each of some vehicles, to a port of the peers."""
        to = (self._peers[None, :] + ports[:, None]).ravel()
        first = np.arange(len(rows) + 1) * len(self._peers)
        return Routes(self._sockets[rows], first, to)

    def learn(self, row: int, origin: int) -> None:
        """Send to the sender of a packet to a vehicle, too, if that is allowed.

        It takes the place of who was learnt before.

        Parameters
        ----------
        row : int
            CopterID - 1.
        origin : int
            Address of the sender, an `address_number`.
        """
        if not self._is_allowed(origin):
            return
        *fixed, learnt = self._addresses[row].tolist()
        new = 0 if origin in fixed else origin
        if new != learnt:
            self._addresses[row, -1] = new
            self._routes = None

    def _is_allowed(self, origin: int) -> bool:
        ip, port = origin >> 16, origin & 0xFFFF
        is_inside = ip >> 24 == _LOOPBACK
        if port == 0 or (is_inside and port in self._own):
            return False
        return is_inside if self._inside else bool((self._peers == ip << 16).any())
