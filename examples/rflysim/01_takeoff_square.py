"""Take off, fly a square with position set-points, and land where it began."""

import math
import time

import pyrfly.rflysim.PX4MavCtrlV4 as PX4MavCtrl

HEIGHT = 6.0  # m
SIDE = 8.0  # m

mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop()
time.sleep(0.5)

mav.initOffboard()
mav.SendMavArm(True)
mav.SendPosNED(0, 0, -HEIGHT, 0)
time.sleep(8)
print(f"height after take-off: {-mav.uavPosNED[2]:.2f} m")

heading = 0.0
for x, y in [(SIDE, 0.0), (SIDE, SIDE), (0.0, SIDE), (0.0, 0.0)]:
    mav.SendPosNED(x, y, -HEIGHT, heading)
    time.sleep(7)
    north, east, down = mav.uavPosNED
    error = math.dist((north, east, down), (x, y, -HEIGHT))
    print(f"corner {x:.0f} {y:.0f}: at {north:.2f} {east:.2f} {down:.2f}, error {error:.2f} m")
    heading += math.pi / 2  # along the side that comes next

mav.endOffboard()
mav.sendMavLand(0, 0, 0)
while mav.isArmed:
    time.sleep(0.5)
print(f"landed {math.hypot(*mav.uavPosNED[:2]):.2f} m from the take-off point")
mav.stopRun()
