"""Fly 4096 quadrotors to individual positions and print the real-time factor.

Last line: 4096 vehicles, all within ... mm of their targets, ... times real time in total
"""

import time

import numpy as np

from pyrfly import Sim

N = 4096
SECONDS = 8.0

sim = Sim("x450", N)
side = np.arange(64) - 31.5
north, east = np.meshgrid(side, side)
targets = np.stack([north.ravel(), east.ravel(), np.full(N, -10.0)], axis=-1)
sim.reset(pos=targets * [1, 1, 0])
sim.arm()
sim.command_position(targets, yaw=0.0)

start = time.perf_counter()
sim.run(SECONDS)
factor = N * SECONDS / (time.perf_counter() - start)

furthest = np.linalg.norm(sim.pos - targets, axis=1).max()
print(
    f"{N} vehicles, all within {1000 * furthest:.1f} mm of their targets, "
    f"{factor:.0f} times real time in total"
)
