"""A QGroundControl plan is flown, recorded, saved and plotted.

Writes mission.npz and mission.png into the current folder.

Last line: flew ... m in ... s, at most ... m beside the planned legs
"""

from pyrfly import Sim
from pyrfly.flight import fly_mission, summary_table
from pyrfly.log import Recorder
from pyrfly.mission import DEMO, read_mission
from pyrfly.viz import plot_flight

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
