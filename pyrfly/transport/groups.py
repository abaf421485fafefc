"""Multicast groups: `group_listener`, `group_sender`.

A group is joined, and sent to, on one interface: that of the address a program listens on. So a
program on the loopback interface neither reaches other machines nor receives their packets.
"""

from __future__ import annotations

import contextlib
import socket
import sys

from pyrfly.transport.ports import PortError
from pyrfly.transport.sockets import bound, require_address, sender

__all__ = ["GROUP", "group_listener", "group_sender"]

GROUP = "224.0.0.10"
"""RflySim's group for settings, heartbeats, start signals and its 3D view [@rfly-sdk]."""

_MULTICAST_ALL = 49
"""Linux' option of a socket: whether it also receives for groups that others have joined."""


def group_listener(port: int, host: str, group: str = GROUP) -> socket.socket | None:
    """Return a non-blocking socket that receives what is sent to a group; None if there is none.

    Other programs may listen on the port, too, and each receives every packet of the group. Where
    the system can, what is sent to an address of this machine is left to them.

    Parameters
    ----------
    port : int
        Port.
    host : str
        Address whose interface is meant; ``'0.0.0.0'`` for the default one.
    group : str
        Address of the group.
    """
    require_address("host", host)
    require_address("group", group)
    opened = None
    try:
        # On Windows a socket cannot be bound to the address of a group.
        opened = bound("" if sys.platform == "win32" else group, port, shared=True)
        membership = socket.inet_aton(group) + socket.inet_aton(host)
        opened.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        if sys.platform == "linux":
            opened.setsockopt(socket.IPPROTO_IP, _MULTICAST_ALL, 0)
        opened.setblocking(False)
    except (OSError, PortError):
        if opened is not None:
            opened.close()
        return None
    return opened


def group_sender(host: str) -> socket.socket:
    """Return a socket whose packets to groups leave by the interface of an address.

    They stay in the local network. Where the system has no multicast, sending raises an OSError.
    """
    require_address("host", host)
    opened = sender()
    if host not in ("", "0.0.0.0"):
        with contextlib.suppress(OSError):
            interface = socket.inet_aton(host)
            opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, interface)
    return opened
