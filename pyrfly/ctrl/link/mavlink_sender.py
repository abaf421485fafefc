"""Packs MAVLink messages of a client: `MavlinkSender`."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from pyrfly.ctrl.link.mavlink_messages import Message
from pyrfly.errors import brief, import_extra

__all__ = ["SOURCE_COMPONENT", "SOURCE_SYSTEM", "MavlinkSender", "dialect"]

SOURCE_SYSTEM, SOURCE_COMPONENT = 255, 0
"""Who RflySim's client says it is: the defaults of pymavlink's connections."""

FIRST_COMPONENT = 1  # MAV_COMP_ID_AUTOPILOT1
MAXIMUM_FLOAT = 3.4028234663852886e38

_SYSTEMS, _ALL_SYSTEMS = 256, 0

_INTEGERS = {
    **{f"uint{bits}_t": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
    **{f"int{bits}_t": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
}


def dialect() -> Any:
    """Return pymavlink's module of MAVLink 2's common messages.

    Raises
    ------
    MissingExtraError
        pymavlink is not installed.
    """
    return import_extra(
        "pymavlink.dialects.v20.common",
        "mavlink",
        "a MAVLink link, so InitMavLoop(2) to InitMavLoop(6) and Com other than 'udp',",
    )


class MavlinkSender:
    """Packs and writes messages to one vehicle; from any thread.

    Parameters
    ----------
    write : callable
        Called with the bytes of a frame.
    system : int
        MAVLink's system of the vehicle; above 255 messages are for all until it is known.

    Attributes
    ----------
    system, component : int
        Whom messages are for; can be set.

    Notes
    -----
    Scripts have it as ``the_connection``, with the names of pymavlink's connections: ``mav``, by
    which pymavlink sends, ``target_system`` and ``target_component``.
    """

    def __init__(self, write: Callable[[bytes], object], system: int) -> None:
        self.system = system if system < _SYSTEMS else _ALL_SYSTEMS
        self.component = FIRST_COMPONENT
        self._write = write
        self._dialect = dialect()
        out = SimpleNamespace(write=lambda frame: write(bytes(frame)))
        self._frames = self._dialect.MAVLink(out, SOURCE_SYSTEM, SOURCE_COMPONENT)
        self._lock = threading.Lock()  # of the sequence number
        self._began = time.monotonic()

    @property
    def mav(self) -> Any:
        """Pymavlink's object with a method ``..._send`` for each message."""
        return self._frames

    @property
    def target_system(self) -> int:
        """As `system`."""
        return self.system

    @property
    def target_component(self) -> int:
        """As `component`."""
        return self.component

    def send(self, message: Message, write: Callable[[bytes], object] | None = None) -> None:
        """Pack a message with receiver and time, and write its frame.

        Parameters
        ----------
        message : Message
            Name and fields.
        write : callable, optional
            In place of that of this sender.

        Raises
        ------
        ValueError
            A field does not fit its type; the message names both.
        """
        self.check(message)
        kind = self._class_of(message)
        fields = self._common(kind.fieldnames) | message.fields
        with self._lock:
            frame = kind(**fields).pack(self._frames)
            self._frames.seq = (self._frames.seq + 1) % 256
            (self._write if write is None else write)(bytes(frame))

    def check(self, message: Message) -> None:
        """Raise a ValueError if a field of a message does not fit its type."""
        kind = self._class_of(message)
        for name, unit in zip(kind.fieldnames, kind.fieldtypes, strict=True):
            if name in message.fields:
                _check(f"{message.name}.{name}", unit, message.fields[name])

    def _class_of(self, message: Message) -> Any:
        return getattr(self._dialect, f"MAVLink_{message.name.lower()}_message")

    def _common(self, names: Sequence[str]) -> dict[str, int]:
        """Return the fields that a message has of receiver and time."""
        elapsed = time.monotonic() - self._began
        micros = int(elapsed * 1e6)
        known = {
            "target_system": self.system,
            "target_component": self.component,
            "target": self.system,
            "time_boot_ms": micros // 1000 % 2**32,
            "time_usec": micros,
            "usec": micros,
        }
        return {name: known[name] for name in names if name in known}


def _check(name: str, kind: str, value: Any) -> None:
    """Raise a ValueError if a field is outside the range of its type."""
    if isinstance(value, (bytes, bytearray)):
        return
    for one in value if isinstance(value, (list, tuple)) else (value,):
        if kind in _INTEGERS:
            low, high = _INTEGERS[kind]
            if not low <= one <= high:
                raise ValueError(f"{name}: expected {low} to {high}, got {brief(one)}")
        elif kind == "float" and not math.isnan(one) and abs(one) > MAXIMUM_FLOAT:
            raise ValueError(f"{name}: expected a number of float32, got {brief(one)}")
