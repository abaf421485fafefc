"""Write the files that are generated from the tables of the core.

Tables of docs/protocol.md from the bits, modes and indices, and from the layouts of pyrfly.wire,
of which docs/matlab.md and two functions of pyrfly/matlab/ are made, too (tools/matlab_tables.py);
pyrfly/vehicles/families.pyi from the registry of families; the docstrings of pyrfly/_core.pyi from
those of the core. What pyrfly needs to be imported the build makes itself: pyrfly/protocol/bits.py
(tools/bits_module.py), and with it pyrfly/columns.pyi (tools/columns_stub.py).

Run ``python tools/generate.py`` after changing a table; a test fails if the files are stale.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

from pyrfly import _core
from pyrfly.protocol.masks import PositionIgnore
from pyrfly.vehicles import FAMILIES, families
from pyrfly.wire import LAYOUTS, Layout

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import matlab_tables  # noqa: E402
from stub_docs import documented  # noqa: E402


def bit_table(word: str) -> str:
    """Return the bit table of a command word of the synthesis protocol."""
    rows = [
        f"| {value.bit_length() - 1} | `{name}` | {vendor} | {doc} |"
        for name, value, vendor, doc in _core.tables()[word]
    ]
    head = ["| bit | name | RflySim's name | meaning |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows])


def fault_table() -> str:
    """Return the table of the words that inject faults."""
    rows = [
        f"| {value} | `{name}` | {doc} |" for name, value, _, doc in _core.tables()["injection"]
    ]
    return "\n".join(["| word | name | fault |", "| --- | --- | --- |", *rows])


def mask_table() -> str:
    """Return the table of the bits of a mask of a position set-point."""
    rows = [
        f"| {bit.value.bit_length() - 1} | `{bit.name}` |"
        for bit in PositionIgnore
        if bit.value.bit_count() == 1
    ]
    return "\n".join(["| bit | ignored |", "| --- | --- |", *rows])


PORTS = {
    "command": "to 20100 + 2 (n - 1)",
    "state": "from the simulator to 20101 + 2 (n - 1)",
    "sil": "to 30100 + 2 (n - 1)",
    "truth": "from the simulator to 30101 + 2 (n - 1)",
    "px4ext": "from PX4 to 40101 + 2 (n - 1)",
    "config": "to 20002 or 30100 + 2 (n - 1)",
    "heartbeat": "from the simulator to 20005",
    "start": "between programs, to 20007",
    "imu": "from the simulator to 31000 + n - 1",
    "custom": "to 50000",
    "display": "from the simulator to 20010 + window",
    "scene": "from RflySim3D to 20006",
    "cluster": "between computers",
    "model": "no packet: an output of a model inside a program",
}
"""Port of a packet for or from vehicle n, by kind of port."""


def type_text(dtype: np.dtype[Any]) -> str:
    """Return the type of a field, such as ``float32[3]``."""
    base = "bytes" if dtype.base.kind == "S" else dtype.base.name
    count = dtype.base.itemsize if base == "bytes" else math.prod(dtype.shape)
    return f"{base}[{count}]" if dtype.shape or base == "bytes" else base


def signature_text(layout: Layout) -> str:
    """Return what identifies a packet."""
    if layout.header is not None:
        return f"tg = {layout.header[0]}, len = {layout.header[1]}"
    if layout.checksum is None:
        return "no checksum"
    more = "".join(f" or {value}" for value in layout.more_checksums)
    return f"checksum = {layout.checksum}{more}"


def layout_tables() -> str:
    """Return the layouts of all packets."""
    parts = []
    for layout in LAYOUTS.values():
        fields = (layout.dtype.fields or {}).items()
        rows = [
            f"| {offset} | {type_text(kind)} | `{name}` | {layout.meanings[name]} |"
            for name, (kind, offset, *_) in fields
        ]
        parts += [
            f"### `{layout.name}`",
            "",
            f"{layout.dtype.itemsize} bytes, {PORTS[layout.port_kind]}; {signature_text(layout)}.",
            "",
            "| offset | type | field | meaning |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    return "\n".join(parts).rstrip()


def page_with(name: str, tables: dict[str, str]) -> str:
    """Return a page of docs/ with updated tables, each at its mark."""
    page = (ROOT / "docs" / name).read_text("utf-8")
    for mark, table in tables.items():
        begin, end = f"<!-- {mark} -->\n", "<!-- end -->"
        before, found, rest = page.partition(begin)
        if not found:
            raise ValueError(f"docs/{name}: expected {begin.strip()}")
        page = before + begin + "\n" + table + "\n\n" + end + rest.partition(end)[2]
    return page


def protocol_page() -> str:
    """Return docs/protocol.md with updated tables."""
    tables = {f"bits: {word}": bit_table(word) for word in ("command", "offboard", "frame")}
    tables |= {"faults": fault_table(), "mask": mask_table(), "layouts": layout_tables()}
    return page_with("protocol.md", tables)


def matlab_page() -> str:
    """Return docs/matlab.md with updated settings of blocks."""
    return page_with("matlab.md", {"blocks": matlab_tables.blocks()})


def families_stub() -> str:
    """Return pyrfly/vehicles/families.pyi: type checkers ignore imports in a class."""
    commands = {name: family.commands for name, family in FAMILIES.items()}
    imports = {each.__module__: each.__name__ for each in commands.values()}
    imports["pyrfly.vehicles.family"] = "CommandsOf, Family"
    lines = [
        "# Generated by tools/generate.py from the registry; do not edit.",
        "from collections.abc import Mapping",
        "from typing import Any",
        "",
        *(f"from {module} import {names}" for module, names in sorted(imports.items())),
        "",
        "class Families:",
        *(f"    {name}: CommandsOf[{each.__name__}]" for name, each in commands.items()),
        "",
        "FAMILIES: Mapping[str, Family[Any]]",
        "DEFAULT_FAMILY: str",
        "",
        "def add_family(family: Family[Any]) -> None: ...",
        "",
        "def add_to_registry(commands: CommandsOf[Any]) -> None: ...",
        "",
        "def family_named(name: str) -> Family[Any]: ...",
        "",
        "def absent(name: object) -> str: ...",
    ]
    return documented("\n".join(lines) + "\n", families)


def core_stub() -> str:
    """Return pyrfly/_core.pyi with the docstrings of the core, which C has; types are its own."""
    return documented((ROOT / "pyrfly" / "_core.pyi").read_text(), _core)


GENERATED = {
    "pyrfly/_core.pyi": core_stub,
    "pyrfly/vehicles/families.pyi": families_stub,
    "docs/protocol.md": protocol_page,
    "docs/matlab.md": matlab_page,
    "pyrfly/matlab/pyrfly_packets.m": matlab_tables.packets,
    "pyrfly/matlab/pyrfly_words.m": matlab_tables.words,
}


def main() -> None:
    """Write the files."""
    for path, make in GENERATED.items():
        (ROOT / path).write_text(make())


if __name__ == "__main__":
    main()
