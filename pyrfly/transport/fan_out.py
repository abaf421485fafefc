"""Messages that go to several ports of all peers: `FanOut`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import require_kind
from pyrfly.transport.datagrams import Datagrams, SocketSet
from pyrfly.transport.destinations import Destinations
from pyrfly.transport.fleet import Sent
from pyrfly.transport.groups import GROUP, group_sender
from pyrfly.transport.ports import MAXIMUM_PORT, OptionError, is_port, require_whole
from pyrfly.transport.senders import addresses_of
from pyrfly.transport.sockets import is_own_address, sender

__all__ = ["FanOut"]


class FanOut:
    """Sends every message to some ports of all peers, and to RflySim's group.

    Where nobody listens at a port of this machine, messages are left out, but for one of five
    moments a second that finds out whether somebody does now; on Linux, which tells. Without
    multicast nothing goes to the group.

    Parameters
    ----------
    peers : sequence of str
        IPv4 addresses.
    ports : sequence of int
        Ports of each.
    host : str
        Address whose interface sends to the group.
    group_port : int, optional
        Port of the group; None: nothing is sent to it.

    Raises
    ------
    OptionError, PortError
        A peer is no address or cannot be reached from the host, or a port is not 1 to 65535.
    TypeError
        A port is no whole number.
    """

    def __init__(
        self, peers: Sequence[str], ports: Sequence[int], host: str, group_port: int | None = None
    ) -> None:
        peers = addresses_of(peers, host)
        require_kind("ports", ports, Sequence)
        for port in ports:
            _require_port("ports", port)
        if group_port is not None:
            _require_port("group_port", group_port)
        # A refusal fails the next packet of its socket, so each port has one.
        opened = [*(sender() for _ in ports), group_sender(host)]
        for one in opened:
            one.setblocking(False)
        self._sockets = SocketSet(opened, 0)
        numbers = np.arange(len(ports))
        skips = all(map(is_own_address, peers))  # of others it is told too late
        self._peers = Destinations(numbers, peers, np.asarray(ports, np.int64), True, set(), skips)
        if skips:
            self._sockets.keep_refusals(numbers)
        group_ports = np.array([] if group_port is None else [group_port], np.int64)
        last = np.full_like(group_ports, len(ports))
        self._group = Destinations(last, [GROUP], group_ports, True, set())
        self._rows = numbers, np.arange(len(group_ports))

    def send(self, messages: NDArray[Any]) -> Sent:
        """Send messages without waiting; return for each the packets to peers.

        Parameters
        ----------
        messages : numpy.ndarray, shape (k,)
            Structured array.
        """
        require_kind("messages", messages, np.ndarray)
        rows, group_rows = self._rows
        probe = self._send(self._peers, rows, messages[:1])  # the others then know who listens
        others = self._send(self._peers, rows, messages[1:])
        self._send(self._group, group_rows, messages)
        return Sent(*map(np.concatenate, zip(probe, others, strict=True)))

    def _send(
        self, destinations: Destinations, rows: NDArray[np.int64], messages: NDArray[Any]
    ) -> Sent:
        count, size = len(messages), messages.itemsize
        routes = destinations.routes(rows)
        chosen = np.repeat(rows, count)
        starts = np.tile(size * np.arange(count), len(rows))
        datagrams = Datagrams(chosen, starts, np.full_like(starts, size), messages.tobytes())
        failures = self._sockets.send(routes, datagrams)
        packets = routes.counts(chosen) - failures
        destinations.note_refused(routes, self._sockets)
        shape = len(rows), count
        return Sent(packets.reshape(shape).sum(axis=0), failures.reshape(shape).sum(axis=0))

    def close(self) -> None:
        """Close the sockets; further calls have no effect."""
        self._sockets.close()


def _require_port(name: str, number: int) -> None:
    require_whole(name, number)
    if not is_port(number):
        raise OptionError(f"{name}: expected ports of 1 to {MAXIMUM_PORT}, got {number}")
