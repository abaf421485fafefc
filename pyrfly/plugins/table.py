"""Tables of models of one's own: their columns and functions, checked; `Table`."""

from __future__ import annotations

import re
from keyword import iskeyword
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.columns import (
    Field,
    add_type,
    fields_of_type,
    is_attribute,
    learn_types,
    other_meaning,
    part_with,
    vehicle_types,
)
from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles import FAMILIES
from pyrfly.vehicles.body import require_bodies
from pyrfly.vehicles.parameters import as_columns

__all__ = [
    "ROLES",
    "SHARED_TYPE",
    "WORD",
    "Functions",
    "OwnColumn",
    "Table",
    "shared_fields",
    "types_of_families",
]

ROLES = (
    *("state", "input", "param", "gain", "setpoint", "controller", "sensor", "output"),
    "shared",
)
"""Roles of columns by their numbers in ``pyrfly_model.h``."""

SHARED_TYPE = "own_model"
"""The type of the core with the columns that all such vehicles have."""

_MAXIMUM_ROWS = _core.limits()["own_model_rows"]  # of a role, with those that all vehicles have
WORD = re.compile(r"[a-z][a-z0-9_]{0,62}")
"""Names of models and columns."""

_FRAMES = ("", "NED", "FRD", "FRD to NED")
_REQUIRED = ("mass", "inertia")
_DEFAULTS = {
    "gravity": [9.8],  # as the sets of pyrfly
    # MPC_XY_VEL_MAX, MPC_Z_VEL_MAX_DN, MPC_Z_VEL_MAX_UP, MPC_ACC_HOR, MPC_TILTMAX_AIR,
    # MC_ROLLRATE_MAX and MC_YAWRATE_MAX [@px4 v1.16.1]
    "speed_limit": [12.0],
    "descent_limit": [1.5],
    "climb_limit": [3.0],
    "accel_limit": [3.0],
    "tilt_limit": [0.7853981633974483],
    "rate_limit": [3.839724354387525, 3.490658503988659],
}
"""Start values of columns that all vehicles have, where a model tells none; others are 0."""


class OwnColumn(NamedTuple):
    """A column of a model.

    Attributes
    ----------
    name, unit, frame, doc : str
        As those of `pyrfly.columns.Field`.
    role : int
        Its place in `ROLES`.
    width : int
        Values per vehicle.
    start : tuple of float or None
        Value of a new vehicle, None: zeros.
    """

    name: str
    unit: str
    frame: str
    doc: str
    role: int
    width: int
    start: tuple[float, ...] | None

    @property
    def values(self) -> NDArray[np.float64]:
        """The value of a new vehicle, shape (width,)."""
        return np.zeros(self.width) if self.start is None else np.array(self.start, np.float64)


class Functions(NamedTuple):
    """The functions of a model, as the core takes them.

    Attributes
    ----------
    derivative, finish, outputs, control, sense : int or callable or None
        Their addresses, 0 where there is none; or functions of Python, None where there is none.
    context : int or tuple of int
        The address of their context; or the numbers of rows by role.
    """

    derivative: Any = 0
    finish: Any = 0
    outputs: Any = 0
    control: Any = 0
    sense: Any = 0
    context: Any = 0


class Table(NamedTuple):
    """What a model tells of itself.

    Attributes
    ----------
    name, doc : str
        The model: a word, and a noun phrase.
    actuators : int
        Number of actuator commands that it uses.
    columns : tuple of OwnColumn
        Its columns, and start values of those that all vehicles have.
    functions : Functions
        What computes with them.
    """

    name: str
    doc: str
    actuators: int
    columns: tuple[OwnColumn, ...]
    functions: Functions

    @classmethod
    def at(cls, entry: int) -> Table:
        """Return the table of a library by the address of its ``pyrfly_model_entry``."""
        about = _core.model_table(entry)
        about["columns"] = tuple(OwnColumn(*row) for row in about["columns"])
        about["functions"] = Functions(*about["functions"])
        return cls(**about)

    @property
    def own(self) -> tuple[OwnColumn, ...]:
        """The columns that are the model's own."""
        return tuple(one for one in self.columns if ROLES[one.role] != "shared")

    def starts(self, *roles: str) -> dict[str, NDArray[np.float64]]:
        """Return the values of a new vehicle of its columns of these roles, its own and others."""
        own = {one.name: one.values for one in self.own if ROLES[one.role] in roles}
        shared = {f.name: _DEFAULTS.get(f.name, [0.0] * f.width) for f in shared_fields(*roles)}
        given = {one.name: one.values for one in self.columns if one.name in shared}
        return as_columns({**shared, **given, **own})

    def check(self) -> None:
        """Raise a ParameterError for a table that makes no type of vehicles."""
        if not WORD.fullmatch(self.name):
            raise ParameterError(f"name: expected a word of a-z, 0-9, _, got {brief(self.name)}")
        if type(self.actuators) is not int or not 1 <= self.actuators <= 16:
            raise ParameterError(f"actuators: expected 1 to 16, got {brief(self.actuators)}")
        if not self.functions.derivative:
            raise ParameterError("derivative: expected a function, got none")
        for column in self.columns:
            _check_column(column)
        _check_names(self.columns)
        self._check_writers()
        _check_widths(self.own)
        _check_values(self.columns)

    def _check_writers(self) -> None:
        """Refuse columns that no function writes, and sensors that have none."""
        for role, name in (("output", "outputs"), ("sensor", "sense")):
            own = [one.name for one in self.own if ROLES[one.role] == role]
            if own and not getattr(self.functions, name):
                raise ParameterError(f"{name}: expected a function for {', '.join(own)}, got none")
            if role == "sensor" and self.functions.sense and not own:
                raise ParameterError("sense: expected columns of sensors that it writes, got none")

    def add(self, c_type: str, *, whole: bool) -> None:
        """Add the type of vehicles to the core, under a name that no type has.

        With ``whole`` a call of its functions has all vehicles of a group.
        """
        rows = tuple(one[:6] for one in self.own)
        _core.add_model(c_type, self.doc, rows, self.functions, whole)
        learn_types()


def types_of_families() -> list[str]:
    """Return the types of all families in the registry: those of models of one's own are not."""
    return [c_type for c_type, row in vehicle_types().items() if row["family"] in FAMILIES]


def shared_fields(*roles: str) -> list[Field]:
    """Return the columns of these roles that all vehicles with such models have."""
    add_type(SHARED_TYPE)
    return [field for field in fields_of_type(SHARED_TYPE) if field.role in roles]


def _check_column(column: OwnColumn) -> None:
    name, role, width = column.name, column.role, column.width
    if not WORD.fullmatch(name) or iskeyword(name):
        raise ParameterError(f"columns: expected a name of a-z, 0-9, _, got {brief(name)}")
    for word, text in (("unit", column.unit), ("frame", column.frame), ("doc", column.doc)):
        if not isinstance(text, str) or "\0" in text:
            raise ParameterError(f"{name}: {word}: expected a text, got {brief(text)}")
    if column.frame not in _FRAMES:
        raise ParameterError(
            f"{name}: frame: expected one of {', '.join(map(repr, _FRAMES))}, got {column.frame!r}"
        )
    if not 0 <= role < len(ROLES):
        raise ParameterError(f"{name}: role: expected 0 to {len(ROLES) - 1}, got {role}")
    if not 1 <= width <= _MAXIMUM_ROWS:
        raise ParameterError(f"{name}: width: expected 1 to {_MAXIMUM_ROWS}, got {width}")
    if not np.isfinite(column.values).all():
        values = brief(column.values.tolist())
        raise ParameterError(f"{name}: start: expected finite values, got {values}")


def _check_names(columns: tuple[OwnColumn, ...]) -> None:
    """Refuse names that are not unique, and start values of columns that there are not."""
    shared = {field.name: field for field in shared_fields(*ROLES, "flag")}
    seen = set()
    for one in columns:
        name, role, width = one.name, ROLES[one.role], one.width
        if name in seen:
            raise ParameterError(f"{name}: expected one column of that name, got two")
        seen.add(name)
        if role != "shared" and name in shared:
            raise ParameterError(f"{name}: all vehicles have this column; give its start as shared")
        if is_attribute(name):
            raise ParameterError(f"{name}: a Sim has something else of that name; take another one")
        if role != "shared":
            _check_others(one)
        if role == "shared" and (name not in shared or shared[name].role in ("flag", "output")):
            able = ", ".join(f.name for f in shared_fields("param", "gain"))
            raise ParameterError(
                f"{name}: expected a column that all vehicles have, {able}; or one of its own, "
                "with unit and meaning"
            )
        if role == "shared" and shared[name].width != width:
            raise ParameterError(
                f"{name}: width: expected {shared[name].width}, that of all vehicles, got {width}"
            )


def _check_others(one: OwnColumn) -> None:
    """Refuse a name that pyrfly has for a column of a part, or of another role.

    Units may differ: a model is rather tried out than published.
    """
    if part := part_with(one.name):
        raise ParameterError(f"{one.name}: this is the name of a column of {part}")
    field = Field(one.name, one.width, ROLES[one.role], one.unit, one.frame, one.doc)
    if other := other_meaning(field, types_of_families(), alike=("role",)):
        raise ParameterError(
            f"{field.name}: other vehicles have this column as {other.role} [{other.unit}], not as "
            f"{field.role}; take another name"
        )


def _check_widths(own: tuple[OwnColumn, ...]) -> None:
    """Refuse more values of a role than a model may have."""
    for number, role in enumerate(ROLES[:-1]):
        rows = sum(field.width for field in shared_fields(role))
        rows += sum(column.width for column in own if column.role == number)
        if rows > _MAXIMUM_ROWS - (role == "input"):  # the air density is one besides
            raise ParameterError(
                f"columns: {role}: expected up to {_MAXIMUM_ROWS} values, with those that all "
                f"vehicles have, got {rows}"
            )


def _check_values(columns: tuple[OwnColumn, ...]) -> None:
    """Refuse start values of which there is no body."""
    given = {one.name: one for one in columns if one.start is not None}
    for name in _REQUIRED:
        if name not in given:
            raise ParameterError(f"{name}: expected its value, as a shared column, got none")
    for name in given.keys() & _DEFAULTS.keys() - {"gravity"}:
        if not (given[name].values > 0).all():
            got = brief(given[name].values.tolist())
            raise ParameterError(f"{name}: expected more than 0, got {got}")
    if not given["mass"].values[0] > 0:
        raise ParameterError(f"mass: expected more than 0 kg, got {given['mass'].values[0]:g}")
    try:
        require_bodies("inertia", given["inertia"].values[None])
    except ValueError as error:
        raise ParameterError(str(error)) from None
