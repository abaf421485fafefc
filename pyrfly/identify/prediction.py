"""Candidates as lanes of one simulation: what each predicts along a flight, `Prediction`.

The flight is cut into segments. A lane is one candidate in one segment, so that all candidates fly
all segments at once. While a segment settles, the body is held to what was measured and the
actuators follow their commands; from its start on the states that are free follow from the model
alone, and the others are held to what was measured:

- equation error: no state is free; the angular acceleration at the measured state is integrated,
- output error: the angular velocity is free, or the whole motion.

Predicted are the specific force, the angular velocity, in free motion velocity and attitude, and
the state of the actuators that the log has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError
from pyrfly.frames.rotations import quaternion_product
from pyrfly.identify.flight import Flight
from pyrfly.sim import Sim
from pyrfly.vehicles import VehicleParameters
from pyrfly.vehicles.identifying import Parameter

__all__ = ["Prediction", "Segments", "segments_of"]

Array = NDArray[np.float64]

LONGEST_STEP = 0.004
"""Of the integrator [s]."""

ALOFT = -5000.0
"""Height [m, NED] at which candidates fly, clear of the ground."""

BODY = ("vel", "att", "rate")

MOST_LANES = 40_000
"""Of a simulation: what more candidates need is predicted in turns."""


class Segments(NamedTuple):
    """Parts of a flight.

    Attributes
    ----------
    starts : ndarray of int, shape (S,)
        First sample of each.
    length : int
        Samples of a segment.
    settling : int
        Samples before its start in which the actuators settle.
    """

    starts: NDArray[np.intp]
    length: int
    settling: int

    @property
    def rows(self) -> NDArray[np.intp]:
        """Samples of the segments, shape (S, length)."""
        return self.starts[:, None] + np.arange(self.length)


def segments_of(flight: Flight, length: float, settling: float) -> Segments:
    """Return as many segments one after the other as a flight has.

    Parameters
    ----------
    flight : Flight
        The flight.
    length, settling : float
        Of a segment [s].

    Raises
    ------
    ParameterError
        There are less than 4.
    """
    count = max(2, round(length / flight.interval))
    before = ceil(settling / flight.interval)
    good = np.concatenate([[0], np.cumsum(flight.flying)])
    starts, at = [], before
    while at + count <= len(flight):
        begin, end = at - before, at + count
        if good[end] - good[begin] == end - begin:
            starts.append(at)
            at += count
        else:
            at += 1
    if len(starts) < 4:
        raise ParameterError(
            f"log: expected at least {4 * length + settling:.1f} s of flight clear of the ground, "
            f"got {flight.flying.sum() * flight.interval:.1f} s"
        )
    return Segments(np.array(starts), count, before)


class Prediction:
    """What candidates predict along the segments of a flight.

    Parameters
    ----------
    base : VehicleParameters
        The set that candidates differ from.
    flight : Flight
        What was commanded and measured.
    segments : Segments
        Its parts.
    parameters : sequence of Parameter
        What the values of candidates are.
    free : sequence of str
        States of the body that are free, of ``vel``, ``att`` and ``rate``; none: equation error.
    """

    def __init__(
        self,
        base: VehicleParameters,
        flight: Flight,
        segments: Segments,
        parameters: Sequence[Parameter],
        free: Sequence[str],
    ) -> None:
        self.flight, self.segments = flight, segments
        self.parameters, self.free = tuple(parameters), tuple(free)
        self._base = base
        part = flight.interval / next(iter(flight.inputs.values())).shape[1]
        self._steps = ceil(part / LONGEST_STEP - 1e-9)
        self._dt = part / self._steps
        self._sims: dict[int, Sim] = {}
        shown = ["force", "rate", *(name for name in free if name != "rate"), *flight.actuators]
        self.channels: list[tuple[str, int]] = []
        for name in shown:
            width = flight.actuators[name].shape[1] if name in flight.actuators else 3
            self.channels += [(name, i) for i in range(width)]

    @property
    def errors(self) -> tuple[str, ...]:
        """States whose errors in a segment are estimated with it, three numbers each.

        Of free states they are those of the start; of the angular velocity of equation error that
        of its integral; of a velocity that is held to what was measured a constant one.
        """
        held = "vel" in self.flight.sources and "vel" not in self.free
        return (*(self.free or ("rate",)), *(("vel",) if held else ()))

    def residuals(self, values: Array, starts: Array) -> Array:
        """Return measured less predicted values.

        Parameters
        ----------
        values : ndarray, shape (c, p)
            Candidates.
        starts : ndarray, shape (c, S, q)
            Errors of measured states in segments, in the order of `errors`.

        Returns
        -------
        ndarray, shape (c, S, length, channels)
            NaN where a candidate leaves the flight envelope.
        """
        most = max(1, MOST_LANES // len(self.segments.starts))
        if len(values) <= most:
            return self._residuals(values, starts)
        parts = range(0, len(values), most)
        found = [self._residuals(values[i : i + most], starts[i : i + most]) for i in parts]
        return np.concatenate(found)

    def _residuals(self, values: Array, starts: Array) -> Array:
        c, s = len(values), len(self.segments.starts)
        sim = self._sim(c * s)
        biases = self._write(sim, values, s)
        errors = dict(zip(self.errors, np.split(starts, len(self.errors), axis=2), strict=True))
        errors = {name: values.reshape(c * s, 3) for name, values in errors.items()}
        shown = self._fly(sim, c, errors)
        rows = self.segments.rows
        found = np.empty((c, s, self.segments.length, len(self.channels)))
        at = 0
        for name, predicted in shown.items():
            width = predicted.shape[-1]
            predicted = predicted.reshape(len(predicted), c, s, -1).transpose(1, 2, 0, 3)
            if name == "force":
                predicted = predicted + biases[:, None, None]
            measured = getattr(self.flight, name, None)
            measured = self.flight.actuators[name] if measured is None else measured
            found[..., at : at + min(width, 3 if name == "att" else width)] = _lack(
                name, measured[rows], predicted
            )
            at += 3 if name == "att" else width
        if not self.free:  # the integral begins anywhere
            found[..., 3:6] += errors["rate"].reshape(c, s, 1, 3)
        failed = sim.status.reshape(c, s) != 0
        found[failed] = np.nan
        return found

    def _sim(self, lanes: int) -> Sim:
        """Return the simulation of some lanes, far from the ground."""
        if lanes not in self._sims:
            self._sims = {lanes: Sim(self._base, lanes, dt=self._dt)}
        sim = self._sims[lanes]
        sim.controllers = False
        sim.reset(pos=[0.0, 0.0, ALOFT])
        return sim

    def _write(self, sim: Sim, values: Array, repeats: int) -> Array:
        """Write columns of candidates; return the biases of the specific force, shape (c, 3)."""
        biases = np.zeros((len(values), 3))
        changed: dict[str, Array] = {}
        for parameter, own in zip(self.parameters, values.T, strict=True):
            change = parameter.change(own)
            if parameter.column == "force":
                biases += change
                continue
            if parameter.column not in changed:
                base = self._base.columns.get(parameter.column, np.zeros(len(parameter.weights)))
                changed[parameter.column] = np.tile(np.ravel(base), (len(values), 1))
            changed[parameter.column] += change
        for name, rows in changed.items():
            view = getattr(sim, name)
            view[...] = np.repeat(rows, repeats, axis=0).reshape(view.shape)
        return biases

    def _fly(self, sim: Sim, c: int, errors: Mapping[str, Array]) -> dict[str, Array]:
        """Fly all lanes along their segments; return what they show at each sample."""
        flight, segments = self.flight, self.segments
        names = ("force", "rate", *(n for n in self.free if n != "rate"), *flight.actuators)
        shown: dict[str, list[Array]] = {name: [] for name in names}
        self._settle_actuators(sim, c)
        integral = np.zeros((sim.n, 3))
        for j in range(-segments.settling, segments.length):
            rows = segments.starts + j
            self._hold(sim, rows, c, errors, at=j)
            if j >= 0:
                shown["force"].append(np.array(sim.specific_force))
                shown["rate"].append(np.array(sim.rate) if self.free else integral.copy())
                for name in names[2:]:
                    shown[name].append(np.array(getattr(sim, name)))
            if j + 1 < segments.length:
                held = errors if not self.free and j >= 0 else None
                integral += self._advance(sim, rows, c, held)
        return {name: np.stack(values) for name, values in shown.items()}

    def _settle_actuators(self, sim: Sim, c: int) -> None:
        """Begin with actuators as they were measured; of others with those at rest."""
        first = self.segments.starts - self.segments.settling
        for name, values in self.flight.actuators.items():
            getattr(sim, name)[...] = np.tile(values[first], (c, 1))

    def _hold(
        self,
        sim: Sim,
        rows: NDArray[np.intp],
        c: int,
        errors: Mapping[str, Array],
        *,
        at: int,
    ) -> None:
        """Write the measured states of the body, from the start on but those that are free."""
        for name in BODY:
            if at > 0 and name in self.free:
                continue
            values = np.tile(getattr(self.flight, name)[rows], (c, 1))
            if name in errors and (name == "vel" or (at == 0 and name in self.free)):
                turn = name == "att"
                values = turned_by(values, errors[name]) if turn else values + errors[name]
            getattr(sim, name)[...] = values
        if self.flight.wind is not None:
            sim.wind[...] = np.tile(self.flight.wind[rows], (c, 1))

    def _advance(
        self, sim: Sim, rows: NDArray[np.intp], c: int, held: Mapping[str, Array] | None
    ) -> Array:
        """Step to the next sample; return the angular acceleration times the interval.

        With errors of a body that is held to what was measured the actuators alone move.
        """
        inputs = self.flight.inputs
        parts = next(iter(inputs.values())).shape[1]
        gained = np.zeros((sim.n, 3))
        for part in range(parts):
            for name, values in inputs.items():
                view = getattr(sim, name)
                view[...] = np.tile(values[rows, part], (c, 1)).reshape(view.shape)
            if held is None:
                sim.step(self._steps)
                continue
            for _ in range(self._steps):
                before = np.array(sim.angular_accel)
                sim.step(1)
                self._hold(sim, rows, c, held, at=0)
                gained += self._dt / 2 * (before + np.array(sim.angular_accel))
        return gained


def turned_by(att: Array, vector: Array) -> Array:
    """Return attitudes (n, 4) turned by small rotation vectors (n, 3) [rad, FRD]."""
    turn = np.concatenate([np.ones((len(vector), 1)), vector / 2], axis=1)
    return quaternion_product(att, turn / np.linalg.norm(turn, axis=1, keepdims=True))


def _lack(name: str, measured: Array, predicted: Array) -> Array:
    """Return measured (s, l, w) less predicted (c, s, l, w) values; of attitudes the rotation."""
    if name != "att":
        return measured - predicted
    back = predicted * [1, -1, -1, -1]
    turn = quaternion_product(back, np.broadcast_to(measured, predicted.shape))
    return 2 * turn[..., 1:] * np.sign(turn[..., :1])
