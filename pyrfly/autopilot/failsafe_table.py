"""What PX4 does of each loss: `LOSSES`, the table of the failsafes.

Actions, their order, when they end and who may end them are those of PX4 v1.16.1 [@px4 v1.16.1
failsafe.cpp, framework.h], the texts those of its checks [@px4 v1.16.1 HealthAndArmingChecks].
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, IntFlag
from types import MappingProxyType
from typing import NamedTuple

from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.mavlink.constants import Severity

__all__ = [
    "ACTION_MODES",
    "LOSSES",
    "Action",
    "Clears",
    "Loss",
    "Options",
    "Sick",
    "Takeover",
]


class Action(IntEnum):
    """What a failsafe does; of several the last one of this order."""

    NONE = 0
    WARN = 1
    POSITION = 2
    ALTITUDE = 3
    STABILIZED = 4
    HOLD = 5
    RETURN = 6
    LAND = 7
    DESCEND = 8
    DISARM = 9
    TERMINATE = 10


class Clears(IntEnum):
    """When an action ends."""

    WITH_CONDITION = 0
    ON_MODE_CHANGE = 1
    """By a switch of the mode, or by disarming, when the condition has ended."""
    NEVER = 2


class Takeover(IntEnum):
    """Who may end an action."""

    ALWAYS = 0
    """A switch of the mode, or the sticks."""
    MODE_SWITCH = 1
    DELAYED = 2
    """``ALWAYS``, with a hold of COM_FAIL_ACT_T before; ``MODE_SWITCH`` where that is 0."""
    NEVER = 3


class Sick(IntFlag):
    """Bits of MAV_SYS_STATUS_SENSOR that losses clear in SYS_STATUS."""

    MOTORS = 0x8000
    BATTERY = 0x2000000
    PREARM = 0x10000000
    """The vehicle cannot be armed."""


class Options(NamedTuple):
    """An action, when it ends and who may end it."""

    action: Action
    clears: Clears = Clears.WITH_CONDITION
    takeover: Takeover = Takeover.DELAYED


class Loss(NamedTuple):
    """What a vehicle can lose or violate.

    Attributes
    ----------
    name : str
        Its name.
    text : str
        What the vehicle says at its begin; empty where the check says more.
    severity : Severity
        Severity of that text.
    parameter : str
        Parameter that chooses among the options; empty where the check does.
    options : mapping of int to Options
        What each choice does; all others do nothing.
    sick : Sick
        What SYS_STATUS tells to be sick; with ``PREARM`` the vehicle cannot be armed either.
    denial : str
        Why not, where it is not the text.
    excludes : tuple of FlightMode
        Modes that cannot be entered meanwhile [@px4 mode_requirements.cpp].
    """

    name: str
    text: str
    severity: Severity
    parameter: str
    options: Mapping[int, Options]
    sick: Sick = Sick(0)
    denial: str = ""
    excludes: tuple[FlightMode, ...] = ()


ACTION_MODES: Mapping[Action, FlightMode] = MappingProxyType(
    {
        Action.POSITION: FlightMode.POSITION,
        Action.ALTITUDE: FlightMode.ALTITUDE,
        Action.STABILIZED: FlightMode.STABILIZED,
        Action.HOLD: FlightMode.HOLD,
        Action.RETURN: FlightMode.RETURN,
        Action.LAND: FlightMode.LAND,
        Action.DESCEND: FlightMode.LAND,
    }
)
"""Modes of actions; HEARTBEAT tells a descent as a landing [@px4 v1.16.1 px4_custom_mode.h]."""

_NOTHING, _WARNS = Options(Action.NONE), Options(Action.WARN)
_TERMINATES = Options(Action.TERMINATE, Clears.NEVER, Takeover.NEVER)


def _until_changed(action: Action, takeover: Takeover = Takeover.DELAYED) -> Options:
    return Options(action, Clears.ON_MODE_CHANGE, takeover)


_HOLDS, _RETURNS, _LANDS = map(_until_changed, (Action.HOLD, Action.RETURN, Action.LAND))
_HOLDS_UNTIL_SWITCHED = _until_changed(Action.HOLD, Takeover.MODE_SWITCH)

_OF_LINKS = {
    1: _HOLDS,
    2: _RETURNS,
    3: _LANDS,
    5: _TERMINATES,
    6: Options(Action.DISARM, takeover=Takeover.NEVER),
}
_OF_LIMITS = {1: _WARNS, 2: _HOLDS_UNTIL_SWITCHED, 3: _RETURNS, 4: _TERMINATES, 5: _LANDS}
_OF_ACCURACY = {
    1: _WARNS,
    **{
        number: Options(action, takeover=Takeover.MODE_SWITCH)
        for number, action in ((2, Action.HOLD), (3, Action.RETURN), (5, Action.LAND))
    },
    4: _TERMINATES,
}
_OF_ACTUATORS = {
    0: _WARNS,
    1: Options(Action.HOLD),
    2: _LANDS,
    3: _RETURNS,
    4: Options(Action.TERMINATE, Clears.NEVER),
}

_LIMITED = (FlightMode.MISSION, FlightMode.HOLD, FlightMode.FOLLOW, FlightMode.ORBIT)
"""Modes that much wind and the end of the flight time exclude."""

LOSSES = (
    Loss("sticks", "Manual control lost", Severity.INFO, "NAV_RCL_ACT", _OF_LINKS),
    Loss(
        *("station", "Connection to ground station lost", Severity.INFO, "NAV_DLL_ACT", _OF_LINKS),
        sick=Sick.PREARM,
        denial="No connection to the ground control station",
    ),
    Loss(
        *("quadchute", "", Severity.CRITICAL, "COM_QC_ACT"),
        {-1: _WARNS, 0: _RETURNS, 1: _LANDS, 2: _HOLDS},
    ),
    Loss(
        *("wind", "Wind speed is above limit", Severity.WARNING, "COM_WIND_MAX_ACT", _OF_LIMITS),
        sick=Sick.PREARM,
        excludes=_LIMITED,
    ),
    Loss(
        *("flight_time", "Maximum flight time reached", Severity.CRITICAL, ""),
        {0: Options(Action.RETURN)},
        sick=Sick.PREARM,
        excludes=_LIMITED,
    ),
    Loss(
        *("accuracy", "Position estimate has low accuracy", Severity.WARNING, "COM_POS_LOW_ACT"),
        _OF_ACCURACY,
    ),
    Loss(
        *("geofence", "", Severity.CRITICAL, "GF_ACTION", _OF_LIMITS),
        sick=Sick.PREARM,
        denial="Geofence violation",
    ),
    Loss(
        *("remaining_time", "Remaining flight time low", Severity.ERROR, "COM_FLTT_LOW_ACT"),
        {1: _WARNS, 3: _RETURNS},
        sick=Sick.PREARM,
    ),
    Loss("low_battery", "Low battery", Severity.EMERGENCY, "", {0: _WARNS}, sick=Sick.BATTERY),
    Loss(
        *("critical_battery", "Critical battery", Severity.EMERGENCY, ""),
        {
            0: _WARNS,
            1: Options(Action.RETURN),
            2: Options(Action.LAND),
            3: Options(Action.RETURN),
        },
        sick=Sick.BATTERY | Sick.PREARM,
    ),
    Loss(
        *("emergency_battery", "Emergency battery level", Severity.EMERGENCY, ""),
        {
            0: _WARNS,
            1: Options(Action.RETURN),
            2: Options(Action.LAND),
            3: Options(Action.LAND),
        },
        sick=Sick.BATTERY | Sick.PREARM,
    ),
    Loss(
        *("attitude", "Attitude failure detected", Severity.CRITICAL, ""),
        {
            Action.WARN: _WARNS,
            Action.DISARM: Options(Action.DISARM),
            Action.TERMINATE: Options(Action.TERMINATE),
        },
        sick=Sick.PREARM,
    ),
    Loss(
        *("motor", "Motor failure detected", Severity.CRITICAL, "COM_ACT_FAIL_ACT"),
        _OF_ACTUATORS,
        sick=Sick.MOTORS | Sick.PREARM,
    ),
    Loss(
        *("mode", "", Severity.CRITICAL, ""),
        {action: Options(action, takeover=Takeover.ALWAYS) for action in Action},
    ),
)
"""All losses; ``mode`` is that of what the mode of the user needs."""
