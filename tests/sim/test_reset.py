"""`Sim.reset` of some vehicles, to the ground, and to a hover."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import CommandWarning, ParameterError, ShapeError, Sim, names

NO_YAW_CONTROL = {"tri_y_minus", "tri_y_plus"}
WIND = [3.0, -1.0, 0.5]


class TestMask:
    """Vehicles by a mask, as in ``sim.reset(mask=done)``."""

    def test_is_the_same_as_their_ids(self) -> None:
        sims = [Sim({"x450": 3, "hex_x": 2}) for _ in range(2)]
        for sim in sims:
            sim.reset(pos=[1, 1, -20], seed=1)
            sim.arm()
            sim.step(100)
        mask = np.array([False, True, False, True, True])
        pos = [[0, 0, -1], [0, 0, -2], [0, 0, -3]]
        sims[0].reset(mask=mask, pos=pos, yaw=[1, 2, 3])
        sims[1].reset(ids=[2, 4, 5], pos=pos, yaw=[1, 2, 3])
        assert sims[0].hash() == sims[1].hash()
        assert sims[0].time == sims[1].time == pytest.approx(0.1)
        assert sims[0].pos[:, 2].tolist()[1::2] == [-1, -2]
        for sim in sims:
            chosen: dict[str, Any] = {"mask": mask} if sim is sims[0] else {"ids": [2, 4, 5]}
            sim.randomize("wind", -1, 1, **chosen)
            assert len(sim.select(**chosen)) == 3
        np.testing.assert_array_equal(sims[0].wind, sims[1].wind)

    def test_of_no_vehicle_changes_nothing(self) -> None:
        sim = Sim("sdk", 3)
        sim.step(10)
        digest = sim.hash()
        sim.reset(mask=[False] * 3, hover=True)
        assert (sim.hash(), sim.time) == (digest, pytest.approx(0.01))

    @pytest.mark.parametrize(
        ("arguments", "error", "message"),
        [
            ({"mask": [True]}, ShapeError, r"mask: expected shape \(3,\), got \(1,\)"),
            ({"mask": True}, ShapeError, r"mask: expected shape \(3,\)"),
            ({"mask": [1, 0, 1]}, TypeError, "mask: expected bools"),
            ({"mask": [True] * 3, "ids": 1}, ValueError, "mask: expected None if ids are given"),
            ({"mask": [True, True, False], "pos": np.zeros((3, 3))}, ShapeError, "pos: expected"),
        ],
    )
    def test_refuses(self, arguments: dict[str, Any], error: Any, message: str) -> None:
        with pytest.raises(error, match=message):
            Sim("sdk", 3).reset(**arguments)


class TestHover:
    """A start in the trimmed hover of every vehicle."""

    @pytest.mark.parametrize("name", sorted({*names("multirotor")} - NO_YAW_CONTROL))
    @pytest.mark.parametrize("precision", ["float64", "float32"])
    def test_has_no_transient(self, name: str, precision: str) -> None:
        """With masses that the controllers do not know, headings, and wind."""
        sim = Sim(name, 3, precision=precision)
        mass = float(sim.mass[0])
        sim.randomize("mass", 0.98 * mass, 1.02 * mass)
        sim.select().write("wind", WIND if sim.drag_quadratic.max() < 0.5 * mass else [0, 0, 0])
        pos = np.array([[0, 0, -5], [3, 1, -9], [-4, 2, -20]])
        sim.reset(pos=pos, yaw=[0, 1, -2.5], hover=True)
        worst = 0.0
        for _ in range(50):
            sim.step(100)
            worst = max(worst, float(np.abs(sim.pos - pos).max()))
        assert worst < 1e-3
        np.testing.assert_allclose(sim.euler[:, 2], [0, 1, -2.5], atol=1e-3)
        assert sim.armed.all()

    def test_has_no_transient_in_thin_air_and_shear(self) -> None:
        """The air is that of the start, not of the place before."""
        sim = Sim("sdk", 2)
        sim.wind = [4, 0, 0]
        sim.environment.enable("density", "shear", "gravity")
        pos = np.array([[0.0, 0, -3000], [0.0, 0, -30]])
        sim.reset(pos=pos, hover=True)
        np.testing.assert_allclose(sim.trim().inputs["throttle"], sim.throttle, rtol=1e-9)
        assert (sim.throttle[0] > sim.throttle[1] + 0.05).all()
        worst = 0.0
        for _ in range(50):
            sim.step(100)
            worst = max(worst, float(np.abs(sim.pos - pos).max()))
        assert worst < 1e-7

    def test_warns_of_a_wind_that_the_controllers_do_not_hold(self) -> None:
        """x150 has a published drag of 0.6 N s/m on 0.3175 kg."""
        sim = Sim("x150", 2)
        sim.wind = [[3.6, 0, 0], [4, 0, 0]]
        with pytest.warns(CommandWarning, match=r"hover: in this wind 1 of 2 vehicles need more"):
            sim.reset(pos=[0, 0, -10], hover=True)
        sim.step(20_000)
        drift = np.linalg.norm(sim.pos - [0, 0, -10], axis=1)
        assert drift[0] < 1e-6
        assert drift[1] > 1

    def test_can_be_commanded_at_once(self) -> None:
        sim = Sim("x450", 2)
        sim.enable_synthesis()
        sim.reset(pos=[0, 0, -5], hover=True)
        sim.command_position([2, 0, -5], yaw=0, ids=2)
        sim.step(5000)
        np.testing.assert_allclose(sim.pos, [[0, 0, -5], [2, 0, -5]], atol=0.01)

    def test_of_some_vehicles_leaves_the_others(self) -> None:
        sim = Sim("x450", 3)
        sim.reset(pos=[0, 0, -5])
        sim.reset(ids=2, pos=[0, 0, -7], hover=True)
        assert sim.armed.tolist() == [0, 1, 0]
        sim.step(500)
        np.testing.assert_allclose(sim.pos[1], [0, 0, -7], atol=1e-3)
        assert (sim.pos[[0, 2], 2] > -4).all()

    def test_over_raised_ground_is_above_it(self) -> None:
        sim = Sim("x450")
        sim.terrain = -100
        with pytest.raises(ParameterError, match=r"pos: .*got -50"):
            sim.reset(pos=[0, 0, -50], hover=True)
        sim.reset(pos=[0, 0, -101], hover=True)
        sim.step(1000)
        assert sim.pos[0, 2] == pytest.approx(-101, abs=1e-3)

    def test_without_an_equilibrium_is_refused_and_nothing_changed(self) -> None:
        sim = Sim({"x450": 1, "tri_y_plus": 1})
        sim.step(10)
        digest = sim.hash()
        with pytest.raises(ParameterError, match=r"tri_y_plus \(CopterID 2\): no equilibrium"):
            sim.reset(pos=[0, 0, -5], hover=True)
        assert (sim.hash(), sim.time) == (digest, pytest.approx(0.01))


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_by_default_vehicles_stand_on_their_ground(precision: str) -> None:
    sim = Sim({"sdk": 2, "quad_plus": 2}, precision=precision)
    sim.terrain = [-25.0, 7.5, 0.0, 1.25]
    sim.reset()
    np.testing.assert_array_equal(sim.pos, np.outer(sim.terrain, [0, 0, 1]))
    sim.step(2000)
    np.testing.assert_allclose(sim.pos, np.outer(sim.terrain, [0, 0, 1]), atol=1e-6)
    assert np.abs(sim.vel).max() < 1e-6


def test_a_position_below_the_ground_is_raised_to_it() -> None:
    sim = Sim("sdk", 3)
    sim.terrain[:] = [-25.0, -25.0, 7.5]
    sim.reset(pos=[[1, 2, 0], [3, 4, -30], [5, 6, 9]])
    np.testing.assert_array_equal(sim.pos, [[1, 2, -25], [3, 4, -30], [5, 6, 7.5]])


def test_the_plain_model_has_no_ground_to_stand_on() -> None:
    sim = Sim("sdk", effects="plain")
    sim.reset(pos=[0, 0, 3])
    assert sim.pos[0, 2] == 3


def test_terrain_that_is_not_finite_leaves_the_position() -> None:
    sim = Sim("sdk")
    sim.terrain[:] = np.nan
    sim.reset(pos=[1, 2, -3])
    np.testing.assert_array_equal(sim.pos[0], [1, 2, -3])


def test_a_vehicle_that_its_wind_blows_away_starts_as_in_still_air_with_a_warning() -> None:
    sim, calm = Sim("x150", 3), Sim("x150", 3)
    sim.wind[1] = [10, 0, 0]
    with pytest.warns(CommandWarning, match=r"wind of 1 of 3 x150, CopterIDs \[2\].* 10, 0, 0 m/s"):
        sim.reset(pos=[0, 0, -10], hover=True)
    calm.reset(pos=[0, 0, -10], hover=True)
    np.testing.assert_allclose(sim.throttle, calm.throttle, rtol=1e-6)
    for one in (sim, calm):
        one.step(2000)
    assert sim.pos[1, 0] > 1
    np.testing.assert_allclose(sim.pos[[0, 2]], calm.pos[[0, 2]], atol=1e-6)
