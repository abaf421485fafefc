"""Steps of a case and what they mean by how a vehicle moves: `Case`, `Step`, `action_of`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from math import inf
from typing import NamedTuple

from pyrfly.errors import CaseError
from pyrfly.vehicles.kinds import Kind

__all__ = ["FIRST_FAULT", "Action", "Case", "Step", "action_of", "check_step"]

FIRST_FAULT = 123450
"""Parameters of an injection that are not below are numbers of faults."""

LONGEST_WAIT = 1e5
"""Maximum of a wait [s]."""


class Action(Enum):
    """What a step does."""

    WAIT = auto()
    REACH = auto()
    ARM = auto()
    DISARM = auto()
    TAKE_OFF = auto()
    POSITION = auto()
    VELOCITY = auto()
    SPEED = auto()
    LAND = auto()
    INJECT = auto()


class Step(NamedTuple):
    """A command "class,func,params" of a case.

    Attributes
    ----------
    number : int
        Its place in the case, from 1.
    code : (int, int)
        Class and function.
    params : tuple of float
        Parameters.
    """

    number: int
    code: tuple[int, int]
    params: tuple[float, ...]

    @property
    def text(self) -> str:
        """The command as it is written."""
        return ",".join(f"{value:g}" for value in (*self.code, *self.params))


@dataclass(frozen=True)
class Case:
    """A sequence of commands.

    Attributes
    ----------
    number : int
        CaseID.
    name : str
        What it is about.
    steps : tuple of Step
        Commands.
    """

    number: int
    name: str
    steps: tuple[Step, ...]


class _Form(NamedTuple):
    """Numbers of parameters that a command has, and their largest magnitude."""

    least: int
    most: int
    largest: float = 1e6


_COMMON: Mapping[tuple[int, int], tuple[Action, _Form]] = {
    (1, 1): (Action.WAIT, _Form(1, 1, LONGEST_WAIT)),
    (1, 2): (Action.REACH, _Form(3, 3)),
    (2, 1): (Action.ARM, _Form(0, 0)),
    (2, 2): (Action.DISARM, _Form(0, 0)),
    (2, 6): (Action.INJECT, _Form(1, 28, inf)),
}
_POSITION = (Action.POSITION, _Form(3, 3))
_HOVERING = {
    **_COMMON,
    (2, 3): _POSITION,
    (2, 4): (Action.VELOCITY, _Form(3, 3)),
    (2, 5): (Action.LAND, _Form(0, 3)),
}
_CIRCLING = {
    **_COMMON,
    (2, 3): (Action.TAKE_OFF, _Form(3, 3)),
    (2, 4): _POSITION,
    (2, 5): (Action.LAND, _Form(0, 3)),
}
_ON_SURFACE = {
    **_COMMON,
    (2, 3): _POSITION,
    (2, 4): (Action.VELOCITY, _Form(3, 3)),
    (2, 5): (Action.SPEED, _Form(1, 1)),
}
"""Commands by how a vehicle moves, as of quadrotors, planes and boats in [@rfly-safe]."""


def _table(kind: Kind) -> Mapping[tuple[int, int], tuple[Action, _Form]]:
    if kind.circles:
        return _CIRCLING
    return _ON_SURFACE if kind.on_surface else _HOVERING


def action_of(step: Step, kind: Kind) -> Action:
    """Return what a step does with a vehicle that moves in a way."""
    return _table(kind)[step.code][0]


def check_step(step: Step) -> None:
    """Raise a CaseError for a command that no vehicle has, or with wrong parameters."""
    forms = {
        table[step.code][1] for table in (_HOVERING, _CIRCLING, _ON_SURFACE) if step.code in table
    }
    if not forms:
        known = ", ".join(f"{a},{b}" for a, b in sorted(_HOVERING))
        raise CaseError(f"expected one of {known}, got {step.text!r}")
    count = len(step.params)
    if not any(form.least <= count <= form.most for form in forms):
        ranges = " or ".join(sorted({f"{f.least} to {f.most}" for f in forms}))
        raise CaseError(f"expected {ranges} parameters, got {step.text!r}")
    largest = max(form.largest for form in forms)
    if any(not abs(value) <= largest for value in step.params):
        raise CaseError(f"expected parameters of up to {largest:g}, got {step.text!r}")
    if step.code == (1, 1) and step.params[0] < 0:
        raise CaseError(f"expected a wait of at least 0 s, got {step.text!r}")
    if step.code == (2, 6):
        _check_injection(step)


def _check_injection(step: Step) -> None:
    numbers = [value for value in step.params if value >= FIRST_FAULT]
    if not 1 <= len(numbers) <= 8 or len(step.params) - len(numbers) > 20:
        raise CaseError(f"expected 1 to 8 numbers of faults, then up to 20 values: {step.text!r}")
    if any(value != int(value) or value > 2**31 - 1 for value in numbers):
        raise CaseError(f"expected whole numbers of faults, got {step.text!r}")
