"""UDP: RflySim's port numbers, sockets to send from, and a thread that listens on one port."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable
from typing import NamedTuple

__all__ = [
    "RFLYSIM_PORTS",
    "Address",
    "Listener",
    "Ports",
    "is_loopback",
    "join_group",
    "local_address",
    "sender",
]

Address = tuple[str, int]

_WAIT = 0.1  # how often a listener looks whether it is to stop [s]
_LARGEST = 65535  # of a datagram


class Ports(NamedTuple):
    """First port of each series; RflySim's numbers by default.

    Attributes
    ----------
    control : int
        Commands to CopterID 1; its state goes to the next port; two ports a vehicle.
    model : int
        Model inputs of CopterID 1; its true state goes to the next port; two ports a vehicle.
    display : int
        First window of RflySim3D.
    configure : int
        Configuration of CopterSim, all vehicles.
    heartbeat : int
        Heartbeats of CopterSim, all vehicles.
    """

    control: int = 20100
    model: int = 30100
    display: int = 20010
    configure: int = 20002
    heartbeat: int = 20005

    def of_control(self, copter_id: int) -> int:
        """Return the port that commands for a vehicle are sent to."""
        return _of_vehicle(self.control, copter_id)

    def of_model(self, copter_id: int) -> int:
        """Return the port that model inputs of a vehicle are sent to."""
        return _of_vehicle(self.model, copter_id)


RFLYSIM_PORTS = Ports()
"""The port numbers of RflySim."""


def _of_vehicle(first: int, copter_id: int) -> int:
    """Return the even port of a vehicle in a series of two ports a vehicle."""
    port = first + 2 * (copter_id - 1)
    if copter_id < 1 or port + 1 > _LARGEST:
        most = (_LARGEST - 1 - first) // 2 + 1
        raise ValueError(f"CopterID: expected 1 to {most}, got {copter_id}")
    return port


def is_loopback(ip: str) -> bool:
    """Return whether an address is inside this machine."""
    try:
        return ip == "localhost" or ipaddress.ip_address(ip).is_loopback
    except ValueError:
        return False


def local_address(ip: str) -> str:
    """Return the address to listen on for answers from ``ip``.

    The loopback interface when ``ip`` is on it, so that nothing from outside gets in; else all
    interfaces, since the answers come from outside.
    """
    return "127.0.0.1" if is_loopback(ip) else "0.0.0.0"


def sender() -> socket.socket:
    """Return a UDP socket to send from, to broadcast addresses too."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    return sock


def join_group(sock: socket.socket, group: str) -> bool:
    """Have a socket listen to a multicast group too; return whether the system let it."""
    membership = socket.inet_aton(group) + socket.inet_aton("0.0.0.0")
    try:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
    except OSError:
        return False
    return True


class Listener:
    """A daemon thread that hands the datagrams of one port to a function.

    Parameters
    ----------
    address : str
        Interface to listen on.
    port : int
        Port, 0 for any free one.
    take : callable
        Called with each datagram and where it came from. ValueError and ArithmeticError from it
        count as a rejected datagram.

    Attributes
    ----------
    port : int
        Port listened on.
    rejected : int
        How many datagrams ``take`` did not accept.

    Raises
    ------
    OSError
        When the port cannot be listened on, for example because another program does.
    """

    def __init__(self, address: str, port: int, take: Callable[[bytes, Address], object]) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.bind((address, port))
        except (OSError, OverflowError) as error:
            self._socket.close()
            raise OSError(f"cannot listen on UDP {address}:{port}: {error}") from error
        self._socket.settimeout(_WAIT)
        self.port: int = self._socket.getsockname()[1]
        self.rejected = 0
        self._take = take
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"UDP {self.port}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                data, origin = self._socket.recvfrom(_LARGEST)
            except TimeoutError:
                continue
            except OSError:  # a reset by a peer that is gone, reported on some systems
                self._stop.wait(_WAIT)
                continue
            try:
                self._take(data, origin)
            except (ValueError, ArithmeticError):
                self.rejected += 1

    def close(self) -> None:
        """Stop listening and free the port; a second call does nothing."""
        self._stop.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        self._socket.close()
