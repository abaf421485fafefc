"""pyrfly: RflySim's vehicle simulation as a Python package.

`Sim` simulates vehicles as batched arrays; `pyrfly.ctrl` is RflySim's control interface.
"""

from __future__ import annotations

from typing import Any

from pyrfly import _core
from pyrfly.errors import Error, MissingExtraError, MissionError, ParameterError, ShapeError
from pyrfly.sim import Group, Health, Setpoint, Sim
from pyrfly.vehicles import VehicleParameters, load, names

__version__ = _core.version

__all__ = [
    "Error",
    "Group",
    "Health",
    "MissingExtraError",
    "MissionError",
    "ParameterError",
    "Setpoint",
    "ShapeError",
    "Sim",
    "VehicleParameters",
    "__version__",
    "load",
    "names",
    "simd_info",
]


def simd_info() -> dict[str, Any]:
    """Return the instruction set in use, the available ones, and the vehicles per lane."""
    return _core.simd_info()
