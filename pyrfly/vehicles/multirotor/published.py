"""The laws that RflySim publishes, where those of a parameter set are physical instead."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["published"]

_SPRING = 200.0  # N/m and N s/m, of the first band [@rfly-collision 3.1]
_FRICTION = 50.0  # N s/m, along the ground [@rfly-collision 3.1]
_SOURCE = "compatibility='rflysim'"


def published(parameters: VehicleParameters) -> VehicleParameters:
    """Return a parameter set with RflySim's published rotor moments and ground.

    The gyroscopic moment has the published sign, rotor acceleration no moment, and the ground the
    printed forces in newtons, for any mass (``csrc/models/rotor.h``, ``csrc/models/ground.h``).
    """
    mass = parameters.columns["mass"]
    columns = {
        "published_laws": np.ones(1),
        "ground_stiffness": _SPRING / mass,
        "ground_damping": _SPRING / mass,
        "ground_friction": _FRICTION / mass,
    }
    for column in columns.values():
        column.flags.writeable = False
    return replace(
        parameters,
        columns=parameters.columns | columns,
        sources=parameters.sources | dict.fromkeys(columns, _SOURCE),
        airframes=tuple(published(airframe) for airframe in parameters.airframes),
    )
