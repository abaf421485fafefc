"""Fields of messages."""

from __future__ import annotations

import numpy as np
import pytest
from pyrfly_ros import fields

from .conftest import message


def test_rows_are_those_of_vehicles() -> None:
    given = {"a": np.array([[1.0, 2.0], [3.0, 4.0]]), "b": 7, "c": fields.PerVehicle("xy")}
    assert fields.rows(given, 2) == [
        {"a": [1.0, 2.0], "b": 7, "c": "x"},
        {"a": [3.0, 4.0], "b": 7, "c": "y"},
    ]


def test_parts_of_vectors_are_written_in_their_order() -> None:
    target = message(pose={"position": (0, 0, 0), "orientation": (0, 0, 0, 1)}, data=0)
    fields.write(target, {"pose.position": [1, 2, 3], "pose.orientation": [4, 5, 6, 7], "data": 8})
    assert vars(target.pose.position) == {"x": 1, "y": 2, "z": 3}
    assert vars(target.pose.orientation) == {"x": 4, "y": 5, "z": 6, "w": 7}
    assert target.data == 8


@pytest.mark.parametrize("time", [0.0, 0.1, 1.999, 2.9999999999, 123456.789])
def test_times_are_whole_nanoseconds(time: float) -> None:
    target = message(sec=0, nanosec=0)
    fields.stamp(target, time)
    assert 0 <= target.nanosec < 1_000_000_000
    assert type(target.sec) is int
    assert fields.seconds(target) == pytest.approx(time, abs=1e-9)


def test_variances_are_on_the_diagonal() -> None:
    found = fields.diagonal(np.array([[1.0, 2.0, 3.0]]))
    np.testing.assert_array_equal(found.reshape(3, 3), np.diag([1, 2, 3]))
