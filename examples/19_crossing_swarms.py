"""Two swarms of 50 quadrotors cross: straight on they collide and fall, with avoidance none does.

Who avoids takes, ten times a second, the cheapest of some velocities: each costs what it differs
from the wanted one, and the more the sooner it meets a neighbour who avoids as much itself. These
are reciprocal velocity obstacles [@rvo]. Figure: crossing_swarms.png.

Last line: straight on ... of 100 crashed; with avoidance 0, the nearest two ... m apart
"""

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from pyrfly import Sim
from pyrfly.log import Log, Recorder

Array = NDArray[np.float64]

SPACING, WAY, HEIGHT, SPEED = 4.0, 80.0, 20.0, 3.0  # m, m, m, m/s
PERIOD, END = 0.1, 42.0  # s
RADIUS, NEIGHBOURS, SAFETY = 1.6, 12, 10.0  # m from middle to middle; number looked at; m
SOONEST = 0.02  # s

# One swarm flies north, the other one east, both through the origin.
rows, files = np.indices((5, 10)).reshape(2, -1) * SPACING
block = np.stack([rows - rows.mean(), files - files.mean()], axis=1)
north, east = block + np.random.default_rng(1).uniform(-0.8, 0.8, (2, *block.shape))
half_way = np.array([WAY / 2, 0])
START = np.concatenate([north - half_way, (east - half_way)[:, ::-1]])
GOAL = np.concatenate([north + half_way, (east + half_way)[:, ::-1]])

turn, share = np.meshgrid(np.linspace(0, 2 * np.pi, 32, endpoint=False), [0, 0.35, 0.7, 1])
CHOICE = SPEED * np.stack([share * np.cos(turn), share * np.sin(turn)], axis=2).reshape(-1, 2)


def wanted(pos: Array) -> Array:
    """Return the velocities straight to the goals [m/s]."""
    way = GOAL - pos
    return np.asarray(way * np.minimum(0.5, SPEED / np.linalg.norm(way, axis=1, keepdims=True)))


def avoiding(pos: Array, vel: Array) -> Array:
    """Return velocities that avoid the neighbours [m/s]."""
    best = wanted(pos)
    choice = np.concatenate([np.tile(CHOICE, (len(pos), 1, 1)), best[:, None]], axis=1)
    distance = np.linalg.norm(pos[:, None] - pos, axis=2)
    near = np.argsort(distance, axis=1)[:, 1 : NEIGHBOURS + 1]
    away = (pos[near] - pos[:, None])[:, None]  # of vehicle, choice, neighbour: 2
    closing = (2 * choice - vel[:, None])[:, :, None] - vel[near][:, None]
    # the first time at which |away - closing time| is the radius
    square = np.maximum((closing**2).sum(axis=3), 1e-9)
    half = (away * closing).sum(axis=3)
    root = half**2 - square * ((away**2).sum(axis=3) - RADIUS**2)
    meets = (root > 0) & (half > 0)
    time = np.where(meets, (half - np.sqrt(np.maximum(root, 0))) / square, np.inf).min(axis=2)
    cost = np.linalg.norm(choice - best[:, None], axis=2) + SAFETY / np.maximum(time, SOONEST)
    return np.asarray(choice[np.arange(len(pos)), cost.argmin(axis=1)])


def flown(avoid: bool) -> Log:
    """Let the swarms cross."""
    sim = Sim("x450", len(START))
    sim.collisions.enable()
    sim.reset(pos=np.column_stack([START, np.full(sim.n, -HEIGHT)]), hover=True)
    recorder = Recorder(sim, ("pos", "crashed"))
    while sim.time < END:
        pos = sim.pos[:, :2]
        level = avoiding(pos, sim.vel[:, :2]) if avoid else wanted(pos)
        velocity = np.column_stack([level, -HEIGHT - sim.pos[:, 2]])
        flying = ~sim.collisions.crashed()
        sim.command_velocity(velocity[flying], ids=np.flatnonzero(flying) + 1)
        sim.sleep(PERIOD)
        recorder.sample()
    return recorder.log()


logs = {"Straight on": flown(False), "With avoidance": flown(True)}

figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.4), sharey=True, layout="compressed")
for side, (title, log) in zip(axes, logs.items(), strict=True):
    pos, crashed = log["pos"], log["crashed"] != 0
    for k in range(pos.shape[1]):
        last = crashed[:, k].argmax() if crashed[-1, k] else len(pos) - 1
        colour = "#0072B2" if k < len(north) else "#D55E00"
        side.plot(pos[: last + 1, k, 1], pos[: last + 1, k, 0], color=colour, lw=0.6)
        mark, shade = ("x", "black") if crashed[-1, k] else ("o", colour)
        side.plot(pos[last, k, 1], pos[last, k, 0], mark, color=shade, ms=4)
    side.set(title=f"{title}: {crashed[-1].sum()} crashed", xlabel="east [m]", aspect="equal")
axes[0].set_ylabel("north [m]")
figure.savefig("crossing_swarms.png", dpi=76)

lost = [int((log["crashed"][-1] != 0).sum()) for log in logs.values()]
pos = logs["With avoidance"]["pos"]
first, second = np.triu_indices(pos.shape[1], 1)
nearest = np.linalg.norm(pos[:, first] - pos[:, second], axis=2).min()
late = np.linalg.norm(pos[-1, :, :2] - GOAL, axis=1).max()
print(f"all who avoid are within {late:.2f} m of their goals after {END:.0f} s")
print(
    f"straight on {lost[0]} of {pos.shape[1]} crashed; with avoidance {lost[1]}, "
    f"the nearest two {nearest:.2f} m apart"
)
