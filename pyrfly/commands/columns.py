"""``pyrfly columns``: every column of all vehicle types and parts, as a page of Markdown."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain

from pyrfly.columns import Field, column_meanings, fields_of_part, parts, vehicle_types

__all__ = ["page", "run", "shape_text"]

_INTRODUCTION = """# Columns

Every column is an attribute of `Group`, and of a `Sim` if all its vehicles have it;
`sim.groups[i]` and `sim.select(ids)` read the columns of some vehicles. `n` is the number of
vehicles, `N` the number of actuators of the vehicle type. With one parameter set the columns of a
`Sim` are views, and `sim.wind[:, 0] = 3` changes the vehicles; with several they are read-only
copies: assign the whole column, `sim.wind = ...`, or use `sim.select(ids).write("wind", ...)`.
docs/frames.md defines the frames. The columns of a part exist after `Sim.enable_part`;
`Sim.enable_synthesis` enables the navigator, `sim.environment`, `sim.power`, `sim.sensors` and
`sim.estimator` the parts of those names, `sim.set_load` the loads, `sim.set_contact_points` the
contact points, `sim.set_ground_plane` slope, friction and motion of the ground."""

_ROLES = {
    "state": "State: integrated by a step",
    "input": "Inputs: read by a step, written by the user or the controllers",
    "param": "Parameters: write to change a vehicle",
    "gain": "Gains of the controllers: write to tune, or Sim.retune",
    "setpoint": "Set-points: written by the `command_...` methods",
    "controller": "Controller state",
    "sensor": "Own sensors of a model: written by it at the sensors' rate",
    "flag": "Flags: 32-bit words",
    "output": "Outputs: computed from the state when read",
}


def run(options: argparse.Namespace) -> int:
    """Print the page."""
    print(page())
    return 0


def page() -> str:
    """Return the tables of all columns: name, shape, unit, frame, meaning, vehicle types."""
    types = [
        (f"`{name}`", f"{row['family']}: {row['doc']}", str(row["actuators"]))
        for name, row in vehicle_types().items()
    ]
    sections = [_INTRODUCTION, _table(("vehicle type", "", "N"), types)]
    head = ("name", "shape", "unit", "frame", "meaning")
    for role, title in _ROLES.items():
        rows = [
            (*_cells(field, widths), _names(widths))
            for field, widths in chain.from_iterable(column_meanings().values())
            if field.role == role
        ]
        if rows:
            sections += [f"## {title}", _table((*head, "types"), rows)]
    for part, about in parts().items():
        of_part = [_cells(field, {part: field.width}) for field in fields_of_part(part)]
        sections += [f"## Part `{part}`: {about['doc']}", _table(head, of_part)]
    return "\n\n".join(sections)


def shape_text(widths: Mapping[str, int]) -> str:
    """Return the shape of a column of these widths by vehicle type, with N actuators."""
    sizes = sorted(set(widths.values()))
    width = " or ".join(map(str, sizes))
    if len(sizes) > 1:
        types = vehicle_types()
        factors = {Fraction(each, types[c_type]["actuators"]) for c_type, each in widths.items()}
        if len(factors) == 1:
            width = "N" if factors == {1} else f"{factors.pop()} N"
    return "(n,)" if width == "1" else f"(n, {width})"


def _cells(field: Field, widths: Mapping[str, int]) -> tuple[str, ...]:
    return f"`{field.name}`", shape_text(widths), field.unit, field.frame, field.doc


def _names(widths: Mapping[str, int]) -> str:
    every = len(widths) == len(vehicle_types())
    return "all" if every else ", ".join(f"`{c_type}`" for c_type in widths)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
