"""Heartbeats by which RflySim's ``ReqCopterSim`` finds the vehicles: `Heartbeats`."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.transport import (
    FIRST_PORT,
    GROUP,
    Ports,
    addresses_of,
    group_sender,
    is_port,
    sender,
)

__all__ = ["PERIOD", "Heartbeats"]

PERIOD = 1.0
"""Real time between two heartbeats [s]; RflySim's is not published, its clients listen for 3 s."""

_MS = 1000.0

Rows = NDArray[np.intp]


class Heartbeats:
    """CopterSim's heartbeat of every vehicle, once in a period of real time.

    They go to port 20005 of each peer and of RflySim's multicast group. With another first port
    that port moves by as much; there are none where it would not be a port.

    Parameters
    ----------
    n : int
        Number of vehicles.
    peers : sequence of str
        Addresses to send to.
    host : str
        Address that the server listens on; the peers must be reachable from it, and the group is
        that of its interface.
    first_port : int
        As of the server.
    first_id : int
        CopterID of the first vehicle.
    period : float
        Time between two heartbeats [s].
    clock : callable
        As ``time.monotonic``.

    Attributes
    ----------
    port : int
        Where they are sent to.

    Raises
    ------
    OptionError, PortError
        For an address that cannot be resolved or reached.
    """

    def __init__(
        self,
        n: int,
        peers: Sequence[str] = ("127.0.0.1",),
        host: str = "127.0.0.1",
        first_port: int = FIRST_PORT,
        first_id: int = 1,
        period: float = PERIOD,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.port = Ports.beginning_at(first_port).heartbeat
        self._addresses = addresses_of(peers, host)
        self._packets = wire.blank("RflyTimeStmp", n)
        self._packets["copterID"] = np.arange(first_id, first_id + n)
        self._packets["SysStartTime"] = int(_MS * time.time())
        self._rate = n / period
        self._clock = clock
        self._begin: float | None = None
        self._sent = 0  # those that were due so far
        self._socket = sender()
        self._group = group_sender(host)

    def due(self) -> Rows:
        """Return the vehicles, CopterID - 1, whose heartbeats are due since the last call.

        They are spread over the period; in the first call all are due.
        """
        n = len(self._packets)
        if self._begin is None:
            self._begin = self._clock()
            return np.arange(n)
        end = int((self._clock() - self._begin) * self._rate)
        due = np.arange(max(self._sent, end - n), end) % n
        self._sent = max(self._sent, end)
        return due

    def send(self, rows: Rows) -> NDArray[np.int64]:
        """Send the heartbeats of vehicles now.

        Parameters
        ----------
        rows : numpy.ndarray, shape (k,)
            CopterID - 1 of each, or of some a second time.

        Returns
        -------
        numpy.ndarray, shape (k,)
            To how many of the peers each was sent.
        """
        counts = np.zeros(len(rows), np.int64)
        if not is_port(self.port):
            return counts
        self._packets["SysCurrentTime"][rows] = int(_MS * time.time())
        for index, row in enumerate(rows.tolist()):
            self._packets["HeartCount"][row] += 1
            packet = self._packets[row].tobytes()
            for address in self._addresses:
                with contextlib.suppress(OSError):  # the next one may arrive
                    self._socket.sendto(packet, (address, self.port))
                    counts[index] += 1
            with contextlib.suppress(OSError):  # there is no multicast
                self._group.sendto(packet, (GROUP, self.port))
        return counts

    def close(self) -> None:
        """Close the sockets; further calls have no effect."""
        self._socket.close()
        self._group.close()
