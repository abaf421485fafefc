"""Faults of vehicles as they are at present: `Fault`, `faults_of`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntFlag
from math import inf, nan
from typing import NamedTuple

import numpy as np

from pyrfly.protocol.bits import FaultyLink, FaultySensor
from pyrfly.sim.fault_arguments import VALUES
from pyrfly.sim.fault_kinds import KINDS, Kind
from pyrfly.sim.group import Group
from pyrfly.sim.interface import names_of

__all__ = ["Fault", "described_fault", "faults_of"]

Values = dict[str, float | tuple[float, ...]]


class Fault(NamedTuple):
    """A fault of a vehicle, as it is at present.

    Attributes
    ----------
    copter_id : int
        The vehicle.
    kind : str
        A name of `KINDS`.
    items : tuple of int or of str
        Actuators, from 1, sensors or links that it is of.
    values : mapping of str to float or tuple of float
        Its values.
    start : float
        Time at which it may begin [s]: simulated time at first, after a reset of the vehicle the
        time since then.
    onset : float
        Simulated time at which it begins [s], NaN before it is drawn, at the first step.
    rate : float
        Probability per second that it begins after ``start``; 0: it begins then.
    duration, ramp : float
        How long it lasts, infinity for ever; and how long it grows [s].
    share : float
        How much of it acts at present, 0 to 1.
    """

    copter_id: int
    kind: str
    items: tuple[int | str, ...]
    values: Mapping[str, float | tuple[float, ...]]
    start: float
    onset: float
    rate: float
    duration: float
    ramp: float
    share: float


def faults_of(group: Group, row: int, epoch: float) -> list[Fault]:
    """Return the faults of the vehicle in a row of a group, whose onsets count from a time [s]."""
    kinds = group.view("fault_kind")[row]
    return [_fault(group, row, k, epoch) for k in np.flatnonzero(kinds).tolist()]


def _fault(group: Group, row: int, k: int, epoch: float) -> Fault:
    def own(name: str) -> float:
        return float(group.view(name)[row, k])

    number, items = (int(group.view(name)[row, k]) for name in ("fault_kind", "fault_items"))
    strength = group.view("fault_strength")[row, VALUES * k : VALUES * (k + 1)].tolist()
    name, whose, values = described_fault(number, items, strength)
    drawn = int(group.view("faults_drawn")[row]) >> k & 1
    return Fault(
        copter_id=group.first_id + row,
        kind=name,
        items=whose,
        values=values,
        start=own("fault_start"),
        onset=epoch + own("fault_onset") if drawn else nan,
        rate=own("fault_rate"),
        duration=own("fault_duration") or inf,
        ramp=own("fault_ramp"),
        share=own("fault_share"),
    )


def described_fault(
    number: int, items: int, strength: Sequence[float]
) -> tuple[str, tuple[int | str, ...], Values]:
    """Return kind, items and values, as of a `Fault`, of what the columns have of one.

    Parameters
    ----------
    number, items : int
        Values of ``fault_kind`` and ``fault_items``.
    strength : sequence of 4 floats
        Values of ``fault_strength``.
    """
    name, kind = next((name, kind) for name, kind in KINDS.items() if kind.number == number)
    return name, _item_names(kind, items), _named_values(kind, strength)


_NAMED_ITEMS: Mapping[str, type[IntFlag]] = {"sensor": FaultySensor, "link": FaultyLink}


def _item_names(kind: Kind, bits: int) -> tuple[int | str, ...]:
    if kind.of in _NAMED_ITEMS:
        known = _NAMED_ITEMS[kind.of]
        return tuple(name for name in names_of(known) if bits & known[name.upper()])
    return tuple(k + 1 for k in range(bits.bit_length()) if bits >> k & 1)


def _named_values(kind: Kind, strength: Sequence[float]) -> Values:
    found: Values = {}
    first = 0
    for name, value in kind.values.items():
        own = tuple(strength[first : first + value.width])
        found[name] = own if value.width > 1 else own[0]
        first += value.width
    return found
