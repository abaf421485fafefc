"""What goes wrong with the vehicles of a simulation: `Faults`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import ParameterError
from pyrfly.protocol.bits import FaultKind, FaultySensor
from pyrfly.protocol.faults import refusal
from pyrfly.sim.fault_arguments import VALUES, Checked, actuator_bits, checked
from pyrfly.sim.fault_kinds import KINDS
from pyrfly.sim.group import Group
from pyrfly.sim.injection import ENDED_BY, Injection, injections
from pyrfly.sim.interface import PartInterface
from pyrfly.sim.present_faults import Fault, faults_of
from pyrfly.sim.selection import Selection
from pyrfly.vehicles.commands import Ids

__all__ = ["FAULTS", "Faults", "sensors_at_fault"]

Array = NDArray[np.float64]

FAULTS = 16
"""Faults of a vehicle at a time (csrc/parts/faults/columns.h)."""

_TOO_MANY = f"faults: expected at most {FAULTS} of a vehicle at a time"

_OF_A_FAULT = (
    *("fault_kind", "fault_items", "fault_source", "fault_start", "fault_rate"),
    *("fault_duration", "fault_ramp", "fault_strength"),
)
"""Settings of each fault."""

_OF_ACTUATORS, _OF_SENSORS = (
    [int(kind.number) for kind in KINDS.values() if kind.of == of] for of in ("actuator", "sensor")
)


class Faults(PartInterface):
    """Faults of the vehicles: `Sim.faults`.

    Each vehicle has up to 16 at a time, which are columns of the `Sim` (docs/faults.md). A reset
    lets them begin anew.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("hex_x", 2)
    >>> sim.faults.add("motor", ids=2, actuator=1, effectiveness=0.5, at=1.0)
    >>> sim.reset(pos=[0, 0, -20], hover=True)
    >>> sim.sleep(1.5)
    >>> sim.command_factor[:, 0].tolist()
    [1.0, 0.5]
    >>> sim.faults.clear()
    >>> sim.faults.list()
    ()
    """

    part = "faults"

    @property
    def period(self) -> float:
        """Time between updates of the faults [s]."""
        return self._access.fault_period

    def _on(self) -> dict[str, int]:
        kinds = self._select(None).read("fault_kind")
        return {name: int((kinds == kind.number).any(axis=1).sum()) for name, kind in KINDS.items()}

    def add(
        self,
        kind: str,
        *,
        ids: Ids = None,
        actuator: int | Sequence[int] | None = None,
        sensor: str | Sequence[str] | None = None,
        link: str | Sequence[str] | None = None,
        at: ArrayLike | None = None,
        rate: ArrayLike = 0.0,
        duration: ArrayLike | None = None,
        ramp: ArrayLike = 0.0,
        **values: ArrayLike,
    ) -> None:
        """Give vehicles a fault.

        Parameters
        ----------
        kind : str
            A name of `KINDS`.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        actuator : int or sequence of int, optional
            Actuators that have it, from 1 in the order of the commands; of faults of actuators.
        sensor : str or sequence of str, optional
            Sensors that have it: accelerometer, gyroscope, magnetometer, barometer, airspeed, gps,
            range; of faults of sensors.
        link : str or sequence of str, optional
            Links that have it: rc, station, setpoints, telemetry; of faults of links.
        at : array_like, shape (k,) or (), optional
            Simulated time at which it begins [s], not before the present; the present by default.
            In a vehicle that is reset it begins at that time after the reset, as events do.
        rate : array_like, shape (k,) or ()
            Probability per second that it begins, from ``at`` on, drawn with the seed and the time
            of the reset. 0: it begins at ``at``.
        duration : array_like, shape (k,) or (), optional
            Time that it lasts [s], its ramp included; for ever by default.
        ramp : array_like, shape (k,) or ()
            Time [s] in which it grows linearly from nothing.
        **values : array_like, shape (k,) or (), of vectors (k, 3) or (3,)
            What `KINDS` lists of the kind.

        Raises
        ------
        ParameterError
            A vehicle has no such actuator or sensor, runs the plain model, or has 16 faults.
        ShapeError, TypeError, ValueError
            An argument is unknown, missing, of another shape or out of its range. No vehicle gets
            a fault then.
        """
        chosen = self._distinct(ids)
        new = checked(
            chosen, kind, self._access.time(), actuator=actuator, sensor=sensor,
            link=link, at=at, rate=rate, duration=duration, ramp=ramp, **values,
        )  # fmt: skip
        self.enter(new, chosen)

    def enter(self, new: Checked, chosen: Selection, source: int = 0) -> None:
        """Give vehicles a fault that `checked` returned; ``source`` is what enters it."""
        if not len(chosen):
            return
        before = all(group.batch.has(self.part) for group, _, _ in chosen)
        places = _free_places(chosen) if before else np.zeros(len(chosen), np.intp)
        columns = {**new.columns, "fault_source": np.full(len(chosen), source)}

        def write() -> None:
            if not before:
                self._select(None).write("fault_runs", self._updates())
            columns["fault_onset"] = -self.epochs(chosen)
            self._put(chosen, places, columns, new.strength)

        self._change(write, self.part, *new.parts)

    def epochs(self, chosen: Selection) -> Array:
        """Return the simulated times from which the onsets of vehicles count, shape (k,) [s].

        They are those of their resets, 0 of vehicles that were not reset since they may have
        faults.
        """
        updates = self._updates() - chosen.read("fault_runs").astype(np.float64)
        return np.asarray(updates * self.period)

    def _updates(self) -> int:
        """Return the number of updates of the faults before the next one."""
        return ceil(self._access.time() / self.period - 1e-6)

    def _put(
        self,
        chosen: Selection,
        places: NDArray[np.intp],
        columns: Mapping[str, NDArray[Any]],
        strength: Array,
    ) -> None:
        """Write a fault of each vehicle into its place, to be drawn at the next update."""
        rows = np.arange(len(chosen))
        for name, values in columns.items():
            whole = chosen.read(name)
            whole[rows, places] = values
            chosen.write(name, whole)
        whole = chosen.read("fault_strength")
        for k in range(VALUES):
            whole[rows, VALUES * places + k] = strength[:, k]
        chosen.write("fault_strength", whole)
        drawn = chosen.read("faults_drawn")
        chosen.write("faults_drawn", drawn & ~(1 << places))
        chosen.write("fault_next", 0)

    def inject(
        self, ints: NDArray[Any], floats: NDArray[Any], *, ids: Ids = None
    ) -> tuple[str, ...]:
        """Give vehicles the faults of RflySim's inputs, by their numbers.

        A fault replaces the one that the same number injected before, unless it is the same, which
        goes on. docs/fault-reference.md lists the
        numbers and their parameters.

        Parameters
        ----------
        ints : ndarray of int, shape (k, 8)
            ``inSILInts``.
        floats : ndarray, shape (k, 20)
            ``inSILFloats``.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Returns
        -------
        tuple of str
            What is refused, and why; it changes nothing.
        """
        refused: list[str] = []
        for new in injections(self._distinct(ids), ints, floats):
            refused += self._injected(new)
        return tuple(dict.fromkeys(refused))

    def _injected(self, new: Injection) -> list[str]:
        """Inject a number into all vehicles that can have it; return what is refused."""
        try:
            self._inject(new)
        except (TypeError, ValueError) as error:
            if len(new.ids) == 1:
                return [refusal(new.number, str(error))]
            return [text for half in new.halves() for text in self._injected(half)]
        return []

    def _inject(self, new: Injection) -> None:
        """Inject a number into vehicles, where it is not the same as before, or all raise."""
        chosen, now = self._distinct(new.ids), self._access.time()
        faults = [checked(chosen, now=now, **table) for table in new.tables()]
        due = np.full(len(chosen), True)
        if self.enabled:
            sources = chosen.read("fault_source")
            due &= ~np.isin(sources, ENDED_BY.get(new.number, ())).any(axis=1)
            due &= ~_are_there(chosen, sources == new.number, faults)
        if due.any():
            ended = {new.number, *(k for k, others in ENDED_BY.items() if new.number in others)}
            due_faults = [fault.of(due) for fault in faults]
            self._replace(self._distinct(new.ids[due]), due_faults, new.number, ended=ended)

    def replace(
        self,
        ids: Ids,
        tables: Sequence[Mapping[str, Any]],
        source: int,
        *,
        ended: Collection[int],
        actuator: int | Sequence[int] | None = None,
    ) -> None:
        """Give vehicles faults in place of others: all of them, or none.

        Parameters
        ----------
        ids : int or sequence of int
            The vehicles.
        tables : sequence of mapping
            Arguments of `add`, without ``ids``.
        source : int
            Their ``fault_source``.
        ended : collection of int
            Sources of the faults that end.
        actuator : int or sequence of int, optional
            Actuators of which these end, as of `clear`.

        Raises
        ------
        ParameterError, ShapeError, TypeError, ValueError
            As of `add`. Nothing is changed then.
        """
        chosen, now = self._distinct(ids), self._access.time()
        new = [checked(chosen, now=now, **table) for table in tables]
        self._replace(chosen, new, source, ended=ended, actuator=actuator)

    def _replace(
        self,
        chosen: Selection,
        new: Sequence[Checked],
        source: int,
        *,
        ended: Collection[int],
        actuator: int | Sequence[int] | None = None,
    ) -> None:
        """Give vehicles checked faults; see `replace`."""
        if len(chosen) and self.enabled:
            removed, _ = _ended(chosen, ended, actuator)
            left = (chosen.read("fault_kind") != 0) & ~removed
            if (left.sum(axis=1) + len(new) > FAULTS).any():
                raise ParameterError(_TOO_MANY)
            self._clear(chosen, ended, actuator)
        for one in new:
            self.enter(one, chosen, source)

    def clear(
        self,
        ids: Ids = None,
        *,
        sources: Collection[int] | None = None,
        actuator: int | Sequence[int] | None = None,
    ) -> None:
        """Remove faults of vehicles; what they did ends with the next step.

        Parameters
        ----------
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.
        sources : collection of int, optional
            Values of ``fault_source``: what entered them, 0 for `add`, a number for `inject`. All
            faults by default.
        actuator : int or sequence of int, optional
            Actuators, from 1, that no longer have such faults, which others keep; faults that are
            not of actuators stay. By default all.
        """
        chosen = self._distinct(ids)
        if len(chosen) and self.enabled:
            self._clear(chosen, sources, actuator)

    def _clear(
        self,
        chosen: Selection,
        sources: Collection[int] | None,
        actuator: int | Sequence[int] | None,
    ) -> None:
        removed, items = _ended(chosen, sources, actuator)

        def write() -> None:
            chosen.write("fault_items", items)
            for name in _OF_A_FAULT:
                values = chosen.read(name)
                values[np.repeat(removed, values.shape[1] // FAULTS, axis=1)] = 0
                chosen.write(name, values)
            chosen.write("fault_next", 0)

        self._change(write)

    def list(self, ids: Ids = None) -> tuple[Fault, ...]:
        """Return the faults of vehicles, in the order of the vehicles."""
        chosen, found = self._select(ids), []
        if not len(chosen) or not self.enabled:
            return ()
        epochs = self.epochs(chosen)
        for group, row, place in chosen.vehicles():
            found += faults_of(group, row, float(epochs[place]))
        return tuple(found)


def sensors_at_fault(group: Group, row: int) -> FaultySensor:
    """Return the sensors of the vehicle in a row of a group of which a fault acts."""
    if not group.has("fault_kind"):
        return FaultySensor(0)
    acting = (group.view("fault_share")[row] > 0) & np.isin(
        group.view("fault_kind")[row], _OF_SENSORS
    )
    return FaultySensor(int(np.bitwise_or.reduce(group.view("fault_items")[row] * acting)))


def _ended(
    chosen: Selection,
    sources: Collection[int] | None,
    actuator: int | Sequence[int] | None,
) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Return which faults end, and the ``fault_items`` that the others keep, each (k, 16)."""
    found, items = chosen.read("fault_source"), chosen.read("fault_items")
    of = np.isin(found, found if sources is None else list(sources))
    if actuator is None:
        return of, items
    of &= np.isin(chosen.read("fault_kind"), _OF_ACTUATORS)
    left = np.where(of, items & ~np.uint32(actuator_bits(chosen, actuator)), items)
    return of & (left == 0), left


def _are_there(
    chosen: Selection, own: NDArray[np.bool_], faults: Sequence[Checked]
) -> NDArray[np.bool_]:
    """Return of which vehicles the faults in some places, (k, 16), are these, in their order."""
    kinds, items = chosen.read("fault_kind"), chosen.read("fault_items")
    strength = chosen.read("fault_strength").reshape(len(chosen), FAULTS, VALUES)
    there = np.asarray(own.sum(axis=1) == len(faults))
    rows, order = np.arange(len(chosen)), np.argsort(~own, axis=1, kind="stable")
    for place, fault in zip(order.T, faults, strict=False):
        there &= kinds[rows, place] == fault.columns["fault_kind"]
        there &= items[rows, place] == fault.columns["fault_items"]
        there &= (strength[rows, place] == fault.strength.astype(strength.dtype)).all(axis=1)
    return there


def _free_places(chosen: Selection) -> NDArray[np.intp]:
    """Return the first place of each vehicle that has no fault."""
    free = chosen.read("fault_kind") == FaultKind.NONE
    if not free.any(axis=1).all():
        raise ParameterError(_TOO_MANY)
    return np.asarray(free.argmax(axis=1))
