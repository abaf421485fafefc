"""Parameter files of cars, which have every parameter column of their model: `build`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.build import build_from_columns
from pyrfly.vehicles.car.hull import RULE
from pyrfly.vehicles.car.models import MODELS
from pyrfly.vehicles.driving import UAV_TYPE
from pyrfly.vehicles.family import Read
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["build"]


def build(origin: str, document: Mapping[str, Any], _read: Read | None = None) -> VehicleParameters:
    """Return the checked set of a TOML document."""
    model = document.get("model")
    if not isinstance(model, str) or model not in MODELS:
        got = "none" if model is None else brief(model)
        raise ParameterError(f"{origin}: model: expected one of {', '.join(MODELS)}, got {got}")
    built = build_from_columns(
        origin,
        {name: entry for name, entry in document.items() if name != "model"},
        family="car",
        c_type=model,
        ranges=MODELS[model].ranges,
        uav_type=UAV_TYPE,
        layout="ackermann",
        hull=RULE,
    )
    MODELS[model].require(origin, built.columns)
    return built
