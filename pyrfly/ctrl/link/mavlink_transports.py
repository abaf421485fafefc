"""How MAVLink frames get to a vehicle and back: by UDP, through a simulator or direct.

`pyrfly.ctrl.link.serial_transport` has the third.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from typing import Protocol

from pyrfly.ctrl.link.packets import PacketSender
from pyrfly.ctrl.link.remote import address_of
from pyrfly.transport import Address, Listener, local_address, sender, wake

__all__ = ["DirectTransport", "SimulatorTransport", "Transport"]

Take = Callable[[bytes], object]

_WAIT = 0.1  # s between checks whether to stop
_MAXIMUM_DATAGRAM = 65535  # bytes


class Transport(Protocol):
    """A way for bytes to one vehicle and back."""

    @property
    def in_datagrams(self) -> bool:
        """Whether what arrives are whole frames; else it is a stream."""

    @property
    def is_direct(self) -> bool:
        """Whether a vehicle is at the other end, and not a simulator of this machine's port."""

    def open(self, take: Take) -> None:
        """Begin to receive; ``take`` is called in another thread with what arrives."""

    def write(self, data: bytes) -> None:
        """Send bytes; what cannot be sent is lost, as on a network."""

    def close(self) -> None:
        """Stop; a second call does nothing."""


class SimulatorTransport:
    """UDP through CopterSim or a server: sends to a port, listens on the one above.

    Parameters
    ----------
    packets : PacketSender
        Sends to the vehicle's ports.
    ip : str
        Address of the simulator.
    port : int
        The vehicle's port.
    """

    in_datagrams = True
    is_direct = False

    def __init__(self, packets: PacketSender, ip: str, port: int) -> None:
        self._packets = packets
        self._ip, self._port = ip, port
        self._listener: Listener | None = None

    def open(self, take: Take) -> None:
        """See `Transport.open`."""

        def accept(data: bytes, origin: Address) -> None:
            take(data)

        address = address_of(self._ip)
        self._packets.ip = address
        self._listener = Listener(local_address(address), self._port + 1, accept, together=True)

    def write(self, data: bytes) -> None:
        """See `Transport.write`."""
        self._packets.raw(data, 0)

    def close(self) -> None:
        """See `Transport.close`."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None


class DirectTransport:
    """UDP to a vehicle, which answers to where frames come from (RflySim's ``Com='Direct'``).

    Parameters
    ----------
    ip : str
        Address of the vehicle; frames from others are dropped.
    port : int
        Its port.
    """

    in_datagrams = True
    is_direct = True

    def __init__(self, ip: str, port: int) -> None:
        self._ip, self._port = ip, port
        self._socket: socket.socket | None = None
        self._thread: threading.Thread | None = None

    def open(self, take: Take) -> None:
        """See `Transport.open`."""
        address = address_of(self._ip)
        self._socket = opened = sender()
        opened.bind((local_address(address), 0))
        opened.settimeout(_WAIT)
        self._address = (address, self._port)
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=_receive, args=(opened, address, take, self._stop), name="MAVLink", daemon=True
        )
        self._thread.start()

    def write(self, data: bytes) -> None:
        """See `Transport.write`."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.sendto(data, self._address)

    def close(self) -> None:
        """See `Transport.close`."""
        if self._thread is None or self._socket is None:
            return
        self._stop.set()
        wake(self._socket)
        self._thread.join()
        self._socket.close()
        self._thread = self._socket = None


def _receive(source: socket.socket, ip: str, take: Take, stop: threading.Event) -> None:
    """Pass on the datagrams of one machine."""
    while not stop.is_set():
        try:
            data, origin = source.recvfrom(_MAXIMUM_DATAGRAM)
        except TimeoutError:
            continue
        except OSError:  # a reset by a closed peer, reported on some systems
            stop.wait(_WAIT)
            continue
        if data and origin[0] == ip:  # an empty one is that of the end
            take(data)
