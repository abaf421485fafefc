"""Every vehicle of a batch gets a mass, a motor lag and a wind of its own.

A parameter is a column: drawing it at random, or writing it, is all it takes. What a vehicle gets
follows from the seed and its CopterID alone, so the first ten of a thousand are the same as ten.

Last line: 1000 of 1000 hold their place within ... m; the first ten are the same alone: True
"""

import numpy as np

from pyrfly import Sim


def randomised(n: int) -> Sim:
    """Return n vehicles with masses within 20 %, lags within 30 % and winds up to 4 m/s."""
    sim = Sim("x450", n)
    sim.reset(seed=7)
    nominal = sim.mass[0]
    sim.randomize("mass", 0.8 * nominal, 1.2 * nominal)
    sim.randomize("motor_tau", 0.7 * sim.motor_tau[0], 1.3 * sim.motor_tau[0])
    sim.randomize("wind", [-4, -4, 0], [4, 4, 0])
    return sim


many, few = randomised(1000), randomised(10)
for sim in (many, few):
    sim.arm()
    sim.command_position([0, 0, -20], yaw=0.0)
    sim.run(15)

miss = np.linalg.norm(many.pos - [0, 0, -20], axis=1)
same = np.array_equal(many.pos[:10], few.pos)
print(
    f"{np.sum(miss < 0.05)} of {many.n} hold their place within {miss.max():.3f} m; "
    f"the first ten are the same alone: {same}"
)
