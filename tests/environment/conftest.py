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


EARTH_RATE = 7.292115e-5
"""Angular velocity of the earth [rad/s]."""


def body(shape: str, origin: tuple[float, float, float], **options: Any) -> pyrfly.Sim:
    """Return a body without drag and thrust at the origin of the local frame, over an earth."""
    sim = pyrfly.Sim("x450", **{"dt": 0.005, **options})
    sim.controllers = False
    for name in ("drag_linear", "drag_quadratic", "damping_linear", "damping_quadratic"):
        getattr(sim, name)[:] = 0
    sim.terrain[:] = 20000
    sim.origin = origin
    sim.reset(pos=(0, 0, 0))
    sim.environment.set_earth(shape)
    return sim


@pytest.fixture(name="hanging")
def hanging_fixture() -> Callable[..., pyrfly.Sim]:
    return hanging
