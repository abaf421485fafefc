"""Attitude set-points with the height held by RflySim's own loop, and free masks."""

import math
import time

import PX4MavCtrlV4 as PX4MavCtrl

mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop(0)
time.sleep(0.5)
mav.initOffboard()
mav.SendPosNED(0, 0, -8, 0)
time.sleep(8)
for _ in range(40):
    mav.SendAttPX4([5, 0, 0, 0], -8, 0, 1)
    time.sleep(0.05)
roll = math.degrees(mav.uavAngEular[0])
print("roll", round(roll), "east", mav.uavVelNED[1] > 0.5, "height", round(-mav.uavPosNED[2]))
mask = PX4MavCtrl.PosTypeMask(True)
mask.enVel_x = mask.enVel_y = mask.enVel_z = mask.enYaw = True
mav.SendOffAll(mask, 1, [0, 0, 0], [1, 0, 0], [0, 0, 0], math.pi / 2)
time.sleep(5)
print("north", round(mav.uavVelNED[0], 1), "heading", round(math.degrees(mav.uavAngEular[2])))
mav.isVehicleCrash = False
mav.stopRun()
