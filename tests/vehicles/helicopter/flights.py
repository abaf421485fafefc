"""Flights whose every bit is recorded: see tests/golden."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from recording import flown, in_both_precisions

import pyrfly
from pyrfly.protocol import synthesis

RECORDED = ("pos", "vel", "att", "rate", "tip_path", "main_rotor_speed", "swash_position")


def fly(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Take off, fly by each kind of set-point, in wind and loaded, land, and lose the engine."""
    sim.reset(pos=[[0, 0, 0], [3, -2, 0]], yaw=[0.5, -2.0])
    sim.arm()
    sim.command_position([[1, 1, -4], [4, -2, -3]], yaw=[1.0, 3.0])
    yield from flown(sim, 8, RECORDED)
    sim.wind = (3.0, -2.0, 0.0)
    sim.command_velocity([2, 1, -1], yaw_rate=0.4, frame="frd")
    yield from flown(sim, 3, RECORDED)
    thrust = sim.mass * sim.gravity / sim.thrust_limit[:, 1]
    sim.helicopter.command_attitude([np.cos(0.05), 0, -np.sin(0.05), 0], thrust)
    yield from flown(sim, 1, RECORDED)
    sim.set_load(force=[0.2, 0, -0.1])
    sim.environment.enable("atmosphere", "density")
    sim.environment.set_ground_effect()
    sim.enable_synthesis()
    sim.command_sil(*synthesis.return_home([-5.0, -5.0]))
    yield from flown(sim, 4, RECORDED)
    sim.engine_torque[1] = 0
    sim.command_sil(*synthesis.land([1.0, 0.0], [0.0, 1.0]))
    yield from flown(sim, 8, RECORDED)


def flights() -> Iterator[tuple[str, pyrfly.Sim, Callable[[pyrfly.Sim], Iterator[bytes]]]]:
    """Fly every set in both precisions."""
    for name, precision in in_both_precisions("helicopter"):
        yield f"{name} {precision}", pyrfly.Sim(name, 2, precision=precision, threads=1), fly
