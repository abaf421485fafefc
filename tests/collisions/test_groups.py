"""Groups of vehicles that do not meet those of others: `collision_group`."""

import numpy as np
import pytest

import pyrfly

from ..extended import EXTENDED
from .bodies import bodies, hull


def test_only_vehicles_of_a_group_meet() -> None:
    sim = bodies(4, hull())
    sim.reset(pos=[[0, 0, -50], [1, 0, -50], [0, 0, -50], [1, 0, -50]])
    sim.collision_group[:] = [7, 7, 0, 1]
    sim.vel[[0, 2], 0] = 2.0
    sim.sleep(1)
    np.testing.assert_allclose(sim.vel[:, 0], [0, 2, 2, 0], atol=1e-12)  # elastic, equal masses
    assert sim.collisions.met() == ["copter 2", "copter 1", None, None]


def test_another_group_counts_at_once() -> None:
    sim = bodies(2, hull())
    sim.reset(pos=[[0, 0, -50], [1, 0, -50]])
    sim.vel[0, 0] = 2.0
    sim.sleep(0.2)
    sim.collision_group[0] = 3
    sim.sleep(1)
    assert sim.collisions.met() == [None, None]


def test_a_reset_keeps_groups() -> None:
    sim = bodies(2, hull())
    sim.collision_group[:] = [1, 2]
    sim.reset()
    assert sim.collision_group.tolist() == [1, 2]


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_the_bits_of_a_group_are_those_without_others(precision: str) -> None:
    """Whatever happens in others at the same place, and at the same time."""
    rng = np.random.default_rng(2)
    n, groups = 12, 5
    pos = rng.uniform(-0.4, 0.4, (groups, n, 3)) - [0, 0, 50]
    vel = rng.normal(size=(groups, n, 3))

    def flown(chosen: list[int]) -> np.ndarray:
        sim = bodies(
            n * len(chosen), hull((0.1, 0.1, 0.0), 0.05, 0.5, 0.6), precision=precision, threads=1
        )
        sim.reset(pos=pos[chosen].reshape(-1, 3))
        sim.select().write("vel", vel[chosen].reshape(-1, 3))
        sim.collision_group[:] = np.repeat(chosen, n)
        sim.step(400)
        assert sim.collision_count.sum() > len(chosen)
        state = np.hstack([sim.pos, sim.vel, sim.att, sim.rate])
        return state.reshape(len(chosen), n, -1)

    together = flown(list(range(groups)))
    for group in (0, 3):
        np.testing.assert_array_equal(flown([group])[0], together[group])


def test_many_groups_at_one_place_take_no_longer_than_far_apart() -> None:
    sim = bodies(3000, hull())
    sim.reset(pos=[0, 0, -50])
    sim.collision_group[:] = np.arange(3000)
    sim.step(200)
    assert not sim.collision_touches.any()


@pytest.mark.parametrize("vehicle", EXTENDED)
def test_vehicles_that_touch_change_nothing_in_those_far_away(vehicle: str) -> None:
    """Of the same group: each heap of bodies is solved until it is settled, alone."""

    def far_pair(speed: float) -> bytes:
        sim = pyrfly.Sim(vehicle, 5, threads=1)
        sim.collisions.enable()
        reach = sim.collision_reach[0]
        east = reach * np.array([0.0, 0.1, 0.2, 30.0, 30.1])
        sim.reset(pos=np.column_stack([np.zeros(5), east, np.zeros(5)]))
        sim.vel[0, 1] = speed
        sim.step(40)
        assert sim.collision_count.any() or sim.collision_with.all()
        chosen = sim.select([4, 5])
        return b"".join(chosen.read(name).tobytes() for name in ("pos", "vel", "att", "rate"))

    assert far_pair(0.0) == far_pair(3.0)
