"""Flights whose every bit is recorded.

A digest covers position, velocity, attitude and rotor speeds, 20
times per simulated second: by set-points (with wind, ground contact and each kind of set-point) and
by RflySim's inputs (take-off, velocity, position, return, landing).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from recording import flown, in_both_precisions

import pyrfly
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import BASE, Command, Offboard
from pyrfly.vehicles.multirotor import MultirotorCommands

RECORDED = ("pos", "vel", "att", "rotor_speed")


def by_set_points(sim: pyrfly.Sim) -> Iterator[bytes]:
    """Fly each kind of set-point, from the ground and back to it."""
    sim.wind[:] = [1.5, -0.5, 0.25]
    sim.terrain[:] = 0.5
    sim.reset(pos=[[0, 0, 0.5], [3, -2, -4]], yaw=[0.5, -2.0])
    yield from flown(sim, 0.2, RECORDED)
    sim.arm()
    sim.command_position([[2, 1, -6], [-3, 4, -8]], yaw=[1.0, 3.0], vel=[0.1, 0.2, 0.0])
    yield from flown(sim, 2.0, RECORDED)
    sim.command_velocity([2.0, 1.0, -0.5], frame="frd", yaw_rate=0.4)
    yield from flown(sim, 1.0, RECORDED)
    sim.multirotor.command_acceleration([0.5, -0.5, 0.1], yaw=0.2)
    yield from flown(sim, 0.5, RECORDED)
    attitude(sim).command_attitude([0.98, 0.1, -0.1, 0.05], 0.55)
    yield from flown(sim, 0.5, RECORDED)
    attitude(sim).command_rate([0.5, -0.4, 0.8], 0.5)
    yield from flown(sim, 0.3, RECORDED)
    sim.command_velocity([0.0, 0.0, 2.0])
    yield from flown(sim, 3.0, RECORDED)
    sim.arm(False)
    yield from flown(sim, 0.5, RECORDED)


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
    yield from flown(sim, 2.5, RECORDED)
    inputs = synthesis.inputs(2)
    inputs.ints[:, 0] = BASE | Command.ARMED | Command.OFFBOARD_POSITION
    inputs.ints[:, 1] = Offboard.VELOCITY | Offboard.YAW_RATE | Offboard.FRD
    inputs.floats[:, synthesis.VEL] = [1.5, -0.5, -0.3]
    inputs.floats[:, 14] = 0.3
    sim.command_sil(*inputs)
    yield from flown(sim, 1.0, RECORDED)
    lla = [40.15404, 116.25938, 54.0]
    nothing = [0.0, 0.0, 0.0]
    sim.command_sil(*synthesis.position_target([0xDF8] * 2, [5, 6], lla, nothing, nothing, 0, 0))
    yield from flown(sim, 1.0, RECORDED)
    sim.command_sil(*synthesis.attitude_target([[0.1, -0.1, 0.4]] * 2, [0.5, 0.6]))
    yield from flown(sim, 0.4, RECORDED)
    sim.command_sil(*synthesis.return_home([0.0, -3.0]))
    yield from flown(sim, 1.0, RECORDED)
    sim.command_sil(*synthesis.land([1.0, 4.0], [0.0, 3.0]))
    yield from flown(sim, 5.0, RECORDED)


def flights() -> Iterator[tuple[str, pyrfly.Sim, Callable[[pyrfly.Sim], Iterator[bytes]]]]:
    """Fly every set in both precisions, both ways."""
    for name, precision in in_both_precisions("multirotor"):
        for way in (by_set_points, by_inputs):
            sim = pyrfly.Sim(name, 2, precision=precision, threads=1)
            yield f"{name} {precision} {way.__name__}", sim, way
