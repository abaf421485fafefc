"""The table ``[hull]`` of parameter files, and what a hull is derived from without one.

A file may give sizes of its vehicle, what it withstands, or all of its shapes::

    [hull]
    body_size = { value = [0.25, 0.2, 0.11], unit = "m", source = "..." }
    landing_speed = { value = 2.0, unit = "m/s", source = "..." }

    [[hull.shape]]                     # with any, these are all shapes
    name = "body"
    position = { value = [0.0, 0.0, 0.01], unit = "m" }    # from the centre of mass, FRD
    half_size = { value = [0.1, 0.08, 0.03], unit = "m" }  # of a box, 0 without it
    radius = { value = 0.02, unit = "m" }                  # around it
    strength = { value = 5.0, unit = "m/s" }               # that of bodies without it
    actuators = []                     # which are lost with it, from 0; none: all, and disarmed
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.entries import (
    FRACTION,
    NOT_NEGATIVE,
    POSITIVE,
    Rule,
    read_text,
    read_values,
    reject_unknown,
    require,
)
from pyrfly.vehicles.hull import MAXIMUM_SHAPES, Hull, HullShape
from pyrfly.vehicles.hull_shapes import CLEARANCE, above, ball
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["BODY", "BY_MASS", "HullRule", "with_hull"]

BODY = MappingProxyType(
    {"body_size": Rule(3, "m", *POSITIVE), "body_position": Rule(3, "m")},
)
"""Entries of a family whose vehicles have a body: its length, width and height, and its middle."""

_WITHSTOOD = {
    "landing_speed": Rule(1, "m/s", *POSITIVE),
    "friction": Rule(1, "1", *NOT_NEGATIVE),
    "restitution": Rule(1, "1", *FRACTION),
}
_HEIGHT = {"height": Rule(1, "m", *POSITIVE)}
_STRENGTHS = {
    "body_strength": Rule(1, "m/s", *POSITIVE),
    "part_strength": Rule(1, "m/s", *POSITIVE),
}

_SHAPE = {
    "position": Rule(3, "m"),
    "half_size": Rule(3, "m", *NOT_NEGATIVE),
    "radius": Rule(1, "m", *POSITIVE),
    "strength": Rule(1, "m/s", *POSITIVE),
}
_SHAPE_TEXTS = ("name", "source", "actuators")


class HullRule(NamedTuple):
    """How the hull of a vehicle of a family follows from its parameters.

    Attributes
    ----------
    derive : callable
        Returns the hull for parameters and the ``sizes`` of their file.
    sizes : mapping of str to Rule
        Entries of ``[hull]`` that it knows, besides those of every family, of which it gets
        ``height``.
    """

    derive: Callable[[VehicleParameters], Hull]
    sizes: Mapping[str, Rule] = MappingProxyType({})


def _by_mass(parameters: VehicleParameters) -> Hull:
    """Return a sphere; it stands where the set says, or else as high as it reaches down."""
    body = ball(float(parameters.columns["mass"][0]))
    height = parameters.length("height", body.radius / CLEARANCE)
    return Hull(above(height, (body,)), height=height)


BY_MASS = HullRule(_by_mass)
"""That of families without one of their own: a sphere, estimated from the mass."""


def with_hull(
    origin: str,
    document: Mapping[str, Any],
    parameters: VehicleParameters,
    rule: HullRule,
    known: Mapping[str, tuple[float, ...]] = MappingProxyType({}),
) -> VehicleParameters:
    """Return a parameter set with the hull of its file, or else the one that follows from it.

    Parameters
    ----------
    origin : str
        Name of the document in messages.
    document : mapping
        The parsed file.
    parameters : VehicleParameters
        Its set without a hull.
    rule : HullRule
        That of the family.
    known : mapping of str to tuple of float
        Sizes that other tables of the file say, where ``[hull]`` does not [m].

    Raises
    ------
    ParameterError
        An entry of ``[hull]`` is unknown, missing, of the wrong unit, width or range, or a shape
        names an actuator that there is not.
    """
    table = document.get("hull", {})
    if not isinstance(table, dict):
        raise ParameterError(f"{origin}: hull: expected a table, got {brief(table)}")
    where = f"{origin}: hull"
    sizes = {**rule.sizes, **_HEIGHT}
    rules = {**_WITHSTOOD, **_STRENGTHS, **sizes}
    reject_unknown(where, table, {**rules, "shape": None})
    given = {key: value.numbers for key, value in read_values(where, table, rules).items()}
    own_sizes = {key: given[key] for key in sizes if key in given}
    parameters = replace(parameters, sizes={**known, **own_sizes})
    own = {key: given[key][0] for key in _WITHSTOOD if key in given}
    shapes: tuple[HullShape, ...] = ()
    if "shape" in table:
        shapes = _own_shapes(where, table["shape"], parameters.actuator_count)
    try:
        hull = rule.derive(parameters)
        shapes = tuple(_strong(shape, given) for shape in shapes or hull.shapes)
        hull = replace(hull, shapes=shapes, **own)
    except ParameterError as error:
        raise ParameterError(f"{where}: {error}") from None
    if "shape" in table:
        _require_above(where, hull)
    return replace(parameters, hull=hull)


def _strong(shape: HullShape, given: Mapping[str, tuple[float, ...]]) -> HullShape:
    """Return a shape with the strength that a file gives for such."""
    key = "part_strength" if shape.actuators else "body_strength"
    return replace(shape, strength=given[key][0]) if key in given else shape


def _own_shapes(where: str, tables: object, actuators: int) -> tuple[HullShape, ...]:
    """Return the checked shapes of a file."""
    if not isinstance(tables, list) or not 1 <= len(tables) <= MAXIMUM_SHAPES:
        got = len(tables) if isinstance(tables, list) else brief(tables)
        raise ParameterError(
            f"{where}: shape: expected 1 to {MAXIMUM_SHAPES} [[hull.shape]] tables, got {got}"
        )
    return tuple(
        _own_shape(f"{where}: shape {number}", table, actuators)
        for number, table in enumerate(tables, start=1)
    )


def _own_shape(where: str, table: object, actuators: int) -> HullShape:
    if not isinstance(table, dict):
        raise ParameterError(f"{where}: expected a table, got {brief(table)}")
    reject_unknown(where, table, {**_SHAPE, **dict.fromkeys(_SHAPE_TEXTS)})
    require(where, table, ("name", "position", "radius"))
    values = read_values(where, table, _SHAPE)
    numbers: dict[str, Any] = {
        key: value.numbers if _SHAPE[key].width > 1 else value.numbers[0]
        for key, value in values.items()
    }
    lost = table.get("actuators", [])
    whole = isinstance(lost, list) and all(
        isinstance(one, int) and not isinstance(one, bool) and 0 <= one < actuators for one in lost
    )
    if not whole or len(set(lost)) < len(lost):
        raise ParameterError(
            f"{where}: actuators: expected a list of numbers from 0 to {actuators - 1}, each once, "
            f"got {brief(lost)}"
        )
    name = read_text(where, table, "name")
    try:
        return HullShape(name, actuators=tuple(lost), **numbers)
    except ParameterError as error:
        raise ParameterError(f"{where}: {error}") from None


def _require_above(where: str, hull: Hull) -> None:
    """Refuse a shape that is in the ground where the vehicle stands."""
    for shape in hull.shapes:
        if shape.high[2] > hull.height:
            raise ParameterError(
                f"{where}: {shape.name}: expected a place above the ground, up to height "
                f"{hull.height:.4g} m below the centre of mass, got {shape.high[2]:.4g} m"
            )
