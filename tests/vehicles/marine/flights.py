"""Voyages whose every bit is recorded: see tests/golden."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from recording import flown, in_both_precisions

import pyrfly

RECORDED = ("pos", "vel", "att", "thruster_speed", "fin_angle")


def voyage(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Go by each kind of set-point, in still water, currents and wind, then fall into it."""
    sim.reset(pos=[[0, 0, 0], [3, -2, 6]], yaw=[0.5, -2.0])
    sim.arm()
    sim.marine.command_speed([1.0, 0.5], yaw=[1.0, -1.0], depth=[0.0, 8.0])
    yield from flown(sim, 3, RECORDED)
    if "command_position" in sim.groups[0].abilities.commands:
        sim.command_position([[2, 1, 0], [5, -2, 3]], yaw=[1.0, 3.0])
        yield from flown(sim, 3, RECORDED)
        sim.command_velocity([0.5, -0.5, 0.2])
    sim.environment.set_current([0.3, 0.2, 0.0], depth=[30.0, 50.0])
    sim.wind[:] = [3.0, -2.0, 0.0]
    yield from flown(sim, 3, RECORDED)
    sim.controllers = False
    sim.reset(pos=[[0, 0, -1.5], [0, 0, -0.5]])
    sim.att[:] = [[0.8, 0.6, 0.0, 0.0], [0.6, 0.0, 0.8, 0.0]]
    sim.terrain[1] = 0.4
    yield from flown(sim, 2, RECORDED)


def flights() -> Iterator[tuple[str, pyrfly.Sim, Callable[[pyrfly.Sim], Iterator[bytes]]]]:
    """Sail every set in both precisions."""
    for name, precision in in_both_precisions("marine"):
        yield f"{name} {precision}", pyrfly.Sim(name, 2, precision=precision, threads=1), voyage
