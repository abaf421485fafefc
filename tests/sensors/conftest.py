"""Vehicles that stand, or that move as they are told, to look at what they measure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyrfly

SEED = 20251122  # in the messages of the statistical tests, which are deterministic


def drifting(
    n: int = 1, pos: Any = (0, 0, -100), vel: Any = (0, 0, 0), **options: Any
) -> pyrfly.Sim:
    """Return vehicles without gravity, drag and thrust, with an update of the sensors per step."""
    sim = pyrfly.Sim("x450", n, **{"dt": 0.004, **options})
    sim.controllers = False
    for name in ("gravity", "drag_linear", "drag_quadratic"):
        getattr(sim, name)[:] = 0
    sim.reset(pos=np.broadcast_to(pos, (n, 3)), seed=SEED)
    sim.vel[:] = vel
    return sim


@pytest.fixture(name="drifting")
def drifting_fixture() -> Callable[..., pyrfly.Sim]:
    return drifting


@pytest.fixture(name="seed")
def seed_fixture() -> int:
    return SEED
