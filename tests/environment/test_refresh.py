"""The environment holds what is at the present positions; to look changes no run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly

Hanging = Callable[..., pyrfly.Sim]

RESULTS = (
    "air_temperature",
    "air_pressure",
    "air_density",
    "sound_speed",
    "normal_gravity",
    "wind_variation",
    "magnetic_field",
    "environment_limits",
)


def weather(sim: pyrfly.Sim) -> pyrfly.Sim:
    sim.select().write("wind", (5, -2, 0))
    sim.environment.enable("density", "shear", "magnetic", "gravity")
    sim.environment.set_turbulence("moderate")
    sim.environment.set_gust((3, 0, 1), rise=0.1, hold=10)
    return sim


def results(sim: pyrfly.Sim) -> dict[str, NDArray[Any]]:
    return {name: getattr(sim, name).copy() for name in RESULTS}


def test_after_a_reset_they_are_those_of_the_first_step(hanging: Hanging) -> None:
    sim = hanging(3, [(0, 0, -10), (0, 0, -3000), (9e4, 0, -50)])
    sim.wind[:] = (5, -2, 0)
    sim.environment.enable("density", "shear", "magnetic", "gravity")
    sim.reset(pos=sim.pos[::-1].copy())
    before = results(sim)
    sim.step()
    for name, values in results(sim).items():
        np.testing.assert_array_equal(before[name], values, name)
    assert (before["air_density"] != 1.225).all()


@pytest.mark.parametrize(
    "change",
    [
        lambda sim: sim.environment.enable("density"),
        lambda sim: sim.environment.disable("shear"),
        lambda sim: sim.environment.set_date(2029),
        lambda sim: setattr(sim, "origin", (-30, 10, 1500)),
    ],
    ids=["enable", "disable", "set_date", "origin"],
)
def test_after_a_change_of_effects_or_origin_they_are_too(
    hanging: Hanging, change: Callable[[pyrfly.Sim], None]
) -> None:
    sim = hanging(1, (0, 0, -2000))
    sim.wind[:] = (5, -2, 0)
    sim.environment.enable("shear", "magnetic")
    sim.step(6)
    old = results(sim)
    change(sim)
    new = results(sim)
    assert any((new[name] != old[name]).any() for name in RESULTS)
    sim.step(4)
    for name, values in results(sim).items():
        np.testing.assert_array_equal(new[name], values, name)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_refresh_takes_no_step_of_gust_and_turbulence(precision: str) -> None:
    sims = [weather(pyrfly.Sim({"x450": 5, "hex_x": 2}, precision=precision)) for _ in range(2)]
    for sim in sims:
        sim.reset(pos=[0, 0, -200], seed=3)
    for _ in range(5):
        sims[1].environment.refresh()
        for sim in sims:
            sim.step(4)
    assert sims[0].hash() == sims[1].hash()


def test_a_refresh_where_nothing_moved_changes_nothing(hanging: Hanging) -> None:
    """In the middle of a gust and of turbulence, whose values are those of the last update."""
    sim = weather(hanging(3, (0, 0, -100)))
    sim.environment.disable("gravity")
    sim.step(50)
    before = results(sim)
    sim.environment.refresh()
    for name, values in results(sim).items():
        np.testing.assert_array_equal(before[name], values, name)
    assert before["wind_variation"].all()


def test_a_reset_of_some_leaves_the_air_of_the_others(hanging: Hanging) -> None:
    sims = [weather(hanging(5, [(0, 0, -100 - 100 * i) for i in range(5)])) for _ in range(2)]
    for sim in sims:
        sim.pos[:, 2] -= 50
        sim.step(2)
        sim.pos[:, 2] -= 5000
    sims[1].reset(ids=[2, 5], pos=[[0, 0, -7], [0, 0, -9]])
    for name, values in results(sims[1]).items():
        expected = results(sims[0])[name]
        np.testing.assert_array_equal(values[[0, 2, 3]], expected[[0, 2, 3]], name)
    assert (sims[1].air_density[[1, 4]] > sims[0].air_density[[1, 4]]).all()


def test_indices_of_vehicles_are_checked() -> None:
    sim = weather(pyrfly.Sim("x450", 2))
    with pytest.raises(ValueError, match="vehicles: expected indices of vehicles"):
        sim.groups[0].batch.refresh([2])
    with pytest.raises(ValueError, match="n: expected 1 to"):
        sim.groups[0].batch.like(0)
