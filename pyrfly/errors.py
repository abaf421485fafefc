"""The exceptions that pyrfly raises.

All derive from `Error`, and each also from the built-in that a caller would expect. A message names
the argument or the file entry, what was expected, and what came.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable
from typing import Any

__all__ = [
    "Error",
    "MissingExtraError",
    "MissionError",
    "ParameterError",
    "ShapeError",
    "import_extra",
    "near_names",
]


class Error(Exception):
    """Base class of every exception that pyrfly raises on purpose."""


class ParameterError(Error, ValueError):
    """A vehicle, a parameter set or one of its values is not usable."""


class MissionError(Error, ValueError):
    """A mission file cannot be read or holds something that cannot be flown."""


class ShapeError(Error, ValueError):
    """An array argument has the wrong shape."""


class MissingExtraError(Error, ImportError):
    """An optional dependency is not installed."""


def near_names(word: str, known: Iterable[str]) -> str:
    """Return the known names nearest to a misspelt one, or all of them, for an error message."""
    names = list(known)
    return ", ".join(difflib.get_close_matches(word, names, n=3) or names)


def import_extra(module: str, extra: str, purpose: str) -> Any:
    """Import a module of an optional dependency.

    Parameters
    ----------
    module : str
        Name of the module.
    extra : str
        The extra of pyrfly that installs it.
    purpose : str
        What needs it, to begin the error message with.

    Raises
    ------
    MissingExtraError
        When it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f"{purpose} needs {package}, which is not installed: pip install 'pyrfly[{extra}]'"
        ) from None
