"""A VTOL takes off in hover, flies a mission by its wings in wind, and lands in hover.

Its transitions keep the height within 5 m.

Last line: by wings at ... m/s, height in transitions within ... m, landed ... m from home
"""

import numpy as np

from pyrfly import Sim
from pyrfly.log import Recorder
from pyrfly.mission import Land, Mission, TakeOff, Transition, Waypoint, fly_mission

HEIGHT = 40.0
CORNERS = ((300.0, 0.0), (300.0, 200.0), (0.0, 200.0))

sim = Sim("gz_standard_vtol")
sim.wind[:] = [0, 5, 0]
mission = Mission(
    (
        TakeOff((0, 0, -HEIGHT)),
        Transition(winged=True),
        *(Waypoint((*corner, -HEIGHT)) for corner in CORNERS),
        Transition(winged=False),
        Land((0, 0, 0)),
    )
)
recorder = Recorder(sim, ["pos", "vel", "vtol_state"], every=100)
result = fly_mission(sim, mission, recorder=recorder)
assert result.completed, result.reason

log = recorder.log()
state, down = log["vtol_state"][:, 0], log["pos"][:, 0, 2]
speed = np.linalg.norm(log["vel"][state == 4, 0], axis=-1).max()
error = np.abs(down[(state == 1) | (state == 2)] + HEIGHT).max()
assert error < 5.0
assert sim.armed[0] == 0

print(
    f"by wings at {speed:.0f} m/s, height in transitions within {error:.1f} m, "
    f"landed {np.hypot(*sim.pos[0, :2]):.2f} m from home"
)
