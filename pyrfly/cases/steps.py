"""Steps of a case and what they mean by how a vehicle moves: `Case`, `Step`, `COMMANDS`."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from enum import Enum, auto
from math import inf
from typing import NamedTuple

from pyrfly.errors import CaseError
from pyrfly.vehicles.kinds import Kind

__all__ = [
    "COMMANDS",
    "FIRST_FAULT",
    "Action",
    "Actions",
    "Case",
    "Step",
    "check_case",
    "check_step",
]

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


class Actions(NamedTuple):
    """What a command does with vehicles that hover, circle, and stay on a surface."""

    hovering: Action
    circling: Action
    on_surface: Action

    def of(self, kind: Kind) -> Action:
        """Return what it does with a vehicle that moves in a way."""
        if kind.circles:
            return self.circling
        return self.on_surface if kind.on_surface else self.hovering


class _Form(NamedTuple):
    """Numbers of parameters that an action has, and their largest magnitude."""

    least: int
    most: int
    largest: float = 1e6


def _same(action: Action) -> Actions:
    return Actions(action, action, action)


COMMANDS: Mapping[tuple[int, int], Actions] = {
    (1, 1): _same(Action.WAIT),
    (1, 2): _same(Action.REACH),
    (2, 1): _same(Action.ARM),
    (2, 2): _same(Action.DISARM),
    (2, 3): Actions(Action.POSITION, Action.TAKE_OFF, Action.POSITION),
    (2, 4): Actions(Action.VELOCITY, Action.POSITION, Action.VELOCITY),
    (2, 5): Actions(Action.LAND, Action.LAND, Action.SPEED),
    (2, 6): _same(Action.INJECT),
}
"""Commands by class and function, as of quadrotors, planes and boats in [@rfly-safe]."""

_FORMS: Mapping[Action, _Form] = {
    Action.WAIT: _Form(1, 1, LONGEST_WAIT),
    Action.REACH: _Form(3, 3),
    Action.ARM: _Form(0, 0),
    Action.DISARM: _Form(0, 0),
    Action.TAKE_OFF: _Form(3, 3),
    Action.POSITION: _Form(3, 3),
    Action.VELOCITY: _Form(3, 3),
    Action.SPEED: _Form(1, 1),
    Action.LAND: _Form(0, 3),
    Action.INJECT: _Form(1, 28, inf),
}


def check_step(step: Step, kind: Kind | None = None) -> None:
    """Raise a CaseError for a command that no vehicle has, or with wrong parameters.

    Of a vehicle that moves in a way, if one is given, else of any.
    """
    if step.code not in COMMANDS:
        known = ", ".join(f"{a},{b}" for a, b in sorted(COMMANDS))
        raise CaseError(f"expected one of {known}, got {step.text!r}")
    actions = COMMANDS[step.code]
    chosen = {*actions} if kind is None else {actions.of(kind)}
    _check_params(step, {_FORMS[action] for action in chosen})
    if Action.WAIT in chosen and step.params[0] < 0:
        raise CaseError(f"expected a wait of at least 0 s, got {step.text!r}")
    if Action.INJECT in chosen:
        _check_injection(step)


def check_case(case: Case, kind: Kind) -> None:
    """Raise a CaseError for a command that vehicles which move in a way do not have like this."""
    for step in case.steps:
        _check_with(kind, case, step)


def _check_with(kind: Kind, case: Case, step: Step) -> None:
    try:
        check_step(step, kind)
    except CaseError as error:
        where = f"case {case.number}: command {step.number} of a vehicle that {kind.doing}"
        raise CaseError(f"{where}: {error}") from None


def _check_params(step: Step, forms: Set[_Form]) -> None:
    count = len(step.params)
    if not any(form.least <= count <= form.most for form in forms):
        ranges = " or ".join(sorted({f"{f.least} to {f.most}" for f in forms}))
        raise CaseError(f"expected {ranges} parameters, got {step.text!r}")
    largest = max(form.largest for form in forms)
    if any(not abs(value) <= largest for value in step.params):
        raise CaseError(f"expected parameters of up to {largest:g}, got {step.text!r}")


def _check_injection(step: Step) -> None:
    numbers = [value for value in step.params if value >= FIRST_FAULT]
    if not 1 <= len(numbers) <= 8 or len(step.params) - len(numbers) > 20:
        raise CaseError(f"expected 1 to 8 numbers of faults, then up to 20 values: {step.text!r}")
    if any(value != int(value) or value > 2**31 - 1 for value in numbers):
        raise CaseError(f"expected whole numbers of faults, got {step.text!r}")
