"""What happened on a flight besides its columns, as entries of the metadata of a log.

``parameters`` : object
    PX4's parameters of the vehicles when the recording began, by name; by the CopterID, as a text,
    from which on vehicles have them.
``modes`` : list of [time, CopterID, nav_state]
    Changes of the flight mode: simulated time [s], and a `pyrfly.mavlink.modes.NavState`. Without,
    a program flew the vehicle while it was armed: OFFBOARD.
``texts`` : list of [time, CopterID, severity, text]
    What vehicles said: time [s], MAV_SEVERITY.

``faults`` : list of objects
    Begins and ends of faults (`pyrfly.log.fault_notes`).

``crossings`` : list of [time, CopterID, severity, text]
    First crossings of safety boundaries, likewise.

``end`` : str
    Why the run has ended before its time.

A ULog file shows them as PX4's own do. All of it may come from an untrusted file, so it is checked
where it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief
from pyrfly.log.fault_notes import FAULTS, fault_text
from pyrfly.log.log import Log
from pyrfly.mavlink.constants import Severity
from pyrfly.mavlink.modes import NavState
from pyrfly.mission import FlightResult
from pyrfly.sim import Sim
from pyrfly.sim.boundaries import Crossing, crossing_text
from pyrfly.sim.px4_identity import px4_values

__all__ = [
    "MODES",
    "PARAMETERS",
    "TEXTS",
    "crossing_notes",
    "initial_parameters",
    "nav_states",
    "notes_of_flights",
    "parameters_of",
    "texts_of",
]

PARAMETERS, MODES, TEXTS, CROSSINGS = "parameters", "modes", "texts", "crossings"

_INT32 = 2**31
_MAX_REAL = float(np.finfo(np.float32).max)
_LONGEST = 16  # characters of the name of a parameter
_SEVERITIES = 8
_LONGEST_TIME = 1e12  # s


def initial_parameters(sim: Sim) -> dict[str, dict[str, float]]:
    """Return ``parameters`` of the vehicles of a simulation: of each group those of its first."""
    return {str(group.first_id): px4_values(group) for group in sim.groups}


def notes_of_flights(flights: Mapping[int, FlightResult], begin: float) -> dict[str, Any]:
    """Return ``modes`` and ``texts`` of missions by CopterID that began at a time [s]."""
    modes, texts = [], []
    for copter_id, flight in flights.items():
        modes += [[begin + time, copter_id, int(mode)] for time, mode in flight.modes]
        for breach in flight.breaches:
            text = f"Geofence breach: {breach.what}"
            texts.append([begin + breach.time, copter_id, int(Severity.WARNING), text])
        for low in flight.low_battery:
            text = f"Battery below {100 * low.charge:g} %: {low.action}"
            texts.append([begin + low.time, copter_id, int(Severity.WARNING), text])
        level = Severity.INFO if flight.completed else Severity.CRITICAL
        text = f"Mission {'finished' if flight.completed else 'ended'}: {flight.reason}"
        texts.append([begin + flight.time, copter_id, int(level), text])
    return {MODES: modes, TEXTS: texts}


def crossing_notes(sim: Sim, ids: NDArray[np.int64]) -> dict[str, Any]:
    """Return ``crossings`` of vehicles since their resets, nothing if there are none."""
    rows = [
        [one.time, one.copter_id, int(Severity.WARNING), _crossed(one)]
        for one in sim.safety.crossings(ids)
    ]
    return {CROSSINGS: rows} if rows else {}


def _crossed(crossing: Crossing) -> str:
    return f"Boundary crossed: {crossing_text(crossing)}: {crossing.action}"


def parameters_of(log: Log, copter_id: int) -> dict[str, float]:
    """Return PX4's parameters of a vehicle by name, whole numbers for INT32; {} if unknown.

    Raises
    ------
    ValueError
        The metadata are not as described above.
    """
    known = log.metadata.get(PARAMETERS, {})
    if not isinstance(known, dict) or not all(str(key).isdecimal() for key in known):
        raise ValueError(f"{PARAMETERS}: expected an object by CopterID, got {brief(known)}")
    first = max((int(key) for key in known if int(key) <= copter_id), default=None)
    values = {} if first is None else known[str(first)]
    if not isinstance(values, dict) or not all(map(_is_parameter, values.items())):
        raise ValueError(f"{PARAMETERS}: expected numbers by name, got {brief(values)}")
    return values


def _is_parameter(pair: tuple[Any, Any]) -> bool:
    name, value = pair
    if not (isinstance(name, str) and name.isascii() and name.replace("_", "").isalnum()):
        return False
    if type(value) is int:
        return len(name) <= _LONGEST and -_INT32 <= value < _INT32
    return len(name) <= _LONGEST and type(value) is float and not abs(value) > _MAX_REAL


def nav_states(log: Log, copter_id: int, armed: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the mode of a vehicle at each time of a log, given when it was armed.

    Raises
    ------
    ValueError
        The metadata are not as described above.
    """
    changes = [row for row in _rows(log, MODES, 3) if row[1] == copter_id]
    if not changes:
        return np.where(armed, NavState.OFFBOARD, NavState.AUTO_LOITER).astype(np.uint8)
    if not all(type(state) is int and 0 <= state < 256 for _, _, state in changes):
        raise ValueError(f"{MODES}: expected nav_state 0..255, got {brief(changes)}")
    times, _, states = zip(*sorted(changes), strict=True)
    last = np.searchsorted(np.array(times), log.time, side="right") - 1
    before = np.array([NavState.AUTO_LOITER, *states], np.uint8)
    return before[last + 1]


def texts_of(log: Log, copter_id: int) -> list[tuple[float, int, str]]:
    """Return time [s], severity and text of what a vehicle said, in the order of time.

    And of its faults and of the boundaries that it crossed.

    Raises
    ------
    ValueError
        The metadata are not as described above.
    """
    rows = [
        (time, level, text)
        for name in (TEXTS, CROSSINGS)
        for time, vehicle, level, text in _rows(log, name, 4)
        if vehicle == copter_id
    ]
    for _, level, text in rows:
        if type(level) is not int or not 0 <= level < _SEVERITIES or not isinstance(text, str):
            raise ValueError(f"{TEXTS}: expected severity and text, got {brief([level, text])}")
    rows += _fault_texts(log, copter_id)
    return sorted(rows, key=lambda row: row[0])


def _fault_texts(log: Log, copter_id: int) -> list[tuple[float, int, str]]:
    entries = log.metadata.get(FAULTS, [])
    if not isinstance(entries, list) or not all(isinstance(row, dict) for row in entries):
        raise ValueError(f"{FAULTS}: expected a list of objects, got {brief(entries)}")
    own = [row for row in entries if row.get("copter_id") == copter_id]
    if not all(_is_time(row.get("time")) for row in own):
        raise ValueError(f"{FAULTS}: expected times [s], got {brief(own)}")
    return [(row["time"], int(Severity.WARNING), fault_text(row)) for row in own]


def _rows(log: Log, name: str, width: int) -> list[list[Any]]:
    """Return rows that begin with a time and a CopterID."""
    rows = log.metadata.get(name, [])
    if not isinstance(rows, list):
        raise ValueError(f"{name}: expected a list, got {brief(rows)}")
    for row in rows:
        is_row = isinstance(row, list) and len(row) == width
        if not is_row or not _is_time(row[0]) or type(row[1]) is not int:
            raise ValueError(f"{name}: expected time, CopterID, ... in rows, got {brief(row)}")
    return rows


def _is_time(value: object) -> bool:
    return isinstance(value, (int, float)) and 0.0 <= value < _LONGEST_TIME
