"""Requests about logs, files and a shell, of a station that decodes with pymavlink."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymavlink import mavftp_op
from pymavlink.dialects.v20 import common as mavlink

from pyrfly.autopilot.storage import answers

Make = Callable[..., Any]
ACK, NAK = mavftp_op.OP_Ack, mavftp_op.OP_Nack


def request(opcode: int, data: bytes = b"", number: int = 7, session: int = 3) -> Any:
    head = struct.pack("<HBBBBBBI", number, session, opcode, len(data), 0, 0, 0, 5)
    payload = list((head + data).ljust(251, b"\0"))
    message = mavlink.MAVLink_file_transfer_protocol_message(0, 1, 1, payload)
    packed = message.pack(mavlink.MAVLink(None, srcSystem=255, srcComponent=190))
    (received,) = mavlink.MAVLink(None).parse_buffer(packed)
    return received


def answered(decoded: Make, *fields: Any, **more: Any) -> tuple[int, ...]:
    (reply,) = answers(request(*fields, **more))
    message = decoded(reply)
    assert (message.target_system, message.target_component) == (255, 190)
    return struct.unpack("<HBBBBBBIB", bytes(message.payload[:13]))


@pytest.mark.parametrize(
    ("opcode", "data", "error"),
    [
        (mavftp_op.OP_ListDirectory, b"/", 6),  # the end of the list
        (mavftp_op.OP_ListDirectory, b"/fs/microsd/log", 10),  # no such file
        (mavftp_op.OP_OpenFileRO, b"@PARAM/param.pck", 10),
        (mavftp_op.OP_ReadFile, b"", 4),  # no such session
        (mavftp_op.OP_BurstReadFile, b"", 4),
        (mavftp_op.OP_TerminateSession, b"", 4),
        (mavftp_op.OP_CreateFile, b"/a", 9),  # protected
        (99, b"", 7),  # unknown
    ],
)
def test_a_request_about_a_file_is_refused(
    decoded: Make, opcode: int, data: bytes, error: int
) -> None:
    assert answered(decoded, opcode, data) == (8, 3, NAK, 1, opcode, 0, 0, 5, error)


@pytest.mark.parametrize("opcode", [mavftp_op.OP_None, mavftp_op.OP_ResetSessions])
def test_what_needs_no_file_is_granted(decoded: Make, opcode: int) -> None:
    assert answered(decoded, opcode, number=65535) == (0, 3, ACK, 0, opcode, 0, 0, 5, 0)


@pytest.mark.parametrize("opcode", [ACK, NAK])
def test_answers_are_not_answered(opcode: int) -> None:
    assert answers(request(opcode)) == []


@given(payload=st.binary(min_size=251, max_size=251))
def test_no_payload_breaks_it(payload: bytes) -> None:
    message = mavlink.MAVLink_file_transfer_protocol_message(0, 1, 1, list(payload))
    message._header = mavlink.MAVLink_header(110, srcSystem=255, srcComponent=190)
    assert len(answers(message)) <= 1


def test_there_are_no_logs(sent: Make, decoded: Make) -> None:
    def asked(name: str, **fields: Any) -> Any:
        made = getattr(mavlink, f"MAVLink_{name.lower()}_message")
        return [
            decoded(reply) for reply in answers(made(target_system=1, target_component=1, **fields))
        ]

    (entry,) = asked("LOG_REQUEST_LIST", start=0, end=0xFFFF)
    assert (entry.id, entry.num_logs, entry.last_log_num, entry.size) == (0, 0, 0, 0)
    (piece,) = asked("LOG_REQUEST_DATA", id=4, ofs=90, count=90)
    assert (piece.id, piece.ofs, piece.count) == (4, 90, 0)  # nothing: the end of the log
    assert asked("LOG_ERASE") == asked("LOG_REQUEST_END") == []


@pytest.mark.parametrize(
    ("device", "flags", "count", "answered"),
    [
        (10, 2, 8, True),
        (10, 6, 8, True),
        (10, 0, 8, False),  # no answer is wanted
        (10, 3, 8, False),  # is one
        (0, 2, 8, False),  # another port
        (10, 2, 0, False),
    ],
)
def test_a_line_to_the_shell_is_answered(
    decoded: Make, device: int, flags: int, count: int, answered: bool
) -> None:
    data = list(b"ver all\n".ljust(70, b"\0"))
    message = mavlink.MAVLink_serial_control_message(device, flags, 0, 0, count, data)
    told = [decoded(reply) for reply in answers(message)]
    assert len(told) == answered
    for reply in told:
        assert (reply.device, reply.flags) == (10, 1)
        assert b"no shell" in bytes(reply.data[: reply.count])
