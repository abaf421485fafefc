"""The zoo: vehicles of all families in one world, where the land meets the sea.

It is the world of ``pyrfly demo``. Each vehicle goes the round that its family has for it, in
``pyrfly/vehicles/<family>/rounds.py``: a generator that commands it, and yields until the next
tick. The ground is a terrain map, the sea has waves, batteries feed all drives. The table says what
each did; the film, zoo.webp, shows it.

Last line: ... vehicles of ... families, 120 s in ... s: ... times as fast as real time
"""

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pyrfly.commands.zoo import Zoo
from pyrfly.frames import euler_of_quaternion
from pyrfly.log import Recorder
from pyrfly.vehicles import FAMILIES
from pyrfly.view import Camera, animate
from pyrfly.view.live import SimSource
from pyrfly.view.logged import LogSource
from pyrfly.view.painter import Painter

Picture = NDArray[np.uint8]

END = 120.0  # s

zoo = Zoo()
sim = zoo.sim
assert {group.family.name for group in sim.groups} == set(FAMILIES), "a family is not here"
sim.environment.set_waves(0.3, 3, seed=1)
sim.power.enable(avionics=0)

recorder = Recorder(sim, ["pos", "vel", "att", "displayed_actuators"])
begin = time.perf_counter()
while sim.time < END:
    zoo.step()
    recorder.sample()
wall = time.perf_counter() - begin
assert sim.check().ok
log = recorder.log()

# --- the film

SIZE, FPS = (640, 360), 10  # pixels, pictures per second
SPEED, TRAIL = 24, 25  # times real time; s
CLOSE_UP = 7  # pictures of each
SEEN = {"ford_escort": (3, 8), "gz_standard_vtol": (8, 6), "truck_trailer": (50, 12)}
"""Of what is seen at another time than 30 s [s]: when, and at how many times real time."""


def close_up(source: LogSource, number: int, vehicle: str) -> Iterator[Picture]:
    """Yield pictures of one vehicle, around which the camera moves slowly."""
    seconds, speed = SEEN.get(vehicle, (30, 1))
    heading = float(euler_of_quaternion(source.frame(seconds).att)[number - 1, 2])
    camera = Camera("follow", number, azimuth=heading + 2.3, elevation=0.3)
    painter = Painter(source.world(), SIZE, camera, labels="names", least=0)
    for k in range(CLOSE_UP):
        camera.azimuth += 0.02
        yield painter.draw(source.frame(seconds + speed * k / FPS))


def film() -> Iterator[Picture]:
    """Yield pictures of them all, then of one after the other."""
    source = LogSource(log, SimSource(sim).world())
    camera = Camera(at=(-5, -20, 0), distance=270, azimuth=0.9, elevation=0.5)
    painter = Painter(source.world(), SIZE, camera, trail=TRAIL, labels="names", least=18)
    for seconds in np.arange(0, END, SPEED / FPS):
        yield painter.draw(source.frame(seconds))
    for number, one in enumerate(zoo.rounds, 1):
        yield from close_up(source, number, one.vehicle)


animate(film(), "zoo.webp", fps=FPS)

# --- the table

print(f"{'vehicle':19}{'family':15}{'way':>7}{'fastest':>10}{'energy':>10}  what it did")
for group, one, pos, vel in zip(
    sim.groups,
    zoo.rounds,
    np.swapaxes(log["pos"], 0, 1),
    np.swapaxes(log["vel"], 0, 1),
    strict=True,
):
    way = np.linalg.norm(np.diff(pos, axis=0), axis=1).sum()
    fastest = np.linalg.norm(vel, axis=1).max()
    energy = group.view("battery_energy")[0] / 3600
    did = (one.moves.__doc__ or "").rstrip(".")
    print(
        f"{one.vehicle:19}{group.family.name:15}{way:5.0f} m{fastest:6.1f} m/s"
        f"{energy:7.1f} Wh  {did}"
    )
print(
    f"{sim.n} vehicles of {len(FAMILIES)} families, {END:.0f} s in {wall:.2f} s: "
    f"{END / wall:.0f} times as fast as real time"
)
