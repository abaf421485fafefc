"""UDP sockets of a fleet: `FleetSockets`, one per vehicle and `Series` of ports.

Vehicle n of RflySim receives commands on port 20100 + 2 (n - 1) and inputs of its model on
30100 + 2 (n - 1); it sends to the ports one above, 20101 and 30101, and what its IMU measures to
31000 + n - 1: `rflysim_series`.

Packets are sent only to the configured peers. A series may learn further ports of them from the
packets that it receives, never another address: a forged sender address must not make a server send
to a third party.
"""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import brief, require_kind
from pyrfly.transport.datagrams import Datagrams, Numbers, Received, SocketSet
from pyrfly.transport.destinations import Destinations
from pyrfly.transport.open_files import allow_open_files
from pyrfly.transport.port_map import PortUse, check_ports
from pyrfly.transport.ports import MAXIMUM_PORT, RFLYSIM_PORTS, OptionError, Ports, require_whole
from pyrfly.transport.senders import Senders
from pyrfly.transport.sockets import bound, dropped_by, is_loopback, is_own_address, resolved

__all__ = [
    "FIRST_PORT",
    "MAXIMUM_FLEET",
    "FleetSockets",
    "Further",
    "Packet",
    "Sent",
    "Series",
    "rflysim_series",
]

FIRST_PORT = RFLYSIM_PORTS.control
"""Port of the commands of vehicle 1."""

MAXIMUM_FLEET = (RFLYSIM_PORTS.model - RFLYSIM_PORTS.control) // 2
"""Maximum number of vehicles: two ports of each of RflySim's series per vehicle."""

PORTION = 256
"""Maximum number of packets that are received at once."""

ASKED = 16
"""Ports whose lost packets are counted at once: 0.1 s for 160 ports at 100 Hz."""


class Further(NamedTuple):
    """Ports of the peers for the vehicles that the first port, or the first ones, are not for.

    Attributes
    ----------
    vehicles : int
        Number of vehicles of a group: the first has the ports of its `Series`, each further one a
        port that its vehicles share.
    port : int
        Port of the second group.
    step : int
        To that of the next group.
    """

    vehicles: int
    port: int
    step: int


class Series(NamedTuple):
    """A kind of port that every vehicle has.

    Attributes
    ----------
    name : str
        Such as ``'command'``.
    port : int
        That of the first vehicle.
    step : int
        To that of the next vehicle.
    to : int or None
        Port of the peers for packets of the first vehicle; None: nothing is sent to them, but to
        ports that a call names or that were learnt.
    to_step : int
        To that for the next vehicle.
    to_last : int or None
        Port that all further vehicles have in common; None: there is none.
    further : Further or None
        Ports of a group of vehicles and those after it; None: all are in one group.
    learn : bool
        Whether a vehicle also sends to who sent it the last packet: only on the loopback interface
        or if the address is one of the peers, which then has a port of any number.
    shared : bool
        Whether the first vehicle's socket sends for all: a third less work, but a peer cannot tell
        a vehicle by the port that a packet comes from, or answer to it.
    skip_refused : bool
        Whether packets to ports at which nobody listens are left out, but for five a second and
        vehicle, which find out whether somebody does now. Only on Linux, which tells; such packets
        are the most work. They count neither as sent nor as failures.
    option : str
        Option of the program that changes the port, for error messages.
    """

    name: str
    port: int
    step: int
    to: int | None
    to_step: int = 0
    to_last: int | None = None
    further: Further | None = None
    learn: bool = False
    shared: bool = False
    skip_refused: bool = False
    option: str = ""

    def further_ports(self, n: int) -> range:
        """Return the ports of the peers for the groups of n vehicles after the first."""
        if self.further is None or self.to is None:
            return range(0)
        vehicles, port, step = self.further
        return range(port, port + step * ((n - 1) // vehicles), step)

    def peer_ports(self, n: int) -> Numbers | None:
        """Return the ports of the peers for packets of n vehicles, None where there are none.

        Examples
        --------
        >>> series = Series("station", 18570, 1, 14550, further=Further(2, 14551, 1))
        >>> series.peer_ports(5).tolist()
        [14550, 14550, 14551, 14551, 14552]
        """
        if self.to is None:
            return None
        rows = np.arange(n)
        ports = self.to + self.to_step * rows
        if self.to_last is not None:
            ports = np.minimum(ports, self.to_last)
        if self.further is not None:
            group, (_, port, step) = rows // self.further.vehicles, self.further
            ports = np.where(group > 0, port + step * (group - 1), ports)
        return ports


class Packet(NamedTuple):
    """A received packet: row of the vehicle, name of the series, bytes, `address_number`.

    The last is 0 where it is not kept.
    """

    row: int
    port: str
    data: bytes
    origin: int = 0


class Sent(NamedTuple):
    """Numbers of packets, shape (k,): those that the system took, and those that it did not."""

    packets: Numbers
    failures: Numbers


def rflysim_series(
    n: int, first_port: int = FIRST_PORT, first_id: int = 1, **settings: bool
) -> tuple[Series, Series]:
    """Return RflySim's series ``'command'`` and ``'sil'``, of 20100 and 30100.

    Parameters
    ----------
    n : int
        Number of vehicles; the last CopterID is at most 5000.
    first_port : int
        Port of the commands of CopterID 1; the others follow from it.
    first_id : int
        CopterID of the first vehicle.
    **settings
        ``shared`` and ``skip_refused`` of both `Series`.

    Raises
    ------
    OptionError
        An argument is invalid; there is no room for the ports that measurements are sent to.

    Examples
    --------
    >>> from pyrfly.transport import rflysim_series
    >>> [(series.name, series.port, series.to) for series in rflysim_series(2)]
    [('command', 20100, 20101), ('sil', 30100, 30101)]
    """
    require_whole("n", n)
    if n > MAXIMUM_FLEET:
        raise OptionError(
            f"n: expected at most {MAXIMUM_FLEET} vehicles, the range of RflySim's ports, got {n}"
        )
    _check_whole("first_id", first_id, MAXIMUM_FLEET - n + 1, n)
    last_id = first_id + n - 1
    last = max(RFLYSIM_PORTS.model + 2 * last_id - 1, RFLYSIM_PORTS.imu + last_id - 1) - FIRST_PORT
    _check_whole("first_port", first_port, MAXIMUM_PORT - last, n)
    command, sil = Ports.beginning_at(int(first_port))[:2]
    return (
        _rflysim("command", command + 2 * (int(first_id) - 1), **settings),
        _rflysim("sil", sil + 2 * (int(first_id) - 1), **settings),
    )


def _check_whole(name: str, value: int, maximum: int, n: int) -> None:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not 1 <= value <= maximum:
        raise OptionError(f"{name}: expected 1 to {maximum} for {n} vehicles, got {brief(value)}")


def _checked(series: Sequence[Series]) -> tuple[Series, ...]:
    require_kind("series", series, Iterable)
    for one in series:
        require_kind("series", one, Series)
        for field in ("port", "step", "to", "to_step", "to_last"):
            value = getattr(one, field)
            if value is not None or field not in ("to", "to_last"):
                require_whole(f"series: {field}", value)
    return tuple(series)


def _rflysim(name: str, port: int, shared: bool = False, skip_refused: bool = False) -> Series:
    made = Series(name, port, 2, port + 1, 2, option="first_port")
    return made._replace(shared=shared, skip_refused=skip_refused)


class FleetSockets:
    """Non-blocking UDP sockets of a fleet.

    Parameters
    ----------
    n : int
        Number of vehicles.
    series : sequence of Series
        Kinds of port; every vehicle has one of each. `rflysim_series` has RflySim's.
    host : str
        Address to listen on; ``'0.0.0.0'`` for all interfaces.
    peers : sequence of str
        Destinations: addresses or host names, including broadcast addresses.
    first_id : int
        CopterID of the first vehicle, to name them.
    allow : sequence of str
        Whose packets are taken, see `Senders`; those of others are dropped and counted.

    Attributes
    ----------
    n, series, first_id
        As given.

    Raises
    ------
    PortError
        A port is in use or cannot be opened, or the system does not allow as many sockets.
    OptionError
        An argument is invalid, or two of the ports are the same.
    TypeError
        A number is none, or a series no Series.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrfly.transport import FleetSockets, Series
    >>> with FleetSockets(2, [Series("state", 29100, 2, 29101, 2)]) as sockets:
    ...     sockets.send("state", np.zeros(2, "<f4")).packets.tolist()
    [1, 1]
    """

    def __init__(
        self,
        n: int,
        series: Sequence[Series],
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_id: int = 1,
        allow: Sequence[str] = (),
    ) -> None:
        require_whole("n", n)
        require_whole("first_id", first_id)
        self.n = n
        self.first_id = first_id
        self.series = _checked(series)
        self._senders = Senders(peers, allow, host)
        check_ports(self.uses())
        allow_open_files(n * len(self.series))
        self._selector = selectors.DefaultSelector()
        self._sockets = SocketSet(self._opened(host), PORTION)
        self._last = np.zeros(len(self._sockets.sockets), np.int64)  # number of the last read
        self._reads = 0
        self._used: dict[int, None] = {}  # since their lost packets were counted
        self._lost = [0] * len(self._last)
        self._foreign = np.zeros_like(self._last)
        self._destinations = self._destinations_from(is_loopback(resolved("host", host)))

    def _opened(self, host: str) -> list[socket.socket]:
        """Return the sockets, those of a series together."""
        opened: list[socket.socket] = []
        try:
            for series in self.series:
                for row in range(self.n):
                    opened.append(bound(host, self.port(series.name, row), option=series.option))
                    opened[-1].setblocking(False)
                    self._selector.register(opened[-1], selectors.EVENT_READ, len(opened) - 1)
        except BaseException:
            self._selector.close()
            for one in opened:
                one.close()
            raise
        return opened

    def _destinations_from(self, inside: bool) -> dict[str, Destinations]:
        own = {port for use in self.uses() if use.listens for port in use.ports}
        rows, peers = np.arange(self.n), self._senders.peers
        found = {}
        for place, series in enumerate(self.series):
            sockets = place * self.n + (np.zeros_like(rows) if series.shared else rows)
            ports, skips = series.peer_ports(self.n), series.skip_refused
            found[series.name] = Destinations(sockets, peers, ports, inside, own, skips)
            if skips:
                self._sockets.keep_refusals(np.unique(sockets))
        return found

    def uses(self) -> list[PortUse]:
        """Return what the ports are for, as `check_ports` takes it."""
        found = []
        for series in self.series:
            name, port, step, to, to_step, to_last, *_ = series
            found.append(PortUse(name, port, step, self.n, True, self.first_id))
            if to is not None:
                alone = self.n if to_last is None or not to_step else (to_last - to) // to_step + 1
                n = min(self.n, alone)
                found.append(PortUse(f"from {name}", to, to_step, n, False, self.first_id))
            found += [PortUse(f"from {name}", one) for one in series.further_ports(self.n)]
        return found

    @property
    def peers_here(self) -> bool:
        """Whether a peer is on this machine."""
        return any(map(is_own_address, self._senders.peers))

    def port(self, name: str, row: int) -> int:
        """Return the port on which a vehicle listens.

        Parameters
        ----------
        name : str
            Name of the series.
        row : int
            CopterID - `first_id`.
        """
        series = self._series_of(name)
        return series.port + series.step * row

    def _series_of(self, name: str) -> Series:
        for series in self.series:
            if series.name == name:
                return series
        names = ", ".join(series.name for series in self.series)
        raise ValueError(f"name: expected a series, {names}, got {brief(name)}")

    # --- receiving ---

    def fileno(self) -> int | None:
        """Return the file that can be read when a packet has arrived; None where there is none."""
        find = getattr(self._selector, "fileno", None)
        return None if find is None else int(find())

    def receive(
        self, expired: Callable[[], bool], is_held: Callable[[int], bool]
    ) -> Iterator[list[Packet]]:
        """Yield received packets, at most `PORTION` at once, those of one port in their order.

        Ports are read in turns, with an equal share of a portion for each, until they are empty or
        the time is over, but there is at least one portion. The port that was not read for the
        longest time comes first, also in the next call. What is not read stays in the buffers of
        the system.

        Parameters
        ----------
        expired : callable
            Whether the time is over.
        is_held : callable
            Whether the ports of a row are not to be read now.
        """
        is_empty = False
        while not is_empty:
            is_empty = True
            ready = self._ready()
            each = max(1, PORTION // max(1, len(ready)))
            for begin in range(0, len(ready), PORTION):
                portion = [n for n in ready[begin : begin + PORTION] if not is_held(n % self.n)]
                if packets := self._read(portion, each):
                    is_empty = False
                    yield packets
                    if expired():
                        return

    def _ready(self) -> list[int]:
        """Return the numbers of the sockets that have packets, those first that waited longest."""
        numbers = np.array([key.data for key, _ in self._selector.select(0)], dtype=np.int64)
        ready: list[int] = numbers[np.argsort(self._last[numbers])].tolist()
        return ready

    def _read(self, ready: list[int], each: int) -> list[Packet]:
        """Return packets of some sockets, at most ``each`` of every one."""
        if not ready:
            return []
        numbers = np.array(ready, dtype=np.int64)
        self._last[numbers] = self._reads + np.arange(1, len(numbers) + 1)
        self._reads += len(numbers)
        self._used.update(dict.fromkeys(ready))
        received = self._taken(self._sockets.receive(numbers, each))
        self._learn(received.sockets, received.origins)
        return [
            Packet(number % self.n, self.series[number // self.n].name, data, origin)
            for number, data, origin in zip(
                received.sockets.tolist(), received.datas, received.origins.tolist(), strict=True
            )
        ]

    def _taken(self, received: Received) -> Received:
        """Return the datagrams of those who may command, and count the others."""
        may = self._senders.may_all(received.origins)
        if may.all():
            return received
        np.add.at(self._foreign, received.sockets[~may], 1)
        datas = [data for data, taken in zip(received.datas, may, strict=True) if taken]
        return Received(received.sockets[may], received.origins[may], datas)

    def foreign(self) -> Iterator[tuple[str, int, int]]:
        """Yield series, row and number of packets of those who may not command, once each."""
        counts, self._foreign = self._foreign, np.zeros_like(self._foreign)
        for number in np.flatnonzero(counts).tolist():
            yield self.series[number // self.n].name, number % self.n, int(counts[number])

    def _learn(self, numbers: Numbers, origins: Numbers) -> None:
        for place, series in enumerate(self.series):
            if series.learn:
                own = numbers // self.n == place
                rows = (numbers[own] % self.n).tolist()
                for row, origin in zip(rows, origins[own].tolist(), strict=True):
                    self._destinations[series.name].learn(row, origin)

    def overflows(self, maximum: int | None = ASKED) -> Iterator[tuple[int, int]]:
        """Yield row and number of packets that the system dropped because they were not read.

        Only where the system tells; each time of at most ``maximum`` ports that had packets, in
        turns.
        """
        for number in list(islice(self._used, maximum)):
            del self._used[number]
            before, self._lost[number] = (
                self._lost[number],
                dropped_by(self._sockets.sockets[number]),
            )
            if self._lost[number] > before:
                yield number % self.n, self._lost[number] - before

    # --- sending ---

    def send(
        self,
        name: str,
        messages: NDArray[Any],
        rows: ArrayLike | None = None,
        ports: ArrayLike | None = None,
    ) -> Sent:
        """Send a message of each vehicle, or of some, without waiting.

        Parameters
        ----------
        name : str
            Series from whose ports they are sent.
        messages : numpy.ndarray, shape (k,)
            Structured array, one message per row.
        rows : array_like, shape (k,), optional
            CopterID - `first_id` of each; by default all vehicles in their order.
        ports : array_like, shape (k,), optional
            Ports of the peers that they go to, instead of those of the series and those learnt.
        """
        require_kind("messages", messages, np.ndarray)
        if rows is None and len(messages) != self.n:
            raise ValueError(f"messages: expected {self.n}, got {len(messages)}")
        size = messages.itemsize
        starts = size * np.arange(len(messages))
        chosen = np.arange(self.n) if rows is None else rows
        lengths = np.full_like(starts, size)
        return self.send_datagrams(name, messages.tobytes(), starts, lengths, chosen, ports)

    def send_datagrams(
        self,
        name: str,
        data: bytes | bytearray | memoryview,
        starts: ArrayLike,
        lengths: ArrayLike,
        rows: ArrayLike,
        ports: ArrayLike | None = None,
    ) -> Sent:
        """Send datagrams of any length, those of a vehicle in their order, without waiting.

        Parameters
        ----------
        name : str
            Series from whose ports they are sent.
        data : bytes-like
            Their bytes.
        starts, lengths : array_like, shape (k,)
            Where each is in ``data``.
        rows : array_like, shape (k,)
            CopterID - `first_id` of each; one may occur several times, at any place.
        ports : array_like, shape (k,), optional
            Ports of the peers that they go to, instead of those of the series and those learnt.

        Examples
        --------
        >>> from pyrfly.transport import FleetSockets, Series
        >>> with FleetSockets(2, [Series("gcs", 29200, 1, 29250)]) as sockets:
        ...     sockets.send_datagrams("gcs", b"onetwo!", [0, 3], [3, 4], [1, 1]).failures.tolist()
        [0, 0]
        """
        chosen, begins, sizes = (
            np.ascontiguousarray(values, dtype=np.int64) for values in (rows, starts, lengths)
        )
        destinations = self._destinations[self._series_of(name).name]
        if ports is not None:
            routes = destinations.routes_to(chosen, np.asarray(ports, dtype=np.int64))
            chosen = np.arange(len(chosen))
        else:
            routes = destinations.routes(chosen)
        counts = routes.counts(chosen)
        order = np.argsort(chosen, kind="stable")  # one call of the system per vehicle
        failures = np.zeros_like(counts)
        datagrams = Datagrams(chosen[order], begins[order], sizes[order], data)
        failures[order] = self._sockets.send(routes, datagrams)
        if ports is None:
            destinations.note_refused(routes, self._sockets)
        return Sent(counts - failures, failures)

    # --- end ---

    def close(self) -> None:
        """Close all sockets; further calls have no effect."""
        self._selector.close()
        self._sockets.close()

    def __enter__(self) -> FleetSockets:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
