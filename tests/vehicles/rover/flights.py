"""Drives whose every bit is recorded: see tests/golden."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from recording import flown, in_both_precisions

import pyrfly
from pyrfly.protocol import synthesis

RECORDED = ("pos", "vel", "att", "wheel_speed")


def drive(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Drive by each kind of set-point, on level ground, slopes and ice, then by the inputs."""
    sim.reset(pos=[[0, 0, 0], [3, -2, 0]], yaw=[0.5, -2.0])
    sim.arm()
    speed = 0.5 * float(sim.speed_limit[0])
    sim.rover.command_speed([speed, -speed], yaw_rate=0.4)
    yield from flown(sim, 2, RECORDED)
    sim.command_velocity([0, speed, 0])
    sim.set_ground_plane(gradient=[[0.1, -0.2], [-0.3, 0.1]])
    yield from flown(sim, 2, RECORDED)
    sim.command_position([[1, 1, 0], [2, -2, 0]], yaw=[1.0, 3.0])
    yield from flown(sim, 4, RECORDED)
    sim.friction_reduction[:] = 0.95
    sim.command_position([2, 2, 0], vel=[speed, 0, 0])
    yield from flown(sim, 2, RECORDED)
    sim.friction_reduction[:] = 0
    sim.enable_synthesis()
    sim.command_sil(*synthesis.return_home([0.0, 0.0]))
    yield from flown(sim, 2, RECORDED)
    sim.command_sil(*synthesis.land([1.0, 0.0], [0.0, 1.0]))
    yield from flown(sim, 4, RECORDED)


def flights() -> Iterator[tuple[str, pyrfly.Sim, Callable[[pyrfly.Sim], Iterator[bytes]]]]:
    """Drive every set in both precisions."""
    for name, precision in in_both_precisions("rover"):
        yield f"{name} {precision}", pyrfly.Sim(name, 2, precision=precision, threads=1), drive
