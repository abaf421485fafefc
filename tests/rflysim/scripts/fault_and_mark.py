"""A test of safety in the way of RflySim's users: fly, inject a fault, mark it, judge the fall."""

import time

import numpy as np
import PX4MavCtrlV4 as PX4MavCtrl
import UE4CtrlAPI

ue = UE4CtrlAPI.UE4CtrlAPI()
mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop(0)
time.sleep(0.5)
mav.InitTrueDataLoop()
time.sleep(0.5)
mav.initOffboard()
time.sleep(0.5)

rates = []
start = time.time()
injected = None
while time.time() - start < 30:
    time.sleep(0.02)
    now = time.time() - start
    if now < 9:
        mav.SendMavArm(1)
        mav.SendPosNED(0, 0, -12)
    elif injected is None:
        ints = np.zeros(8).astype(int).tolist()
        floats = np.zeros(20).astype(float).tolist()
        ints[0:2] = [123450, 123450]
        floats[0:4] = [1, 1, 1, 0]
        ue.sendUE4Cmd(f'RflyShowTextTime "Start Inject {ints[0]} Fault" 10')
        mav.sendSILIntFloat(ints, floats)
        mav.SendMavCmdLong(183, 999, 999, 999, 999, 999, 999, 999)
        injected = now
        height = -mav.truePosNED[2]
    else:
        rates.append(np.array(mav.trueAngRate))
        if abs(mav.truePosNED[2]) < 1.2 and abs(mav.trueVelNED[2]) > 3.5:
            break

fallen = time.time() - start < 29
print(f"height {height:.1f} fallen {fallen}")
rolling = np.max(np.abs(np.mean(rates, axis=0))) > 1
print(f"rolling {rolling} failsafe {mav.isFailsafeEn}")
mav.EndTrueDataLoop()
mav.endMavLoop()
