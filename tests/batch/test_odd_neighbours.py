"""What is written to one vehicle leaves the bits of its neighbours, with which it shares lanes."""

import warnings

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import FAMILIES, load, names

VALUES = (np.nan, 0.0, 1.0, 1e30)


SETS = [load(name) for family in FAMILIES for name in reversed(names(family))]
FIRST = {each.c_type: each.name for each in SETS}
"""The first set of each type of the core."""


def seen(sim: pyrfly.Sim) -> bytes:
    return b"".join(getattr(sim, name)[1:].tobytes() for name in ("pos", "vel", "att", "rate"))


@pytest.mark.parametrize("vehicle", FIRST.values())
def test_no_value_of_a_parameter_changes_a_bit_of_neighbours(vehicle: str) -> None:
    """Terms that a vehicle does not have are computed where one beside it has them."""
    sim = pyrfly.Sim(vehicle, 8, dt=0.002, threads=1)
    sim.reset(pos=[[0.0, 30.0 * k, 0.0] for k in range(8)])
    sim.vel[:] = [0.5, 0.1, 0.0]
    sim.arm()
    start = sim.snapshot()
    sim.step(6)
    expected = seen(sim)
    values = [
        f.name for f in sim.fields() if f.role == "param" and getattr(sim, f.name).dtype == float
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of values that no set has
        for name in values:
            for value in VALUES:
                sim.restore(start)
                getattr(sim, name)[0] = value
                sim.step(6)
                assert seen(sim) == expected, (name, value)
