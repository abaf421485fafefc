"""Drives whose every bit is recorded: prints ``{name: digest}`` as JSON, see tests/golden."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import numpy as np

import pyrfly
from pyrfly import vehicles
from pyrfly.protocol import synthesis

RECORDED = ("pos", "vel", "att", "steering", "hitch_angle", "hitch_rate", "trailer_pos")


def driven(sim: pyrfly.Sim, seconds: float) -> Iterator[bytes]:
    """Step, and yield the bytes of what is recorded."""
    for _ in range(round(seconds / 0.05)):
        sim.step(50)
        for name in RECORDED:
            yield np.ascontiguousarray(getattr(sim, name)).tobytes()


def drive(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Drive by each kind of set-point, on level ground, slopes and ice, then by the inputs."""
    sim.reset(pos=[[0, 0, 0], [60, -20, 0]], yaw=[0.5, -2.0])
    sim.arm()
    sim.truck.command_speed([9.0, -1.0], yaw_rate=[0.1, 0.02])
    yield from driven(sim, 5)
    sim.command_velocity([0, 5.0, 0])
    sim.set_ground_plane(gradient=[[0.05, -0.02], [-0.03, 0.06]])
    yield from driven(sim, 4)
    sim.truck.command_backing([[-20, 0, 0], [40, 0, 0]], [0.5, -2.0])
    yield from driven(sim, 5)
    sim.friction_reduction[:] = 0.8
    sim.command_position([20, 2, 0], vel=[6.0, 0, 0])
    yield from driven(sim, 3)
    sim.friction_reduction[:] = 0
    sim.enable_synthesis()
    sim.command_sil(*synthesis.return_home([0.0, 0.0]))
    yield from driven(sim, 3)


def main() -> None:
    """Drive every set in both precisions."""
    assert pyrfly.simd_info()["simd"] in ("strict", "base")
    digests = {}
    for name in vehicles.names("truck"):
        for precision in ("float64", "float32"):
            digest = hashlib.blake2b(digest_size=12)
            for sample in drive(pyrfly.Sim(name, 2, precision=precision, threads=1)):
                digest.update(sample)
            digests[f"{name} {precision}"] = digest.hexdigest()
    print(json.dumps(digests, indent=0))


if __name__ == "__main__":
    main()
