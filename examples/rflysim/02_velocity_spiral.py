"""Fly a rising spiral with velocities forward, right and down of the vehicle."""

import math
import time

import pyrfly.rflysim.PX4MavCtrlV4 as PX4MavCtrl

SPEED = 2.0  # m/s forward
CLIMB = 0.3  # m/s

mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop()
time.sleep(0.5)

mav.initOffboard()
mav.SendPosNED(0, 0, -3, 0)
time.sleep(6)
lowest = -mav.uavPosNED[2]
print(f"height before the spiral: {lowest:.2f} m")

begin = time.time()
for radius in (2.0, 3.0, 4.0):
    # Forward and right turn with the heading, so that one set-point lasts for a whole circle.
    mav.SendVelFRD(SPEED, 0, -CLIMB, SPEED / radius)
    lap = math.tau * radius / SPEED
    time.sleep(lap / 2)
    x1, y1, _ = mav.uavPosNED
    time.sleep(lap / 2)
    x2, y2, down = mav.uavPosNED
    # Half a circle apart: the distance is the diameter.
    flown = math.hypot(x2 - x1, y2 - y1) / 2
    speed = math.hypot(mav.uavVelNED[0], mav.uavVelNED[1])
    print(f"radius {radius:.1f} m: flown {flown:.2f} m at {speed:.2f} m/s, {-down:.2f} m high")

climbed = -mav.uavPosNED[2] - lowest
print(f"climb rate {climbed / (time.time() - begin):.2f} m/s")

mav.SendVelFRD(0, 0, 0, 0)
time.sleep(3)
print(f"speed at the end: {math.hypot(*mav.uavVelNED):.2f} m/s")
mav.endOffboard()
mav.sendMavLand(mav.uavPosNED[0], mav.uavPosNED[1], 0)
while mav.isArmed:
    time.sleep(0.5)
print("landed")
mav.stopRun()
