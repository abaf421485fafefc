"""pyrfly: RflySim's vehicle simulation as a Python package.

`Sim` simulates vehicles as batched arrays; `pyrfly.ctrl` is RflySim's control interface.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy  # noqa: F401  (first: the core turns an interrupted import of it into an ImportError)

from pyrfly.errors import (
    CommandWarning,
    Error,
    MissingExtraError,
    MissionError,
    ParameterError,
    ParameterWarning,
    RunEnded,
    ShapeError,
    end_import,
)

try:
    import pyrfly._core  # noqa: F401  (its own errors, before others use it)
except ModuleNotFoundError as error:
    if error.name != "pyrfly._core":
        raise
    raise ImportError(
        f"{__path__[0]} holds the sources of pyrfly, without the compiled core for this Python.\n"
        "To use the installed pyrfly, run Python in another folder than this source tree.\n"
        "To use the sources, build their core: python -m pip install -e ."
    ) from None
except ImportError as error:  # of PYRFLY_THREADS, PYRFLY_SIMD; not where it was detected
    raise end_import(error) from None

from pyrfly import _core
from pyrfly.headers import get_include
from pyrfly.sim import Group, Health, LinearModel, OperatingPoint, Setpoint, Sim
from pyrfly.vehicles import VehicleParameters, load, names

__version__ = _core.version
"""Version of the package, and of its compiled core."""

__all__ = [
    "CommandWarning",
    "Error",
    "Group",
    "Health",
    "LinearModel",
    "MissingExtraError",
    "MissionError",
    "OperatingPoint",
    "ParameterError",
    "ParameterWarning",
    "RunEnded",
    "Setpoint",
    "ShapeError",
    "Sim",
    "VehicleParameters",
    "__version__",
    "get_include",
    "load",
    "names",
    "simd_info",
]


_SUBPACKAGES = ("compare", "ctrl", "log", "mission")
"""Imported where they are used first, as ``pyrfly.mission`` after ``import pyrfly``."""


if not TYPE_CHECKING:  # a type checker should find what does not exist

    def __getattr__(name: str) -> Any:
        if name in _SUBPACKAGES:
            return import_module(f"pyrfly.{name}")
        raise AttributeError(f"module 'pyrfly' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_SUBPACKAGES})


def simd_info() -> dict[str, Any]:
    """Return the instruction set in use, the available ones, and the vehicles per lane."""
    return _core.simd_info()


if "PYRFLY_FAMILIES" in os.environ:
    try:
        import_module("pyrfly.plugins").load_families(os.environ["PYRFLY_FAMILIES"])
    except Error as error:
        raise end_import(ImportError(f"PYRFLY_FAMILIES: {error}")) from None
