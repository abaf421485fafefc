"""Heartbeats by which RflySim's ``ReqCopterSim`` finds the vehicles: `Heartbeat`."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Sequence

import numpy as np

from pyrfly import wire
from pyrfly.transport import FIRST_PORT, RFLYSIM_PORTS, addresses_of, sender

__all__ = ["PERIOD", "Heartbeat"]

PERIOD = 1.0
"""Real time between two heartbeats [s]; RflySim's is not published, its clients listen for 3 s."""

_MS = 1000.0


class Heartbeat:
    """Sends CopterSim's heartbeat of every vehicle, in a thread, until `close`.

    They go to port 20005 of each peer. With another first port that port moves by as much; there
    are none where it would be below 1.

    Parameters
    ----------
    n : int
        Number of vehicles.
    peers : sequence of str
        Addresses to send to.
    host : str
        Address that the server listens on; the peers must be reachable from it.
    first_port : int
        As of the server.
    period : float
        Time between two heartbeats [s].
    first_id : int
        CopterID of the first vehicle.

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
        period: float = PERIOD,
        first_id: int = 1,
    ) -> None:
        self.port = RFLYSIM_PORTS.heartbeat + first_port - FIRST_PORT
        self._addresses = addresses_of(peers, host)
        self._packets = wire.blank("RflyTimeStmp", n)
        self._packets["copterID"] = np.arange(first_id, first_id + n)
        self._packets["SysStartTime"] = int(_MS * time.time())
        self._period = period
        self._socket = sender()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pyrfly heartbeat", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while self.port > 0:
            self._send()
            if self._stop.wait(self._period):
                break

    def _send(self) -> None:
        self._packets["SysCurrentTime"] = int(_MS * time.time())
        self._packets["HeartCount"] += 1
        for packet in self._packets:
            for address in self._addresses:
                with contextlib.suppress(OSError):  # the next one may arrive
                    self._socket.sendto(packet.tobytes(), (address, self.port))

    def close(self) -> None:
        """Stop; further calls have no effect."""
        self._stop.set()
        self._thread.join()
        self._socket.close()
