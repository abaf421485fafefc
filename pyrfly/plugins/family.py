"""The family of vehicles whose models are libraries with RflySim's functions: `FAMILY`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.errors import ParameterError
from pyrfly.plugins.parameters import COMMANDS, NAME, LibraryModel, build
from pyrfly.protocol.px4_channels import Px4Airframe
from pyrfly.vehicles.abilities import Abilities
from pyrfly.vehicles.actuators import SERVO
from pyrfly.vehicles.commands import FamilyCommands
from pyrfly.vehicles.family import Family
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["FAMILY", "SET_POINTS"]

SET_POINTS = ("DllinSIL28d", "DllInputDoubCtrls", "DllInputSILs")
"""Functions that take inSILInts and inSILFloats, which a model with a controller has."""


_MAXIMUM_STEPS = 1_000_000  # of a model in one of a Sim


def _models(parameters: VehicleParameters, ids: Sequence[int], dt: float) -> list[_core.Library]:
    """Return a model for each vehicle, which takes whole steps of its own in one of ``dt`` [s]."""
    assert isinstance(parameters, LibraryModel)
    models = [parameters.open(vehicle) for vehicle in ids]
    for model in models:
        steps = round(min(dt / model.period, _MAXIMUM_STEPS + 1.0))
        if not 1 <= steps <= _MAXIMUM_STEPS or abs(steps * model.period - dt) > 1e-6 * dt:
            raise ParameterError(
                f"dt: expected whole steps of {model.period:g} s, that of {parameters.name!r}, "
                f"got {dt:g}"
            )
        model.per_step = steps
    return models


def _abilities(parameters: VehicleParameters) -> Abilities:
    """Return what a model can do: it has a controller where it takes RflySim's set-points."""
    assert isinstance(parameters, LibraryModel)
    return Abilities(controlled=any(name in parameters.exports for name in SET_POINTS))


def _as_they_come(parameters: VehicleParameters) -> NDArray[np.float64]:
    return np.eye(COMMANDS)


FAMILY: Family[FamilyCommands] = Family(
    name=NAME,
    sets=Path(__file__).parent,
    build=build,
    gains=lambda columns, c_type, periods=None: {},
    trim=lambda parameters: 0.0,
    fastest_rate=lambda parameters, effects: 1.0,
    actuators=lambda parameters: (SERVO,) * COMMANDS,
    abilities=Abilities(),
    abilities_by_set=_abilities,
    commands=FamilyCommands,
    px4_airframe=Px4Airframe(unscaled=True),
    ardupilot=_as_they_come,
    models=_models,
)
