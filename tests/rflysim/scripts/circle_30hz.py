"""A control loop at 30 Hz by the clock, with velocities."""

import math
import time

import PX4MavCtrlV4 as PX4MavCtrl

mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop(True)
time.sleep(0.5)
mav.initOffboard()
mav.SendVelNED(0, 0, -1, 0)
time.sleep(4)
startTime = lastTime = time.time()
timeInterval = 1 / 30
num = 0
while True:
    lastTime = lastTime + timeInterval
    sleepTime = lastTime - time.time()
    if sleepTime > 0:
        time.sleep(sleepTime)
    else:
        lastTime = time.time()
    num = num + 1
    angle = num * timeInterval
    if angle > 2 * math.pi:
        break
    mav.SendVelNED(2 * math.cos(angle), 2 * math.sin(angle), 0, math.nan)
end = list(mav.uavPosNED)
print("loops", num, "seconds", round(time.time() - startTime, 2))
print("end", *(round(value, 2) for value in end))
mav.stopRun()
