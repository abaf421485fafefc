"""Fly to positions given as latitude, longitude and height."""

import math
import time

import pyrfly.rflysim.PX4MavCtrlV4 as PX4MavCtrl

HEIGHT = 10.0  # m above the take-off point
METRES_PER_DEG = 111_320.0  # of latitude, about

mav = PX4MavCtrl.PX4MavCtrler(1)
mav.InitMavLoop()
time.sleep(0.5)

home_lat, home_lon, home_alt = mav.uavPosGPSHome
print(f"home: {home_lat:.7f} {home_lon:.7f} {home_alt:.2f}")
mav.SendMavArm(True)
mav.sendMavTakeOff(0, 0, -HEIGHT)
time.sleep(12)
print(f"height above home: {mav.uavPosGPS[4]:.2f} m")
mav.initOffboard()

# North-east, south-east and back: m north and east of home.
for north, east in [(20.0, 15.0), (-15.0, 15.0), (0.0, 0.0)]:
    lat = home_lat + north / METRES_PER_DEG
    lon = home_lon + east / (METRES_PER_DEG * math.cos(math.radians(home_lat)))
    yaw = math.atan2(east - mav.uavPosNED[1], north - mav.uavPosNED[0])
    # yawType 1: the number before it is a heading.
    mav.SendPosGlobal(lat, lon, home_alt + HEIGHT, yaw, 1)
    time.sleep(12)
    # Back to degrees, for an error that does not depend on the local frame.
    off_north = (mav.uavPosGPS[0] - lat) * METRES_PER_DEG
    off_east = (mav.uavPosGPS[1] - lon) * METRES_PER_DEG * math.cos(math.radians(home_lat))
    off_up = mav.uavPosGPS[2] - (home_alt + HEIGHT)
    error = math.hypot(off_north, off_east, off_up)
    print(f"waypoint {lat:.7f} {lon:.7f}: at {mav.uavPosGPS[0]:.7f} {mav.uavPosGPS[1]:.7f}")
    off_yaw = mav.yawSat(mav.uavPosGPS[8] - yaw)
    print(f"error {error:.2f} m, heading off by {abs(off_yaw):.3f} rad")

mav.endOffboard()
mav.sendMavLandGPS(home_lat, home_lon, home_alt)
while mav.isArmed:
    time.sleep(0.5)
print(f"landed {math.hypot(*mav.uavPosNED[:2]):.2f} m from home")
mav.stopRun()
