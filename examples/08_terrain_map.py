"""A terrain map: two vehicles drive and fly over hills, and a plot shows what they measured.

Last line: 20 m above the hills by the range finder: ... m to ... m; see terrain_map.png
"""

from pathlib import Path

import matplotlib as mpl
import numpy as np

from pyrfly import Sim
from pyrfly.log import Recorder
from pyrfly.mission import Land, Mission, TakeOff, Waypoint, fly_missions
from pyrfly.terrain import read_terrain

mpl.use("Agg")
from matplotlib import pyplot as plt

# Hills on a grid of 5 m, 400 m x 600 m, rows to the north; written and read as any other map.
north, east = np.meshgrid(np.arange(-200, 201, 5.0), np.arange(-100, 501, 5.0), indexing="ij")
hills = 14 * np.sin(east / 45) * np.cos(north / 80) + 10 * np.exp(-((east - 250) ** 2) / 8000)
np.save("hills.npy", hills)
terrain = read_terrain("hills.npy", spacing=5, corner=(-200, -100)).relative_to(0, 0)
Path("hills.npy").unlink()

sim = Sim({"x450": 1, "rover": 1})
sim.environment.set_terrain(terrain)
sim.sensors.enable("range", profile="ideal", ids=1)
sim.select(1).write("range_limits", (0.2, 50.0))
sim.reset(pos=[[0, 0], [8, 0]])  # on the ground there

# Waypoints 20 m above the ground, 10 m apart: a mission whose heights follow the terrain.
track = np.arange(0, 401, 10.0)
above = 20 + terrain.height(0, track)
legs = [Waypoint((0, float(e), -float(h)), radius=5) for e, h in zip(track, above, strict=True)]
end = Land((0, float(track[-1]), 0))
flight = Mission((TakeOff((0, 0, -float(above[0]))), *legs, end), cruise_speed=6)
drive = Mission((Waypoint((8, 120, 0)),), cruise_speed=2)

recorder = Recorder(sim, ["pos", "terrain", "range_distance"])
results = fly_missions(sim, {1: flight, 2: drive}, recorder=recorder)
assert all(result.completed for result in results.values()), results
log = recorder.log()
pos, ground, distance = log["pos"], log["terrain"], log["range_distance"][:, 0]
cruise = (pos[:, 0, 1] > 5) & (pos[:, 0, 1] < 395)

figure, (plan, profile) = plt.subplots(2, 1, figsize=(8, 6.4), layout="constrained")
shades = plan.contourf(east, north, terrain.heights, 14, cmap="gist_earth")
figure.colorbar(shades, ax=plan, label="height [m]")
plan.plot(pos[:, 0, 1], pos[:, 0, 0], "w", label="x450")
plan.plot(pos[:, 1, 1], pos[:, 1, 0], "w:", label="rover")
plan.set(xlabel="east [m]", ylabel="north [m]", title="A flight and a drive over a terrain map")
plan.legend(labelcolor="white", facecolor="#444444")
profile.fill_between(track, -60, terrain.height(0, track), color="#C8B898", label="map")
profile.plot(pos[:, 0, 1], -pos[:, 0, 2], label="x450")
profile.plot(pos[cruise, 0, 1], -pos[cruise, 0, 2] - distance[cruise], "k--", lw=1, label="ranged")
profile.plot(pos[:, 1, 1], -pos[:, 1, 2], label="rover")
profile.set(xlabel="east [m]", ylabel="height [m]", ylim=(-30, 50))
profile.legend(ncols=4)
figure.savefig("terrain_map.png", dpi=110)

off = np.abs(pos[:, 1, 2] - ground[:, 1]).max()
print(f"the rover's wheels were at most {1000 * off:.0f} mm off the ground")
print(
    f"20 m above the hills by the range finder: {distance[cruise].min():.1f} m to "
    f"{distance[cruise].max():.1f} m; see terrain_map.png"
)
