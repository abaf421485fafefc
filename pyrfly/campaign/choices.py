"""What a campaign flies: vehicles, missions, policies and functions, each with a name."""

from __future__ import annotations

import hashlib
import importlib
import os
import pickle
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pyrfly.cases import Case, is_case_file, read_case
from pyrfly.errors import brief
from pyrfly.mission import Mission, read_mission
from pyrfly.sim.arguments import checked_seed
from pyrfly.vehicles import VehicleParameters, load

__all__ = ["AXES", "UNNAMED", "Choice", "chosen", "described", "function_of"]

UNNAMED = " (cannot be imported or pickled)"
"""End of the description of an object that nothing tells from others."""


class Choice(NamedTuple):
    """A value of an axis of a campaign.

    Attributes
    ----------
    name : str, int or float
        Its name in results.
    value : VehicleParameters, Mission, callable or value
        What it is.
    """

    name: str | float
    value: Any


def chosen(argument: str, axis: str, value: Any) -> Choice:
    """Return a value of an axis: an entry of `AXES`, or an argument of a fault or boundary.

    Raises
    ------
    TypeError, ValueError
        It is none; the message begins with the argument. `ParameterError` and `MissionError` are
        those of their files.
    """
    return AXES.get(axis, _value)(argument, value)


def _vehicle(argument: str, value: Any) -> Choice:
    if not isinstance(value, VehicleParameters):
        if not isinstance(value, (str, os.PathLike)):
            raise TypeError(f"{argument}: expected a parameter set or its name, got {brief(value)}")
        value = load(value)
    return Choice(value.name, value)


def _mission(argument: str, value: Any) -> Choice:
    if isinstance(value, (str, os.PathLike)):
        if is_case_file(value):
            return Choice(Path(value).name, read_case(value))
        return Choice(Path(value).stem, read_mission(value))
    if not isinstance(value, Mission | Case):
        raise TypeError(
            f"{argument}: expected a Mission, a Case or the path of its file, got {brief(value)}"
        )
    return Choice(value.name, value)


def _callable(argument: str, value: Any) -> Choice:
    function = function_of(argument, value)
    return Choice(value if isinstance(value, str) else _identity(function), function)


def _value(_: str, value: Any) -> Choice:
    """Return a value of an argument of a fault or boundary, which is checked with its others."""
    return Choice(value if isinstance(value, (str, int, float)) else str(value), value)


def _seed(_: str, value: Any) -> Choice:
    seed = checked_seed(value)
    return Choice(seed, seed)


AXES: Mapping[str, Callable[[str, Any], Choice]] = {
    "vehicle": _vehicle,
    "mission": _mission,
    "policy": _callable,
    "function": _callable,
    "seed": _seed,
}
"""What can be swept besides columns, and the functions that check their values."""


def function_of(argument: str, value: Any) -> Callable[..., Any]:
    """Return a callable, or that of a text ``"module:name"``.

    Raises
    ------
    TypeError, ValueError
        It is none; the message begins with the argument.
    """
    if isinstance(value, str):
        value = _imported(argument, value)
    if not callable(value):
        raise TypeError(f"{argument}: expected a callable or 'module:name', got {brief(value)}")
    function: Callable[..., Any] = value
    return function


def _imported(argument: str, text: str) -> Any:
    module, colon, names = text.partition(":")
    if not (module and colon and names) or module.startswith("."):
        raise ValueError(f"{argument}: expected 'module:name', got {brief(text)}")
    try:
        found: Any = importlib.import_module(module)
    except (ImportError, ValueError) as error:
        raise ValueError(f"{argument}: {module!r} cannot be imported: {error}") from error
    for name in names.split("."):
        if not hasattr(found, name):
            raise ValueError(f"{argument}: {module!r} has no {name!r}")
        found = getattr(found, name)
    return found


def _identity(value: Any) -> str:
    """Return a text that tells an object from others, also in another process.

    ``module:name`` of what can be imported; else the attribute ``name``, or a digest of the pickled
    object. Without any the text ends with `UNNAMED`.
    """
    kind = value if hasattr(value, "__qualname__") else type(value)
    text = f"{kind.__module__}:{kind.__qualname__}"
    if _is_importable(value, kind):
        return text
    name = getattr(value, "name", None)
    if isinstance(name, str) and name:
        return name
    try:
        data = pickle.dumps(value, protocol=4)
    except Exception:  # whatever the object raises
        return text + UNNAMED
    return f"{text} {_digest_of(data)}"


def _is_importable(value: Any, kind: Any) -> bool:
    try:
        found = attrgetter(kind.__qualname__)(sys.modules[kind.__module__])
    except (AttributeError, KeyError):
        return False
    return found is value


def described(value: Any) -> Any:
    """Return a value as JSON has it, to compare descriptions; of missions and sets a digest."""
    if isinstance(value, Choice):
        return value.name if callable(value.value) else described(value.value)
    if isinstance(value, Mapping):
        return {str(key): described(item) for key, item in value.items()}
    if isinstance(value, VehicleParameters):
        columns = {name: column.tolist() for name, column in value.columns.items()}
        parts = [columns, described(value.hull), *map(described, value.airframes)]
        return f"{value.name} {_digest(parts)}"
    if isinstance(value, Mission):
        return f"{value.name} {_digest(value)}"
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [described(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        items = {row.name: described(getattr(value, row.name)) for row in fields(value)}
        return {type(value).__qualname__: items}
    kind: Any = type(value)
    if callable(value) or kind.__repr__ is object.__repr__:
        return _identity(value)
    return value if isinstance(value, (str, int, float, bool, type(None))) else repr(value)


def _digest(value: Any) -> str:
    return _digest_of(repr(value).encode())


def _digest_of(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()
