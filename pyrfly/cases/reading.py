"""Files of cases: `read_cases`."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyrfly.cases.steps import Case, Step, check_step
from pyrfly.errors import CaseError, brief
from pyrfly.files import decoded, path_of, printable, read_regular

__all__ = ["is_case_file", "read_case", "read_cases"]

MAXIMUM_SIZE = 5_000_000
"""Maximum size of a file [bytes]."""

MOST_STEPS = 10_000
"""Most commands of a case."""

_DATABASE, _TEXT = ".json", ".case"


def is_case_file(path: str | os.PathLike[str]) -> bool:
    """Return whether a name is that of a case file: ``.case``, or ``.json`` with ``FAULT_CASE``.

    Both may have a CaseID, as in ``db.json#2``.
    """
    file, _ = _split(path)
    suffix = file.suffix.lower()
    if suffix != _DATABASE:
        return suffix == _TEXT
    try:
        return b"FAULT_CASE" in read_regular(file, MAXIMUM_SIZE)
    except ValueError:
        return False


def _split(path: str | os.PathLike[str]) -> tuple[Path, str]:
    """Return a path and the CaseID behind it, empty without."""
    name, _, number = os.fspath(path).partition("#")
    return Path(name), number


def read_case(path: str | os.PathLike[str]) -> Case:
    """Return the only case of a file, or that of its number, as in ``db.json#2``.

    Raises
    ------
    CaseError
        As by `read_cases`, or the file has several.
    """
    file, number = _split(path)
    if number and not (number.isascii() and number.isdigit() and len(number) < 10):
        raise CaseError(f"{printable(file)}: expected a CaseID after #, got {brief(number)}")
    cases = read_cases(file, [int(number)] if number else None)
    if len(cases) > 1:
        raise CaseError(f"{printable(file)}: expected one case, such as {file.name}#1")
    return cases[0]


def read_cases(
    path: str | os.PathLike[str], numbers: Sequence[int] | None = None
) -> tuple[Case, ...]:
    """Return the cases of a file.

    Parameters
    ----------
    path : str or path-like
        A data base of RflySim's safety platform, ``db.json``, with the cases ``FAULT_CASE`` of
        which ``TEST_CASE`` lists those to fly; or a text with the commands of one case, in which
        lines that begin with ``#`` are notes.
    numbers : sequence of int, optional
        CaseIDs, instead of those of ``TEST_CASE``.

    Raises
    ------
    CaseError
        The file cannot be read or is invalid; the message names the case and the command.
    """
    file = path_of("path", path)
    try:
        text = decoded(read_regular(file, MAXIMUM_SIZE))
        cases = _database(text) if text.lstrip().startswith("{") else (_only(file.stem, text), None)
        return _chosen(*cases, numbers)
    except (ValueError, RecursionError) as error:
        raise CaseError(f"{printable(file)}: {error}") from None


def _only(name: str, text: str) -> dict[int, Case]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    return {1: Case(1, name, _steps("\n".join(lines)))}


def _database(text: str) -> tuple[dict[int, Case], list[int] | None]:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}: {error.msg}") from None
    entries = document.get("FAULT_CASE")
    if not isinstance(entries, list) or not entries:
        raise ValueError(f"FAULT_CASE: expected a list of cases, got {brief(entries)}")
    cases: dict[int, Case] = {}
    for place, entry in enumerate(entries, start=1):
        case = _case(f"FAULT_CASE entry {place}", entry)
        if case.number in cases:
            raise ValueError(f"FAULT_CASE entry {place}: CaseID {case.number} is there twice")
        cases[case.number] = case
    return cases, _listed(document.get("TEST_CASE"))


def _case(where: str, entry: Any) -> Case:
    if not isinstance(entry, Mapping):
        raise ValueError(f"{where}: expected an object, got {brief(entry)}")
    number, sequence = entry.get("CaseID"), entry.get("ControlSequence")
    if type(number) is not int or number < 0:
        raise ValueError(f"{where}: CaseID: expected a whole number, got {brief(number)}")
    if not isinstance(sequence, str):
        raise ValueError(f"{where}: ControlSequence: expected a text, got {brief(sequence)}")
    name = next((entry[k] for k in ("FaultMode", "FaultType") if entry.get(k)), "")
    try:
        return Case(number, str(name), _steps(sequence))
    except CaseError as error:
        raise ValueError(f"{where} (CaseID {number}): {error}") from None


def _listed(value: Any) -> list[int] | None:
    """Return the CaseIDs of ``TEST_CASE``, such as "1;2"; None without."""
    if value is None or value == "":
        return None
    words = [word.strip() for word in value.split(";")] if isinstance(value, str) else [""]
    if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words if word):
        raise ValueError(f"TEST_CASE: expected CaseIDs such as '1;2', got {brief(value)}")
    listed = [int(word) for word in words if word]
    if len(listed) > MOST_STEPS:
        raise ValueError(f"TEST_CASE: expected at most {MOST_STEPS} CaseIDs, got {len(listed)}")
    return listed


def _chosen(
    cases: dict[int, Case], listed: list[int] | None, numbers: Sequence[int] | None
) -> tuple[Case, ...]:
    wanted = listed if numbers is None else list(numbers)
    for number in wanted or ():
        if number not in cases:
            known = ", ".join(str(known) for known in list(cases)[:20])
            raise ValueError(f"expected a CaseID of {known}, got {number}")
    return tuple(cases[number] for number in (wanted or cases))


def _steps(text: str) -> tuple[Step, ...]:
    commands = [command for command in text.replace("\n", " ").split(";") if command.strip()]
    if not 1 <= len(commands) <= MOST_STEPS:
        raise CaseError(f"expected 1 to {MOST_STEPS} commands, got {len(commands)}")
    return tuple(_step(number, command) for number, command in enumerate(commands, start=1))


def _step(number: int, command: str) -> Step:
    try:
        words = [word.strip() for word in command.split(",") if word.strip()]
        values = [_number(word) for word in words]
        if len(values) < 2 or any(value != int(value) for value in values[:2]):
            raise CaseError(f"expected class,func,params, got {brief(command.strip())}")
        step = Step(number, (int(values[0]), int(values[1])), tuple(values[2:]))
        check_step(step)
    except CaseError as error:
        raise CaseError(f"command {number}: {error}") from None
    return step


def _number(word: str) -> float:
    try:
        value = float(word) if word.isascii() and "_" not in word else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise CaseError(f"expected finite numbers, got {brief(word)}")
    return value
