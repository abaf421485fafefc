"""Vehicles whose numbers are not finite: they are flagged alone, and nothing remembers them."""

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

import pyrfly

from ..extended import EXTENDED

NOT_GROUND = (np.nan, np.inf, -np.inf, 1e30, -1e300)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of values that no set has
        yield


def row_of(vehicle: str, apart: float) -> pyrfly.Sim:
    """Return three vehicles side by side, so many reaches of their hulls apart."""
    sim = pyrfly.Sim(vehicle, 3, threads=1)
    sim.collisions.enable()
    sim.reset(pos=[[0.0, k * apart * sim.collision_reach[0], 0.0] for k in range(3)])
    return sim


def seen(sim: pyrfly.Sim, first: int = 0) -> bytes:
    return b"".join(getattr(sim, name)[first:].tobytes() for name in ("pos", "vel", "att", "rate"))


@pytest.mark.parametrize("vehicle", EXTENDED)
def test_ground_that_is_not_finite_harms_no_other_and_is_forgotten(vehicle: str) -> None:
    sim = row_of(vehicle, 3.0)
    start = sim.snapshot()
    sim.step(20)
    then, others = seen(sim), seen(sim, 1)
    for ground in NOT_GROUND:
        sim.restore(start)
        sim.terrain[0] = ground
        sim.step(20)
        assert seen(sim, 1) == others, ground
        assert set(sim.check().invalid) <= {1}
        sim.restore(start)
        sim.step(20)
        assert seen(sim) == then, ground


@pytest.mark.parametrize("value", [1e150, 1e300, np.inf, np.nan, 0.0, 1e-300])
@pytest.mark.parametrize("vehicle", EXTENDED)
def test_a_body_of_any_mass_and_inertia_harms_none_that_it_touches(
    vehicle: str, value: float
) -> None:
    sim = row_of(vehicle, 0.1)
    start = sim.snapshot()
    for name in {"mass", "inertia", "yaw_inertia"}.intersection(f.name for f in sim.fields()):
        sim.restore(start)
        getattr(sim, name)[0] = value
        sim.step(40)
        assert sim.collision_with[1] != 0
        assert set(sim.check().invalid) <= {1}, name
        assert np.isfinite(sim.pos[1:]).all()
