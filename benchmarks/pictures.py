"""Processor time of pictures of many vehicles, without labels."""

import time

import numpy as np

from pyrfly import Sim
from pyrfly.view.live import SimSource
from pyrfly.view.painter import Painter

SIZES = ((640, 480), (1280, 720))
REPEATS = 20


def milliseconds(vehicles: int, size: tuple[int, int]) -> float:
    """Return the median processor time of a picture of multirotors that stand in a square [ms]."""
    side = int(np.ceil(np.sqrt(vehicles)))
    places = [(1.5 * (k % side), 1.5 * (k // side), -3.0) for k in range(vehicles)]
    sim = Sim("x450", vehicles)
    sim.reset(pos=places, hover=True)
    source = SimSource(sim)
    painter = Painter(source.world(), size)
    times = []
    for _ in range(REPEATS):
        sim.step(10)
        begin = time.process_time()
        painter.shoot(source.frame())
        times.append(time.process_time() - begin)
    return 1e3 * float(np.median(times))


if __name__ == "__main__":
    print(f"{'':18}" + "".join(f"{f'{width} x {height}':>12}" for width, height in SIZES))
    for vehicles in (20, 300):
        row = "".join(f"{milliseconds(vehicles, size):9.1f} ms" for size in SIZES)
        print(f"{vehicles} multirotors".ljust(18) + row)
