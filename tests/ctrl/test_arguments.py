"""Arguments as arrays of one row per vehicle, or an error that names them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly.ctrl.arguments import integer, numbers, single, triples, vectors
from pyrfly.errors import ShapeError

ANY = st.one_of(
    st.floats(), st.integers(), st.booleans(), st.none(), st.complex_numbers(),
    st.text("ab\0\xff", max_size=3),
    st.lists(st.floats(), max_size=4), st.lists(st.lists(st.floats(), max_size=3), max_size=3),
)  # fmt: skip


def outcome(value: Any, k: int | None) -> Any:
    """Return the array, or the message of the error."""
    try:
        return numbers("x", value, "m", k)
    except (TypeError, ValueError) as error:
        return str(error)


class TestOneVehicle:
    """``k`` None: plain numbers and lists."""

    @pytest.mark.parametrize(
        "value", [2, 2.0, np.float32(2), np.int8(2), np.array(2.0), np.array(2), np.array([[2.0]])]
    )
    def test_numbers_of_any_kind(self, value: Any) -> None:
        array = numbers("x", value, "m", None)
        assert array.dtype == np.float64
        assert array.tolist() == [2.0]

    def test_vectors_become_a_row(self) -> None:
        assert vectors("v", (1, 2, 3), "m", None, (3,)).tolist() == [[1.0, 2.0, 3.0]]
        assert vectors("v", np.arange(4), "m", None, (3, 4)).shape == (1, 4)

    @given(value=ANY)
    def test_nothing_else_passes(self, value: Any) -> None:
        told = outcome(value, None)
        if isinstance(told, str):
            assert told.startswith("x: expected a ")
            assert "[m]" in told
        else:
            assert np.isfinite(told).all()
            assert told.shape == (1,)


class TestManyVehicles:
    """``k`` a number: numbers for all, or arrays."""

    def test_a_number_is_for_all(self) -> None:
        assert numbers("x", 2, "m", 3).tolist() == [2.0] * 3
        assert vectors("v", [1, 2, 3], "m", 2, (3,)).tolist() == [[1, 2, 3]] * 2

    def test_arguments_are_copied(self) -> None:
        given_array = np.zeros(3)
        numbers("x", given_array, "m", 3)[0] = 1.0
        assert given_array[0] == 0.0

    def test_triples_are_columns(self) -> None:
        array = triples(["x", "y", "z"], [1, [2, 3], math.nan], "m", 2)
        np.testing.assert_array_equal(array, [[1, 2, math.nan], [1, 3, math.nan]])

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            ([1, 2], r"x: .*got \(2,\)"),
            ([[1, 2, 3]], r"x: .*got \(1, 3\)"),
            ([1, 2, math.inf], r"x: .*got inf"),
            ([1, 2, math.nan], r"x: .*got nan"),
            (["1", "2", "3"], r"x: expected numbers \[m\]"),
            ([[1], [2, 3], []], r"x: expected numbers \[m\]"),
        ],
    )
    def test_bad_arrays_are_named(self, value: Any, message: str) -> None:
        with pytest.raises((TypeError, ValueError), match=message):
            numbers("x", value, "m", 3)

    @pytest.mark.parametrize("value", [1.0, [1, 2], [[1, 2, 3]], np.zeros((2, 2, 3)), []])
    def test_vectors_of_another_shape_are_refused(self, value: Any) -> None:
        with pytest.raises(ShapeError, match=r"v: expected .* \[m\], got"):
            vectors("v", value, "m", 2, (3,))

    @given(value=ANY)
    def test_nothing_else_passes(self, value: Any) -> None:
        told = outcome(value, 2)
        if isinstance(told, str):
            assert told.startswith("x: expected ")
        else:
            assert np.isfinite(told).all()
            assert told.shape == (2,)


def test_integers_are_integers() -> None:
    assert integer("n", np.int64(3)) == 3
    for value in (1.0, "1", True, None):
        with pytest.raises(TypeError, match="n: expected an integer"):
            integer("n", value)


def test_nan_passes_where_it_may() -> None:
    assert math.isnan(single("x", math.nan, "m", nan=True))
    with pytest.raises(ValueError, match=r"x: .*got inf"):
        single("x", math.inf, "m", nan=True)
