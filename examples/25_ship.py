"""A tanker's model of 7 m: hard turns to both sides, and zigzags of 10 and 20 degrees.

The trials that IMO's resolution MSC.137(76) asks for, at the speed of 15.5 knots of the tanker. Its
limits: advance 4.5, tactical diameter 5 lengths; first overshoots 20 and 25 degrees. MARIN measured
3.25 and 3.12, 3.34 and 3.07 lengths, 8.2 and 13.7 degrees with a model of that size.
Figure: ship.png.

Last line: advance ... L, tactical diameter ... L (starboard, port); first overshoots ..., ... deg
"""

import matplotlib.pyplot as plt
import numpy as np

from pyrfly import Sim
from pyrfly.log import Recorder

LENGTH, SPEED = 7.0, 1.179  # m, m/s
FULL = 35.0  # deg
RUDDER = np.array([35.0, -35.0, 10.0, 20.0])  # deg
PERIOD = 0.1  # s

sim = Sim("kvlcc2", 4, dt=0.005)
sim.controllers = False
sim.vel[:, 0] = SPEED
sim.thruster_speed[:, 0] = sim.thruster_rated
sim.thruster_command[:, 0] = sim.thruster_rated / sim.thruster_speed_max[:, 0]
recorder = Recorder(sim, ["pos", "euler", "fin_angle"])
rudder = RUDDER.copy()
while sim.time < 150:
    recorder.sample()
    heading = np.degrees(sim.euler[2:, 2])
    rudder[2:] = np.where(heading * np.sign(rudder[2:]) > RUDDER[2:], -rudder[2:], rudder[2:])
    sim.fin_command[:, 0] = rudder / FULL
    sim.sleep(PERIOD)

log = recorder.log()
path = log["pos"][..., :2] / LENGTH
yaw = np.degrees(np.unwrap(log["euler"][..., 2], axis=0))
turned = np.abs(yaw[:, :2])
advance = [np.interp(90, turned[:, k], path[:, k, 0]) for k in range(2)]
across = [abs(np.interp(180, turned[:, k], path[:, k, 1])) for k in range(2)]
first = [yaw[: np.argmax(yaw[:, k] < 0), k].max() - RUDDER[k] for k in (2, 3)]

figure, (circles, zigzags) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for k, side in enumerate(("starboard", "port")):
    circles.plot(path[:, k, 1], path[:, k, 0], label=f"35 degrees to {side}")
circles.set(xlabel="transfer [L]", ylabel="advance [L]", aspect="equal")
circles.legend(fontsize=8, loc="lower right")
for k, color in ((2, "C2"), (3, "C3")):
    zigzags.plot(log.time, yaw[:, k], color=color, label=f"heading, {RUDDER[k]:.0f} degrees")
    zigzags.plot(log.time, np.degrees(log["fin_angle"][:, k, 0]), color=color, ls=":")
zigzags.set(xlabel="t [s]", ylabel="heading, rudder (dotted) [deg]")
zigzags.legend(fontsize=8)
figure.savefig("ship.png", dpi=100)

print("IMO: advance 4.5 L, tactical diameter 5 L, first overshoots 20, 25 deg at most")
print("MARIN: advance 3.25, 3.12 L, tactical diameter 3.34, 3.07 L; first overshoots 8.2, 13.7 deg")
print(
    f"advance {advance[0]:.2f}, {advance[1]:.2f} L, tactical diameter {across[0]:.2f}, "
    f"{across[1]:.2f} L (starboard, port); first overshoots {first[0]:.1f}, {first[1]:.1f} deg"
)
