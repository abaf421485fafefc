"""Exceptions of pyrfly.

All derive from `Error`, and each also from a built-in exception. A message names the argument or
the file entry, the expected value with its unit, and the received value.
"""

from __future__ import annotations

import difflib
import heapq
import importlib
import sys
import warnings
from collections.abc import Iterable, Mapping
from math import floor, log10
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

import numpy as np

__all__ = [
    "CampaignError",
    "CommandWarning",
    "Error",
    "MapError",
    "MissingExtraError",
    "MissionError",
    "MixerError",
    "ParameterError",
    "ParameterWarning",
    "RunEnded",
    "SceneError",
    "ShapeError",
    "Table",
    "UnsupportedError",
    "assert_never",
    "at_most",
    "brief",
    "end_import",
    "import_extra",
    "near_names",
    "require_kind",
    "table_of",
    "warn",
]


_SHOWN_PROBLEMS = 20  # of a mission, in a message


class Error(Exception):
    """Base class of the exceptions of pyrfly."""


class ParameterError(Error, ValueError):
    """A vehicle, a parameter set or one of its values is invalid."""


class MissionError(Error, ValueError):
    """A mission or its file is invalid, or uses an unsupported item.

    Parameters
    ----------
    *problems : str
        One line each. A single one is the message; of several the message is a list.
    """

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        lines = [f"{len(problems)} errors", *problems[:_SHOWN_PROBLEMS]]
        if len(problems) > _SHOWN_PROBLEMS:
            lines.append(f"and {len(problems) - _SHOWN_PROBLEMS} more")
        super().__init__(problems[0] if len(problems) == 1 else "\n  ".join(lines))


class CaseError(Error, ValueError):
    """A case or its file is invalid."""


class CampaignError(Error, ValueError):
    """A campaign has no such measure or a bad one, or its folder is none, damaged or another's."""


class MapError(Error, ValueError):
    """A terrain map is missing, cannot be read or is invalid."""


class SceneError(Error, ValueError):
    """A shape or a scene is invalid, or a file of one is missing, cannot be read or is invalid."""


class MixerError(Error, ValueError):
    """A mixer file is missing or invalid, or an airframe has none."""


class ShapeError(Error, ValueError):
    """An array argument has the wrong shape."""


class UnsupportedError(Error, NotImplementedError):
    """A method of RflySim's interface that the vehicle or the link in use cannot execute."""


class MissingExtraError(Error, ImportError):
    """An optional dependency is not installed."""


class RunEnded(Error, RuntimeError):
    """A safety boundary has ended the run: no step is taken until `Safety.resume` or a reset.

    Parameters
    ----------
    reason : str
        What was crossed, by which vehicle, and when.
    crossing : Crossing
        The same as data, a `pyrfly.sim.boundaries.Crossing`.
    """

    def __init__(self, reason: str, crossing: Any) -> None:
        self.reason, self.crossing = reason, crossing
        super().__init__(f"the run has ended: {reason}")


class CommandWarning(UserWarning):
    """A command that has no effect as things are, such as one to a vehicle that is not armed."""


class ParameterWarning(UserWarning):
    """A value that is possible, but unusual, such as one in another unit than that expected."""


def warn(message: str, category: type[Warning]) -> None:
    """Warn of the line that called pyrfly, from any depth inside of it."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level + 1)


def _is_inside(module: object) -> bool:
    """Return whether a frame of a module is of pyrfly, or between its own: a cached property."""
    return isinstance(module, str) and module.partition(".")[0] in ("pyrfly", "functools")


def brief(value: object, length: int = 80) -> str:
    """Return the repr of a received value for an error message, shortened to some length.

    A scalar of NumPy is shown as a plain number.
    """
    try:
        text = repr(value.item() if isinstance(value, np.generic) else value)
    except ValueError:  # Python converts no integers of more than 4300 digits
        return "a huge integer"
    return text if len(text) <= length else f"{text[: length - 3]}..."


def at_most(limit: float) -> str:
    """Return a positive upper limit for an error message, rounded down, so that it is allowed."""
    unit = 10.0 ** (floor(log10(limit)) - 3)
    return f"{floor(limit / unit * (1 + 1e-12)) * unit:.4g}"


def require_kind(name: str, value: object, kind: type) -> None:
    """Raise a TypeError that names an argument which is no object of a class."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected {kind.__name__}, got {brief(value)}")


def assert_never(value: NoReturn) -> NoReturn:
    """Mark the case of a ``match`` that no type is left for, so that mypy reports a forgotten one.

    ``typing.assert_never`` of Python 3.11.
    """
    raise AssertionError(f"expected a case for each type, got {brief(value)}")


_SHORT = 3  # letters of an abbreviation


def near_names(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the known names closest to a misspelt one, for an error message.

    One of at least 3 letters that is the beginning of the word, such as "pos" of "position", comes
    first. Without any it is ``otherwise``, or all of them. difflib, which takes milliseconds for
    hundreds of names, sees those that share most pairs of letters.
    """
    names, pairs = list(known), _pairs(word)
    short = max((n for n in names if len(n) >= _SHORT and word.startswith(n)), key=len, default="")

    def shared(name: str) -> float:
        own = _pairs(name)
        return len(pairs & own) / (len(pairs) + len(own) + 1)

    alike = heapq.nlargest(16, names, shared)
    near = [name for name in (short, *difflib.get_close_matches(word, alike, n=3)) if name]
    return ", ".join(dict.fromkeys(near)) or otherwise or ", ".join(names)


def _pairs(word: str) -> set[str]:
    return {word[i : i + 2] for i in range(len(word) - 1)}


Value = TypeVar("Value")


def table_of(values: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return a read-only table whose KeyError names the keys closest to a misspelt one.

    Examples
    --------
    >>> table_of({"mass": 1.0, "wind": 2.0})["mas"]
    Traceback (most recent call last):
    KeyError: "no 'mas'; try mass"
    """
    return MappingProxyType(Table(values))


class Table(dict[str, Value]):
    """A table whose KeyError names the keys closest to a misspelt one."""

    def __missing__(self, key: object) -> NoReturn:
        near = near_names(str(key)[:80], self, otherwise="one of its keys")
        raise KeyError(f"no {brief(key)}; try {near}")


def import_extra(module: str, extra: str, purpose: str) -> Any:
    """Import a module of an optional dependency.

    Parameters
    ----------
    module : str
        Name of the module.
    extra : str
        The extra of pyrfly that installs it.
    purpose : str
        What needs it: the subject of the error message.

    Raises
    ------
    MissingExtraError
        It is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f"{purpose} needs {package}, which is not installed: pip install 'pyrfly[{extra}]'"
        ) from None


def end_import(error: ImportError) -> BaseException:
    """Return what an import of pyrfly raises where an environment variable is wrong.

    ``python -m pyrfly``, which begins with this import, prints it alone.
    """
    words = [word.removeprefix("-m").partition(".")[0] for word in sys.orig_argv]
    if sys.argv[:1] == ["-m"] and "pyrfly" in words:
        print(f"pyrfly: error: {error}", file=sys.stderr)
        return SystemExit(2)
    return error.with_traceback(None)
