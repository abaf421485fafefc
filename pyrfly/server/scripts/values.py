"""Values of variables of RflySim's start scripts, read from their texts.

The functions raise a ValueError that says what was expected and what came.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from pyrfly.errors import brief
from pyrfly.transport import MAXIMUM_FLEET

__all__ = [
    "FARTHEST",
    "Place",
    "addresses",
    "degrees",
    "display_class",
    "distance",
    "listed",
    "metres",
    "serial_port",
    "whole",
]

FARTHEST = 1e5
"""Maximum of places and distances [m]."""

_BROADCAST = "255.255.255.255"
_LIST = re.compile(r"[,;\s]+")

Value = TypeVar("Value")


class Place(NamedTuple):
    """Where a vehicle starts: north and east of the origin of the map [m], heading [deg]."""

    north: float
    east: float
    yaw: float


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return a function that reads a whole number in ``low..high``."""

    def read(text: str) -> int:
        if re.fullmatch(r"[-+]?[0-9]{1,12}", text) and low <= int(text) <= high:
            return int(text)
        raise ValueError(f"expected a whole number from {low} to {high}, got {brief(text)}")

    return read


def _real(low: float, high: float, unit: str) -> Callable[[str], float]:
    """Return a function that reads a number in ``low..high``."""

    def read(text: str) -> float:
        if re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)", text[:40]) and len(text) <= 40:
            value = float(text)
            if low <= value <= high:
                return value
        raise ValueError(f"expected {low:g} to {high:g} {unit}, got {brief(text)}")

    return read


metres = _real(-FARTHEST, FARTHEST, "m")
distance = _real(0, FARTHEST, "m")
degrees = _real(-360, 360, "deg")


def listed(read: Callable[[str], Value]) -> Callable[[str], tuple[Value, ...]]:
    """Return a function that reads values between commas or semicolons."""

    def read_list(text: str) -> tuple[Value, ...]:
        words = [word for word in _LIST.split(text) if word]
        if len(words) > MAXIMUM_FLEET:
            raise ValueError(f"expected at most {MAXIMUM_FLEET} values, got {len(words)}")
        return tuple(map(read, words))

    return read_list


def serial_port(text: str) -> str:
    """Return the name of a serial port; RflySim's scripts give the number of a COM port."""
    if re.fullmatch(r"[0-9]{1,3}", text):
        return f"COM{text}"
    if re.fullmatch(r"(?i:com)[0-9]{1,3}|/dev/[\w/.:-]{1,60}", text):
        return text
    raise ValueError(f"expected serial ports such as 3,6 or /dev/ttyACM0, got {brief(text)}")


def display_class(text: str) -> int | None:
    """Return a number of RflySim3D; None for -1, that of the model."""
    number = whole(-1, 2**31 - 1)(text)
    return None if number < 0 else number


def addresses(text: str) -> tuple[str, ...]:
    """Return addresses; 0 is this computer, 1 all computers of the network."""
    if text in ("", "0", "1"):
        return (_BROADCAST,) if text == "1" else ()
    try:
        return listed(lambda word: str(ipaddress.IPv4Address(word)))(text)
    except ValueError:
        raise ValueError(f"expected 0, 1 or IP addresses, got {brief(text)}") from None
