"""Requirements of the full and the plain model on the parameters of a multirotor."""

from __future__ import annotations

import numpy as np

from pyrfly.errors import ParameterError
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["fastest_rate", "require_plain"]

_GROUND_RATES = ("ground_damping", "ground_level_damping", "ground_friction")


def fastest_rate(parameters: VehicleParameters, effects: str) -> float:
    """Return the maximum decay rate [1/s]: of the motors, and of ground contact with 'full'."""
    columns = parameters.columns
    rates = [1 / columns["motor_tau"]]
    if effects == "full":
        rates += [columns[name] for name in _GROUND_RATES]
    return float(np.concatenate(rates).max())


def require_plain(parameters: VehicleParameters) -> None:
    """Raise a ParameterError for linear thrust terms or a nonlinear motor curve."""
    columns = parameters.columns
    coefficients = columns.get("thrust_coef", columns.get("rotor_thrust_coef"))
    assert coefficients is not None
    linear = coefficients[: len(coefficients) // 2]
    if np.any(linear) or np.any(columns["motor_curve"][2:]):
        raise ParameterError(
            f"effects: expected 'full' for {parameters.name!r}, got 'plain', which has thrust "
            "quadratic in speed and speed linear in throttle only"
        )
