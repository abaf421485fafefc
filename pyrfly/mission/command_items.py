"""Commands of MAVLink as mission items: `CommandReader`.

All commands that PX4 1.16 accepts in missions [@px4 v1.16.1 mavlink_mission.cpp
parse_mavlink_mission_item] are read, or skipped and listed; besides, DO_SET_REVERSE of ArduPilot's
rovers. The seven parameters of a command are
those of MAVLink [@mavlink]; 5, 6 and 7 are latitude, longitude and altitude.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission.checks import (
    MAX_HOLD,
    MAX_REPEAT,
    PITCHES,
    RADII,
    SPEEDS,
    Point,
    described,
)
from pyrfly.mission.commands import SKIPPED, skipped_text
from pyrfly.mission.entry import CommandEntry, EntryError, north_east
from pyrfly.mission.items import (
    DEFAULT_RADIUS,
    TAKEOFF_HEIGHT,
    ChangeSpeed,
    Delay,
    Grip,
    Ignored,
    Jump,
    Land,
    Loiter,
    MissionItem,
    RegionOfInterest,
    ReturnToLaunch,
    Reverse,
    SetHome,
    TakeOff,
    Transition,
    Waypoint,
    check_item,
)
from pyrfly.mission.problems import Problems
from pyrfly.protocol.bits import VtolState
from pyrfly.terrain import TerrainMap

__all__ = ["CommandReader"]

_ABOVE_SEA = (0, 5)  # MAV_FRAME_GLOBAL, MAV_FRAME_GLOBAL_INT
_ABOVE_HOME = (3, 6)  # MAV_FRAME_GLOBAL_RELATIVE_ALT, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT
_ABOVE_GROUND = (10, 11)  # MAV_FRAME_GLOBAL_TERRAIN_ALT, MAV_FRAME_GLOBAL_TERRAIN_ALT_INT
_VTOL_STATES = {float(VtolState.MC): False, float(VtolState.FW): True}
_ROI_NONE, _ROI_NEXT, _ROI_LOCATION = 0, 1, 3  # MAV_ROI

_Reader = Callable[[CommandEntry], "MissionItem | tuple[MissionItem, ...]"]


class CommandReader:
    """Converts commands to mission items, one command per method.

    Parameters
    ----------
    home : tuple of 3 floats
        Latitude [deg], longitude [deg], altitude [m above sea level] of the local origin.
    speed : float
        Default speed of the mission [m/s].
    terrain : TerrainMap, optional
        The ground, for heights above it.
    radius : float
        Acceptance radius of waypoints without one [m].
    """

    def __init__(
        self,
        home: Point,
        speed: float,
        terrain: TerrainMap | None = None,
        radius: float = DEFAULT_RADIUS,
    ) -> None:
        self._radius = radius
        self._home = home
        self._terrain = terrain
        self._frame = LocalFrame(*home)
        self._speed = speed
        self._pos: Point = (0.0, 0.0, 0.0)  # of the vehicle after the items so far
        self._items: list[MissionItem] = []
        self._skipped: list[tuple[int, int]] = []
        self._survey = 0
        self._lands = False  # a landing pattern has begun
        self._numbers: set[int] = set()  # of the commands, that of one with an error, too
        self._commands: dict[int, _Reader] = {
            16: self._waypoint,
            17: self._loiter_unlimited,
            18: self._loiter_turns,
            19: self._loiter,
            20: self._return_to_launch,
            21: self._land,
            22: self._take_off,
            31: self._loiter_to_altitude,
            80: self._region_of_interest,
            84: self._vtol_take_off,
            85: self._land,
            93: self._navigation_delay,
            112: self._delay,
            177: self._jump,
            178: self._change_speed,
            179: self._set_home,
            189: self._land_start,
            194: self._reverse,
            195: self._region_of_interest_location,
            196: self._region_of_interest_none,
            197: self._region_of_interest_none,
            201: self._region_of_interest,
            211: self._grip,
            3000: self._transition,
        }

    @property
    def skipped(self) -> tuple[str, ...]:
        """Descriptions of the items that were left out."""
        return skipped_text(self._skipped)

    def items(self, problems: Problems) -> tuple[MissionItem, ...]:
        """Return the items so far; jumps without a target are added to ``problems``."""
        for item in self._items:
            with problems.collect():
                if isinstance(item, Jump) and item.to not in self._numbers:
                    raise MissionError(
                        f"item {item.number} (command 177 MAV_CMD_DO_JUMP): expected the number of"
                        f" an item to fly to, got {item.to}"
                    )
        return tuple(self._items)

    @contextmanager
    def survey(self, number: int) -> Iterator[None]:
        """Let all that the block adds be of the survey or scan of a number."""
        self._survey = number
        try:
            yield
        finally:
            self._survey = 0

    def add_waypoints(self, number: int, positions: Iterable[Point]) -> None:
        """Add an item of several waypoints at local positions [m, NED]."""
        self._numbers.add(number)
        for pos in positions:
            self._append(f"item {number}", Waypoint(pos, number=number))

    def add(self, entry: CommandEntry) -> None:
        """Add a command.

        Raises
        ------
        EntryError
            A parameter is invalid.
        MissionError
            The command, its frame or its position is.
        """
        self._numbers.add(entry.number)
        if entry.command in SKIPPED:
            self._skipped.append((entry.command, entry.number))
        reader = self._ignored if entry.command in SKIPPED else self._commands.get(entry.command)
        if reader is None:
            known = ", ".join(map(str, sorted((*self._commands, *SKIPPED))))
            raise MissionError(f"{entry}: this command is not supported (supported: {known})")
        read = reader(entry)
        *items, last = read if isinstance(read, tuple) else (read,)
        pauses = entry.pauses and not isinstance(last, Jump)
        for item in (*items, replace(last, pauses=pauses)):
            self._append(str(entry), item)

    def _append(self, what: str, item: MissionItem) -> None:
        check_item(what, item, self._home[2])
        self._items.append(replace(item, survey=self._survey))
        if isinstance(item, (TakeOff, Waypoint, Loiter, Land)):
            self._pos = item.pos
        elif isinstance(item, ReturnToLaunch):
            self._pos = (0.0, 0.0, 0.0)

    # --- commands

    def _ignored(self, entry: CommandEntry) -> MissionItem:
        return Ignored(entry.command, number=entry.number)

    def _waypoint(self, entry: CommandEntry) -> MissionItem:
        return Waypoint(
            self.position(entry),
            yaw=entry.yaw(),
            hold=entry.value(1, "hold", 0.0, MAX_HOLD, "s", unset=0.0),
            radius=entry.value(2, "radius", 0.0, RADII[1], "m", unset=0.0) or self._radius,
            number=entry.number,
        )

    # of loiters the fourth parameter is where to leave the circle, but of the unlimited one the yaw

    def _loiter(self, entry: CommandEntry) -> MissionItem:
        seconds = entry.value(1, "time", 0.0, MAX_HOLD, "s", unset=0.0)
        pos, radius = self.position(entry), _radius(entry, 3)
        return Loiter(pos, seconds, radius=radius, number=entry.number)

    def _loiter_turns(self, entry: CommandEntry) -> MissionItem:
        turns = entry.value(1, "turns", 0.0, MAX_REPEAT, unset=0.0)
        pos, radius = self.position(entry), _radius(entry, 3)
        return Loiter(pos, 0.0, turns=turns, radius=radius, number=entry.number)

    def _loiter_unlimited(self, entry: CommandEntry) -> MissionItem:
        pos, radius = self.position(entry), _radius(entry, 3)
        return Loiter(pos, math.inf, yaw=entry.yaw(), radius=radius, number=entry.number)

    def _loiter_to_altitude(self, entry: CommandEntry) -> MissionItem:
        """PX4 keeps the present altitude until it is there, and then climbs or descends."""
        pos, radius = self.position(entry), _radius(entry, 2)
        return Loiter(pos, 0.0, radius=radius, climbs=True, number=entry.number)

    def _return_to_launch(self, entry: CommandEntry) -> MissionItem:
        return ReturnToLaunch(number=entry.number)

    def _land_start(self, entry: CommandEntry) -> MissionItem:
        """Let the next landing end a landing pattern."""
        self._lands = True
        return self._ignored(entry)

    def _land(self, entry: CommandEntry) -> MissionItem:
        pos = self.position(entry, here=True, height=0.0)
        pattern, self._lands = self._lands or _ends_pattern(self._items), False
        return Land(pos, yaw=entry.yaw(), pattern=pattern, number=entry.number)

    def _take_off(self, entry: CommandEntry) -> MissionItem:
        pos = self.position(entry, here=True, height=TAKEOFF_HEIGHT)
        pitch = math.radians(entry.value(1, "pitch", -90.0, 90.0, "deg", unset=0.0))
        return TakeOff(
            pos, yaw=entry.yaw(), pitch=pitch if pitch >= PITCHES[0] else None, number=entry.number
        )

    def _vtol_take_off(self, entry: CommandEntry) -> tuple[MissionItem, ...]:
        """Return a take-off, after which a VTOL changes to winged flight, as PX4's do."""
        return self._take_off(entry), Transition(winged=True, number=entry.number)

    def _transition(self, entry: CommandEntry) -> MissionItem:
        """Return a transition of a VTOL: to hover (MC) or to winged flight (FW)."""
        state = entry.value(1, "state", -math.inf, math.inf)
        if state not in _VTOL_STATES:
            raise EntryError(1, f"{entry}: state: expected 3 (hover) or 4 (wings), got {state:g}")
        return Transition(_VTOL_STATES[state], number=entry.number)

    def _navigation_delay(self, entry: CommandEntry) -> MissionItem:
        """Return a delay; a time of -1 stands for the time of day in parameters 2 to 4."""
        if entry.value(1, "time", -math.inf, math.inf, "s") == -1.0:
            raise EntryError(
                1,
                f"{entry}: time: expected 0..{MAX_HOLD:g} s, got a time of day (-1), which is not"
                " supported",
            )
        return self._delay(entry)

    def _delay(self, entry: CommandEntry) -> MissionItem:
        return Delay(entry.value(1, "time", 0.0, MAX_HOLD, "s"), number=entry.number)

    def _jump(self, entry: CommandEntry) -> MissionItem:
        to = entry.whole(1, "item number", 2**16 - 1)
        return Jump(to, entry.whole(2, "repeat", MAX_REPEAT), number=entry.number)

    def _change_speed(self, entry: CommandEntry) -> MissionItem:
        kind = entry.value(1, "speed type", 0.0, 3.0, "(SPEED_TYPE)", unset=1.0)
        if kind not in (0.0, 1.0):
            raise EntryError(
                1, f"{entry}: speed type: expected 0 (air) or 1 (ground), got {kind:g}"
            )
        speed = entry.value(2, "speed", -2.0, SPEEDS[1], "m/s", unset=-1.0)
        if speed == -1.0:  # no change: the item sets the throttle
            return self._ignored(entry)
        if speed == -2.0:  # return to the default
            speed = self._speed
        if not SPEEDS[0] <= speed <= SPEEDS[1]:
            low, high = SPEEDS
            raise EntryError(2, f"{entry}: speed: expected {low:g}..{high:g} m/s, got {speed}")
        return ChangeSpeed(speed, number=entry.number)

    def _reverse(self, entry: CommandEntry) -> MissionItem:
        return Reverse(bool(entry.whole(1, "reverse", 1)), number=entry.number)

    def _set_home(self, entry: CommandEntry) -> MissionItem:
        present = entry.whole(1, "use current", 1, unset=0.0)
        return SetHome(None if present else self.position(entry), number=entry.number)

    def _region_of_interest_location(self, entry: CommandEntry) -> MissionItem:
        return RegionOfInterest(self.position(entry), number=entry.number)

    def _region_of_interest_none(self, entry: CommandEntry) -> MissionItem:
        return RegionOfInterest(None, number=entry.number)

    def _region_of_interest(self, entry: CommandEntry) -> MissionItem:
        """MAV_ROI: none, next waypoint (the course, as without one), location."""
        mode = entry.whole(1, "region of interest mode", 4)
        if mode in (_ROI_NONE, _ROI_NEXT):
            return self._region_of_interest_none(entry)
        if mode == _ROI_LOCATION:
            return self._region_of_interest_location(entry)
        raise EntryError(
            1,
            f"{entry}: region of interest mode: expected 0 (none), 1 (next waypoint) or"
            f" 3 (location), got {mode}",
        )

    def _grip(self, entry: CommandEntry) -> MissionItem:
        """GRIPPER_ACTION: 0 release, 1 grab."""
        return Grip(bool(entry.whole(2, "gripper action", 1, unset=0.0)), number=entry.number)

    # --- positions

    def position(
        self, entry: CommandEntry, *, here: bool = False, height: float | None = None
    ) -> Point:
        """Return the local position [m, NED] of an item.

        With ``here``, unset (or 0, 0) latitude and longitude are those of the vehicle; ``height``
        [m above home] replaces an unset altitude.
        """
        north, east, _ = self._pos
        if not (here and entry.is_unset(5, 6)):
            lat = entry.value(5, "latitude", -90.0, 90.0, "deg")
            lon = entry.value(6, "longitude", -180.0, 180.0, "deg")
            north, east = north_east(str(entry), self._frame, [lat, lon])
        if height is None or not entry.is_unset(7):
            altitude = entry.value(7, "altitude", -math.inf, math.inf, "m")
            height = altitude - self._below_zero(entry, north, east)
        return north, east, 0.0 - height

    def _below_zero(self, entry: CommandEntry, north: float, east: float) -> float:
        """Return how far the zero of an item's altitude is below home [m]."""
        if entry.frame in _ABOVE_GROUND and self._terrain is not None:
            return -float(self._terrain.height(north, east))
        if entry.frame not in _ABOVE_SEA + _ABOVE_HOME:
            raise MissionError(
                f"{entry}: frame: expected 0 or 5 (altitude above sea level) or 3 or 6"
                f" (above home), and 10 or 11 (above the ground) with a terrain map alone,"
                f" got {described(entry.frame)}"
            )
        return self._home[2] if entry.frame in _ABOVE_SEA else 0.0


def _radius(entry: CommandEntry, number: int) -> float | None:
    """Return a radius, below 0 counter-clockwise; None if parameter ``number`` is 0 or not set."""
    return entry.value(number, "radius", -RADII[1], RADII[1], "m", unset=0.0) or None


def _ends_pattern(items: list[MissionItem]) -> bool:
    """Return whether the last item with an effect is a loiter to an altitude."""
    last = next((item for item in reversed(items) if not isinstance(item, Ignored)), None)
    return isinstance(last, Loiter) and last.climbs
