"""Vehicles in flight, and Python programs in a new interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly


def flying(vehicle: Any = "sdk", n: int = 8, *, seed: int = 1, **options: Any) -> pyrfly.Sim:
    """Return vehicles in the air, each with its own attitude, motion and target position.

    The state of a vehicle depends on its CopterID only, not on n.
    """
    sim = pyrfly.Sim(vehicle, n, **options)
    first = 0
    for group in sim.groups:
        for i in range(group.n):
            random = np.random.default_rng([seed, first + i])
            group.pos[i] = random.uniform(-10, 10, 3) - [0, 0, 50]
            group.vel[i] = random.uniform(-3, 3, 3)
            turn = Rotation.from_rotvec(random.uniform(-0.5, 0.5, 3))
            group.att[i] = np.roll(turn.as_quat(), 1)
            group.rate[i] = random.uniform(-1, 1, 3)
            group.rotor_speed[i] = random.uniform(0.2, 0.8) * 500
            group.wind[i] = random.uniform(-2, 2, 3)
            group.pos_sp[i] = random.uniform(-10, 10, 3) - [0, 0, 50]
            group.yaw_sp[i] = random.uniform(-3, 3)
        group.setpoint_mask[:] = pyrfly.Setpoint.POSITION | pyrfly.Setpoint.YAW
        first += group.n
    sim.arm()
    return sim


def run_python(program: str, **environment: str) -> str:
    """Run a program in a new interpreter and return what it printed."""
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(name="flying")
def flying_fixture() -> Callable[..., pyrfly.Sim]:
    return flying


@pytest.fixture(name="run_python")
def run_python_fixture() -> Callable[..., str]:
    return run_python
