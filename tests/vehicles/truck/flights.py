"""Drives whose every bit is recorded: see tests/golden."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from recording import flown, in_both_precisions

import pyrfly
from pyrfly.protocol import synthesis

RECORDED = ("pos", "vel", "att", "steering", "hitch_angle", "hitch_rate", "trailer_pos")


def drive(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Drive by each kind of set-point, on level ground, slopes and ice, then by the inputs."""
    sim.reset(pos=[[0, 0, 0], [60, -20, 0]], yaw=[0.5, -2.0])
    sim.arm()
    sim.truck.command_speed([9.0, -1.0], yaw_rate=[0.1, 0.02])
    yield from flown(sim, 5, RECORDED)
    sim.command_velocity([0, 5.0, 0])
    sim.set_ground_plane(gradient=[[0.05, -0.02], [-0.03, 0.06]])
    yield from flown(sim, 4, RECORDED)
    sim.truck.command_backing([[-20, 0, 0], [40, 0, 0]], [0.5, -2.0])
    yield from flown(sim, 5, RECORDED)
    sim.friction_reduction[:] = 0.8
    sim.command_position([20, 2, 0], vel=[6.0, 0, 0])
    yield from flown(sim, 3, RECORDED)
    sim.friction_reduction[:] = 0
    sim.enable_synthesis()
    sim.command_sil(*synthesis.return_home([0.0, 0.0]))
    yield from flown(sim, 3, RECORDED)


def flights() -> Iterator[tuple[str, pyrfly.Sim, Callable[[pyrfly.Sim], Iterator[bytes]]]]:
    """Drive every set in both precisions."""
    for name, precision in in_both_precisions("truck"):
        yield f"{name} {precision}", pyrfly.Sim(name, 2, precision=precision, threads=1), drive
