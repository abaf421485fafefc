"""What vehicles that stay at positions reach: positions, velocities, RflySim's inputs."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pyrfly
from pyrfly.protocol.synthesis import BASE, POS, VEL, Command, Offboard, inputs
from pyrfly.vehicles import FAMILIES

from ..able import SPINNING


def getting_under_way(sim: pyrfly.Sim, speed: float) -> float:
    """Return the seconds that the first vehicle takes to a speed, as it is tuned, and to settle.

    What cannot turn on the spot manoeuvres besides, at a metre a second, on three circles.
    """
    radius = float(getattr(sim, "turning_radius", [0.0])[0])
    return 4.0 * speed / float(sim.accel_limit[0]) + 6.0 * math.pi * radius


def arrives_with_headings(sim: pyrfly.Sim) -> bool:
    """Return whether the first vehicle has the commanded heading at a position.

    What neither turns on the spot nor reverses to a position arrives as it comes.
    """
    columns = {field.name for field in sim.groups[0].fields}
    if "turning_radius" not in columns or sim.turning_radius[0] == 0.0:
        return True
    return "parking_radius" in columns and bool(sim.parking_radius[0] > 0.0)


def rests_within(sim: pyrfly.Sim, near: float) -> float:
    """Return the distance from a position within which the first vehicle rests, ``near`` if it can.

    What is afloat may be left within its arrival radius; what arrives as it comes drifts on, by
    four of them at most.
    """
    turns = arrives_with_headings(sim)
    if afloat(sim):
        return max(near, (1.0 if turns else 4.0) * float(sim.arrival_radius[0]))
    return near if turns else 0.5


def afloat(sim: pyrfly.Sim) -> bool:
    """Return whether the first vehicle is in water."""
    return FAMILIES[sim.groups[0].parameters.family].afloat is not None


def controls_yaw(sim: pyrfly.Sim) -> bool:
    """Return whether the first vehicle has a moment left for its yaw axis."""
    return sim.groups[0].parameters.name not in SPINNING


def reach_a_position(sim: pyrfly.Sim) -> None:
    speed = float(sim.speed_limit[0])
    sim.arm()
    sim.command_position([6, 3, -4], yaw=2.0)
    sim.sleep(20 + 10 / speed + getting_under_way(sim, min(1.0, speed)))
    assert np.linalg.norm(sim.pos[0, :2] - [6, 3]) < rests_within(sim, 0.5)
    assert sim.arrived[0]
    sim.command_position([7, 3, -4])
    assert not sim.arrived[0]
    if controls_yaw(sim) and arrives_with_headings(sim):
        assert sim.euler[0, 2] == pytest.approx(2.0, abs=0.02)


def reach_velocities_and_headings(sim: pyrfly.Sim) -> None:
    """Of one that flies above the ground."""
    sim.arm()
    sim.command_velocity([0, 0, -1], yaw=0.0)
    sim.sleep(5)
    speed = min(1.0, 0.5 * float(sim.speed_limit[0]))
    time = getting_under_way(sim, speed)
    for course in (0.6, -2.0):
        expected = [speed * math.cos(course), speed * math.sin(course)]
        sim.command_velocity([*expected, 0])
        sim.sleep(8 + 2 * time)
        np.testing.assert_allclose(sim.vel[0, :2], expected, atol=0.05 * speed)
    if not controls_yaw(sim):
        return
    sim.command_velocity([0, 0, 0], yaw=-2.0)
    sim.sleep(10 + time)
    assert sim.euler[0, 2] == pytest.approx(-2.0, abs=0.02)
    rate = min(0.3, 0.8 * speed / max(float(getattr(sim, "turning_radius", [0.0])[0]), 0.01))
    sim.command_velocity([speed, 0, 0], yaw_rate=rate, frame="frd")
    sim.sleep(5 + time)
    assert sim.rate[0, 2] == pytest.approx(rate, rel=0.05)
    yaw = float(sim.euler[0, 2])  # what floats slides outwards: its speed is that ahead
    ahead = sim.vel[0, 0] * math.cos(yaw) + sim.vel[0, 1] * math.sin(yaw)
    found = np.array([ahead, np.linalg.norm(sim.vel[0, :2])])
    assert np.abs(found - speed).min() < 0.05 * speed


def follow_rflysims_inputs(sim: pyrfly.Sim) -> None:
    """Take-off, position, velocity, return and landing."""
    sim.enable_synthesis()
    speed = min(1.0, 0.5 * float(sim.speed_limit[0]))
    time = getting_under_way(sim, speed)
    settling = 20 + 10 / float(sim.speed_limit[0]) + time
    ints, floats = inputs(1)

    def command(bits: int, offboard: int, seconds: float) -> None:
        ints[0, :2] = BASE | Command.ARMED | bits, offboard
        sim.command_sil(ints, floats)
        sim.sleep(seconds)

    command(Command.TAKEOFF, 0, 20)
    floats[0, POS] = 4, -3, sim.pos[0, 2]
    command(Command.POSITION, Offboard.POSITION, settling)
    np.testing.assert_allclose(sim.pos[0, :2], [4, -3], atol=rests_within(sim, 0.5))
    floats[0, VEL] = speed, 0, 0
    command(Command.POSITION, Offboard.VELOCITY, 8 + time)
    np.testing.assert_allclose(sim.vel[0, :2], [speed, 0], atol=0.05 * speed)
    command(Command.RETURN, 0, settling + time + 8)
    np.testing.assert_allclose(sim.pos[0, :2], 0, atol=rests_within(sim, 0.5))
    floats[:] = 0  # a landing would end at this height
    command(Command.LAND, 0, 30 + time)
    assert sim.armed[0] == 0
    assert np.linalg.norm(sim.vel[0]) < 0.05
    assert sim.sil_refused[0] == sim.sil_bad[0] == sim.sil_unknown[0] == 0
