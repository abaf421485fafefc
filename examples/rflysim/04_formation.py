"""Four vehicles take off from a square, form a diamond, fly as one and turn it while they fly."""

import math
import time

import pyrfly.rflysim.PX4MavCtrlV4 as PX4MavCtrl

N = 4
HEIGHT = 5.0  # m
RADIUS = 3.0  # m of the diamond
SPACING = 2.0  # m between the vehicles on the ground

mavs = [PX4MavCtrl.PX4MavCtrler(i + 1) for i in range(N)]
for mav in mavs:
    mav.InitMavLoop()
time.sleep(0.5)
for mav in mavs:
    mav.initOffboard()
# The map's frame is common to all; each vehicle's own set-points count from where it stood.
starts = [list(mav.uavGlobalPos) for mav in mavs]  # copies: a list follows its vehicle
print("starts:", *(f"({start[0]:.1f}, {start[1]:.1f})" for start in starts))


def place(i: int, centre: tuple[float, float], turn: float) -> tuple[float, float]:
    """Return the place of vehicle i in the map when the diamond is turned by an angle."""
    angle = turn + math.tau * i / N
    return centre[0] + RADIUS * math.cos(angle), centre[1] + RADIUS * math.sin(angle)


def go(centre: tuple[float, float], turn: float) -> None:
    """Send all vehicles to their positions."""
    for i, mav in enumerate(mavs):
        x, y = place(i, centre, turn)
        mav.SendPosNED(x - starts[i][0], y - starts[i][1], -HEIGHT, 0)


def report(what: str, centre: tuple[float, float], turn: float) -> None:
    """Print how far the vehicles are from their positions and from their neighbours."""
    here = [mav.uavGlobalPos for mav in mavs]
    errors = [math.dist(pos[:2], place(i, centre, turn)) for i, pos in enumerate(here)]
    sides = [math.dist(here[i][:2], here[(i + 1) % N][:2]) for i in range(N)]
    print(f"{what}: largest error {max(errors):.2f} m, sides", *(f"{side:.2f}" for side in sides))


for mav in mavs:
    mav.SendPosNED(0, 0, -HEIGHT, 0)
time.sleep(8)
print("heights:", *(f"{-mav.uavPosNED[2]:.2f}" for mav in mavs))

middle = (SPACING / 2, SPACING / 2)
go(middle, 0.0)
time.sleep(7)
report("diamond", middle, 0.0)

# 8 m to the north at 1 m/s, turning a quarter on the way, with a new place ten times a second.
centre, turn = middle, 0.0
last_time = time.time()
for step in range(1, 81):
    centre = (middle[0] + 0.1 * step, middle[1])
    turn = math.pi / 2 * step / 80
    go(centre, turn)
    last_time += 0.1
    time.sleep(max(last_time - time.time(), 0))
report("on the way", centre, turn)
time.sleep(5)
report("arrived", centre, turn)

for mav in mavs:
    mav.endOffboard()
    mav.sendMavLand(mav.uavPosNED[0], mav.uavPosNED[1], 0)
while any(mav.isArmed for mav in mavs):
    time.sleep(0.5)
print("all landed")
for mav in mavs:
    mav.stopRun()
