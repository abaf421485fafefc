"""What makes a case pass, and how it went: `Rules`, `CaseResult`, `case_table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType
from typing import Any

from pyrfly.errors import brief
from pyrfly.log.flight_notes import TEXTS
from pyrfly.mavlink.constants import Severity
from pyrfly.sim.ends import CRASH_HEIGHT, CRASH_SPEED

__all__ = ["MEASURES", "CaseResult", "Rules", "case_table", "motion_of", "notes_of_cases"]

MEASURES = ("speed", "tilt", "rate", "height", "distance", "fall_speed", "landing_error")
"""Numbers of a result: maxima of the speed [m/s], the tilt [deg], the angular velocity [deg/s], the
height above the ground [m] and the horizontal distance from the start [m]; the descent speed of a
crash [m/s], 0 without; the distance from where it was told to land [m], 0 if nowhere."""

_MOTIONS = ((0.01, "smooth flight"), (0.1, "slight shaking"), (1.0, "violent shaking"))
"""Mean angular velocities after an injection [rad/s] below which a flight is said to be so."""


@dataclass(frozen=True)
class Rules:
    """What a case has to keep to pass.

    The defaults are those of RflySim's safety platform [@rfly-safe include/AutoMavCtrl.py], but for
    ``landing`` and ``patience`` (estimated), which it does not have.

    Attributes
    ----------
    crash_speed, crash_height : float
        A vehicle that descends faster [m/s] below that height above the ground [m] crashes.
    arrival : float
        Horizontal distance [m] at which a position is reached.
    landing : float
        Horizontal distance [m] within which it has landed where it was told to.
    patience : float
        Time [s] that a position or a landing may take.
    limits : mapping of str to float
        Largest values of `MEASURES`.
    """

    crash_speed: float = CRASH_SPEED
    crash_height: float = CRASH_HEIGHT
    arrival: float = 5.0
    landing: float = 5.0
    patience: float = 120.0
    limits: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        """Check the limits."""
        for name, limit in self.limits.items():
            if name not in MEASURES:
                raise ValueError(f"limits: expected some of {', '.join(MEASURES)}, got {name!r}")
            if not isinstance(limit, (int, float)) or not isfinite(limit) or limit < 0:
                raise ValueError(f"limits: {name}: expected at least 0, got {brief(limit)}")


@dataclass(frozen=True)
class CaseResult:
    """How a case went.

    Attributes
    ----------
    number, name : int, str
        Of the case.
    passed : bool
        Whether all its commands were done, and all rules kept.
    reason : str
        "completed", or what ended it.
    time : float
        Simulated time that it took [s].
    injected : float
        Time of the first injection [s]; NaN without.
    motion : str
        RflySim's word for the flight after it; empty without.
    measures : mapping of str to float
        Values of `MEASURES`.
    texts : tuple of (float, str)
        Times and texts of commands and injections, for logs.
    """

    number: int
    name: str
    passed: bool
    reason: str
    time: float
    injected: float
    motion: str
    measures: Mapping[str, float]
    texts: tuple[tuple[float, str], ...] = ()


def motion_of(rate: float, crashed: bool) -> str:
    """Return the word for a flight with a mean angular velocity [rad/s], the largest of three."""
    for limit, text in _MOTIONS:
        if rate < limit:
            return text
    return "violent rolling and crashing" if crashed else "violent rolling"


def notes_of_cases(results: Mapping[int, CaseResult]) -> dict[str, Any]:
    """Return the commands and injections of cases by CopterID as ``texts`` of a log."""
    return {
        TEXTS: [
            [time, copter_id, int(Severity.NOTICE), text]
            for copter_id, result in results.items()
            for time, text in result.texts
        ]
    }


_HEADINGS = ("case", "result", "time [s]", "injected", "reason", *MEASURES, "motion", "name")


def case_table(results: Sequence[CaseResult]) -> str:
    """Return the results as a table, a line for each, without a final line break."""
    rows = [_HEADINGS, *(_row(result) for result in results)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(_HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _row(result: CaseResult) -> tuple[str, ...]:
    return (
        str(result.number),
        "pass" if result.passed else "FAIL",
        f"{result.time:.2f}",
        f"{result.injected:.2f}" if isfinite(result.injected) else "-",
        result.reason,
        *(f"{result.measures[name]:.2f}" for name in MEASURES),
        result.motion or "-",
        result.name,
    )
