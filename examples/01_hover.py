"""A quadrotor takes off, hovers at 10 m, and turns to face east.

Positions are metres north, east, down; so 10 m up is -10. Time only passes in `sim.run`.

Last line: hovering at north 0.000 m, east 0.000 m, height 10.000 m, heading 90.0 deg
"""

import numpy as np

from pyrfly import Sim

sim = Sim("x450")
sim.arm()
sim.command_position([0, 0, -10], yaw=np.pi / 2)
sim.run(12)

north, east, down = np.round(sim.pos[0], 3) + 0.0  # + 0.0 makes -0.0 a plain 0.0
heading = np.degrees(sim.euler[0, 2])
print(
    f"hovering at north {north:.3f} m, east {east:.3f} m, height {-down:.3f} m, "
    f"heading {heading:.1f} deg"
)
