"""A hexarotor loses a motor: with controllers that are not told, and with a new allocation.

Both shall keep their place in wind. The second one is told 0.2 s after the fault, an assumption
about its detection: the rotor is without thrust and torque in the parameters that `Sim.retune`
takes the allocation from. Five rotors leave too little for the heading. Figure:
hexarotor_failure.png.

Last line: not told at most ... m away, told ... m
"""

import matplotlib.pyplot as plt
import numpy as np

from pyrfly import Sim
from pyrfly.frames import yaw_of_quaternion
from pyrfly.log import Recorder

FAILS, TOLD, END = 2.0, 2.2, 12.0

sim = Sim("hex_x", 2)
sim.wind[:] = [3, 0, 0]
sim.reset(pos=[[0, 0, -60], [0, 20, -60]], hover=True)
sim.command_position(sim.pos, yaw=0.0)
places = sim.pos.copy()
sim.faults.add("motor", actuator=1, effectiveness=0, at=FAILS)

recorder = Recorder(sim)
sim.run(TOLD, record=recorder)
for name in ("rotor_thrust_coef", "rotor_torque_coef"):
    getattr(sim, name).reshape(2, 2, 6)[1, :, 0] = 0  # of the second vehicle, the first rotor
sim.retune(ids=2)
sim.run(END - TOLD, record=recorder)

log = recorder.log()
away = np.linalg.norm(log["pos"] - places, axis=-1)
turned = np.unwrap(yaw_of_quaternion(log["att"]), axis=0)
begin = log.metadata["faults"][0]["time"]

figure, (distance, heading) = plt.subplots(2, sharex=True, layout="constrained")
distance.semilogy(log.time, np.maximum(away, 1e-3), label=["not told", "told at 2.2 s"])
distance.axvline(begin, color="0.6", ls="--")
distance.set(title="A hexarotor loses a motor at 2 s", ylabel="distance [m]")
distance.legend()
heading.plot(log.time, np.degrees(turned))
heading.set(xlabel="time [s]", ylabel="heading [deg]")
figure.savefig("hexarotor_failure.png")
farthest = away.max(axis=0)
print(f"not told at most {farthest[0]:.2f} m away, told {farthest[1]:.2f} m")
