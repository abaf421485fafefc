"""Parts of a simulation as attributes, such as `Sim.environment`, which are made at each access."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.terrain import TerrainMap

COLUMN = r"^{}: this is a column of the Sim; use sim\.{}$"


@pytest.mark.parametrize("enabled", [False, True])
@pytest.mark.parametrize("name", ["temperature_offset", "air_density", "gust"])
def test_a_column_is_pointed_to_and_not_lost(name: str, enabled: bool) -> None:
    sim = Sim("x450")
    if enabled:
        sim.enable_part("environment")
    with pytest.raises(AttributeError, match=COLUMN.format(name, name)):
        setattr(sim.environment, name, 3)
    with pytest.raises(AttributeError, match=COLUMN.format(name, name)):
        getattr(sim.environment, name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wind", r"^wind: this is a column of the Sim; use sim\.wind$"),
        ("geodetic", "^geodetic: this attribute cannot be set$"),
        ("set_gus", r"^set_gus: expected"),
    ],
)
def test_what_cannot_be_set_is_named(name: str, message: str) -> None:
    with pytest.raises(AttributeError, match=message):
        setattr(Sim("x450").environment, name, 3)


def test_it_can_be_copied() -> None:
    environment: Any = Sim("x450").environment
    assert copy.copy(environment).enabled == environment.enabled


@pytest.mark.parametrize("value", ["no", 2, None, [True], float("nan")])
def test_the_switch_of_the_controllers_is_true_or_false(value: Any) -> None:
    sim = Sim("x450")
    with pytest.raises(ValueError, match=r"^controllers: expected"):
        sim.controllers = value
    assert sim.controllers
    sim.controllers = 0
    assert not sim.controllers


def test_it_shows_what_is_on_and_of_how_many() -> None:
    sim = Sim("x450", 3)
    assert repr(sim.sensors) == "<Sensors of 3 vehicles: off>"
    sim.sensors.enable("imu")
    sim.sensors.enable("gps", ids=2)
    sim.sensors.give("range", range_distance=1)
    sim.environment.enable("magnetic", ids=[1, 2])
    sim.power.enable()
    sim.estimator.enable(fly=True, ids=1)
    assert repr(sim.sensors) == "<Sensors of 3 vehicles: imu, gps (1 of 3), range>"
    assert repr(sim.environment) == "<Environment of 3 vehicles: magnetic (2 of 3)>"
    assert repr(sim.power) == "<Power of 3 vehicles: batteries>"
    flying = "estimating (1 of 3), flying on the estimate (1 of 3)"
    assert repr(sim.estimator) == f"<Estimator of 3 vehicles: {flying}>"


def test_an_interface_that_is_kept_has_the_present_map_and_origin() -> None:
    sim = Sim("x450", 2)
    environment, sensors = sim.environment, sim.sensors
    environment.set_terrain(TerrainMap([[5, 5], [5, 5]], 10))
    assert environment.terrain_map is not None
    environment.set_terrain(None)
    assert not sim.on_terrain_map.any()
    sensors.enable("gps", profile="ideal")
    sim.origin = (10, 20, 30)
    sim.reset()
    sim.step()
    for geodetic in (environment.geodetic, sensors.gps_geodetic):
        assert np.allclose(geodetic, [10, 20, 35])  # the ground stays as it was


def test_the_hash_does_not_depend_on_the_order_in_which_parts_were_enabled() -> None:
    def digest(*parts: str) -> str:
        sim = Sim("x450")
        for part in parts:
            sim.enable_part(part)
        return sim.hash()

    assert digest("sensors", "environment") == digest("environment", "sensors")
