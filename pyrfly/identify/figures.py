"""Pictures of an identification: residuals, their colour, and the estimates: `figures_of`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pyrfly.identify.identification import Identification
from pyrfly.identify.search import NORMAL_95
from pyrfly.log.figure_style import FLOWN, INK, SETPOINT, STYLE, WAYPOINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["figures_of"]

Array = NDArray[np.float64]

TITLES = {
    "force": ("Specific force", "m/s$^2$"),
    "rate": ("Angular velocity", "rad/s"),
    "vel": ("Velocity", "m/s"),
    "att": ("Attitude, as a rotation", "rad"),
}
"""Titles and units of signals; others are speeds and angles of actuators."""

AXES = {"vel": ("north", "east", "down")}  # of signals that are not in body axes
SHOWN = 8.0  # s of the flight, from its middle, in pictures of signals
LAG = 1.0  # s of the autocorrelation


def figures_of(found: Identification) -> dict[str, Figure]:
    """Return the pictures by title.

    Parameters
    ----------
    found : Identification
        The result.

    Returns
    -------
    dict of str to matplotlib.figure.Figure
        The estimates over the values of the set; for each signal measured and predicted values and
        the autocorrelation of the residual, which is that of white noise where the model lacks
        nothing.
    """
    import matplotlib

    with matplotlib.rc_context(STYLE):
        figures = {"Estimates": _estimates(found)}
        for name in found.residuals:
            figures[_title(name)[0]] = _signal(found, name)
    return figures


def _title(name: str) -> tuple[str, str]:
    return TITLES.get(name, (name.replace("_", " ").capitalize(), ""))


def _figure(rows: int, columns: int, height: float) -> tuple[Figure, NDArray[np.object_]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, height), layout="constrained")
    widths = [3, 1] if columns == 2 else [1]
    return figure, figure.subplots(rows, columns, squeeze=False, width_ratios=widths)


def _estimates(found: Identification) -> Figure:
    """Draw how far each estimate is from the value of the set, in percent of it."""
    ones = [one for one in found.estimates.values() if one.identified and one.start]
    figure, axes = _figure(1, 1, 0.6 + 0.27 * max(3, len(ones)))
    axis: Axes = axes[0, 0]
    for i, one in enumerate(ones):
        change = 100 * (one.value / one.start - 1)
        half = 100 * NORMAL_95 * one.deviation / abs(one.start)
        axis.errorbar(change, i, xerr=half, fmt="o", color=FLOWN, ms=4, capsize=3)
    axis.axvline(0, color=SETPOINT, lw=1)
    axis.set_yticks(range(len(ones)), [one.name for one in ones])
    axis.set_ylim(max(3, len(ones)) - 0.5, -0.5)
    axis.set_xlabel("estimate less the value of the first set [% of it], and the interval of 95 %")
    return figure


def _signal(found: Identification, name: str) -> Figure:
    """Draw measured and predicted values, and the autocorrelation of the residual, by axis."""
    left = found.residuals[name]
    width = left.shape[2]
    names = AXES.get(name, ("x", "y", "z")) if width == 3 else tuple(map(str, range(1, width + 1)))
    figure, axes = _figure(width, 2, 1.0 + 1.6 * width)
    unit = _title(name)[1]
    for i in range(width):
        axis: Axes = axes[i, 0]
        _over_time(axis, found, name, i)
        axis.set_ylabel(f"{names[i]} [{unit}]" if unit else names[i])
        _colour(axes[i, 1], left[:, :, i], found.flight.interval)
    axes[0, 0].legend(ncols=3, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    axes[0, 1].set_title("autocorrelation of the residual")
    axes[-1, 0].set_xlabel("time [s]")
    axes[-1, 1].set_xlabel("lag [s]")
    return figure


def _over_time(axis: Axes, found: Identification, name: str, i: int) -> None:
    times, left = found.times, found.residuals[name][:, :, i]
    middle = times[len(times) // 2, 0]
    chosen = np.abs(times[:, 0] - middle) <= SHOWN / 2
    gap = np.full((chosen.sum(), 1), np.nan)  # between segments
    t = np.hstack([times[chosen], gap]).ravel()
    residual = np.hstack([left[chosen], gap]).ravel()
    measured = found.measured(name)
    if measured is not None:
        shown = np.hstack([measured[:, :, i][chosen], gap]).ravel()
        axis.plot(t, shown, color=SETPOINT, lw=1.6, label="measured")
        axis.plot(t, shown - residual, color=FLOWN, lw=0.9, label="predicted")
    axis.plot(t, residual, color=WAYPOINT, lw=0.7, label="residual")


def _colour(axis: Axes, left: Array, interval: float) -> None:
    """Draw the mean autocorrelation of segments."""
    lags = min(round(LAG / interval), left.shape[1] - 1)
    centred = left - left.mean()
    power = np.mean(np.square(centred))
    found = [1.0] + [
        float(np.mean(centred[:, k:] * centred[:, :-k]) / power) if power > 0 else 0.0
        for k in range(1, lags + 1)
    ]
    axis.plot(interval * np.arange(lags + 1), found, color=INK, lw=1.0)
    axis.set_ylim(-1.05, 1.05)
