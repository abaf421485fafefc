"""Entries of a parameter file: values with unit and source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np

from pyrfly.columns import Field
from pyrfly.errors import ParameterError, brief, near_names
from pyrfly.files import toml_document

__all__ = [
    "ANY",
    "FRACTION",
    "HEADER",
    "LARGEST",
    "NOT_NEGATIVE",
    "POSITIVE",
    "SMALLEST",
    "TINY",
    "Range",
    "Rule",
    "Value",
    "check_header",
    "check_number",
    "parse_toml",
    "read_text",
    "read_value",
    "read_values",
    "reject_unknown",
    "require",
    "rules",
]

Range = tuple[float, float]
"""Minimum and maximum of a value, both allowed."""

TINY = float(np.finfo(np.float64).tiny)
"""Minimum of a positive value."""

SMALLEST, LARGEST = 1e-30, 1e15
"""Magnitudes of values in SI units, beyond any vehicle: results of the tuning stay finite."""

ANY: Range = (-inf, inf)
"""All finite values."""

POSITIVE: Range = (TINY, inf)
"""Values above zero."""

NOT_NEGATIVE: Range = (0.0, inf)
"""Zero, and values above it."""

FRACTION: Range = (0.0, 1.0)
"""Shares of a whole."""

HEADER = (
    *("family", "name", "title", "aliases", "notes", "display_class"),
    *("px4_channels", "initial_inputs", "hull", "drawing"),
)
"""Entries that every file may have: texts, lists of names and numbers, tables."""


@dataclass(frozen=True)
class Rule:
    """Constraints of a parameter: width, unit, and the closed range of every element."""

    width: int
    unit: str
    minimum: float = -inf
    maximum: float = inf


def rules(fields: Iterable[Field], ranges: Mapping[str, Range]) -> dict[str, Rule]:
    """Return the rules of the parameter columns.

    Parameters
    ----------
    fields : iterable of Field
        Columns; those of other roles than ``param`` are ignored.
    ranges : mapping of str to Range
        Closed range of the elements by column; `ANY` for the others.
    """
    return {
        row.name: Rule(row.width, row.unit, *ranges.get(row.name, ANY))
        for row in fields
        if row.role == "param"
    }


@dataclass(frozen=True)
class Value:
    """The numbers of a parameter and their source."""

    numbers: tuple[float, ...]
    source: str


def parse_toml(origin: str, data: bytes) -> dict[str, Any]:
    """Return the document of the bytes of a file; ``origin`` names it in messages."""
    try:
        return toml_document(data)
    except ValueError as error:
        raise ParameterError(f"{origin}: {error}") from None


def reject_unknown(where: str, table: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Raise a ParameterError for an unknown key; the message lists similar names."""
    for key in table:
        if key not in known:
            names = near_names(key[:80], known)
            raise ParameterError(f"{where}: unknown key {brief(key)}; try {names}")


def require(where: str, table: Mapping[str, Any], needed: Iterable[str]) -> None:
    """Raise a ParameterError that lists the keys that are missing."""
    missing = [key for key in needed if key not in table]
    if missing:
        raise ParameterError(f"{where}: {', '.join(missing)}: missing")


def read_text(where: str, table: Mapping[str, Any], key: str) -> str:
    """Return the text of a key, which must not be empty."""
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise ParameterError(
            f"{where}: {key}: expected a text that is not empty, got {brief(value)}"
        )
    return value


def _is_finite(item: object) -> bool:
    """Return whether an element is a number and finite."""
    return (isinstance(item, int) and not isinstance(item, bool)) or (
        isinstance(item, float) and isfinite(item)
    )


def check_number(where: str, item: float, rule: Rule) -> None:
    """Raise a ParameterError for a number out of the range of a rule, or of any vehicle."""
    if item != 0 and not SMALLEST <= abs(item) <= LARGEST:
        raise ParameterError(
            f"{where}: expected 0 or a magnitude from {SMALLEST:g} to {LARGEST:g}, "
            f"got {brief(item)}"
        )
    if not rule.minimum <= item <= rule.maximum:
        expected = "more than 0" if rule.minimum == TINY else f"at least {rule.minimum:g}"
        if rule.maximum < inf:
            expected += f" and at most {rule.maximum:g}"
        raise ParameterError(f"{where}: expected {expected}, got {item!r}")


def numbers(where: str, value: object, rule: Rule) -> tuple[float, ...]:
    """Return the checked elements of a value."""
    items = [value] if rule.width == 1 else value
    shape = "a number" if rule.width == 1 else f"a list of {rule.width} numbers"
    if not isinstance(items, list) or len(items) != rule.width:
        raise ParameterError(f"{where}: value: expected {shape}, got {brief(value)}")
    for item in items:
        if not _is_finite(item):
            raise ParameterError(
                f"{where}: value: expected {shape}, all finite, got {brief(value)}"
            )
        check_number(f"{where}: value", item, rule)
    return tuple(float(item) for item in items)


def read_value(where: str, table: object, rule: Rule) -> Value:
    """Return the checked value of a table with the keys value, unit and, optionally, source."""
    if not isinstance(table, dict):
        raise ParameterError(
            f"{where}: expected a table of value, unit and source, got {brief(table)}"
        )
    reject_unknown(where, table, {"value": None, "unit": None, "source": None})
    if table.get("unit") != rule.unit:
        raise ParameterError(
            f"{where}: unit: expected {rule.unit!r}, got {brief(table.get('unit'))}"
        )
    if "value" not in table:
        raise ParameterError(f"{where}: value: missing")
    source = read_text(where, table, "source") if "source" in table else "not given"
    return Value(numbers(where, table["value"], rule), source)


def read_values(
    origin: str, table: Mapping[str, Any], rules: Mapping[str, Rule]
) -> dict[str, Value]:
    """Return the checked values of the entries that have a rule."""
    return {
        key: read_value(f"{origin}: {key}", table[key], rule)
        for key, rule in rules.items()
        if key in table
    }


def check_header(origin: str, document: Mapping[str, Any]) -> None:
    """Raise a ParameterError if the name is missing or an entry of `HEADER` invalid."""
    for key in ("name", "title") if "title" in document else ("name",):
        if not read_text(origin, document, key).isprintable():
            raise ParameterError(
                f"{origin}: {key}: expected printable characters, got {brief(document[key])}"
            )
    if "notes" in document:
        read_text(origin, document, "notes")
    shape = document.get("display_class", 1)
    if isinstance(shape, bool) or not isinstance(shape, int) or not 0 < shape < 2**31:
        raise ParameterError(
            f"{origin}: display_class: expected a number of RflySim3D from 1, got {brief(shape)}"
        )
    aliases = document.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise ParameterError(f"{origin}: aliases: expected a list of names, got {brief(aliases)}")
