"""Flights whose every bit is recorded: prints ``{name: digest}`` as JSON.

Run with ``PYRFLY_SIMD=strict``. A digest covers position, velocity, attitude and rotor speeds, 20
times per simulated second: by set-points (with wind, ground contact and each kind of set-point) and
by RflySim's inputs (take-off, velocity, position, return, landing).
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator

import numpy as np

import pyrfly
from pyrfly import vehicles
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import BASE, Command, Offboard
from pyrfly.vehicles.multirotor import MultirotorCommands

RECORDED = ("pos", "vel", "att", "rotor_speed")
SAMPLE = 0.05  # s


def flown(sim: pyrfly.Sim, seconds: float) -> Iterator[bytes]:
    """Step, and yield the bytes of what is recorded."""
    for _ in range(round(seconds / SAMPLE)):
        sim.step(round(SAMPLE / sim.dt))
        for name in RECORDED:
            yield np.ascontiguousarray(getattr(sim, name)).tobytes()


def by_set_points(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Fly each kind of set-point, from the ground and back to it."""
    sim.wind[:] = [1.5, -0.5, 0.25]
    sim.terrain[:] = 0.5
    sim.reset(pos=[[0, 0, 0.5], [3, -2, -4]], yaw=[0.5, -2.0])
    yield from flown(sim, 0.2)
    sim.arm()
    sim.command_position([[2, 1, -6], [-3, 4, -8]], yaw=[1.0, 3.0], vel=[0.1, 0.2, 0.0])
    yield from flown(sim, 2.0)
    sim.command_velocity([2.0, 1.0, -0.5], frame="frd", yaw_rate=0.4)
    yield from flown(sim, 1.0)
    sim.multirotor.command_acceleration([0.5, -0.5, 0.1], yaw=0.2)
    yield from flown(sim, 0.5)
    attitude(sim).command_attitude([0.98, 0.1, -0.1, 0.05], 0.55)
    yield from flown(sim, 0.5)
    attitude(sim).command_rate([0.5, -0.4, 0.8], 0.5)
    yield from flown(sim, 0.3)
    sim.command_velocity([0.0, 0.0, 2.0])
    yield from flown(sim, 3.0)
    sim.arm(False)
    yield from flown(sim, 0.5)


def attitude(sim: pyrfly.Sim) -> MultirotorCommands:
    """Return what takes attitudes and body rates."""
    return sim.multirotor


def by_inputs(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Fly by inSILInts and inSILFloats."""
    sim.reset(pos=[[0, 0, 0], [5, 5, 0]])
    sim.enable_synthesis()
    armed = [True, True]
    sim.command_sil(*synthesis.arm(armed))
    sim.command_sil(*synthesis.take_off([1, 0], [0, 2], -2.0, [0.5, -1.0], armed=armed))
    yield from flown(sim, 2.5)
    inputs = synthesis.inputs(2)
    inputs.ints[:, 0] = BASE | Command.ARMED | Command.OFFBOARD_POSITION
    inputs.ints[:, 1] = Offboard.VELOCITY | Offboard.YAW_RATE | Offboard.FRD
    inputs.floats[:, synthesis.VEL] = [1.5, -0.5, -0.3]
    inputs.floats[:, 14] = 0.3
    sim.command_sil(*inputs)
    yield from flown(sim, 1.0)
    lla = [40.15404, 116.25938, 54.0]
    nothing = [0.0, 0.0, 0.0]
    sim.command_sil(*synthesis.position_target([0xDF8] * 2, [5, 6], lla, nothing, nothing, 0, 0))
    yield from flown(sim, 1.0)
    sim.command_sil(*synthesis.attitude_target([[0.1, -0.1, 0.4]] * 2, [0.5, 0.6]))
    yield from flown(sim, 0.4)
    sim.command_sil(*synthesis.return_home([0.0, -3.0]))
    yield from flown(sim, 1.0)
    sim.command_sil(*synthesis.land([1.0, 4.0], [0.0, 3.0]))
    yield from flown(sim, 5.0)


def main() -> None:
    """Fly everything, or the sets that are named, with some parts enabled."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=vehicles.names("multirotor"))
    parser.add_argument("--part", action="append", default=[])
    options = parser.parse_args()
    assert pyrfly.simd_info()["simd"] in ("strict", "base")
    digests = {}
    for name in options.names:
        for precision in ("float64", "float32"):
            for way in (by_set_points, by_inputs):
                digest = hashlib.blake2b(digest_size=12)
                sim = pyrfly.Sim(name, 2, precision=precision, threads=1)
                for part in options.part:
                    sim.enable_part(part)
                for sample in way(sim):
                    digest.update(sample)
                digests[f"{name} {precision} {way.__name__}"] = digest.hexdigest()
    print(json.dumps(digests, indent=0))


if __name__ == "__main__":
    main()
