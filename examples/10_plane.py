"""A plane in wind: along a line, around a circle, down without power; and how slow it gets nose up.

Last line: beside the line ... m, beside the circle ... m, glide ratio ..., nose up at least ... m/s
"""

import numpy as np

from pyrfly import Sim

sim = Sim("aerosonde")
sim.wind[:] = [0, 8, 0]  # m/s, NED: from the west
sim.reset(pos=[0, 0, -200])
sim.vel[:] = [25, 8, 0]
sim.arm()

sim.plane.command_line(point=[0, 0, -200], direction=[1, 0, 0])
sim.sleep(30)
beside_line = abs(sim.pos[0, 1])

centre, radius = np.array([1500, 0, -220]), 150
sim.plane.command_circle(centre, radius)
sim.sleep(90)
beside_circle = abs(np.hypot(*(sim.pos[0] - centre)[:2]) - radius)

# Without power and without a turning propeller, wings level.
sim.wind[:] = 0
sim.propeller_thrust[:] = sim.propeller_torque[:] = sim.propeller_drag_area[:] = 0
sim.plane.command_attitude(roll=0, pitch=0.02, thrust=0)
sim.sleep(20)
before, seconds = sim.pos[0].copy(), 10
sim.sleep(seconds)
way = sim.pos[0] - before
glide = np.hypot(*way[:2]) / way[2]

# Nose up until it stalls.
sim.plane.command_attitude(roll=0, pitch=0.4, thrust=0)
slowest = np.inf
for _ in range(100):
    sim.sleep(0.1)
    slowest = min(slowest, float(np.linalg.norm(sim.vel[0])))
assert sim.check().ok

print(
    f"beside the line {beside_line:.1f} m, beside the circle {beside_circle:.1f} m, "
    f"glide ratio {glide:.1f}, nose up at least {slowest:.1f} m/s"
)
