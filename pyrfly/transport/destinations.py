"""Where the packets of a series of ports go: `Destinations`."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pyrfly.transport.datagrams import Numbers, Routes, SocketSet, address_number

__all__ = ["PROBE", "Destinations"]

PROBE = 0.2
"""Real time after which a packet is sent to where nobody listened, as somebody may now [s]."""

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
    skips : bool
        Whether destinations are left out at which nobody listens.
    """

    def __init__(
        self,
        sockets: Numbers,
        peers: Sequence[str],
        ports: Numbers | None,
        inside: bool,
        own: set[int],
        skips: bool = False,
    ) -> None:
        self._sockets = sockets
        self._peers = np.array([address_number((peer, 0)) for peer in peers], dtype=np.int64)
        fixed = self._peers[None, :0] if ports is None else self._peers[None, :] + ports[:, None]
        self._addresses = np.zeros((len(sockets), fixed.shape[1] + 1), dtype=np.int64)
        self._addresses[:, :-1] = fixed
        self._inside = inside
        self._own = own
        self._refused = np.zeros(self._addresses.shape, dtype=np.bool_)
        self._skips = skips
        self._delays = PROBE * (1 + np.arange(len(sockets))) / len(sockets)  # not all at once
        self._due = np.zeros(len(sockets))  # time of the next probe [s]
        self._probing = np.zeros(len(sockets), dtype=np.bool_)
        self._routes: Routes | None = None

    def routes(self, rows: Numbers) -> Routes:
        """Return the destinations of each vehicle: the peers, and who was learnt.

        Of the vehicles at ``rows``, to which a message is sent now, those are left out where nobody
        listens, unless it is time to find out again.
        """
        if self._skips:
            now = monotonic()
            self._probing[:] = False
            self._probing[rows] = self._due[rows] <= now
            self._due[self._probing] = now + self._delays[self._probing]
            self._delays[self._probing] = PROBE
        if self._refused.any():
            return self._routes_of(~self._refused | self._probing[:, None])
        if self._routes is None:
            self._routes = self._routes_of(np.ones_like(self._refused))
        return self._routes

    def _routes_of(self, chosen: NDArray[np.bool_]) -> Routes:
        known = chosen & (self._addresses != 0)
        first = np.zeros(len(known) + 1, dtype=np.int64)
        np.cumsum(known.sum(axis=1), out=first[1:])
        return Routes(self._sockets, first, self._addresses[known])

    def note_refused(self, routes: Routes, sockets: SocketSet) -> None:
        """Find out at which destinations nobody listened, of those that it was time for."""
        if not self._probing.any():
            return
        counts = np.diff(routes.first)
        asked = np.unique(routes.sockets[self._probing & (counts > 0)])
        refused = sockets.refused(asked, len(routes.to))
        self._refused &= ~np.isin(self._addresses, routes.to[np.repeat(self._probing, counts)])
        self._refused |= np.isin(self._addresses, refused)

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
            self._refused[row, -1] = False
            self._routes = None

    def _is_allowed(self, origin: int) -> bool:
        ip, port = origin >> 16, origin & 0xFFFF
        is_inside = ip >> 24 == _LOOPBACK
        if port == 0 or (is_inside and port in self._own):
            return False
        return is_inside if self._inside else bool((self._peers == ip << 16).any())
