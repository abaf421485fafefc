"""A thread that streams set-points, a timer that changes them, a queue of results, and labels."""

import queue
import threading
import time
from datetime import datetime

from ctrl.PX4MavCtrlV4 import PX4MavCtrler
from ue.UE4CtrlAPI import UE4CtrlAPI

ue = UE4CtrlAPI()
ue.sendUE4Cmd("RflyChangeMapbyName Grasslands")
mav = PX4MavCtrler(1)
mav.InitMavLoop(0)
goal = [0.0, 0.0, -4.0]
heights = queue.Queue()
stop = threading.Event()


def stream():
    while not stop.is_set():
        mav.SendPosNED(*goal, 0)
        ue.sendUE4LabelID(1, f"{-mav.uavPosNED[2]:.1f} m")
        heights.put(-mav.uavPosNED[2])
        stop.wait(0.05)


def go_north():
    goal[0] = 3.0


time.sleep(0.5)
mav.initOffboard()
start = datetime.now()
thread = threading.Thread(target=stream)
thread.start()
threading.Timer(4, go_north).start()
while heights.get(timeout=20) < 3.8:
    pass
print("high after a second", (datetime.now() - start).total_seconds() > 1)
while mav.uavPosNED[0] < 2.8:
    time.sleep(0.1)
print("north after four", (datetime.now() - start).total_seconds() > 4)
stop.set()
thread.join()
mav.stopRun()
