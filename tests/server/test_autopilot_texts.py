"""What PX4s say: the lines of CopterSim that RflySim's documents show, from frames of pymavlink."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pymavlink.dialects.v20 import common

from pyrfly.mavlink import FrameParser
from pyrfly.server.autopilot_texts import AutopilotTexts

SYSTEM = 9  # of the autopilot of the vehicle with CopterID 6
LOITER, POSITION = 4 << 16 | 3 << 24, 3 << 16
Take = Callable[..., list[str]]


class Heard:
    """What an autopilot's messages became: lines, and what was sent back."""

    def __init__(self, component: int = 1) -> None:
        self.lines: list[tuple[int, str]] = []
        self.sent: list[bytes] = []
        self._mav = common.MAVLink(None, srcSystem=SYSTEM, srcComponent=component)
        self._parser = FrameParser(datagrams=True)
        self.texts = AutopilotTexts(2, lambda row, data: self.sent.append(data), first_id=5)
        self.texts.tell = lambda row, line: self.lines.append((row, line))

    def __call__(self, *messages: object) -> list[str]:
        """Take messages of the second vehicle; return its new lines."""
        known = len(self.lines)
        for message in messages:
            self.texts.take(1, self._parser.feed(message.pack(self._mav)))
        assert {row for row, _ in self.lines} <= {1}
        return [line for _, line in self.lines[known:]]


@pytest.fixture
def heard() -> Heard:
    return Heard()


def text(words: bytes, number: int = 0, place: int = 0) -> object:
    return common.MAVLink_statustext_message(6, words, number, place)


def heartbeat(mode: int = LOITER) -> object:
    return common.MAVLink_heartbeat_message(2, 12, 81, mode, 3, 3)


def version(packed: int) -> object:
    code, more = bytes(8), bytes(18)
    return common.MAVLink_autopilot_version_message(
        0, packed, 0, 0, 0, code, code, code, 0, 0, 0, more
    )


HOME = common.MAVLink_home_position_message(*[0] * 6, [1, 0, 0, 0], 0, 0, 0)
ACCEPTED = common.MAVLink_command_ack_message(512, 0)


def test_the_start_is_told_as_by_coptersim(heard: Heard) -> None:
    """RflySim's modelling manual, section 3.6."""
    lines = heard(
        text(b"[logger] ./log/2023-10-09/07_05_29.ulg\t"),
        heartbeat(),
        version(0x010C0300),
        *[ACCEPTED] * 3,
        HOME,
        heartbeat(),
        heartbeat(),
        HOME,
    )
    assert lines == [
        "PX4: [logger] ./log/2023-10-09/07_05_29.ulg",
        "PX4: Found firmware version: 1.12.3dev",
        "PX4: Command ID: 512 ACCEPTED",
        "PX4: GPS 3D fixed & EKF initialization finished.",
        "PX4: Enter Auto Loiter Mode!",
    ]


def test_another_mode_than_hold_is_not_ready(heard: Heard) -> None:
    assert heard(HOME, heartbeat(POSITION)) == ["PX4: GPS 3D fixed & EKF initialization finished."]
    assert heard(heartbeat(LOITER)) == ["PX4: Enter Auto Loiter Mode!"]


@pytest.mark.parametrize(
    ("packed", "name"),
    [(0x010E04FF, "1.14.4"), (0x011001C0, "1.16.1rc"), (0x01100080, "1.16.0beta")],
)
def test_versions_have_their_stage(heard: Heard, packed: int, name: str) -> None:
    """FIRMWARE_VERSION_TYPE of MAVLink: 0 dev, 64 alpha, 128 beta, 192 rc, 255 official."""
    assert heard(version(packed)) == [f"PX4: Found firmware version: {name}"]


def test_the_version_is_asked_for_until_it_is_known(heard: Heard) -> None:
    mav = common.MAVLink(None)
    heard(heartbeat(), heartbeat())
    asked = [m for data in heard.sent for m in mav.parse_buffer(data)]
    assert [m.get_type() for m in asked] == ["HEARTBEAT", "COMMAND_LONG"] * 2
    request = asked[1]
    assert (request.target_system, request.command, request.param1) == (SYSTEM, 512, 148)
    assert asked[0].type == common.MAV_TYPE_ONBOARD_CONTROLLER
    heard(version(0x011001FF))
    heard.sent.clear()
    heard(heartbeat())
    assert [m.get_type() for m in mav.parse_buffer(heard.sent[0])] == ["HEARTBEAT"]


def test_answers_that_repeat_are_told_once(heard: Heard) -> None:
    denied = common.MAVLink_command_ack_message(400, 1)
    lines = heard(denied, denied, common.MAVLink_command_ack_message(400, 0), denied)
    told = [f"PX4: Command ID: 400 {word}" for word in ("TEMPORARILY_REJECTED", "ACCEPTED")]
    assert lines == [*told, told[0]]


@pytest.mark.parametrize("size", [49, 50, 51, 120])
def test_long_texts_are_put_together(heard: Heard, size: int) -> None:
    words = bytes(97 + i % 26 for i in range(size))
    parts = [text(words[i : i + 50], 9, i // 50) for i in range(0, size, 50)]
    assert heard(*parts, heartbeat()) == [f"PX4: {words.decode()}"]


def test_the_next_text_ends_a_full_one(heard: Heard) -> None:
    lines = heard(text(b"a" * 50, 1), text(b"b" * 50, 2), text(b"c", 3))
    assert lines == [f"PX4: {'a' * 50}", f"PX4: {'b' * 50}", "PX4: c"]


def test_no_text_moves_the_cursor_of_a_terminal(heard: Heard) -> None:
    assert heard(text(b"\x1b[2Jgone\r\nnext\xff")) == ["PX4: ?[2Jgone??next\ufffd"]


def test_other_components_and_nothing_are_not_told() -> None:
    camera = Heard(component=100)
    assert camera(text(b"picture"), heartbeat(), HOME) == []
    assert camera.sent == []
    assert Heard()(text(b" \t")) == []


def test_one_that_is_gone_is_told_anew(heard: Heard) -> None:
    before = heard(version(0x011001FF), HOME, heartbeat())
    heard.texts.forget(1)
    assert heard(version(0x011001FF), HOME, heartbeat()) == before
