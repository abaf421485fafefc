"""Position set-points, the true state, and conversions by the controller's EarthModel."""

import math
import time

import PX4MavCtrlV4 as PX4MavCtrl

mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop(False)
mav.InitTrueDataLoop()
time.sleep(1)
position = mav.uavPosNED  # follows the vehicle
truth = mav.truePosNED
mav.initOffboard()
mav.SendMavArm(1)
mav.SendPosNED(0, 0, -3, 0)
while position[2] > -2.8:
    time.sleep(0.05)
for x, y in ((4, 0), (4, 4), (0, 0)):
    mav.SendPosNED(x, y, -3)
    begin = time.time()
    while math.dist(position, (x, y, -3)) > 0.3 and time.time() - begin < 20:
        time.sleep(0.05)
    lla = mav.geo.ned2lla(position, mav.uavPosGPSHome)
    back = mav.geo.lla2ned(lla, mav.uavPosGPSHome)
    print("corner", x, y, *(round(value, 2) for value in (*position, *back, *truth)))
mav.endOffboard()
mav.sendMavLand(0, 0, 0)
while mav.isArmed:
    time.sleep(0.2)
mav.EndTrueDataLoop()
mav.endMavLoop()
print("height", round(-truth[2], 2))
