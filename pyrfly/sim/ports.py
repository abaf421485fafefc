"""RflySim's inputs inSILInts and inSILFloats: checks and writes them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import ShapeError
from pyrfly.protocol.faults import faults_in, refusal
from pyrfly.protocol.synthesis import COMMAND, FLOATS, INTS, POS, Command
from pyrfly.sim.arguments import array_of
from pyrfly.sim.group import Group
from pyrfly.sim.selection import Part, Rows, Selection

__all__ = ["write_ports"]

_WITH_POSITION = int(Command.TAKEOFF | Command.LAND | Command.RETURN)


def write_ports(
    selection: Selection,
    inject: Callable[..., tuple[str, ...]],
    ints: ArrayLike | None,
    floats: ArrayLike | None,
    command: int | None,
) -> None:
    """Write the inputs and make the navigators accept the command; see `Sim.command_sil`.

    ``inject`` is `Faults.inject`, for vehicles whose words are those of faults.
    """
    count = len(selection)
    selection.require_distinct()
    words = None if ints is None else _input("ints", ints, INTS, count)
    values = None if floats is None else _input("floats", floats, FLOATS, count)
    single = None if command is None else int(_input("command", [command], 1, 1)[0, 0])
    faults = _faults(words, single, count)
    for group, _, indices in selection:
        if group.models:  # which know these numbers themselves
            faults[indices] = 0
    for text in dict.fromkeys(_injected(selection, inject, faults, words, values)):
        warnings.warn(text, stacklevel=3)
    with selection.exclusive:
        parts = _accepted(selection, faults) if faults.any() else selection
        for group, rows, indices in parts:
            if values is not None:
                with np.errstate(invalid="ignore", over="ignore"):  # any NaN; float32 overflow
                    group.view("sil_floats")[rows] = values[indices]
            if words is not None:
                group.view("sil_ints")[rows] = words[indices]
            if single is not None:
                if single & _WITH_POSITION:
                    group.view("sil_ints")[rows, 1] = 0
                    group.view("sil_floats")[rows, POS] = 0
                group.view("sil_ints")[rows, 0] = single
            group.note_command(rows)
            group.batch.accept(*_span(rows, group.n))
            if group.models:
                _arm(group, rows)


def _arm(group: Group, rows: Rows) -> None:
    """Arm and disarm vehicles by their words, where no navigator of the core does so."""
    words = group.view("sil_ints")[rows]
    commands = words[:, COMMAND] & Command.ENABLE != 0
    commands &= faults_in(words.view(np.int32)) == 0
    armed = words[:, COMMAND] & Command.ARMED != 0
    group.view("armed")[rows] = np.where(commands, armed, group.view("armed")[rows])


def _faults(words: NDArray[Any] | None, command: int | None, count: int) -> NDArray[np.int64]:
    """Return the fault that the words of each vehicle inject, 0 for none, shape (count,)."""
    if command is not None:
        words = np.zeros((count, INTS), np.int64)
        words[:, COMMAND] = command
    return np.zeros(count, np.int64) if words is None else faults_in(words)


def _injected(
    selection: Selection,
    inject: Callable[..., tuple[str, ...]],
    faults: NDArray[np.int64],
    words: NDArray[Any] | None,
    values: NDArray[Any] | None,
) -> Iterator[str]:
    """Inject faults where words are those of some; yield what is refused, and count it."""
    if not faults.any():
        return
    for group, row, place in selection.vehicles():
        if not faults[place]:
            continue
        refused: tuple[str, ...] = (
            refusal(int(faults[place]), "expected inSILInts and inSILFloats"),
        )
        if words is not None and values is not None:
            one = slice(place, place + 1)
            refused = inject(words[one].view(np.int32), values[one], ids=group.first_id + row)
        group.view("sil_refused")[row] += bool(refused)
        yield from refused


def _accepted(selection: Selection, faults: NDArray[np.int64]) -> Iterator[Part]:
    """Yield the parts of the vehicles without fault injection."""
    for group, rows, indices in selection:
        numbers, places = np.arange(group.n)[rows], np.arange(len(selection))[indices]
        others = faults[places] == 0
        if others.any():
            yield Part(group, numbers[others], places[others])


def _input(name: str, value: ArrayLike, width: int, count: int) -> NDArray[Any]:
    """Return the values of an input, (count, width): 32-bit words, or floats."""
    whole = name != "floats"
    expected = "integers of 32 bits" if whole else "numbers"
    array = np.array(array_of(name, value, expected))  # a copy: it may be a view of a column
    if array.dtype.kind not in ("iu" if whole else "biuf"):
        raise TypeError(f"{name}: expected {expected}, got {value!r:.80}")
    if array.shape not in ((width,), (count, width)):
        raise ShapeError(
            f"{name}: expected shape ({count}, {width}) or ({width},), got {array.shape}"
        )
    if whole and array.dtype == np.int32:
        array = array.view(np.uint32)
    elif whole:
        if array.size and (array.min() < -(2**31) or array.max() >= 2**32):
            raise ValueError(f"{name}: expected integers of 32 bits, got {value!r:.80}")
        array = (array.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    return array if array.ndim == 2 else np.broadcast_to(array, (count, width))


def _span(rows: Any, n: int) -> tuple[int, int]:
    """Return first and count of the span of rows."""
    if isinstance(rows, slice):
        first, end, _ = rows.indices(n)
        return first, end - first
    return int(rows.min()), int(rows.max()) - int(rows.min()) + 1
