"""The part of slopes, friction and moving ground: what enables it, what is refused without it."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly.errors import ParameterError, ShapeError
from pyrfly.rflysim.dll_model import DllModel
from pyrfly.server.orders import Terrain, apply
from pyrfly.terrain import TerrainMap

COLUMNS = ("terrain_gradient", "terrain_velocity", "terrain_yaw_rate", "friction_reduction")
LEVEL = (np.zeros((1, 2)), np.zeros(1), np.zeros((1, 3)), np.zeros(1))


def has_plane(sim: pyrfly.Sim) -> bool:
    return all(group.batch.has("ground_plane") for group in sim.groups)


@pytest.mark.parametrize("column", COLUMNS)
def test_without_it_its_columns_say_how_to_enable_it(column: str) -> None:
    sim = pyrfly.Sim("x450")
    message = rf"^{column}: the part 'ground_plane' is disabled; call sim.set_ground_plane\(...\) f"
    with pytest.raises(AttributeError, match=message):
        getattr(sim, column)
    with pytest.raises(AttributeError, match=message):
        setattr(sim, column, 0)
    sim.set_ground_plane()
    assert not getattr(sim, column).any()
    value = np.full(getattr(sim, column).shape[1:], 0.25)
    setattr(sim, column, value)
    assert (getattr(sim, column) == value).all()


def test_what_is_not_given_stays() -> None:
    sim = pyrfly.Sim({"x450": 2, "hex_x": 1})
    sim.set_ground_plane([0.1, -0.2], [1, 2, 3], 0.5, 0.25)
    sim.set_ground_plane(gradient=[[0.3, 0], [0, 0.3]], yaw_rate=[1, 2], ids=[3, 1])
    assert sim.terrain_gradient.tolist() == [[0, 0.3], [0.1, -0.2], [0.3, 0]]
    assert sim.terrain_velocity.tolist() == [[1, 2, 3]] * 3
    assert sim.terrain_yaw_rate.tolist() == [2, 0.5, 1]
    assert sim.friction_reduction.tolist() == [0.25] * 3


def test_a_reset_keeps_it_and_a_copy_has_it() -> None:
    sim = pyrfly.Sim("x450")
    sim.set_ground_plane([0.1, 0], [1, 0, 0], 0.5, 0.25)
    sim.reset()
    for each in (sim, copy.copy(sim)):
        assert each.terrain_gradient.tolist() == [[0.1, 0]]
        assert each.terrain_velocity.tolist() == [[1, 0, 0]]
        assert each.terrain_yaw_rate.tolist() == [0.5]
        assert each.friction_reduction.tolist() == [0.25]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"gradient": [0.1, 0, 0]},
            ShapeError,
            "gradient: expected",
        ),
        ({"velocity": [np.nan, 0, 0]}, ValueError, r"velocity: expected finite values \[m/s\]"),
        ({"yaw_rate": "fast"}, TypeError, "yaw_rate: expected numbers"),
        ({"friction_reduction": [1, 2, 3]}, ShapeError, "friction_reduction: expected shape"),
        ({"velocity": [1, 0, 0], "yaw_rate": np.inf}, ValueError, "yaw_rate: expected finite"),
    ],
)
def test_a_wrong_argument_changes_nothing(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    sim = pyrfly.Sim("x450", 2)
    with pytest.raises(error, match=message):
        sim.set_ground_plane(**arguments)
    assert not has_plane(sim)


def test_the_plain_model_has_no_ground() -> None:
    sim = pyrfly.Sim("sdk", effects="plain")
    with pytest.raises(
        ParameterError, match=r"ground acts on 'sdk' \(CopterID 1\) with effects 'pl"
    ):
        sim.set_ground_plane([0.1, 0])
    assert not has_plane(sim)


def test_a_terrain_map_enables_it() -> None:
    sim = pyrfly.Sim("x450")
    sim.environment.set_terrain(TerrainMap([[0, 0], [40, 40]], 100))
    assert sim.terrain_gradient[0].tolist() == pytest.approx([-0.4, 0])


@pytest.mark.parametrize(
    "columns",
    [
        {"terrain_gradient": [[0.1, 0]]},
        {"friction_reduction": [0.5]},
        {"terrain_velocity": [[0, 1, 0]]},
        {"terrain_yaw_rate": [0.2]},
    ],
    ids=lambda columns: next(iter(columns)),
)
def test_a_packet_enables_it_where_the_ground_is_not_level_and_at_rest(
    columns: dict[str, Any],
) -> None:
    sim = pyrfly.Sim({"x450": 1, "hex_x": 1})
    level = Terrain(np.array([2]), np.array([-3.0]), *LEVEL)
    apply(sim, level)
    assert not has_plane(sim)
    assert sim.terrain.tolist() == [0, -3]
    apply(sim, level._replace(**{name: np.array(value) for name, value in columns.items()}))
    for name in COLUMNS:
        expected = np.ravel(columns.get(name, 0.0))
        np.testing.assert_array_equal(getattr(sim, name)[1], np.squeeze(expected), err_msg=name)
        assert not getattr(sim, name)[0].any()
    apply(sim, level)
    assert not any(getattr(sim, name).any() for name in COLUMNS)


def test_a_model_dll_enables_it_in_the_same_way() -> None:
    model = DllModel("sdk")
    model.DllTerrainIn15d([-2.0])
    assert not has_plane(model.sim)
    model.DllTerrainIn15d([-2.0, 0, 0, 0, 1, 0.25])
    assert model.sim.friction_reduction.tolist() == [0.75]
    model.DllTerrainIn15d([-1.0])
    assert model.sim.friction_reduction.tolist() == [0]
    assert model.sim.terrain.tolist() == [-1]


def test_contact_points_stand_alike_with_and_without_it() -> None:
    """To the rounding of fused multiply-adds."""
    sims = [pyrfly.Sim("x450") for _ in range(2)]
    sims[1].set_ground_plane()
    for sim in sims:
        sim.controllers = False
        sim.set_contact_points()
        sim.reset(pos=[0, 0, -0.5])
        sim.step(3000)
    np.testing.assert_allclose(sims[1].pos, sims[0].pos, atol=1e-12)
    np.testing.assert_allclose(sims[1].contact_load, sims[0].contact_load, rtol=1e-9)
