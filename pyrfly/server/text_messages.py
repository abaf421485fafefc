"""Messages of programs as text, an object of JSON each: `Request`, `read`, `state_text`."""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple

import numpy as np

from pyrfly.errors import brief
from pyrfly.server.verbs import Message, packets_of

__all__ = ["LONGEST", "MOST_STATES", "Refused", "Request", "answer", "read", "state_text"]

LONGEST = 4096
"""Maximum size of a message [bytes]."""

MOST_STATES = 2000.0
"""Maximum number of states that a program may want per second, of all vehicles [1/s]."""

_BESIDES = ("id", "seq")
_STATE = "state"
_INT32 = 2**31


class Request(NamedTuple):
    """What a message requests.

    Attributes
    ----------
    row : int or None
        Row of the vehicle; None for all, of states alone.
    packets : list of Message
        Packets for it.
    rate : float or None
        How often states are wanted [Hz], 0: not any more; None where that is not the request.
    seq : int or None
        What the answer is to name; None: no answer.
    """

    row: int | None
    packets: list[Message]
    rate: float | None
    seq: int | None


class Refused(ValueError):
    """A message is not executed.

    Attributes
    ----------
    fatal : bool
        Whether it is no message at all, so that what follows is not to be trusted either.
    seq : int or None
        As of `Request`.
    """

    def __init__(self, reason: str, fatal: bool = False, seq: int | None = None) -> None:
        super().__init__(reason)
        self.fatal, self.seq = fatal, seq


def read(text: bytes | str, n: int, first_id: int) -> Request:
    """Return what a message requests.

    Parameters
    ----------
    text : bytes or str
        The message.
    n, first_id : int
        Number of vehicles, CopterID of the first.

    Raises
    ------
    Refused
        It is no object in JSON, or none that is understood.
    """
    entry = _object_of(text)
    seq = entry.get("seq")
    if not (seq is None or (_is_whole(seq) and abs(seq) < _INT32)):
        raise Refused(f"seq: expected a whole number of 32 bits, got {brief(seq)}")
    try:
        return _request_of(entry, seq, n, first_id)
    except ValueError as error:
        raise Refused(str(error), seq=seq) from None


def _object_of(text: bytes | str) -> dict[str, Any]:
    try:
        if len(text) > LONGEST:
            raise ValueError
        entry = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):  # also other encodings, numbers of thousands of digits
        entry = None
    if not isinstance(entry, dict):
        raise Refused(f"expected an object in JSON of at most {LONGEST} bytes", fatal=True)
    return entry


def _no_constant(name: str) -> float:
    raise ValueError(f"expected JSON, which has no {name}")


def _request_of(entry: dict[str, Any], seq: int | None, n: int, first_id: int) -> Request:
    names = [name for name in entry if name not in _BESIDES]
    if len(names) != 1:
        raise ValueError(f"expected one verb, with id and seq beside it, got {brief(names)}")
    (name,), number = names, entry.get("id")
    last = first_id + n - 1
    if not (number is None or (_is_whole(number) and first_id <= number <= last)):
        raise ValueError(f"id: expected {first_id} to {last}, got {brief(number)}")
    row = None if number is None else number - first_id
    if name == _STATE:
        return Request(row, [], _rate_of(entry[name], n if row is None else 1), seq)
    row = row or 0
    return Request(row, packets_of(name, entry[name], first_id + row), None, seq)


def _rate_of(rate: object, vehicles: int) -> float:
    """Return a rate of states [Hz]."""
    most = min(100.0, MOST_STATES / vehicles)
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= most:
        raise ValueError(f"{_STATE}: expected a rate of 0 to {most:g} Hz, got {brief(rate)}")
    return float(rate)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def answer(seq: int | None, error: str | None = None) -> str | None:
    """Return the answer to a message; None where none is due."""
    found: dict[str, object] = {} if seq is None else {"seq": seq}
    if error is not None:
        found["error"] = error
    return json.dumps(found) if found else None


def state_text(estimate: np.void, truth: np.void, armed: bool) -> str:
    """Return a state by the names of RflySim's attributes, of ``outHILStateData`` and the truth."""
    lat, lon, alt = estimate["GpsPos"].tolist()
    state = {
        "CopterID": int(truth["copterID"]),
        "time": float(truth["runnedTime"]),
        "isArmed": armed,
        "uavPosNED": estimate["localPos"].tolist(),
        "uavVelNED": estimate["localVel"].tolist(),
        "uavAngEular": estimate["AngEular"].tolist(),
        "uavPosGPS": [lat * 1e-7, lon * 1e-7, alt * 1e-3],
        "truePosNED": truth["PosE"].tolist(),
        "trueAngQuatern": truth["AngQuatern"].tolist(),
    }
    return json.dumps({name: _finite(value) for name, value in state.items()})


def _finite(value: Any) -> Any:
    """Return numbers with None in place of those that JSON does not have."""
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
