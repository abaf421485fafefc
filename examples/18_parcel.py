"""A parcel on a cable is carried over 20 m, winched down to the ground and let go, without a swing.

A pivot that accelerates evenly for a whole period of a pendulum leaves it at rest. So flies the
first vehicle; the second one takes the same time, with half a period. Figure: parcel.png.

Last line: swing ... m after whole periods, ... m after half ones; parcel ... m from its place
"""

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from pyrfly import Sim
from pyrfly.log import Recorder

WAY, HEIGHT, SHORT, LONG = 20.0, 10.0, 2.0, 12.0  # m
PERIOD = 0.02  # s, between set-points
START = np.array([[0.0, 0.0, -HEIGHT], [0.0, 9.0, -HEIGHT]])

sim = Sim("x450", 2)
sim.payload.attach(0.1, cable=LONG)
sim.reset(pos=START, hover=True)
sim.payload_length = sim.payload_length_sp = SHORT
sim.payload.take()  # so that it hangs on so much of its cable
pendulum = 2 * np.pi * np.sqrt(SHORT / sim.gravity[0])
ramps, flight = np.array([pendulum, pendulum / 2]), 4 * pendulum


def command(time: float) -> None:
    """Command the way, speed and acceleration of a motion with even ramps at a time."""
    speed = WAY / (flight - ramps)
    left = flight - time
    begins, ends = time < ramps, left < ramps
    way = np.where(begins, speed * time**2 / (2 * ramps), speed * (time - ramps / 2))
    way = np.where(ends, WAY - speed * left**2 / (2 * ramps), way)
    velocity = speed * np.minimum(1, np.minimum(time, left) / ramps)
    slope = speed / ramps * (1.0 * begins - ends)
    still = np.zeros(2)
    north = [np.stack([value, still, still], axis=1) for value in (way, velocity, slope)]
    sim.command_position(START + north[0], vel=north[1], acc=north[2], yaw=0)


def wait(seconds: float) -> NDArray[np.float64]:
    """Wait, with samples for the log; return the farthest swings [m]."""
    farthest = np.zeros(2)
    for _ in range(round(seconds / PERIOD)):
        sim.sleep(PERIOD)
        recorder.sample()
        farthest = np.maximum(farthest, abs(sim.payload_pos[:, 0] - sim.pos[:, 0]))
    return farthest


recorder = Recorder(sim, ("pos", "payload_pos", "payload_tension"), every=20)
while sim.time < flight - PERIOD / 2:
    command(sim.time)
    wait(PERIOD)
sim.command_position(START + np.array([WAY, 0, 0]), yaw=0)
swing = wait(4)

sim.payload.reel(HEIGHT + 0.5, speed=1.0)  # until it lies
wait(10)
sim.payload.drop()
sim.command_position(START, yaw=0)
wait(8)
miss = float(np.linalg.norm(sim.payload_pos[0] - [WAY, 0, 0]))

log = recorder.log()
figure, axes = plt.subplots(2, 1, sharex=True, figsize=(7, 5))
for row, name in enumerate(("whole periods", "half periods")):
    offset = log["payload_pos"][:, row, 0] - log["pos"][:, row, 0]
    axes[0].plot(log.time, np.where(log["payload_tension"][:, row] > 0, offset, np.nan), label=name)
    axes[1].plot(log.time, log["payload_tension"][:, row])
axes[0].set_ylabel("swing [m]")
axes[0].legend()
axes[1].set(xlabel="time [s]", ylabel="tension [N]")
figure.tight_layout()
figure.savefig("parcel.png", dpi=120)
print(
    f"swing {swing[0]:.3f} m after whole periods, {swing[1]:.3f} m after half ones; "
    f"parcel {miss:.2f} m from its place"
)
