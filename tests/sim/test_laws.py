"""Laws of randomized columns."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy import stats

from pyrfly import Sim
from pyrfly.sim.laws import draws

COUNT = 4000


@pytest.mark.parametrize(
    ("column", "entry", "expected"),
    [
        ("mass", ("uniform", 1.0, 3.0), stats.uniform(1.0, 2.0)),
        ("mass", ("log-uniform", 0.1, 10.0), stats.loguniform(0.1, 10.0)),
        ("wind", ("normal", 2.0, 0.5), stats.norm(2.0, 0.5)),
    ],
)
def test_drawn_values_follow_the_law(column: str, entry: Any, expected: Any) -> None:
    sim = Sim("x450")
    values = draws(sim, {column: entry}, 3, COUNT)[column]
    if column == "wind":  # one law is that of the horizontal components
        assert (values[:, 2] == 0.0).all()
        values = values[:, :2]
    for component in values.T:
        assert stats.kstest(component, expected.cdf).pvalue > 1e-3
    correlations = np.corrcoef(values.T) if values.shape[1] > 1 else np.eye(1)
    assert (np.abs(correlations - np.eye(values.shape[1])) < 0.06).all()


def test_the_law_scale_multiplies_the_value_of_the_set() -> None:
    sim = Sim("x450")
    values = draws(sim, {"motor_tau": ("scale", 0.5, 1.5)}, 3, COUNT)["motor_tau"]
    factors = values / sim.motor_tau[0]
    assert stats.kstest(factors[:, 0], stats.uniform(0.5, 1.0).cdf).pvalue > 1e-3


@pytest.mark.parametrize("column", ["motor_tau", "inertia", "rotor_thrust_coef"])
def test_components_of_a_parameter_are_tied(column: str) -> None:
    """Rotors stay alike, inertia symmetric, and rise and fall of the motors in proportion."""
    sim = Sim("x500")
    before = sim.groups[0].view(column)[0]
    there = before != 0
    values = draws(sim, {column: ("scale", 0.5, 1.5)}, 3, 20)[column][:, there] / before[there]
    np.testing.assert_allclose(values, values[:, :1] * np.ones(there.sum()), rtol=1e-12)
    assert np.ptp(values[:, 0]) > 0.5


def test_a_value_depends_on_seed_sample_and_column_alone() -> None:
    sim = Sim("x450")
    table = {"mass": ("uniform", 1, 2), "wind": ("normal", 0, 1)}
    few, many = draws(sim, table, 5, 10), draws(sim, dict(reversed(table.items())), 5, 1000)
    for name, values in few.items():
        np.testing.assert_array_equal(values, many[name][:10])
    assert (draws(sim, table, 6, 10)["mass"] != few["mass"]).all()


def test_each_component_has_its_own_law_or_number() -> None:
    entry = [["normal", 5.0, 2.0], ["uniform", -1.0, 1.0], 0.5]
    values = draws(Sim("x450"), {"wind": entry}, 3, COUNT)["wind"]
    assert stats.kstest(values[:, 0], stats.norm(5.0, 2.0).cdf).pvalue > 1e-3
    assert stats.kstest(values[:, 1], stats.uniform(-1.0, 2.0).cdf).pvalue > 1e-3
    assert (values[:, 2] == 0.5).all()


def test_vertical_wind_that_was_set_stays_where_one_law_draws() -> None:
    sim = Sim("x450")
    sim.wind = [1, 2, -3]
    assert (draws(sim, {"wind": ("normal", 0, 1)}, 3, 5)["wind"][:, 2] == -3.0).all()


@pytest.mark.parametrize(
    ("column", "entry", "words"),
    [
        ("wind", [("normal", 0, 1)] * 2, "or a law or a number for each of 3, got"),
        ("wind", [("normal", 0, 1), 0, "calm"], "expected (law, first, second), got 'calm'"),
        ("wind", [("normal", 0, -1), 0, 0], "expected a deviation of at least 0"),
        ("mass", ("normal", np.nan, 1), "mass: expected finite numbers, got ('normal', nan, 1)"),
        (
            "mass",
            ("log-uniform", 0, 1),
            "mass: expected numbers above 0, got ('log-uniform', 0, 1)",
        ),
        ("mass", ("scale", 1.2, 0.9), "mass: expected first <= second, got ('scale', 1.2, 0.9)"),
        ("mass", ("uniform", 3, 1), "mass: expected first <= second, got ('uniform', 3, 1)"),
        ("mass", [1, 2], "mass: expected a law (law, first, second), got [1, 2]"),
        ("mass", 1.5, "mass: expected a law (law, first, second), got 1.5"),
        ("motor_tau", [("uniform", -1, 1), 0.02], "motor_tau: expected "),
    ],
)
def test_what_is_no_law_of_the_components_is_refused(column: str, entry: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        draws(Sim("x450"), {column: entry}, 3, 5)
