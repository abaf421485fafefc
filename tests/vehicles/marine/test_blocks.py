"""What the model leaves out where no vehicle of a block needs it changes no bit of any."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly

from .conftest import under_way

DEPTHS = [0.0, 30.0, -2.0, 0.2, 5.0, 30.0, 60.0, -0.1]


def at_depths(sim: pyrfly.Sim, first: int) -> None:
    """Put vehicles, the first of which has a number, out of, at and under the water."""
    sim.pos[:, 2] = DEPTHS[first : first + sim.n]


def with_fewer_thrusters(sim: pyrfly.Sim, first: int) -> None:
    """Take thrusters from every other vehicle, and command them all."""
    chosen = (first + np.arange(sim.n)) % 2 == 0
    for axis in range(3):
        sim.thruster_axis[chosen, 8 * axis + 1 : 8 * axis + 8] = 0.0
    sim.thruster_command[:] = 0.3


def in_wind(sim: pyrfly.Sim, first: int) -> None:
    """Let vehicles be blown and pushed, each by its own."""
    at_depths(sim, first)
    number = first + np.arange(sim.n)
    sim.wind[:, 0] = number % 3 * 2.0
    sim.set_load(np.outer(number % 2, [5.0, 0.0, 1.0]))


def tumbling(sim: pyrfly.Sim, first: int) -> None:
    """Let vehicles turn in all attitudes, each in its own."""
    at_depths(sim, first)
    number = first + np.arange(sim.n)
    att = np.c_[1.0 + number, np.sin(number), np.cos(3 * number), np.sin(5 * number)]
    sim.att[:] = att / np.linalg.norm(att, axis=1)[:, None]
    sim.rate[:] = np.c_[np.cos(number), np.sin(2 * number), np.cos(2 * number)]


@pytest.mark.parametrize("name", ["otter", "bluerov2_heavy", "remus100"])
@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("change", [at_depths, with_fewer_thrusters, in_wind, tumbling])
@pytest.mark.parametrize("waves", [False, True])
def test_others_of_its_block_change_no_bit(
    name: str, precision: str, change: Callable[[pyrfly.Sim, int], None], waves: bool
) -> None:
    def after(first: int, n: int) -> list[np.ndarray]:
        sim = under_way(name, n, dt=0.002, precision=precision)
        if waves:
            sim.environment.set_waves(0.5, 4.0, seed=3)
        change(sim, first)
        sim.fin_command[:] = 0.2
        sim.sleep(0.4)
        return [sim.pos, sim.vel, sim.att, sim.rate, sim.thruster_speed, sim.fin_angle]

    together = after(0, len(DEPTHS))
    for i in range(len(DEPTHS)):
        for value, alone in zip(together, after(i, 1), strict=True):
            np.testing.assert_array_equal(value[i], alone[0])


def test_a_thruster_that_it_has_not_stands() -> None:
    sim = under_way("otter")
    sim.thruster_command[:] = 1.0
    sim.sleep(1.0)
    assert (sim.thruster_speed[0, :2] > 50.0).all()
    assert not sim.thruster_speed[0, 2:].any()
