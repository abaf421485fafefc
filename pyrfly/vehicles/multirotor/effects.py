"""Requirements of the full and the plain model on the parameters of a multirotor."""

from __future__ import annotations

from math import sqrt

import numpy as np

from pyrfly.errors import ParameterError, ParameterWarning, warn
from pyrfly.vehicles.body import principal_moments
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["fastest_rate", "require_plain"]


def fastest_rate(parameters: VehicleParameters, effects: str) -> float:
    """Return an upper bound of the decay rates [1/s]: of the motors, and with 'full' of the body.

    Linear drag and damping add to the damping by ground contact.
    """
    columns = parameters.columns
    motors = float((1 / columns["motor_tau"]).max())
    if effects != "full":
        return motors
    drag = float(columns["drag_linear"].max() / columns["mass"][0])
    damping = float(columns["damping_linear"].max() / principal_moments(columns["inertia"])[0])
    level = float(columns["ground_level_damping"][0])
    return max(motors, *_ground_rates(parameters, drag), level + damping)


def _ground_rates(parameters: VehicleParameters, drag: float) -> tuple[float, float]:
    """Return bounds of the decay rates [1/s] of motion across and along the ground.

    The equation of motion along it is x'' + (friction + drag) x' + friction^2 / 4 x = 0; by the
    published law, the ground has no spring along and five times the damping in its last band.
    """
    columns = parameters.columns
    across, along = (float(columns[f"ground_{name}"][0]) for name in ("damping", "friction"))
    if columns["published_laws"][0]:
        return 5 * across + drag, along + drag
    return across + drag, (along + drag + sqrt(drag * (2 * along + drag))) / 2


def require_plain(parameters: VehicleParameters) -> None:
    """Raise a ParameterError for linear thrust terms or a nonlinear motor curve.

    Warn of the other effects that a set has and the plain model leaves out.
    """
    columns = parameters.columns
    coefficients = columns.get("thrust_coef", columns.get("rotor_thrust_coef"))
    assert coefficients is not None
    linear = coefficients[: len(coefficients) // 2]
    if np.any(linear) or np.any(columns["motor_curve"][2:]):
        raise ParameterError(
            f"effects: expected 'full' for {parameters.name!r}, whose thrust has a linear term in "
            "the rotor speed, or whose rotor speed is no straight line in the throttle; 'plain' "
            "has neither"
        )
    omitted = _omitted(parameters)
    if omitted:
        warn(
            f"effects: 'plain' leaves out of {parameters.name!r}: {', '.join(omitted)}",
            ParameterWarning,
        )


def _omitted(parameters: VehicleParameters) -> list[str]:
    """Return the names and values of parameters that the plain model does not use."""
    columns = parameters.columns
    coefficients = columns.get("torque_coef", columns.get("rotor_torque_coef"))
    assert coefficients is not None
    rise, fall = columns["motor_tau"]
    values = {
        "drag_linear": columns["drag_linear"],
        "damping_linear": columns["damping_linear"],
        "drag_offset": columns["drag_offset"],
        "linear torque": coefficients[: len(coefficients) // 2],
        "products of inertia": columns["inertia"][3:],
        "falling motor_tau": columns["motor_tau"][1:] if fall != rise else np.zeros(1),
    }
    return [
        f"{name} ({', '.join(f'{value:g}' for value in numbers)})"
        for name, numbers in values.items()
        if np.any(numbers)
    ]
