"""Parameters that RflySim sets by number or name: `ModelParams`.

They are those of its FaultParamAPI [@rfly-framework 1.3]; docs/parameters-by-number.md has the
tables.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from pyrfly.vehicles.model_params import NamedParam, NumberedParam, named_param, plausible_range

__all__ = ["WIDTHS", "ModelParams", "Values", "fault_params", "given_to"]

Number = float | Sequence[float]
Values = Mapping[int, float] | Mapping[str, Number] | Mapping[int | str, Number]
"""Values of parameters by their numbers, or names."""

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


class _Given(NamedTuple):
    """Values to set: by numbers, and by names, of which each has one for all components or more."""

    numbers: Mapping[int, float]
    names: Mapping[str, tuple[float, ...]]


class _Plan(NamedTuple):
    """What parameters of the vehicles of one group change: checked, and not done yet.

    Attributes
    ----------
    refused : dict of int or str to str
        Numbers and names without a meaning, and why.
    writes : list of (ndarray, rows, ndarray)
        Columns, their rows and new values.
    kept : dict of int to float
        Numbers to keep, in columns of the part.
    """

    refused: dict[int | str, str]
    writes: list[tuple[NDArray[Any], Rows, NDArray[Any]]]
    kept: dict[int, float]


_KEPT: Mapping[str, tuple[str, str]] = {
    "FaultInParams": ("fault_in_params", "fault_in_given"),
    "InitInParams": ("init_in_params", "init_in_pending"),
}
"""Columns of kept values, and of which are there."""


class ModelParams(PartInterface):
    """Parameters by number and by name: `Sim.model_params`, RflySim's FaultParamAPI.

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
    >>> sim.model_params.set("DynModiParams", {"uavMass": 1.6, "rate_p": 5.0}, ids=1)
    ()
    >>> sim.mass.tolist()
    [1.6, 1.8]
    """

    part = "model_params"

    def _on(self) -> dict[str, int]:
        return {
            "FaultInParams": self._count("fault_in_given", 0xFFFFFFFF),
            "InitInParams": self._count("init_in_pending", 0xFFFFFFFF),
        }

    def set(
        self,
        interface: str,
        values: Values,
        *,
        ids: Ids = None,
    ) -> tuple[str, ...]:
        """Set parameters of vehicles.

        Parameters
        ----------
        interface : {'FaultInParams', 'InitInParams', 'DynModiParams'}
            Which of RflySim's interfaces.
        values : mapping of int or str to float or sequence of float
            Values by the numbers of the parameters, from 1, in the units of their columns; or by
            name, for all components or one for each: of RflySim's template, ``"uavMass"``, or a
            column of role ``param`` or ``gain``, or a component of it, ``"motor_curve[1]"``.
            FaultInParams have no names.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Returns
        -------
        tuple of str
            Numbers and names that have no meaning for a vehicle, and why; the others are set.

        Raises
        ------
        TypeError, ValueError
            There is no such interface, number or vehicle, or a value is not finite or out of the
            range of its parameter; then nothing is changed.
        """
        return self._set_all([(interface, values, ids)])

    def load(self, path: str | os.PathLike[str], *, first_id: int = 1) -> tuple[str, ...]:
        """Set the parameters of a CSV file (docs/parameters-by-number.md); all or none.

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
        found: dict[tuple[str, int], dict[int | str, float | Sequence[float]]] = {}
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

    def _set_all(self, entries: Iterable[tuple[str, Values, Ids]]) -> tuple[str, ...]:
        plans = [plan for entry in entries for plan in self._plans(*entry)]

        def write() -> None:
            for interface, part, plan in plans:
                _write(plan)
                _keep(interface, part, plan.kept)

        if any(plan.kept for _, _, plan in plans):
            self._change(write, self.part)
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
        self, interface: str, values: Values, ids: Ids
    ) -> list[tuple[str, Selection, _Plan]]:
        chosen_name("interface", interface, WIDTHS)
        given = _checked(interface, values)
        planned = {"FaultInParams": _of_faults, "InitInParams": _initial}.get(interface, _dynamic)
        parts = [
            self._select(group.first_id + group.numbers(rows))
            for group, rows, _ in self._distinct(ids)
        ]
        return [(interface, part, _planned(interface, planned, part, given)) for part in parts]


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


def _checked(interface: str, values: Values) -> _Given:
    if not isinstance(values, Mapping):
        raise TypeError(f"values: expected a mapping of numbers, got {brief(values)}")
    numbers: dict[int, float] = {}
    names: dict[str, tuple[float, ...]] = {}
    for key, value in values.items():
        if isinstance(key, str) and interface != "FaultInParams":
            names[key] = tuple(_finite(interface, key, one) for one in _several(value))
        elif isinstance(key, (int, np.integer)) and 1 <= key <= WIDTHS[interface]:
            numbers[int(key)] = _finite(interface, key, value)
        else:
            raise ValueError(
                f"{interface}: expected numbers 1 to {WIDTHS[interface]}, got {brief(key)}"
            )
    return _Given(numbers, names)


def _several(value: Any) -> Sequence[Any]:
    """Return values of a name as a sequence."""
    many = isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str)
    return value if many else (value,)


def _finite(interface: str, key: int | str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{interface} {key}: expected a number, got {brief(value)}") from None
    if not isfinite(number):
        raise ValueError(f"{interface} {key}: expected a finite number, got {value}")
    return number


def _planned(
    interface: str, planned: Callable[[Selection, _Given], _Plan], part: Selection, given: _Given
) -> _Plan:
    """Return what values change; an error names their interface."""
    if next(iter(part)).group.models:
        return _of_models(interface, part, given)
    try:
        return planned(part, given)
    except ValueError as error:
        raise ValueError(f"{interface}: {error}") from None


def _of_models(interface: str, part: Selection, given: _Given) -> _Plan:
    """Return what numbers change of models in libraries, which have no names."""
    refused: dict[int | str, str] = dict.fromkeys(given.names, "a model in a library has no names")
    writes: list[tuple[NDArray[Any], Rows, NDArray[Any]]] = [
        write
        for group, row, _ in part.vehicles()
        for write in group.models.param_writes(row, interface, given.numbers)
    ]
    return _Plan(refused, writes, {})


def _dynamic(part: Selection, given: _Given) -> _Plan:
    """Return what a family's parameters change at once."""
    (group, _, _), *_ = part
    known = group.family.numbers_of(group.parameters.c_type)
    refused: dict[int | str, str] = {}
    places: dict[str, dict[int, float]] = {}
    for number, value in given.numbers.items():
        param = known.get(number)
        if param is not None and group.has(param.column):
            _require_plausible(group, number, param, value)
            places.setdefault(param.column, {})[param.component] = value
        else:
            lack = f"has no {param.column}" if param else "has none of this number"
            refused[number] = f"{group.name!r}, a {group.family.name}, {lack}"
    for name, values in given.names.items():
        if (named := _named(group, name)) is None:
            refused[name] = f"{group.name!r}, a {group.family.name}, has none of this name"
        else:
            components = _by_component(group, name, named, values)
            places.setdefault(named.column, {}).update(components)
    return _Plan(refused, _writes(part, places), {})


def _named(group: Group, name: str) -> NamedParam | None:
    widths = {f.name: f.width for f in group.fields if f.role in ("param", "gain")}
    return named_param(name, group.family.named_params, lambda column: widths.get(column, 0))


def _by_component(
    group: Group, name: str, named: NamedParam, values: tuple[float, ...]
) -> dict[int, float]:
    """Return checked values of a name by the components of its column."""
    if len(values) not in (1, named.width):
        raise ValueError(f"{name}: expected 1 or {named.width} numbers, got {len(values)}")
    positive = {(param.column, param.component) for param in _numbered(group) if param.positive}
    found = {named.first + k: values[k % len(values)] for k in range(named.width)}
    for component, value in found.items():
        param = NumberedParam(named.column, component, (named.column, component) in positive)
        _require_plausible(group, name, param, value)
    return found


def _numbered(group: Group) -> Iterable[NumberedParam]:
    return group.family.numbers_of(group.parameters.c_type).values()


def _require_plausible(group: Group, key: int | str, param: NumberedParam, value: float) -> None:
    """Raise a ValueError for a value that no such vehicle has, which would end in infinities.

    Gains may have any in their range.
    """
    parameters = group.parameters
    low, high = group.family.range_of(param.column, parameters.c_type, (-inf, inf))
    if param.column in parameters.columns:
        low, high = plausible_range(param, parameters.columns[param.column], low, high)
    if not low <= value <= high:
        raise ValueError(
            f"{key}: expected {low:.4g} to {high:.4g}, {param.column} of a {group.family.name} "
            f"like {group.name!r}, got {value:g}"
        )


def _initial(part: Selection, given: _Given) -> _Plan:
    """Return what numbers the next reset changes; names are kept by the numbers that they have."""
    (group, _, _), *_ = part
    refused = dict(_dynamic(part, given).refused)
    kept = {k: value for k, value in given.numbers.items() if k not in refused}
    known = group.family.numbers_of(group.parameters.c_type)
    number_of = {(param.column, param.component): k for k, param in known.items()}
    for name, values in given.names.items():
        if name in refused:
            continue
        named = _named(group, name)
        assert named is not None  # or else it was refused
        components = _by_component(group, name, named, values)
        numbers = {number_of.get((named.column, k), inf): v for k, v in components.items()}
        if max(numbers) > WIDTHS["InitInParams"]:
            refused[name] = "it has no number up to 32; DynModiParams set it"
        else:
            kept |= {int(number): value for number, value in numbers.items()}
    return _Plan(refused, [], kept)


def _begun(vehicle: Selection) -> _Plan:
    """Return what a reset changes; nothing, where that is out of range with what is set since."""
    pending = int(vehicle.read("init_in_pending")[0])
    try:
        numbers = given_to(pending, vehicle.read("init_in_params")[0])
        return _dynamic(vehicle, _Given(numbers, {}))
    except ValueError as error:
        warn(f"InitInParams: {error}", CommandWarning)
        return _Plan({}, [], {})


def _of_faults(part: Selection, given: _Given) -> _Plan:
    """Return what FaultInParams change at once, and are kept for faults."""
    numbers = given.numbers
    refused: dict[int | str, str] = {k: why for k in numbers if (why := _meaningless(part, k))}
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
