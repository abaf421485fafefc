"""Flights whose every bit is recorded: see tests/golden."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from recording import flown, in_both_precisions

import pyrfly
from pyrfly.log import Recorder
from pyrfly.mission import Land, Mission, TakeOff, Waypoint, fly_missions
from pyrfly.protocol import synthesis

RECORDED = ("pos", "vel", "att", "rate", "surface_angle", "propeller_speed")


def fly(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Fly by each kind of set-point, in wind, loaded, stalled, by the inputs, and take off."""
    cruise = float(sim.cruise_airspeed[0])
    sim.reset(pos=[[0, 0, -60], [30, -20, -80]], yaw=[0.5, -2.0])
    sim.vel[:] = cruise * np.array([[0.88, 0.48, 0.0], [-0.42, -0.91, 0.0]])
    sim.arm()
    sim.plane.command_line([[0, 0, -60], [0, 0, -80]], [[1, 0, 0], [0, 1, -0.1]])
    yield from flown(sim, 6, RECORDED)
    sim.wind[:] = (3.0, -2.0, 0.0)
    sim.plane.command_circle([100, 0, -80], [80, -90])
    yield from flown(sim, 6, RECORDED)
    sim.environment.enable("atmosphere", "density")
    sim.set_load(force=[0.2, 0, -0.1])
    sim.plane.command_course([1.0, 3.0], 70.0, airspeed=1.1 * cruise)
    yield from flown(sim, 4, RECORDED)
    sim.plane.command_rate([0.5, 0.6, 0.1], 0.3)
    yield from flown(sim, 2, RECORDED)
    sim.plane.command_attitude(0.2, [0.1, 0.6], 0.4)
    yield from flown(sim, 4, RECORDED)
    sim.enable_synthesis()
    sim.command_sil(*synthesis.return_home([-50.0, -50.0]))
    yield from flown(sim, 4, RECORDED)
    sim.command_sil(*synthesis.land([1.0, 0.0], [0.0, 1.0]))
    yield from flown(sim, 8, RECORDED)
    sim.reset(pos=[[0, 0, 0], [0, 5, -0.5]])
    sim.arm()
    sim.command_sil(*synthesis.take_off([0.0, 0.0], [0.0, 0.0], [-30.0, -30.0], armed=True))
    yield from flown(sim, 8, RECORDED)


def land(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Take off, fly a leg and land, in wind, and stand."""
    sim.wind = (0.0, 2.0, 0.0)
    recorder = Recorder(sim, RECORDED)
    there, down = (500.0, 40.0, -20.0), (900.0, 40.0, 0.0)
    mission = Mission((TakeOff((200.0, 0.0, -20.0)), Waypoint(there), Land(down)))
    results = fly_missions(sim, dict.fromkeys(range(1, sim.n + 1), mission), recorder=recorder)
    assert all(result.completed for result in results.values())
    sim.sleep(3.0)
    assert np.abs(sim.vel).max() < 0.05
    log = recorder.log()
    for name in RECORDED:
        yield log[name].tobytes()


def flights() -> Iterator[tuple[str, pyrfly.Sim, Callable[[pyrfly.Sim], Iterator[bytes]]]]:
    """Fly every set in both precisions, and land one with wheels and one without."""
    for name, precision in in_both_precisions("plane"):
        yield f"{name} {precision}", pyrfly.Sim(name, 2, precision=precision, threads=1), fly
    yield "landing", pyrfly.Sim({"aerosonde": 1, "skywalker_x8": 1}, dt=0.002, threads=1), land
