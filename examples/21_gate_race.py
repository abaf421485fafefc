"""Five quadrotors race through gates, each faster than the one before: who hits a frame is out.

All fly straight at the middle of the next gate, on a spiral that becomes narrower. The faster a
vehicle is, the farther it swings out and the sooner it meets a frame. Each has a course of its own
in one scene, 60 m east of the one before. Figure: gate_race.png.

Last line: 6 m/s: all gates; 7 m/s: hit gate ...; 8 m/s: ...; 9 m/s: ...; 10 m/s: hit gate ...
"""

import matplotlib.pyplot as plt
import numpy as np

from pyrfly import Sim
from pyrfly.log import Recorder
from pyrfly.scene import Scene, gate

SPEEDS = np.arange(6.0, 11.0)  # m/s
OPENING, NEAR = 1.5, 0.5  # m; from the middle of a gate that counts as passed
PERIOD, END = 0.02, 30.0  # s

turn = np.arange(11) * np.pi / 5
radius = 18 - 1.2 * np.arange(11)
GATES = np.stack([radius * np.sin(turn), -radius * np.cos(turn), -3 - np.sin(3 * turn) / 2], axis=1)
course = Scene(
    side
    for number, (place, yaw) in enumerate(zip(GATES, turn, strict=True), start=1)
    for side in gate(place, yaw, opening=OPENING, name=f"gate {number}").shapes
)

sim = Sim("x450", len(SPEEDS))
origins = np.arange(sim.n)[:, None] * [0.0, 60.0, 0.0]
sim.scene.set(Scene(side for origin in origins for side in course.moved(origin).shapes))
sim.collisions.enable()
sim.reset(pos=origins + GATES[0] - [9, 0, 0], hover=True)
recorder = Recorder(sim, ("pos",))
target = np.zeros(sim.n, int)  # index of the next gate
ends, times = ["out of time"] * sim.n, np.full(sim.n, END)
racing = list(range(sim.n))

while racing and sim.time < END:
    way = GATES[target] + origins - sim.pos
    velocity = SPEEDS[:, None] * way / np.linalg.norm(way, axis=1, keepdims=True)
    sim.command_velocity(velocity[racing], ids=np.array(racing) + 1)
    sim.sleep(PERIOD)
    recorder.sample()
    near = np.linalg.norm(GATES[target] + origins - sim.pos, axis=1) < NEAR
    hit = sim.collisions.broken_by()
    for k in racing.copy():
        if hit[k] or (near[k] and target[k] == len(GATES) - 1):
            ends[k] = f"hit {hit[k]}" if hit[k] else "all gates"
            times[k] = sim.time
            racing.remove(k)
        target[k] += near[k] and k in racing

log = recorder.log()
figure, axes = plt.subplots(figsize=(6, 5), layout="compressed")
across = np.stack([-np.sin(turn), np.cos(turn)], axis=1) * OPENING / 2
for number, (place, half) in enumerate(zip(GATES[:, :2], across, strict=True), start=1):
    left, right = place - half, place + half
    axes.plot([left[1], right[1]], [left[0], right[0]], "k-", lw=2)
    axes.annotate(str(number), (place + 1.6 * half)[::-1], ha="center", va="center", fontsize=8)
colours = plt.get_cmap("viridis")(np.linspace(0, 0.9, sim.n))
for k, colour in enumerate(colours):
    north, east = (log["pos"][log.time <= times[k] + 1e-9, k] - origins[k])[:, :2].T
    axes.plot(east, north, color=colour, label=f"{SPEEDS[k]:.0f} m/s: {ends[k]}")
    axes.plot(east[-1], north[-1], "x" if "hit" in ends[k] else "o", color=colour, ms=8, mew=2)
axes.set(title="A race that ends at a frame", xlabel="east [m]", ylabel="north [m]", aspect="equal")
axes.legend(loc=(0.4, 0.58), fontsize=8)
figure.savefig("gate_race.png", dpi=90)
print("; ".join(f"{speed:.0f} m/s: {end}" for speed, end in zip(SPEEDS, ends, strict=True)))
