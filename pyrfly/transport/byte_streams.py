"""Connections that carry bytes, by TCP, a serial port or UDP, without waiting."""

from __future__ import annotations

import contextlib
import os
import socket
from typing import Protocol

from pyrfly.transport.datagrams import BUFFER
from pyrfly.transport.ports import PortError
from pyrfly.transport.sockets import Address, bound

__all__ = ["MAXIMUM_PENDING", "ByteStream", "SerialStream", "TcpStream", "UdpStream", "listening"]

PORTION = 65536
"""Maximum number of bytes that are read at once."""

MAXIMUM_PENDING = 1 << 20
"""Number of bytes that wait to be sent before a connection counts as ended."""


class ByteStream(Protocol):
    """A connection to another program or a device."""

    def fileno(self) -> int:
        """Return the file that can be read when bytes have arrived."""

    def read(self) -> bytes | None:
        """Return what has arrived, at most `PORTION` bytes; None when the connection has ended."""

    def write(self, data: bytes | memoryview) -> bool:
        """Send bytes after those that are pending; return False when the connection has ended."""

    @property
    def pending(self) -> int:
        """Number of bytes that wait for the system to take them."""

    @property
    def has_receiver(self) -> bool:
        """Whether it is known where to send to; before that, what is written goes nowhere."""

    def close(self) -> None:
        """Close it; further calls have no effect."""


class _Stream:
    """What a socket and a serial port have in common: reading and writing a file."""

    def __init__(self) -> None:
        self._waiting = b""

    def fileno(self) -> int:
        """See `ByteStream.fileno`."""
        raise NotImplementedError

    def read(self, size: int = PORTION) -> bytes | None:
        """See `ByteStream.read`; at most ``size`` bytes."""
        try:
            return os.read(self.fileno(), size) or None
        except (BlockingIOError, InterruptedError):
            return b""
        except OSError:
            return None

    def write(self, data: bytes | memoryview) -> bool:
        """See `ByteStream.write`."""
        data = self._waiting + data
        try:
            sent = os.write(self.fileno(), data) if data else 0
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            return False
        self._waiting = data[sent:]
        return len(self._waiting) <= MAXIMUM_PENDING

    @property
    def pending(self) -> int:
        """See `ByteStream.pending`."""
        return len(self._waiting)

    @property
    def has_receiver(self) -> bool:
        """See `ByteStream.has_receiver`: always."""
        return True


class TcpStream(_Stream):
    """A TCP connection.

    Parameters
    ----------
    connection : socket.socket
        The connection, which this closes.
    """

    def __init__(self, connection: socket.socket) -> None:
        super().__init__()
        connection.setblocking(False)
        with contextlib.suppress(OSError):  # that it has ended already is found when it is read
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connection

    def fileno(self) -> int:
        """See `ByteStream.fileno`."""
        return self._socket.fileno()

    def close(self) -> None:
        """See `ByteStream.close`."""
        self._socket.close()


class SerialStream(_Stream):
    """A serial port, opened by pyserial of the extra ``pyrfly[serial]``.

    Parameters
    ----------
    device : str
        Its name, such as ``'/dev/ttyACM0'``.
    baud : int
        Bits per second.

    Raises
    ------
    PortError
        When it cannot be opened; the message names the device.
    ImportError
        Without pyserial.
    """

    def __init__(self, device: str, baud: int = 921600) -> None:
        super().__init__()
        try:
            import serial
        except ImportError as error:
            raise ImportError(
                "a serial port needs pyserial: pip install 'pyrfly[serial]'"
            ) from error
        try:
            self._port = serial.Serial(device, baud, timeout=0, write_timeout=0, exclusive=True)
        except (serial.SerialException, ValueError, OSError) as error:
            raise PortError(f"serial port {device} cannot be opened: {error}") from error

    def fileno(self) -> int:
        """See `ByteStream.fileno`."""
        return int(self._port.fileno())

    def read(self, size: int = PORTION) -> bytes | None:
        """See `ByteStream.read`; at most ``size`` bytes."""
        data = super().read(size)
        return b"" if data is None and self._is_there() else data

    def _is_there(self) -> bool:
        """Return whether the device is; what ends a socket, no bytes, is an idle port."""
        try:
            return int(self._port.in_waiting) >= 0
        except OSError:
            return False

    def close(self) -> None:
        """See `ByteStream.close`."""
        self._port.close()


class UdpStream:
    """Datagrams to and from one program or device; each `write` is a datagram.

    It never ends. What comes from other addresses is dropped, and so is what the system does not
    take at once.

    Parameters
    ----------
    peer : str
        IPv4 address or name of the other end.
    peer_port : int
        Its port; 0: that of the last datagram from ``peer``, and nothing is sent before the first.
    host : str
        Address to listen on.
    port : int
        Port to listen on, 0 for any free one.

    Attributes
    ----------
    port : int
        The port that it listens on.
    dropped : int
        Number of datagrams that were not sent.
    foreign : int
        Number of datagrams that came from elsewhere.

    Raises
    ------
    PortError
        The port cannot be opened, or the name has no address.
    """

    def __init__(
        self, peer: str, peer_port: int = 0, host: str = "127.0.0.1", port: int = 0
    ) -> None:
        try:
            self._peer = socket.gethostbyname(peer)
        except (OSError, ValueError) as error:  # ValueError: a name that cannot be encoded
            raise PortError(f"peer: no address for {peer!r}: {error}") from None
        self._learns = peer_port == 0
        self._to: Address | None = None if self._learns else (self._peer, peer_port)
        self._socket = bound(host, port)
        self._socket.setblocking(False)
        self.port: int = self._socket.getsockname()[1]
        self.dropped = self.foreign = 0

    def fileno(self) -> int:
        """See `ByteStream.fileno`."""
        return self._socket.fileno()

    def read(self) -> bytes | None:
        """See `ByteStream.read`: the bytes of all datagrams, one after the other."""
        parts: list[bytes] = []
        for _ in range(PORTION // BUFFER):
            try:
                data, origin = self._socket.recvfrom(BUFFER)
            except ConnectionError:  # a datagram that was sent had nobody to receive it
                continue
            except OSError:
                break
            if origin[0] != self._peer or not (self._learns or origin == self._to):
                self.foreign += 1
                continue
            self._to = origin
            parts.append(data)
        return b"".join(parts)

    def write(self, data: bytes | memoryview) -> bool:
        """See `ByteStream.write`."""
        if self._to is not None:
            try:
                self._socket.sendto(data, self._to)
            except OSError:
                self.dropped += 1
        return True

    @property
    def pending(self) -> int:
        """See `ByteStream.pending`: nothing waits."""
        return 0

    @property
    def has_receiver(self) -> bool:
        """See `ByteStream.has_receiver`: with a port, or after the first datagram."""
        return self._to is not None

    def close(self) -> None:
        """See `ByteStream.close`."""
        self._socket.close()


def listening(host: str, port: int, option: str) -> socket.socket:
    """Return a TCP socket that listens for connections, without waiting.

    Parameters
    ----------
    host : str
        Address of the interface.
    port : int
        Port, 0 for any free one.
    option : str
        What changes the port, for the message.

    Raises
    ------
    PortError
        The port is in use or cannot be opened.
    """
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        opened.listen(1)
    except (OSError, OverflowError) as error:
        opened.close()
        reason = getattr(error, "strerror", None) or error
        raise PortError(
            f"TCP port {port} of {host} cannot be opened: {reason}; {option} changes it"
        ) from error
    opened.setblocking(False)
    return opened
