"""Vehicles whose model is a library with RflySim's functions: `LibraryModel`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from pyrfly import _core
from pyrfly.errors import ParameterError
from pyrfly.plugins.library import open_model
from pyrfly.vehicles.family import Read
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["COMMANDS", "NAME", "LibraryModel", "build"]

NAME = "rflysim_model"
"""The family, and its type of the core."""

COMMANDS = 16
"""Actuator commands of each."""


@dataclass(frozen=True, eq=False)
class LibraryModel(VehicleParameters):
    """A vehicle whose model is a library; `pyrfly.plugins.load` makes it.

    Attributes
    ----------
    path : Path
        The file of the library.
    exports : tuple of str
        Functions of RflySim's model interface that it has.
    missing : tuple of str
        Those that it lacks; what they do is absent.
    isolate : bool
        Whether each vehicle has a process of its own.
    limit : float
        Time [s] that a call of an isolated model may last.
    printed : callable, optional
        What is called with the CopterID and each line that an isolated model prints.
    step : float
        Step of the model [s]; ``dt`` of a `pyrfly.Sim` is a multiple of it.
    """

    path: Path = field(default=Path())
    exports: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    isolate: bool = False
    limit: float = 1.0
    printed: Callable[[int, str], object] | None = None
    step: float = 1e-3

    def open(self, vehicle: int) -> _core.Library:
        """Return the model of a vehicle, by its CopterID."""
        hear = None if self.printed is None else partial(self.printed, vehicle)
        return open_model(self.path, isolate=self.isolate, limit=self.limit, hear=hear)


def build(origin: str, document: Mapping[str, Any], read: Read) -> NoReturn:
    """Refuse a parameter file: libraries are loaded where a caller names them, never by a file."""
    raise ParameterError(
        f"{origin}: a parameter file cannot name a library; use pyrfly.plugins.load"
    )
