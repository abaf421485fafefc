"""Flight modes of PX4 that vehicles have here: `FlightMode`, `MODES`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import NamedTuple

from pyrfly.mavlink.constants import ModeFlag, ModeProperty, StandardMode
from pyrfly.mavlink.modes import AutoMode, MainMode, PositionMode, base_mode, custom_mode, modes

__all__ = ["MANUAL_MODES", "MODES", "FlightMode", "ModeRow", "flight_mode", "mode_of_flags"]


class FlightMode(IntEnum):
    """The modes; a value is ``custom_mode`` of HEARTBEAT."""

    MANUAL = custom_mode(MainMode.MANUAL)
    ALTITUDE = custom_mode(MainMode.ALTCTL)
    POSITION = custom_mode(MainMode.POSCTL)
    ORBIT = custom_mode(MainMode.POSCTL, PositionMode.ORBIT)
    TAKEOFF = custom_mode(MainMode.AUTO, AutoMode.TAKEOFF)
    HOLD = custom_mode(MainMode.AUTO, AutoMode.LOITER)
    MISSION = custom_mode(MainMode.AUTO, AutoMode.MISSION)
    RETURN = custom_mode(MainMode.AUTO, AutoMode.RTL)
    LAND = custom_mode(MainMode.AUTO, AutoMode.LAND)
    FOLLOW = custom_mode(MainMode.AUTO, AutoMode.FOLLOW_TARGET)
    ACRO = custom_mode(MainMode.ACRO)
    OFFBOARD = custom_mode(MainMode.OFFBOARD)
    STABILIZED = custom_mode(MainMode.STABILIZED)
    TERMINATION = custom_mode(MainMode.TERMINATION)

    @property
    def base_mode(self) -> int:
        """Bits of HEARTBEAT of a disarmed vehicle."""
        # on an orbit PX4 flies by itself, though its main mode is one with manual input
        main = MainMode.AUTO if self is FlightMode.ORBIT else modes(self)[0]
        return base_mode(main, armed=False)


class ModeRow(NamedTuple):
    """What stations are told of a mode.

    Attributes
    ----------
    name : str
        For people.
    standard : StandardMode
        The standard mode that it is.
    selectable : bool
        Whether a user may switch to it.
    """

    name: str
    standard: StandardMode = StandardMode.NON_STANDARD
    selectable: bool = True

    @property
    def properties(self) -> int:
        """Bits of AVAILABLE_MODES."""
        return 0 if self.selectable else int(ModeProperty.NOT_USER_SELECTABLE)


MODES: Mapping[FlightMode, ModeRow] = MappingProxyType(
    {
        FlightMode.MANUAL: ModeRow("Manual"),
        FlightMode.ALTITUDE: ModeRow("Altitude", StandardMode.ALTITUDE_HOLD),
        FlightMode.POSITION: ModeRow("Position", StandardMode.POSITION_HOLD),
        FlightMode.ORBIT: ModeRow("Orbit", StandardMode.ORBIT, selectable=False),
        FlightMode.TAKEOFF: ModeRow("Takeoff", StandardMode.TAKEOFF),
        FlightMode.HOLD: ModeRow("Hold"),
        FlightMode.MISSION: ModeRow("Mission", StandardMode.MISSION),
        FlightMode.RETURN: ModeRow("Return", StandardMode.SAFE_RECOVERY),
        FlightMode.LAND: ModeRow("Land", StandardMode.LAND),
        FlightMode.FOLLOW: ModeRow("Follow Me"),
        FlightMode.ACRO: ModeRow("Acro"),
        FlightMode.OFFBOARD: ModeRow("Offboard"),
        FlightMode.STABILIZED: ModeRow("Stabilized"),
        FlightMode.TERMINATION: ModeRow("Termination", selectable=False),
    }
)
"""All modes, in the order in which AVAILABLE_MODES lists them [@px4 v1.16.1 standard_modes.h]."""

MANUAL_MODES = tuple(mode for mode in MODES if mode.base_mode & ModeFlag.MANUAL_INPUT_ENABLED)
"""Modes in which the sticks of a remote control are obeyed."""


def flight_mode(main: float, sub: float) -> FlightMode | None:
    """Return the mode of parameters 2 and 3 of DO_SET_MODE; None for one that does not exist here.

    Without a sub-mode, AUTO is the mission; the sub-modes of all others are ignored, as in PX4.

    Examples
    --------
    >>> flight_mode(6, 0).name, flight_mode(4, 0).name, flight_mode(4, 9)
    ('OFFBOARD', 'MISSION', None)
    """
    if main != MainMode.AUTO:
        sub = 0
    elif sub == 0:
        sub = AutoMode.MISSION
    return next((mode for mode in FlightMode if modes(mode) == (main, sub)), None)


def mode_of_flags(base: int) -> FlightMode | None:
    """Return the mode of ``base_mode`` without a custom mode; None for one that PX4 does not have.

    Examples
    --------
    >>> mode_of_flags(ModeFlag.MANUAL_INPUT_ENABLED | ModeFlag.STABILIZE_ENABLED).name
    'STABILIZED'
    """
    if base & ModeFlag.AUTO_ENABLED:
        return FlightMode.MISSION
    if not base & ModeFlag.MANUAL_INPUT_ENABLED:
        return None
    if base & ModeFlag.GUIDED_ENABLED:
        return FlightMode.POSITION
    return FlightMode.STABILIZED if base & ModeFlag.STABILIZE_ENABLED else FlightMode.MANUAL
