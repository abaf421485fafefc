"""A tractor with a trailer drives past a loading ramp, and backs its trailer into it.

Figure: truck_and_trailer.png, both ways seen from above.

Last line: at the ramp ... m from the middle, ... deg askew; hitch angle at most ... deg
"""

import matplotlib.pyplot as plt
import numpy as np

from pyrfly import Sim
from pyrfly.log import Recorder

RAMP, HEADING = np.array([0.0, 0.0, 0.0]), 0.0  # of the trailer's axle: it stands tail south

sim = Sim("truck_trailer")
sim.reset(pos=[5, -40, 0], yaw=np.pi / 2)
recorder = Recorder(sim, ["pos", "euler", "trailer_pos", "trailer_euler", "hitch_angle"], every=100)
sim.arm()
sim.command_position([55, 5, 0])  # past the ramp and away from it, turning to the north
sim.run(40, record=recorder)
sim.truck.command_backing(RAMP, HEADING, speed=1.5)
while not sim.arrived[0] and sim.time < 120:
    sim.run(1, record=recorder)
sim.run(3, record=recorder)
log = recorder.log()

figure, axes = plt.subplots(figsize=(7, 7))
axes.plot(log["pos"][:, 0, 1], log["pos"][:, 0, 0], label="tractor")
axes.plot(log["trailer_pos"][:, 0, 1], log["trailer_pos"][:, 0, 0], label="axle of the trailer")
axes.plot([-1.6, -1.6, 1.6, 1.6], [8, -3, -3, 8], color="k", label="ramp")
axes.set(xlabel="east [m]", ylabel="north [m]", aspect="equal")
axes.legend()
figure.savefig("truck_and_trailer.png", dpi=100)

left = np.linalg.norm(log["trailer_pos"][-1, 0, :2] - RAMP[:2])
askew, folded = np.degrees(
    [abs(log["trailer_euler"][-1, 0, 2] - HEADING), np.abs(log["hitch_angle"]).max()]
)
print(
    f"at the ramp {left:.2f} m from the middle, {askew:.1f} deg askew; "
    f"hitch angle at most {folded:.0f} deg"
)
