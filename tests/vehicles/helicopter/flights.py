"""Flights whose every bit is recorded: prints ``{name: digest}`` as JSON, see tests/golden."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import numpy as np

import pyrfly
from pyrfly import vehicles
from pyrfly.protocol import synthesis

RECORDED = ("pos", "vel", "att", "rate", "tip_path", "main_rotor_speed", "swash_position")


def flown(sim: pyrfly.Sim, seconds: float) -> Iterator[bytes]:
    """Step, and yield the bytes of what is recorded."""
    for _ in range(round(seconds / 0.05)):
        sim.step(50)
        for name in RECORDED:
            yield np.ascontiguousarray(getattr(sim, name)).tobytes()


def fly(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Take off, fly by each kind of set-point, in wind and loaded, land, and lose the engine."""
    sim.reset(pos=[[0, 0, 0], [3, -2, 0]], yaw=[0.5, -2.0])
    sim.arm()
    sim.command_position([[1, 1, -4], [4, -2, -3]], yaw=[1.0, 3.0])
    yield from flown(sim, 8)
    sim.wind = (3.0, -2.0, 0.0)
    sim.command_velocity([2, 1, -1], yaw_rate=0.4, frame="frd")
    yield from flown(sim, 3)
    thrust = sim.mass * sim.gravity / sim.thrust_limit[:, 1]
    sim.helicopter.command_attitude([np.cos(0.05), 0, -np.sin(0.05), 0], thrust)
    yield from flown(sim, 1)
    sim.set_load(force=[0.2, 0, -0.1])
    sim.environment.enable("atmosphere", "density")
    sim.environment.set_ground_effect()
    sim.enable_synthesis()
    sim.command_sil(*synthesis.return_home([-5.0, -5.0]))
    yield from flown(sim, 4)
    sim.engine_torque[1] = 0
    sim.command_sil(*synthesis.land([1.0, 0.0], [0.0, 1.0]))
    yield from flown(sim, 8)


def main() -> None:
    """Fly every set in both precisions."""
    assert pyrfly.simd_info()["simd"] in ("strict", "base")
    digests = {}
    for name in vehicles.names("helicopter"):
        for precision in ("float64", "float32"):
            digest = hashlib.blake2b(digest_size=12)
            for sample in fly(pyrfly.Sim(name, 2, precision=precision, threads=1)):
                digest.update(sample)
            digests[f"{name} {precision}"] = digest.hexdigest()
    print(json.dumps(digests, indent=0))


if __name__ == "__main__":
    main()
