"""Estimates, their confidence, and what has no information."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly.identify.least_squares import Fit, Model, gauss_newton

SEGMENTS, LENGTH, INTERVAL = 40, 50, 0.01
TRUE = np.array([2.0, -1.0, 0.5])


def regressors(seed: int) -> np.ndarray:
    """Return slow and fast signals, and one that is always 0, shape (S, L, 3)."""
    random = np.random.default_rng(seed)
    t = INTERVAL * np.arange(SEGMENTS * LENGTH)
    slow = np.sin(2 * np.pi * 0.7 * t + random.uniform(0, 6))
    fast = np.sin(2 * np.pi * 9 * t + random.uniform(0, 6))
    return np.stack([slow, fast, 0 * t], axis=-1).reshape(SEGMENTS, LENGTH, 3)


def coloured(random: np.random.Generator, pole: float, shape: tuple[int, ...]) -> np.ndarray:
    """Return noise of first order with a standard deviation of 1."""
    white = random.normal(size=int(np.prod(shape)))
    found = np.empty_like(white)
    last = random.normal()
    for i, one in enumerate(white):
        last = found[i] = pole * last + np.sqrt(1 - pole**2) * one
    return found.reshape(shape)


def fitted(seed: int, pole: float, deviation: float = np.inf) -> Fit:
    """Fit three parameters, with a random offset in each segment, of about some deviation."""
    random = np.random.default_rng(seed)
    x = regressors(seed)
    noise = 0.3 * coloured(random, pole, (SEGMENTS, LENGTH))
    measured = x @ TRUE + noise + random.normal(size=(SEGMENTS, 1))

    def residuals(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
        predicted = np.einsum("slp,cp->csl", x, values) + starts
        return (measured - predicted)[..., None]

    ones = np.ones(3)
    model = Model(
        residuals, ones, -10 * ones, np.ones(1), np.full(1, deviation), np.zeros(1), INTERVAL, 5.0
    )
    return gauss_newton(model, np.zeros(3), SEGMENTS)


def test_a_linear_problem_is_solved_and_has_no_information_of_what_is_always_0() -> None:
    fit = fitted(1, 0.0)
    assert fit.converged
    np.testing.assert_allclose(fit.values[:2], TRUE[:2], atol=0.06)
    assert fit.values[2] == 0.0
    assert np.isinf(fit.covariance[2, 2])
    assert np.isfinite(np.diag(fit.covariance)[:2]).all()
    assert fit.condition > 1e6


def test_the_deviation_of_offsets_is_found() -> None:
    """A fit that kept one that is too small would take offsets for the slow signal."""
    small, right = fitted(1, 0.0, 0.05), fitted(1, 0.0, 1.0)
    error = np.sqrt(np.diag(right.covariance)[:2])
    assert (np.abs(small.values - right.values)[:2] < 0.05 * error).all()


@pytest.mark.slow
@pytest.mark.parametrize("pole", [0.0, 0.95], ids=["white", "coloured"])
def test_intervals_hold_the_truth_as_often_as_they_say(pole: float) -> None:
    """Of 200 flights."""
    fits = [fitted(seed, pole) for seed in range(200)]
    z = [(f.values - TRUE)[:2] / np.sqrt(np.diag(f.covariance)[:2]) for f in fits]
    held = (np.abs(z) < 1.96).mean(axis=0)
    assert (held > 0.88).all(), held
    assert (held < 0.99).all(), held
