"""Nonlinear least squares with nuisances by segment, and confidence under coloured residuals.

`gauss_newton` minimizes the sum of the squares of the residuals of all channels over their standard
deviations, which are estimated with it. The errors of the starts of segments are estimated too:
they concern one segment each, so that they are projected out of it [@golub-pereyra].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError

__all__ = ["Fit", "Model", "gauss_newton"]

Array = NDArray[np.float64]

DIFFERENCE = 1e-4
"""Change of a parameter for a derivative, over its size."""

ITERATIONS = 25
CONVERGED = 1e-3
"""Change of all parameters, over their standard errors, below which a search has converged."""

FLAT = 1e-6
"""Share of the cost below which a step gains nothing any more."""

DAMPING = (0.0, 1e-3, 1e-2, 0.1, 1.0, 10.0)
"""Of Levenberg and Marquardt: all are tried at once, as candidates, and the best one is taken."""

SINGULAR = 1e-7
"""Singular value of scaled derivatives, over the largest, below which there is no information."""

MOST_LEVERAGE = 0.95
"""Share of the information about parameters that a segment is taken to have at most."""


class Model(NamedTuple):
    """What is fitted.

    Attributes
    ----------
    residuals : callable
        Returns residuals (c, S, L, m) of candidates (c, p) with errors of the starts (c, S, q).
    sizes, low : ndarray, shape (p,)
        Changes of parameters that matter, and least values.
    start_sizes : ndarray, shape (q,)
        The same of errors of states in a segment.
    start_deviations : ndarray, shape (q,)
        Least standard deviations of these errors, which are estimated from there on; infinite where
        an error is free.
    floors : ndarray, shape (m,)
        Least standard deviations of channels, such as what a sensor resolves.
    interval : float
        Time between samples [s].
    lag : float
        Longest correlation of residuals that counts for the confidence [s].
    """

    residuals: Callable[[Array, Array], Array]
    sizes: Array
    low: Array
    start_sizes: Array
    start_deviations: Array
    floors: Array
    interval: float
    lag: float


class Fit(NamedTuple):
    """Result of a search.

    Attributes
    ----------
    values : ndarray, shape (p,)
        Estimates.
    covariance : ndarray, shape (p, p)
        Of their errors; infinite variance without information.
    residuals : ndarray, shape (S, L, m)
        What is left, in units of the channels.
    deviations : ndarray, shape (m,)
        Standard deviations of the residuals.
    condition : float
        Ratio of the largest to the least singular value of the derivatives, scaled by sizes.
    converged : bool
        Whether the last step was small.
    """

    values: Array
    covariance: Array
    residuals: Array
    deviations: Array
    condition: float
    converged: bool


def gauss_newton(
    model: Model,
    values: Array,
    segments: int,
    told: Callable[[int], object] = lambda iteration: None,
) -> Fit:
    """Return the least squares estimate from a start.

    Parameters
    ----------
    model : Model
        Residuals of candidates.
    values : ndarray, shape (p,)
        Where the search begins.
    segments : int
        S.
    told : callable
        Called with the number of each iteration, from 1.

    Raises
    ------
    ParameterError
        The residuals are not finite where the search begins.
    """
    starts = np.zeros((segments, len(model.start_sizes)))
    left, slopes, start_slopes = _linearized(model, values, starts)
    if not np.isfinite(left).all():
        raise ParameterError(
            "log: expected values that a vehicle can have, got some beyond the flight envelope"
        )
    converged, least = False, model.start_deviations
    for iteration in range(ITERATIONS):
        told(iteration + 1)
        weight = 1 / _deviations(left, model.floors)
        step = _Step(model, left, slopes, start_slopes, weight, starts)
        candidates, moved = step.candidates(values, starts)
        cost = _cost(model, model.residuals(candidates, moved), moved, weight)
        best = int(np.argmin(cost))
        now = _cost(model, left[None], starts[None], weight)[0]
        if not cost[best] <= now:
            converged = True  # no direction gets better
            break
        change = np.abs(candidates[best] - values)
        values, starts = candidates[best], moved[best]
        model = model._replace(start_deviations=step.start_deviations(starts, least))
        left, slopes, start_slopes = _linearized(model, values, starts)
        deviation = np.sqrt(np.maximum(np.diag(step.simple_covariance()), 0))
        if (change <= CONVERGED * deviation).all() or now - cost[best] <= FLAT * now:
            converged = True
            break
    weight = 1 / _deviations(left, model.floors)
    step = _Step(model, left, slopes, start_slopes, weight, starts)
    covariance, condition = step.covariance()
    return Fit(values, covariance, left, 1 / weight, condition, converged)


def _linearized(model: Model, values: Array, starts: Array) -> tuple[Array, Array, Array]:
    """Return residuals, and their derivatives by parameters and by errors of starts."""
    p, q = len(values), starts.shape[1]
    moves = DIFFERENCE * model.sizes
    candidates = np.tile(values, (1 + p + q, 1))
    candidates[1 : 1 + p] += np.diag(moves)
    moved = np.tile(starts, (1 + p + q, 1, 1))
    start_moves = DIFFERENCE * model.start_sizes
    for i, move in enumerate(start_moves):
        moved[1 + p + i, :, i] += move
    found = model.residuals(candidates, moved)
    slopes = (found[1 : 1 + p] - found[0]) / DIFFERENCE  # per size
    start_slopes = (found[1 + p :] - found[0]) / DIFFERENCE
    return found[0], slopes, start_slopes


def _deviations(left: Array, floors: Array) -> Array:
    """Return the standard deviation of each channel."""
    squares = np.square(left.reshape(-1, left.shape[-1])).mean(axis=0)
    deviations: Array = np.sqrt(squares + np.square(floors))
    return deviations


def _cost(model: Model, left: Array, starts: Array, weight: Array) -> Array:
    cost = np.square(left * weight).sum(axis=(1, 2, 3))
    cost = cost + np.square(starts / model.start_deviations).sum(axis=(1, 2))
    return np.where(np.isfinite(cost), cost, np.inf)


class _Step:
    """The linear problem of an iteration, with the errors of states projected out.

    What is known of these errors is a row each below those of its segment.
    """

    def __init__(
        self,
        model: Model,
        left: Array,
        slopes: Array,
        start_slopes: Array,
        weight: Array,
        starts: Array,
    ) -> None:
        p, q, (s, n, m) = len(slopes), len(start_slopes), left.shape
        self._model, self._shape = model, (s, n, m)
        known = np.broadcast_to(np.diag(model.start_sizes / model.start_deviations), (s, q, q))
        self._right = _stacked(-(left * weight).reshape(s, n * m), -starts / model.start_deviations)
        slopes = np.moveaxis(slopes * weight, 0, -1).reshape(s, n * m, p)
        self._whole = _stacked(slopes, np.zeros((s, q, p)))
        own = np.moveaxis(start_slopes * weight, 0, -1).reshape(s, n * m, q)
        self._q, self._r = np.linalg.qr(_stacked(own, known))
        back = self._q.transpose(0, 2, 1)
        self._design = self._whole - self._q @ (back @ self._whole)
        self._left = self._right - (self._q @ (back @ self._right[..., None]))[..., 0]
        flat = self._design.reshape(-1, p)
        self._normal = flat.T @ flat
        self._gradient = flat.T @ self._left.reshape(-1)

    def candidates(self, values: Array, starts: Array) -> tuple[Array, Array]:
        """Return a candidate per damping, with the errors of states that go with it."""
        size = np.sqrt(np.diag(self._normal))
        size = np.where(size > 0, size, 1.0)
        scaled = self._normal / np.outer(size, size)
        eigen, axes = np.linalg.eigh(scaled)
        along = axes.T @ (self._gradient / size)
        least = SINGULAR**2 * eigen.max()
        eigen = np.where(eigen > least, eigen, np.inf)
        model = self._model
        candidates, moved = [], []
        for damping in DAMPING:
            change = (axes @ (along / (eigen + damping))) / size
            new = np.maximum(values + change * model.sizes, model.low)
            change = (new - values) / model.sizes
            rest = self._q.transpose(0, 2, 1) @ (self._right - self._whole @ change)[..., None]
            candidates.append(new)
            moved.append(starts + np.linalg.solve(self._r, rest)[..., 0] * model.start_sizes)
        return np.array(candidates), np.array(moved)

    def start_deviations(self, starts: Array, least: Array) -> Array:
        """Return the deviations of the errors of states over all segments, but at least some.

        It is a step of expectation and maximization to the most likely ones: the mean square of the
        estimated errors, and their own variances [@dempster].
        """
        inverse = np.linalg.inv(self._r) * self._model.start_sizes[:, None]
        found = np.sqrt((np.square(starts) + np.square(inverse).sum(axis=2)).mean(axis=0))
        deviations: Array = np.maximum(found, least)
        return deviations

    def simple_covariance(self) -> Array:
        """Return the covariance for white residuals."""
        inverse = np.linalg.pinv(self._normal, rcond=SINGULAR**2, hermitian=True)
        covariance: Array = inverse * np.outer(self._model.sizes, self._model.sizes)
        return covariance

    def _gradients(self, along: Array) -> Array:
        """Return the gradient along some axes (p, k) by segment, shape (S, k).

        A fit follows the noise of a segment by the segment's share of the information, its
        leverage, and has smaller residuals there than the truth has. They are those of a fit
        without the segment, as of a jackknife [@bell-mccaffrey].
        """
        design = self._design @ along
        found = np.einsum("srk,sr->sk", design, self._left)
        share, axes = np.linalg.eigh(design.transpose(0, 2, 1) @ design)
        left_out = 1 / (1 - np.minimum(share, MOST_LEVERAGE))
        back = left_out * np.einsum("skj,sk->sj", axes, found)
        gradients: Array = np.einsum("skj,sj->sk", axes, back)
        return gradients

    def covariance(self) -> tuple[Array, float]:
        """Return the covariance for residuals of any colour, and the condition number.

        The middle of the sandwich is the variance of the gradient, of its parts by segment, with
        what parts within the longest lag have in common [@newey-west].
        """
        scale, axes = np.linalg.eigh(self._normal)
        largest = max(scale.max(initial=0.0), 1e-300)
        informed = scale > SINGULAR**2 * largest
        along = axes[:, informed] / np.sqrt(scale[informed])
        segment = self._shape[1] * self._model.interval
        middle = _long_run(self._gradients(along), round(self._model.lag / segment))
        covariance = along @ middle @ along.T * np.outer(self._model.sizes, self._model.sizes)
        lost = np.abs(axes[:, ~informed]).max(axis=1, initial=0.0) > 1e-3
        covariance[lost, lost] = np.inf
        return covariance, float(np.sqrt(largest / max(scale.min(), 1e-300 * largest)))


def _stacked(above: Array, below: Array) -> Array:
    return np.concatenate([above, below], axis=1)


def _long_run(parts: Array, lags: int) -> Array:
    """Return the variance of a sum of correlated parts (n, p), with Bartlett's window.

    It is itself an estimate of few independent parts, so that a normal distribution has intervals
    that are too narrow: it is scaled by the square of the factor that makes those of 95 % right
    [@kiefer-vogelsang].
    """
    n = len(parts)
    lags = min(lags, n // 4)
    total: Array = parts.T @ parts
    for lag in range(1, lags + 1):
        common = parts[lag:].T @ parts[:-lag]
        total += (1 - lag / (lags + 1)) * (common + common.T)
    width = (lags + 1) / n
    factor = np.polyval(FIXED_WIDTH, width) / FIXED_WIDTH[-1]
    return total * factor**2


FIXED_WIDTH = (-0.5324, 0.4160, 2.9694, 1.9600)
"""Half width of an interval of 95 % over the deviation, as a cubic of the width of Bartlett's
window over the length of the series [@kiefer-vogelsang table 1]."""
