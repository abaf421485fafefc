"""Sensors, estimator and batteries of the vehicles of a campaign: `Equipment`."""

from __future__ import annotations

from typing import Any, NamedTuple

from pyrfly.arrays import finite_array, true_or_false
from pyrfly.sim import PROFILES, Sim
from pyrfly.sim.arguments import chosen_name

__all__ = ["Equipment", "equip", "equipment_of"]

_OF_CASES = "rflysim"
"""Profile of the sensors of test cases, as of ``pyrfly case``."""

_LEAST, _MOST = 0.1, 10_000.0
"""Range of the endurance of batteries [min], as of ``--battery``."""


class Equipment(NamedTuple):
    """What vehicles have besides their parameter set.

    Attributes
    ----------
    sensors : str or None
        Profile of all their sensors.
    estimator : bool
        Whether they fly on an estimate.
    battery : float or None
        Endurance of their batteries in hover or cruise [min].
    """

    sensors: str | None = None
    estimator: bool = False
    battery: float | None = None


def equipment_of(sensors: Any, estimator: Any, battery: Any, *, of_case: bool) -> Equipment:
    """Return checked equipment; test cases are flown on an estimate, unless told otherwise.

    Raises
    ------
    TypeError, ValueError
        The message begins with the argument.
    """
    profile = _OF_CASES if sensors is None and of_case else sensors
    if profile is not None:
        chosen_name("sensors", profile, PROFILES)
    flies = of_case if estimator is None else true_or_false("estimator", estimator)
    if flies and profile is None:
        raise ValueError("estimator: expected sensors with it, such as 'rflysim', got none")
    return Equipment(profile, flies, None if battery is None else _endurance(battery))


def _endurance(battery: Any) -> float:
    value = finite_array("battery", battery, "min")
    if value.ndim or not _LEAST <= value <= _MOST:
        raise ValueError(f"battery: expected {_LEAST:g} to {_MOST:g} [min], got {battery!r}")
    return float(value)


def equip(sim: Sim, equipment: Equipment) -> None:
    """Give the vehicles of a simulation their equipment.

    Raises
    ------
    ValueError
        They can have no batteries.
    """
    if equipment.sensors is not None:
        sim.sensors.enable_all(equipment.sensors)
    if equipment.estimator:
        sim.estimator.enable(fly=True)
    if equipment.battery is not None:
        try:
            sim.power.enable(endurance=60.0 * equipment.battery)
        except ValueError as error:
            raise ValueError(f"battery: {error}") from None
