"""Columns of the C core as attributes: views whose help states meaning, unit and frame.

The attributes, and ``columns.pyi`` for type checkers, come from the tables of
``csrc/vehicles/<family>/columns.h`` and ``csrc/parts/<part>/columns.h``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.description import Description
from pyrfly.errors import near_names

__all__ = ["Columns", "Field", "Fields", "constant_of", "fields_of_type"]


class Field(NamedTuple):
    """One column of a vehicle type.

    Attributes
    ----------
    name : str
        Name of the attribute.
    width : int
        Values per vehicle.
    role : str
        ``state``, ``input``, ``param``, ``gain``, ``setpoint``, ``controller``, ``sensor``,
        ``flag``, ``output``, ``part`` or ``part word``.
    unit : str
        SI unit.
    frame : str
        Frame of the components, empty if there is none.
    doc : str
        Meaning, a noun phrase.
    """

    name: str
    width: int
    role: str
    unit: str
    frame: str
    doc: str

    @property
    def shape(self) -> str:
        """Shape of the column of n vehicles, in words."""
        return "(n,)" if self.width == 1 else f"(n, {self.width})"


_COMPONENTS: Mapping[tuple[int, str], Mapping[str, str]] = {
    (3, "NED"): dict.fromkeys(("north", "east", "down"), ""),
    (3, "FRD"): {"x": "forward", "y": "right", "z": "down"},
    (3, "NED or heading"): dict.fromkeys("xyz", ""),
    (4, "FRD to NED"): dict.fromkeys("wxyz", ""),
    (6, "FRD"): dict.fromkeys(("xx", "yy", "zz", "xy", "xz", "yz"), ""),
}
"""Names of the components of a column, by width and frame, each with the axis if it needs one."""

_COMPONENTS_OF = {"euler": dict.fromkeys(("roll", "pitch", "yaw"), "")}
_DIRECTION = dict.fromkeys(("north", "east"), "")  # of a horizontal unit vector

MOST_NAMED = max(width for width, _ in _COMPONENTS)
"""Maximum number of components that have names."""


def components_of(field: Field) -> Mapping[str, str]:
    """Return the names of the components of a column, each with its axis or ``''``.

    It is empty for a column of one value, and where components have numbers.
    """
    if field.name in _COMPONENTS_OF and field.width == len(_COMPONENTS_OF[field.name]):
        return _COMPONENTS_OF[field.name]
    if (field.width, field.frame, field.unit) == (2, "NED", "1"):
        return _DIRECTION
    return _COMPONENTS.get((field.width, field.frame), {})


class Fields(tuple[Field, ...]):
    """Columns, which Jupyter and `print` show as a table."""

    HEAD: ClassVar = ("column", "shape", "unit", "frame", "role", "meaning")

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The table below `HEAD`."""
        return tuple((f.name, f.shape, f.unit, f.frame, f.role, f.doc) for f in self)

    def _described(self) -> Description:
        return Description(f"{len(self)} columns", (), self.HEAD, self.rows)

    def __repr__(self) -> str:
        return repr(self._described())

    def _repr_html_(self) -> str:
        return self._described()._repr_html_()


# The core builds these tables anew at each call, which would be a third of the time of a `Sim`.
@cache
def vehicle_types() -> Mapping[str, Mapping[str, Any]]:
    """Return what the core tells of its vehicle types, by name."""
    return MappingProxyType(_core.vehicle_types())


def constant_of(c_type: str, name: str) -> float:
    """Return a number that the sources of a vehicle type of the core compute with."""
    return float(vehicle_types()[c_type]["constants"][name])


@cache
def parts() -> Mapping[str, Mapping[str, Any]]:
    """Return what the core tells of its optional parts, by name."""
    return MappingProxyType(_core.parts())


@cache
def fields_of_type(c_type: str) -> tuple[Field, ...]:
    """Return the columns of a vehicle type of the core, in the order in which they are stored."""
    return tuple(Field(*row) for row in vehicle_types()[c_type]["columns"])


@cache
def fields_of_part(part: str) -> tuple[Field, ...]:
    """Return the columns of an optional part, such as the navigator."""
    return tuple(Field(*row) for row in parts()[part]["columns"])


@cache
def result_columns() -> Mapping[str, str]:
    """Return the stored columns that the core alone writes, with their parts."""
    return MappingProxyType({n: part for part, about in parts().items() for n in about["results"]})


class Meaning(NamedTuple):
    """One meaning of a column name, and the vehicle types in which it has that meaning.

    Attributes
    ----------
    field : Field
        The column of the first of them.
    widths : dict of str to int
        Values per vehicle in each of them.
    """

    field: Field
    widths: dict[str, int]


def column_meanings() -> dict[str, list[Meaning]]:
    """Return all columns of all types and parts by name."""
    found: dict[str, dict[str, Meaning]] = {}
    of_parts = [field for part in parts() for field in fields_of_part(part)]
    for c_type in vehicle_types():
        for field in (*fields_of_type(c_type), *of_parts):
            same_name = found.setdefault(field.name, {})
            same_name.setdefault(field.doc, Meaning(field, {})).widths[c_type] = field.width
    return {name: list(meanings.values()) for name, meanings in found.items()}


@cache
def column_names() -> frozenset[str]:
    """Return the names of all columns of all types and parts."""
    of_types = {field.name for c_type in vehicle_types() for field in fields_of_type(c_type)}
    return frozenset(of_types | {field.name for part in parts() for field in fields_of_part(part)})


@cache
def command_columns(c_type: str) -> tuple[str, ...]:
    """Return the names of the input columns that hold the actuator commands."""
    names, left = [], vehicle_types()[c_type]["actuators"]
    for field in fields_of_type(c_type):
        if field.role == "input" and left > 0:
            names.append(field.name)
            left -= field.width
    return tuple(names)


def _help_text(meaning: Meaning) -> str:
    """Return meaning, unit, frame, shape and role of a column."""
    field, widths = meaning.field, set(meaning.widths.values())
    frame = f", {field.frame}" if field.frame else ""
    width = field.width if len(widths) == 1 and field.width <= 4 else "width"
    shape = "(n,)" if widths == {1} else f"(n, {width})"
    return f"{field.doc} [{field.unit}{frame}], shape {shape}, {field.role}"


def _column(name: str, meanings: Sequence[Meaning]) -> property:
    """Return a property of a column: reading returns the view, assignment writes into it."""
    texts = [_help_text(meaning) for meaning in meanings]
    if len(meanings) > 1:
        types = [", ".join(meaning.widths) for meaning in meanings]
        texts = [f"{names}: {text}" for names, text in zip(types, texts, strict=True)]
    return property(
        lambda owner: owner._view(name),
        lambda owner, value: owner._write(name, value),
        doc="\n".join(texts),
    )


_SYNONYMS = {
    **dict.fromkeys(("position", "altitude", "height"), "pos"),
    **dict.fromkeys(("velocity", "speed"), "vel"),
    **dict.fromkeys(("acceleration", "acc"), "accel"),
    **dict.fromkeys(("quaternion", "attitude", "orientation"), "att"),
    **dict.fromkeys(("omega", "angular_velocity", "body_rates"), "rate"),
    **dict.fromkeys(("roll", "pitch", "yaw", "heading", "attitude_deg"), "euler"),
}
"""Columns by other words of the field."""


class Columns:
    """Base of objects with columns as attributes."""

    __slots__ = ()

    _complete = False
    """Whether all attributes are there: then only columns and properties can be set."""

    def __setattr__(self, name: str, value: Any) -> None:
        if self._complete:
            if self._is_added(name):
                self._write(name, value)
                return
            self._check_settable(name)
        object.__setattr__(self, name, value)

    def _is_added(self, name: str) -> bool:
        """Return whether an attribute is a column of a type that was added to the core.

        Such columns are no attributes of the class, so that they stand for nothing else of a name.
        """
        known = hasattr(type(self), name) or name in self.__dict__
        return self._complete and not known and name in column_names()

    def _check_settable(self, name: str) -> None:
        """Raise an AttributeError for what is no attribute, and for what is fixed."""
        own = type(self).__name__
        if hasattr(getattr(type(self), name, None), "__set__"):
            return  # a column or a property
        if name not in self.__dict__ and not hasattr(type(self), name):
            raise AttributeError(self._unknown(name))
        if not name.startswith("_"):
            raise AttributeError(f"{name}: this attribute of a {own} cannot be set")

    def _unknown(self, name: str) -> str:
        owner = self if self._complete else type(self)
        known = [n for n in dir(owner) if not n.startswith("_")]
        column = _SYNONYMS.get(name)
        near = column if column in known else near_names(name, known, "its columns")
        return f"{name}: expected an attribute of a {type(self).__name__}, such as {near}"

    def __getattr__(self, name: str) -> Any:
        """Raise an AttributeError with similar names, or again that of a column or a property."""
        if name.startswith("_") or hasattr(type(self), name):
            return object.__getattribute__(self, name)
        if self._is_added(name):
            return self._view(name)
        raise AttributeError(self._unknown(name))

    def __dir__(self) -> list[str]:
        """Return the names of the columns that these vehicles have, and of all else."""
        return [*{*super().__dir__()} - column_names(), *self._readable()]

    def _readable(self) -> Iterable[str]:
        """Return the names of the columns that can be read."""
        raise NotImplementedError

    def _view(self, name: str) -> NDArray[Any]:
        raise NotImplementedError

    def _write(self, name: str, value: Any) -> None:
        raise NotImplementedError


_OWN = frozenset(vars(Columns))
"""What the class has besides columns."""


def _add_attributes() -> None:
    """Make every column an attribute."""
    for name, meanings in column_meanings().items():
        setattr(Columns, name, _column(name, meanings))


def add_type(c_type: str) -> None:
    """Add a type of models of one's own, unless it is there."""
    if c_type in vehicle_types():
        return
    _core.add_type(c_type)
    learn_types()


def is_attribute(name: str) -> bool:
    """Return whether the classes of objects with columns have something else of that name."""
    classes = [Columns]
    for one in classes:
        classes += one.__subclasses__()
    bases = {base for one in classes for base in one.__mro__} - {Columns}
    return name in _OWN or any(name in vars(base) for base in bases)


def other_meaning(
    field: Field, c_types: Iterable[str], alike: Sequence[str] = ("unit", "frame", "role")
) -> Field | None:
    """Return the column of a name in one of these types that is not alike in one of these respects.

    There must be none: a `Sim` shows the columns of all its vehicles under one name.
    """
    of_types = (other for c_type in c_types for other in fields_of_type(c_type))
    same_name = (other for other in of_types if other.name == field.name)
    differs = (o for o in same_name if any(getattr(o, a) != getattr(field, a) for a in alike))
    return next(differs, None)


def part_with(name: str) -> str | None:
    """Return the optional part that has a column of a name, which then no type may have."""
    return next(
        (part for part in parts() if any(name == f.name for f in fields_of_part(part))), None
    )


def learn_types() -> None:
    """Take note of types that were added to the core."""
    for known in (vehicle_types, column_names):
        known.cache_clear()


_add_attributes()
