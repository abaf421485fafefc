"""A plane that flies on its estimate is led away from its line by a GPS that lies.

Three planes follow the same line north. The GPS of the second one jumps by 150 m to the east: the
estimator refuses that for some seconds, then begins anew with what is reported. That of the third
one is led away by 2.5 m/s, which its velocity has, too: nothing is refused. Figure:
gps_spoofing.png.

Last line: beside the line: true ... m, jump ... m, led ... m; the last one believes ... m
"""

import matplotlib.pyplot as plt
import numpy as np

from pyrfly import Sim
from pyrfly.log import Recorder

BEGIN, END, OFFSET = 20.0, 80.0, 150.0

sim = Sim("aerosonde", 3)
sim.sensors.enable("imu", "magnetometer", "barometer", "gps", "airspeed", profile="px4")
sim.estimator.enable(fly=True)
sim.faults.add("sensor_bias", ids=2, sensor="gps", bias=[0, OFFSET, 0], at=BEGIN)
away = [0, OFFSET / (END - BEGIN), 0]  # m/s to the east
sim.faults.add("gps_spoof", ids=3, sensor="gps", velocity=away, at=BEGIN)

sim.reset(pos=[0, 0, -200], seed=1)
sim.vel[:] = [25, 0, 0]
sim.arm()
sim.plane.command_line(point=[0, 0, -200], direction=[1, 0, 0])
recorder = Recorder(sim, ["pos", "pos_est", "fault_share"], every=100)
sim.run(END, record=recorder)

log = recorder.log()
true, believed = log["pos"], log["pos_est"]
figure, axes = plt.subplots(layout="constrained")
for k, name in enumerate(("true", "jump", "led away")):
    axes.plot(log.time, true[:, k, 1], color=f"C{k}", label=name)
    axes.plot(log.time, believed[:, k, 1], color=f"C{k}", ls=":")
axes.axvline(BEGIN, color="0.6", ls="--")
axes.set(title="Planes on a line north, and where they believe to be (dotted)")
axes.set(xlabel="time [s]", ylabel="east of the line [m]")
axes.legend()
figure.savefig("gps_spoofing.png")

east = np.abs(true[-1, :, 1])
print(
    f"beside the line: true {east[0]:.1f} m, jump {east[1]:.0f} m, led {east[2]:.0f} m; "
    f"the last one believes {abs(believed[-1, 2, 1]):.1f} m"
)
