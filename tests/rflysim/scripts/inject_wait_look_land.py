"""Faults and parameters by the model's port: a weak motor, wind, more mass; then a landing."""

import time

import DllSimCtrlAPI
import PX4MavCtrlV4

mav = PX4MavCtrlV4.PX4MavCtrler(1)
dll = DllSimCtrlAPI.DllSimCtrlAPI(1)
mav.InitMavLoop(0)
mav.InitTrueDataLoop()
time.sleep(0.5)
mav.initOffboard()
mav.SendMavArm(1)
mav.SendPosNED(0, 0, -6)
time.sleep(8)
print(f"height {-mav.truePosNED[2]:.1f}")

dll.sendInCtrlExt([123450, 123450], [1, 0.9, 1, 1], 1)
dll.sendSILIntFloat([123459, 123459], [4, 0, 0])
dll.sendDynModiParams(1, [1.6])
time.sleep(4)
pitch = mav.trueAngEular[1]
print(f"pitch {pitch:.3f} height {-mav.truePosNED[2]:.1f}")

mav.sendMavLand(0, 0, 0)
end = time.time() + 30
while abs(mav.truePosNED[2]) > 1.5 and time.time() < end:
    time.sleep(0.1)
print(f"landed {abs(mav.truePosNED[2]) < 1.5}")
mav.endMavLoop()
