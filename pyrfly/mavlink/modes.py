"""Flight modes of PX4 [@px4 v1.16.1 px4_custom_mode.h] and their numbers in a HEARTBEAT."""

from __future__ import annotations

from enum import IntEnum

from pyrfly.mavlink.constants import ModeFlag

__all__ = [
    "AutoMode",
    "MainMode",
    "NavState",
    "PositionMode",
    "base_mode",
    "custom_mode",
    "mode_name",
    "modes",
    "nav_state",
]


class MainMode(IntEnum):
    """Main modes."""

    MANUAL = 1
    ALTCTL = 2
    POSCTL = 3
    AUTO = 4
    ACRO = 5
    OFFBOARD = 6
    STABILIZED = 7
    RATTITUDE = 8
    SIMPLE = 9
    TERMINATION = 10


class AutoMode(IntEnum):
    """Sub-modes of `MainMode.AUTO`."""

    READY = 1
    TAKEOFF = 2
    LOITER = 3
    MISSION = 4
    RTL = 5
    LAND = 6
    FOLLOW_TARGET = 8
    PRECLAND = 9
    VTOL_TAKEOFF = 10
    EXTERNAL1 = 11
    EXTERNAL2 = 12
    EXTERNAL3 = 13
    EXTERNAL4 = 14
    EXTERNAL5 = 15
    EXTERNAL6 = 16
    EXTERNAL7 = 17
    EXTERNAL8 = 18


class PositionMode(IntEnum):
    """Sub-modes of `MainMode.POSCTL`."""

    POSCTL = 0
    ORBIT = 1
    SLOW = 2


class NavState(IntEnum):
    """``nav_state`` of PX4's topic ``vehicle_status`` [@px4 v1.16.1 VehicleStatus.msg]."""

    MANUAL = 0
    ALTCTL = 1
    POSCTL = 2
    AUTO_MISSION = 3
    AUTO_LOITER = 4
    AUTO_RTL = 5
    POSITION_SLOW = 6
    ACRO = 10
    TERMINATION = 13
    OFFBOARD = 14
    STAB = 15
    AUTO_TAKEOFF = 17
    AUTO_LAND = 18
    AUTO_FOLLOW_TARGET = 19
    AUTO_PRECLAND = 20
    ORBIT = 21
    AUTO_VTOL_TAKEOFF = 22


def custom_mode(main: int, sub: int = 0) -> int:
    """Return ``custom_mode`` of a HEARTBEAT.

    Parameters
    ----------
    main : int
        A `MainMode`.
    sub : int, optional
        An `AutoMode` or `PositionMode`.

    Examples
    --------
    >>> hex(custom_mode(MainMode.AUTO, AutoMode.MISSION))
    '0x4040000'
    """
    return main << 16 | sub << 24


def modes(custom_mode: int) -> tuple[int, int]:
    """Return main mode and sub-mode of a ``custom_mode``; they may be none that PX4 has.

    Examples
    --------
    >>> modes(0x4040000)
    (4, 4)
    """
    return custom_mode >> 16 & 0xFF, custom_mode >> 24 & 0xFF


_NAV_STATES: dict[tuple[int, int], NavState] = {
    (MainMode.MANUAL, 0): NavState.MANUAL,
    (MainMode.ALTCTL, 0): NavState.ALTCTL,
    (MainMode.POSCTL, PositionMode.POSCTL): NavState.POSCTL,
    (MainMode.POSCTL, PositionMode.ORBIT): NavState.ORBIT,
    (MainMode.POSCTL, PositionMode.SLOW): NavState.POSITION_SLOW,
    (MainMode.AUTO, AutoMode.TAKEOFF): NavState.AUTO_TAKEOFF,
    (MainMode.AUTO, AutoMode.LOITER): NavState.AUTO_LOITER,
    (MainMode.AUTO, AutoMode.MISSION): NavState.AUTO_MISSION,
    (MainMode.AUTO, AutoMode.RTL): NavState.AUTO_RTL,
    (MainMode.AUTO, AutoMode.LAND): NavState.AUTO_LAND,
    (MainMode.AUTO, AutoMode.FOLLOW_TARGET): NavState.AUTO_FOLLOW_TARGET,
    (MainMode.AUTO, AutoMode.PRECLAND): NavState.AUTO_PRECLAND,
    (MainMode.AUTO, AutoMode.VTOL_TAKEOFF): NavState.AUTO_VTOL_TAKEOFF,
    (MainMode.ACRO, 0): NavState.ACRO,
    (MainMode.OFFBOARD, 0): NavState.OFFBOARD,
    (MainMode.STABILIZED, 0): NavState.STAB,
    (MainMode.TERMINATION, 0): NavState.TERMINATION,
}


def nav_state(custom_mode: int) -> NavState:
    """Return the number of a ``custom_mode`` in PX4's logs; a KeyError for one without.

    Examples
    --------
    >>> nav_state(0x4040000).name
    'AUTO_MISSION'
    """
    return _NAV_STATES[modes(custom_mode)]


def mode_name(custom_mode: int) -> str:
    """Return the name of the mode of a ``custom_mode``.

    Examples
    --------
    >>> mode_name(0x4040000), mode_name(0x60000), mode_name(0x1030000), mode_name(0xFF0000)
    ('AUTO.MISSION', 'OFFBOARD', 'POSCTL.ORBIT', 'UNKNOWN(255, 0)')
    """
    main, sub = modes(custom_mode)
    kinds: dict[int, type[IntEnum]] = {MainMode.AUTO: AutoMode, MainMode.POSCTL: PositionMode}
    try:
        name = MainMode(main).name
        return f"{name}.{kinds[main](sub).name}" if sub else name
    except (KeyError, ValueError):
        return f"UNKNOWN({main}, {sub})"


def base_mode(main: int, *, armed: bool, hil: bool = False) -> int:
    """Return ``base_mode`` of the HEARTBEAT of a multicopter in a mode.

    PX4 sets the bits by what its controllers do [@px4 v1.16.1 streams/HEARTBEAT.hpp]: whether there
    is manual input, whether the attitude is controlled, whether it flies by itself.

    Parameters
    ----------
    main : int
        A `MainMode`.
    armed : bool
        Whether the vehicle is armed.
    hil : bool, optional
        Whether it is simulated with an autopilot's hardware in the loop.

    Examples
    --------
    >>> base_mode(MainMode.AUTO, armed=False), base_mode(MainMode.OFFBOARD, armed=True)
    (29, 145)
    """
    flags = ModeFlag.CUSTOM_MODE_ENABLED
    if armed:
        flags |= ModeFlag.SAFETY_ARMED
    if hil:
        flags |= ModeFlag.HIL_ENABLED
    if main == MainMode.AUTO:
        flags |= ModeFlag.AUTO_ENABLED | ModeFlag.GUIDED_ENABLED
    if main in _MANUAL:
        flags |= ModeFlag.MANUAL_INPUT_ENABLED
    if main not in (MainMode.ACRO, MainMode.TERMINATION):
        flags |= ModeFlag.STABILIZE_ENABLED
    return int(flags)


_MANUAL = frozenset(MainMode) - {MainMode.AUTO, MainMode.OFFBOARD, MainMode.TERMINATION}
"""Modes with manual input."""
