"""The header of a vehicle by itself: its struct, and its functions with what they do."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from pyrfly.columns import Field
from pyrfly.standalone.preprocessor import meaning
from pyrfly.standalone.text import title
from pyrfly.standalone.vehicle import DT, Standalone

__all__ = ["FUNCTIONS", "functions", "header"]

FUNCTIONS = {
    "init": (
        "void {0}_init({0} *v)",
        "Makes a vehicle with the parameters of the set, at rest at the origin.",
    ),
    "reset": (
        "void {0}_reset({0} *v, const double *pos, const double *angles)",
        "Puts it at rest at a position [m, NED] with roll, pitch, yaw [rad], not below the ground; "
        "roll and pitch are those above the ground alone. Its parameters, wind and terrain stay.",
    ),
    "step": (
        "uint32_t {0}_step({0} *v, double dt)",
        "Takes a step of dt [s], from 1e-9 to 1, by the Runge-Kutta method of fourth order with "
        "constant inputs. Returns `status`: 0, or why the vehicle has left the range of its "
        "equations and stays where it was. Another dt changes nothing and returns UINT32_MAX.",
    ),
    "outputs": (
        "void {0}_outputs(const {0} *v, {0}_output *out)",
        "Computes what follows from the present state.",
    ),
    "value": (
        "double *{0}_value({0} *v, const char *name, int *width)",
        "Returns the numbers of a column by its name, and how many there are; NULL where there is "
        "none of that name, or it is one of words.",
    ),
}
"""Functions of every vehicle: how each is declared, and what it does."""

CONTROLLED = {
    "command": (
        "void {0}_command({0} *v, const int32_t *ints, const double *floats)",
        "Gives a command: RflySim's inSILInts[8] and inSILFloats[20]. The controllers follow until "
        "the next one; the bits are described in docs/protocol.md of pyrfly.",
    ),
    "is_direct": (
        "int {0}_is_direct(const {0} *v)",
        "Whether the last command has left the actuator commands to the caller (inPWMs).",
    ),
}
"""Functions of a vehicle with its controllers."""


def functions(vehicle: Standalone) -> dict[str, tuple[str, str]]:
    """Return the functions of a vehicle: how each is declared, and what it does."""
    return {**FUNCTIONS, **(CONTROLLED if vehicle.controlled else {})}


_ROLES = {
    "state": "state, which a step changes",
    "input": "inputs: the actuator commands, then what is around the vehicle",
    "param": "parameters",
    "gain": "parameters of the controllers",
    "setpoint": "set-points, which commands write",
    "controller": "state of the controllers",
    "flag": "modes",
    "part": "RflySim's inputs, and the navigator",
    "part word": "RflySim's inputs, and modes of the navigator",
}


def _member(c_type: str, field: Field) -> str:
    size = f"[{field.width}]" if field.width > 1 else ""
    return f"    {c_type} {field.name}{size}; /* {meaning(field.unit, field.frame, field.doc)} */"


def _struct(vehicle: Standalone) -> Iterable[str]:
    name = vehicle.name
    yield "/* A vehicle: plain data, which may be copied and saved. */"
    yield f"typedef struct {name} {{"
    role = ""
    for column in vehicle.columns:
        if column.field.role != role:
            role = column.field.role
            yield f"    /* {_ROLES[role]} */"
        yield _member("uint32_t" if column.is_word else "double", column.field)
    yield "    /* place and time */"
    yield "    double origin[3]; /* deg, deg, m: of WGS84, latitude, longitude, height */"
    yield "    uint64_t tick; /* steps since the start */"
    yield "    double dt; /* s: the last step */"
    yield f"}} {name};"


def _outputs(vehicle: Standalone) -> Iterable[str]:
    yield "/* What follows from the state. */"
    yield f"typedef struct {vehicle.name}_output {{"
    yield from (_member("double", field) for field in vehicle.outputs)
    yield f"}} {vehicle.name}_output;"


def _functions(vehicle: Standalone) -> Iterable[str]:
    for declaration, doc in functions(vehicle).values():
        lines = wrap(doc, 110)
        yield ""
        yield f"/* {lines[0]}" + (" */" if len(lines) == 1 else "")
        yield from (f" * {line}" + (" */" if line is lines[-1] else "") for line in lines[1:])
        yield f"{declaration.format(vehicle.name)};"


def header(vehicle: Standalone) -> str:
    """Return the header of a vehicle."""
    guard = f"{vehicle.name.upper()}_H"
    return "\n".join(
        [
            title(
                vehicle,
                "Positions are in m, north, east and down of the origin (NED); forces and rates "
                "forward, right, down in the vehicle (FRD); units are SI. Functions keep nothing: "
                "vehicles are independent, and each is of one thread at a time.",
            ),
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            "#include <stdint.h>",
            "",
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            "",
            "/* Step [s] that the controllers are made for. */",
            f"#define {vehicle.name.upper()}_DT {DT!r}",
            "",
            *_struct(vehicle),
            "",
            *_outputs(vehicle),
            *_functions(vehicle),
            "",
            "#ifdef __cplusplus",
            "}",
            "#endif",
            "",
            "#endif",
            "",
        ]
    )
