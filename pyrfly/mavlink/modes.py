"""Flight modes of PX4 [@px4 v1.16.1 px4_custom_mode.h] and their numbers in a HEARTBEAT."""

from __future__ import annotations

from enum import IntEnum

from pyrfly.mavlink.constants import ModeFlag

__all__ = ["AutoMode", "MainMode", "PositionMode", "base_mode", "custom_mode", "mode_name", "modes"]


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
