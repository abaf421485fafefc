"""RflySim's modes: of the link to clients (`LinkMode`), of the simulation (`SimMode`).

Scripts and options give them as numbers or as names, in any case of letters.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

from pyrfly.errors import brief

__all__ = ["REDIS", "SIM_MODE_NAMES", "LinkMode", "SimMode", "link_mode", "sim_mode"]

REDIS = 7
"""Number from which link modes go by Redis; less 7 they are those of UDP [@rfly-sdk]."""


class LinkMode(IntEnum):
    """What a vehicle exchanges with clients on its ports 20100 and 20101: UDPSIMMODE."""

    UDP_FULL = 0
    """RflySim's structures, the whole state."""
    UDP_SIMPLE = 1
    """RflySim's short structures."""
    MAVLINK_FULL = 2
    """MAVLink, all messages."""
    MAVLINK_SIMPLE = 3
    """MAVLink, few messages."""
    MAVLINK_NOSEND = 4
    """MAVLink, nothing is sent."""
    MAVLINK_NOGPS = 5
    """MAVLink_Full, the vehicle without satellite receiver."""
    MAVLINK_VISION = 6
    """MAVLink_NoGPS, the vehicle takes its position from vision."""

    @property
    def label(self) -> str:
        """Its name as an option, such as ``udp_full``."""
        return self.name.lower()


class SimMode(IntEnum):
    """What CopterSim simulates with [@rfly-doc]."""

    PX4_HITL = 0
    """A PX4 on a serial port."""
    PX4_SITL = 1
    """A PX4 as a program."""
    PX4_SITL_RFLY = 2
    """A PX4 as a program, of RflySim's installation."""
    SIMULINK_DLL_SIL = 3
    """Simulink, or a model with its own controllers; no PX4."""
    PX4_HITL_NET = 4
    """A PX4 on a UDP port."""
    EXT_HITL_COM = 5
    """Another autopilot on a serial port."""
    EXT_SIM_NET = 6
    """Another simulation on a UDP port."""
    APM_SITL_NET = 7
    """ArduPilot as a program."""
    PX4_SIH_COM = 8
    """A PX4 on a serial port that simulates the vehicle itself."""
    PX4_SIH_NET = 9
    """As PX4_SIH_COM, on a UDP port."""
    PX4_SIH_SITL = 10
    """As PX4_SIH_COM, as a program."""
    PX4_SIH_FLY = 11
    """As PX4_SIH_COM, in flight."""


SIM_MODE_NAMES = {
    mode: "Simulink&DLL_SIL" if mode is SimMode.SIMULINK_DLL_SIL else mode.name for mode in SimMode
}
"""Names as RflySim spells them."""

_Mode = TypeVar("_Mode", bound=IntEnum)


def link_mode(text: str) -> LinkMode:
    """Return the link mode of a number or a name.

    Raises
    ------
    ValueError
        There is no such mode.

    Examples
    --------
    >>> link_mode("Mavlink_Full"), link_mode("1")
    (<LinkMode.MAVLINK_FULL: 2>, <LinkMode.UDP_SIMPLE: 1>)
    """
    return _mode(text, {mode: mode.label for mode in LinkMode})


def sim_mode(text: str) -> SimMode:
    """Return the simulation mode of a number or a name.

    Raises
    ------
    ValueError
        There is no such mode.

    Examples
    --------
    >>> sim_mode("PX4_HITL"), sim_mode("simulink&dll_sil")
    (<SimMode.PX4_HITL: 0>, <SimMode.SIMULINK_DLL_SIL: 3>)
    """
    return _mode(text, SIM_MODE_NAMES)


def _mode(text: str, names: dict[_Mode, str]) -> _Mode:
    """Return the mode that has a number or a name."""
    word = text.strip().lower()
    for mode, name in names.items():
        if word in (name.lower(), str(int(mode))):
            return mode
    expected = ", ".join(names.values())
    raise ValueError(f"expected {expected} or 0 to {max(names)}, got {brief(text)}")
