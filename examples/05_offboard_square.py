"""Fly a square and a spiral with RflySim's control class, in simulated time.

A script for RflySim has these lines: only `sim` is new, and `sim.sleep` stands for `time.sleep`.

Last line: Landed 0.00 m from the take-off point.
"""

import math

import pyrfly
from pyrfly.ctrl import PX4MavCtrler

HEIGHT = 5.0  # m
SIDE = 8.0  # m

sim = pyrfly.Sim("x450")
mav = PX4MavCtrler(1, sim=sim)
mav.InitMavLoop()
mav.SendMavArm(True)
mav.sendMavTakeOff(0, 0, -HEIGHT)
sim.sleep(6)
print(f"took off to {-mav.uavPosNED[2]:.2f} m")

mav.initOffboard()
for x, y in [(SIDE, 0.0), (SIDE, SIDE), (0.0, SIDE), (0.0, 0.0)]:
    yaw = math.atan2(y - mav.uavPosNED[1], x - mav.uavPosNED[0])
    mav.SendPosNED(x, y, -HEIGHT, yaw)
    sim.sleep(6)
    north, east, down = mav.uavPosNED
    print(f"corner at {north:6.2f} m north, {east:6.2f} m east, {-down:5.2f} m high")

# forward at 1 m/s, climbing at 0.2 m/s, turning ever slower: circles that grow
for turn in (1.0, 0.8, 0.6, 0.5, 0.4):
    mav.SendVelFRD(1.0, 0.0, -0.2, turn)
    sim.sleep(5)
    print(f"spiral of radius {1.0 / turn:.2f} m, {-mav.uavPosNED[2]:5.2f} m high")

mav.endOffboard()
mav.sendMavLand(0, 0, 0)
while mav.isArmed:
    sim.sleep(1)

off = math.hypot(*mav.uavPosNED[:2])
mav.endMavLoop()
print(f"Landed {off:.2f} m from the take-off point.")
