"""As users of RflySim's underwater vehicles write: a depth, attitudes, a path, thrusters."""

import math
import sys
import time

import PX4MavCtrlV4 as PX4MavCtrl

mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop()
mav.InitTrueDataLoop()
time.sleep(1)
mav.SendMavArm(True)
mav.initOffboard()
mav.SendPosNED(0, 0, 5, 0)
time.sleep(60)
print("depth", round(mav.uavPosNED[2], 1))

mav.SendAttPX4([0, 0, 90, 0], 0.5, 0)
time.sleep(90)
print("heading", round(math.degrees(mav.uavAngEular[2])), "speed", round(mav.uavVelNED[1], 1))
mav.SendAttPX4([0, 0, 90, 0], 8, 0, 1)
time.sleep(90)
print("deeper", round(mav.truePosNED[2], 1))

for k in range(1, 41):
    mav.SendPosNED(20 * math.sin(k / 10), mav.uavPosNED[1], 8 + k / 20, 0)
    time.sleep(1)
time.sleep(20)
print("path ends at", round(mav.uavPosNED[2], 1))

mav.sendMavLand(0, 0, 0)
time.sleep(int(sys.argv[1]))
print("surfaced", abs(mav.uavPosNED[2]) < 0.5, "armed", mav.isArmed)
mav.EndTrueDataLoop()
mav.endMavLoop()
