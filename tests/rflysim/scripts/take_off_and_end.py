"""Ends right after its last method: the flight goes on."""

import PX4MavCtrlV4 as PX4MavCtrl

mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop(0)
mav.initOffboard()
mav.SendPosNED(0, 0, -1.5, 0)
print("end of the script")
