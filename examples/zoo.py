"""The zoo: one of each of all families in one world, where the land meets the sea.

Each has a task of its own: a generator that commands it, and yields until the next tick of the
world. The ground is a terrain map, the sea has waves, batteries feed all drives. The table says
what each did; the film, zoo.webp, shows it.

Last line: ... vehicles of ... families, 120 s in ... s: ... times as fast as real time
"""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import Sim
from pyrfly.frames import euler_of_quaternion
from pyrfly.log import Recorder
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles import FAMILIES
from pyrfly.view import Camera, animate
from pyrfly.view.live import SimSource
from pyrfly.view.logged import LogSource
from pyrfly.view.painter import Painter

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
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


class Animal(NamedTuple):
    """A vehicle: where it starts, north, east [m], and its heading [deg]; its close-up."""

    vehicle: str
    start: tuple[float, float, float]
    task: Callable[[int], Task]
    seen_at: float  # s
    speed: float = 1.0  # times real time


ZOO = (
    Animal("x450", (-90, -40, 0), patrol, 30),
    Animal("xcell_60", (20, -20, 90), eight, 40),
    Animal("skywalker_x8", (-120, -60, 0), circle, 40),
    Animal("gz_standard_vtol", (-75, -170, 0), there_and_back, 24),
    Animal("husky_a200", (100, -40, 0), square, 30, 2),
    Animal("bmw_320i_detailed", (65, -115, 90), laps, 30),
    Animal("ford_escort", (-10, -90, 0), parking, 12, 4),
    Animal("truck_trailer", (-100, -130, 90), docking, 70, 8),
    Animal("otter", (80, 90, 90), survey, 30),
    Animal("bluerov2_heavy", (-27, 145, 180), inspect, 40),
    Animal("remus100", (40, 125, 0), spiral, 30),
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
recorder = Recorder(sim, ["pos", "vel", "att", "displayed_actuators"])
begin = time.perf_counter()
while sim.time < END:
    for task in tasks:
        next(task, None)
    sim.sleep(TICK)
    recorder.sample()
wall = time.perf_counter() - begin
assert sim.check().ok
log = recorder.log()

# --- the film

SIZE, FPS = (640, 360), 10  # pixels, pictures per second
SPEED, TRAIL = 20, 25  # times real time; s
CLOSE_UP = 10  # pictures of each


def close_up(source: LogSource, number: int, animal: Animal) -> Iterator[Picture]:
    """Yield pictures of one vehicle, around which the camera moves slowly."""
    heading = float(euler_of_quaternion(source.frame(animal.seen_at).att)[number - 1, 2])
    camera = Camera("follow", number, azimuth=heading + 2.3, elevation=0.3)
    painter = Painter(source.world(), SIZE, camera, labels="names", least=0)
    for k in range(CLOSE_UP):
        camera.azimuth += 0.02
        yield painter.draw(source.frame(animal.seen_at + animal.speed * k / FPS))


def film() -> Iterator[Picture]:
    """Yield pictures of them all, then of one after the other."""
    source = LogSource(log, SimSource(sim).world())
    camera = Camera(at=(-5, -20, 0), distance=270, azimuth=0.9, elevation=0.5)
    painter = Painter(source.world(), SIZE, camera, trail=TRAIL, labels="names", least=18)
    for seconds in np.arange(0, END, SPEED / FPS):
        yield painter.draw(source.frame(seconds))
    for number, animal in enumerate(ZOO, 1):
        yield from close_up(source, number, animal)


animate(film(), "zoo.webp", fps=FPS)

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
