"""Tilt, then turn over about the roll and the pitch axis with body rates, and recover each time."""

import math
import time

import pyrfly.rflysim.PX4MavCtrlV4 as PX4MavCtrl

HEIGHT = 20.0  # m: a flip falls a few metres
RATE = 9.0  # rad/s

mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop()
mav.InitTrueDataLoop()  # RflySim's UDP modes carry body rates with the true state only
time.sleep(0.5)
mav.initOffboard()


def hover() -> None:
    """Go back to the place above the take-off point."""
    mav.SendPosNED(0, 0, -HEIGHT, 0)
    time.sleep(7)


def flip(name: str, axis: int) -> None:
    """Turn once over about body axis 0 (roll) or 1 (pitch), and say how it came out."""
    # Rising, so that the vehicle comes out of the flip about where it went in.
    mav.SendVelNED(0, 0, -4, 0)
    time.sleep(1.5)
    before = -mav.uavPosNED[2]
    rates = [0.0, 0.0, 0.0, 0.0]
    rates[axis] = RATE
    # CtrlFlag 3: body rates. Little thrust, because upside down it points to the ground.
    mav.SendAttPX4(rates, 0.2, 3)
    turned, last, recovering = 0.0, time.time(), 0.0
    while recovering < 1.0:
        time.sleep(0.01)
        passed, last = time.time() - last, time.time()
        turned += mav.trueAngRate[axis] * passed
        # The last 0.5 rad come while the rate is taken away.
        if recovering or turned > math.tau - 0.5:
            # CtrlFlag 1 and AltFlg 1: angles in radians, and the second argument is a height.
            mav.SendAttPX4([0, 0, 0, 0], HEIGHT, 1, 1)
            recovering += passed
    tilt = math.degrees(math.hypot(*mav.uavAngEular[:2]))
    change = -mav.uavPosNED[2] - before
    print(f"{name}: turned {math.degrees(turned):.0f} deg, height changed {change:.1f} m")
    print(f"{name}: tilt {tilt:.1f} deg after 1 s of recovery")
    hover()
    error = math.dist(mav.uavPosNED, (0, 0, -HEIGHT))
    print(f"{name}: recovered, error {error:.2f} m")


hover()
time.sleep(5)
print(f"height {-mav.uavPosNED[2]:.2f} m")

# CtrlFlag 0: angles in degrees. The vehicle leans to the right and holds its height.
mav.SendAttPX4([20, 0, 0, 0], HEIGHT, 0, 1)
time.sleep(1.5)
roll, height = math.degrees(mav.uavAngEular[0]), -mav.uavPosNED[2]
print(f"leaning: roll {roll:.1f} deg, {mav.uavVelNED[1]:.1f} m/s to the east, {height:.1f} m high")
hover()

flip("roll", 0)
flip("pitch", 1)

mav.endOffboard()
mav.sendMavLand(0, 0, 0)
while mav.isArmed:
    time.sleep(0.5)
print(f"landed {math.hypot(*mav.uavPosNED[:2]):.2f} m from the take-off point")
mav.EndTrueDataLoop()
mav.stopRun()
