"""Fly a trained policy through the ordinary Sim, with winds that it never met in training.

    python examples/rl/evaluate.py hover.npz

It needs NumPy alone: no torch, no learning environment. What the policy sees is made here of the
columns of the vehicles, as a program on board would make it of its estimate.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from hover import CONTROL_RATE
from numpy.typing import NDArray
from policy import Network

from pyrfly import Sim
from pyrfly.frames import quaternion_of_euler

Floats = NDArray[np.float64]

GOAL = np.array([0.0, 0.0, -10.0])  # m, NED
SUBSTEPS = 5
WINDS = (0.0, 2.0, 4.0, 6.0)  # m/s, mean; each with light turbulence but the first


def rotation_matrices(att: Floats) -> Floats:
    """Return the matrices FRD to NED, shape (n, 3, 3), of quaternions, shape (n, 4)."""
    w, x, y, z = att.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def started(wind: float, n: int, vehicle: str, seed: int) -> Sim:
    """Return vehicles in random states about the goal, in a wind from the north."""
    sim = Sim(vehicle, n, dt=1 / (CONTROL_RATE * SUBSTEPS))
    sim.reset(pos=GOAL, seed=seed, hover=True)
    sim.controllers = False
    sim.arm()
    if wind:
        sim.wind = [-wind, 0.0, 0.0]
        sim.environment.set_turbulence("light")
    rng = np.random.default_rng(seed)
    tilt = np.radians(30 / 2**0.5)
    sim.pos += rng.uniform(-1, 1, (n, 3))
    sim.vel[:] = rng.uniform(-0.5, 0.5, (n, 3))
    sim.rate[:] = rng.uniform(-0.5, 0.5, (n, 3))
    sim.att[:] = quaternion_of_euler(rng.uniform(-1, 1, (n, 3)) * [tilt, tilt, np.pi])
    return sim


def fly(sim: Sim, network: Network, seconds: float = 10.0) -> Floats:
    """Return the distances from the goal after every step, shape (steps, n) [m]."""
    action = np.zeros((sim.n, 4), np.float32)
    distances = []
    for _ in range(round(seconds * CONTROL_RATE)):
        rotation = rotation_matrices(sim.att).reshape(sim.n, 9)
        seen = np.hstack([sim.pos - GOAL, rotation, sim.vel, sim.rate, action])
        action = network(seen.astype(np.float32))
        sim.throttle = (action + 1) / 2
        sim.step(SUBSTEPS)
        distances.append(np.linalg.norm(sim.pos - GOAL, axis=1))
    return np.array(distances)


def main() -> None:
    """Print a line for every wind."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("policy", type=Path)
    parser.add_argument("--vehicle", default="x500")
    parser.add_argument("--flights", type=int, default=250)
    arguments = parser.parse_args()
    network = Network.load(arguments.policy)
    print("wind     within 0.2 m  within 0.5 m  middle of the largest distances, last 2 s")
    for wind in WINDS:
        sim = started(wind, arguments.flights, arguments.vehicle, seed=1)
        largest = fly(sim, network)[-round(2 * CONTROL_RATE) :].max(axis=0)
        print(
            f"{wind:.0f} m/s {np.mean(largest < 0.2):14.1%}{np.mean(largest < 0.5):14.1%}"
            f"{np.median(largest):10.2f} m"
        )


if __name__ == "__main__":
    main()
