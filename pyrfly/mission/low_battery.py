"""What low batteries do to missions: `BATTERY_ACTIONS`, `LowBattery`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from pyrfly.errors import MissionError, brief
from pyrfly.mission.checks import checked_number

__all__ = ["BATTERY_ACTIONS", "BatteryAction", "LowBattery", "checked_battery_actions"]

BatteryAction: TypeAlias = Literal["warn", "return", "land"]
"""Action below a charge: ``warn`` reports, the others also end the mission, by a return and landing
or by a landing."""

BATTERY_ACTIONS: Mapping[float, BatteryAction] = MappingProxyType(
    {0.15: "warn", 0.07: "return", 0.05: "land"}
)
"""Action below each charge, 0 to 1: those of COM_LOW_BAT_ACT 3, below the defaults of BAT_LOW_THR,
BAT_CRIT_THR and BAT_EMERGEN_THR [@px4 v1.16.1 failsafe.cpp]."""


@dataclass(frozen=True)
class LowBattery:
    """Charge below a threshold during a flight.

    Attributes
    ----------
    time : float
        Time since the start of the flight [s].
    charge : float
        The threshold, 0 to 1.
    action : str
        What was done.
    """

    time: float
    charge: float
    action: BatteryAction


def checked_battery_actions(actions: object) -> dict[float, BatteryAction]:
    """Return actions by charge, the highest first, else raise a ValueError or a TypeError."""
    if not isinstance(actions, Mapping):
        raise TypeError(
            f"battery_actions: expected a mapping of charges to actions, got {brief(actions)}"
        )
    found: dict[float, BatteryAction] = {}
    for charge, action in actions.items():
        try:
            threshold = checked_number("battery_actions: charge", charge, 0.0, 1.0, "")
        except MissionError as error:
            raise ValueError(str(error)) from None
        if action not in get_args(BatteryAction):
            expected = ", ".join(get_args(BatteryAction))
            raise ValueError(f"battery_actions: expected some of {expected}, got {brief(action)}")
        found[threshold] = action
    return dict(sorted(found.items(), reverse=True))
