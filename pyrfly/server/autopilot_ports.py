"""UDP ports for the MAVLink traffic of autopilots that are programs: `AutopilotPorts`."""

from __future__ import annotations

import socket
from collections.abc import Iterator

from pyrfly.transport import THIS_MACHINE, Address, OptionError, bound

__all__ = ["AutopilotPorts"]

_BUFFER = 2048
_MAXIMUM_PORT = 65535

_PORTION = 64
"""Maximum number of datagrams of a port that are read at once."""


class AutopilotPorts:
    """The other ends of links of autopilots, which the ports that they send from tell apart.

    The defaults are those of PX4 SITL's link for SDKs: instance i sends from 14580 + i to
    14540 + i, from i = 9 on to 14549 [@px4 v1.16.1 px4-rc.mavlink]. PX4 as RflySim starts it sends
    from 17540 + i to 16540 + i: ``AutopilotPorts(n, 16540, 17540, None)``.

    Parameters
    ----------
    n : int
        Number of vehicles.
    port : int
        Port to listen on for the first vehicle; the next has one more.
    remote : int
        Port that the first autopilot sends from, and receives on; the next has one more.
    last : int, optional
        The highest port to listen on, which all further vehicles share; None: there is none.
    host : str
        IPv4 address of the autopilots and to listen on; on all interfaces, the autopilots are on
        this machine.

    Raises
    ------
    PortError
        A port is in use or cannot be opened.
    OptionError
        A port is out of range, or the last below the first.
    """

    def __init__(
        self,
        n: int,
        port: int = 14540,
        remote: int = 14580,
        last: int | None = 14549,
        host: str = "127.0.0.1",
    ) -> None:
        if last is not None and last < port:
            raise OptionError(f"last: expected port {port} or a higher one, got {last}")
        ports = [port + row if last is None else min(port + row, last) for row in range(n)]
        if port < 1 or remote < 1 or max(ports[-1], remote + n - 1) > _MAXIMUM_PORT:
            raise OptionError(
                f"port: expected ports of 1 to {_MAXIMUM_PORT} for {n} autopilots, "
                f"got {port} and {remote}"
            )
        there = THIS_MACHINE if host in ("", "0.0.0.0") else host
        self._rows: dict[Address, int] = {(there, remote + row): row for row in range(n)}
        self._addresses = list(self._rows)
        self.sockets: list[socket.socket] = []
        by_port: dict[int, socket.socket] = {}
        try:
            for one in dict.fromkeys(ports):
                by_port[one] = bound(host, one)
                by_port[one].setblocking(False)
                self.sockets.append(by_port[one])
        except BaseException:
            self.close()
            raise
        self._senders = [by_port[one] for one in ports]

    def receive(self, source: socket.socket) -> Iterator[tuple[int | None, bytes]]:
        """Yield the datagrams at one of `sockets`, at most 64, with the row of the sender.

        The row is None where the sender is none of the autopilots.
        """
        for _ in range(_PORTION):
            try:
                data, origin = source.recvfrom(_BUFFER)
            except ConnectionError:  # a datagram that was sent had nobody to receive it
                continue
            except OSError:
                return
            yield self._rows.get(origin), data

    def send(self, row: int, data: bytes) -> bool:
        """Send a datagram to an autopilot; return whether the system took it."""
        try:
            self._senders[row].sendto(data, self._addresses[row])
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Close the sockets; further calls have no effect."""
        for one in self.sockets:
            one.close()
