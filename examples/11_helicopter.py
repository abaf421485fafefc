"""A helicopter takes off, flies 30 m ahead, and loses its engine: it autorotates to the ground.

The descent is steady, at some 1.9 times the velocity that its rotor induces in hover.

Last line: at 30.0 m north; without engine down at ... m/s with the rotor at ... of its speed
"""

from pyrfly import Sim

sim = Sim("blade_360")
sim.arm()  # the rotor speeds up
sim.command_position([0, 0, -60], yaw=0.0)
sim.run(32)
sim.command_position([30, 0, -60])
sim.run(14)
north = sim.pos[0, 0]

sim.engine_torque[:] = 0
sim.run(6)
descent, share = sim.vel[0, 2], sim.main_rotor_speed[0] / sim.main_rotor_nominal[0]
sim.run(10)
assert sim.pos[0, 2] > -0.1  # on the ground
assert sim.check().ok

print(
    f"at {north:.1f} m north; without engine down at {descent:.1f} m/s with the rotor at "
    f"{100 * share:.0f} % of its speed"
)
