"""Parameters that RflySim sets by number: `ModelParams`.

They are those of its FaultParamAPI [@rfly-framework 1.3]; docs/faults.md has the tables.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from math import inf, isfinite, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import CommandWarning, brief, warn
from pyrfly.protocol.bits import Sensor
from pyrfly.sim.arguments import chosen_name
from pyrfly.sim.group import Group
from pyrfly.sim.interface import PartInterface
from pyrfly.sim.model_params_file import read_entries
from pyrfly.sim.selection import Rows, Selection
from pyrfly.vehicles.commands import Ids
from pyrfly.vehicles.model_params import NumberedParam, plausible_range

__all__ = ["WIDTHS", "ModelParams", "fault_params", "given_to"]

WIDTHS: Mapping[str, int] = {"FaultInParams": 32, "InitInParams": 32, "DynModiParams": 64}
"""Numbers of parameters by interface."""


class _FaultParam(NamedTuple):
    """A number of FaultInParams: its range, and the setting that it is at once."""

    minimum: float
    maximum: float
    column: str = ""
    component: int = 0


_WIND, _FROM = _FaultParam(0.0, 200.0), _FaultParam(-360.0, 360.0)  # [m/s], [deg]
_DAMPING = _FaultParam(0.05, 20.0, "imu_damping")
_FAULT_PARAMS: Mapping[int, _FaultParam] = {
    **dict.fromkeys((4, 6), _WIND),
    **dict.fromkeys((5, 7, 9), _FROM),
    **dict.fromkeys((10, 14), _DAMPING),
    **{11 + k: _FaultParam(-1e3, 1e3, "imu_accel_bias", k) for k in range(3)},
    **{15 + k: _FaultParam(-1e3, 1e3, "imu_gyro_bias", k) for k in range(3)},
}
"""What FaultInParams are, in the order of [@rfly-safe Init.m]."""

_WITHOUT_MEANING: Mapping[int, str] = {
    **dict.fromkeys((1, 2, 3), "what has this noise is not published"),
    8: "gusts have no turbulence of their own",
}
_NOT_LIMITED = "the bandwidth of the IMU is not limited (imu_frequency is 0)"


class _Plan(NamedTuple):
    """What parameters of the vehicles of one group change: checked, and not done yet.

    Attributes
    ----------
    refused : dict of int to str
        Numbers without a meaning, and why.
    writes : list of (ndarray, rows, ndarray)
        Columns, their rows and new values.
    kept : dict of int to float
        Numbers to keep, in columns of the part.
    """

    refused: dict[int, str]
    writes: list[tuple[NDArray[Any], Rows, NDArray[Any]]]
    kept: dict[int, float]


_KEPT: Mapping[str, tuple[str, str]] = {
    "FaultInParams": ("fault_in_params", "fault_in_given"),
    "InitInParams": ("init_in_params", "init_in_pending"),
}
"""Columns of kept values, and of which are there."""


class ModelParams(PartInterface):
    """Parameters by number: `Sim.model_params`, RflySim's FaultParamAPI.

    ``DynModiParams`` change a vehicle at once, ``InitInParams`` with its next reset, and
    ``FaultInParams`` are those of disturbances and of the IMU. Controllers do not know of it.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("sdk", 2)
    >>> sim.model_params.set("DynModiParams", {1: 1.8}, ids=2)
    ()
    >>> sim.mass.tolist()
    [1.515, 1.8]
    """

    _part = "model_params"

    def _on(self) -> dict[str, int]:
        return {
            "FaultInParams": self._count("fault_in_given", 0xFFFFFFFF),
            "InitInParams": self._count("init_in_pending", 0xFFFFFFFF),
        }

    def set(
        self, interface: str, values: Mapping[int, float], *, ids: Ids = None
    ) -> tuple[str, ...]:
        """Set parameters of vehicles.

        Parameters
        ----------
        interface : {'FaultInParams', 'InitInParams', 'DynModiParams'}
            Which of RflySim's interfaces.
        values : mapping of int to float
            Values by the numbers of the parameters, from 1, in the units of their columns.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Returns
        -------
        tuple of str
            Numbers that have no meaning for a vehicle, and why; the others are set.

        Raises
        ------
        TypeError, ValueError
            There is no such interface, number or vehicle, or a value is not finite or out of the
            range of its parameter; then nothing is changed.
        """
        return self._set_all([(interface, values, ids)])

    def load(self, path: str | os.PathLike[str], *, first_id: int = 1) -> tuple[str, ...]:
        """Set the parameters of a CSV file (docs/faults.md); all or none.

        Parameters
        ----------
        path : str or path-like
            The file.
        first_id : int
            CopterID that it gives to the first vehicle.

        Returns
        -------
        tuple of str
            Numbers that have no meaning for a vehicle, and why.

        Raises
        ------
        ValueError
            The file cannot be read, or an entry is wrong; the message names its line, or the
            parameter that is out of its range.
        """
        n = len(self._select(None))
        found: dict[tuple[str, int], dict[int, float]] = {}
        ids = range(first_id, first_id + n)
        for interface, number, value, vehicle in read_entries(path, WIDTHS, ids):
            for copter_id in (vehicle - first_id + 1,) if vehicle else range(1, n + 1):
                found.setdefault((interface, copter_id), {})[number] = value
        try:
            return self._set_all((name, values, k) for (name, k), values in found.items())
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from None

    def begin(self, chosen: Selection) -> None:
        """Set the pending InitInParams of vehicles, as a reset does."""
        begun = [
            self._select(group.first_id + row)
            for group, rows, _ in chosen
            if group.has("init_in_pending")
            for row in group.numbers(rows)[group.view("init_in_pending")[rows] != 0].tolist()
        ]
        if not begun:
            return
        plans = [_begun(vehicle) for vehicle in begun]

        def write() -> None:
            for vehicle, plan in zip(begun, plans, strict=True):
                _write(plan)
                vehicle.write("init_in_pending", 0)

        self._change(write)

    def _set_all(self, entries: Iterable[tuple[str, Mapping[int, float], Ids]]) -> tuple[str, ...]:
        plans = [plan for entry in entries for plan in self._plans(*entry)]

        def write() -> None:
            for interface, part, plan in plans:
                _write(plan)
                _keep(interface, part, plan.kept)

        if any(plan.kept for _, _, plan in plans):
            self._change(write, self._part)
        elif any(plan.writes for _, _, plan in plans):
            self._change(write)
        return tuple(
            dict.fromkeys(
                f"{interface} {number}: {why}"
                for interface, _, plan in plans
                for number, why in plan.refused.items()
            )
        )

    def _plans(
        self, interface: str, values: Mapping[int, float], ids: Ids
    ) -> list[tuple[str, Selection, _Plan]]:
        chosen_name("interface", interface, WIDTHS)
        numbers = _checked_numbers(interface, values)
        planned = {"FaultInParams": _of_faults, "InitInParams": _initial}.get(interface, _dynamic)
        parts = [
            self._select(group.first_id + group.numbers(rows))
            for group, rows, _ in self._distinct(ids)
        ]
        return [(interface, part, _named(interface, planned, part, numbers)) for part in parts]


def given_to(mask: int, values: Any) -> dict[int, float]:
    """Return the values of a message by number: those whose bit is set, the first by bit 0."""
    return {k + 1: float(value) for k, value in enumerate(values) if mask >> k & 1}


def fault_params(chosen: Selection) -> NDArray[np.float64]:
    """Return the FaultInParams of vehicles, NaN where one was not given, shape (k, 32)."""
    found = np.full((len(chosen), WIDTHS["FaultInParams"]), nan)
    for group, rows, places in chosen:
        if group.has("fault_in_given"):
            given = group.view("fault_in_given")[rows][:, None] >> np.arange(found.shape[1]) & 1
            found[places] = np.where(given, group.view("fault_in_params")[rows], nan)
    return found


def _checked_numbers(interface: str, values: Mapping[int, float]) -> dict[int, float]:
    if not isinstance(values, Mapping):
        raise TypeError(f"values: expected a mapping of numbers, got {brief(values)}")
    width, found = WIDTHS[interface], {}
    for number, value in values.items():
        if not isinstance(number, (int, np.integer)) or not 1 <= number <= width:
            raise ValueError(f"{interface}: expected numbers 1 to {width}, got {brief(number)}")
        try:
            found[int(number)] = float(value)
        except (TypeError, ValueError):
            raise TypeError(
                f"{interface} {number}: expected a number, got {brief(value)}"
            ) from None
        if not isfinite(found[int(number)]):
            raise ValueError(f"{interface} {number}: expected a finite number, got {value}")
    return found


def _named(
    interface: str,
    planned: Callable[[Selection, Mapping[int, float]], _Plan],
    part: Selection,
    numbers: Mapping[int, float],
) -> _Plan:
    """Return what numbers change; an error names their interface."""
    try:
        return planned(part, numbers)
    except ValueError as error:
        raise ValueError(f"{interface}: {error}") from None


def _dynamic(part: Selection, numbers: Mapping[int, float]) -> _Plan:
    """Return what numbers of a family's parameters change at once."""
    (group, _, _), *_ = part
    known = group.family.numbers_of(group.parameters.c_type)
    refused: dict[int, str] = {}
    places: dict[str, dict[int, float]] = {}
    for number, value in numbers.items():
        param = known.get(number)
        if param is not None and group.has(param.column):
            _require_plausible(group, number, param, value)
            places.setdefault(param.column, {})[param.component] = value
        else:
            lack = f"has no {param.column}" if param else "has none of this number"
            refused[number] = f"{group.name!r}, a {group.family.name}, {lack}"
    return _Plan(refused, _writes(part, places), {})


def _require_plausible(group: Group, number: int, param: NumberedParam, value: float) -> None:
    """Raise a ValueError for a value that no such vehicle has, which would end in infinities."""
    parameters = group.parameters
    bounds = group.family.range_of(param.column, parameters.c_type, (-inf, inf))
    low, high = plausible_range(param, parameters.columns[param.column], *bounds)
    if not low <= value <= high:
        raise ValueError(
            f"{number}: expected {low:.4g} to {high:.4g}, {param.column} of a {group.family.name} "
            f"like {group.name!r}, got {value:g}"
        )


def _initial(part: Selection, numbers: Mapping[int, float]) -> _Plan:
    """Return what numbers the next reset changes."""
    refused = _dynamic(part, numbers).refused
    return _Plan(refused, [], {k: numbers[k] for k in numbers if k not in refused})


def _begun(vehicle: Selection) -> _Plan:
    """Return what a reset changes; nothing, where that is out of range with what is set since."""
    pending = int(vehicle.read("init_in_pending")[0])
    try:
        return _dynamic(vehicle, given_to(pending, vehicle.read("init_in_params")[0]))
    except ValueError as error:
        warn(f"InitInParams: {error}", CommandWarning)
        return _Plan({}, [], {})


def _of_faults(part: Selection, numbers: Mapping[int, float]) -> _Plan:
    """Return what FaultInParams change at once, and are kept for faults."""
    refused = {k: why for k in numbers if (why := _meaningless(part, k))}
    kept = {k: numbers[k] for k in numbers if k not in refused}
    places: dict[str, dict[int, float]] = {}
    for number, value in kept.items():
        row = _FAULT_PARAMS[number]
        if not row.minimum <= value <= row.maximum:
            raise ValueError(
                f"{number}: expected {row.minimum:g} to {row.maximum:g}, got {value:g}"
            )
        if row.column:
            components = places.setdefault(row.column, {})
            if components.setdefault(row.component, value) != value:
                raise ValueError(f"{number}: expected {components[row.component]:g}, as of 10")
    return _Plan(refused, _writes(part, places), kept)


def _meaningless(part: Selection, number: int) -> str:
    """Return why a number of FaultInParams has no meaning; empty if it has one."""
    (group, rows, _), *_ = part
    if number not in _FAULT_PARAMS:
        return _WITHOUT_MEANING.get(number, "there is no such parameter")
    column = _FAULT_PARAMS[number].column
    if not column:
        return ""
    if not group.has(column) or not (group.view("sensors_on")[rows] & Sensor.IMU).all():
        return f"{group.name!r} has no IMU; sensors.enable('imu') switches it on"
    limited = column != "imu_damping" or (group.view("imu_frequency")[rows] > 0).all()
    return "" if limited else _NOT_LIMITED


def _writes(
    part: Selection, places: Mapping[str, Mapping[int, float]]
) -> list[tuple[NDArray[Any], Rows, NDArray[Any]]]:
    """Return checked writes of components of columns."""
    writes = []
    for column, components in places.items():
        whole = np.array(part.read(column), np.float64)
        rows = whole.reshape(len(part), -1)
        for component, value in components.items():
            rows[:, component] = value
        writes += part.rows_to_write(column, whole)
    return writes


def _write(plan: _Plan) -> None:
    for target, rows, values in plan.writes:
        target[rows] = values


def _keep(interface: str, part: Selection, numbers: Mapping[int, float]) -> None:
    if not numbers:
        return
    column, given = _KEPT[interface]
    values = part.read(column)
    for number, value in numbers.items():
        values[:, number - 1] = value
    part.write(column, values)
    part.write(given, part.read(given) | np.uint32(sum(1 << (number - 1) for number in numbers)))
