"""The search: a first guess, the fit, and what the flight does not tell: `search`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError
from pyrfly.identify.flight import Flight
from pyrfly.identify.least_squares import Fit, Model, gauss_newton
from pyrfly.identify.prediction import Prediction, Segments
from pyrfly.vehicles import VehicleParameters
from pyrfly.vehicles.identifying import Parameter

__all__ = [
    "AT_BOUND",
    "IDENTIFIED",
    "KNOWN",
    "NORMAL_95",
    "OF_FLIGHT",
    "UNEXCITED",
    "Estimate",
    "Found",
    "estimates_table",
    "search",
    "without_vague",
]

Array = NDArray[np.float64]
Channels = tuple[tuple[str, int], ...]

IDENTIFIED, UNEXCITED, KNOWN, OF_FLIGHT = "identified", "not excited", "held", "of the flight"
AT_BOUND = "at its bound"

LONGEST_LAG = 5.0
"""Correlation of residuals that counts for the confidence [s]: of gusts and of errors of the
estimator."""

VAGUE = 0.5
"""Standard error over the change that matters from which on a parameter is not excited."""

GIVEN_UP = 0.3
"""Share of the vaguest standard error from which on parameters are given up together."""

NORMAL_95 = 1.959964
"""Half width of an interval that holds 95 % of a normal distribution, over its deviation."""

RELATED = 0.9
"""Correlation of errors from which on two estimates are told to be related."""

FIRST_SEGMENTS = 24
"""Segments for a first guess by equation error, spread over the flight."""

ERROR_SIZES = {"vel": 0.1, "att": 0.01, "rate": 0.01}
"""Errors of measured states that matter [m/s, rad, rad/s]."""

VELOCITY_ERROR = 0.1
"""Least standard deviation of the error of a measured velocity [m/s], as of satellite receivers
with an IMU, which lasts for seconds. In turbulence that of the gusts is found, as it is the
velocity through the air that counts. Where the motion is free the error is free, too."""

FLOORS = {"force": 1e-3, "rate": 1e-4, "vel": 1e-3, "att": 1e-4}
"""Least deviation of residuals [m/s^2, rad/s, m/s, rad]: what no sensor does better."""

RESOLUTION = 1.0
"""The same of the speeds of actuators [rad/s], by the telemetry of speed controllers."""


class Estimate(NamedTuple):
    """A parameter and what the flight says of it.

    Attributes
    ----------
    name, unit : str
        The parameter.
    value : float
        Its value: estimated, or that of the parameter set.
    deviation : float
        Standard error; NaN if it was not estimated or is at its bound, infinite without any
        information.
    start : float
        Value of the parameter set.
    status : str
        ``identified``; ``not excited``: the flight does not tell, the value of the set stands;
        ``held``: not asked for; ``of the flight``: estimated, no parameter of the vehicle;
        ``at its bound``: the search ended at the least value that the vehicle can have, which
        stands, without an interval.
    """

    name: str
    unit: str
    value: float
    deviation: float
    start: float
    status: str

    @property
    def identified(self) -> bool:
        """Whether the flight tells this parameter of the vehicle."""
        return self.status == IDENTIFIED

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds that hold the true value with a probability of 95 %; NaN where there are none."""
        half = NORMAL_95 * self.deviation
        return self.value - half, self.value + half


def estimates_table(estimates: Iterable[Estimate]) -> str:
    """Return estimates as lines of text, with a head."""
    lines = [f"{'parameter':24}{'value':>13}{'+- 95 %':>11}{'set':>13}  unit"]
    for one in estimates:
        half = NORMAL_95 * one.deviation
        error = f"{half:>11.2g}" if np.isfinite(half) else " " * 11
        note = "" if one.status == IDENTIFIED else f"  ({one.status})"
        lines.append(f"{one.name:24}{one.value:>13.6g}{error}{one.start:>13.6g}  {one.unit}{note}")
    return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Found:
    """What a search has found.

    Attributes
    ----------
    fit : Fit
        Of the parameters that are left.
    parameters : tuple of Parameter
        Those.
    vague : dict of str to float
        Standard errors of those that the flight does not tell, which were given up.
    channels : tuple of (str, int)
        Signal and axis of the channels of the residuals.
    """

    fit: Fit
    parameters: tuple[Parameter, ...]
    vague: dict[str, float]
    channels: Channels

    def estimate(self, parameter: Parameter) -> Estimate:
        """Return what was found of a parameter."""
        name, unit, start = parameter.name, parameter.unit, parameter.start
        if name in self.vague:
            return Estimate(name, unit, start, self.vague[name], start, UNEXCITED)
        if parameter not in self.parameters:
            return Estimate(name, unit, start, np.nan, start, KNOWN)
        i = self.parameters.index(parameter)
        value, deviation = float(self.fit.values[i]), float(np.sqrt(self.fit.covariance[i, i]))
        if value <= parameter.low:  # no minimum, so that its curvature says nothing
            return Estimate(name, unit, value, np.nan, start, AT_BOUND)
        status = OF_FLIGHT if parameter.nuisance else IDENTIFIED
        return Estimate(name, unit, value, deviation, start, status)

    def correlations(self) -> dict[tuple[str, str], float]:
        """Return the correlations of errors beyond `RELATED`, by the names of the pair."""
        deviation = np.sqrt(np.diag(self.fit.covariance))
        matrix = self.fit.covariance / np.outer(deviation, deviation)
        names = [parameter.name for parameter in self.parameters]
        return {
            (names[i], names[j]): float(matrix[i, j])
            for i in range(len(names))
            for j in range(i)
            if abs(matrix[i, j]) > RELATED
        }

    def residuals(self) -> dict[str, Array]:
        """Return the residuals by signal."""
        names = dict.fromkeys(name for name, _ in self.channels)
        return {
            name: self.fit.residuals[..., [i for i, c in enumerate(self.channels) if c[0] == name]]
            for name in names
        }


def search(
    base: VehicleParameters,
    flight: Flight,
    segments: Segments,
    parameters: Sequence[Parameter],
    free: Sequence[str],
    told: Callable[[str], object] = lambda text: None,
) -> Found:
    """Return the estimates of parameters, without those that a flight does not tell.

    The first guess is by equation error, which finds its minimum from far away, on some of the
    segments. Then parameters whose standard error is beyond what matters are given up, the vaguest
    first, as they can hide others: each is set back to its value in the set.

    Parameters
    ----------
    base : VehicleParameters
        The set from which the search begins.
    flight, segments : Flight, Segments
        What was measured.
    parameters : sequence of Parameter
        What to search for.
    free : sequence of str
        See `Prediction`.
    told : callable
        Called with texts that say how far it is.

    Raises
    ------
    ParameterError
        Nothing is left.
    """
    if not parameters:
        raise ParameterError("free: expected at least one parameter, got none")
    few = segments.starts[:: max(1, len(segments.starts) // FIRST_SEGMENTS)]
    left = list(parameters)
    values = np.array([parameter.start for parameter in left])
    if free:
        first = segments._replace(starts=few)
        values = _fitted(base, flight, first, left, (), values, told)[0].values

    def fitted(parameters: Sequence[Parameter], values: Array) -> tuple[Fit, Channels]:
        fit, prediction = _fitted(base, flight, segments, parameters, free, values, told)
        return fit, tuple(prediction.channels)

    return without_vague(left, values, fitted)


def without_vague(
    parameters: Sequence[Parameter],
    values: Array,
    fitted: Callable[[Sequence[Parameter], Array], tuple[Fit, Channels]],
) -> Found:
    """Return the estimates of parameters of a fit, without those that the data do not tell.

    Parameters
    ----------
    parameters : sequence of Parameter
        What is fitted.
    values : ndarray, shape (p,)
        Where the search begins.
    fitted : callable
        Returns a fit of some of them from a start, and the channels of its residuals.

    Raises
    ------
    ParameterError
        Nothing is left.
    """
    left = list(parameters)
    vague: dict[str, float] = {}
    while True:
        fit, channels = fitted(left, values)
        deviation = np.sqrt(np.diag(fit.covariance))
        share = deviation / [parameter.size for parameter in left]
        bounded = np.array([not p.nuisance for p in left]) | np.isinf(share)
        share = np.where(bounded, share, 0.0)
        given_up = share >= max(VAGUE, GIVEN_UP * share.max())
        if not given_up.any():
            return Found(fit, tuple(left), vague, channels)
        for i in np.flatnonzero(given_up):
            vague[left[i].name] = float(deviation[i])
        values = fit.values[~given_up]
        left = [parameter for parameter, gone in zip(left, given_up, strict=True) if not gone]
        if all(parameter.nuisance for parameter in left):
            raise ParameterError(
                f"log: expected a flight that excites {', '.join(vague)}, got one that tells none"
            )


def _fitted(
    base: VehicleParameters,
    flight: Flight,
    segments: Segments,
    parameters: Sequence[Parameter],
    free: Sequence[str],
    values: Array,
    told: Callable[[str], object],
) -> tuple[Fit, Prediction]:
    prediction = Prediction(base, flight, segments, parameters, free)
    errors = prediction.errors
    held = ["vel" if name == "vel" and name not in free else "" for name in errors]
    model = Model(
        prediction.residuals,
        np.array([parameter.size for parameter in parameters]),
        np.array([parameter.low for parameter in parameters]),
        np.repeat([ERROR_SIZES[name] for name in errors], 3),
        np.repeat([VELOCITY_ERROR if name else np.inf for name in held], 3),
        np.array([FLOORS.get(name, RESOLUTION) for name, _ in prediction.channels]),
        flight.interval,
        LONGEST_LAG,
    )

    def iterates(number: int) -> None:
        told(f"fits {len(parameters)} parameters to {len(segments.starts)} segments: {number}")

    return gauss_newton(model, values, len(segments.starts), iterates), prediction
