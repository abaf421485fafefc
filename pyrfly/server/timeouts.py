"""Time-outs of inputs that a user sets: `checked_timeouts`, `timeout_of`."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from pyrfly.autopilot.parameter_table import PARAMETERS
from pyrfly.errors import brief, near_names, require_kind
from pyrfly.protocol.timeouts import TIMEOUTS
from pyrfly.transport import OptionError

__all__ = ["checked_timeouts", "positive_timeout", "timeout_of", "timeout_pair"]


def checked_timeouts(given: Mapping[str, float]) -> dict[str, float]:
    """Return time-outs [s] that are set, infinity for those that never end.

    Parameters
    ----------
    given : mapping
        Seconds by names of `TIMEOUTS`; 0: never. Those that PX4 has a parameter for are in its
        range and not 0, with which PX4 takes every link for lost.

    Raises
    ------
    OptionError
        A name is unknown, or a time is none.

    Examples
    --------
    >>> from pyrfly.server.timeouts import checked_timeouts
    >>> checked_timeouts({"serial": 1, "setpoints": 0})
    {'serial': 1.0, 'setpoints': inf}
    """
    require_kind("timeouts", given, Mapping)
    return {name: _seconds(name, value) for name, value in given.items()}


def timeout_of(name: str, given: Mapping[str, float]) -> float:
    """Return a time-out [s] that is set, by `checked_timeouts`, or as `TIMEOUTS` has it."""
    return given.get(name, TIMEOUTS[name].seconds)


def positive_timeout(timeout: float) -> float:
    """Return the argument ``timeout`` of a link [s], infinity for never; or an OptionError."""
    if not timeout > 0:
        raise OptionError(f"timeout: expected seconds, more than 0, got {brief(timeout)}")
    return timeout


def timeout_pair(text: str) -> tuple[str, float]:
    """Return what an option NAME=SECONDS says; for `argparse`."""
    name, equals, value = text.partition("=")
    try:
        seconds = float(value)
    except ValueError:
        seconds = math.nan
    if not equals or math.isnan(seconds):
        raise argparse.ArgumentTypeError(f"expected NAME=SECONDS, got {brief(text)}")
    try:
        checked_timeouts({name: seconds})
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error).partition(": ")[2]) from None
    return name, seconds


def _seconds(name: Any, value: Any) -> float:
    if not isinstance(name, str) or name not in TIMEOUTS:
        near = near_names(name, TIMEOUTS) if isinstance(name, str) else ", ".join(TIMEOUTS)
        raise OptionError(f"timeouts: expected one, such as {near}, got {brief(name)}")
    number = isinstance(value, (int, float, np.integer, np.floating))
    seconds = value if number and not isinstance(value, bool) else math.nan
    parameter = PARAMETERS.get(TIMEOUTS[name].parameter)
    low, high, unit = 0.0, sys.float_info.max, "seconds, 0 for never"
    whole = parameter is not None and parameter.kind == "INT32"
    if parameter is not None:
        low, high = parameter.low, parameter.high
        above = "" if low > 0.0 else "more than "
        unit = f"{above}{low:g} to {high:g} s{', whole' if whole else ''} ({parameter.name})"
    outside = not low <= seconds <= high or (parameter is not None and seconds == 0)
    if outside or (whole and seconds != int(seconds)):
        raise OptionError(f"timeouts: {name}: expected {unit}, got {brief(value)}")
    return float(seconds) or math.inf
