"""Write what follows from the tables of the core.

docs/fields.md and pyrfly/columns.pyi from the columns; pyrfly/protocol/bits.py and the tables of
docs/protocol.md from the bits, modes and indices; pyrfly/vehicles/families.pyi from the registry of
families.

Run ``python tools/generate.py`` after changing a table; a test fails when the files are stale.
"""

from __future__ import annotations

from pathlib import Path

from pyrfly import _core
from pyrfly.columns import Field, fields_of_part, fields_of_type
from pyrfly.vehicles import FAMILIES

ROOT = Path(__file__).parent.parent

FIELD_TYPES = {name: "int" if name == "width" else "str" for name in Field._fields}

ROLES = {
    "state": "State: integrated by a step",
    "input": "Inputs: read by a step, written by you or by the controllers",
    "param": "Parameters: write to change a vehicle",
    "gain": "Gains of the controllers: write to retune",
    "setpoint": "Set-points: written by the `command_...` methods",
    "controller": "Memory of the controllers",
    "flag": "Flags: 32-bit words",
    "output": "Outputs: computed from the state when read",
    "part": "Inputs and memory of the navigator: there after `Sim.enable_synthesis`",
    "part word": "The same, 32-bit words",
}


def all_fields() -> dict[str, tuple[Field, dict[str, int]]]:
    """Return every column by name, with its width in each type that has it."""
    found: dict[str, tuple[Field, dict[str, int]]] = {}
    for c_type in _core.vehicle_types():
        for field in fields_of_type(c_type):
            found.setdefault(field.name, (field, {}))[1][c_type] = field.width
        for part in _core.parts():
            for field in fields_of_part(part):
                found.setdefault(field.name, (field, {}))[1][c_type] = field.width
    return found


def width_text(widths: dict[str, int]) -> str:
    """Return one width, or how it follows from the number of actuators N."""
    if len(set(widths.values())) == 1:
        return str(next(iter(widths.values())))
    actuators = {c_type: row["actuators"] for c_type, row in _core.vehicle_types().items()}
    factor = {width // actuators[c_type] for c_type, width in widths.items()}.pop()
    return "N" if factor == 1 else f"{factor} N"


def shape_text(widths: dict[str, int]) -> str:
    """Return the shape of the view."""
    width = width_text(widths)
    return "(n,)" if width == "1" else f"(n, {width})"


def fields_page() -> str:
    """Return docs/fields.md."""
    types = _core.vehicle_types()
    lines = [
        "# Columns",
        "",
        "Made by `tools/generate.py` from the `columns.h` files of `csrc`; do not edit.",
        "",
        "Every column is an attribute of `Sim` and `Group`. `n` is the number of vehicles, `N` the",
        "number of actuators of the vehicle type. Frames are explained in [frames.md](frames.md).",
        "",
        "| vehicle type | | N |",
        "| --- | --- | --- |",
        *(
            f"| `{name}` | {row['family']}: {row['doc']} | {row['actuators']} |"
            for name, row in types.items()
        ),
    ]
    for role, title in ROLES.items():
        lines += ["", f"## {title}", "", "| name | shape | unit | frame | what | types |"]
        lines.append("| --- | --- | --- | --- | --- | --- |")
        for field, widths in all_fields().values():
            if field.role == role:
                where = "all" if len(widths) == len(types) else ", ".join(f"`{t}`" for t in widths)
                lines.append(
                    f"| `{field.name}` | {shape_text(widths)} | {field.unit} | {field.frame} "
                    f"| {field.doc} | {where} |"
                )
    return "\n".join(lines) + "\n"


def columns_stub() -> str:
    """Return pyrfly/columns.pyi."""
    lines = [
        "# Made by tools/generate.py from the columns.h files of csrc; do not edit.",
        "from typing import Any, NamedTuple",
        "",
        "from numpy import float64",
        "from numpy.typing import ArrayLike, NDArray",
        "",
        "class Field(NamedTuple):",
        *(f"    {name}: {kind}" for name, kind in FIELD_TYPES.items()),
        "",
        "def fields_of_type(c_type: str) -> tuple[Field, ...]: ...",
        "def fields_of_part(part: str) -> tuple[Field, ...]: ...",
        "def command_columns(c_type: str) -> tuple[str, ...]: ...",
        "def numeric_array(name: str, value: Any, unit: str) -> NDArray[float64]: ...",
        "def finite_array(name: str, value: Any, unit: str, most: float = ...)"
        " -> NDArray[float64]: ...",
        "",
        "class Columns:",
        "    def _view(self, name: str) -> NDArray[Any]: ...",
        "    def _write(self, name: str, value: Any) -> None: ...",
    ]
    for name, (field, _) in all_fields().items():
        lines += ["    @property", f"    def {name}(self) -> NDArray[Any]: ..."]
        if field.role != "output":
            lines += [f"    @{name}.setter", f"    def {name}(self, value: ArrayLike) -> None: ..."]
    return "\n".join(lines) + "\n"


def bit_table(word: str) -> str:
    """Return the bits of one word of the synthesis protocol."""
    rows = [
        f"| {value.bit_length() - 1} | `{name}` | {vendor} | {doc} |"
        for name, value, vendor, doc in _core.tables()[word]
    ]
    head = ["| bit | name here | RflySim's | what it does |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows])


def protocol_page() -> str:
    """Return docs/protocol.md with its tables of bits made anew."""
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    for word in ("command", "offboard", "frame"):
        begin, end = f"<!-- bits: {word} -->\n", "<!-- end -->"
        before, _, rest = page.partition(begin)
        page = before + begin + "\n" + bit_table(word) + "\n\n" + end + rest.partition(end)[2]
    return page


ENUMS = {
    "command": ("Command", "IntFlag", "Bits of ``inSILInts[0]``."),
    "offboard": ("Offboard", "IntFlag", "Bits of ``inSILInts[1]``."),
    "frame": ("Frame", "IntFlag", "Values of ``inSILInts[2]``: the airframe of a mixed model."),
    "setpoint": ("Setpoint", "IntFlag", "Bits of the column ``setpoint_mask``."),
    "fault": ("Fault", "IntFlag", "Bits of the column ``status``: why a vehicle is frozen."),
    "mode": ("Mode", "IntEnum", "Values of the column ``navigator_mode``."),
}


def sentence(doc: str) -> str:
    """Return a noun phrase of the core as a sentence."""
    return f"{doc[0].upper()}{doc[1:]}."


def bits_module() -> str:
    """Return pyrfly/protocol/bits.py."""
    tables = _core.tables()
    lines = [
        '"""Bits, modes and indices of the core.',
        "",
        "Made by tools/generate.py from the tables of csrc; do not edit.",
        '"""',
        "",
        "from enum import IntEnum, IntFlag",
    ]
    for table, (name, kind, doc) in ENUMS.items():
        lines += ["", "", f"class {name}({kind}):", f'    """{doc}"""', ""]
        for member, value, _, text in tables[table]:
            number = f"1 << {value.bit_length() - 1}" if kind == "IntFlag" else str(value)
            lines += [f"    {member} = {number}", f'    """{sentence(text)}"""']
    lines += ["", ""]
    for member, value, _, text in tables["input"]:
        lines += [f"{member} = {value}", f'"""{sentence(text)}"""', ""]
    return "\n".join(lines).rstrip() + "\n"


def families_stub() -> str:
    """Return pyrfly/vehicles/families.pyi: a type checker sees no types of imports in a class."""
    verbs = {name: family.verbs for name, family in FAMILIES.items()}
    lines = [
        "# Made by tools/generate.py from the registry; do not edit.",
        "from collections.abc import Mapping",
        "from typing import Any",
        "",
        "from pyrfly.vehicles.family import Family, VerbsOf",
        *(f"from {each.__module__} import {each.__name__}" for each in verbs.values()),
        "",
        "class Families:",
        *(f"    {name}: VerbsOf[{each.__name__}]" for name, each in verbs.items()),
        "",
        "FAMILIES: Mapping[str, Family[Any]]",
        "DEFAULT_FAMILY: str",
    ]
    return "\n".join(lines) + "\n"


GENERATED = {
    "pyrfly/vehicles/families.pyi": families_stub,
    "pyrfly/protocol/bits.py": bits_module,
    "docs/fields.md": fields_page,
    "docs/protocol.md": protocol_page,
    "pyrfly/columns.pyi": columns_stub,
}


def main() -> None:
    """Write the files."""
    for path, make in GENERATED.items():
        (ROOT / path).write_text(make())


if __name__ == "__main__":
    main()
