"""The zoo: one of each of all families in one world, where the land meets the sea.

Each has a task of its own: a generator that commands it, and yields until the next tick of the
world. The ground is a terrain map, the sea has waves, batteries feed all drives. The table says
what each did; the page of pictures, zoo.png, shows where.

Last line: ... vehicles of ... families, 120 s in ... s: ... times as fast as real time
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.markers import MarkerStyle
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Affine2D
from numpy.typing import ArrayLike, NDArray

from pyrfly import Sim
from pyrfly.log import Recorder
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles import FAMILIES

Array = NDArray[np.float64]
Task = Iterator[None]

TICK, END = 0.1, 120.0  # s

# --- the world [m], land in the west, a bay and an island in the east

NORTH, EAST = np.arange(-130, 136, 5.0), np.arange(-225, 226, 5.0)


def ground_at(north: Array, east: Array) -> Array:
    """Return heights of the ground over the sea [m]."""
    off_shore = east - 18 * np.sin(north / 45) - 10
    slope = np.where(off_shore < 0, -8 * np.tanh(off_shore / 90), -22 * np.tanh(off_shore / 110))
    hill = 9 * np.exp(-((north - 95) ** 2 + (east + 175) ** 2) / 3000)
    island = 24 * np.exp(-((north + 65) ** 2 + (east - 145) ** 2) / 700)
    return np.asarray(slope + hill + island)


world = TerrainMap(ground_at(NORTH[:, None], EAST), spacing=5, corner=(NORTH[0], EAST[0]))

# --- the tasks


def until(done: Callable[[], object]) -> Task:
    """Wait until something is true."""
    while not done():
        yield


def wait(seconds: float) -> Task:
    """Wait for a time."""
    end = sim.time + seconds
    yield from until(lambda: sim.time >= end)


def near(me: int, point: ArrayLike, within: float = 2.0) -> Task:
    """Wait until a vehicle is near a point, north, east, down [m]."""
    yield from until(lambda: np.linalg.norm(sim.pos[me - 1] - point) < within)


def through(me: int, *points: ArrayLike) -> Task:
    """Pass points."""
    for point in points:
        sim.command_position(point, ids=me)
        yield from near(me, point)


def patrol(me: int) -> Task:
    """Fly in zigzag along the shore."""
    for north in range(-85, 100, 46):
        yield from through(me, [north, -20, -25], [north + 23, 40, -25])


def eight(me: int) -> Task:
    """Fly an eight over the water, when the rotor has come up to speed."""
    yield from through(me, [20, 55, -40])
    begin = sim.time
    while True:
        phase = 0.12 * (sim.time - begin)
        pos = [20 + 30 * np.sin(2 * phase), 115 - 60 * np.cos(phase), -40]
        vel = [7.2 * np.cos(2 * phase), 7.2 * np.sin(phase), 0]
        sim.command_position(pos, np.arctan2(vel[1], vel[0]), vel=vel, ids=me)
        yield


def circle(me: int) -> Task:
    """Circle over it all."""
    sim.plane.command_circle([0, -10, -65], 110, ids=me)
    yield


def there_and_back(me: int) -> Task:
    """Take off in hover, fly to the sea by wings, come back and land."""
    home = sim.pos[me - 1].copy()
    above, there = home - [0, 0, 30], np.array([-40, 130, -50])
    yield from through(me, above)
    sim.gazebo_blocks.command_transition("wings", ids=me)
    sim.command_position(there, ids=me)
    yield from near(me, there, within=75)
    sim.gazebo_blocks.command_line(above, above - there, ids=me)
    yield from near(me, above, within=90)
    sim.gazebo_blocks.command_transition("hover", ids=me)
    yield from wait(8)
    yield from through(me, home - [0, 0, 10], home)


def laps(me: int) -> Task:
    """Drive laps around the hill."""
    middle, radius, speed = np.array([65, -160]), 45, 12
    while True:
        north, east = sim.pos[me - 1, :2] - middle
        out, along = np.array([[north, east, 0], [-east, north, 0]]) / np.hypot(north, east)
        sim.command_position([*middle, 0] + radius * out, vel=speed * along, ids=me)
        yield


def parking(me: int) -> Task:
    """Park in reverse, 6 m behind and 2.5 m to the side."""
    sim.command_position(sim.pos[me - 1] + [-6, 2.5, 0], yaw=0, ids=me)
    yield


def docking(me: int) -> Task:
    """Drive past a ramp and back the trailer into it."""
    sim.command_position(np.add(RAMP, [5, 55, 0]), ids=me)
    yield from until(lambda: sim.arrived[me - 1])
    sim.truck.command_backing(RAMP, np.pi / 2, speed=1.5, ids=me)


def square(me: int) -> Task:
    """Drive around a square on the beach."""
    start = sim.pos[me - 1].copy()
    for corner in ([0, -20, 0], [20, -20, 0], [20, 0, 0], [0, 0, 0]):
        sim.command_position(start + corner, ids=me)
        yield from until(lambda: sim.arrived[me - 1])


def survey(me: int) -> Task:
    """Survey the bay along parallel lines."""
    for north in range(80, 121, 20):
        yield from through(me, [north, 90, 0], [north, 150, 0], [north + 10, 150, 0])
        yield from through(me, [north + 10, 90, 0])


def inspect(me: int) -> Task:
    """Dive, and go along the foot of the island with the cameras on it."""
    for turn in np.linspace(0, 1.5 * np.pi, 40):
        pos = [-65 + 38 * np.cos(turn), 145 - 38 * np.sin(turn), 6]
        sim.command_position(pos, yaw=np.pi - turn, ids=me)
        yield from near(me, pos, within=3)


def spiral(me: int) -> Task:
    """Dive in a spiral, by the fins."""
    while True:
        depth = min(2 + 0.12 * sim.time, 14)
        sim.marine.command_speed(2, yaw_rate=0.08, depth=depth, ids=me)
        yield


# --- the vehicles

RAMP = np.array([-50.0, -110.0, 0.0])  # where the trailer's axle is to stand, tail west


@dataclass(frozen=True)
class Animal:
    """A vehicle: where it starts, north, east [m], and its heading [deg]; its task and looks."""

    vehicle: str
    start: tuple[float, float, float]
    task: Callable[[int], Task]
    shape: str
    colour: str
    label: tuple[float, float] = (12, 0)  # points from its last place to the name


ZOO = (
    Animal("x450", (-90, -40, 0), patrol, "quadrotor", "#D55E00", (14, 0)),
    Animal("xcell_60", (20, -20, 90), eight, "helicopter", "#C2185B"),
    Animal("skywalker_x8", (-120, -60, 0), circle, "plane", "#7B3FA0", (12, -5)),
    Animal("gz_standard_vtol", (-75, -170, 0), there_and_back, "plane", "#A8710A", (8, -12)),
    Animal("husky_a200", (100, -40, 0), square, "rover", "#6D4C2F"),
    Animal("bmw_320i_detailed", (65, -115, 90), laps, "car", "#222222"),
    Animal("ford_escort", (-10, -90, 0), parking, "car", "#B3261E"),
    Animal("truck_trailer", (-100, -130, 90), docking, "car", "#1B6E3C", (-15, 13)),
    Animal("otter", (80, 90, 90), survey, "boat", "#0B4F8A"),
    Animal("bluerov2_heavy", (-27, 145, 180), inspect, "rover", "#00718F", (-40, -17)),
    Animal("remus100", (40, 125, 0), spiral, "torpedo", "#3949AB"),
)

sim = Sim({animal.vehicle: 1 for animal in ZOO})
assert {group.family.name for group in sim.groups} == set(FAMILIES), "a family is not here"
sim.environment.set_terrain(world)
sim.environment.set_waves(0.3, 3, seed=1)
sim.power.enable(avionics=0)
places = np.array([animal.start for animal in ZOO])
sim.reset(pos=places[:, :2], yaw=np.radians(places[:, 2]))
sim.arm()

tasks = [animal.task(number) for number, animal in enumerate(ZOO, 1)]
truck = 1 + [animal.task for animal in ZOO].index(docking)
recorder = Recorder(sim, ["pos", "vel", "euler", "terrain"])
trailer = Recorder(sim, ["trailer_pos", "trailer_euler"], ids=truck)
begin = time.perf_counter()
while sim.time < END:
    for task in tasks:
        next(task, None)
    sim.sleep(TICK)
    recorder.sample()
    trailer.sample()
wall = time.perf_counter() - begin
assert sim.check().ok
log, trailer_log = recorder.log(), trailer.log()

# --- the page of pictures

OUTLINES = {  # right sides of outlines from above, nose up
    "plane": [(0, 1), (0.12, 0.7), (0.14, 0.3), (1, 0.05), (1, -0.2), (0.13, -0.12), (0.09, -0.6),
              (0.42, -0.75), (0.42, -0.95), (0, -0.88)],
    "helicopter": [(0, 0.8), (0.2, 0.5), (0.2, 0.1), (0.06, -0.15), (0.06, -0.8), (0.28, -0.8),
                   (0.28, -0.95), (0, -0.95)],
    "quadrotor": [(0, 0.25), (0.18, 0.25), (0.18, -0.25), (0, -0.25)],
    "rover": [(0, 0.5), (0.35, 0.5), (0.35, 0.7), (0.6, 0.7), (0.6, 0.1), (0.35, 0.1), (0.35, -0.1),
              (0.6, -0.1), (0.6, -0.7), (0.35, -0.7), (0.35, -0.5), (0, -0.5)],
    "car": [(0, 0.8), (0.28, 0.8), (0.4, 0.6), (0.4, -0.7), (0.34, -0.8), (0, -0.8)],
    "trailer": [(0, 1), (0.4, 1), (0.4, -1), (0, -1)],
    "boat": [(0, 1), (0.22, 0.65), (0.36, 0.1), (0.36, -0.9), (0, -0.9)],
    "torpedo": [(0, 1), (0.14, 0.85), (0.14, -0.5), (0.42, -0.75), (0.42, -0.9), (0, -0.85)],
}  # fmt: skip
CROSSES = {"helicopter": (0.25, 2.0), "quadrotor": (0.0, 1.6)}  # of blades or arms: middle, length
ROTORS = {"quadrotor": [(x, y, 0.4) for x in (-0.55, 0.55) for y in (-0.55, 0.55)]}
LAND_AND_SEA = LinearSegmentedColormap.from_list(
    "", ["#8FB4D3", "#B7D2E6", "#DDEBF3", "#F3EBD7", "#D9D6A8", "#A9BC84"]
)
HALO = [withStroke(linewidth=2.5, foreground="white")]


def marker(shape: str, heading: float) -> MarkerStyle:
    """Return the outline of a vehicle with a heading [rad]."""
    right = np.array(OUTLINES[shape], float)
    paths = [Path(np.concatenate([right * (-1, 1), right[::-1]]), closed=True)]
    paths += [Path.circle((x, y), radius) for x, y, radius in ROTORS.get(shape, ())]
    if shape in CROSSES:
        middle, length = CROSSES[shape]
        bar = Path.unit_rectangle().transformed(Affine2D().translate(-0.5, -0.5))
        for angle in (45, -45):
            turn = Affine2D().scale(0.13, length).rotate_deg(angle).translate(0, middle)
            paths.append(bar.transformed(turn))
    return MarkerStyle(Path.make_compound_path(*paths), transform=Affine2D().rotate(-heading))


def draw_vehicle(axes: Axes, pos: Array, euler: Array, shape: str, colour: str) -> None:
    """Draw the way of a vehicle from above, and where it is at the end."""
    axes.plot(pos[:, 1], pos[:, 0], color=colour, lw=1.3)
    style: Any = {"color": colour, "ms": 18, "mew": 0, "zorder": 5, "path_effects": HALO}
    axes.plot(pos[-1, 1], pos[-1, 0], marker=marker(shape, euler[-1, 2]), **style)


def draw_map(axes: Axes) -> None:
    """Draw land and sea, and the ways of all."""
    norm = TwoSlopeNorm(0, world.minimum, world.maximum)
    levels = np.arange(-24, world.maximum + 2, 2)
    axes.contourf(EAST, NORTH, world.heights, levels, cmap=LAND_AND_SEA, norm=norm)
    axes.contour(EAST, NORTH, world.heights, [0], colors="#7E8C94", linewidths=1)
    pose = trailer_log["trailer_pos"][:, 0], trailer_log["trailer_euler"][:, 0]
    draw_vehicle(axes, *pose, "trailer", "#5B9A73")
    for k, animal in enumerate(ZOO):
        pos = log["pos"][:, k]
        draw_vehicle(axes, pos, log["euler"][:, k], animal.shape, animal.colour)
        name: Any = {"color": animal.colour, "fontweight": "bold", "va": "center", "zorder": 6}
        place: Any = {"xytext": animal.label, "textcoords": "offset points", "path_effects": HALO}
        axes.annotate(animal.vehicle, (pos[-1, 1], pos[-1, 0]), **place, **name)
    axes.set(xlabel="east [m]", ylabel="north [m]", aspect="equal")
    axes.set(xlim=EAST[[0, -1]], ylim=NORTH[[0, -1]])


def draw_heights(axes: Axes) -> None:
    """Draw the heights of what flies."""
    for k, animal in enumerate(ZOO):
        if sim.groups[k].flies:
            axes.plot(log.time, -log["pos"][:, k, 2], color=animal.colour)
    axes.set(title="In the air: height [m]", xlabel="time [s]")


def draw_depths(axes: Axes) -> None:
    """Draw the depths of what is in the water, and of the bottom below it."""
    for k, animal in enumerate(ZOO):
        if sim.groups[k].is_afloat:
            axes.plot(log.time, log["pos"][:, k, 2], color=animal.colour)
            axes.plot(log.time, log["terrain"][:, k], ":", color=animal.colour, lw=1)
    axes.invert_yaxis()
    axes.set(title="In the water: depth and bottom [m]", xlabel="time [s]")


def draw_box(
    axes: Axes, pos: Array, yaw: float, length: float, behind: float, **style: Any
) -> None:
    """Draw a box 2.5 m wide that begins some way behind a place [m]."""
    along = np.array([0, length, length, 0, 0]) - behind
    right = np.array([-1.25, -1.25, 1.25, 1.25, -1.25])
    c, s = np.cos(yaw), np.sin(yaw)
    axes.fill(pos[1] + s * along + c * right, pos[0] + c * along - s * right, **style)


def draw_docking(axes: Axes) -> None:
    """Draw the truck and its trailer to scale as they back, and the ramp."""
    pos, yaw = log["pos"][:, truck - 1], log["euler"][:, truck - 1, 2]
    axle, heading = trailer_log["trailer_pos"][:, 0], trailer_log["trailer_euler"][:, 0, 2]
    north, east, _ = RAMP
    axes.plot(east + np.array([7, -6, -6, 7]), north + np.array([-2, -2, 2, 2]), "k", lw=2)
    farthest = int(pos[:, 1].argmax())
    for k in [*range(farthest, len(pos), 60), len(pos) - 1]:
        style: Any = {"alpha": 0.45 if k < len(pos) - 1 else 1, "lw": 0, "zorder": 3}
        draw_box(axes, axle[k], heading[k], 13.6, 4, color="#5B9A73", **style)
        draw_box(axes, pos[k], yaw[k], 5.1, 2.5, color=ZOO[truck - 1].colour, **style)
    axes.set(title="On land: the truck backs into a ramp", xlabel="east [m]")
    axes.set_aspect("equal", adjustable="datalim")


STYLE: Any = {"axes.titlesize": 9.5, "axes.titlelocation": "left", "axes.titleweight": "bold"}
plt.rcParams.update({"font.size": 9, "axes.edgecolor": "#AAAAAA", "grid.color": "#E6E6E6", **STYLE})
figure = plt.figure(figsize=(10.2, 8.6), layout="constrained")
title = f"One Sim: {sim.n} vehicles of all {len(FAMILIES)} families, {END:.0f} s"
figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
grid = figure.add_gridspec(2, 3, height_ratios=(2.7, 1))
draw_map(figure.add_subplot(grid[0, :]))
for column, draw in enumerate((draw_heights, draw_docking, draw_depths)):
    panel = figure.add_subplot(grid[1, column])
    panel.grid(True)
    draw(panel)
figure.savefig("zoo.png", dpi=95)

# --- the table

print(f"{'vehicle':19}{'family':15}{'way':>7}{'fastest':>10}{'energy':>10}  what it did")
for group, animal, pos, vel in zip(
    sim.groups, ZOO, np.swapaxes(log["pos"], 0, 1), np.swapaxes(log["vel"], 0, 1), strict=True
):
    way = np.linalg.norm(np.diff(pos, axis=0), axis=1).sum()
    fastest = np.linalg.norm(vel, axis=1).max()
    energy = group.view("battery_energy")[0] / 3600
    did = (animal.task.__doc__ or "").rstrip(".")
    print(
        f"{animal.vehicle:19}{group.family.name:15}{way:5.0f} m{fastest:6.1f} m/s"
        f"{energy:7.1f} Wh  {did}"
    )
print(
    f"{sim.n} vehicles of {len(FAMILIES)} families, {END:.0f} s in {wall:.2f} s: "
    f"{END / wall:.0f} times as fast as real time"
)
