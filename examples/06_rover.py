"""Rovers: one drives a mission of waypoints, two brake, on dry ground and on ice.

Last line: at most ... m beside its legs; from 1.5 m/s ... m to a stop, on ice ... m
"""

from pyrfly import Sim
from pyrfly.mission import Mission, ReturnToLaunch, Waypoint, fly_mission

sim = Sim("rover_differential", 3)
sim.reset(pos=[[0, 0, 0], [0, 30, 0], [0, 40, 0]])

corners = [(15, 0, 0), (15, 15, 0), (0, 15, 0)]
mission = Mission((*(Waypoint(corner) for corner in corners), ReturnToLaunch()), cruise_speed=1.5)
result = fly_mission(sim, mission, copter_id=1)
assert result.completed, result.reason

# Speed up on dry ground. Then the ground below the last one has a tenth of its friction, as
# packets TerrainIn15d of RflySim would say, and both are disarmed, which brakes them.
both = [2, 3]
sim.arm(ids=both)
sim.rover.command_speed(1.5, ids=both)
sim.sleep(3)
start = sim.pos[1:, 0].copy()
sim.set_ground_plane(friction_reduction=0.9, ids=3)
sim.arm(False, ids=both)
sim.sleep(5)
dry, ice = sim.pos[1:, 0] - start

print(
    f"at most {result.cross_track_max:.2f} m beside its legs; "
    f"from 1.5 m/s {dry:.2f} m to a stop, on ice {ice:.2f} m"
)
