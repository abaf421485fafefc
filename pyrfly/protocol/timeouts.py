"""Time-outs: after how long a silence who commands a vehicle counts as lost, `TIMEOUTS`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["NO_TIMEOUTS", "TIMEOUTS", "Timeout"]


class Timeout(NamedTuple):
    """What happens when an interface falls silent; docs/safety.md has these as a table.

    Attributes
    ----------
    missed : str
        What does not come.
    seconds : float
        How long, unless it is set.
    clock : {'simulated', 'real'}
        Which time that is.
    follows : str
        What happens then.
    parameter : str
        PX4's parameter that has the time of each vehicle; empty: there is none.
    """

    missed: str
    seconds: float
    clock: str
    follows: str
    parameter: str = ""


_FAILSAFE = "[failsafe](#px4s-failsafes)"

TIMEOUTS: Mapping[str, Timeout] = MappingProxyType(
    {
        "setpoints": Timeout(
            "set-points of the 20100 series; inputs of the 30100 series without a command",
            0.5,
            "simulated",
            "a position and a heading stay, all else ends in position hold; sticks are centred "
            "([protocol.md](protocol.md#messages))",
        ),
        "offboard": Timeout(
            "MAVLink: set-points in Offboard", 1.0, "simulated", _FAILSAFE, "COM_OF_LOSS_T"
        ),
        "sticks": Timeout("MAVLink: sticks", 0.5, "simulated", _FAILSAFE, "COM_RC_LOSS_T"),
        "station": Timeout(
            "MAVLink: heartbeats of a station", 10.0, "simulated", _FAILSAFE, "COM_DL_LOSS_T"
        ),
        "target": Timeout(
            "MAVLink: target of Follow Me",
            3.0,
            "simulated",
            "it is lost: its vehicle holds",
        ),
        "ardupilot": Timeout(
            "answers of ArduPilot, which sends again after 1 s",
            2.0,
            "real",
            "its vehicle is disarmed, and the others go on ([protocol.md](protocol.md))",
        ),
        "serial": Timeout(
            "motor speeds of a controller on a serial port",
            0.5,
            "real",
            "its vehicle is disarmed until they come again ([protocol.md](protocol.md))",
        ),
    }
)
"""Time-outs of inputs by name; those of parameters are PX4's defaults, the others estimated."""

NO_TIMEOUTS: Mapping[str, float] = MappingProxyType({})
"""Seconds by name of who sets none."""
