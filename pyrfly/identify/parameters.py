"""Values and names of what can be identified of a set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from pyrfly.errors import ParameterError, brief, near_names
from pyrfly.vehicles import VehicleParameters
from pyrfly.vehicles.identifying import Parameter

__all__ = ["require_name", "with_values"]


def require_name(argument: str, name: object, names: Sequence[str]) -> None:
    """Raise a ParameterError for a name that is none of a table."""
    if name not in names:
        raise ParameterError(
            f"{argument}: unknown parameter {brief(name)}; try {near_names(str(name)[:80], names)}"
        )


def with_values(
    params: VehicleParameters, table: Sequence[Parameter], values: Mapping[str, float]
) -> VehicleParameters:
    """Return a set with values of parameters in its columns.

    Raises
    ------
    ParameterError
        A value is not finite or below the least one.
    """
    columns = {name: np.array(column) for name, column in params.columns.items()}
    for parameter in table:
        if parameter.name not in values or parameter.column not in columns:
            continue
        value = values[parameter.name]
        if not (np.isfinite(value) and value >= parameter.low):
            raise ParameterError(
                f"{parameter.name}: expected a number of at least {parameter.low:g} "
                f"{parameter.unit}, got {brief(value)}"
            )
        columns[parameter.column] += parameter.change(np.array([float(value)]))[0]
    return replace(params, columns=columns)
