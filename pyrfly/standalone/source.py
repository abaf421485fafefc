"""A vehicle as C source without dependencies: `vehicle_source`, `interface_source`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pyrfly.frames import DEFAULT_ORIGIN
from pyrfly.headers import get_include
from pyrfly.standalone.chunks import Chunk, chunks_of, needed, words_of
from pyrfly.standalone.folding import constant_of, folded
from pyrfly.standalone.header import functions
from pyrfly.standalone.preprocessor import MEMBER, Macro, Preprocessor
from pyrfly.standalone.text import number, quoted, title
from pyrfly.standalone.vehicle import DT, Standalone

__all__ = ["interface_source", "vehicle_source"]

_NUMBERS = {
    "LANE_PRECISION": "64",
    "LANE_WIDTH": "1",
    "RF_EFFECTS_PLAIN": "0",
    "RF_EFFECTS_FULL": "1",
    "RF_MODEL_EXTENDED": "2",
    "EXTENDED": "2",
}
"""Numbers in the sources by which they choose a model; `RF_EFFECTS_FULL` is also `full`."""

_PORTABLE = """\
#if !defined(__GNUC__)
#define __attribute__(x)
#define __builtin_sqrt     sqrt
#define __builtin_sqrtf    sqrtf
#define __builtin_fabs     fabs
#define __builtin_fabsf    fabsf
#define __builtin_nan(tag) nan(tag)
#define __builtin_inf()    ((double)INFINITY)
#define __builtin_huge_val() HUGE_VAL
#endif"""

_SYSTEM = ("<math.h>", "<stddef.h>", "<stdint.h>", "<stdlib.h>", "<string.h>")


def _given(vehicle: Standalone) -> dict[str, Macro]:
    """Return the macros that the templates of csrc/standalone are used with."""
    values = {
        "LANE_INLINE": "static inline",
        "LANE_UNROLL": "",
        "LANE_WIDTH": "1",
        "LANE_PRECISION": "64",
        "RF_SET": "base",
        "SET_BEGIN": "",
        "SET_END": "",
        "RF_EACH_TYPE": '"standalone/vehicle.h"',
        "VEHICLE": vehicle.name,
        "VEHICLE_DT": number(DT),
        "VEHICLE_COMMANDS": vehicle.commands,
        "VEHICLE_ACTUATORS": str(vehicle.actuators),
        "VEHICLE_TYPE": str(vehicle.uav_type),
        "VEHICLE_FIELD": ", ".join(map(number, vehicle.field)),
        "VEHICLE_NOISE": ", ".join(map(number, vehicle.noise.deviations)),
        "VEHICLE_ACCURACY": ", ".join(map(number, vehicle.noise.accuracy)),
    }
    if vehicle.controlled:
        values["VEHICLE_CONTROLLED"] = "1"
        values |= {f"PERIOD_{k.upper()}": str(v) for k, v in vehicle.periods.items()}
    if vehicle.heading:
        values["VEHICLE_HEADING"] = vehicle.heading
    if vehicle.has("att_sp"):
        values["VEHICLE_ATT_SP"] = "1"
    if vehicle.draught is not None:
        values["VEHICLE_DRAUGHT"] = number(vehicle.draught)
        values["VEHICLE_DEPTH"] = number(vehicle.depth)
    given = {name: Macro(None, value) for name, value in values.items()}
    given["RF_SET_NAME"] = Macro(("name",), "name")
    given["COLUMN_MEMBER"] = MEMBER
    return given


class _Unit:
    """The chunks of one source of the core, with all that it includes."""

    def __init__(
        self, vehicle: Standalone, name: str, macros: Mapping[str, str] | None = None
    ) -> None:
        given = _given(vehicle)
        given |= {word: Macro(None, text) for word, text in (macros or {}).items()}
        self.preprocessor = Preprocessor(get_include(), given, vehicle.parameters.c_type)
        items = self.preprocessor.read(name)
        chunks, self.heads = chunks_of(items)
        plain = [
            Chunk("macro", "", frozenset({k}), "", f"#define {k} {m.body}".rstrip())
            for k, m in given.items()
            if m.parameters is None
        ]
        self.chunks = [*plain, *chunks]

    def needed(self, roots: Iterable[str]) -> list[Chunk]:
        """Return the chunks that names need."""
        return list(needed(self.chunks, roots))

    def fold(self, roots: Sequence[str], controlled: bool) -> None:
        """Remove from functions what never runs."""
        calls = {r"\bpart_enabled\(&?b, RF_PART_navigator\)": "1"} if controlled else {}
        calls[r"\bpart_enabled\(&?b, RF_PART_\w+\)"] = "0"
        one = "TYPE_ONE_MODEL" in {name for chunk in self.chunks for name in chunk.names}
        model = "2" if one else "1"
        values = {"full": model, "model": model, **_NUMBERS}
        values |= {"VEHICLE_MODEL": model, "VEHICLE_STEPS": model}
        known: set[str] = set()
        found = True
        while found:
            found = False
            for chunk in self.needed(roots):
                if chunk.kind != "function":
                    continue
                chunk.text = folded(chunk.text, calls, values)
                chunk.words = words_of(chunk.text)
                name = next(iter(chunk.names))
                if name not in known and (value := constant_of(chunk.text)):
                    known.add(name)
                    calls[rf"\b{name}\("] = value
                    found = True


def _units(
    vehicle: Standalone, main: _Unit, roots: Sequence[str]
) -> list[tuple[_Unit, list[Chunk]]]:
    """Return a unit with those whose functions it calls, these first."""
    main.fold(roots, vehicle.controlled)
    found = [(main, main.needed(roots))]
    done = {f"{vehicle.name}_{word}" for word in functions(vehicle)}
    for _, chunks in found:
        defined = {n for c in chunks if c.kind != "prototype" for n in c.names}
        for chunk in chunks:
            name = next(iter(chunk.names), "")
            if chunk.kind != "prototype" or name in defined or name in done:
                continue
            done.add(name)
            own = _Unit(vehicle, str(Path(chunk.file).with_suffix(".c")).replace("\\", "/"))
            own.fold([name], vehicle.controlled)
            found.append((own, own.needed([name])))
    return found[::-1]


def _apart(units: list[tuple[_Unit, list[Chunk]]]) -> None:
    """Rename what units define differently by the same name, and what uses it."""
    texts: dict[str, set[str]] = {}
    for _, chunks in units:
        for chunk in chunks:
            for name in chunk.names if chunk.kind != "prototype" else ():
                texts.setdefault(name, set()).add(chunk.text)
    differing = {name for name, found in texts.items() if len(found) > 1}
    differing -= {name for name in differing if _within_a_unit(name, units)}
    before: set[str] = set()
    while before != differing:
        before = set(differing)
        shared: dict[str, int] = {}
        for _, chunks in units:
            for chunk in chunks:
                for name in chunk.names if chunk.kind != "prototype" else ():
                    shared[name] = shared.get(name, 0) + 1
        for _, chunks in units:
            for chunk in chunks:
                if chunk.words - chunk.names & differing and chunk.words & differing:
                    differing |= {n for n in chunk.names if shared.get(n, 0) > 1}
    if not differing:
        return
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(differing))})\b")
    for k, (_, chunks) in enumerate(units[:-1], 1):
        for chunk in chunks:
            chunk.text = pattern.sub(rf"\g<0>_{k}", chunk.text)
            chunk.names = frozenset(f"{n}_{k}" if n in differing else n for n in chunk.names)
            chunk.words = words_of(chunk.text)


def _within_a_unit(name: str, units: list[tuple[_Unit, list[Chunk]]]) -> bool:
    """Return whether one unit alone has several definitions of a name."""
    owners = [k for k, (_, chunks) in enumerate(units) if any(name in c.names for c in chunks)]
    return len(owners) == 1


def vehicle_source(vehicle: Standalone) -> str:
    """Return the C source of a vehicle, which belongs to its header."""
    roots = [f"{vehicle.name}_{word}" for word in functions(vehicle)]
    unit = _Unit(vehicle, f"vehicles/{vehicle.parameters.family}/types.inc")
    about = (
        f"The functions are described in {vehicle.name}.h. Sources in brackets, with @, are those "
        "of docs/references.md of pyrfly."
    )
    tables = [_initial(vehicle), "", _columns(vehicle)]
    return "\n".join([title(vehicle, about), *_source(vehicle, unit, roots, tables)])


def interface_source(
    vehicle: Standalone, name: str, prefix: str, about: str, macros: Mapping[str, str] | None = None
) -> str:
    """Return the C source of functions that others call, by their prefix and a template.

    The template is one of csrc/standalone; it is used with further macros.
    """
    unit = _Unit(vehicle, f"standalone/{name}.h", macros)
    roots = sorted(n for c in unit.chunks for n in c.names if n.startswith(prefix))
    return "\n".join([title(vehicle, about), *_source(vehicle, unit, roots, [])])


def _source(
    vehicle: Standalone, main: _Unit, roots: Sequence[str], tables: Sequence[str]
) -> list[str]:
    """Return the lines of a C source with the functions `roots`."""
    units = _units(vehicle, main, roots)
    _apart(units)
    lines: list[str] = []
    written: set[str] = set()
    macros: dict[str, str] = {}
    headed: set[str] = set()
    for unit, chunks in units:
        for chunk in chunks:
            if chunk.kind != "macro" and chunk.text in written:
                continue
            if chunk.kind == "prototype" and chunk.names <= written:
                continue
            written |= {chunk.text, *(chunk.names if chunk.kind == "function" else ())}
            if chunk.file not in headed and chunk.kind not in ("macro", "check"):
                headed.add(chunk.file)
                lines += _section(chunk.file, unit.heads.get(chunk.file, ""))
            lines += _written(chunk, macros, roots)
    includes = [f'#include "{vehicle.name}.h"', "", *(f"#include {one}" for one in _SYSTEM)]
    return [*includes, "", _PORTABLE, "", *tables, "", *lines]


def _section(file: str, head: str) -> list[str]:
    rule = f"/* ---- {file} ---- */"
    if file.startswith("standalone/"):  # how to use the template
        return ["", rule]
    return ["", rule, head] if head else ["", rule]


def _written(chunk: Chunk, macros: dict[str, str], roots: Sequence[str]) -> list[str]:
    text = re.sub(r" {2,}(?=/\*)", " ", chunk.text) if chunk.kind == "macro" else chunk.text
    comment = [chunk.comment] if chunk.comment and "clang-format" not in chunk.comment else []
    if chunk.kind == "macro":
        name = next(iter(chunk.names))
        if macros.get(name) == text:
            return []
        undo = [f"#undef {name}"] if macros.get(name, text) != text else []
        macros[name] = text
        return [*undo, *comment, text]
    if chunk.kind in ("function", "prototype"):
        first = re.match(r"\w+", text)
        within = first is not None and "static" in macros.get(first[0], first[0])
        if not within and not chunk.names & set(roots):
            text = f"static {text}"
    return [*comment, text, ""]


def _initial(vehicle: Standalone) -> str:
    """Return the table of the values that a vehicle begins with."""
    name = vehicle.name
    lines = ["/* The parameter set, and the vehicle at rest at the origin. */"]
    lines.append(f"static const {name} {name}_initial = {{")
    for column in vehicle.columns:
        if not column.values.any():
            continue
        numbers = column.values.tolist()
        words = [f"{int(v)}u" if column.is_word else number(v) for v in numbers]
        value = words[0] if column.field.width == 1 else "{" + ", ".join(words) + "}"
        entry = f"    .{column.field.name} = {value},"
        if column.field.role in ("param", "gain"):
            entry += f" /* {column.field.unit} */"
        lines.append(entry)
    origin = ", ".join(map(number, DEFAULT_ORIGIN))
    lines += [f"    .origin = {{{origin}}},", f"    .dt = {DT},", "};"]
    return "\n".join(lines)


def _columns(vehicle: Standalone) -> str:
    """Return the table of the columns by name, which ends with one without."""
    name = vehicle.name
    lines = [
        "/* Columns by name. */",
        f"static const struct {name}_column {{",
        "    const char *name;",
        "    size_t offset;",
        "    int width;",
        f"}} {name}_columns[] = {{",
    ]
    for column in vehicle.columns:
        if not column.is_word:
            own = column.field
            lines.append(f"    {{{quoted(own.name)}, offsetof({name}, {own.name}), {own.width}}},")
    return "\n".join([*lines, "    {NULL, 0, 0},", "};"])
