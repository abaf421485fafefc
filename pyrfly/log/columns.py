"""Columns of logs: the header of files as JSON, and names of components, `component_names`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from pyrfly.columns import MOST_NAMED, Field, column_meanings, components_of
from pyrfly.errors import brief
from pyrfly.vehicles.abilities import Abilities

__all__ = [
    "FAULT_COLUMNS",
    "MOST_COMPONENTS",
    "component_names",
    "fields_named",
    "fields_of",
    "header_text",
    "named_field",
    "trailer_columns",
]

FORMAT_VERSION = 1  # of .npz files; incremented if older versions of pyrfly cannot read them

FAULT_COLUMNS = ("fault_kind", "fault_items", "fault_onset", "fault_share")
"""What a log says of each fault at every sample: the labels of a data set. A recording may get them
after its beginning; they are zeros before."""

MOST_COMPONENTS = 10_000
"""Maximum number of components of all columns of a file."""


def trailer_columns(vehicles: Iterable[Abilities]) -> tuple[str, ...]:
    """Return the columns of the pose of a trailer that all of some vehicles have, if they have."""
    trailers = {able.trailer for able in vehicles}
    return next((trailer for trailer in trailers if trailer and len(trailers) == 1), ())


def header_text(fields: Iterable[Field], metadata: dict[str, Any]) -> str:
    """Return the header of a file; raise a TypeError for metadata that JSON cannot represent."""
    header = {"format": FORMAT_VERSION, "fields": list(fields), "metadata": metadata}
    try:
        return json.dumps(header)
    except (TypeError, ValueError) as error:
        raise TypeError(f"metadata: expected values that JSON can hold: {error}") from None


def fields_of(header: Any) -> dict[str, Field]:
    """Return the fields of the header of a file, which is checked; raise an error if invalid."""
    if not isinstance(header, dict):
        raise ValueError(f"header: expected an object, got {brief(header)}")
    version = header["format"]
    if version != FORMAT_VERSION or isinstance(version, bool):
        raise ValueError(f"format version {FORMAT_VERSION}, got version {brief(version)}")
    if not isinstance(header["metadata"], dict):
        raise ValueError(f"metadata: expected an object, got {brief(header['metadata'])}")
    entries = header["fields"]
    if not isinstance(entries, list) or not all(map(_is_entry, entries)):
        raise ValueError(
            f"fields: expected rows of {', '.join(Field._fields)}, got {brief(entries)}"
        )
    rows = [Field(*row) for row in entries]
    for row in rows:
        texts = (row.name, row.role, row.unit, row.frame, row.doc)
        if type(row.width) is not int or row.width < 1 or not all(type(t) is str for t in texts):
            raise ValueError(f"fields: expected texts and a width of at least 1, got {brief(row)}")
    if not rows:
        raise ValueError("fields: expected at least one")
    if (width := sum(row.width for row in rows)) > MOST_COMPONENTS:  # each of them has a name
        raise ValueError(f"fields: expected at most {MOST_COMPONENTS} components, got {width}")
    fields = {row.name: row for row in rows}
    if len(fields) < len(rows):
        raise ValueError("fields: expected each name once")
    return fields


def _is_entry(row: object) -> bool:
    return isinstance(row, list) and len(row) == len(Field._fields)


def component_names(column: Field) -> tuple[str, ...]:
    """Return a name for each component of a column, such as ``pos_north``.

    Parameters
    ----------
    column : Field
        The column.

    Returns
    -------
    tuple of str
        The name of the column followed by ``north``, ``east``, ``down`` for vectors in NED; ``x``,
        ``y``, ``z`` (forward, right, down) for vectors in FRD; ``w``, ``x``, ``y``, ``z`` for
        quaternions; else numbers from 1, such as those of the rotors. For width 1 the name of the
        column.
    """
    if column.width == 1:
        return (column.name,)
    names = components_of(column) or range(1, column.width + 1)
    return tuple(f"{column.name}_{name}" for name in names)


def named_field(name: str, width: int) -> Field:
    """Return the column of a name in a file that does not describe it: that of the core, if any."""
    known = column_meanings_once().get(name, ())
    fitting = [meaning for meaning in known if width in meaning.widths.values()] or known
    field = fitting[0].field if fitting else Field(name, width, "", "", "", "")
    return field._replace(width=width)


column_meanings_once = cache(column_meanings)


def fields_named(components: Iterable[str]) -> dict[str, Field]:
    """Return the columns of components in the order of a file; see `component_names`."""
    names, fields = list(components), {}
    first = 0
    while first < len(names):
        field = _field_at(names, first)
        first += field.width
        fields[field.name] = field
    return fields


def _field_at(components: list[str], first: int) -> Field:
    """Return the column that begins at a component; what is no column of the core is a number."""
    stem = components[first].rpartition("_")[0]
    for name in (components[first], stem):
        if name not in column_meanings_once():
            continue
        # Few widths, because a table may have very many columns: all the numbers, or words.
        numbered = _numbered(name, components, first)
        for width in (max(numbered, 1), *range(MOST_NAMED, 0, -1)):
            field = named_field(name, width)
            if component_names(field) == tuple(components[first : first + width]):
                return field
    return named_field(components[first], 1)


def _numbered(name: str, components: list[str], first: int) -> int:
    """Return how many components are ``name_1``, ``name_2``, ... from one on."""
    count = 0
    while components[first + count : first + count + 1] == [f"{name}_{count + 1}"]:
        count += 1
    return count
