"""What vehicles answer about logs, files and a shell: they have none, and say so.

Stations that get no answer ask again and again. The codes are those of MAVLink's file transfer
[@mavlink ftp]; logs of simulations are written by `pyrfly.log` instead.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from types import MappingProxyType

from pyrfly.autopilot.reply import Message, Reply

__all__ = ["answers"]

_HEADER = struct.Struct("<HBBBBBBI")  # number, session, opcode, size, request, burst, -, offset
_PAYLOAD = 251
_LOG_PIECE = 90
_ACK, _NAK = 128, 129
_NONE, _RESET, _LIST = 0, 2, 3
_NO_SESSION, _END, _UNKNOWN, _READ_ONLY, _NO_FILE = 4, 6, 7, 9, 10

_REFUSALS: Mapping[int, int] = MappingProxyType(
    {
        **dict.fromkeys((1, 5, 7, 15), _NO_SESSION),  # end, read, write, read in a burst
        **dict.fromkeys((4, 8, 10, 11, 12, 13, 14), _NO_FILE),  # open, remove, rename, checksum
        **dict.fromkeys((6, 9), _READ_ONLY),  # create
    }
)
"""Error of each request about a session or a file."""

_ROOT = (b"", b".", b"/")

_SHELL, _IS_REPLY, _WANTS_REPLY = 10, 1, 2  # SERIAL_CONTROL_DEV, SERIAL_CONTROL_FLAG
_SHELL_PIECE = 70
_NO_SHELL = b"simulated vehicles have no shell\n"


def answers(message: Message) -> list[Reply]:
    """Return the answers to a message about logs, files or a shell.

    Parameters
    ----------
    message : Message
        LOG_REQUEST_LIST, LOG_REQUEST_DATA, LOG_ERASE, LOG_REQUEST_END, FILE_TRANSFER_PROTOCOL or
        SERIAL_CONTROL.
    """
    kind = message.get_type()
    if kind == "LOG_REQUEST_LIST":
        empty = dict.fromkeys(("id", "num_logs", "last_log_num", "time_utc", "size"), 0)
        return [Reply("LOG_ENTRY", {**empty})]
    if kind == "LOG_REQUEST_DATA":
        fields: dict[str, object] = {"id": message.id, "ofs": message.ofs, "count": 0}
        return [Reply("LOG_DATA", {**fields, "data": [0] * _LOG_PIECE})]
    if kind == "FILE_TRANSFER_PROTOCOL":
        return _file_answer(message)
    if kind == "SERIAL_CONTROL":
        return _shell_answer(message)
    return []


def _shell_answer(message: Message) -> list[Reply]:
    """Answer a line to the shell, if an answer is wanted."""
    wanted = message.flags & _WANTS_REPLY and not message.flags & _IS_REPLY
    if message.device != _SHELL or not wanted or not message.count:
        return []
    fields: dict[str, object] = {
        "device": _SHELL,
        "flags": _IS_REPLY,
        "timeout": 0,
        "baudrate": 0,
        "count": len(_NO_SHELL),
        "data": list(_NO_SHELL.ljust(_SHELL_PIECE, b"\0")),
    }
    return [Reply("SERIAL_CONTROL", fields)]


def _file_answer(message: Message) -> list[Reply]:
    data = bytes(message.payload).ljust(_PAYLOAD, b"\0")
    number, session, opcode, size, _, _, _, offset = _HEADER.unpack_from(data)
    if opcode in (_ACK, _NAK):
        return []
    error = _error_of(opcode, data[_HEADER.size :][:size])
    header = _HEADER.pack(
        *((number + 1) % 2**16, session, _NAK if error else _ACK, int(error > 0)),
        *(opcode, 0, 0, offset),
    )
    answer = header + bytes([error] if error else [])
    fields: dict[str, object] = {
        "target_network": 0,
        "target_system": message.get_srcSystem(),
        "target_component": message.get_srcComponent(),
        "payload": list(answer.ljust(_PAYLOAD, b"\0")),
    }
    return [Reply("FILE_TRANSFER_PROTOCOL", fields)]


def _error_of(opcode: int, data: bytes) -> int:
    """Return the error of a request; 0 for one that is granted."""
    if opcode in (_NONE, _RESET):
        return 0
    if opcode == _LIST:
        return _END if data.rstrip(b"\0") in _ROOT else _NO_FILE
    return _REFUSALS.get(opcode, _UNKNOWN)
