"""DataFlash logs as ArduPilot writes them, for tests: `dataflash`."""

from __future__ import annotations

import struct
from collections.abc import Iterable

CODES = {
    **dict.fromkeys("bBhHiIqQfd", ""),
    "c": "h",
    "C": "H",
    "e": "i",
    "E": "I",
    "L": "i",
    "n": "4s",
    "N": "16s",
    "Z": "64s",
}

KINDS = {
    "PARM": (10, "QNf", "TimeUS,Name,Value"),
    "ATT": (11, "Qcccccc", "TimeUS,DesRoll,Roll,DesPitch,Pitch,DesYaw,Yaw"),
    "IMU": (12, "QBffffff", "TimeUS,I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ"),
    "MAG": (13, "QBhhh", "TimeUS,I,MagX,MagY,MagZ"),
    "BARO": (14, "QBff", "TimeUS,I,Alt,Press"),
    "GPS": (15, "QBBLLefff", "TimeUS,I,Status,Lat,Lng,Alt,Spd,GCrs,VZ"),
    "XKF1": (16, "QBffffff", "TimeUS,C,VN,VE,VD,PN,PE,PD"),
    "ORGN": (17, "QBLLe", "TimeUS,Type,Lat,Lng,Alt"),
    "POS": (18, "QLLf", "TimeUS,Lat,Lng,Alt"),
    "RATE": (19, "Qfff", "TimeUS,R,P,Y"),
    "ARSP": (20, "QBf", "TimeUS,I,Airspeed"),
}


def form(letters: str) -> str:
    """Return a format of messages for `struct`."""
    return "<" + "".join(CODES[letter] or letter for letter in letters)


def description(
    kind: int, name: str, letters: str, columns: str, length: int | None = None
) -> bytes:
    """Return the message that describes others."""
    size = struct.calcsize(form(letters)) + 3 if length is None else length
    texts = (name.encode(), letters.encode(), columns.encode())
    return b"\xa3\x95\x80" + struct.pack("<BB4s16s64s", kind, size, *texts)


def message(name: str, *values: object) -> bytes:
    """Return a message, with values as they are in the file, scales not applied."""
    kind, letters, _ = KINDS[name]
    return b"\xa3\x95" + bytes([kind]) + struct.pack(form(letters), *values)


def dataflash(messages: Iterable[bytes]) -> bytes:
    """Return a log of messages, with descriptions before them."""
    described = [description(0x80, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns")]
    described += [description(kind, name, *rest) for name, (kind, *rest) in KINDS.items()]
    return b"".join([*described, *messages])
