"""Parameter sets of families whose files have one entry per parameter column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pyrfly.columns import fields_of_type, vehicle_types
from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.entries import (
    HEADER,
    Range,
    check_header,
    read_values,
    reject_unknown,
    require,
    rules,
)
from pyrfly.vehicles.hull_tables import BY_MASS, HullRule, with_hull
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["build_from_columns"]


def build_from_columns(
    origin: str,
    document: Mapping[str, Any],
    *,
    family: str,
    c_type: str,
    ranges: Mapping[str, Range],
    uav_type: int | None = None,
    layout: str | None = None,
    hull: HullRule = BY_MASS,
) -> VehicleParameters:
    """Return the checked parameter set of a TOML document with an entry per parameter column.

    Parameters
    ----------
    origin : str
        Name of the document in messages.
    document : mapping
        The parsed file.
    family, c_type : str
        The family and the vehicle type, whose columns define names, widths and units.
    ranges : mapping of str to Range
        Closed range of the elements by column; any number for the others.
    uav_type : int, optional
        RflySim's ``uavType``.
    layout : str, optional
        Name of the places of its actuators, see `VehicleParameters`.
    hull : HullRule
        How its hull follows from its columns, and the entries of ``[hull]`` that it has.

    Raises
    ------
    ParameterError
        An entry is unknown, missing, or of the wrong unit, width or range, or there is no such
        type.
    """
    if c_type not in vehicle_types():
        raise ParameterError(f"{origin}: c_type: expected a type of {family}, got {brief(c_type)}")
    known = rules(fields_of_type(c_type), ranges)
    reject_unknown(origin, document, {**dict.fromkeys(HEADER), **known})
    check_header(origin, document)
    values = read_values(origin, document, known)
    require(origin, values, known)
    columns = {name: np.array(value.numbers) for name, value in values.items()}
    built = VehicleParameters(
        name=document["name"],
        title=document.get("title", document["name"]),
        family=family,
        uav_type=uav_type,
        c_type=c_type,
        actuator_count=vehicle_types()[c_type]["actuators"],
        columns=columns,
        sources={name: value.source for name, value in values.items()},
        notes=document.get("notes", ""),
        layout=layout,
    )
    return with_hull(origin, document, built, hull)
