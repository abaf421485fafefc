"""Two vehicles that are found by their heartbeats; one follows the other's held position."""

import time

import PX4MavCtrlV4 as PX4MavCtrl
import ReqCopterSim

req = ReqCopterSim.ReqCopterSim()
mavs = []
for copter in (1, 2):
    ip = req.getSimIpID(copter)
    req.sendReSimIP(copter)
    mavs.append(PX4MavCtrl.PX4MavCtrler(copter, ip))
time.sleep(1)
for mav in mavs:
    mav.InitMavLoop(0)
    mav.InitTrueDataLoop()
time.sleep(1)
for mav in mavs:
    mav.initOffboard()
    mav.SendPosNED(0, 0, -3, 0)
time.sleep(5)
leader, follower = mavs
ahead, behind = leader.truePosNED, follower.truePosNED
gap = [ahead[i] - behind[i] for i in range(3)]
leader.SendVelNED(1, 0, 0, 0)
begin = time.time()
while time.time() - begin < 6:
    vel = [ahead[i] - gap[i] - behind[i] for i in range(3)]
    follower.SendVelNED(vel[0] + 1, vel[1], vel[2], 0)
    time.sleep(0.05)
left = [round(ahead[i] - behind[i] - gap[i], 1) for i in range(3)]
print("north", round(ahead[0], 1), "gap", *left)
for mav in mavs:
    mav.endMavLoop()
