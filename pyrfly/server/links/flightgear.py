"""FlightGear as a live view of vehicles: `FlightGearLink`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from pyrfly.errors import brief
from pyrfly.server.link import Link
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.sim import Sim
from pyrfly.transport import Address, OptionError, PortUse, resolved, sender
from pyrfly.transport.ports import MAXIMUM_PORT
from pyrfly.wire.flightgear import pack

__all__ = ["PORT", "FlightGearLink"]

PORT = 5500
"""UDP port of FlightGear in this project's examples; its command line names one."""

_RATES = (0.1, 1000.0)  # Hz


class FlightGearLink(Link):
    """Shows vehicles in FlightGear, one in each.

    Sends the packets of `pyrfly.wire.flightgear` by UDP, as often as a viewer needs in real time,
    whatever the rate of the server, and at most once per tick. While simulated time stands still
    nothing is sent. FlightGear sends nothing back, so that one that is not there is not noticed.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    address : str
        Address or host name of the computer with FlightGear.
    port : int
        Its UDP port: ``fgfs --fdm=null --native-fdm=socket,in,60,,5500,udp``.
    copter_id : int, optional
        CopterID of the vehicle that it shows, by default the first.
    rate : float
        Packets per second of real time [Hz], 0.1 to 1000.
    others : sequence of (int, int)
        CopterIDs of further vehicles, and ports of the FlightGear of each.
    clock : callable
        As ``time.monotonic``.
    first_id : int
        CopterID of the first vehicle.

    Raises
    ------
    OptionError
        When a vehicle, a port or the rate is not valid; a ValueError.
    PortError
        When the host name has no address.
    """

    name = "flightgear"

    def __init__(
        self,
        sim: Sim,
        address: str = "127.0.0.1",
        port: int = PORT,
        copter_id: int | None = None,
        rate: float = 30.0,
        others: Sequence[tuple[int, int]] = (),
        clock: Callable[[], float] = time.monotonic,
        first_id: int = 1,
    ) -> None:
        views = [(first_id if copter_id is None else copter_id, port), *others]
        for shown_id, to in views:
            _check_whole("copter_id", shown_id, first_id, first_id + sim.n - 1)
            _check_whole("port", to, 1, MAXIMUM_PORT)
        if not _RATES[0] <= rate <= _RATES[1]:
            raise OptionError(f"rate: expected 0.1 to 1000 Hz, got {brief(rate)}")
        host = resolved("address", address)
        self.stats = LinkStats(sim.n, first_id)
        self._sim = sim
        self._clock = clock
        self._rows = [shown_id - first_id for shown_id, _ in views]
        self._addresses = [(host, to) for _, to in views]
        self._period = 1.0 / rate
        self._next = clock()
        self._packets: list[bytes] = []
        self._socket = sender()
        self._socket.setblocking(False)

    def port_uses(self) -> list[PortUse]:
        """Return what the ports are for, as `pyrfly.transport.check_ports` takes it."""
        return [PortUse("FlightGear", port) for _, port in self._addresses]

    def give(self, step: int) -> None:
        """See `Link.give`: packets, if it is time for them."""
        now = self._clock()
        if now < self._next:
            return
        self._next += self._period
        if self._next <= now:  # a tick takes longer than the period
            self._next = now + self._period
        self._packets = [one.tobytes() for one in pack(self._sim, [row + 1 for row in self._rows])]

    def flush(self) -> None:
        """See `Link.flush`."""
        packets, self._packets = self._packets, []
        for row, to, packet in zip(self._rows, self._addresses, packets, strict=False):
            self.stats.add(self._send(packet, to), row)

    def _send(self, packet: bytes, to: Address) -> Count:
        try:
            self._socket.sendto(packet, to)
        except OSError:
            return Count.SEND_ERRORS
        return Count.SENT

    def close(self) -> None:
        """See `Link.close`."""
        self._socket.close()


def _check_whole(option: str, value: int, minimum: int, maximum: int) -> None:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not minimum <= value <= maximum:
        raise OptionError(f"{option}: expected {minimum} to {maximum}, got {brief(value)}")
