"""Functions with the same bits on all processors, against 50 digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly import exact

angles = st.floats(-4e5, 4e5)
values = st.floats(-1e6, 1e6)


def ulps(value: float, truth: mpmath.mpf) -> float:
    """Return an error in units in the last place of the truth."""
    return abs(float((mpmath.mpf(value) - truth) / math.ulp(float(truth))))


@given(angles)
def test_sine_and_cosine(angle: float) -> None:
    sine, cosine = exact.sincos(angle)
    with mpmath.workdps(50):
        assert ulps(sine, mpmath.sin(mpmath.mpf(angle))) < 2
        assert ulps(cosine, mpmath.cos(mpmath.mpf(angle))) < 2


@given(values, values)
def test_angle_of_a_vector(y: float, x: float) -> None:
    angle = exact.arctan2(y, x)
    if (x, y) == (0.0, 0.0) or y == 0.0:
        assert angle == math.atan2(y, x)
        return
    with mpmath.workdps(50):
        assert ulps(angle, mpmath.atan2(mpmath.mpf(y), mpmath.mpf(x))) < 2


@given(st.floats(-1.5, 1.5))
def test_arc_sine_of_clamped_values(x: float) -> None:
    with mpmath.workdps(50):
        assert ulps(exact.arcsin(x), mpmath.asin(mpmath.mpf(min(max(x, -1.0), 1.0)))) < 3


@given(st.floats(0.0, 1e300, allow_subnormal=False))
def test_cube_root(x: float) -> None:
    with mpmath.workdps(50):
        assert ulps(exact.cube_root(x), mpmath.cbrt(mpmath.mpf(x))) <= 1


def test_shapes_are_kept_and_arguments_broadcast() -> None:
    sine, cosine = exact.sincos(np.zeros((2, 3)))
    assert sine.shape == cosine.shape == (2, 3)
    assert exact.arctan2(np.ones((2, 1)), np.ones(3)).shape == (2, 3)
    assert isinstance(exact.sincos([0.0])[0], np.ndarray)


def test_sums_are_rounded_once() -> None:
    assert exact.dot([1e16, 1.0, -1e16], [1.0, 1.0, 1.0]) == 1.0
    np.testing.assert_allclose(exact.norm([[3.0, 4.0], [5.0, 12.0]]), [5.0, 13.0], rtol=1e-15)


def test_sequences_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        exact.dot([1.0, 2.0], [1.0])


@pytest.mark.parametrize("size", [1, 4, 10])
def test_solve_is_numpys_for_systems_of_full_rank(size: int) -> None:
    rng = np.random.default_rng(3)
    roots = rng.normal(size=(5, size, size)) * 10.0 ** rng.uniform(-4, 4, (5, size, 1))
    matrices = roots @ np.swapaxes(roots, 1, 2)
    x = rng.normal(size=(5, size))
    got = exact.solve(matrices, (matrices @ x[..., None])[..., 0])
    residual = (matrices @ (got - x)[..., None])[..., 0]
    scale = np.sqrt(np.diagonal(matrices, axis1=1, axis2=2))
    assert (np.abs(residual / scale) < 1e-9 * np.abs(scale * x).max(axis=1, keepdims=True)).all()


def test_solve_gives_about_nothing_to_a_direction_without_an_effect() -> None:
    matrices = np.array([[[4.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]]])
    got = exact.solve(matrices, np.array([[8.0, 0.0], [2.0, 2.0]]))
    np.testing.assert_allclose(got[0], [2, 0], atol=1e-9)
    np.testing.assert_allclose(got[1].sum(), 2, atol=1e-4)


def test_row_sums_are_those_of_python() -> None:
    values = np.random.default_rng(1).normal(size=(3, 17))
    expected = [sum(row.tolist()) for row in values]
    np.testing.assert_array_equal(exact.row_sums(values), expected)


def test_exp_is_numpys() -> None:
    x = np.linspace(-100.0, 100.0, 1001)
    np.testing.assert_allclose(exact.exp(x), np.exp(x), rtol=1e-12)
