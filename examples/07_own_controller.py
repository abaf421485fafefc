"""Fly with one's own controller at motor level: an LQR at 250 Hz instead of pyrfly's controllers.

Last line: own LQR, 64 vehicles of different mass: at most ... mm from their targets
"""

import numpy as np
from numpy.typing import NDArray

from pyrfly import Sim

Array = NDArray[np.float64]

PERIOD = 4  # integrator steps of 1 ms: 250 Hz
N = 64


def discrete(a: Array, b: Array, period: float) -> tuple[Array, Array]:
    """Return the model for inputs that are constant for a period [s]: the matrix exponential."""
    nx, nu = b.shape
    m = np.zeros((nx + nu, nx + nu))
    m[:nx, :nx], m[:nx, nx:] = a, b
    m *= period / 2**8
    term = total = np.eye(nx + nu)
    for k in range(1, 10):  # a Taylor series of a small matrix, squared eight times
        term = term @ m / k
        total = total + term
    for _ in range(8):
        total = total @ total
    return total[:nx, :nx], total[:nx, nx:]


def lqr(a: Array, b: Array, q: Array, r: Array) -> Array:
    """Return K of u = -K x by iterating the discrete Riccati equation, each pass doubling time."""
    g, h, identity = b @ np.linalg.solve(r, b.T), q.copy(), np.eye(len(a))
    f = a.copy()
    for _ in range(40):
        w = np.linalg.inv(identity + g @ h)
        f, g, h = f @ w @ f, g + f @ w @ g @ f.T, h + f.T @ h @ w @ f
    return np.asarray(np.linalg.solve(r + b.T @ h @ b, b.T @ h @ a))


sim = Sim("sdk", N)
sim.reset(pos=[0, 0, -5], seed=1, hover=True)
sim.controllers = False  # the switch: from here on nobody but us writes sim.throttle

point = sim.trim(1)
model = sim.linearize(1, point=point)
cost = {"pos": 4.0, "vel": 1.0, "att": 10.0, "rate": 0.3, "rotor_speed": 0.0}
weights = np.array([cost[name.split("[")[0]] for name in model.states])
K = lqr(*discrete(model.A, model.B, PERIOD * sim.dt), np.diag(weights), 20.0 * np.eye(4))

sim.randomize("mass", 1.48, 1.55)  # the model is not quite right
targets = np.stack([np.linspace(-3, 3, N), np.full(N, 2.0), np.full(N, -6.0)], axis=-1)
for _ in range(2500):  # 10 s
    rotation = 2 * np.sign(sim.att[:, :1]) * sim.att[:, 1:]  # from level, heading north
    speed = sim.rotor_speed - point.state["rotor_speed"]
    x = np.concatenate([sim.pos - targets, sim.vel, rotation, sim.rate, speed], axis=1)
    sim.throttle = np.clip(point.inputs["throttle"] - x @ K.T, 0, 1)
    sim.step(PERIOD)

error = 1000 * np.linalg.norm(sim.pos - targets, axis=1).max()
print(f"own LQR, {N} vehicles of different mass: at most {error:.0f} mm from their targets")
