"""Vehicles as FMUs for co-simulation: `model_description`, `fmu_source`.

Source: FMI 3.0, sections 2 and 4 [@fmi-3].
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from math import inf
from typing import NamedTuple
from xml.etree import ElementTree

from pyrfly import _core
from pyrfly.columns import Field
from pyrfly.sim.group import BELIEF
from pyrfly.standalone.source import interface_source
from pyrfly.standalone.text import number, quoted
from pyrfly.standalone.vehicle import DT, Standalone
from pyrfly.vehicles import family_named
from pyrfly.vehicles.entries import ANY, TINY

__all__ = ["Variable", "fmu_source", "model_description", "variables"]

_SHOWN_ROLES = ("state", "input", "param", "gain", "flag")
_FLAGS = ("status", "armed", "arrived")
_TYPES = {"REAL": "Float64", "INTEGER": "Int32", "WORD": "UInt32"}


class Variable(NamedTuple):
    """A variable of an FMU.

    Attributes
    ----------
    name : str
    kind : {'REAL', 'INTEGER', 'WORD'}
    member : str
        Where it is in an instance.
    field : Field
        Its width, unit, frame and meaning.
    causality : {'input', 'output', 'parameter'}
    start : tuple of float
        Values at the start, of what is set.
    fixed : bool
        Whether a parameter acts at the start alone.
    """

    name: str
    kind: str
    member: str
    field: Field
    causality: str
    start: tuple[float, ...] = ()
    fixed: bool = False


def _of_start(vehicle: Standalone) -> Iterator[Variable]:
    pos = next(c.values for c in vehicle.columns if c.field.name == "pos")
    rows = (
        ("start_pos", "m", "NED", "position at the start", tuple(pos.tolist())),
        ("start_angles", "rad", "", "roll, pitch, yaw at the start", (0.0, 0.0, 0.0)),
    )
    for name, unit, frame, doc, start in rows:
        own = Field(name, 3, "param", unit, frame, doc)
        yield Variable(name, "REAL", f"now.{name}", own, "parameter", start, True)


def _of_columns(vehicle: Standalone) -> Iterator[Variable]:
    commands = 0
    for column in vehicle.columns:
        own = column.field
        if own.role not in _SHOWN_ROLES or (own.role == "flag" and own.name not in _FLAGS):
            continue
        causality = {"input": "input", "param": "parameter", "gain": "parameter"}.get(
            own.role, "output"
        )
        is_command = own.role == "input" and commands < vehicle.actuators
        commands += own.width if is_command else 0
        if is_command and vehicle.controlled:
            causality = "output"
        start = tuple(column.values.tolist()) if causality != "output" else ()
        kind = "WORD" if column.is_word else "REAL"
        yield Variable(own.name, kind, f"now.vehicle.{own.name}", own, causality, start)


def variables(vehicle: Standalone) -> list[Variable]:
    """Return the variables of an FMU in the order of their value references, from 1 on."""
    found = [*_of_start(vehicle), *_of_columns(vehicle)]
    found += [Variable(f.name, "REAL", f"out.{f.name}", f, "output") for f in vehicle.outputs]
    if vehicle.controlled:
        words = Field("sil_ints", 8, "input", "1", "", "RflySim's input inSILInts")
        numbers = Field("sil_floats", 20, "input", "1", "", "RflySim's input inSILFloats")
        found.append(Variable("sil_ints", "INTEGER", "now.ints", words, "input", (0,) * 8))
        found.append(Variable("sil_floats", "REAL", "now.floats", numbers, "input", (0.0,) * 20))
    return found


def _token(vehicle: Standalone) -> str:
    """Return the instantiation token: another one for each other model."""
    digest = hashlib.sha256(_core.version.encode())
    for one in variables(vehicle):
        digest.update(repr(one[:3]).encode() + repr(one.start).encode())
    text = digest.hexdigest()
    return "{" + "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:32])) + "}"


def _row(vehicle: Standalone, one: Variable) -> str:
    """Return the row of a variable in the template: when it is set, and to what."""
    when = "COMPUTED" if one.causality == "output" else "FIXED" if one.fixed else "TUNABLE"
    row = f"{one.kind}({one.member}, {one.field.width}, {when}"
    if one.kind != "REAL":
        return f"{row})"
    if one.causality == "output" or one.name == "sil_floats":  # commands with NaN are ignored
        return f"{row}, 0, 0, NULL)"
    family, c_type = family_named(vehicle.parameters.family), vehicle.parameters.c_type
    low, high = family.range_of(one.name.removeprefix(BELIEF), c_type, ANY)
    least = "" if low == -inf else " more than 0" if low == TINY else f" from {low:g} on"
    most = "" if high == inf else f" up to {high:g}"
    allowed = quoted(f"{one.name}: expected finite numbers{least}{most}")
    return f"{row}, {number(low)}, {number(high)}, {allowed})"


def fmu_source(vehicle: Standalone) -> str:
    """Return the C source of the functions of the standard."""
    rows = (_row(vehicle, one) for one in variables(vehicle))
    macros = {
        "VEHICLE_TOKEN": quoted(_token(vehicle)),
        "VEHICLE_VARIABLES": "\\\n    " + " \\\n    ".join(rows),
    }
    return interface_source(vehicle, "fmi3", "fmi3", "It has the functions of FMI 3.0.", macros)


def _unit(field: Field) -> str:
    """Return the unit of a variable, nothing of numbers without one, or of several."""
    several = " or " in field.unit or "^k" in field.unit
    return "" if several or field.unit in ("1", "bits", "bool", "") else field.unit


def _describe(one: Variable, reference: int) -> ElementTree.Element:
    frame = f" [{one.field.frame}]" if one.field.frame else ""
    element = ElementTree.Element(
        _TYPES[one.kind],
        name=one.name,
        valueReference=str(reference),
        description=f"{one.field.doc}{frame}",
        causality=one.causality,
    )
    discrete = one.kind != "REAL"
    if one.causality == "parameter":
        element.set("variability", "fixed" if one.fixed else "tunable")
    elif discrete:
        element.set("variability", "discrete")
    if one.kind == "REAL" and _unit(one.field):
        element.set("unit", _unit(one.field))
    if one.causality == "output":
        element.set("initial", "calculated")
    else:
        shown = (number(v) if one.kind == "REAL" else str(v) for v in one.start)
        element.set("start", " ".join(shown))
    if one.field.width > 1:
        ElementTree.SubElement(element, "Dimension", start=str(one.field.width))
    return element


def model_description(vehicle: Standalone) -> bytes:
    """Return the file modelDescription.xml of a vehicle."""
    found = variables(vehicle)
    root = ElementTree.Element(
        "fmiModelDescription",
        fmiVersion="3.0",
        modelName=vehicle.parameters.name,
        instantiationToken=_token(vehicle),
        description=vehicle.parameters.title,
        generationTool=f"pyrfly {_core.version}",
        variableNamingConvention="flat",
    )
    ElementTree.SubElement(
        root,
        "CoSimulation",
        modelIdentifier=vehicle.name,
        canHandleVariableCommunicationStepSize="true",
        canGetAndSetFMUState="true",
        canSerializeFMUState="true",
        fixedInternalStepSize=number(DT),
    )
    units = ElementTree.SubElement(root, "UnitDefinitions")
    for name in sorted({"s", *(_unit(one.field) for one in found)} - {""}):
        ElementTree.SubElement(units, "Unit", name=name)
    categories = ElementTree.SubElement(root, "LogCategories")
    ElementTree.SubElement(categories, "Category", name="logStatusError")
    ElementTree.SubElement(root, "DefaultExperiment", startTime="0", stepSize=number(DT))
    listed = ElementTree.SubElement(root, "ModelVariables")
    ElementTree.SubElement(
        listed,
        "Float64",
        name="time",
        valueReference="0",
        description="time",
        causality="independent",
        variability="continuous",
        unit="s",
    )
    listed.extend(_describe(one, k) for k, one in enumerate(found, 1))
    structure = ElementTree.SubElement(root, "ModelStructure")
    outputs = [str(k) for k, one in enumerate(found, 1) if one.causality == "output"]
    for kind in ("Output", "InitialUnknown"):
        for reference in outputs:
            ElementTree.SubElement(structure, kind, valueReference=reference)
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, "utf-8", xml_declaration=True)) + b"\n"
