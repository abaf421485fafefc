"""A QGroundControl plan is flown, recorded, saved and plotted.

Writes mission.npz and mission.png into the current folder.

Last line: flew ... m in ... s, at most ... m beside the planned legs
"""

from pyrfly import Sim
from pyrfly.log import Recorder, plot_flight
from pyrfly.mission import DEMO, fly_mission, read_mission, summary_table

mission = read_mission(DEMO)
sim = Sim("x450")
recorder = Recorder(sim, ("pos", "vel", "att", "pos_sp", "vel_sp", "setpoint_mask"))
result = fly_mission(sim, mission, recorder=recorder)

log = recorder.log()
log.save("mission.npz")
plot_flight(log, mission, "mission.png")
print(summary_table(result))
print(
    f"flew {result.distance:.0f} m in {result.time:.0f} s, "
    f"at most {result.cross_track_max:.2f} m beside the planned legs"
)
