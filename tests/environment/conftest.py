"""Vehicles that stay where they are, to look at the air around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyrfly


def hanging(
    n: int = 1, pos: Any = (0, 0, -100), *, terrain: float = 0.0, **options: Any
) -> pyrfly.Sim:
    """Return vehicles without gravity, drag and thrust: they keep the position and velocity."""
    sim = pyrfly.Sim("x450", n, **options)
    sim.controllers = False
    for name in ("gravity", "drag_linear", "drag_quadratic"):
        getattr(sim, name)[:] = 0
    sim.terrain[:] = terrain
    sim.reset(pos=np.broadcast_to(pos, (n, 3)))
    return sim


@pytest.fixture(name="hanging")
def hanging_fixture() -> Callable[..., pyrfly.Sim]:
    return hanging
