"""Inputs of the model by DllSimCtrlAPI's words, and the short names of `api`."""

import time

import DllSimCtrlAPI
import PX4MavCtrlV4 as PX4MavCtrl
import VisionCaptureApi
from api import Ctrl

vision = VisionCaptureApi.VisionCaptureApi()
vision.sendUE4Cmd("RflyCameraFovDegrees 0 90")
mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop(0)
time.sleep(0.5)
cp = DllSimCtrlAPI.RflySimCP
words = cp.getPosLocal(0, 0, -3, 0)
mav.sendSILIntFloat([int(word) for word in words[:8]], words[8:28])
time.sleep(6)
print("height", round(-mav.uavPosNED[2], 1))
mav.endMavLoop()
ctrl = Ctrl(2)
ctrl.init_loop(0)
ctrl.initOffboard()
ctrl.send_vel_ned([1, 0, -1], 0)
time.sleep(4)
print("flies", ctrl.get_vel_ned()[0] > 0.5)
ctrl.stopRun()
