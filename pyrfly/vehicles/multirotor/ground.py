"""Multirotors at rest on the ground: `stand`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles import hovering

__all__ = ["stand"]

Array = NDArray[np.float64]


def stand(c_type: str, read: Callable[[str], Any], pull: Array) -> dict[str, Array]:
    """Return the columns of vehicles at rest on a slope; RflySim's laws have no such springs."""
    springs = read("published_laws") == 0
    return hovering.stand(c_type, read, springs[:, None] * pull)
