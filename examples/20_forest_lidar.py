"""A quadrotor flies through a forest by its lidar, where one that flies straight hits a trunk.

It widens the trunks by its own width, and takes of the free directions that with the least turn
from the goal and from its course; where none is free as far as it looks it is slower, after VFH+
[@vfh-plus]. Figure: forest_lidar.png.

Last line: straight on it hits a trunk after ... m; by its lidar it arrives after ... m in ... s
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle
from numpy.typing import NDArray

from pyrfly import Sim
from pyrfly.log import Log, Recorder
from pyrfly.scene import Cylinder, forest
from pyrfly.sim.lidar import Lidar
from pyrfly.sim.scene import Seen

Array = NDArray[np.float64]

WOODS = forest(400, (120, 50), seed=5, distance=3)
START, GOAL = np.array([-64.0, 0.0, -2.5]), np.array([64.0, 0.0, -2.5])
LIDAR = Lidar.ring(180, maximum=20, noise=0.02)
SPEED, SLOWEST, WIDTH, SIGHT = 4.0, 0.3, 0.9, 6.0  # m/s, m/s, m, m
DELAY, PERIOD = 0.4, 0.1  # s, of the velocity control, and between two scans
TO_GOAL, TO_COURSE, BLOCKED = 2.0, 1.0, 10.0  # costs of 1 rad, of 1 rad, of no way at all
angle = np.linspace(-np.pi, np.pi, 144, endpoint=False)
WAYS = np.stack([np.cos(angle), np.sin(angle)], axis=1)


def angles_to(direction: Array) -> Array:
    """Return the angles between all ways and a direction [rad]."""
    return np.asarray(np.arccos(np.clip(WAYS @ direction / np.linalg.norm(direction), -1, 1)))


def free_velocity(sim: Sim, goal: Array, course: Array) -> Array:
    """Return a velocity to the goal between what the lidar sees [m/s]."""
    scan = sim.scene.scan(LIDAR)
    trunks = scan.points("NED")[scan.kind == Seen.SHAPE] - sim.pos[0] - DELAY * sim.vel[0]
    distance = np.maximum(np.linalg.norm(trunks[:, :2], axis=1), WIDTH)
    hidden = WAYS @ (trunks[:, :2].T / distance) > np.sqrt(1 - (WIDTH / distance) ** 2)
    free = np.where(hidden, distance, SIGHT).min(axis=1, initial=SIGHT)
    cost = TO_GOAL * angles_to(goal) + TO_COURSE * angles_to(course)
    best = (cost + BLOCKED * (1 - free / SIGHT)).argmin()
    return np.asarray(WAYS[best] * max(SLOWEST, SPEED * (free[best] - WIDTH) / (SIGHT - WIDTH)))


def flown(by_lidar: bool) -> tuple[Sim, Log]:
    """Fly until it arrives or hits something."""
    sim = Sim("x450")
    sim.scene.set(WOODS)
    sim.collisions.enable()
    sim.reset(pos=START, hover=True)
    recorder = Recorder(sim, ("pos",))
    way = GOAL - START
    course = way[:2]
    while np.linalg.norm(way) > 1 and not sim.collisions.crashed()[0]:
        straight = SPEED * way[:2] / np.linalg.norm(way[:2])
        course = free_velocity(sim, straight, course) if by_lidar else straight
        sim.command_velocity([*course, way[2]], yaw=0)
        sim.sleep(PERIOD)
        recorder.sample()
        way = GOAL - sim.pos[0]
    return sim, recorder.log()


blind, short = flown(by_lidar=False)
seeing, whole = flown(by_lidar=True)

flight = np.linalg.norm(np.diff(whole["pos"][:, 0], axis=0), axis=1).sum()
time, hit = seeing.time, blind.collisions.broken_by()[0]

middle = whole["pos"][len(whole.time) // 2, 0]
seeing.reset(pos=middle)
seen = seeing.scene.scan(LIDAR).points("NED")[0]
rays = np.stack([np.broadcast_to(middle, seen.shape), seen])

figure, axes = plt.subplots(figsize=(9, 4), layout="compressed")
for trunk in WOODS.shapes:
    if isinstance(trunk, Cylinder):
        north, east, _ = trunk.position
        axes.add_patch(Circle((north, east), 2 * trunk.radius, color="#8C6D46"))
axes.plot(rays[:, :, 0], rays[:, :, 1], color="#E69F00", lw=0.5)
axes.plot(*whole["pos"][:, 0, :2].T, color="#0072B2", label="by its lidar")
axes.plot(*short["pos"][:, 0, :2].T, color="#D55E00", label="straight on")
axes.plot(*blind.pos[0, :2], "x", color="black", zorder=3)
axes.plot(*GOAL[:2], "*", color="black", ms=9)
axes.set(xlabel="north [m]", ylabel="east [m]", aspect="equal", xlim=(-66, 66), ylim=(26, -26))
axes.set_title("A flight through a forest; its lidar at half of the time (trunks twice as wide)")
axes.legend(loc="upper left")
figure.savefig("forest_lidar.png", dpi=90)

print(
    f"straight on it hits a {hit} after {blind.pos[0, 0] - START[0]:.1f} m; "
    f"by its lidar it arrives after {flight:.1f} m in {time:.1f} s"
)
