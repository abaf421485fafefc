"""Type-checked values of the items of missions and of the objects of plans."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission.checks import check_distance, checked_number, described, is_number
from pyrfly.mission.commands import COMMAND_NAMES

__all__ = [
    "CommandEntry",
    "EntryError",
    "PlanItem",
    "checked_list",
    "checked_object",
    "integer",
    "north_east",
]


def checked_object(what: str, value: object) -> dict[str, Any]:
    """Return an object of a JSON file, else raise a MissionError."""
    if not isinstance(value, dict):
        raise MissionError(f"{what}: expected an object, got {described(value)}")
    return value


def checked_list(what: str, value: object, minimum: int = 0) -> list[Any]:
    """Return a list of a JSON file, else raise a MissionError."""
    if not isinstance(value, list):
        raise MissionError(f"{what}: expected a list, got {described(value)}")
    if len(value) < minimum:
        raise MissionError(f"{what}: expected at least {minimum} entries, got {len(value)}")
    return value


def integer(what: str, value: object) -> int:
    """Return an integer of 16 bits of a JSON file, else raise a MissionError."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**16:
        raise MissionError(f"{what}: expected an integer 0..65535, got {described(value)}")
    return value


def north_east(what: str, frame: LocalFrame, point: object) -> tuple[float, float]:
    """Return the local position [m] of a list of latitude and longitude [deg]."""
    values = checked_list(what, point, 2)
    lat = checked_number(f"{what}: latitude", values[0], -90.0, 90.0, "deg")
    lon = checked_number(f"{what}: longitude", values[1], -180.0, 180.0, "deg")
    ned = frame.to_ned((lat, lon, frame.alt))
    check_distance(what, float(np.linalg.norm(ned)))
    return float(ned[0]), float(ned[1])


class EntryError(MissionError):
    """A parameter of a command is invalid: number ``parameter`` (1 to 7)."""

    def __init__(self, parameter: int, problem: str) -> None:
        super().__init__(problem)
        self.parameter = parameter


class CommandEntry:
    """A command of a mission, its parameters checked when they are read.

    Its str() is the head of messages.

    Parameters
    ----------
    number : int
        Number of the item, from 1.
    command : int
        MAV_CMD; negative as long as it is not known.
    frame : int
        MAV_FRAME of its position.
    params : sequence of 7 objects
        Its parameters; 5, 6 and 7 are latitude [deg], longitude [deg], altitude [m], if it has any.
    pauses : bool
        Whether the flight stays there.
    """

    def __init__(
        self,
        number: int,
        command: int = -1,
        frame: int = 0,
        params: Sequence[object] = (),
        pauses: bool = False,
    ) -> None:
        self.pauses = pauses
        self.number = number
        self.command = command
        self.frame = frame
        self.params = params

    def __str__(self) -> str:
        if self.command < 0:
            return f"item {self.number}"
        name = COMMAND_NAMES.get(self.command)
        return f"item {self.number} (command {self.command}{f' MAV_CMD_{name}' if name else ''})"

    def is_unset(self, *numbers: int) -> bool:
        """Return whether all these parameters are null or NaN, or all of two or more are 0."""
        values = [self.params[number - 1] for number in numbers]
        if len(values) > 1 and all(is_number(v) and v == 0 for v in values):
            return True
        return all(v is None or (isinstance(v, float) and math.isnan(v)) for v in values)

    def value(
        self,
        number: int,
        name: str,
        low: float,
        high: float,
        unit: str = "",
        unset: float | None = None,
    ) -> float:
        """Return parameter ``number`` (1 to 7), checked, or ``unset`` if it is not set."""
        if unset is not None and self.is_unset(number):
            return unset
        try:
            return checked_number(f"{self}: {name}", self.params[number - 1], low, high, unit)
        except MissionError as error:
            raise EntryError(number, str(error)) from None

    def whole(self, number: int, name: str, high: int, unset: float | None = None) -> int:
        """Return parameter ``number``, a whole number from 0."""
        value = self.value(number, name, 0.0, high, unset=unset)
        if value != int(value):
            raise EntryError(number, f"{self}: {name}: expected a whole number, got {value:g}")
        return int(value)

    def yaw(self) -> float | None:
        """Return parameter 4 as a heading -pi..pi [rad], None if it is not set."""
        if self.is_unset(4):
            return None
        return math.remainder(math.radians(self.value(4, "yaw", -360.0, 360.0, "deg")), math.tau)


class PlanItem(CommandEntry):
    """A type-checked SimpleItem of a plan."""

    def __init__(self, index: int, entry: object) -> None:
        super().__init__(index)
        raw = checked_object(str(self), entry)
        if raw.get("type") != "SimpleItem":
            kind = described(raw.get("type"))
            raise MissionError(f'{self}: type: expected "SimpleItem", got {kind}')
        self.number = self._integer(raw, "doJumpId", index) or index
        self.command = self._integer(raw, "command")
        self.frame = self._integer(raw, "frame")
        goes_on = raw.get("autoContinue", True)
        if not isinstance(goes_on, bool):
            raise MissionError(
                f"{self}: autoContinue: expected true or false, got {described(goes_on)}"
            )
        self.pauses = not goes_on
        params = raw.get("params")
        if not isinstance(params, list) or len(params) != 7:
            raise MissionError(f"{self}: params: expected a list of 7, got {described(params)}")
        self.params = params

    def _integer(self, raw: dict[str, Any], key: str, missing: int | None = None) -> int:
        return integer(f"{self}: {key}", raw.get(key, missing))
