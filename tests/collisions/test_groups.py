"""Groups of vehicles that do not meet those of others: `collision_group`."""

import numpy as np
import pytest

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
