"""Batteries of the vehicles of a simulation: `Power`."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import ParameterError, brief
from pyrfly.sim.battery_models import BATTERY_MODELS, BatteryModel
from pyrfly.sim.interface import PartInterface
from pyrfly.sim.selection import Part, Selection
from pyrfly.vehicles.commands import Ids

__all__ = ["Power"]

RESERVE = 1.4
"""Charge of a battery over that of its endurance [@rfly-safe]."""

ENDURANCE = 900.0
"""Default endurance [s], estimated."""

EFFICIENCY = 0.75
"""Default efficiency of motor and speed controller, estimated."""

AVIONICS = 0.03
"""Default power of the avionics over that of the drives, estimated."""

MAXIMA = {
    "cells": 1e3,
    "capacity": 1e6,
    "endurance": 1e8,
    "resistance": 1e6,
    "efficiency": 1.0,
    "avionics": 1e9,
}
"""Maxima of the settings, in their units: far above those of any vehicle, so that all results are
finite in float32."""

CELLS = ((20.0, 1), (300.0, 4), (inf, 6))
"""Default number of cells up to a power of the drives [W], estimated."""

_CHARGE = ("state_of_charge", "battery_capacity")
"""Columns whose product is the charge that is left [C]."""

Array = NDArray[np.float64]


class Power(PartInterface):
    """Batteries of the vehicles: `Sim.power`.

    Off until `enable`: then a constant voltage feeds the drives. Settings and results are columns
    of the `Sim`, which exist from then on (docs/power.md, ``pyrfly columns``).

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> sim.power.enable(cells=4, capacity=5)
    >>> sim.arm()
    >>> sim.command_position([0, 0, -5])
    >>> sim.step(10_000)
    >>> bool(0.95 < sim.state_of_charge[0] < 1), bool(15 < sim.battery_voltage[0] < 16.8)
    (True, True)
    """

    part = "power"

    def _on(self) -> dict[str, int]:
        return {"batteries": self._count("battery_on")}

    def enable(
        self,
        *,
        battery_model: str = "lipo",
        cells: ArrayLike | None = None,
        capacity: ArrayLike | None = None,
        endurance: ArrayLike | None = None,
        resistance: ArrayLike | None = None,
        efficiency: ArrayLike | None = None,
        avionics: ArrayLike | None = None,
        ids: Ids = None,
    ) -> None:
        """Feed vehicles by batteries, which are full.

        Parameters
        ----------
        battery_model : str
            A name of `pyrfly.sim.battery_models.BATTERY_MODELS`: "lipo", a measured lithium
            polymer cell, or "rflysim", RflySim's curve with an ohmic resistance.
        cells : array_like of int, shape (k,) or (), optional
            Cells in series; by default 1, 4 or 6, with the power of the vehicle.
        capacity : array_like, shape (k,) or (), optional
            Charge of the full battery [A h]; by default that for ``endurance``.
        endurance : array_like, shape (k,) or (), optional
            Time [s] of the nominal power of the drives, after which 1 / 1.4 of the charge is used:
            for vehicles that hover that of hover, for planes that of cruise, for rovers that of
            full torque at full speed, of the parameter set. 900 s by default.
        resistance : array_like, shape (k,) or (), optional
            Ohmic one of the full battery and its cables [ohm]; the model gives that of the RC pair
            in proportion. By default both are 0.02 ohm per cell over the capacity in A h.
        efficiency : array_like, shape (k,) or (), optional
            Shaft power of the drives over their electrical power; by default 0.75.
        avionics : array_like, shape (k,) or (), optional
            Electrical power of everything else [W]; by default 3 % of the nominal one.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            A vehicle has no drives that a battery feeds.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape, is not finite or out of its range (up to `MAXIMA`), or
            both a capacity and an endurance are given; then nothing is changed.
        """
        if capacity is not None and endurance is not None:
            raise ValueError("endurance: expected None where a capacity is given")
        model = _model(battery_model)
        chosen = self._distinct(ids)

        def checked(name: str, value: ArrayLike | None, default: Any, unit: str) -> Array:
            return chosen.positive(name, _or(value, default), unit, MAXIMA[name])

        efficient = checked("efficiency", efficiency, EFFICIENCY, "1")
        drives = _nominal_power(chosen) / efficient
        aboard = _not_negative(chosen, "avionics", _or(avionics, AVIONICS * drives), "W")
        series = _whole(checked("cells", cells, _cells(drives), "1"), cells)
        lasting = checked("endurance", endurance, ENDURANCE, "s")
        current = (drives + aboard) / (model.nominal * series)
        needed = RESERVE * lasting / 3600 * current
        charge = checked("capacity", capacity, needed, "A h")
        usual = model.resistance * series / charge / (1 + model.polarization)
        ohmic = _not_negative(chosen, "resistance", _or(resistance, usual), "ohm")
        columns: dict[str, ArrayLike] = {
            "battery_full_voltage": model.voltage[-1] * series,
            "battery_capacity": 3600 * charge,
            "battery_resistance": ohmic,
            "polarization_resistance": model.polarization * ohmic,
            "polarization_time": model.time_constant,
            "battery_curve": np.array(model.voltage) / model.voltage[-1],
            "resistance_curve": model.growth,
            "battery_rflysim": model.rflysim,
            "drive_efficiency": efficient,
            "avionics_power": aboard,
            "nominal_current": current,
            "battery_on": 1,
        }

        def write() -> None:
            chosen.write_all(columns)
            self.recharge(ids)

        self._change(write, "power")

    def disable(self, ids: Ids = None) -> None:
        """Feed vehicles by a constant voltage again, from the next update on."""
        chosen = self._distinct(ids)
        if self.enabled:
            chosen.write("battery_on", 0)

    def time_left(self, ids: Ids = None) -> Array:
        """Return how long the charges last at the nominal power, such as that of hover.

        Parameters
        ----------
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Returns
        -------
        ndarray, shape (k,)
            Times until the batteries are empty [s]: those of the column ``state_of_charge`` with
            ``nominal_current``, infinite of vehicles without a battery.
        """
        chosen = self._select(ids)
        found = np.full(len(chosen), inf)
        for group, rows, indices in chosen:
            if group.has("battery_on"):
                own = [group.view(name)[rows] for name in _CHARGE]
                current = group.view("nominal_current")[rows]
                lasts = (group.view("battery_on")[rows] != 0) & (current > 0)
                charge = np.prod(own, axis=0, dtype=np.float64)
                found[indices] = np.where(lasts, charge / np.where(lasts, current, 1), inf)
        return found

    def recharge(self, ids: Ids = None) -> None:
        """Make batteries full, as `Sim.reset` does; ``battery_energy`` counts from 0 again."""
        for group, rows, _ in self._select(ids):
            group.reset_part("power", rows)


def _model(name: str) -> BatteryModel:
    model = BATTERY_MODELS.get(name) if isinstance(name, str) else None
    if model is None:
        names = ", ".join(map(repr, BATTERY_MODELS))
        raise ValueError(f"battery_model: expected one of {names}, got {brief(name)}")
    return model


def _nominal_power(chosen: Selection) -> Array:
    """Return the shaft power [W] of the drives of each vehicle, by its parameter set."""
    found = np.empty(len(chosen))
    for part in chosen:
        found[part.indices] = _shaft_power(part)
    return found


def _shaft_power(part: Part) -> float:
    nominal = part.group.family.nominal_power
    power = 0.0 if nominal is None else nominal(part.group.parameters)
    if not power > 0:
        raise ParameterError(
            f"power: {part.group.name!r} (CopterID {part.group.first_id}) has no drives that a "
            "battery feeds"
        )
    return power


def _cells(power: Array) -> NDArray[np.int64]:
    """Return the usual number of cells in series for a power of the drives [W]."""
    limits, numbers = zip(*CELLS, strict=True)
    return np.array(numbers)[np.searchsorted(limits, power)]


def _refuse(name: str, expected: str, unit: str, got: Any) -> ValueError:
    return ValueError(f"{name}: expected {expected} [{unit}], got {brief(got)}")


def _or(value: ArrayLike | None, default: ArrayLike) -> ArrayLike:
    return default if value is None else value


def _not_negative(chosen: Selection, name: str, value: ArrayLike, unit: str) -> Array:
    return chosen.not_negative(name, value, unit, MAXIMA[name])


def _whole(values: Array, given: Any) -> Array:
    if not (values == np.floor(values)).all():
        raise _refuse("cells", "whole numbers", "1", given)
    return values
