"""Flights that are identified."""

from __future__ import annotations

import pytest

from pyrfly import Sim
from pyrfly.identify import excitation
from pyrfly.log import Log
from pyrfly.vehicles import VehicleParameters


def flown(
    vehicle: str | VehicleParameters,
    seconds: float,
    *more: str,
    n: int = 1,
    seed: int = 1,
    turbulence: str | None = None,
) -> Log:
    """Return a log of doublets with noisy sensors, on which the estimator's state is."""
    sim = Sim(vehicle, n)
    if turbulence is not None:
        sim.wind[:, 0] = 4.0
        sim.environment.set_turbulence(turbulence)
    sim.sensors.enable_all("px4")
    sim.estimator.enable()
    sim.reset(pos=[0, 0, -30], hover=True, seed=seed)
    sim.sleep(1)
    return excitation.fly(sim, excitation.doublets(seconds, seed=seed), more=more)


@pytest.fixture(name="short", scope="session")
def short_fixture() -> Log:
    """Return a flight of 4 s."""
    return flown("x450", 4)
