"""Figures of a comparison: `figures_of`.

Those of the state and the sensors are the figures 10 to 15 of a paper on a Pixhawk in the loop
[@pixhawk-hil 4], which draws a simulated over a real flight; beside each are the difference and the
power spectral densities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.compare.comparison import Comparison, SignalComparison
from pyrfly.compare.groups import grouped
from pyrfly.files import readable
from pyrfly.log.figure_style import FLOWN, INK, SETPOINT, STYLE, WAYPOINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Titled", "figures_of"]

Array = NDArray[np.float64]

_MOST_ROWS = 4  # of a figure
_WIDTH, _ROW, _ABOVE = 11.0, 1.9, 0.6  # inches; the last one above the first row
_BINS = 500
"""Parts of a line, of which the lowest and the highest point are drawn: what a page can show."""

_BANDS = 150  # of a spectrum
_LONGEST = 50  # letters of a name in a legend
# the second is thin, so that the first is seen on both sides of it where they agree
_STYLE_A: dict[str, Any] = {"color": SETPOINT, "lw": 3.0, "alpha": 0.7}
_STYLE_B: dict[str, Any] = {"color": FLOWN, "lw": 0.8}
_SMALL = 1e-3
_BELOW = 1e-12  # of the largest density, under which a spectrum is rounding


class Titled(NamedTuple):
    """A figure and what it is of."""

    title: str
    figure: Figure


def figures_of(result: Comparison, height: float = 0.0) -> Iterator[Titled]:
    """Yield the figures of a comparison: the track, then the signals that move, by groups.

    Parameters
    ----------
    result : Comparison
        Of `pyrfly.compare.compare`.
    height : float
        Their minimum height, such as that of a page [inches].

    Yields
    ------
    Titled
        Not registered with pyplot.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        for column in ("pos", "gps_pos"):
            found = [result.signals.get(f"{column}_{axis}") for axis in ("north", "east", "down")]
            track = [one for one in found if one is not None and one.samples]
            if len(track) == 3 and any(map(_moves, track[:2])):
                figure = Figure(figsize=(_WIDTH, max(height, 4.6)), layout="constrained")
                _draw_track(figure, track)
                _draw_legend(figure, result, "outside upper right")
                yield Titled("Track", figure)
                break
    for title, everything in grouped(result):
        signals = [one for one in everything if _moves(one)]
        for first in range(0, len(signals), _MOST_ROWS):
            part = signals[first : first + _MOST_ROWS]
            with matplotlib.rc_context(STYLE):
                rows = Figure(figsize=(_WIDTH, max(height, _ABOVE + _ROW * len(part))))
                _draw_signals(rows, part)
                _draw_legend(rows, result, "upper right")
            yield Titled(title, rows)


def _moves(one: SignalComparison) -> bool:
    """Return whether there is something to see: not if both are constant."""
    return any(np.nanmin(values) < np.nanmax(values) for values in (one.a, one.b))


def _draw_track(figure: Figure, track: Sequence[SignalComparison]) -> None:
    """Draw the positions from above, and the height over time."""
    north, east, down = track
    above, height = figure.subplots(1, 2, width_ratios=(1, 1.2))
    above.set_title("From above")
    above.set_xlabel("east [m]")
    above.set_ylabel("north [m]")
    above.set_aspect("equal", adjustable="datalim")
    above.plot(east.a, north.a, **_STYLE_A)
    above.plot(east.b, north.b, **_STYLE_B)
    known = np.flatnonzero(np.isfinite(north.a) & np.isfinite(east.a))
    above.plot(east.a[known[0]], north.a[known[0]], "o", color=INK, mfc="none", label="start")
    above.legend()
    height.set_title("Height [m]")
    height.set_xlabel("time [s]")
    _line(height, down.time, -down.a, **_STYLE_A)
    _line(height, down.time, -down.b, **_STYLE_B)


def _draw_legend(
    figure: Figure, result: Comparison, place: Literal["upper right", "outside upper right"]
) -> None:
    """Write the names of the flights beside their lines."""
    from matplotlib.lines import Line2D

    lines = [Line2D([], [], **style) for style in (_STYLE_A, _STYLE_B)]
    names = [_shortened(readable(name)) for name in (result.a, result.b)]
    for text in figure.legend(lines, names, loc=place, ncols=2).get_texts():
        text.set_parse_math(False)


def _shortened(name: str) -> str:
    """Return a name that fits beside another one: its end tells more."""
    return name if len(name) <= _LONGEST else f"...{name[3 - _LONGEST :]}"


def _draw_signals(figure: Figure, signals: Sequence[SignalComparison]) -> None:
    """Draw signals, a row each: both, their difference, their spectra."""
    # where panels are is known, which takes a third of the time of a layout
    height = figure.get_figheight()
    bottom = 1.0 - (_ABOVE + _ROW * len(signals) - 0.45) / height
    place = {"left": 0.06, "right": 0.99, "bottom": bottom, "top": 1.0 - _ABOVE / height}
    grid = {**place, "wspace": 0.22, "hspace": 0.5, "width_ratios": (2.1, 1.2, 1)}
    axes = figure.subplots(len(signals), 3, squeeze=False, gridspec_kw=grid)
    for (both, difference, spectrum), one in zip(axes, signals, strict=True):
        factor, unit = _shown_unit(one)
        r = f"{one.r:.4f}" if np.isfinite(one.r) else "-"
        both.set_title(f"{one.name}{f' [{unit}]' if unit else ''}, r = {r}", parse_math=False)
        _line(both, one.time, factor * one.a, **_STYLE_A)
        _line(both, one.time, factor * one.b, **_STYLE_B)
        difference.set_title(f"Difference, rms {factor * one.rms:.3g} {unit}", parse_math=False)
        _line(difference, one.time, factor * one.difference, color=WAYPOINT, lw=1.0)
        _draw_spectrum(spectrum, one, factor, unit)
        for panel in (both, difference):
            panel.sharex(axes[0, 0])
        for panel in (both, difference, spectrum):
            panel.tick_params(labelsize=8)
    for panel, label in zip(axes[-1], ("time [s]", "time [s]", "Hz"), strict=True):
        panel.set_xlabel(label)


def _shown_unit(one: SignalComparison) -> tuple[float, str]:
    """Return a factor and the unit of what is drawn: millionths of what is very small."""
    plain = "" if one.unit == "1" else one.unit.replace("^2", "²")
    largest = max((float(np.nanmax(np.abs(x))) for x in (one.a, one.b)), default=0.0)
    return (1e6, f"µ{plain}") if plain and 0.0 < largest < _SMALL else (1.0, plain)


def _draw_spectrum(axes: Axes, one: SignalComparison, factor: float, unit: str) -> None:
    squared = f"({unit})²" if "/" in unit else f"{unit}²"
    axes.set_title(f"Density [{f'{squared}/Hz' if unit else '1/Hz'}]", parse_math=False)
    spectrum = one.spectrum()
    largest = max((float(np.max(x)) for x in (spectrum.a, spectrum.b) if x.size), default=0.0)
    if not largest > 0.0:
        axes.text(0.5, 0.5, "none", transform=axes.transAxes, ha="center", color=INK)
        return
    for density, style in ((spectrum.a, _STYLE_A), (spectrum.b, _STYLE_B)):
        frequency, shown = _averaged(spectrum.frequency[1:], factor**2 * density[1:])
        axes.loglog(
            frequency, np.where(shown > _BELOW * factor**2 * largest, shown, np.nan), **style
        )
    # whole decades: each has a label, and none between them is so long that it overlaps
    for axis in (axes.xaxis, axes.yaxis):
        low, high = np.log10(axis.get_view_interval())
        axis.set_view_interval(10.0 ** np.floor(low), 10.0 ** np.ceil(high), ignore=True)
        axis.set_minor_formatter("")


def _averaged(frequency: Array, density: Array) -> tuple[Array, Array]:
    """Return a density at frequencies that are even on a logarithmic scale: means between them."""
    edges = np.geomspace(frequency[0], frequency[-1] * (1 + 1e-9), _BANDS + 1)
    first = np.unique(np.searchsorted(frequency, edges[:-1]))
    counts = np.diff(np.append(first, frequency.size))
    return (
        np.add.reduceat(frequency, first) / counts,
        np.add.reduceat(density, first) / counts,
    )


def _line(axes: Axes, time: Array, values: Array, **style: Any) -> None:
    """Draw a line with as many points as can be told apart; none where values are not known."""
    if time.size > 2 * _BINS:
        time, values = _thinned(time, values)
    axes.plot(time, values, **style)


def _thinned(time: Array, values: Array) -> tuple[Array, Array]:
    """Return the lowest and the highest point of each part of a line, in the order of time."""
    edges = np.linspace(0, time.size, _BINS + 1).astype(int)
    kept = []
    for first, last in pairwise(edges.tolist()):
        part = values[first:last]
        if not np.isfinite(part).any():
            kept.append([first])
            continue
        kept.append(sorted({first + int(np.nanargmin(part)), first + int(np.nanargmax(part))}))
    chosen = np.concatenate([np.asarray(part) for part in kept])
    return time[chosen], values[chosen]
