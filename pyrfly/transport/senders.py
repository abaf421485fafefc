"""Who may command vehicles from the network: `Senders`."""

from __future__ import annotations

import ipaddress
import logging
import re
import socket
import time
from collections.abc import Collection, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief, require_kind
from pyrfly.transport.datagrams import Numbers
from pyrfly.transport.ports import OptionError
from pyrfly.transport.sockets import is_loopback, resolved

__all__ = ["THIS_MACHINE", "Senders", "addresses_of", "without_key"]

_LOG = logging.getLogger("pyrfly.transport")

THIS_MACHINE = "127.0.0.1"
"""Address by which programs on one machine reach each other."""

_DISCARD = 9  # a port; nothing is sent
_KNOWN = 4096
"""Number of addresses of which is kept for a moment whether they are of this machine."""


def addresses_of(peers: Sequence[str], host: str) -> list[str]:
    """Return the peers as IPv4 addresses that can be reached from ``host``."""
    if isinstance(peers, str) or not isinstance(peers, Collection) or not len(peers):
        raise OptionError(f"peers: expected one or more addresses, got {brief(peers)}")
    inside = is_loopback(resolved("host", host))
    addresses = []
    for peer in peers:
        address = resolved("peers", peer)
        if inside and not is_loopback(address):
            raise OptionError(
                f"peers: {peer} cannot be reached from host {host}, the loopback interface; "
                "set host='0.0.0.0' or an address of this machine"
            )
        addresses.append(address)
    return addresses


def without_key(allow: Sequence[str], key: bytes | None) -> Sequence[str]:
    """Return who may command where nothing is signed: with a key this machine alone.

    Examples
    --------
    >>> without_key(["192.0.2.1"], b"a key of 32 bytes, which is here")
    ('127.0.0.1',)
    """
    _require_addresses(allow)
    if key is not None:
        require_kind("key", key, bytes)
    return allow if key is None else (THIS_MACHINE,)


class Senders:
    """Addresses whose packets and connections are taken: one rule for all ports of a server.

    They are those of this machine, and besides them the peers, or instead of the peers the
    addresses of ``allow``. In a local network an address can be forged; a key cannot
    (docs/security.md).

    Parameters
    ----------
    peers : sequence of str
        Addresses or host names that are sent to.
    allow : sequence of str
        IPv4 addresses, or networks as ``'192.168.1.0/24'``; empty: the peers.
    host : str
        Address that is listened on.

    Attributes
    ----------
    peers : list of str
        As IPv4 addresses.

    Raises
    ------
    OptionError, PortError
        An address is none, has none, or cannot be reached from the host.

    Examples
    --------
    >>> from pyrfly.transport import Senders
    >>> senders = Senders(["192.0.2.1"], ["198.51.100.0/24"], host="0.0.0.0")
    >>> [senders.may(ip) for ip in ("127.0.0.1", "192.0.2.1", "198.51.100.7")]
    [True, False, True]
    >>> print(senders)
    this machine and 198.51.100.0/24
    """

    def __init__(
        self,
        peers: Sequence[str] = (THIS_MACHINE,),
        allow: Sequence[str] = (),
        host: str = THIS_MACHINE,
    ) -> None:
        self.peers = addresses_of(peers, host)
        self._networks = _networks(allow, host) or [
            ipaddress.IPv4Network(peer) for peer in self.peers if _names_one(peer)
        ]
        self._reported = False

    def may(self, ip: str) -> bool:
        """Return whether the sender of a packet may command; the first that may not is logged."""
        address = ipaddress.IPv4Address(ip)
        if any(address in network for network in self._networks) or is_here(ip):
            return True
        if not self._reported:
            self._reported = True
            _LOG.warning("dropped what %s sends: %s may command, see --allow", ip, self)
        return False

    def may_all(self, origins: Numbers) -> NDArray[np.bool_]:
        """Return for the senders of packets, each an `address_number`, whether they may command."""
        addresses, places = np.unique(origins >> 16, return_inverse=True)
        may = [self.may(str(ipaddress.IPv4Address(address))) for address in addresses.tolist()]
        allowed: NDArray[np.bool_] = np.array(may, np.bool_)[places]
        return allowed

    def __str__(self) -> str:
        """Return who may command, in words."""
        far = [network for network in self._networks if not network.is_loopback]
        names = map(_told, far)
        *first, last = "this machine", *dict.fromkeys(names)
        return f"{', '.join(first)} and {last}" if first else f"{last} alone"


def is_here(ip: str) -> bool:
    """Return whether a packet from an IPv4 address comes from this machine."""
    return is_loopback(ip) or _is_own(ip, int(time.monotonic()))


@lru_cache(maxsize=_KNOWN)
def _is_own(ip: str, second: int) -> bool:
    """Return whether an address is of an interface of this machine, in a second of its clock.

    What this machine sends to itself comes from the same address. That a socket can be bound to an
    address says less: some systems allow any.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ip, _DISCARD))
        except OSError:
            return False
        return bool(probe.getsockname()[0] == ip)


def _names_one(ip: str) -> bool:
    """Return whether an address is of one machine: not a broadcast or multicast address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ip, _DISCARD))
        except PermissionError:  # a broadcast address
            return False
        except OSError:
            pass  # no route
    return not ipaddress.IPv4Address(ip).is_multicast


def _require_addresses(allow: Sequence[str]) -> None:
    if isinstance(allow, str) or not isinstance(allow, Collection):
        raise OptionError(f"allow: expected addresses, got {brief(allow)}")


def _networks(allow: Sequence[str], host: str) -> list[ipaddress.IPv4Network]:
    _require_addresses(allow)
    networks = [*map(_network, allow)]
    far = [network for network in networks if not network.is_loopback]
    if far and is_loopback(resolved("host", host)):
        raise OptionError(
            f"allow: {_told(far[0])} cannot reach host {host}, the loopback interface; "
            "set host='0.0.0.0' or an address of this machine"
        )
    return networks


def _told(network: ipaddress.IPv4Network) -> str:
    return str(network).removesuffix("/32")


def _network(text: str) -> ipaddress.IPv4Network:
    try:
        if not isinstance(text, str) or not re.fullmatch(r"[0-9.]+(/[0-9]{1,2})?", text):
            raise ValueError
        return ipaddress.IPv4Network(text, strict=False)
    except ValueError:
        raise OptionError(
            f"allow: expected an IPv4 address or ADDRESS/BITS, got {brief(text)}"
        ) from None
