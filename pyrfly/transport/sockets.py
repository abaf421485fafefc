"""UDP sockets and addresses."""

from __future__ import annotations

import errno
import ipaddress
import socket
import struct
import sys
from contextlib import suppress

from pyrfly.errors import brief
from pyrfly.transport.ports import OptionError, PortError, require_whole

__all__ = [
    "OTHER_PROGRAM",
    "Address",
    "bound",
    "dropped_by",
    "is_loopback",
    "is_own_address",
    "join_group",
    "local_address",
    "require_address",
    "resolved",
    "sender",
    "wake",
]

Address = tuple[str, int]
"""Host and port."""

OTHER_PROGRAM = "another program"
"""What has a port that is in use, in messages, as far as is known where it is opened."""

_SO_MEMINFO, _MEMORY_FIELDS, _DROPS = 55, "=9I", 8
"""Linux' option of a socket that has its counts, their format, and where the lost packets are."""


def require_address(name: str, value: str) -> None:
    """Raise a TypeError that names an argument which cannot be an address or a host name."""
    if not isinstance(value, str) or "\0" in value:
        raise TypeError(f"{name}: expected an address, got {brief(value)}")


def is_loopback(ip: str) -> bool:
    """Return whether an address is on the loopback interface."""
    require_address("ip", ip)
    try:
        return ip == "localhost" or ipaddress.ip_address(ip).is_loopback
    except ValueError:
        return False


def is_own_address(ip: str) -> bool:
    """Return whether packets to an IPv4 address reach this machine: its own, or a broadcast."""
    require_address("ip", ip)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((ip, 0))
        except OSError:
            return False
        return True


def resolved(option: str, name: str) -> str:
    """Return the IPv4 address of an address or host name.

    Parameters
    ----------
    option : str
        What has the name, for messages.
    name : str
        Address or host name.

    Raises
    ------
    OptionError
        It is no text.
    PortError
        It has no address.
    """
    if not isinstance(name, str) or not name or "\0" in name:
        raise OptionError(f"{option}: expected an address or a host name, got {brief(name)}")
    try:
        return socket.gethostbyname(name)
    except (OSError, ValueError) as error:  # ValueError: a name that cannot be encoded
        raise PortError(f"{option}: no address for {brief(name)}: {error}") from None


def local_address(ip: str) -> str:
    """Return the address to listen on for packets from ``ip``.

    The loopback interface if ``ip`` is on it, so that packets from other machines are not received;
    else all interfaces.
    """
    return "127.0.0.1" if is_loopback(ip) else "0.0.0.0"


def sender() -> socket.socket:
    """Return a UDP socket that can send to unicast and broadcast addresses."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    return opened


def bound(host: str, port: int, *, shared: bool = False, option: str = "") -> socket.socket:
    """Return a `sender` socket that is bound to a port.

    Parameters
    ----------
    host : str
        Address of the interface to listen on; ``''`` or ``'0.0.0.0'`` for all.
    port : int
        Port, 0 for any free one.
    shared : bool
        Allow other programs to listen on the port too.
    option : str
        What changes the port, for the error message: an argument that the programs have as option,
        or several words.

    Raises
    ------
    PortError
        The port is in use or cannot be opened.
    TypeError
        An argument has another type.
    """
    require_address("host", host)
    require_whole("port", port)
    try:
        opened = sender()
    except OSError as error:
        message = f"no socket for port {port}: {error.strerror}"
        if error.errno == errno.EMFILE:
            message += " (see ulimit -n)"
        raise _port_error(message, port, error) from error
    try:
        if shared:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
    except (OSError, OverflowError) as error:
        opened.close()
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            message = f"port {port} of {host} is in use by {OTHER_PROGRAM}"
        else:
            reason = getattr(error, "strerror", None) or error
            message = f"port {port} of {host} cannot be opened: {reason}"
        if option:
            is_name = option.isidentifier()
            what = f"{option} (--{option.replace('_', '-')})" if is_name else option
            message += f"; {what} changes it"
        raise _port_error(message, port, error) from error
    return opened


def wake(receiver: socket.socket) -> None:
    """End the wait of a thread for a datagram, by an empty one; the socket's port is not shared.

    The system may drop it: the thread has to look by itself, too, whether it should stop.
    """
    host, port = receiver.getsockname()[:2]
    with suppress(OSError):
        receiver.sendto(b"", ("127.0.0.1" if host == "0.0.0.0" else host, port))


def _port_error(message: str, port: int, cause: Exception) -> PortError:
    error = PortError(message)
    error.errno, error.port = getattr(cause, "errno", None), port
    return error


def join_group(sock: socket.socket, group: str) -> bool:
    """Join a multicast group; return whether that succeeded."""
    require_address("group", group)
    try:
        membership = socket.inet_aton(group) + socket.inet_aton("0.0.0.0")
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
    except OSError:
        return False
    return True


def dropped_by(sock: socket.socket) -> int:
    """Return how many packets to a socket the system has dropped since it was opened.

    It drops those that come when as many wait as it keeps. Only Linux tells; elsewhere it is 0.
    """
    if sys.platform != "linux":
        return 0
    try:
        size = struct.calcsize(_MEMORY_FIELDS)
        fields = struct.unpack(
            _MEMORY_FIELDS, sock.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, size)
        )
    except (OSError, struct.error):
        return 0
    return int(fields[_DROPS])
