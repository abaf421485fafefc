"""Follow a moving target with velocity commands, computed thirty times a second."""

import math
import time

import pyrfly.rflysim.PX4MavCtrlV4 as PX4MavCtrl

RATE = 30.0  # Hz
HEIGHT = 5.0  # m
DURATION = 30.0  # s
GAIN = 1.0  # 1/s, from distance to speed


def target(t: float) -> tuple[float, float, float, float]:
    """Return place and velocity of the target, which goes round a circle [m, m/s, NED]."""
    radius, rate = 8.0, 0.2
    angle = rate * t
    return (
        radius * math.sin(angle),
        radius * (1 - math.cos(angle)),
        radius * rate * math.cos(angle),
        radius * rate * math.sin(angle),
    )


mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop()
time.sleep(0.5)
mav.initOffboard()
mav.SendPosNED(0, 0, -HEIGHT, 0)
time.sleep(8)

errors: list[float] = []
cycles = 0
startTime = lastTime = time.time()
while lastTime - startTime < DURATION:
    # What is left of this cycle; a cycle that took too long is followed by the next at once.
    lastTime = lastTime + 1 / RATE
    sleepTime = lastTime - time.time()
    if sleepTime > 0:
        time.sleep(sleepTime)
    cycles += 1

    t = time.time() - startTime
    x, y, vx, vy = target(t)
    north, east, down = mav.uavPosNED
    # The target's own velocity as feed-forward, so that the distance does not stay.
    turn = mav.yawSat(math.atan2(vy, vx) - mav.uavAngEular[2])
    mav.SendVelNED(vx + GAIN * (x - north), vy + GAIN * (y - east), -HEIGHT - down, turn)
    if t > DURATION / 3:  # the first third is for getting there
        errors.append(math.hypot(x - north, y - east))

rate = cycles / (time.time() - startTime)
print(f"{cycles} cycles at {rate:.1f} Hz")
print(f"distance to the target: mean {sum(errors) / len(errors):.2f} m, most {max(errors):.2f} m")
print(f"height {-mav.uavPosNED[2]:.2f} m")

mav.SendVelNED(0, 0, 0, 0)
time.sleep(2)
mav.endOffboard()
mav.sendMavLand(mav.uavPosNED[0], mav.uavPosNED[1], 0)
while mav.isArmed:
    time.sleep(0.5)
print("landed")
mav.stopRun()
