"""Voyages whose every bit is recorded: prints ``{name: digest}`` as JSON, see tests/golden."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import numpy as np

import pyrfly
from pyrfly import vehicles

RECORDED = ("pos", "vel", "att", "thruster_speed", "fin_angle")


def driven(sim: pyrfly.Sim, seconds: float) -> Iterator[bytes]:
    """Step, and yield the bytes of what is recorded."""
    for _ in range(round(seconds / 0.05)):
        sim.step(50)
        for name in RECORDED:
            yield np.ascontiguousarray(getattr(sim, name)).tobytes()


def voyage(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Go by each kind of set-point, in still water, currents and wind, then fall into it."""
    sim.reset(pos=[[0, 0, 0], [3, -2, 6]], yaw=[0.5, -2.0])
    sim.arm()
    sim.marine.command_speed([1.0, 0.5], yaw=[1.0, -1.0], depth=[0.0, 8.0])
    yield from driven(sim, 3)
    if "command_position" in sim.groups[0].abilities.commands:
        sim.command_position([[2, 1, 0], [5, -2, 3]], yaw=[1.0, 3.0])
        yield from driven(sim, 3)
        sim.command_velocity([0.5, -0.5, 0.2])
    sim.environment.set_current([0.3, 0.2, 0.0], depth=[30.0, 50.0])
    sim.wind[:] = [3.0, -2.0, 0.0]
    yield from driven(sim, 3)
    sim.controllers = False
    sim.reset(pos=[[0, 0, -1.5], [0, 0, -0.5]])
    sim.att[:] = [[0.8, 0.6, 0.0, 0.0], [0.6, 0.0, 0.8, 0.0]]
    sim.terrain[1] = 0.4
    yield from driven(sim, 2)


def main() -> None:
    """Sail every set in both precisions."""
    assert pyrfly.simd_info()["simd"] in ("strict", "base")
    digests = {}
    for name in vehicles.names("marine"):
        for precision in ("float64", "float32"):
            digest = hashlib.blake2b(digest_size=12)
            for sample in voyage(pyrfly.Sim(name, 2, precision=precision, threads=1)):
                digest.update(sample)
            digests[f"{name} {precision}"] = digest.hexdigest()
    print(json.dumps(digests, indent=0))


main()
