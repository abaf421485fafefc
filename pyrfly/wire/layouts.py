"""Layouts of RflySim's packets as NumPy structured dtypes: `LAYOUTS`.

Those of vehicles' states are tables of the core, ``csrc/wire/packets.c``; the others are in
`pyrfly.wire.tables`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from pyrfly import _core
from pyrfly.errors import brief, table_of
from pyrfly.wire.tables import TABLES

__all__ = ["LAYOUTS", "NOTICES", "Layout", "dtype", "layout_of"]

NOTICES = {"ekf_fixed": 1234567891, "crash": 1234567892}
"""Checksums of notices, which have the layout of ``outHILStateShort``."""

_ALSO = {"SOut2Simulator": ("display",)}
"""Further kinds of port that packets of the core are sent to."""


class _Field(NamedTuple):
    """A field as a table has it; ``kind`` is a type of NumPy, ``items`` 1 unless it is an array."""

    name: str
    kind: str
    items: int
    meaning: str | None
    constants: tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """Layout of a packet.

    Attributes
    ----------
    name : str
        RflySim's name.
    dtype : numpy.dtype
        Its fields; ``itemsize`` is the length of the packet [bytes].
    checksum : int or None
        Value of its first field; None for a packet with a header ``tg``, ``len``, or with neither.
    port_kind : str
        Kind of its destination port, see `pyrfly.wire`.
    more_checksums : tuple of int
        Further valid values of its first field.
    header : tuple of (int, int) or None
        ``tg`` and ``len`` of a packet without a collision.
    more_ports : tuple of str
        Further kinds of port that it may be sent to.
    meanings : mapping of str to str
        What each field means, with its unit.
    """

    name: str
    dtype: np.dtype[np.void]
    checksum: int | None
    port_kind: str
    more_checksums: tuple[int, ...]
    header: tuple[int, int] | None
    more_ports: tuple[str, ...]
    meanings: Mapping[str, str]


class _Table(NamedTuple):
    name: str
    ports: tuple[str, ...]
    fields: tuple[_Field, ...]


def _declared(line: str) -> Iterator[_Field]:
    """Yield the fields of a line such as ``f4 pos[3] vel[3]`` or ``f8 time: time [s]``."""
    declaration, _, meaning = line.partition(": ")
    names, _, constants = declaration.partition(" = ")
    kind, *words = names.split()
    known = tuple(int(value) for value in constants.split(" or ") if value)
    for word in words:
        name, _, count = word.rstrip("]").partition("[")
        yield _Field(name, kind, int(count or 1), meaning or None, known)


def _written(text: str) -> Iterator[_Table]:
    """Yield the packets of a text of `pyrfly.wire.tables`."""
    for packet in text.strip().replace("\n    ", "\t").split("\n"):
        head, *lines = packet.split("\t")
        name, *ports = head.split()
        yield _Table(
            name, tuple(ports), tuple(field for line in lines for field in _declared(line))
        )


def _of_core() -> Iterator[_Table]:
    """Yield the packets that the core writes; not the payloads of MAVLink."""
    for name, port, rows in _core.wire_structures():
        if port == "mavlink":
            continue
        fields = [
            _Field(field, kind, count, meaning, () if constant is None else (int(constant),))
            for field, kind, count, meaning, constant, _ in rows
        ]
        if name == "outHILStateShort":
            checksum = fields[0].constants + tuple(NOTICES.values())
            fields[0] = fields[0]._replace(constants=checksum)
        yield _Table(name, (port, *_ALSO.get(name, ())), tuple(fields))


def _dtype_of(fields: Iterable[_Field]) -> np.dtype[np.void]:
    return np.dtype(
        [
            (name, kind if kind[0] == "S" else "<" + kind, (items,) if items > 1 else ())
            for name, kind, items, *_ in fields
        ]
    )


def _layout(table: _Table, vocabulary: Mapping[str, str]) -> Layout:
    known = {field.name: field.constants for field in table.fields}
    checksum, *more = known.get("checksum") or (None,)
    return Layout(
        table.name,
        _dtype_of(table.fields),
        checksum,
        table.ports[0],
        tuple(more),
        (known["tg"][0], known["len"][0]) if "tg" in known else None,
        table.ports[1:],
        MappingProxyType({f.name: f.meaning or vocabulary[f.name] for f in table.fields}),
    )


def _layouts() -> Iterator[Layout]:
    tables = [*_of_core(), *(table for text in TABLES for table in _written(text))]
    vocabulary: dict[str, str] = {}
    for field in (field for table in tables for field in table.fields):
        if field.meaning is not None:
            vocabulary.setdefault(field.name, field.meaning)
    for table in tables:
        yield _layout(table, vocabulary)


LAYOUTS: Mapping[str, Layout] = table_of({layout.name: layout for layout in _layouts()})
"""All layouts by name."""


def layout_of(name: str) -> Layout:
    """Return a layout by name; the ValueError for an unknown name lists all names."""
    try:
        return LAYOUTS[name]
    except (KeyError, TypeError):  # TypeError: what has no hash
        raise ValueError(f"name: expected one of {', '.join(LAYOUTS)}, got {brief(name)}") from None


def dtype(name: str) -> np.dtype[np.void]:
    """Return the structured dtype of a structure.

    Parameters
    ----------
    name : str
        A key of `LAYOUTS`.

    Raises
    ------
    ValueError
        There is no such structure.

    Examples
    --------
    >>> dtype("SOut2Simulator").itemsize
    168
    """
    return layout_of(name).dtype
