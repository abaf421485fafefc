"""Flights of given numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly.log import FlightData, Series
from pyrfly.log.columns import named_field


@pytest.fixture(name="flight")
def flight_fixture() -> Callable[..., FlightData]:
    """Return a function that returns columns of a vehicle at times."""

    def flight(time: Any, origin: Any = None, **columns: Any) -> FlightData:
        series = {}
        for name, values in columns.items():
            array = np.asarray(values)
            width = 1 if array.ndim == 1 else array.shape[1]
            series[name] = Series(np.asarray(time, float), array, named_field(name, width))
        return FlightData(series, 1, origin, "")

    return flight
