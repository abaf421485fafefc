"""RotorPy's batch on PyTorch; run by `peers.py`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import numpy as np
import torch
from measuring import Case, Row, main
from rotorpy.learning.quadrotor_environments import make_default_vec_env
from rotorpy.vehicles.crazyflie_params import quad_params
from rotorpy.vehicles.multirotor import BatchedMultirotor, BatchedMultirotorParams

SIZES = (1000, 10000)
VERSION = f"{version('rotorpy')}, PyTorch {version('torch')}"
VEHICLE = "crazyflie_params"
HOVER = 1820.0
"""Rotor speed a little above that of hovering [rad/s]."""

CPU = torch.device("cpu")


def physics(work: str, n: int, aero: bool) -> Case:
    """Return steps of the batch at constant rotor commands."""
    start = {
        "x": torch.zeros(n, 3).double(),
        "v": torch.zeros(n, 3).double(),
        "q": torch.tensor([0, 0, 0, 1]).repeat(n, 1).double(),
        "w": torch.zeros(n, 3).double(),
        "wind": torch.zeros(n, 3).double(),
        "rotor_speeds": torch.full((n, 4), HOVER).double(),
    }
    vehicles = BatchedMultirotor(
        BatchedMultirotorParams([quad_params] * n, n, CPU), n, start, CPU,
        control_abstraction="cmd_motor_speeds", aero=aero, integrator="rk4",
    )  # fmt: skip
    control = {"cmd_motor_speeds": torch.full((n, 4), HOVER).double()}
    state, everybody = [start], torch.arange(n)

    def reset() -> None:
        state[0] = start

    def step() -> None:
        state[0] = vehicles.step(state[0], control, 0.01, everybody)

    row = Row(
        work, "RotorPy", VERSION, "aerodynamics" if aero else "no aerodynamics", VEHICLE, "RK4",
        0.01, 1, "float64", n, 0, "physics alone, one step a call",
    )  # fmt: skip
    return Case(row, reset, step, height=lambda: float(state[0]["x"][:, 2].mean()), calls=20)


def environments(work: str, n: int) -> Case:
    """Return steps of its vector environment for Stable-Baselines3."""
    envs = make_default_vec_env(n, quad_params, "cmd_motor_speeds", CPU)
    actions = np.full((n, 4), 2 * HOVER / quad_params["rotor_speed_max"] - 1, np.float32)
    row = Row(
        work, "RotorPy", VERSION, "aerodynamics", VEHICLE, "RK4", 0.01, 1, "float64", n, 13,
        "reward, ends, restarts",
    )  # fmt: skip
    return Case(row, envs.reset, lambda: envs.step(actions), calls=20)


def cases() -> Iterator[Case]:
    """Yield the same work in all sizes."""
    torch.set_num_threads(1)
    for n in SIZES:
        yield physics("physics, RK4", n, aero=True)
        yield physics("physics, RK4", n, aero=False)
    for n in (100, 1000):
        yield environments("motors, RK4", n)
    yield environments("one, motors", 1)


if __name__ == "__main__":
    main(cases)
