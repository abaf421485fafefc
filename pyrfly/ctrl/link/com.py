"""RflySim's ``Com``: how a vehicle is reached that is not in this process."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from pyrfly.ctrl.link.serial_transport import DEFAULT_BAUD
from pyrfly.errors import UnsupportedError

__all__ = ["Com", "Kind", "is_serial", "parsed_com"]


class Kind(Enum):
    """Kinds of links."""

    UDP = "udp"
    SERIAL = "serial"
    DIRECT = "direct"


class Com(NamedTuple):
    """A parsed ``Com``.

    Attributes
    ----------
    kind : Kind
        Kind of link.
    device : str
        Name of a serial port, else empty.
    number : int
        Baud rate of a serial port, else a UDP port, 0 if none is given.
    """

    kind: Kind
    device: str = ""
    number: int = 0


def is_serial(com: object) -> bool:
    """Return whether ``Com`` is the name of a serial port."""
    return isinstance(com, str) and com.lower().startswith(("com", "/dev/"))


def parsed_com(com: object, port: int) -> Com:
    """Return what ``Com`` and ``port`` of RflySim's class say.

    Parameters
    ----------
    com : str
        ``'udp'``; a serial port, such as ``'COM3'`` or ``'/dev/ttyUSB0'``; ``'Direct'``. The last
        two may have a number after a colon, which precedes ``port``: the baud rate or UDP port.
    port : int
        The ``port`` beside it; 0 for none.

    Raises
    ------
    UnsupportedError
        For ``'redis'``.
    ValueError
        For anything else.

    Examples
    --------
    >>> parsed_com("COM3:115200", 0)
    Com(kind=<Kind.SERIAL: 'serial'>, device='COM3', number=115200)
    """
    text = com if isinstance(com, str) else ""
    name, colon, digits = text.rpartition(":")
    has_number = bool(colon) and digits.isascii() and digits.isdigit()
    name, number = (name, int(digits)) if has_number else (text, port)
    lower = text.lower()
    if lower == "udp":
        return Com(Kind.UDP, number=port)
    if is_serial(com):
        return Com(Kind.SERIAL, name, number or DEFAULT_BAUD)
    if lower.startswith("direct"):
        return Com(Kind.DIRECT, number=number)
    if lower.startswith("redis"):
        raise UnsupportedError(
            f"Com: RflySim's link {com!r} does not exist here; use 'udp', or in process sim="
        )
    raise ValueError(
        "Com: expected 'udp', RflySim's default, a serial port such as 'COM3' or '/dev/ttyUSB0', "
        f"or 'Direct'; got {com!r}"
    )
