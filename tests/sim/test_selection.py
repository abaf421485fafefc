"""`Sim.select`: vehicles of several groups as rows of one array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import ShapeError, Sim
from pyrfly.sim import Selection

CHOICES = [[2], [1, 2, 3], [5, 1, 4], [3, 1], [4, 5], [5, 4, 3, 2, 1], np.array([4, 2])]


def fleet() -> Sim:
    """Return three quadrotors and two octorotors; ``pos`` north is the CopterID."""
    sim = Sim({"x450": 3, "octo_x": 2})
    for group in sim.groups:
        group.pos[:, 0] = np.arange(group.first_id, group.first_id + group.n)
    return sim


def test_a_column_is_not_an_attribute() -> None:
    with pytest.raises(AttributeError, match=r"^wind: .* write it with \.write\('wind', values\)"):
        fleet().select(1).wind = [1, 0, 0]  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"^wind: .* read it with \.read\('wind'\)"):
        _ = fleet().select(1).wind  # type: ignore[attr-defined]


@pytest.mark.parametrize("ids", CHOICES)
class TestRows:
    """In the order of the given CopterIDs."""

    def test_are_read(self, ids: Any) -> None:
        chosen = fleet().select(ids)
        assert chosen.read("pos")[:, 0].tolist() == list(ids)
        assert chosen.read("mass").shape == (len(chosen),) == (len(ids),)

    def test_are_copies(self, ids: Any) -> None:
        sim = fleet()
        sim.select(ids).read("pos")[:] = 7.0
        assert sim.pos[:, 0].tolist() == [1, 2, 3, 4, 5]

    def test_are_written(self, ids: Any) -> None:
        sim = fleet()
        sim.select(ids).write("vel", [[i, 0, -i] for i in ids])
        expected = [[i, 0, -i] if i in list(ids) else [0, 0, 0] for i in range(1, 6)]
        assert sim.vel.tolist() == expected

    def test_have_components(self, ids: Any) -> None:
        sim = fleet()
        sim.select(ids).write("wind", 2 * np.array(ids), component=1)
        expected = [[0, 2 * i if i in list(ids) else 0, 0] for i in range(1, 6)]
        assert sim.wind.tolist() == expected

    def test_are_those_of_the_parts(self, ids: Any) -> None:
        named = np.zeros(len(ids))
        for group, rows, indices in fleet().select(ids):
            named[indices] = group.pos[rows, 0]
        assert named.tolist() == list(ids)


def test_all_vehicles_are_selected_by_default() -> None:
    chosen = fleet().select()
    assert len(chosen) == 5
    assert chosen.read("pos")[:, 0].tolist() == [1, 2, 3, 4, 5]


def test_no_vehicles_can_be_selected() -> None:
    sim = fleet()
    chosen = sim.select([])
    chosen.write("vel", 1.0)
    assert len(chosen) == 0
    assert not sim.vel.any()
    with pytest.raises(ValueError, match="vel: expected at least one vehicle"):
        chosen.read("vel")


@pytest.mark.parametrize("values", [1.0, [1.0, 2.0, 3.0], [[1.0, 2.0, 3.0]]])
def test_a_value_for_all_is_written_to_each(values: Any) -> None:
    sim = fleet()
    sim.select([1, 5]).write("vel", values)
    np.testing.assert_array_equal(sim.vel[[0, 4]], np.broadcast_to(values, (2, 3)))


def test_a_column_of_each_groups_own_width_takes_a_value_for_all() -> None:
    sim = fleet()
    sim.select().write("throttle", 0.25)
    assert all((group.throttle == 0.25).all() for group in sim.groups)
    with pytest.raises(ShapeError, match="throttle: expected one width"):
        sim.select().read("throttle")


@pytest.mark.parametrize(
    ("name", "values", "error", "message"),
    [
        ("vel", [1.0, 2.0], ShapeError, r"vel: expected shape \(5, 3\), got \(2,\)"),
        ("throttle", [0.1] * 4, ShapeError, r"throttle: .*got \(4,\)"),
        ("arm_length", 1.0, AttributeError, "no column 'arm_length'"),
        ("speed", 1.0, AttributeError, "no column 'speed'"),
        ("euler", 1.0, AttributeError, "euler is computed from the state"),
        ("home", 1.0, AttributeError, "home: the part 'navigator' is disabled"),
    ],
)
def test_a_write_that_fails_writes_nothing(
    name: str, values: Any, error: type[Exception], message: str
) -> None:
    sim = fleet()
    before = sim.snapshot()
    with pytest.raises(error, match=message):
        sim.select().write(name, values)
    assert sim.snapshot() == before


@pytest.mark.parametrize(
    ("name", "component", "error", "message"),
    [
        ("vel", 3, ValueError, "component: expected 0 to 2 of vel, got 3"),
        ("vel", -1, ValueError, r"component: .*got -1"),
        ("mass", 1, ValueError, "component: expected 0 of mass, got 1"),
        ("vel", "x", TypeError, "component: expected an integer, got 'x'"),
        ("vel", 1.0, TypeError, "component: expected an integer, got 1.0"),
    ],
)
def test_a_component_that_a_column_lacks_is_named(
    name: str, component: Any, error: type[Exception], message: str
) -> None:
    sim = fleet()
    before = sim.snapshot()
    with pytest.raises(error, match=message):
        sim.select().write(name, 0.1, component=component)
    assert sim.snapshot() == before
    sim.select().write("mass", 2.0, component=0)
    assert (sim.mass == 2.0).all()


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_an_argument_becomes_a_row_per_vehicle(precision: str) -> None:
    chosen = Sim("x450", 2, precision=precision).select()
    np.testing.assert_array_equal(chosen.per_vehicle("pos", [1, 2, 3], "m", 3), [[1, 2, 3]] * 2)
    np.testing.assert_array_equal(chosen.per_vehicle("yaw", 1, "rad"), [1, 1])
    np.testing.assert_array_equal(chosen.per_vehicle("yaw", [1, 2], "rad"), [1, 2])
    with pytest.raises(ShapeError, match=r"pos: .*got \(2,"):
        chosen.per_vehicle("pos", [1, 2], "m", 3)
    with pytest.raises(ValueError, match="yaw: expected finite values"):
        chosen.per_vehicle("yaw", np.nan, "rad")


def test_what_does_not_fit_the_precision_is_refused() -> None:
    sims = {p: Sim("x450", precision=p).select() for p in ("float64", "float32")}
    assert sims["float64"].per_vehicle("vel", 1e300, "m/s") == 1e300
    with pytest.raises(ValueError, match="vel: expected finite values"):
        sims["float32"].per_vehicle("vel", 1e300, "m/s")


def test_a_set_point_that_a_group_lacks_is_given_to_none() -> None:
    sim = fleet()
    before = sim.snapshot()
    chosen: Selection = sim.select()
    with pytest.raises(AttributeError, match="no column 'depth_sp'"):
        chosen.set_point(1, pos_sp=np.ones((5, 3)), depth_sp=np.ones(5))
    assert sim.snapshot() == before


def test_a_vehicle_that_is_selected_twice_is_read_twice_and_not_written() -> None:
    sim = fleet()
    chosen = sim.select([4, 2, 4])
    assert chosen.read("pos")[:, 0].tolist() == [4, 2, 4]
    before = sim.snapshot()
    with pytest.raises(ValueError, match=r"ids: .*got 4 2 times"):
        chosen.write("mass", [1, 2, 3])
    assert sim.snapshot() == before


def test_it_says_how_many() -> None:
    assert repr(fleet().select([1, 5])) == "<Selection of 2 vehicles>"


@pytest.mark.parametrize("on", [[True, False, True], np.array([1, 0, 1]), (1.0, 0.0, 1.0)])
def test_vehicles_are_armed_one_by_one(on: object) -> None:
    sim = Sim("x450", 3)
    sim.arm(on)
    assert sim.armed.tolist() == [1, 0, 1]
    sim.arm(False, ids=[1])
    assert sim.armed.tolist() == [0, 0, 1]


@pytest.mark.parametrize("on", ["no", [True, False], 2, [1, 0, 0.5]])
def test_what_is_neither_true_nor_false_arms_nothing(on: object) -> None:
    sim = Sim("x450", 3)
    with pytest.raises((ValueError, TypeError), match=r"^on: expected"):
        sim.arm(on)
    assert not sim.armed.any()
