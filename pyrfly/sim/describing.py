"""What a simulation, its parts and its columns are: `describe`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from pyrfly.columns import Field, Fields, column_meanings, fields_of_part, part_with, parts
from pyrfly.description import Description
from pyrfly.errors import brief, near_names
from pyrfly.sim.constants import switch_of
from pyrfly.sim.group import Group
from pyrfly.sim.interface import PartInterface

__all__ = ["describe"]

COMPONENTS = {
    "NED": ("north", "east", "down"),
    "FRD": ("forward", "right", "down"),
    "FRD to NED": ("w", "x", "y", "z"),
}
"""Names of the values of a column, by its frame."""

_ALIKE = 12  # names that are named with a column, at most


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
    if name in column_meanings():
        return _of_column(sim, name)
    if not name.startswith("_") and hasattr(type(sim), name):
        return _of_attribute(sim, name)
    known = [*column_meanings(), *(n for n in dir(type(sim)) if not n.startswith("_"))]
    near = near_names(name, known, "one of sim.fields()")
    raise ValueError(f"name: expected a column or an attribute, such as {near}; got {brief(name)}")


def _of_simulation(sim: _Sim) -> Description:
    """Return the vehicles, the parts that are on, and the time."""
    rows = tuple(
        (
            group.name,
            str(group.n),
            f"{group.first_id} to {group.first_id + group.n - 1}",
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


def _of_column(sim: _Sim, name: str) -> Description:
    """Return meaning, unit, frame and present values of a column."""
    owners = [g for g in sim.groups if any(f.name == name for f in g.all_fields)]
    fields = [next(f for f in g.all_fields if f.name == name) for g in owners]
    if not owners:
        meanings = column_meanings()[name]
        types = ", ".join(c_type for meaning in meanings for c_type in meaning.widths)
        texts = [meanings[0].field.doc, f"no vehicle here has it, but those of type {types}"]
        return Description(_heading([meanings[0].field]), (*texts, *_related(sim, name)))
    field = max(fields, key=lambda one: one.width)
    docs = {one.doc: group.name for one, group in zip(fields, owners, strict=True)}
    texts = [doc if len(docs) == 1 else f"{of}: {doc}" for doc, of in docs.items()]
    part = part_with(name)
    if part is not None and not all(group.batch.has(part) for group in owners):
        texts.append(f"its part {part!r} is off; {switch_of(part, name)} switches it on")
        return Description(_heading(fields), (*texts, *_related(sim, name)))
    return Description(
        _heading(fields),
        (*texts, *_related(sim, name)),
        ("", "minimum", "mean", "maximum"),
        tuple(_values([np.asarray(group.view(name)) for group in owners], field)),
    )


def _heading(fields: Sequence[Field]) -> str:
    """Return name, unit, frame, shapes and role of a column, of vehicles that have it alike."""
    field = fields[0]
    frame = f", {field.frame}" if field.frame else ""
    shapes = " or ".join(dict.fromkeys(one.shape for one in fields))
    return f"{field.name} [{field.unit}{frame}], shape {shapes}, {field.role}"


def _values(views: Sequence[np.ndarray[Any, Any]], field: Field) -> Iterator[tuple[str, ...]]:
    """Yield the extremes and the mean of each component over all vehicles that have it."""
    names = COMPONENTS.get(field.frame, ())
    for k in range(max(1 if view.ndim == 1 else view.shape[1] for view in views)):
        columns = [view.reshape(len(view), -1)[:, k : k + 1].ravel() for view in views]
        values = np.concatenate(columns).astype(np.float64)
        name = names[k] if len(names) == field.width else str(k)
        numbers = (values.min(), values.mean(), values.max())
        yield ("all" if field.width == 1 else name, *(f"{number:.6g}" for number in numbers))


def _related(sim: _Sim, name: str) -> Iterator[str]:
    """Yield a line with columns and methods that are named alike."""
    columns = [other for other in column_meanings() if name in other.split("_") and other != name]
    methods = [
        f"sim.{attribute}.{method}"
        for attribute, interface in _interfaces(type(sim)).items()
        for method in dir(interface)
        if name in method and not method.startswith("_")
    ]
    methods += [f"sim.{n}" for n in dir(type(sim)) if n.startswith("set_") and name in n]
    if found := [*methods, *columns][:_ALIKE]:
        yield f"see also {', '.join(found)}"


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
    text = inspect.getdoc(attribute) or ""
    first = " ".join(text.split("\n\n")[0].split())
    if interface := _interfaces(type(sim)).get(name):
        return _of_interface(sim, name, first, interface)
    if inspect.isroutine(attribute):
        return Description(f"sim.{name}{_signature(getattr(sim, name))}", (first,))
    return Description(f"sim.{name}", (first, f"now {brief(getattr(sim, name))}"))


def _of_interface(sim: _Sim, name: str, text: str, kind: type[PartInterface]) -> Description:
    """Return what is on of a part, its methods and its columns."""
    methods = [n for n in dir(kind) if not n.startswith("_") and n not in dir(PartInterface)]
    texts = (text, f"now {getattr(sim, name)!r}", f"has {', '.join(methods)}")
    fields = Fields(fields_of_part(kind.part) if kind.part else ())
    return Description(f"sim.{name}", texts, Fields.HEAD, fields.rows)


def _signature(method: Callable[..., Any]) -> str:
    """Return the arguments of a method without their types."""
    signature = inspect.signature(method)
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return str(inspect.Signature(plain))
