"""What a simulation, its parts and its columns are: `describe`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np

from pyrfly.columns import (
    Field,
    column_meanings,
    column_names,
    components_of,
    fields_of_part,
    part_with,
    parts,
)
from pyrfly.description import Description
from pyrfly.errors import brief, near_names
from pyrfly.sim.constants import switch_of
from pyrfly.sim.group import Group
from pyrfly.sim.interface import PartInterface

__all__ = ["describe"]

_ALIKE = 4  # names that are named with a column, at most

_TELLING = {"state", "input", "setpoint", "sensor", "output", "part"}
"""Roles of columns that are named with others."""


class _Sim(Protocol):
    """A `Sim`, which imports this module."""

    dt: float

    @property
    def groups(self) -> tuple[Group, ...]: ...
    @property
    def n(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def controllers(self) -> bool: ...


def describe(sim: _Sim, name: str | None) -> Description:
    """Return what `Sim.describe` returns."""
    if name is None:
        return _of_simulation(sim)
    if not isinstance(name, str):
        raise TypeError(f"name: expected a str, got {brief(name)}")
    if name in column_names():
        return _of_column(sim, name)
    if not name.startswith("_") and hasattr(type(sim), name):
        return _of_attribute(sim, name)
    known = [*sorted(column_names()), *(n for n in dir(type(sim)) if not n.startswith("_"))]
    near = near_names(name, known, "one of sim.fields()")
    raise ValueError(f"name: expected a column or an attribute, such as {near}; got {brief(name)}")


def _of_simulation(sim: _Sim) -> Description:
    """Return the vehicles, the parts that are on, and the time."""
    rows = tuple(
        (
            group.name,
            str(group.n),
            _ids(group.first_id, group.first_id + group.n - 1),
            group.family.name,
            group.parameters.title,
        )
        for group in sim.groups
    )
    on = [part for part in parts() if any(group.batch.has(part) for group in sim.groups)]
    texts = (
        f"time {sim.time:.3f} s, steps of {sim.dt:g} s, controllers "
        f"{'on' if sim.controllers else 'off'}",
        f"parts: {', '.join(on) or 'none'}",
    )
    title = f"Sim of {sim.n} vehicle{'s' * (sim.n != 1)}"
    return Description(title, texts, ("set", "n", "CopterIDs", "family", ""), rows)


def _ids(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def _of_column(sim: _Sim, name: str) -> Description:
    """Return meaning, unit, frame and present values of a column."""
    owners = [g for g in sim.groups if any(f.name == name for f in g.all_fields)]
    fields = [next(f for f in g.all_fields if f.name == name) for g in owners]
    if not owners:
        meanings = column_meanings()[name]
        types = ", ".join(c_type for meaning in meanings for c_type in meaning.widths)
        field = meanings[0].field
        texts = [field.doc, f"no vehicle here has it, but those of type {types}"]
        return Description(_heading([field]), (*texts, *_related(sim, name, field.role)))
    field = max(fields, key=lambda one: one.width)
    docs = {one.doc: group.name for one, group in zip(fields, owners, strict=True)}
    texts = [doc if len(docs) == 1 else f"{of}: {doc}" for doc, of in docs.items()]
    part = part_with(name)
    if part is not None and not all(group.batch.has(part) for group in owners):
        texts.append(f"its part {part!r} is off; {switch_of(part, name)} switches it on")
        return Description(_heading(fields), (*texts, *_related(sim, name, field.role)))
    values = tuple(_values([np.asarray(group.view(name)) for group in owners], field))
    head = ("", *(("value",) if sim.n == 1 else ("minimum", "mean", "maximum")))
    return Description(
        _heading(fields),
        (*texts, *_related(sim, name, field.role)),
        head,
        tuple(row[: len(head)] for row in values),
    )


def _heading(fields: Sequence[Field]) -> str:
    """Return name, unit, frame, shapes and role of a column, of vehicles that have it alike."""
    field = fields[0]
    frame = f", {field.frame}" if field.frame else ""
    shapes = " or ".join(dict.fromkeys(one.shape for one in fields))
    return f"{field.name} [{field.unit}{frame}], shape {shapes}, {field.role}"


def _values(views: Sequence[np.ndarray[Any, Any]], field: Field) -> Iterator[tuple[str, ...]]:
    """Yield the extremes and the mean of each component over all vehicles that have it."""
    named = components_of(field).items()
    names = [f"{name}, {axis}" if axis else name for name, axis in named]
    for k in range(max(1 if view.ndim == 1 else view.shape[1] for view in views)):
        columns = [view.reshape(len(view), -1)[:, k : k + 1].ravel() for view in views]
        values = np.concatenate(columns).astype(np.float64)
        name = names[k] if names else str(k)
        numbers = (values.min(), values.mean(), values.max())
        yield ("all" if field.width == 1 else name, *(f"{number:.6g}" for number in numbers))


def _related(sim: _Sim, name: str, role: str) -> Iterator[str]:
    """Yield lines with the methods that take a column, and with columns that are named alike."""
    takes = [f"sim.{method}" for method in _takers(type(sim)).get(name, ())]
    for family in dict.fromkeys(group.family for group in sim.groups):
        takes += [f"sim.{family.name}.{m}" for m in _takers(family.commands).get(name, ())]
    if takes:
        yield f"an argument of {', '.join(takes)}"
    setters = _setters(sim, name) if role in ("input", "param") else ()
    if found := [*setters, *_alike(sim, name, role)][:_ALIKE]:
        yield f"see also {', '.join(found)}"


def _setters(sim: _Sim, name: str) -> Iterator[str]:
    """Yield what of a `Sim` and its interfaces has the name of an input or a parameter."""
    for attribute, interface in _interfaces(type(sim)).items():
        words = (f"set_{name}", name)
        yield from (f"sim.{attribute}.{word}" for word in words if hasattr(interface, word))
    if hasattr(type(sim), f"set_{name}"):
        yield f"sim.set_{name}"


def _alike(sim: _Sim, name: str, role: str) -> list[str]:
    """Return columns that the vehicles here have, with that name in theirs.

    Parameters and what controllers keep are of use to those alone who look for such.
    """
    fields = {field.name: field for group in sim.groups for field in group.fields}
    return [
        other
        for other, field in fields.items()
        if other != name
        and (field.role in _TELLING or field.role == role)
        and name in other.split("_")
    ]


@cache
def _takers(kind: type) -> dict[str, list[str]]:
    """Return the methods of a class by the names of their arguments."""
    found: dict[str, list[str]] = {}
    for method in dir(kind):
        function = getattr(kind, method)
        if not method.startswith("_") and inspect.isfunction(function):
            for argument in inspect.signature(function).parameters:
                found.setdefault(argument, []).append(method)
    return found


@cache
def _interfaces(kind: type) -> dict[str, type[PartInterface]]:
    """Return the classes of the attributes of a `Sim` that are interfaces to its parts."""
    found = {}
    for name in dir(kind):
        getter = getattr(getattr(kind, name), "fget", None)
        returned = getattr(getter, "__annotations__", {}).get("return")
        interface = getattr(getter, "__globals__", {}).get(returned)
        if inspect.isclass(interface) and issubclass(interface, PartInterface):
            found[name] = interface
    return found


def _of_attribute(sim: _Sim, name: str) -> Description:
    """Return what a method, a property or an interface to a part is for."""
    attribute = getattr(type(sim), name)
    first = _first_sentence(attribute)
    if interface := _interfaces(type(sim)).get(name):
        return _of_interface(sim, name, first, interface)
    if inspect.isroutine(attribute):
        return Description(f"sim.{name}{_signature(getattr(sim, name))}", (first,))
    return Description(f"sim.{name}", (first, f"now {brief(getattr(sim, name))}"))


def _of_interface(sim: _Sim, name: str, text: str, kind: type[PartInterface]) -> Description:
    """Return what is on of a part, and what its methods do."""
    texts = [text, f"now {getattr(sim, name)!r}"]
    if kind.part:
        number = len(fields_of_part(kind.part))
        texts.append(f"{number} columns: pyrfly.columns.fields_of_part({kind.part!r})")
    own = [n for n in dir(kind) if not n.startswith("_") and n not in dir(PartInterface)]
    rows = tuple((method, _first_sentence(getattr(kind, method))) for method in own)
    return Description(f"sim.{name}", tuple(texts), ("", "what it does"), rows)


def _first_sentence(attribute: object) -> str:
    """Return the first paragraph of a docstring, in one line."""
    text = (inspect.getdoc(attribute) or "").split("\n\n")[0].replace("``", "`")
    return " ".join(text.split())


def _signature(method: Callable[..., Any]) -> str:
    """Return the arguments of a method without their types."""
    signature = inspect.signature(method)
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return str(inspect.Signature(plain))
