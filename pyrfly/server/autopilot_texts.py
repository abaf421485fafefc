"""What PX4s outside say, as the lines that RflySim's CopterSim prints of them: `AutopilotTexts`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pyrfly.mavlink import Frame, FrameWriter, blank
from pyrfly.mavlink.constants import Autopilot, Result
from pyrfly.mavlink.modes import AutoMode, MainMode, custom_mode

__all__ = ["READY", "AutopilotTexts", "Tell"]

READY = ("GPS 3D fixed & EKF initialization finished.", "Enter Auto Loiter Mode!")
"""What CopterSim prints when a vehicle can be commanded [@rfly-model-api 3.6], which programs and
their users wait for."""

Tell = Callable[[int, str], object]
"""Takes the row of a vehicle and a line of it."""

_AUTOPILOT, _COMPONENT = 1, 25  # MAV_COMP_ID_AUTOPILOT1, MAV_COMP_ID_USER1
_ONBOARD_CONTROLLER = 18  # MAV_TYPE
_REQUEST_MESSAGE, _VERSION = 512, 148  # MAV_CMD, AUTOPILOT_VERSION
_TEXT_SIZE = 50  # bytes of a STATUSTEXT
_HOLD = custom_mode(MainMode.AUTO, AutoMode.LOITER)
_STAGES = {0: "dev", 64: "alpha", 128: "beta", 192: "rc"}
"""Of a version that is not official, FIRMWARE_VERSION_TYPE [@mavlink]."""


@dataclass
class _Heard:
    """What is known of an autopilot.

    Attributes
    ----------
    begun : bytes
        The parts of a text that may go on.
    number : int
        Identifier of that text.
    told : tuple of int
        The last answer to a command, and its result.
    located : bool
        Whether it has told where it is: its home.
    waits : bool
        Whether it is not yet known to hold its place, ready for commands.
    version : bool
        Whether its version is known.
    """

    begun: bytes = b""
    number: int = 0
    told: tuple[int, int] = (-1, -1)
    located: bool = False
    waits: bool = True
    version: bool = False


class AutopilotTexts:
    """Tells what PX4s say, a line each [@rfly-model-api 3.6].

    The lines are their texts (STATUSTEXT), the version of the firmware, results of commands, and
    `READY` as soon as a PX4 knows its home and holds its place. A PX4 tells its version when it is
    asked, and sends texts to those alone who send HEARTBEATs [@px4 streams/STATUSTEXT.hpp]: each
    HEARTBEAT of it is answered.

    Parameters
    ----------
    n : int
        Number of vehicles.
    send : callable
        Takes a row and bytes for its autopilot.
    first_id : int
        CopterID of the first vehicle, which is the system that is sent as.

    Attributes
    ----------
    tell : callable
        Gets row and line; it does nothing at first.
    """

    def __init__(self, n: int, send: Callable[[int, bytes], object], first_id: int = 1) -> None:
        self.tell: Tell = _nowhere
        self._send = send
        self._writer = FrameWriter((first_id - 1 + np.arange(n)) % 255 + 1, _COMPONENT)
        self._heard: dict[int, _Heard] = {}

    def forget(self, row: int) -> None:
        """Note that an autopilot is gone: another one may come."""
        self._heard.pop(row, None)

    def take(self, row: int, frames: Sequence[Frame]) -> None:
        """Take frames that came from the autopilot of a row."""
        heard = self._heard.setdefault(row, _Heard())
        for frame in frames:
            if frame.component_id == _AUTOPILOT and frame.known:
                self._take(row, heard, frame)

    def _take(self, row: int, heard: _Heard, frame: Frame) -> None:
        if frame.name != "STATUSTEXT":
            self._end_text(row, heard)
        match frame.name:
            case "STATUSTEXT":
                self._continue_text(row, heard, frame.record())
            case "HEARTBEAT":
                self._greet(row, heard, frame.system_id)
                self._look(row, heard, int(frame.record()["custom_mode"]))
            case "COMMAND_ACK":
                self._result(row, heard, frame.record())
            case "AUTOPILOT_VERSION" if not heard.version:
                heard.version = True
                version = _version(int(frame.record()["flight_sw_version"]))
                self._say(row, f"Found firmware version: {version}")
            case "HOME_POSITION" if not heard.located:
                heard.located = True
                self._say(row, READY[0])
            case _:
                pass

    def _say(self, row: int, text: str) -> None:
        self.tell(row, f"PX4: {text}")

    # --- texts

    def _continue_text(self, row: int, heard: _Heard, part: np.void) -> None:
        """Take a part of a text; one that does not fill its message is the last."""
        number, place = int(part["id"]), int(part["chunk_seq"])
        if place == 0 or number != heard.number:
            self._end_text(row, heard)
        text = bytes(part["text"]).split(b"\0")[0]
        heard.begun, heard.number = heard.begun + text, number
        if number == 0 or len(text) < _TEXT_SIZE:
            self._end_text(row, heard)

    def _end_text(self, row: int, heard: _Heard) -> None:
        text = heard.begun.decode("utf-8", "replace").strip()
        heard.begun = b""
        if text:
            self._say(row, "".join(c if c.isprintable() else "?" for c in text))

    # --- commands, and when it can be commanded

    def _result(self, row: int, heard: _Heard, answer: np.void) -> None:
        """Tell the result of a command; one that is told again and again is told once."""
        told = int(answer["command"]), int(answer["result"])
        if told != heard.told:
            heard.told = told
            known = told[1] in set(Result)
            self._say(row, f"Command ID: {told[0]} {Result(told[1]).name if known else told[1]}")

    def _look(self, row: int, heard: _Heard, mode: int) -> None:
        if heard.waits and heard.located and mode == _HOLD:
            heard.waits = False
            self._say(row, READY[1])

    def _greet(self, row: int, heard: _Heard, system: int) -> None:
        """Answer a HEARTBEAT by another; ask for the version as long as it is not known.

        The system of an autopilot may be another than its CopterID: that of PX4's instance 1 is 2.
        """
        rows = np.array([row])
        greeting = blank("HEARTBEAT")
        greeting["type"], greeting["autopilot"] = _ONBOARD_CONTROLLER, Autopilot.INVALID
        greeting["mavlink_version"] = 3
        self._writer.add("HEARTBEAT", greeting, rows)
        if not heard.version:
            request = blank("COMMAND_LONG")
            request["target_system"], request["target_component"] = system, _AUTOPILOT
            request["command"], request["param1"] = _REQUEST_MESSAGE, _VERSION
            self._writer.add("COMMAND_LONG", request, rows)
        for _, data in self._writer.take():
            self._send(row, bytes(data))


def _nowhere(row: int, text: str) -> None:
    """Tell nobody."""


def _version(packed: int) -> str:
    """Return the version that AUTOPILOT_VERSION has packed.

    Examples
    --------
    >>> _version(0x010C0300), _version(0x011001FF)
    ('1.12.3dev', '1.16.1')
    """
    *numbers, stage = packed.to_bytes(4, "big")
    return ".".join(map(str, numbers)) + _STAGES.get(stage, "")
