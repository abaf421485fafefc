"""A pile of vehicles takes long: its update pauses, so that signals may end it."""

import numpy as np
import pytest

import pyrfly

from ..interrupts import Interrupted, interrupting_after, with_timers
from .bodies import VEHICLE

MANY = 450  # at one place, an update of 0.2 s


def pile() -> pyrfly.Sim:
    """Return vehicles that fall onto the ground, all within 0.5 m."""
    sim = pyrfly.Sim(VEHICLE, MANY, dt=0.004)
    sim.collisions.enable()
    rng = np.random.default_rng(3)
    sim.reset(pos=rng.uniform(-0.25, 0.25, (MANY, 3)) - [0, 0, 0.3])
    sim.select().write("vel", [0, 0, 5])
    return sim


def seen(sim: pyrfly.Sim) -> list[bytes]:
    chosen = sim.select()
    names = ("pos", "vel", "att", "rate", "collision_with", "collision_count", "crashed")
    return [chosen.read(name).tobytes() for name in names]


@with_timers
def test_an_update_that_a_signal_ends_has_changed_nothing_and_begins_anew() -> None:
    sim, other = pile(), pile()
    before = seen(sim)
    for seconds in (0.01, 0.04):
        with pytest.raises(Interrupted), interrupting_after(seconds):
            sim.step()
        assert sim.time == 0
        assert seen(sim) == before
    sim.step(1)
    other.step(1)
    assert sim.collisions.crashed().any()
    assert sim.hash() == other.hash()
