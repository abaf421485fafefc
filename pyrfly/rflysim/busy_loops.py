"""Loops that only wait for a variable that another thread sets: `idle_loop`, `script_line`."""

from __future__ import annotations

import dis
from functools import cache
from pathlib import Path
from types import CodeType, FrameType

__all__ = ["idle_loop", "script_line"]

_JUMPS = {*dis.hasjrel, *dis.hasjabs}
_EFFECTS = ("STORE_", "DELETE_", "FOR_ITER", "IMPORT_", "YIELD_", "SEND", "RAISE_", "RETURN_")
"""Beginnings of instructions that a loop which only waits has none of."""


def idle_loop(frame: FrameType | None) -> tuple[int, int] | None:
    """Return the loop that a thread is in, if its code stores nothing.

    What it runs now is its own code, not a function of Python that it calls: so such a loop goes
    on until something outside of it changes, as in ``while not arrived: pass``.

    Parameters
    ----------
    frame : FrameType or None
        Of the function that the thread runs now.

    Returns
    -------
    (int, int) or None
        Identity of the frame, and the beginning of the loop in its code.
    """
    if frame is None:
        return None
    around = [(end - begin, begin, end) for begin, end in _loops(frame.f_code)]
    around = [one for one in around if one[1] <= frame.f_lasti <= one[2]]
    if not around:
        return None
    _, begin, end = min(around)
    return None if _has_effects(frame.f_code, begin, end) else (id(frame), begin)


def script_line(frame: FrameType | None) -> str:
    """Return file and line of the script that a thread is at."""
    innermost = frame
    while frame is not None and frame.f_globals.get("__name__") != "__main__":
        frame = frame.f_back
    frame = frame or innermost
    if frame is None:
        return "a thread"
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"


@cache
def _loops(code: CodeType) -> list[tuple[int, int]]:
    """Return where the loops of a function begin and end: what jumps back."""
    found = dis.get_instructions(code)
    return [
        (one.argval, one.offset)
        for one in found
        if one.opcode in _JUMPS and one.argval <= one.offset
    ]


@cache
def _has_effects(code: CodeType, begin: int, end: int) -> bool:
    inside = (one for one in dis.get_instructions(code) if begin <= one.offset <= end)
    return any(one.opname.startswith(_EFFECTS) for one in inside)
