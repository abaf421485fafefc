"""Cars: lane changes by two laws of path following, with two models of tyres, and parking.

At 20 m/s two cars change to the lane 3.5 m to the left, by pure pursuit and by Stanley's law; a
third one on a wet road and with tyres that slip. A fourth one parks between two others, 6 m behind
and 2.5 m to the side, in reverse. Figure: car.png.

Last line: lane change: pure pursuit ... s, Stanley ... s, wet ... s; parked ... cm, ... deg off
"""

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from pyrfly import Sim
from pyrfly.log import Recorder

SPEED, LANE = 20.0, 3.5  # m/s, m
PERIOD = 0.05  # s
PLACE, HEADING = np.array([-6.0, 2.5, 0.0]), 0.0

sim = Sim({"bmw_320i": 2, "bmw_320i_slip": 1, "ford_escort": 1})
CHANGING, PARKING = [1, 2, 3], 4
names = ["pure pursuit", "Stanley", "Stanley, wet road, tyres with slip"]
sim.reset(pos=[[0, 0, 0], [0, 20, 0], [0, 40, 0], [0, 100, 0]])
sim.set_ground_plane(friction_reduction=0.3, ids=3)
for group, law in zip(sim.groups[:2], ([0, 1], [1]), strict=True):
    group.path_law[:] = law
    group.vel[:, 0] = SPEED
    group.wheel_speed[:] = SPEED / group.wheel_radius[0]
sim.arm()
start = sim.pos.copy()

sim.command_position(start[3] + PLACE, yaw=HEADING, ids=PARKING)
recorder = Recorder(sim, ("pos", "euler", "vel_body"))
while sim.time < 60 and not (sim.time > 12 and sim.arrived[3]):
    moved = np.array([SPEED * sim.time, -LANE if sim.time > 1 else 0.0, 0.0])
    sim.command_position(start[:3] + moved, vel=[SPEED, 0, 0], ids=CHANGING)
    sim.sleep(PERIOD)
    recorder.sample()

log = recorder.log()
way = log["pos"] - start
changed = log.time < 12
settled = [log.time[np.abs(way[:, k, 1] + LANE) > 0.1].max() - 1 for k in range(3)]
error = np.linalg.norm(way[-1, 3, :2] - PLACE[:2])
turned = np.degrees(abs(log["euler"][-1, 3, 2] - HEADING))

figure, (lane, lot) = plt.subplots(2, 1, figsize=(7, 6), layout="compressed")
for k, name in enumerate(names):
    lane.plot(way[changed, k, 0], way[changed, k, 1], label=name)
lane.invert_yaxis()
lane.set(title=f"Lane change at {SPEED:.0f} m/s", xlabel="along the road [m]", ylabel="right [m]")
lane.legend(fontsize=8)
size = np.array([4.3, 1.67])
corners = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1], [1, 1]]) * size / 2 - [0.31, 0]


def outline(north: float, east: float, yaw: float) -> NDArray[np.float64]:
    """Return the corners of a car [m], along and right."""
    c, s = np.cos(yaw), np.sin(yaw)
    shape: NDArray[np.float64] = corners @ np.array([[c, s], [-s, c]])
    shape += np.array([north, east])
    return shape


for k in range(0, len(way), 20):
    along, right = outline(way[k, 3, 0], way[k, 3, 1], log["euler"][k, 3, 2]).T
    lot.plot(along, right, color="0.75", lw=0.7)
speed = log["vel_body"][:, 3, 0]
for style, label, there in (("C0.", "forward", speed > 0.01), ("C3.", "backward", speed < -0.01)):
    lot.plot(way[there, 3, 0], way[there, 3, 1], style, ms=2, label=label)
for shift in (-6.0, 6.0):
    along, right = outline(PLACE[0] + 0.31 + shift, PLACE[1], 0.0).T
    lot.fill(along, right, color="0.5")
along, right = outline(way[-1, 3, 0], way[-1, 3, 1], log["euler"][-1, 3, 2]).T
lot.plot(along, right, "k-")
lot.invert_yaxis()
lot.set(title="Parking", xlabel="along [m]", ylabel="right [m]", aspect="equal")
lot.legend(fontsize=8)
figure.savefig("car.png", dpi=90)

laws = ("pure pursuit", "Stanley", "wet")
times = ", ".join(f"{law} {seconds:.1f} s" for law, seconds in zip(laws, settled, strict=True))
print(f"lane change: {times}; parked {100 * error:.0f} cm, {turned:.1f} deg off")
