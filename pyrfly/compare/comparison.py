"""Two flights, signal by signal: `compare`."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyrfly.arrays import one_number
from pyrfly.compare.alignment import Alignment, align
from pyrfly.compare.names import names_of
from pyrfly.compare.resampling import rate_of, resampled, valid_samples
from pyrfly.compare.signals import LARGEST, Signal, signals_of
from pyrfly.compare.statistics import Spectrum, correlation, rms, spectrum_of, within_a_turn
from pyrfly.errors import brief, near_names
from pyrfly.files import readable
from pyrfly.log import FlightData, Log, read_flight_data, series_of_log

__all__ = ["Comparison", "Flight", "SignalComparison", "compare"]

Array = NDArray[np.float64]

Flight: TypeAlias = "str | os.PathLike[str] | Log | FlightData | Sequence[Log]"
"""What can be compared: a file, a log, columns at times of their own, or logs of one flight."""

_MOST_SIGNALS = 300
_MOST_SAMPLES, _FOR_EACH = 20_000, 100
"""Samples that any signal may have at the common rate, and how many more for each of its own: a few
samples ages apart would take all memory."""


@dataclass(frozen=True, eq=False, repr=False)
class SignalComparison:
    """A signal of two flights at common times.

    Attributes
    ----------
    name, column, unit : str
        The signal, the column that it is of, and its unit.
    rate : float
        Common rate [Hz]: the lower one of both.
    time : ndarray, shape (N,)
        Times of the first flight [s].
    a, b : ndarray, shape (N,)
        The signal in both, NaN where it is not known; the second shifted in time.
    difference : ndarray, shape (N,)
        The second minus the first; of angles the smaller one of both ways around, at most half a
        turn.
    samples : int
        Times at which both are known.
    rms, maximum, mean : float
        Root mean square, largest magnitude and mean of the difference; NaN without samples.
    r : float
        Pearson's correlation coefficient [@pixhawk-hil 4]; NaN where one of both is constant but
        for rounding. Of angles of a full circle that of angles within one turn: turns that both
        flights make together would bring it to 1, however much the headings differ.
    """

    name: str
    column: str
    unit: str
    rate: float
    time: Array
    a: Array
    b: Array
    difference: Array
    samples: int
    rms: float
    maximum: float
    mean: float
    r: float

    def __repr__(self) -> str:
        return f"<{self.name}: rms {self.rms:.4g} {self.unit}, r {self.r:.4f}>"

    def spectrum(self) -> Spectrum:
        """Return the power spectral densities of both and their coherence."""
        return spectrum_of(self.a, self.b, self.rate)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Result of `compare`.

    Attributes
    ----------
    a, b : str
        What the flights are called.
    signals : dict of str to SignalComparison
        By name, such as ``"roll"`` or ``"pos_north"``.
    alignment : Alignment
        The shift in time, and the signal that told it.
    only_a, only_b : tuple of str
        Signals that only one of the flights has.
    notes : tuple of str
        What is to be said of it, such as that no signal told a shift.
    """

    a: str
    b: str
    signals: dict[str, SignalComparison]
    alignment: Alignment
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.signals)} signals, shift {self.shift:.4g} s>"

    @property
    def shift(self) -> float:
        """Time by which the second flight is later [s]."""
        return self.alignment.shift

    @property
    def rms(self) -> dict[str, float]:
        """Root mean square of the difference, by signal."""
        return {name: one.rms for name, one in self.signals.items()}

    @property
    def maximum(self) -> dict[str, float]:
        """Largest magnitude of the difference, by signal."""
        return {name: one.maximum for name, one in self.signals.items()}

    @property
    def r(self) -> dict[str, float]:
        """Pearson's correlation coefficient, by signal."""
        return {name: one.r for name, one in self.signals.items()}

    @property
    def spectra(self) -> dict[str, Spectrum]:
        """Power spectral densities, by signal; computed when they are asked for."""
        return {name: one.spectrum() for name, one in self.signals.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as what JSON can hold: None in place of NaN."""
        figures = ("rms", "maximum", "mean", "r", "rate")
        return {
            "a": self.a,
            "b": self.b,
            "shift": _finite(self.shift),
            "shift_error": _finite(self.alignment.error),
            "aligned_by": self.alignment.signal,
            "signals": {
                name: {
                    "unit": one.unit,
                    **{figure: _finite(getattr(one, figure)) for figure in figures},
                    "samples": one.samples,
                }
                for name, one in self.signals.items()
            },
            "only_a": list(self.only_a),
            "only_b": list(self.only_b),
            "notes": list(self.notes),
        }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def compare(
    a: Flight,
    b: Flight,
    *,
    signals: Iterable[str] | None = None,
    align_by: str | bool = True,
    shift: float | None = None,
    max_shift: float = math.inf,
    rate: float = math.inf,
    span: tuple[float, float] = (-math.inf, math.inf),
    relative: bool = False,
    copter_id: int | None = None,
    copter_id_b: int | None = None,
    names: tuple[str, str] | None = None,
) -> Comparison:
    """Compare two flights, such as a simulated and a real one, signal by signal.

    Each signal is resampled at the lower one of its two rates, without aliasing, and only where
    both flights have it. Units and frames are those of the simulation, but attitudes are roll,
    pitch and yaw [deg]; positions of the second flight are in the local frame of the first, if the
    origins of both are known.

    Parameters
    ----------
    a, b : path, Log, FlightData or sequence of Log
        The flights; of a path what `pyrfly.log.read_flight_data` reads. Several logs are of one
        flight, such as one of `pyrfly.log.Recorder` and those of a `pyrfly.log.SensorRecorder`.
    signals : iterable of str, optional
        Signals to compare; by default all that both have and that are no whole numbers.
    align_by : str or bool
        The signal that tells the shift in time; True: the best one; False: no shift.
    shift : float, optional
        A known shift: time by which ``b`` is later [s].
    max_shift : float
        Maximum of the shift that is looked for [s].
    rate : float
        Maximum of the common rate [Hz].
    span : tuple of 2 floats
        First and last time of ``a`` [s].
    relative : bool
        Whether positions are those from the first common sample on, as of flights that begin at
        different places.
    copter_id, copter_id_b : int, optional
        Vehicles; by default the first of the log, and of the second flight ``copter_id``.
    names : tuple of 2 str, optional
        What the flights are called; by default the names of their files, with the folders that
        tell them apart. Vehicles of one log have their number, too.

    Returns
    -------
    Comparison
        The figures by signal.

    Raises
    ------
    ValueError
        The flights have no signal in common, or none at common times; a signal does not exist, or
        does not tell a shift; a vehicle does not exist; a file is none that can be read.
    OSError
        A file cannot be read.
    MissingExtraError
        What reads a file is not installed.

    Examples
    --------
    >>> import pyrfly
    >>> from pyrfly.log import Recorder
    >>> from pyrfly.compare import compare
    >>> def fall(wind):
    ...     sim = pyrfly.Sim("x450")
    ...     sim.reset(pos=[0, 0, -50])
    ...     sim.wind = wind
    ...     recorder = Recorder(sim)
    ...     sim.run(1.0, record=recorder)
    ...     return recorder.log()
    >>> result = compare(fall([0, 0, 0]), fall([5, 0, 0]), align_by=False)
    >>> result.rms["pos_down"] < result.rms["pos_north"] < 1
    True
    """
    rate = _above_zero("rate", rate)
    max_shift = _above_zero("max_shift", max_shift)
    if np.shape(span) != (2,) or not span[0] < span[1]:
        raise ValueError(f"span: expected a begin before an end [s], got {brief(span)}")
    other = copter_id if copter_id_b is None else copter_id_b
    first, second = _flight("a", a, copter_id), _flight("b", b, other)
    found_a = signals_of(first, first.origin)
    found_b = signals_of(second, first.origin)
    chosen = _chosen(found_a, found_b, signals)
    alignment, notes = _alignment(found_a, found_b, chosen, align_by, shift, max_shift)
    compared = {
        name: _compared(found_a[name], found_b[name], alignment.shift, rate, span, relative)
        for name in chosen
    }
    if not any(one.samples for one in compared.values()):
        raise ValueError(_apart(found_a, found_b, chosen, alignment, span))
    called_a, called_b = names or _names(a, b, first, second)
    return Comparison(
        called_a,
        called_b,
        compared,
        alignment,
        tuple(name for name in found_a if name not in found_b),
        tuple(name for name in found_b if name not in found_a),
        notes,
    )


def _names(a: Flight, b: Flight, first: FlightData, second: FlightData) -> tuple[str, str]:
    called_a, called_b = first.name or "a", second.name or "b"
    if isinstance(a, (str, os.PathLike)) and isinstance(b, (str, os.PathLike)):
        called_a, called_b = names_of(a, b)
    if called_a == called_b and first.copter_id != second.copter_id:
        return f"{called_a}, vehicle {first.copter_id}", f"{called_b}, vehicle {second.copter_id}"
    return called_a, called_b


def _above_zero(name: str, value: float) -> float:
    number = one_number(name, value, "") if value != math.inf else math.inf
    if not number > 0.0:
        raise ValueError(f"{name}: expected a number above 0, got {brief(value)}")
    return number


def _flight(name: str, given: Flight, copter_id: int | None) -> FlightData:
    """Return the columns of a vehicle of what the caller gave."""
    if isinstance(given, FlightData):
        if copter_id not in (None, given.copter_id):
            raise ValueError(
                f"copter_id: expected {given.copter_id}, the only vehicle of {name}, got "
                f"{copter_id}"
            )
        return given
    if isinstance(given, Log):
        return series_of_log(given, copter_id)
    if isinstance(given, (str, os.PathLike)):
        return read_flight_data(given, copter_id)
    logs = [log for log in given if isinstance(log, Log)] if isinstance(given, Sequence) else []
    if not logs or len(logs) < len(given):
        raise TypeError(f"{name}: expected a path, a Log, FlightData or logs, got {brief(given)}")
    first, *others = (series_of_log(log, copter_id) for log in logs)
    for other in others:
        first = first.joined(other)
    return first


def _chosen(
    a: Mapping[str, Signal], b: Mapping[str, Signal], names: Iterable[str] | None
) -> list[str]:
    """Return the names of the signals to compare."""
    if names is None:
        common = [name for name in a if name in b and not (a[name].whole or b[name].whole)]
        if not common:
            raise ValueError(
                f"signals: expected some in common, got {_listed(a)} in the first flight and "
                f"{_listed(b)} in the second"
            )
        if len(common) > _MOST_SIGNALS:
            raise ValueError(
                f"signals: expected the names of at most {_MOST_SIGNALS}, got {len(common)} in "
                "common"
            )
        return common
    chosen = [names] if isinstance(names, str) else list(dict.fromkeys(names))
    for name in chosen:
        for which, flight in (("first", a), ("second", b)):
            if name not in flight:
                raise ValueError(
                    f"signals: expected some of both flights, got {brief(name)}, which the "
                    f"{which} does not have; try {near_names(str(name), flight)}"
                )
    if not chosen:
        raise ValueError("signals: expected at least one, got none")
    return chosen


def _listed(signals: Mapping[str, Signal]) -> str:
    return readable(shorten(", ".join(signals), 200, placeholder=" ...")) or "none"


def _alignment(
    a: Mapping[str, Signal],
    b: Mapping[str, Signal],
    names: Sequence[str],
    align_by: str | bool,
    shift: float | None,
    max_shift: float,
) -> tuple[Alignment, tuple[str, ...]]:
    """Return the shift, and what is to be said of it."""
    if shift is not None:
        return Alignment(one_number("shift", shift, "s")), ()
    if align_by is False:
        return Alignment(0.0), ()
    if isinstance(align_by, str):
        chosen = _chosen(a, b, [align_by])
        found = align({name: a[name] for name in chosen}, b, max_shift)
        if found is None:
            raise ValueError(
                f"align_by: expected a signal that is alike in both flights, got {align_by!r}: "
                "it has no correlation of 0.5 or more that falls on both sides"
            )
        return found, ()
    moving = {name: a[name] for name in names if not a[name].whole}
    found = align(moving, b, max_shift)
    if found is None:
        note = "not shifted: no signal has a correlation of 0.5 or more that falls on both sides"
        return Alignment(0.0), (note,)
    return found, ()


def _compared(
    a: Signal,
    b: Signal,
    shift: float,
    rate: float,
    span: tuple[float, float],
    relative: bool,
) -> SignalComparison:
    (time_a, x), (time_b, y) = valid_samples(a.time, a.values), valid_samples(b.time, b.values)
    time_b = time_b - shift
    rate = min(rate, rate_of(time_a), rate_of(time_b))
    time = _common_times(a.name, time_a, time_b, rate, span)
    x, y = _at_times(a, time_a, x, time, rate), _at_times(b, time_b, y, time, rate)
    both = np.isfinite(x) & np.isfinite(y)
    if relative and a.position and both.any():
        begin = int(np.argmax(both))
        x, y = x - x[begin], y - y[begin]
    difference = y - x
    if a.turn:
        # one angle is one, whichever way around each flight came to it
        difference = difference - a.turn * np.round(difference / a.turn)
        y = np.where(both, x + difference, y)
        angle = within_a_turn(x[both], a.turn)
        r = correlation(angle, angle + difference[both])
    else:
        r = correlation(x, y, max(a.scale, b.scale))
    known = difference[both]
    return SignalComparison(
        a.name,
        a.column,
        a.unit,
        rate,
        time,
        x,
        y,
        difference,
        int(known.size),
        rms(known),
        float(np.abs(known).max()) if known.size else math.nan,
        float(known.mean()) if known.size else math.nan,
        r,
    )


def _common_times(name: str, a: Array, b: Array, rate: float, span: tuple[float, float]) -> Array:
    """Return even times at which both may be known, from a sample of the first on."""
    if not rate > 0.0:
        return np.empty(0)
    first, last = max(a[0], b[0], span[0]), min(a[-1], b[-1], span[1])
    # by rounding only, the last of both may be earlier than it was written
    tolerance = 1e-6 / rate
    begin = np.searchsorted(a, first - tolerance)
    if begin == a.size or a[begin] > last + tolerance:
        return np.empty(0)
    count = (last - a[begin]) * rate + 1.0 + 1e-6
    most = _MOST_SAMPLES + _FOR_EACH * min(a.size, b.size)
    if count > most:
        raise ValueError(
            f"rate: expected one at which {name} has at most {most} samples from {a[begin]:g} to "
            f"{last:g} s, or a shorter span, got {rate:g} Hz"
        )
    return np.asarray(a[begin] + np.arange(int(count)) / rate)


def _at_times(signal: Signal, time: Array, values: Array, at: Array, rate: float) -> Array:
    if not signal.whole:
        return resampled(time, values, at, rate)
    last = (
        np.searchsorted(time, at + 1e-6 / rate, side="right") - 1 if at.size else np.empty(0, int)
    )
    return np.asarray(np.where(last >= 0, values[np.maximum(last, 0)], np.nan))


def _apart(
    a: Mapping[str, Signal],
    b: Mapping[str, Signal],
    names: Sequence[str],
    alignment: Alignment,
    span: tuple[float, float],
) -> str:
    """Return the message for flights without a time in common."""
    spans = []
    for signals, shift in ((a, 0.0), (b, alignment.shift)):
        chosen = [signals[name] for name in names]
        times = [valid_samples(one.time, one.values)[0] for one in chosen]
        times = [time for time in times if time.size]
        if times:
            first, last = min(t[0] for t in times) - shift, max(t[-1] for t in times) - shift
            spans.append(f"{first:g} to {last:g} s")
        else:
            listed = _listed({name: signals[name] for name in names})
            spans.append(f"no number up to {LARGEST:g} in {listed}")
    within = "" if span == (-math.inf, math.inf) else f" within {span[0]:g} to {span[1]:g} s"
    return (
        f"flights: expected signals that both have at common times{within}, got {spans[0]} and "
        f"{spans[1]}; align them by a signal, or give the shift"
    )
