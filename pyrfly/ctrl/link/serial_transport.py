"""A serial port to an autopilot or a radio: `SerialTransport`."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

from pyrfly.errors import import_extra
from pyrfly.transport import PortError

__all__ = ["DEFAULT_BAUD", "SerialTransport"]

DEFAULT_BAUD = 57600
"""RflySim's rate when none is given [baud]."""

_WAIT = 0.1  # s that a read waits, and so between checks whether to stop
_WRITE_TIME = 0.5  # s until a frame that cannot be written is lost
_RETRY = 1.0  # s between attempts to open a port that is gone
_MAXIMUM_READ = 4096  # bytes


class SerialTransport:
    """A serial port; one that disappears, as when a plug is pulled, is opened again later.

    Parameters
    ----------
    device : str
        Name of the port: ``COM3``, ``/dev/ttyUSB0``.
    baud : int
        Its rate [baud].
    """

    in_datagrams = False
    is_direct = True

    def __init__(self, device: str, baud: int) -> None:
        self._device, self._baud = device, baud
        self._port: Any = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    def open(self, take: Callable[[bytes], object]) -> None:
        """See `pyrfly.ctrl.link.mavlink_transports.Transport.open`.

        Raises
        ------
        MissingExtraError
            pyserial is not installed.
        PortError
            The port cannot be opened.
        """
        serial = import_extra("serial", "serial", "Com, a serial port,")

        def connect() -> Any:
            return serial.Serial(self._device, self._baud, timeout=_WAIT, write_timeout=_WRITE_TIME)

        try:
            self._port = connect()
        except (OSError, ValueError) as error:
            raise PortError(
                f"Com: expected a serial port that can be opened at {self._baud} baud, got "
                f"{self._device!r}: {error}"
            ) from error
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(take, connect), name=f"MAVLink {self._device}", daemon=True
        )
        self._thread.start()

    def write(self, data: bytes) -> None:
        """See `pyrfly.ctrl.link.mavlink_transports.Transport.write`."""
        port = self._port
        if port is not None:
            with contextlib.suppress(OSError, TypeError):  # TypeError: it was closed just now
                port.write(data)

    def close(self) -> None:
        """See `pyrfly.ctrl.link.mavlink_transports.Transport.close`."""
        if self._thread is None:
            return
        self._stop.set()
        with contextlib.suppress(AttributeError, OSError, TypeError):  # it is closed, or cannot
            self._port.cancel_read()
        self._thread.join()
        self._thread = None
        self._drop()

    def _run(self, take: Callable[[bytes], object], connect: Callable[[], Any]) -> None:
        """Read until the end; open the port again when it fails."""
        while not self._stop.is_set():
            try:
                if self._port is None:
                    self._port = connect()
                data = self._port.read(min(max(1, self._port.in_waiting), _MAXIMUM_READ))
            except (OSError, ValueError):
                self._drop()
                self._stop.wait(_RETRY)
                continue
            if data:
                take(data)

    def _drop(self) -> None:
        """Close the port, if it is open."""
        port, self._port = self._port, None
        if port is not None:
            with contextlib.suppress(OSError):
                port.close()
