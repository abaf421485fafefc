"""Parameters of the node."""

from __future__ import annotations

import pytest
from pyrfly_ros.parameters import PARAMETERS, checked, ids_of


def test_what_is_not_given_has_its_default() -> None:
    assert checked({}) == PARAMETERS
    found = checked({"rates.odometry": 10, "paused": True})
    assert found == {**PARAMETERS, "rates.odometry": 10.0, "paused": True}
    assert type(found["rates.odometry"]) is float


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"rates.odom": 10.0}, "rates.odom: expected one of"),
        ({"rates.odometry": "fast"}, "rates.odometry: expected a float, got 'fast'"),
        ({"rates.odometry": -1.0}, "rates.odometry: expected 0 to 10000, got -1"),
        ({"rates.odometry": float("nan")}, "expected 0 to 10000"),
        ({"rates.odometry": True}, "expected a float"),
        ({"prefix": 3}, "prefix: expected a str"),
        ({"paused": 1}, "paused: expected a bool"),
        ({"lidar.channels": 1.5}, "lidar.channels: expected a int"),
        ({"step": 0.0}, "step: expected 1e-06 to 3600"),
    ],
)
def test_what_is_no_parameter_is_an_error(given, text) -> None:
    with pytest.raises(ValueError, match=text):
        checked(given)


@pytest.mark.parametrize(
    ("text", "ids"),
    [("1-16", [5, 6, 7]), ("", []), ("6", [6]), ("7, 5", [5, 7]), ("6-999999999999999", [6, 7])],
)
def test_vehicles_are_named_by_ids_and_spans(text, ids) -> None:
    assert ids_of(text, range(5, 8)) == ids


@pytest.mark.parametrize("text", ["4", "a", "5-", "-5", "5-x", "5;6", "8"])
def test_vehicles_that_there_are_not_are_an_error(text) -> None:
    with pytest.raises(ValueError, match="parameter vehicles: expected IDs"):
        ids_of(text, range(5, 8))
