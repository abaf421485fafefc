"""Flights whose every bit is recorded: see tests/golden."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from recording import flown, in_both_precisions

import pyrfly

RECORDED = ("pos", "vel", "att", "rate", "motor_speed", "joint_angle")


def flight(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Fly forward, backwards and stalled in wind, with all channels moving, into the ground."""
    sim.reset(pos=[[0, 0, -60], [3, -2, -40], [9, 0, -20]], yaw=[0.5, -2.0, 1.0])
    sim.arm()
    sim.vel[:] = [[15, 0, 1], [-8, 2, 3], [4, 1, 8]]
    sim.rate[:] = [[0.1, 0.2, -0.1], [1, 0, 0], [0, -1, 0.5]]
    sim.wind[:] = [2.0, -3.0, 0.0]
    for step in range(4):
        sim.channel[:] = 0.4 + 0.3 * np.resize([1, -1, 0.5], 16) * (-1) ** step
        yield from flown(sim, 1, RECORDED)
    sim.channel[:] = 0
    yield from flown(sim, 4, RECORDED)


def transitions(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Take off, fly by wings and hover again, in wind."""
    sim.reset(pos=[[0, 0, 0], [3, -2, 0], [9, 0, 0]], yaw=[0.5, -2.0, 1.0])
    sim.arm()
    sim.wind[:] = [1.0, -1.5, 0.0]
    sim.command_position([[0, 0, -30], [5, 5, -25], [-5, 0, -20]])
    yield from flown(sim, 12, RECORDED)
    sim.gazebo_blocks.command_transition("wings", ids=[1, 2])
    yield from flown(sim, 12, RECORDED)
    sim.gazebo_blocks.command_transition("hover")
    yield from flown(sim, 10, RECORDED)


def flights() -> Iterator[tuple[str, pyrfly.Sim, Callable[[pyrfly.Sim], Iterator[bytes]]]]:
    """Fly every set in both precisions, and transitions of those that can, one of them in both."""
    for name, precision in in_both_precisions("gazebo_blocks"):
        sim = pyrfly.Sim(name, 3, precision=precision, threads=1)
        transits = sim.transition_timeout[0] > 0
        yield f"{name} {precision}", sim, flight
        if transits and (precision == "float64" or name == "gz_tailsitter"):
            sim = pyrfly.Sim(name, 3, precision=precision, threads=1)
            yield f"{name} transitions {precision}", sim, transitions
