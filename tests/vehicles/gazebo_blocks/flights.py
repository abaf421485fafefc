"""Flights whose every bit is recorded: prints ``{name: digest}`` as JSON, see tests/golden."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import numpy as np

import pyrfly
from pyrfly import vehicles

RECORDED = ("pos", "vel", "att", "rate", "motor_speed", "joint_angle")


def flown(sim: pyrfly.Sim, seconds: float) -> Iterator[bytes]:
    """Step, and yield the bytes of what is recorded."""
    for _ in range(round(seconds / 0.05)):
        sim.step(50)
        for name in RECORDED:
            yield np.ascontiguousarray(getattr(sim, name)).tobytes()


def flight(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Fly forward, backwards and stalled in wind, with all channels moving, into the ground."""
    sim.reset(pos=[[0, 0, -60], [3, -2, -40], [9, 0, -20]], yaw=[0.5, -2.0, 1.0])
    sim.arm()
    sim.vel[:] = [[15, 0, 1], [-8, 2, 3], [4, 1, 8]]
    sim.rate[:] = [[0.1, 0.2, -0.1], [1, 0, 0], [0, -1, 0.5]]
    sim.wind[:] = [2.0, -3.0, 0.0]
    for step in range(4):
        sim.channel[:] = 0.4 + 0.3 * np.resize([1, -1, 0.5], 16) * (-1) ** step
        yield from flown(sim, 1)
    sim.channel[:] = 0
    yield from flown(sim, 4)


def transitions(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Take off, fly by wings and hover again, in wind."""
    sim.reset(pos=[[0, 0, 0], [3, -2, 0], [9, 0, 0]], yaw=[0.5, -2.0, 1.0])
    sim.arm()
    sim.wind[:] = [1.0, -1.5, 0.0]
    sim.command_position([[0, 0, -30], [5, 5, -25], [-5, 0, -20]])
    yield from flown(sim, 12)
    sim.gazebo_blocks.command_transition("wings", ids=[1, 2])
    yield from flown(sim, 12)
    sim.gazebo_blocks.command_transition("hover")
    yield from flown(sim, 10)


def digest_of(samples: Iterator[bytes]) -> str:
    """Return the digest of a flight."""
    digest = hashlib.blake2b(digest_size=12)
    for sample in samples:
        digest.update(sample)
    return digest.hexdigest()


def main() -> None:
    """Fly every set in both precisions, and transitions of those that can, one of them in both."""
    assert pyrfly.simd_info()["simd"] in ("strict", "base")
    digests = {}
    for name in vehicles.names("gazebo_blocks"):
        for precision in ("float64", "float32"):
            sim = pyrfly.Sim(name, 3, precision=precision, threads=1)
            digests[f"{name} {precision}"] = digest_of(flight(sim))
            if sim.transition_timeout[0] > 0 and (
                precision == "float64" or name == "gz_tailsitter"
            ):
                sim = pyrfly.Sim(name, 3, precision=precision, threads=1)
                digests[f"{name} transitions {precision}"] = digest_of(transitions(sim))
    print(json.dumps(digests, indent=0))


if __name__ == "__main__":
    main()
