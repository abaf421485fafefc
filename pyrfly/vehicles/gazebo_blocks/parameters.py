"""Parameter sets of blocks: from TOML files, or documents made from SDF files, to checked columns.

A file has the numbers of the body as tables of value, unit and source, and a table for each part::

    family = "gazebo_blocks"
    name = "my_plane"

    [mass]
    value = 1.5
    unit = "kg"
    source = "..."

    [surfaces]                         # entries that all [[surface]] tables share
    lift = { value = 4.75, unit = "1/rad" }
    source = "..."                     # of the entries without one of their own

    [[joint]]
    name = "elevator"
    channel = { value = 7, unit = "1" }
    scaling = { value = 1.0, unit = "rad" }
    limit = { value = [-0.53, 0.53], unit = "rad" }

    [[surface]]
    position = { value = [-0.5, 0.0, 0.0], unit = "m" }
    area = { value = 0.01, unit = "m^2" }
    joint = "elevator"                 # the name of a [[joint]]
    joint_lift = { value = -4.0, unit = "1/rad" }

Parts are ``motor``, ``joint``, ``surface``, ``segment`` and one ``[aero]``; a vehicle
has up to `pyrfly.vehicles.gazebo_blocks.rules.CAPACITY`. Entries are the columns of the core
(``csrc/vehicles/gazebo_blocks/columns.h``) without the kind in front; ``effects`` of a joint are
what it adds to the coefficients C_D, C_Y, C_L, C_l, C_m, C_n of ``[aero]`` per rad. Defaults are in
``sets/_defaults.toml``. SI, forward-right-down from the centre of mass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.body import require_bodies
from pyrfly.vehicles.entries import (
    HEADER,
    Value,
    check_header,
    parse_toml,
    read_text,
    read_value,
    read_values,
    reject_unknown,
    require,
)
from pyrfly.vehicles.family import Read
from pyrfly.vehicles.gazebo_blocks.hull import RULE
from pyrfly.vehicles.gazebo_blocks.rules import (
    BODY,
    CAPACITY,
    EFFECTS,
    KINDS,
    REFERENCES,
    ROOM,
    smallest_type,
)
from pyrfly.vehicles.hull_tables import with_hull
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["build"]

Array = NDArray[np.float64]

_DIRECTIONS = ("axis", "tilt_axis", "forward", "upward")
_SQUARE = 1e-3  # maximum cosine between forward and upward


class _Part(NamedTuple):
    """A part of a file: where it stands, its name, its numbers and the names of other parts."""

    where: str
    name: str
    values: dict[str, Value]
    joined: dict[str, str]
    effects: Value | None


@cache
def _defaults() -> tuple[dict[str, Value], dict[str, dict[str, Value]]]:
    """Return the defaults of the body, and those of the parts by kind."""
    origin = "_defaults.toml"
    table = parse_toml(origin, (Path(__file__).parent / "sets" / origin).read_bytes())
    parts = {kind: _own_values(f"{origin}: {kind}", table.pop(kind), kind) for kind in CAPACITY}
    reject_unknown(origin, table, BODY)
    return read_values(origin, table, BODY), parts


def _own_values(
    where: str, table: Mapping[str, Any], kind: str, usual: str | None = None
) -> dict[str, Value]:
    """Return the numbers of a table, with its source where they have none, or else a usual one."""
    reject_unknown(where, table, {**KINDS[kind], **dict.fromkeys(_texts(kind))})
    values = read_values(where, table, KINDS[kind])
    source = read_text(where, table, "source") if "source" in table else usual
    if source is None:
        return values
    return {
        key: value if "source" in table[key] else Value(value.numbers, source)
        for key, value in values.items()
    }


def _references(kind: str) -> dict[str, str]:
    """Return the kinds of the parts that a part may name, by its entry."""
    prefix = f"{kind}_"
    return {k.removeprefix(prefix): v for k, v in REFERENCES.items() if k.startswith(prefix)}


def _texts(kind: str) -> list[str]:
    """Return the entries of a part that are no numbers of its own columns."""
    return ["name", "source", *_references(kind), *(["effects"] if kind == "joint" else [])]


def _tables(origin: str, document: Mapping[str, Any], kind: str) -> Iterator[tuple[str, Any]]:
    """Yield the tables of the parts of a kind, with a label of each."""
    found = document.get(kind, [])
    if kind == "aero":
        found = [found] if found else []
    most = CAPACITY[kind]
    if not isinstance(found, list) or len(found) > most:
        got = len(found) if isinstance(found, list) else brief(found)
        raise ParameterError(
            f"{origin}: {kind}: expected up to {most} [[{kind}]] tables, got {got}"
        )
    for number, table in enumerate(found, start=1):
        where = f"{origin}: {kind} {number}" if most > 1 else f"{origin}: {kind}"
        if not isinstance(table, dict):
            raise ParameterError(f"{where}: expected a table, got {brief(table)}")
        yield where, table


def _parts(origin: str, document: Mapping[str, Any], kind: str) -> list[_Part]:
    """Return the checked parts of a kind, with shared entries and defaults."""
    shared = document.get(f"{kind}s", {})
    if not isinstance(shared, dict):
        raise ParameterError(f"{origin}: {kind}s: expected a table, got {brief(shared)}")
    common = {**_defaults()[1][kind], **_own_values(f"{origin}: {kind}s", shared, kind)}
    found: list[_Part] = []
    for where, table in _tables(origin, document, kind):
        own = _own_values(where, table, kind, shared.get("source"))
        values = {**common, **own}
        require(where, values, KINDS[kind])
        name = read_text(where, table, "name") if "name" in table else str(len(found))
        if name in [part.name for part in found]:
            raise ParameterError(f"{where}: name: expected another one, got {brief(name)} again")
        joined = {k: read_text(where, table, k) for k in _references(kind) if k in table}
        effects = None
        if "effects" in table:
            effects = read_value(f"{where}: effects", table["effects"], EFFECTS)
        found.append(_Part(where, name, values, joined, effects))
    return found


# --- checks of several numbers --------------------------------------------------------------------


def _direction(where: str, key: str, value: Value) -> Array:
    vector = np.array(value.numbers)
    length = float(exact.norm(vector))
    if not length > 0:
        raise ParameterError(f"{where}: {key}: expected a direction, got the zero vector")
    return vector / length


def _upward(where: str, forward: Array, upward: Array) -> Array:
    """Return the direction upward, square to that forward."""
    along = float(exact.dot(forward, upward))
    if abs(along) > _SQUARE:
        raise ParameterError(f"{where}: upward: expected a direction square to forward")
    square = upward - along * forward
    return np.asarray(square / float(exact.norm(square)))


def _whole(where: str, key: str, value: Value) -> None:
    if value.numbers[0] != int(value.numbers[0]):
        raise ParameterError(f"{where}: {key}: expected a whole number, got {value.numbers[0]:g}")


def _check_part(kind: str, part: _Part) -> dict[str, Array]:
    """Return the numbers of a part, directions with the length 1."""
    numbers = {key: np.array(value.numbers) for key, value in part.values.items()}
    for key in _DIRECTIONS:
        if key in numbers:
            numbers[key] = _direction(part.where, key, part.values[key])
    if "upward" in numbers:
        numbers["upward"] = _upward(part.where, numbers["forward"], numbers["upward"])
    for key in ("channel", "reversible", "sweep"):
        if key in numbers:
            _whole(part.where, key, part.values[key])
    if kind == "motor" and abs(numbers["direction"][0]) != 1:
        got = numbers["direction"][0]
        raise ParameterError(f"{part.where}: direction: expected -1 or 1, got {got:g}")
    if kind == "joint" and not numbers["limit"][0] <= numbers["limit"][1]:
        raise ParameterError(
            f"{part.where}: limit: expected a minimum up to the maximum, got {numbers['limit']}"
        )
    return numbers


def _number_of(part: _Part, key: str, others: list[_Part]) -> float:
    """Return the number of the part that a part names; -1 if it names none."""
    if key not in part.joined:
        return -1.0
    names = [other.name for other in others]
    if part.joined[key] not in names:
        known = ", ".join(names) or "none"
        raise ParameterError(
            f"{part.where}: {key}: expected the name of a {key} ({known}), "
            f"got {brief(part.joined[key])}"
        )
    return float(names.index(part.joined[key]))


# --- construction ---------------------------------------------------------------------------------


def _filler(key: str) -> float:
    """Return a valid number for the parts that a vehicle does not have."""
    positive = {"lags", "density", "area", "aspect_ratio", "stall", "efficiency", "chord"}
    return 1.0 if key in positive else 0.0


def _part_columns(kind: str, found: Mapping[str, list[_Part]], room: int) -> dict[str, Array]:
    """Return the columns of all parts of a kind, component by component, in room for some."""
    parts = found[kind]
    rows = [_check_part(kind, part) for part in parts]
    columns = {f"{kind}_count": np.array([float(len(parts))])}
    for key, rule in KINDS[kind].items():
        filled = np.full((rule.width, room), _filler(key))
        for i, row in enumerate(rows):
            filled[:, i] = row[key]
        columns[f"{kind}_{key}"] = filled.ravel()
    for key, other in _references(kind).items():
        numbers = [_number_of(part, key, found[other]) for part in parts]
        columns[f"{kind}_{key}"] = np.array(numbers + [-1.0] * (room - len(parts)))
    return columns


def _effects(joints: list[_Part], has_aero: bool, room: int) -> Array:
    """Return what the joints add to the coefficients of the whole aircraft, in room for some."""
    filled = np.zeros((6, room))
    for i, part in enumerate(joints):
        if part.effects is not None:
            if not has_aero:
                raise ParameterError(f"{part.where}: effects: expected a table [aero] for them")
            filled[:, i] = part.effects.numbers
    return filled.ravel()


def _sources(kind: str, parts: list[_Part]) -> dict[str, str]:
    """Return the sources of the columns of a kind."""
    found = dict.fromkeys((f"{kind}_{key}" for key in ("count", *_references(kind))), "its parts")
    for key in KINDS[kind]:
        texts = [part.values[key].source for part in parts]
        found[f"{kind}_{key}"] = "; ".join(dict.fromkeys(texts)) or "it has no such part"
    return found


def build(origin: str, document: Mapping[str, Any], _read: Read | None = None) -> VehicleParameters:
    """Return the checked parameter set of a document.

    Parameters
    ----------
    origin : str
        Name of the document in messages.
    document : mapping
        The parsed file.

    Raises
    ------
    ParameterError
        An entry is unknown, missing, of the wrong unit, width or range, or not physical.
    """
    tables = [name for kind in CAPACITY for name in (kind, f"{kind}s") if name != "aeros"]
    reject_unknown(origin, document, {**dict.fromkeys((*HEADER, *tables)), **BODY})
    check_header(origin, document)
    values = {**_defaults()[0], **read_values(origin, document, BODY)}
    require(origin, values, BODY)
    require_bodies(f"{origin}: inertia", values["inertia"].numbers)
    found = {kind: _parts(origin, document, kind) for kind in CAPACITY}
    columns = {name: np.array(value.numbers) for name, value in values.items()}
    sources = {name: value.source for name, value in values.items()}
    c_type = smallest_type({kind: len(parts) for kind, parts in found.items()})
    for kind, parts in found.items():
        columns |= _part_columns(kind, found, ROOM[c_type][kind])
        sources |= _sources(kind, parts)
    columns["aero_joint"] = _effects(found["joint"], bool(found["aero"]), ROOM[c_type]["joint"])
    effects = [part.effects.source for part in found["joint"] if part.effects is not None]
    sources["aero_joint"] = "; ".join(dict.fromkeys(effects)) or "no effects of joints"
    driven = [p.values["channel"].numbers[0] for kind in ("motor", "joint") for p in found[kind]]
    if not driven and not found["surface"] and not found["segment"] and not found["aero"]:
        raise ParameterError(f"{origin}: expected at least one motor, surface, segment or [aero]")
    built = VehicleParameters(
        name=document["name"],
        title=document.get("title", document["name"]),
        family="gazebo_blocks",
        uav_type=None,
        c_type=c_type,
        actuator_count=int(max(driven, default=0.0)) + 1,
        columns=columns,
        sources=sources,
        notes=document.get("notes", ""),
    )
    return with_hull(origin, document, built, RULE)
