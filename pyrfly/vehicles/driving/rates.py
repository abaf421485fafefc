"""How fast what drives moves, which an integrator step must resolve: `lag_rates`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.parameters import scalar

__all__ = ["lag_rates"]

SUSPENSION = 2.5
"""Rate of the suspension times its time constant. Its velocity is set after a step, which halves
the stable step of semi-implicit Euler (csrc/vehicles/driving/ground.h), where it no longer
decays."""


def lag_rates(columns: Mapping[str, NDArray[np.float64]], times: Iterable[str]) -> list[float]:
    """Return the rates [1/s] of lags with the time constants ``times``, and of the suspension."""
    lags = [1.0 / scalar(columns, name) for name in times]
    return [*lags, SUSPENSION / scalar(columns, "suspension_tau")]
